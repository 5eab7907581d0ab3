package dvoj_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// format is the format as the common tests see it.
func format(opts ...dvoj.Option) formattest.Format[*dvoj.File] {
	return formattest.Format[*dvoj.File]{
		Name:    "dvoj",
		Rules:   dvoj.Rules,
		Parse:   func(b []byte) (*dvoj.File, error) { return dvoj.Parse(b, opts...) },
		Check:   func(b []byte) []diag.Finding { return dvoj.Check(b, opts...) },
		Outline: func(b []byte) diag.Outline { return dvoj.Outline(b, opts...) },
	}
}

// Words and a descriptor that any program may have.
const (
	mov  = 0x4C000000 // mov o0, v0 with descriptor 0
	nop  = 0x84000000
	end  = 0x88000000
	xyzw = 0x0000036F // mask xyzw, source 1 xyzw

	none = 0xFFFFFFFF
)

// workedModel is a vertex object with every table but constants. workedBytes
// are its bytes.
func workedModel() *dvoj.File {
	return &dvoj.File{
		Version: 0x0C02, InputMask: 1, OutputMask: 1, Unknown: none,
		Code:        []uint32{mov, nop, end},
		Descriptors: []shbin.Descriptor{{Word: 1<<31 | xyzw, Flags: 3}},
		Lines:       []shbin.Line{{Name: 0, Line: 12}, {Name: 0, Line: 13}, {Name: 0, Line: 14}},
		Relocations: []dvoj.Relocation{{Word: 0}},
		Tables: shbin.Tables{
			Labels: []shbin.Label{
				{ID: 0, Flags: 1, Word: 0, Length: shbin.NoLength, Name: 8},
				{ID: 1, Flags: 1, Word: 3, Length: shbin.NoLength, Name: 18},
			},
			Outputs:  []shbin.Output{{Semantic: shbin.Position, Register: 0, Mask: 0xF}},
			Uniforms: []shbin.Uniform{{Name: 31, First: 0x00, Last: 0x00}, {Name: 37, First: 0x10, Last: 0x13}},
			Symbols:  wire.Hex("lib.vsh\x00transform\x00endtransform\x00inPos\x00mtx\x00"),
		},
	}
}

const workedBytes = `
	44564f4a 020c 00 00 0100 0100 ffffffff
	58000000 00000000 58000000 02000000 78000000 03000000 84000000 01000000 8c000000 03000000
	a4000000 01000000 b0000000 01000000 b8000000 02000000 c8000000 29000000
	0000 0100 00000000 ffffffff 08000000
	0100 0100 03000000 ffffffff 12000000
	0000004c 00000084 00000088
	6f030080 03000000
	00000000 0c000000 00000000 0d000000 00000000 0e000000
	00000000 00000000 00000000
	0000 0000 0f00 0000
	1f000000 0000 0000
	25000000 1000 1300
	6c69622e76736800 7472616e73666f726d00 656e647472616e73666f726d00 696e506f7300 6d747800
	000000`

// cleanModel is workedModel with constants, and breaks no rule at all.
func cleanModel() *dvoj.File {
	f := workedModel()
	f.Constants = []shbin.Constant{shbin.BoolConstant(5, true), shbin.IntConstant(1, 3, 0, 1, 0),
		shbin.FloatConstant(4, 0x3F0000, 0, 0, 0xBE0000)}
	return f
}

func mustParse(t testing.TB, b []byte, opts ...dvoj.Option) *dvoj.File {
	t.Helper()
	return format(opts...).MustParse(t, b)
}

var mustAppend = format().MustAppend

// edited returns the bytes of the clean model after an edit, whatever rules it
// breaks.
func edited(t testing.TB, edit func(f *dvoj.File)) []byte {
	t.Helper()
	f := cleanModel()
	edit(f)
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
