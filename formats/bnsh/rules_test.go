package bnsh_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
)

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format.Faults(t, bnshgen.Format) }

// Where records of workedModel are.
const (
	container  = 0x60
	program    = 0x100
	codeRecord = 0x1A0
	reflected0 = 0x230
	dictionary = 0x290
	pool       = 0x2D0
	strings0   = 0x2000
	table      = 0x2030
)

// Where fields of records are.
const (
	headerName    = 0x10
	containerPool = 0x28
	packedCode    = 0x08
	poolMemory    = 0x08
)

// TestStringsThatFillTheBlock: there is no room for the length of another.
func TestStringsThatFillTheBlock(t *testing.T) {
	f := workedModel()
	f.Name = "exab"
	b := build(t, f)
	b[strings0+0x10]++
	first := diag.FirstError(bnsh.Check(b))
	if first == nil || first.Rule != "BNSH061" || first.Path != "strings.count" {
		t.Errorf("got %v, want BNSH061", first)
	}
}

// TestEntriesSaidDifferently: other relocation entries are named where they
// begin to differ.
func TestEntriesSaidDifferently(t *testing.T) {
	f := arranged(sourceFile(1))
	f.Layout.Sections[0].Entries = append(f.Layout.Sections[0].Entries,
		bnsh.RelocationEntry{Position: 0x88, Structs: 1, Pointers: 1})
	findings := bnsh.Check(build(t, f))
	i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == "BNSH074" })
	if i < 0 || findings[i].Path != "relocation_table.sections[0].count" || findings[i].Expected != "3" ||
		findings[i].Found != "4" {
		t.Errorf("got %v", findings)
	}
}

// TestWalksAreCapped: a search that takes more steps than any can in a tree of
// that many names is given up.
func TestWalksAreCapped(t *testing.T) {
	b := chain(1000)
	first := diag.FirstError(bnsh.Check(b))
	if first == nil || first.Rule != "BNSH056" {
		t.Errorf("got %v, want BNSH056", first)
	}
}

// chain has a dictionary of n items that a search passes one after the other.
func chain(n int) []byte {
	f := arranged(reflectedSource(keyList("k", n)))
	nodes := f.Layout.Programs[0].Reflections[bnsh.Vertex].Dictionaries[bnsh.Inputs].Nodes
	nodes[0].Left = 1
	for i := 1; i < len(nodes); i++ {
		nodes[i].Bit = int32(4096 + i)
		nodes[i].Left, nodes[i].Right = uint16((i+1)%len(nodes)), 0
	}
	return gen.Unchecked(f)
}

func reflectedSource(keys []bnsh.Text) *bnsh.File { return reflected(sourceFile(1), oneTable(keys...)) }

// TestUncoveredPointers: a pointer that no entry covers is named, whatever it is
// in.
func TestUncoveredPointers(t *testing.T) {
	f := reflectedSource([]bnsh.Text{"a"})
	f.Variations[0].Source.CodeType = bnsh.SourceArrayCode
	f.Variations[0].Source.Stages[bnsh.Vertex] = &bnsh.Code{Texts: []wire.Hex{wire.Hex("x"), wire.Hex("y")}}
	f.Variations[0].Source.ObjectSize = 8
	want := map[string]bool{}
	for _, r := range mustParse(t, build(t, f)).Regions() {
		if r.Len == 8 && r.Value != "null" && !strings.HasPrefix(r.Path, "relocation") &&
			(strings.HasSuffix(r.Path, ".pointer") || strings.HasSuffix(r.Path, ".key") ||
				strings.Contains(r.Path, ".text_pointers[")) {
			want[r.Path] = true
		}
	}
	sections := arranged(f).Layout.Sections
	for i := range sections {
		for _, p := range expand(sections[i].Entries) {
			g := arranged(f)
			var rest []bnsh.RelocationEntry
			for _, q := range expand(sections[i].Entries) {
				if p != q {
					rest = append(rest, bnsh.RelocationEntry{Position: q, Structs: 1, Pointers: 1})
				}
			}
			g.Layout.Sections[i].Entries = rest
			b := gen.Unchecked(g)
			format.Agree(t, b)
			first := diag.FirstError(bnsh.Check(b))
			if first == nil || first.Rule != "BNSH073" || first.Off != int(p) || !want[first.Path] {
				t.Errorf("got %v, want BNSH073 at %#x", first, p)
				continue
			}
			delete(want, first.Path)
		}
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", want)
	}
}

// TestLargeAreas: a byte that is not zero is found wherever it is.
func TestLargeAreas(t *testing.T) {
	const size = 20_000
	f := sourceFile(1)
	f.Variations[0].Source.ObjectSize = size
	object := int(mustParse(t, build(t, f)).Layout.Programs[0].Object)
	for _, at := range []int{0, 1, 4095, 4096, 8191, 12_345, size - 1} {
		b := build(t, f)
		b[object+at] = 1
		format.Agree(t, b)
		if first := diag.FirstError(bnsh.Check(b)); first == nil || first.Rule != "BNSH027" || first.Off != object+at {
			t.Errorf("got %v, want BNSH027 at %#x", first, object+at)
		}
	}
}

// TestShortTable: the relocation table ends before its sections do.
func TestShortTable(t *testing.T) {
	b := build(t, workedModel())[:table+0x10+6*0x18-8]
	le.PutUint32(b[0x1C:], uint32(len(b)))
	format.Agree(t, b)
	if first := diag.FirstError(bnsh.Check(b)); first == nil || first.Rule != "BNSH071" {
		t.Errorf("got %v, want BNSH071", first)
	}
}

