package shbin_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/shbin"
)

// largest is as large as a real file gets: a full program and eight shaders with
// all their registers set and named.
func largest() []byte {
	f := cleanModel()
	p := &f.Program
	p.Code = slices.Repeat([]uint32{mov, nop, 0x20000000 | 2<<26, end}, 1024)
	p.Descriptors = slices.Repeat(p.Descriptors, 128)
	p.Lines, p.FileNames = nil, nil
	e := shbin.DVLE{Version: 0x0C02, Type: shbin.GeometryShader, End: 4096, OutputMask: 0x7F}
	name := func(format string, args ...any) uint32 {
		off := uint32(len(e.Symbols))
		e.Symbols = append(fmt.Appendf(e.Symbols, format, args...), 0)
		return off
	}
	for i := range uint16(40) {
		e.Labels = append(e.Labels, shbin.Label{ID: i, Flags: 1, Word: uint32(100 * i), Length: 100, Name: name("procedure%d", i)})
	}
	for i := range uint8(96) {
		e.Constants = append(e.Constants, shbin.FloatConstant(i, 0x3F0000, 0, 0xBE0000, 0))
	}
	for i := range uint16(7) {
		e.Outputs = append(e.Outputs, shbin.Output{Semantic: []shbin.Semantic{0, 1, 2, 3, 5, 6, 8}[i], Register: i, Mask: 0xF})
	}
	for i := range shbin.Register(48) {
		e.Uniforms = append(e.Uniforms, shbin.Uniform{Name: name("uniform%d.matrix", i), First: 0x10 + 2*i, Last: 0x11 + 2*i})
	}
	f.Entries = slices.Repeat([]shbin.DVLE{e}, 8)
	b, err := f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// benchmarkFiles are what the benchmarks run on: the format's name stands for
// the largest file.
func benchmarkFiles(b *testing.B) map[string][]byte {
	return map[string][]byte{
		"shbin":          largest(),
		"shbin/gsh_700":  readData(b, "picasso/p18_gsh_700.shbin"),
		"shbin/uniforms": readData(b, "picasso/p04_uniforms.shbin"),
	}
}

func benchmark(b *testing.B, run func(b *testing.B, file []byte)) {
	files := benchmarkFiles(b)
	for _, name := range []string{"shbin", "shbin/gsh_700", "shbin/uniforms"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(files[name])))
			b.ReportAllocs()
			run(b, files[name])
		})
	}
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			if _, err := shbin.Parse(file); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			shbin.Check(file)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		f, err := shbin.Parse(file)
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

func BenchmarkRegions(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		f, err := shbin.Parse(file)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			f.Regions()
		}
	})
}
