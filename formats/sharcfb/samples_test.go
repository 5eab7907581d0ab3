package sharcfb_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
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
			findings := sharcfb.Check(b)
			rules := []string{}
			for _, f := range findings {
				rules = append(rules, ruleOf(f))
			}
			slices.Sort(rules)
			if diff := cmp.Diff(info.Findings, slices.Compact(rules)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			f := mustParse(t, b)
			info.Findings = nil
			if diff := cmp.Diff(normal(t, info), normal(t, describe(t, f, b, info.Canonical))); diff != "" {
				t.Errorf("model (-want +got):\n%s", diff)
			}
			testForms(t, f, b, info.Canonical)
			testPartition(t, f.Regions(), len(b))
		})
	}
}

// normal passes a value through JSON, so that lists of mixed types compare.
func normal(t *testing.T, info sampleInfo) (v any) {
	t.Helper()
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// describe says about a file what the manifest says.
func describe(t *testing.T, f *sharcfb.File, b []byte, canonical bool) sampleInfo {
	t.Helper()
	sum := sha256.Sum256(b)
	info := sampleInfo{SHA256: hex.EncodeToString(sum[:]), Size: len(b), Canonical: canonical, Endian: f.Endian.String(), Name: string(f.Name),
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
		d.Blocks = table(s.Blocks, func(x gx2.UniformBlock) []any { return []any{x.Name, x.Location, x.Size} })
		d.Uniforms = table(s.Uniforms, func(x gx2.UniformVar) []any { return []any{x.Name, x.Type, x.Count, x.Offset, uint32(x.Block)} })
		d.Samplers = table(s.Samplers, func(x gx2.SamplerVar) []any { return []any{x.Name, x.Type, x.Location} })
		d.Attributes = table(s.Attributes, func(x gx2.AttribVar) []any { return []any{x.Name, x.Type, x.Count, x.Location} })
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
			Uniforms: symbols(p.Uniforms), Blocks: symbols(p.Blocks), Samplers: symbols(p.Samplers), Attributes: symbols(p.Attributes),
		})
	}
	return info
}

// table turns records into lists; nil when there are none, as the manifest
// leaves empty tables out.
func table[T any](records []T, row func(T) []any) any {
	if len(records) == 0 {
		return nil
	}
	rows := []any{}
	for _, r := range records {
		rows = append(rows, row(r))
	}
	return rows
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

// testForms checks that a parsed file is written as it was, from JSON too, and
// what its canonical form is.
func testForms(t *testing.T, f *sharcfb.File, b []byte, canonical bool) {
	t.Helper()
	if got := mustAppend(t, f); !bytes.Equal(got, b) {
		t.Errorf("exact form differs\ngot  %x\nwant %x", got, b)
	}
	form := mustAppend(t, f.Canonical())
	if bytes.Equal(form, b) != canonical {
		t.Errorf("canonical is %v, want %v\ngot  %x\nfile %x", !canonical, canonical, form, b)
	}
	again := mustParse(t, form)
	if !again.Equal(f) {
		t.Error("the canonical form has another content")
	}
	if got := mustAppend(t, again.Canonical()); !bytes.Equal(got, form) {
		t.Error("the canonical form is not stable")
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON sharcfb.File
	if err := json.Unmarshal(text, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if got := mustAppend(t, &fromJSON); !bytes.Equal(got, b) {
		t.Errorf("the model read back from JSON is written differently\ngot  %x\nwant %x", got, b)
	}
}

// testPartition checks that regions cover a file without gap or overlap.
func testPartition(t *testing.T, regions []diag.Region, size int) {
	t.Helper()
	end := 0
	for _, r := range regions {
		if r.Off != end || r.Len <= 0 || r.Path == "" {
			t.Errorf("region %+v does not start at 0x%x", r, end)
			return
		}
		end += r.Len
	}
	if end != size {
		t.Errorf("regions end at 0x%x of 0x%x", end, size)
	}
}

// elsewhere lists the mutations whose finding is not at the patched bytes, with
// its offset: the end of a file that was cut, the field that no longer matches,
// or the second of two things of which the first was patched.
var elsewhere = map[string]int{
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
}

// TestMutations runs the one-fault files: what must be reported is, where the
// patch is, and up to the first error nothing else than what may be.
func TestMutations(t *testing.T) {
	var mutations []mutation
	formattest.JSON(t, "sharcfb/mutations.json", &mutations)
	for _, m := range mutations {
		t.Run(m.ID, func(t *testing.T) {
			base := sample(t, m.Base)
			allowed := slices.Concat(m.MustReport, m.MayReport)
			for _, f := range sharcfb.Check(base) {
				allowed = append(allowed, ruleOf(f))
			}
			b := bytes.Clone(base)
			for _, p := range m.Patch {
				b = p.apply(t, b)
			}
			findings := sharcfb.Check(b)
			for _, must := range m.MustReport {
				if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return ruleOf(f) == must }) {
					t.Errorf("%s is missing: %v", must, findings)
				}
			}
			for _, f := range findings {
				if !slices.Contains(allowed, ruleOf(f)) {
					t.Errorf("%s is not expected: %v", ruleOf(f), findings)
				}
				if f.Severity == diag.Error {
					break
				}
			}
			if _, err := sharcfb.Parse(b); (err != nil) != m.Reject {
				t.Errorf("refused: %v, want %v", err, m.Reject)
			}
			testMutationPlace(t, m, findings, len(base), len(b))
		})
	}
}

// testMutationPlace checks the offset of the first finding that must be.
func testMutationPlace(t *testing.T, m mutation, findings []diag.Finding, oldSize, newSize int) {
	t.Helper()
	i := slices.IndexFunc(findings, func(f diag.Finding) bool { return ruleOf(f) == m.MustReport[0] })
	if i < 0 {
		return
	}
	f := findings[i]
	if want, ok := elsewhere[m.ID]; ok {
		if f.Off != want {
			t.Errorf("got offset 0x%x, want 0x%x: %v", f.Off, want, f)
		}
		return
	}
	for _, p := range m.Patch {
		from, to := min(oldSize, newSize), max(oldSize, newSize)
		if p.At != nil {
			from, to = *p.At, *p.At+len(p.Hex)/2
		}
		if f.Off < to && from < f.Off+f.Len {
			return
		}
	}
	t.Errorf("offset 0x%x, length %d is not what was patched: %v", f.Off, f.Len, f)
}
