package shbin_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// hostile are files made to cost a reader more than their size, at a given
// scale.
var hostile = formattest.Hostile{
	"zeros": func(n int) []byte { return append([]byte("DVLB\x01\x00\x00\x00"), make([]byte, n)...) },
	"equal offsets": func(n int) []byte {
		b := make([]byte, n)
		copy(b, "DVLB")
		put32(b, 4, uint32(n/8))
		for at := 8; at < 8+n/8*4; at += 4 {
			put32(b, at, 0x40)
		}
		return b
	},
	"counts beyond the file": func(n int) []byte {
		b := buildFile(workedModel())
		put32(b, 0x18, 0xFFFFFFFF)
		put32(b, 0x20, 0x1FFFFFFF)
		put32(b, 0x28, 0x7FFFFFFF)
		return append(b, make([]byte, n)...)
	},
	"bare DVLEs": func(n int) []byte {
		f := workedModel()
		f.DVLEs = slices.Repeat([]shbin.DVLE{{Version: 0x0C02, End: 1}}, n/dvleSize)
		return buildFile(f)
	},
	"DVLEs that break header rules": func(n int) []byte {
		f := workedModel()
		bad := shbin.DVLE{Version: 1, Merge: 2, Entry: 9, End: 9, InputMask: 1, OutputMask: 1,
			Geometry: shbin.Geometry{First: 1}}
		f.DVLEs = slices.Repeat([]shbin.DVLE{bad}, n/dvleSize)
		return buildFile(f)
	},
	"DVLEs with small tables and gaps": func(n int) []byte {
		f := workedModel()
		f.DVLEs = slices.Repeat(f.DVLEs, n/260)
		place(f)
		b := buildFile(f)
		for i := range f.Layout.DVLEs {
			at := int(f.Layout.DVLEs[i].Offset)
			put32(b, at+0x1C, 2)
			put32(b, at+0x24, 1)
			put32(b, at+0x34, 1)
		}
		return b
	},
	"tables shared up to the limit": func(n int) []byte {
		return buildFile(sharing(7, n))
	},
	"tables shared beyond the limit": func(n int) []byte {
		return buildFile(sharing(n/2/dvleSize, n))
	},
	"an error and tables shared beyond the limit": func(n int) []byte {
		f := sharing(n/2/dvleSize, n)
		f.DVLEs[0].Entry = 9
		return buildFile(f)
	},
	"an error and overlapping tables": func(n int) []byte {
		f := workedModel()
		f.DVLEs = slices.Repeat([]shbin.DVLE{{Version: 0x0C02}}, n/2/dvleSize)
		place(f)
		f.DVLEs[0].Entry = 9
		b := append(buildFile(f), make([]byte, n/2)...)
		for i := range f.Layout.DVLEs {
			at := int(f.Layout.DVLEs[i].Offset)
			put32(b, at+0x30, uint32(len(b)-n/2-at+8*i))
			put32(b, at+0x34, uint32(n/16-i))
		}
		return b
	},
	"suffixes of one name":        func(n int) []byte { return buildFile(suffixes(n/9, 1)) },
	"suffixes of two equal names": func(n int) []byte { return buildFile(suffixes(n/9, 2)) },
	"one name for all": func(n int) []byte {
		f := suffixes(n/9, 1)
		for i := range f.DVLEs[0].Uniforms {
			f.DVLEs[0].Uniforms[i].Name = 0
		}
		return buildFile(f)
	},
	"labels on one name": func(n int) []byte {
		f := workedModel()
		e := &f.DVLEs[0]
		e.Labels = make([]shbin.Label, n/16)
		e.Symbols = append(bytes.Repeat([]byte("a"), n/16), 0)
		return buildFile(f)
	},
	"lines on one name": func(n int) []byte {
		f := workedModel()
		f.DVLP.Lines = make([]shbin.Line, n/9)
		f.DVLP.FileNames = append(bytes.Repeat([]byte("a"), n/9), 0)
		return buildFile(f)
	},
	"symbols of NULs": func(n int) []byte {
		f := workedModel()
		f.DVLEs[0].Symbols = make(wire.Hex, n)
		return buildFile(f)
	},
	"constants that break every rule": func(n int) []byte {
		f := workedModel()
		bad := []shbin.Constant{
			{Type: shbin.Bool, Reserved1: 1, Register: 200, Payload: shbin.Payload{2, 4: 1}},
			{Type: shbin.Float, Reserved3: 1, Register: 200, Payload: shbin.Payload{3: 1}},
		}
		f.DVLEs[0].Constants = slices.Repeat(bad, n/40)
		return buildFile(f)
	},
	"outputs that break every rule": func(n int) []byte {
		f := workedModel()
		f.DVLEs[0].Outputs = make([]shbin.Output, n/8)
		for i := range f.DVLEs[0].Outputs {
			f.DVLEs[0].Outputs[i] = shbin.Output{Semantic: shbin.Semantic(i), Register: 7, Mask: 0xFFFF, Unknown: 1}
		}
		return buildFile(f)
	},
	"uniforms that break every rule": func(n int) []byte {
		f := workedModel()
		f.DVLEs[0].Uniforms = make([]shbin.Uniform, n/8)
		for i := range f.DVLEs[0].Uniforms {
			u := shbin.Uniform{Name: 4, First: 0, Last: 15}
			if i%2 == 1 {
				u = shbin.Uniform{Name: 0xFFFF, First: shbin.Register(0x88 - i%3), Last: 0}
			}
			f.DVLEs[0].Uniforms[i] = u
		}
		return buildFile(f)
	},
}

const dvleSize = 0x44 // header and offset

// sharing has n DVLEs with the same tables of size bytes.
func sharing(n, size int) *shbin.File {
	f := workedModel()
	e := &f.DVLEs[0]
	e.Uniforms = slices.Repeat(e.Uniforms, size/32)
	e.Symbols = append(e.Symbols, make(wire.Hex, size/2)...)
	f.DVLEs = slices.Repeat(f.DVLEs, n)
	shareTables(f)
	return f
}

// suffixes has n uniforms, each named by another suffix of the given number of
// equal long names.
func suffixes(n, names int) *shbin.File {
	f := workedModel()
	e := &f.DVLEs[0]
	e.Labels = nil
	e.Symbols = bytes.Repeat(append(bytes.Repeat([]byte("a"), n/names), 0), names)
	e.Uniforms = make([]shbin.Uniform, n)
	for i := range e.Uniforms {
		e.Uniforms[i] = shbin.Uniform{Name: uint32(i), First: 0x10, Last: 0x10}
	}
	return f
}

// TestMemory bounds what Parse and Check allocate.
func TestMemory(t *testing.T) { format().Memory(t, hostile, 400_000) }

// TestTimeIsLinear compares the time for a file with that for a larger one.
func TestTimeIsLinear(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) { format().Linear(t, make, 32_000) })
	}
}
