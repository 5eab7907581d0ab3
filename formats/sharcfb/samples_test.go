package sharcfb_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// sampleInfo is what the manifest says about a sample. Tables are lists of
// mixed values, compared as JSON.
type sampleInfo struct {
	SHA256    string        `json:"sha256"`
	Size      int           `json:"size"`
	Canonical bool          `json:"canonical"`
	Endian    string        `json:"endian"`
	Name      string        `json:"name"`
	Binaries  []binaryInfo  `json:"binaries"`
	Programs  []programInfo `json:"programs"`
	Findings  []string      `json:"findings"`
}

type binaryInfo struct {
	Type       string   `json:"type"`
	Mode       int      `json:"mode"`
	DataAt     int      `json:"data_at"`
	DataSize   int      `json:"data_size"`
	CodeAt     int      `json:"code_at"`
	Code       int      `json:"code"`
	CopyAt     int      `json:"copy_at"`
	Copy       int      `json:"copy"`
	Loops      []string `json:"loops"`
	Blocks     any      `json:"blocks"`
	Uniforms   any      `json:"uniforms"`
	Samplers   any      `json:"samplers"`
	Attributes any      `json:"attributes"`
}

type programInfo struct {
	Name       string `json:"name"`
	Kind       int    `json:"kind"`
	Base       int    `json:"base"`
	Variations int    `json:"variations"`
	Macros     any    `json:"macros"`
	Defaults   any    `json:"defaults"`
	Uniforms   any    `json:"uniforms"`
	Blocks     any    `json:"blocks"`
	Samplers   any    `json:"samplers"`
	Attributes any    `json:"attributes"`
}

// TestSamples compares findings, model and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	var infos map[string]sampleInfo
	formattest.JSON(t, "sharcfb/manifest.json", &infos)
	for name, info := range infos {
		t.Run(name, func(t *testing.T) {
			b := sample(t, name)
			rules := append([]string{}, formattest.IDs(plain(sharcfb.Check(b)))...)
			slices.Sort(rules)
			if diff := cmp.Diff(info.Findings, slices.Compact(rules)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			f := mustParse(t, b)
			info.Findings = nil
			if diff := cmp.Diff(formattest.Normal(t, info),
				formattest.Normal(t, describe(t, f, b, info.Canonical))); diff != "" {
				t.Errorf("model (-want +got):\n%s", diff)
			}
			testForms(t, b, info.Canonical)
		})
	}
}

// describe says about a file what the manifest says.
func describe(t *testing.T, f *sharcfb.File, b []byte, canonical bool) sampleInfo {
	t.Helper()
	sum := sha256.Sum256(b)
	info := sampleInfo{SHA256: hex.EncodeToString(sum[:]), Size: len(b), Canonical: canonical,
		Endian: f.Endian.String(), Name: string(f.Name),
		Binaries: []binaryInfo{}, Programs: []programInfo{}}
	at := 0x18 + len(f.Name) + 1 + 8
	for i := range f.Binaries {
		s := &f.Binaries[i]
		at += 0x10
		d := binaryInfo{Type: s.Type.String(), Mode: int(s.Mode), DataAt: at, DataSize: int(s.Layout.Size),
			CodeAt: at + int(s.Layout.Program.Offset), Code: len(s.Code), Copy: len(s.CopyCode), Loops: []string{}}
		if d.Copy > 0 {
			d.CopyAt = at + int(s.Layout.CopyProgram.Offset)
		}
		for _, l := range s.Loops {
			d.Loops = append(d.Loops, hex.EncodeToString(l[:]))
		}
		d.Blocks = formattest.Rows(s.Blocks,
			func(x gx2.UniformBlock) []any { return []any{x.Name, x.Location, x.Size} })
		d.Uniforms = formattest.Rows(s.Uniforms,
			func(x gx2.UniformVar) []any { return []any{x.Name, x.Type, x.Count, x.Offset, uint32(x.Block)} })
		d.Samplers = formattest.Rows(s.Samplers,
			func(x gx2.SamplerVar) []any { return []any{x.Name, x.Type, x.Location} })
		d.Attributes = formattest.Rows(s.Attributes,
			func(x gx2.AttribVar) []any { return []any{x.Name, x.Type, x.Count, x.Location} })
		info.Binaries = append(info.Binaries, d)
		at += int(s.Layout.Size)
		if s.Slack != nil {
			at += len(s.Slack.Tail)
		}
	}
	for i := range f.Programs {
		p := &f.Programs[i]
		info.Programs = append(info.Programs, programInfo{
			Name: string(p.Name), Kind: int(p.Kind), Base: int(p.BaseIndex), Variations: p.Variations(),
			Macros: macros(p.Macros), Defaults: macros(p.Defaults),
			Uniforms: symbols(p.Uniforms), Blocks: symbols(p.Blocks), Samplers: symbols(p.Samplers),
			Attributes: symbols(p.Attributes),
		})
	}
	return info
}

func macros(list []sharcfb.Macro) []any {
	rows := []any{}
	for _, m := range list {
		rows = append(rows, []any{m.Name, m.Values, m.ID})
	}
	return rows
}

func symbols(list []sharcfb.Symbol) []any {
	rows := []any{}
	for _, s := range list {
		enable := []int{}
		for _, v := range s.Enable {
			enable = append(enable, int(v))
		}
		rows = append(rows, []any{s.Name, s.ID, s.Offset, hex.EncodeToString(s.Default), enable})
	}
	return rows
}

// testForms checks that a valid file is written as it was, from JSON too, and whether
// it is its own canonical form.
func testForms(t *testing.T, b []byte, canonical bool) {
	t.Helper()
	if !format.Agree(t, b) {
		t.Fatal("refused")
	}
	format.JSON(t, b)
	if form := mustAppend(t, mustParse(t, b).Canonical()); bytes.Equal(form, b) != canonical {
		t.Errorf("canonical is %v, want %v\ngot  %x\nfile %x", !canonical, canonical, form, b)
	}
}

// TestMutations runs the one-fault files. The offsets are those of findings that are not
// at the patched bytes: the end of a file that was cut, the field that no longer matches,
// or the second of two records of which the first was patched.
func TestMutations(t *testing.T) {
	format.Mutations(t, "sharcfb", func(formattest.Mutation) bool { return true }, map[string]int{
		"s001": 0x17,  // end of the file
		"s002": 0x04,  // end of the file
		"s008": 0x04,  // version, in the wrong byte order now
		"s013": 0x08,  // file size
		"s014": 0x08,  // file size
		"s038": 0x508, // first record that is not counted
		"s056": 0x61C, // base index of the program that needs more now
		"s058": 0x1F,  // count of the binaries that nobody needs now
		"s059": 0x214, // type of the binary at the new base index
		"s092": 0x508, // size of the record with a tail
		"s098": 0x23,  // size of the record whose data is shorter
		"s100": 0x218, // data that is too short
		"s118": 0x2C4, // mode of the pixel shader
		"s134": 0x167, // attributes, on which the samplers lie
		"s146": 0x167, // pointer to the name that is empty now
		"s157": 0x202, // start of the name inside another
		"s163": 0x500, // copy program on the code
		"s167": 0x4B0, // first stride without stream-out
		"s170": 0x414, // type of the binary at the new base index
		"s173": 0x420, // data that is too short
	})
}
