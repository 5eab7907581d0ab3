package dvoj_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// every is all leniencies at once.
var every = []dvoj.Option{dvoj.AllowDVOB, dvoj.TypeFlags}

// TestAgreement mutates files at random: whatever the bytes are, Parse and
// Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	bases := [][]byte{
		mustAppend(t, workedModel()), mustAppend(t, cleanModel()),
		spread(1)(mustAppend(t, cleanModel())), cut(padding)(mustAppend(t, cleanModel())),
	}
	for name, options := range map[string][]dvoj.Option{"strict": nil, "lenient": every} {
		t.Run(name, func(t *testing.T) { format(options...).Random(t, bases, 60_000, 20) })
	}
}

// TestHostileCounts: counts and offsets that promise much cost little.
func TestHostileCounts(t *testing.T) {
	for name, b := range map[string][]byte{
		"all tables are all":       aliased(1<<16, 0),
		"all tables are all, ones": aliased(1<<16, 1),
		"counts wrap":              wrap(),
		"lines":                    manyLines(1 << 14),
		"names are suffixes":       suffixes(1 << 14),
		"large":                    mustAppend(t, large()),
	} {
		t.Run(name, func(t *testing.T) {
			format(every...).Bounds(t, b)
			format(every...).Agree(t, b)
		})
	}
}

// TestLinear: time grows with the size.
func TestLinear(t *testing.T) {
	for name, build := range map[string]func(n int) []byte{
		"aliased":  func(n int) []byte { return aliased(16*n, 0) },
		"lines":    manyLines,
		"suffixes": suffixes,
	} {
		t.Run(name, func(t *testing.T) { format(every...).Linear(t, build, 1000) })
	}
}

// aliased is a file of n bytes behind the header, all of which every table has.
func aliased(n int, fill byte) []byte {
	b := slices.Repeat([]byte{fill}, 0x58+n)
	copy(b, "DVOJ\x00\x00\x00\x00")
	for k, size := range []int{0x14, 0x10, 4, 8, 8, 12, 8, 8, 1} {
		binary.LittleEndian.PutUint32(b[0x10+8*k:], 0x58)
		binary.LittleEndian.PutUint32(b[0x14+8*k:], uint32(n/size))
	}
	return b
}

// wrap is a file whose counts times their sizes are small in 32 bits.
func wrap() []byte {
	b := aliased(256, 0)
	for k, count := range []uint32{0x40000000, 0x10000001, 0x40000001, 0x20000001, 0x20000001, 0x40000000, 0x20000001,
		0x20000001, 0xFFFFFFFF} {
		binary.LittleEndian.PutUint32(b[0x14+8*k:], count)
	}
	return b
}

// manyLines is a file with n lines, each of which names another symbol.
func manyLines(n int) []byte {
	f := cleanModel()
	f.Symbols = append(f.Symbols, make(wire.Hex, n)...)
	f.Lines = make([]shbin.Line, n)
	for i := range f.Lines {
		f.Lines[i].Name = uint32(40 + i)
	}
	return gen.Unchecked(f)
}

// suffixes is a file with n uniforms whose names all end where the symbols do.
func suffixes(n int) []byte {
	f := cleanModel()
	f.Symbols = append(f.Symbols, append(slices.Repeat([]byte("a"), n), 0)...)
	f.Uniforms = make([]shbin.Uniform, n)
	for i := range f.Uniforms {
		f.Uniforms[i] = shbin.Uniform{Name: uint32(41 + i), First: 0x10, Last: 0x10}
	}
	return gen.Unchecked(f)
}

// large is a sound file with much in every table.
func large() *dvoj.File {
	f := cleanModel()
	f.Type, f.InputMask = shbin.GeometryShader, 0
	f.Code = slices.Repeat([]uint32{mov, nop, nop, end}, 1024)
	f.Descriptors = slices.Repeat(f.Descriptors, 128)
	f.Lines = slices.Repeat(f.Lines[:1], len(f.Code))
	f.Relocations = nil
	for i := range 1024 {
		f.Relocations = append(f.Relocations, dvoj.Relocation{Word: uint32(4 * i)})
	}
	f.Symbols, f.Uniforms, f.Labels = wire.Hex("lib.vsh\x00"), nil, nil
	for i := range 1000 {
		name := uint32(len(f.Symbols))
		f.Symbols = append(f.Symbols, "name_"+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676))+
			"\x00"...)
		f.Uniforms = append(f.Uniforms, shbin.Uniform{Name: name, First: 0x10, Last: 0x13})
		f.Labels = append(f.Labels,
			shbin.Label{ID: uint16(i), Flags: 1, Word: uint32(i), Length: shbin.NoLength, Name: name})
	}
	return f
}

