package bnsh_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestVectors holds the vectors of every rule to what holds for any file.
func TestVectors(t *testing.T) {
	vectors, err := corpus.Vectors("bnsh")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) { format.Agree(t, v.Data) })
	}
}

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

// TestPlaces breaks the worked example in further ways than the vectors do. The
// first error is of the rule and at the field.
func TestPlaces(t *testing.T) {
	for _, x := range []struct {
		rule string
		path string
		at   int
		with []byte
	}{
		{"BNSH009", "header.container", 0x16, []byte{0x58}},
		{"BNSH009", "header.container", 0x16, []byte{0xF8, 0xFF}},
		{"BNSH010", "container.next", container + 4, []byte{0xA4}},
		{"BNSH010", "container.next", container + 4, []byte{0x58, 0}},
		{"BNSH010", "container.next", container + 4, []byte{0, 0, 0, 0x80}},
		{"BNSH010", "strings.next", strings0 + 4, []byte{1}},
		{"BNSH012", "container.size", container + 8, []byte{0xA8}},
		{"BNSH016", "header.alignment_shift", 0x0E, []byte{32}},
		{"BNSH020", "container.variations.pointer", container + 0x20, []byte{0xC4}},
		{"BNSH020", "container.variation_count", container + 0x1C, []byte{0xFF, 0xFF}},
		{"BNSH021", "variations[0].reserved", 0xE0, []byte{1}},
		{"BNSH022", "variations[0].binary.pointer", 0xD0, []byte{0x04}},
		{"BNSH023", "variations[0].binary.source_format", program + 2, []byte{2}},
		{"BNSH023", "variations[0].binary.reserved", program + 3, []byte{2}},
		{"BNSH027", "variations[0].binary.object_size", program + 0x60, []byte{0, 0, 0, 1}},
		{"BNSH027", "variations[0].binary.object.pointer", program + 0x68, []byte{0, 0x20}},
		{"BNSH030", "variations[0].binary.vertex.pointer", program + 8, []byte{0xA4}},
		{"BNSH030", "variations[0].binary.vertex.reserved", codeRecord + 0x30, []byte{1}},
		{"BNSH031", "variations[0].binary.vertex.control.pointer", codeRecord + 8, []byte{0, 0}},
		{"BNSH032", "variations[0].binary.vertex.code.pointer", codeRecord + 0x10, []byte{0, 0x0F}},
		{"BNSH032", "variations[0].binary.vertex.code_size", codeRecord + 0x18, []byte{0, 0}},
		{"BNSH040", "container.pool.pointer", container + 0x28, []byte{0xD4}},
		{"BNSH040", "pool.size", pool + 4, []byte{1}},
		{"BNSH040", "pool.memory.pointer", pool + 8, []byte{1}},
		{"BNSH040", "pool.current_pool", pool + 0x30, []byte{1}},
		{"BNSH041", "pool.object.pointer", pool + 0x20, []byte{0x24}},
		{"BNSH050", "variations[0].binary.reflection.pointer", program + 0x78, []byte{0xE4}},
		{"BNSH050", "variations[0].binary.reflection.vertex.pointer", 0x1E0, []byte{0x34}},
		{"BNSH050", "variations[0].binary.reflection.vertex.extension.pointer", reflected0 + 0x58, []byte{1}},
		{"BNSH051", "variations[0].binary.reflection.vertex.slots.pointer", reflected0 + 0x38, []byte{0xCA}},
		{"BNSH053", "variations[0].binary.reflection.vertex.inputs.pointer", reflected0, []byte{0x94}},
		{"BNSH053", "variations[0].binary.reflection.vertex.inputs.signature", dictionary, []byte{'x'}},
		{"BNSH054", "variations[0].binary.reflection.vertex.inputs[0].left", dictionary + 12, []byte{3}},
		{"BNSH055", "variations[0].binary.reflection.vertex.inputs[1].right", dictionary + 8 + 16 + 6, []byte{3}},
		{"BNSH060", "strings.size", strings0 + 8, []byte{0x38}},
		{"BNSH060", "strings[0].padding", strings0 + 0x17, []byte{1}},
		{"BNSH060", "strings[3].length", strings0 + 0x26, []byte{9}},
		{"BNSH061", "strings.padding", strings0 + 0x2F, []byte{1}},
		{"BNSH061", "strings.padding", strings0 + 0x10, []byte{2}},
		{"BNSH060", "strings[4].length", strings0 + 0x10, []byte{4}},
		{"BNSH070", "header.relocation_table", 0x18, []byte{0x31}},
		{"BNSH070", "header.relocation_table", 0x18, []byte{0, 0x20}},
		{"BNSH070", "relocation_table.offset", table + 4, []byte{0}},
		{"BNSH071", "relocation_table.sections[1].first", table + 0x10 + 0x18 + 0x10, []byte{7}},
		{"BNSH071", "relocation_table.sections[5].count", table + 0x10 + 5*0x18 + 0x14, []byte{2}},
		{"BNSH072", "relocation_table.sections[5].position", table + 0x10 + 5*0x18 + 8, []byte{8}},
		{"BNSH072", "relocation_table.sections[2].pointer", table + 0x10 + 2*0x18, []byte{8}},
		{"BNSH073", "relocation_table.sections[0].entries[1].structs", table + 0x10 + 6*0x18 + 8 + 4, []byte{0}},
		{"BNSH073", "relocation_table.sections[0].entries[1].pointers", table + 0x10 + 6*0x18 + 8 + 6, []byte{0}},
		{"BNSH073", "relocation_table.sections[0].entries[1]", table + 0x10 + 6*0x18 + 8, []byte{0x80, 0}},
		{"BNSH073", "variations[0].binary.reflection.pointer", table + 0x10 + 6*0x18 + 16 + 6, []byte{1}},
	} {
		t.Run(x.rule+"/"+x.path, func(t *testing.T) {
			b := build(t, workedModel())
			copy(b[x.at:], x.with)
			format.Agree(t, b)
			first := diag.FirstError(bnsh.Check(b))
			if first == nil || first.Rule != x.rule || first.Path != x.path {
				t.Errorf("got %v, want %s at %s", first, x.rule, x.path)
			}
		})
	}
}

