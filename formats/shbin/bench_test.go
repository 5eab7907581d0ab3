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
	p := &f.DVLP
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
		e.Labels = append(e.Labels,
			shbin.Label{ID: i, Flags: 1, Word: uint32(100 * i), Length: 100, Name: name("procedure%d", i)})
	}
	for i := range uint8(96) {
		e.Constants = append(e.Constants, shbin.FloatConstant(i, 0x3F0000, 0, 0xBE0000, 0))
	}
	for i := range uint16(7) {
		e.Outputs = append(e.Outputs,
			shbin.Output{Semantic: []shbin.Semantic{0, 1, 2, 3, 5, 6, 8}[i], Register: i, Mask: 0xF})
	}
	for i := range shbin.Register(48) {
		e.Uniforms = append(e.Uniforms,
			shbin.Uniform{Name: name("uniform%d.matrix", i), First: 0x10 + 2*i, Last: 0x11 + 2*i})
	}
	f.DVLEs = slices.Repeat([]shbin.DVLE{e}, 8)
	b, err := f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

func BenchmarkParse(b *testing.B) { format().BenchmarkParse(b, largest()) }
func BenchmarkCheck(b *testing.B) { format().BenchmarkCheck(b, largest()) }
func BenchmarkWrite(b *testing.B) { format().BenchmarkWrite(b, largest()) }