func BenchmarkParse(b *testing.B) { format().BenchmarkParse(b, gen.Unchecked(large())) }
func BenchmarkCheck(b *testing.B) { format().BenchmarkCheck(b, gen.Unchecked(large())) }
func BenchmarkWrite(b *testing.B) { format().BenchmarkWrite(b, gen.Unchecked(large())) }

// TestRefusedLayouts: a layout that cannot be is not written.
func TestRefusedLayouts(t *testing.T) {
	for name, edit := range map[string]func(l *dvoj.Layout){
		"table behind the end": func(l *dvoj.Layout) { l.Tables[0].Offset = size },
		"gap behind the end":   func(l *dvoj.Layout) { l.Gaps[0].Offset = size },
		"gap that wraps":       func(l *dvoj.Layout) { l.Gaps[0].Offset = 1<<64 - 1 },
		"file of nothing":      func(l *dvoj.Layout) { l.Size = 1 << 40 },
		"no header":            func(l *dvoj.Layout) { l.Size = 4 },
		"table in the header":  func(l *dvoj.Layout) { l.Tables[0].Offset = 0 },
	} {
		f := mustParse(t, mustAppend(t, cleanModel()))
		edit(f.Layout)
		if b, err := f.AppendBinary([]byte("before")); err == nil || string(b) != "before" {
			t.Errorf("%s: got %q, %v", name, b, err)
		}
		f.Regions() // of any model
	}
}

// TestEditedLength: a table of another length makes the layout void.
func TestEditedLength(t *testing.T) {
	f := mustParse(t, spread(1)(mustAppend(t, cleanModel())))
	f.Constants = f.Constants[:2]
	want := cleanModel()
	want.Constants = want.Constants[:2]
	if diff := cmp.Diff(mustAppend(t, want), mustAppend(t, f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRegions compares the owners of a file with a gap in a few places.
func TestRegions(t *testing.T) {
	got := make(map[string]diag.Region)
	for _, r := range mustParse(t, spread(1)(mustAppend(t, cleanModel()))).Regions() {
		got[r.Path] = r
	}
	for path, want := range map[string]diag.Region{
		"header.type":             {Off: 6, Len: 1, Value: "vertex"},
		"header.symbols.size":     {Off: 0x54, Len: 4, Value: "41"},
		"constants[2].register":   {Off: constants + 0x2A, Len: 1, Value: "c4"},
		"lines[1].name":           {Off: lines + 8, Len: 4, Value: "0x00000000"},
		"relocations[0].unknown1": {Off: relocations + 4, Len: 4, Value: "0x0"},
		"gap":                     {Off: symbols, Len: 4, Kind: diag.GapRegion},
		"symbols[8]":              {Off: symbols + 4 + 8, Len: 10, Value: `"transform"`},
		"padding":                 {Off: padding + 4, Len: 3, Kind: diag.PaddingRegion},
	} {
		want.Path = path
		if diff := cmp.Diff(want, got[path]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestShaders checks what engines are given.
func TestShaders(t *testing.T) {
	shaders := cleanModel().Shaders()
	if len(shaders) != 1 {
		t.Fatalf("got %d shaders, want 1", len(shaders))
	}
	s := shaders[0]
	if s.Name != "transform" || s.Entry != 0 || s.Stage != pica.Vertex || len(s.Code) != 3 || len(s.Descriptors) != 1 ||
		len(s.Floats) != 1 || len(s.Uniforms) != 1 || len(s.Inputs) != 1 {
		t.Errorf("got %+v", s)
	}
	geometry := cleanModel()
	geometry.Type, geometry.OutputMask = shbin.GeometryShader, 5
	if s := geometry.Shaders()[0]; s.Stage != pica.Geometry || s.OutMask != 5 {
		t.Errorf("got %+v", s)
	}
}