// TestWarnings breaks the clean file.
func TestWarnings(t *testing.T) {
	if findings := bnsh.Check(build(t, clean())); len(findings) > 0 {
		t.Errorf("the clean file has findings: %v", findings)
	}
	code := func(f *bnsh.File) *bnsh.Code { return f.Variations[0].Binary.Stages[bnsh.Vertex] }
	for _, x := range []struct {
		rule, path string
		change     func(f *bnsh.File)
	}{
		{"BNSH015", "header.version", func(f *bnsh.File) { f.Version.Micro = 3 }},
		{"BNSH019", "container.target_code_type", func(f *bnsh.File) { f.TargetCodeType = 1 }},
		{"BNSH097", "variations[0].binary.vertex.code.word_0x0", func(f *bnsh.File) { code(f).Code[0] = 1 }},
		{"BNSH097", "variations[0].binary.vertex.code.word_0x0", func(f *bnsh.File) {
			code(f).Code = code(f).Code[:3]
			le.PutUint32(code(f).Control[0x704:], 3)
		}},
		{"BNSH090", "variations[0].binary.vertex.control", func(f *bnsh.File) { code(f).Control = code(f).Control[:0x87F] }},
		{"BNSH093", "variations[0].binary.vertex.control.word_0x700", func(f *bnsh.File) { le.PutUint32(code(f).Control[0x700:], 0x101) }},
		{"BNSH095", "variations[0].binary.vertex.control.word_0x710", func(f *bnsh.File) { code(f).ScratchPerWarp = 8 }},
	} {
		t.Run(x.rule, func(t *testing.T) {
			f := clean()
			x.change(f)
			b := build(t, f)
			format.Agree(t, b)
			findings := bnsh.Check(b)
			if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == x.rule && f.Path == x.path }) {
				t.Errorf("got %v, want %s at %s", findings, x.rule, x.path)
			}
		})
	}
}

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
	f.Layout.Sections[0].Entries = append(f.Layout.Sections[0].Entries, bnsh.RelocationEntry{Position: 0x88, Structs: 1, Pointers: 1})
	findings := bnsh.Check(build(t, f))
	i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == "BNSH074" })
	if i < 0 || findings[i].Path != "relocation_table.sections[0].count" || findings[i].Expected != "3" || findings[i].Found != "4" {
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
	return written(f)
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
		if r.Len == 8 && r.Value != "null" && !strings.HasPrefix(r.Path, "relocation") && (strings.HasSuffix(r.Path, ".pointer") || strings.HasSuffix(r.Path, ".key") || strings.Contains(r.Path, ".text_pointers[")) {
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
			b := written(g)
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
	outputs := reflected(sourceFile(1), func(int) bnsh.Tables { return bnsh.Tables{bnsh.Outputs: {Keys: []bnsh.Text{"a", "b"}}} })
	inputs := reflectedSource([]bnsh.Text{"a", "b"})
	record := func(f *bnsh.File) *bnsh.ProgramLayout { return &arranged(f).Layout.Programs[0] }
	for _, x := range []struct {
		rule, path, expected, found string
		file                        *bnsh.File
		at                          uint32
		with                        []byte
	}{
		{"BNSH036", "variations[0].source.vertex.count", "<= 11", "65535", texts, record(texts).Stages[bnsh.Vertex].Record, []byte{0xFF, 0xFF}},
		{"BNSH051", "variations[0].source.reflection.vertex.outputs.first", "<= 0", "2147483647", outputs, record(outputs).Reflections[bnsh.Vertex].Record + 0x28, []byte{0xFF, 0xFF, 0xFF, 0x7F}},
		{"BNSH051", "variations[0].source.reflection.vertex.slots.pointer", "room for 2 slots", "room for 1", inputs, record(inputs).Reflections[bnsh.Vertex].Record + 0x38, le.AppendUint32(nil, arranged(inputs).Layout.Strings-4)},
		{"BNSH022", "variations[0].source.pointer", fmt.Sprintf("<= %#x", arranged(texts).Layout.Strings-0xA0), fmt.Sprintf("%#x", arranged(texts).Layout.Strings-0x98), texts, arranged(texts).Layout.Variations, le.AppendUint32(nil, arranged(texts).Layout.Strings-0x98)},
	} {
		b := build(t, x.file)
		copy(b[x.at:], x.with)
		format.Agree(t, b)
		first := diag.FirstError(bnsh.Check(b))
		if first == nil || first.Rule != x.rule || first.Path != x.path || first.Expected != x.expected || first.Found != x.found {
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
	if first == nil || first.Rule != "BNSH013" || first.Off != int(l.Dictionaries[bnsh.Inputs].Offset) || first.Path != "variations[0].source.reflection.vertex.outputs" {
		t.Errorf("got %v, want BNSH013 at the outputs", first)
	}
}
