package gsh_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// shader returns a shader of a type in block mode with n bytes of code.
func shader(t gx2.Type, n int) gsh.Shader {
	s := gx2.Shader{Type: t, Mode: gx2.ModeBlock,
		Code: bytes.Repeat([]byte{byte(t), 0, 0x80, 7, 0, 0x22, 3, 0}, n/8)}
	if t == gx2.Geometry {
		s.Mode, s.CopyCode = gx2.ModeGeometry, bytes.Repeat([]byte{0xC0}, 24)
	}
	s.FitRegisters()
	return gsh.Shader{Shader: s}
}

// large is a file with pairs of shaders as games have them: matrices, attributes,
// samplers, code of two hundred instructions.
func large(pairs int) *gsh.File {
	vertex, pixel := shader(gx2.Vertex, 1600), shader(gx2.Pixel, 1200)
	for i := range uint32(3) {
		vertex.Blocks = append(vertex.Blocks, gx2.UniformBlock{Name: wire.Text(fmt.Sprintf("MdlMtx%d", i)),
			Location: i, Size: 128})
	}
	for i := range uint32(8) {
		vertex.Uniforms = append(vertex.Uniforms, gx2.UniformVar{Name: wire.Text(fmt.Sprintf("uMaterial%d", i)),
			Type: 11, Count: 1, Offset: 4 * i, Block: int32(i % 3)})
		pixel.Samplers = append(pixel.Samplers, gx2.SamplerVar{Name: wire.Text(fmt.Sprintf("cTexture%d", i)),
			Type: gx2.Sampler2D, Location: i})
	}
	for i := range uint32(6) {
		vertex.Attributes = append(vertex.Attributes,
			gx2.AttribVar{Name: wire.Text(fmt.Sprintf("aTexCoord%d", i)), Type: 9, Location: i})
	}
	vertex.FitRegisters()
	f := &gsh.File{Align: 1}
	for range pairs {
		f.Shaders = append(f.Shaders, vertex, pixel)
	}
	return f
}

// files are what the benchmarks read and write: one pair of shaders, as all known
// files have, and a megabyte of them.
var files = sync.OnceValue(func() map[string][]byte {
	list := map[string][]byte{}
	for name, pairs := range map[string]int{"gsh": 1, "gsh/large": 200} {
		b, err := large(pairs).AppendBinary(nil)
		if err != nil {
			panic(err)
		}
		list[name] = b
	}
	return list
})

func benchmark(b *testing.B, run func(b *testing.B, data []byte)) {
	for name, data := range files() {
		b.Run(name, func(b *testing.B) { run(b, data) })
	}
}

func BenchmarkParse(b *testing.B) { benchmark(b, format.BenchmarkParse) }
func BenchmarkCheck(b *testing.B) { benchmark(b, format.BenchmarkCheck) }
func BenchmarkWrite(b *testing.B) { benchmark(b, format.BenchmarkWrite) }
