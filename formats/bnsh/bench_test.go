package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
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

var benchmarks = []struct {
	name string
	make func(n int) *bnsh.File
	size int
}{
	{"bnsh", ordinary, 64 << 20},
	{"bnsh/1MB", ordinary, 1 << 20},
	{"bnsh/named", named, 16 << 20},
}

func benchmark(b *testing.B, run func(b *testing.B, file []byte)) {
	for _, x := range benchmarks {
		b.Run(x.name, func(b *testing.B) {
			file := build(b, x.make(x.size))
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			run(b, file)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			if _, err := bnsh.Parse(file); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			bnsh.Check(file)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		f, err := bnsh.Parse(file)
		if err != nil {
			b.Fatal(err)
		}
		buffer := make([]byte, 0, len(file))
		for b.Loop() {
			if _, err := f.AppendBinary(buffer); err != nil {
				b.Fatal(err)
			}
		}
	})
}
