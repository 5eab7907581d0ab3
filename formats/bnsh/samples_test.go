package bnsh_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
)

// samples is where the sample files are, if they are there.
const samples = "../../../shared/data/bnsh"

// readSample returns a sample file; it skips the test where there are none.
func readSample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(samples, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no sample files at %s", samples)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readJSON(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(readSample(t, name), v); err != nil {
		t.Fatal(err)
	}
}

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
	readJSON(t, "manifest.json", &m)
	if len(m) == 0 {
		t.Fatal("the manifest is empty")
	}
	return m
}

// rules returns the rules of findings as the manifest writes them, each once,
// sorted.
func rules(findings []diag.Finding) []string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule+"/"+f.Severity.Letter())
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func TestSamples(t *testing.T) {
	for name, want := range manifest(t) {
		t.Run(strings.TrimSuffix(name, ".bnsh"), func(t *testing.T) {
			b := readSample(t, name)
			findings := bnsh.Check(b)
			if got := rules(findings); !slices.Equal(got, want.Findings) {
				t.Errorf("findings: got %v, want %v", got, want.Findings)
			}
			f, err := bnsh.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			want.compare(t, f)
			mustWrite(t, f, b)
			canonical, err := f.Canonical().AppendBinary(nil)
			if err != nil {
				t.Fatalf("canonical: %v", err)
			}
			if got := bytes.Equal(canonical, b); got != want.Canonical {
				t.Errorf("canonical: got %v, want %v", got, want.Canonical)
			}
			mustPartition(t, f, b)
		})
	}
}

// mustWrite demands that a file is written as the given bytes.
func mustWrite(t testing.TB, f *bnsh.File, want []byte) {
	t.Helper()
	got, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	mustEqual(t, got, want)
}

func mustEqual(t testing.TB, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	row := at &^ 15
	t.Fatalf("%d bytes, want %d; first difference at %#x:\ngot\n%s\nwant\n%s", len(got), len(want), at,
		hex.Dump(got[min(row, len(got)):min(row+48, len(got))]), hex.Dump(want[min(row, len(want)):min(row+48, len(want))]))
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

// mustPartition demands that the regions cover every byte once, in order.
func mustPartition(t testing.TB, f *bnsh.File, b []byte) {
	t.Helper()
	at := 0
	for _, r := range f.Regions() {
		if r.Off != at || r.Len <= 0 {
			t.Fatalf("region %q at %#x, length %d; want it at %#x", r.Path, r.Off, r.Len, at)
		}
		if r.Path == "" {
			t.Fatalf("region at %#x has no owner", r.Off)
		}
		at += r.Len
	}
	if at != len(b) {
		t.Fatalf("regions end at %#x, want %#x", at, len(b))
	}
}

// mutation is a corruption of a sample.
type mutation struct {
	ID    string
	Base  string
	Patch []struct {
		At       *int
		Hex      string
		Truncate *int
		Append   string
	}
	MustReport []string `json:"must_report"`
	MayReport  []string `json:"may_report"`
	Reject     bool
}

func (m *mutation) apply(t *testing.T, b []byte) []byte {
	t.Helper()
	for _, p := range m.Patch {
		switch {
		case p.At != nil:
			copy(b[*p.At:], decodeHex(t, p.Hex))
		case p.Truncate != nil:
			b = b[:*p.Truncate]
		default:
			b = append(b, decodeHex(t, p.Append)...)
		}
	}
	return b
}

func decodeHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestMutations corrupts the samples in one place each: the rule in question is
// reported, and nothing else that the manifest does not name.
func TestMutations(t *testing.T) {
	var mutations []mutation
	readJSON(t, "mutations.json", &mutations)
	for _, m := range mutations {
		t.Run(m.ID, func(t *testing.T) {
			b := m.apply(t, readSample(t, m.Base))
			got := rules(bnsh.Check(b))
			for _, want := range m.MustReport {
				if !slices.Contains(got, want) {
					t.Errorf("%s is not reported; got %v", want, got)
				}
			}
			for _, rule := range got {
				if !slices.Contains(m.MustReport, rule) && !slices.Contains(m.MayReport, rule) {
					t.Errorf("%s is reported; want %v and perhaps %v", rule, m.MustReport, m.MayReport)
				}
			}
			mustAgree(t, b, m.Reject)
		})
	}
}

// mustAgree demands that Parse refuses a file exactly when told, with the first
// error of Check, and that an accepted file is written back.
func mustAgree(t testing.TB, b []byte, reject bool) {
	t.Helper()
	f, err := bnsh.Parse(b)
	first := diag.FirstError(bnsh.Check(b))
	if (err != nil) != (first != nil) || (err != nil) != reject {
		t.Fatalf("Parse: %v; first error of Check: %v; to be refused: %v", err, first, reject)
	}
	if err == nil {
		mustWrite(t, f, b)
		mustPartition(t, f, b)
		return
	}
	var parse *diag.ParseError
	if !errors.As(err, &parse) || parse.Finding.String() != first.String() {
		t.Fatalf("Parse: %v; first error of Check: %v", err, first)
	}
	if f != nil {
		t.Fatal("a refused file is not nil")
	}
}