// TestNoSlotsNeeded: a slot array without names is refused.
func TestNoSlotsNeeded(t *testing.T) {
	f := reflectedSource(nil)
	b := build(t, f)
	at := mustParse(t, b).Layout.Programs[0].Reflections[bnsh.Vertex].Record + 0x38
	b[at] = 0xC0
	format.Agree(t, b)
	if first := diag.FirstError(bnsh.Check(b)); first == nil || first.Rule != "BNSH051" || first.Off != int(at) {
		t.Errorf("got %v, want BNSH051 at %#x", first, at)
	}
}

// TestLengthsThatDoNotFit: what is reported is the number that is too large, with
// the largest that would do.
func TestLengthsThatDoNotFit(t *testing.T) {
	texts := sourceFile(1)
	texts.Variations[0].Source.CodeType = bnsh.SourceArrayCode
	texts.Variations[0].Source.Stages[bnsh.Vertex] = &bnsh.Code{Texts: []wire.Hex{make(wire.Hex, 72)}}
	outputs := reflected(sourceFile(1),
		func(int) bnsh.Tables { return bnsh.Tables{bnsh.Outputs: {Keys: []bnsh.Text{"a", "b"}}} })
	inputs := reflectedSource([]bnsh.Text{"a", "b"})
	record := func(f *bnsh.File) *bnsh.ProgramLayout { return &arranged(f).Layout.Programs[0] }
	for _, x := range []struct {
		rule, path, expected, found string
		file                        *bnsh.File
		at                          uint32
		with                        []byte
	}{
		{"BNSH036", "variations[0].source.vertex.count", "<= 11", "65535", texts,
			record(texts).Stages[bnsh.Vertex].Record, []byte{0xFF, 0xFF}},
		{"BNSH051", "variations[0].source.reflection.vertex.outputs.first", "<= 0", "2147483647", outputs,
			record(outputs).Reflections[bnsh.Vertex].Record + 0x28, []byte{0xFF, 0xFF, 0xFF, 0x7F}},
		{"BNSH051", "variations[0].source.reflection.vertex.slots.pointer", "room for 2 slots", "room for 1", inputs,
			record(inputs).Reflections[bnsh.Vertex].Record + 0x38,
			le.AppendUint32(nil, arranged(inputs).Layout.Strings-4)},
		{"BNSH022", "variations[0].source.pointer", fmt.Sprintf("<= %#x", arranged(texts).Layout.Strings-0xA0),
			fmt.Sprintf("%#x", arranged(texts).Layout.Strings-0x98), texts, arranged(texts).Layout.Variations,
			le.AppendUint32(nil, arranged(texts).Layout.Strings-0x98)},
	} {
		b := build(t, x.file)
		copy(b[x.at:], x.with)
		format.Agree(t, b)
		first := diag.FirstError(bnsh.Check(b))
		if first == nil || first.Rule != x.rule || first.Path != x.path || first.Expected != x.expected ||
			first.Found != x.found {
			t.Errorf("got %v, want %s at %s: expected %s, found %s", first, x.rule, x.path, x.expected, x.found)
		}
	}
}

// TestOverlapsInFullFiles: records that overlap are named even if reading stops
// because together they are larger than the file.
func TestOverlapsInFullFiles(t *testing.T) {
	f := reflected(sourceFile(2), oneTable("aPos", "aTex"))
	b := build(t, f)
	l := mustParse(t, b).Layout.Programs[0].Reflections[bnsh.Vertex]
	le.PutUint32(b[l.Record+8:], l.Dictionaries[bnsh.Inputs].Offset)
	le.PutUint32(b[l.Record+0x28:], 0)
	format.Agree(t, b)
	first := diag.FirstError(bnsh.Check(b))
	if first == nil || first.Rule != "BNSH013" || first.Off != int(l.Dictionaries[bnsh.Inputs].Offset) ||
		first.Path != "variations[0].source.reflection.vertex.outputs" {
		t.Errorf("got %v, want BNSH013 at the outputs", first)
	}
}

// TestBesideABrokenRecord: what a broken record leaves open is no reason to be silent
// about what is known all the same.
func TestBesideABrokenRecord(t *testing.T) {
	named := build(t, workedModel())
	name := le.Uint32(named[headerName:])
	named[table-1] = 1 // behind the last string
	le.PutUint32(named[headerName:], name+1)

	source := build(t, sourceFile(1))
	code := mustParse(t, source).Layout.Programs[0].Stages[bnsh.Vertex].Record
	le.PutUint64(source[code+packedCode:], 0)
	le.PutUint64(source[container+containerPool:], 0x100)

	unused := build(t, addStrings(arranged(workedModel()), "nobody's"))
	memory := mustParse(t, unused).Layout.Pool.Record + poolMemory
	le.PutUint64(unused[memory:], le.Uint64(unused[memory:])+8)

	for _, x := range []struct {
		b            []byte
		broken, rule string
		path         string
	}{
		{named, "BNSH061", "BNSH063", "header.name"},
		{source, "BNSH036", "BNSH040", "container.pool.pointer"},
		{unused, "BNSH040", "BNSH066", "strings[4]"},
	} {
		format.Agree(t, x.b)
		findings := bnsh.Check(x.b)
		i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == x.rule && f.Path == x.path })
		if i < 0 || !reported(findings, x.broken) {
			t.Errorf("got %v, want %s and, at %s, %s", findings, x.broken, x.path, x.rule)
		}
	}
}
