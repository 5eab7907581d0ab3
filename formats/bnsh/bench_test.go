package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// ordinary is like the files of a game, of about n bytes: vertex and pixel code,
// controls of the usual size, some code shared.
func ordinary(n int) *bnsh.File {
	f := &bnsh.File{Header: header("env/ordinary.bnsh"), PoolProperty: poolProperty()}
	for i := range n / 0x4000 {
		p := &bnsh.Program{Flags: bnsh.ResShader, ObjectSize: 0x100}
		p.Stages[bnsh.Vertex] = binaryCode(i, 0x880, 0x1000)
		p.Stages[bnsh.Pixel] = binaryCode(-i, 0x880, 0x1800)
		f.Variations = append(f.Variations, bnsh.Variation{Binary: p})
	}
	return f
}

// named is a file of about n bytes that is dictionaries for the most part.
func named(n int) *bnsh.File {
	f := &bnsh.File{Header: header("named"), PoolProperty: poolProperty()}
	inputs, samplers, buffers := keyList("a", 12), keyList("s", 16), keyList("c", 100)
	for i := range n / 0xE00 {
		p := &bnsh.Program{Flags: bnsh.ResShader, ObjectSize: 0x100}
		p.Stages[bnsh.Vertex] = binaryCode(i%8, 0x40, 0x100)
		p.Reflection = &bnsh.PerStage[bnsh.StageReflection]{bnsh.Vertex: reflection(bnsh.Tables{
			bnsh.Inputs: {Keys: inputs}, bnsh.Samplers: {Keys: samplers}, bnsh.ConstantBuffers: {Keys: buffers},
		})}
		f.Variations = append(f.Variations, bnsh.Variation{Binary: p})
	}
	return f
}

// The files that are measured: what the format is judged by, and one of names.
const (
	ordinarySize = 64 << 20
	namedSize    = 16 << 20
)

// benchmark runs on both; the one of names is called so.
func benchmark(b *testing.B, run func(x formattest.Format[*bnsh.File], b *testing.B, data []byte)) {
	run(format, b, build(b, ordinary(ordinarySize)))
	names := format
	names.Name += "_named"
	run(names, b, build(b, named(namedSize)))
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, formattest.Format[*bnsh.File].BenchmarkParse)
}

func BenchmarkCheck(b *testing.B) {
	benchmark(b, formattest.Format[*bnsh.File].BenchmarkCheck)
}

func BenchmarkWrite(b *testing.B) {
	benchmark(b, formattest.Format[*bnsh.File].BenchmarkWrite)
}
