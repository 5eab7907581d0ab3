package bnsh_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// described is what the manifest says of a sample.
type described struct {
	Size            int
	Canonical       bool
	Version         string
	Name            string
	AddressSize     uint8 `json:"address_size"`
	Strings         []bnsh.Text
	Pool            *struct{ At, Size uint32 }
	StringBlock     uint32 `json:"string_block"`
	RelocationTable uint32 `json:"relocation_table"`
	Sections        [6][3]int
	Variations      []map[string]*describedProgram
	Findings        []string
}

type describedProgram struct {
	At           uint32
	Flags        bnsh.ProgramFlags
	CodeType     bnsh.CodeType     `json:"code_type"`
	SourceFormat bnsh.SourceFormat `json:"source_format"`
	BinaryFormat bnsh.BinaryFormat `json:"binary_format"`
	ObjectSize   uint32            `json:"object_size"`
	Stages       map[string]describedCode
	Reflection   map[string]describedReflection
}

type describedCode struct {
	Control      int
	ControlAt    uint32 `json:"control_at"`
	Code         int
	CodeAt       uint32 `json:"code_at"`
	Scratch      [2]uint32
	Bytes        int
	At           uint32
	Decompressed uint32
	Texts        []int
}

type describedReflection struct {
	First     []int32
	Slots     []int32
	WorkGroup [3]uint32 `json:"work_group"`
	Input     []bnsh.Text
	Output    []bnsh.Text
	Sampler   []bnsh.Text
	Cbuf      []bnsh.Text
	Uav       []bnsh.Text
	Image     []bnsh.Text
	Septex    []bnsh.Text
	Sepsamp   []bnsh.Text
}

func manifest(t testing.TB) map[string]described {
	t.Helper()
	var m map[string]described
	formattest.JSON(t, "bnsh/manifest.json", &m)
	return m
}

func TestSamples(t *testing.T) {
	for name, want := range manifest(t) {
		t.Run(strings.TrimSuffix(name, ".bnsh"), func(t *testing.T) {
			b := samples.Read(t, "bnsh/"+name)
			format.Agree(t, b)
			got := slices.Compact(slices.Sorted(slices.Values(formattest.IDs(bnsh.Check(b)))))
			if !slices.Equal(got, want.Findings) {
				t.Errorf("findings: got %v, want %v", got, want.Findings)
			}
			f := mustParse(t, b)
			want.compare(t, f)
			mustWrite(t, f, b)
			if got := bytes.Equal(build(t, f.Canonical()), b); got != want.Canonical {
				t.Errorf("canonical: got %v, want %v", got, want.Canonical)
			}
		})
	}
}

