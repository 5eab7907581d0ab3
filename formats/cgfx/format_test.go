package cgfx_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// format is the format as the common tests see it.
var format = formattest.Format[*cgfx.File]{
	Name:         "cgfx",
	Rules:        slices.Concat(cgfx.Rules, shbin.Rules),
	Parse:        func(b []byte) (*cgfx.File, error) { return cgfx.Parse(b) },
	Check:        func(b []byte) []diag.Finding { return cgfx.Check(b) },
	Outline:      func(b []byte) diag.Outline { return cgfx.Outline(b) },
	NotCanonical: func(f *cgfx.File) bool { return !f.HasCanonical() },
}

// dvlb is a DVLB with vertex shaders, and a geometry shader behind them if
// asked for. It breaks no rule.
func dvlb(t testing.TB, vertex int, geometry bool) []byte {
	t.Helper()
	entry := shbin.DVLE{End: 2, OutputMask: 1,
		Tables: shbin.Tables{Outputs: []shbin.Output{{Semantic: shbin.Position, Mask: 15}}}}
	f := &shbin.File{
		DVLP:  shbin.DVLP{Code: []uint32{0x4C000000, 0x88000000}, Descriptors: []shbin.Descriptor{{Word: 0x36F}}},
		DVLEs: slices.Repeat([]shbin.DVLE{entry}, vertex),
	}
	if geometry {
		entry.Type = shbin.GeometryShader
		f.DVLEs = append(f.DVLEs, entry)
	}
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pair are two shaders: one with two programs, one with none.
func pair(t testing.TB) *cgfx.File {
	t.Helper()
	return &cgfx.File{Objects: []cgfx.Object{
		{
			Name: "DefaultShader",
			DVLB: dvlb(t, 2, true),
			Programs: []cgfx.Program{{Vertex: 0, Geometry: -1},
				{Flag: 1, Vertex: 1, Geometry: 2, Opaque: cgfx.Opaque{len(cgfx.Opaque{}) - 1: 9}}},
		},
		{Name: "Particle", DVLB: dvlb(t, 1, false)},
	}}
}

// Where things are in the bytes of pair.
const (
	data     = 0x14
	kinds    = data + 8
	shaders  = kinds + 4*8 // the pair of their kind
	dict     = 0x9C
	node0    = dict + 0x0C
	node1    = node0 + 0x10
	node2    = node1 + 0x10
	object0  = node2 + 0x10
	array    = object0 + 0x48
	program0 = array + 2*4
	program1 = program0 + 0x88
	dvlb0    = program1 + 0x88
)

var mustParse, mustAppend = format.MustParse, format.MustAppend
