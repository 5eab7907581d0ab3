package sharcfb_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// large is an archive of about 64 MB with what archives of games hold: programs
// of 24 variations, material symbols, vertex shaders with matrices and
// attributes, code of a few hundred instructions.
var large = sync.OnceValue(func() []byte {
	vertex := shader(gx2.Vertex, 0x11)
	vertex.Code = bytes.Repeat([]byte{0x11, 0, 0x80, 7, 0, 0x22, 3, 0}, 200)
	for i := range uint32(3) {
		vertex.Blocks = append(vertex.Blocks,
			gx2.UniformBlock{Name: wire.Text(fmt.Sprintf("MdlMtx%d", i)), Location: i, Size: 192})
	}
	for i := range uint32(12) {
		vertex.Uniforms = append(vertex.Uniforms,
			gx2.UniformVar{Name: wire.Text(fmt.Sprintf("uMaterial%d", i)), Type: 11, Count: 1, Offset: 4 * i,
				Block: int32(i % 3)})
	}
	for i := range uint32(6) {
		vertex.Attributes = append(vertex.Attributes,
			gx2.AttribVar{Name: wire.Text(fmt.Sprintf("aTexCoord%d", i)), Type: 9, Location: i})
	}
	vertex.FitRegisters()
	pixel := shader(gx2.Pixel, 0x22)
	pixel.FitRegisters()
	pixel.Code = bytes.Repeat([]byte{0x33, 0, 0x80, 7, 0, 0x22, 3, 0}, 150)
	pixel.Uniforms = vertex.Uniforms
	pixel.Blocks = vertex.Blocks
	for i := range uint32(8) {
		pixel.Samplers = append(pixel.Samplers,
			gx2.SamplerVar{Name: wire.Text(fmt.Sprintf("cTexture%d", i)), Type: gx2.Sampler2D, Location: i})
	}
	f := &sharcfb.File{Endian: sharcfb.Little, Name: "large"}
	for len(f.Programs) < 560 {
		p := *blurProgram(sharcfb.VertexPixel)
		p.Name = wire.Text(fmt.Sprintf("program_%d", len(f.Programs)))
		p.BaseIndex = uint32(len(f.Binaries))
		enable := bytes.Repeat([]byte{1, 0}, 12)
		for i := range 12 {
			p.Uniforms = append(p.Uniforms,
				sharcfb.Symbol{Offset: int32(16 * i), Name: wire.Text(fmt.Sprintf("uMaterial%d", i)), ID: "id",
					Default: make([]byte, 16), Enable: enable})
		}
		p.Blocks = []sharcfb.Symbol{
			{Offset: 192, Name: "MdlMtx0", ID: "mtx", Default: make([]byte, 192), Enable: enable}}
		for i := range 8 {
			p.Samplers = append(p.Samplers,
				sharcfb.Symbol{Offset: -1, Name: wire.Text(fmt.Sprintf("cTexture%d", i)),
					ID: wire.Text(fmt.Sprintf("_a%d", i)), Enable: enable})
		}
		f.Programs = append(f.Programs, p)
		for range 24 {
			f.Binaries = append(f.Binaries, vertex, pixel)
		}
	}
	return gen.Unchecked(f)
})

func benchmark(b *testing.B, run func(b *testing.B, file []byte)) {
	for _, name := range []string{"sharcfb", "sharcfb/all_symbols"} {
		b.Run(name, func(b *testing.B) {
			file := large()
			if name != "sharcfb" {
				file = sample(b, "s05_all_symbols_le.sharcfb")
			}
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			run(b, file)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			if _, err := sharcfb.Parse(file); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		for b.Loop() {
			sharcfb.Check(file)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	benchmark(b, func(b *testing.B, file []byte) {
		f := mustParse(b, file)
		buffer := make([]byte, 0, len(file))
		for b.Loop() {
			if _, err := f.AppendBinary(buffer); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkVariation looks variations up by their settings.
func BenchmarkVariation(b *testing.B) {
	f := mustParse(b, large())
	settings := blurSettings("7", "1", "0")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Programs[7].Index(settings, 0); err != nil {
			b.Fatal(err)
		}
	}
}