// compare compares a file with what the manifest says of it.
func (d *described) compare(t *testing.T, f *bnsh.File) {
	t.Helper()
	l := f.Layout
	check(t, "version", f.Version.String(), d.Version)
	check(t, "name", string(f.Name), d.Name)
	check(t, "address size", f.AddressSize, d.AddressSize)
	if !slices.Equal(l.StringPool, d.Strings) {
		t.Errorf("strings: got %q, want %q", l.StringPool, d.Strings)
	}
	check(t, "string block", l.Strings, d.StringBlock)
	check(t, "relocation table", l.Relocations, d.RelocationTable)
	if d.Pool == nil {
		check(t, "pool", l.Pool, bnsh.PoolLayout{})
	} else {
		check(t, "pool memory", l.Pool.Memory, d.Pool.At)
		check(t, "pool size", l.Pool.Size, d.Pool.Size)
	}
	for i, s := range l.Sections {
		check(t, "section", [3]int{int(s.Position), int(s.Size), len(s.Entries)}, d.Sections[i])
	}
	check(t, "variations", len(f.Variations), len(d.Variations))
	k := 0
	for i := range d.Variations {
		for slot, key := range []string{"source", "il", "binary"} {
			p, want := f.Variations[i].Program(bnsh.Slot(slot)), d.Variations[i][key]
			if (p != nil) != (want != nil) {
				t.Fatalf("variation %d: program %s: got %v, want %v", i, key, p, want)
			}
			if want != nil {
				want.compare(t, p, &l.Programs[k])
				k++
			}
		}
	}
	check(t, "programs", len(l.Programs), k)
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (d *describedProgram) compare(t *testing.T, p *bnsh.Program, l *bnsh.ProgramLayout) {
	t.Helper()
	check(t, "record", l.Record, d.At)
	check(t, "flags", p.Flags, d.Flags)
	check(t, "code type", p.CodeType, d.CodeType)
	check(t, "source format", p.SourceFormat, d.SourceFormat)
	check(t, "binary format", p.BinaryFormat, d.BinaryFormat)
	check(t, "object size", p.ObjectSize, d.ObjectSize)
	check(t, "reflection", p.Reflection != nil, d.Reflection != nil)
	for s := range bnsh.Stage(bnsh.NumStages) {
		code, want := p.Stages[s], d.Stages[s.String()]
		_, present := d.Stages[s.String()]
		if check(t, "stage", code != nil, present); code != nil {
			want.compare(t, code, l.Stages[s])
		}
		if p.Reflection == nil {
			continue
		}
		reflection, present := d.Reflection[s.String()]
		if check(t, "reflected stage", p.Reflection[s] != nil, present); present {
			reflection.compare(t, p.Reflection[s])
		}
	}
}

func (d *describedCode) compare(t *testing.T, c *bnsh.Code, l *bnsh.CodeLayout) {
	t.Helper()
	check(t, "control", len(c.Control), d.Control)
	check(t, "control at", l.Control, d.ControlAt)
	check(t, "code", len(c.Code), d.Code+d.Bytes)
	check(t, "code at", l.Code, d.CodeAt+d.At)
	check(t, "scratch", [2]uint32{c.ScratchRecommended, c.ScratchPerWarp}, d.Scratch)
	check(t, "unpacked size", c.UnpackedSize, d.Decompressed)
	var sizes []int
	for _, text := range c.Texts {
		sizes = append(sizes, len(text))
	}
	if !slices.Equal(sizes, d.Texts) {
		t.Errorf("texts: got sizes %v, want %v", sizes, d.Texts)
	}
}

func (d *describedReflection) compare(t *testing.T, r *bnsh.StageReflection) {
	t.Helper()
	check(t, "work group", r.WorkGroup, d.WorkGroup)
	check(t, "extended", r.Extended, len(d.First) == 7)
	if !slices.Equal(r.Slots, d.Slots) {
		t.Errorf("slots: got %v, want %v", r.Slots, d.Slots)
	}
	keys := [bnsh.NumKinds][]bnsh.Text{d.Input, d.Output, d.Sampler, d.Cbuf, d.Uav, d.Image, d.Septex, d.Sepsamp}
	for k, table := range r.Tables {
		if !slices.Equal(table.Keys, keys[k]) {
			t.Errorf("%v: got %q, want %q", bnsh.Kind(k), table.Keys, keys[k])
		}
		if k > 0 && k <= len(d.First) {
			check(t, "first of "+bnsh.Kind(k).String(), table.First, d.First[k-1])
		}
	}
}

// reportedAt is where mutations are reported that are seen elsewhere than where
// they were made: what overlaps by the start of the record that is hit, what
// does not add up by the field that says so.
var reportedAt = map[string]int{
	"b014": 0x1C, "b023": 0x80, "b025": 0x2008, "b067": 0x264, "b100": 0x1000, "b101": 0x220, "b103": 0x670,
	"b104": 0x2D4,
	"b118": 0x2D0, "b119": 0x1200, "b134": 0x338, "b137": 0x2A8, "b158": 0x2130, "b173": 0x2044, "b175": 0x201A,
	"b188": 0x20CC, "b203": 0x2110, "b215": 0x150, "b220": 0x298, "b229": 0x920, "b232": 0x930,
}

// TestMutations corrupts the samples in one place each: the rule in question is
// reported there, and nothing else that the manifest does not name.
func TestMutations(t *testing.T) {
	format.Mutations(t, "bnsh", func(formattest.Mutation) bool { return true }, reportedAt)
}
