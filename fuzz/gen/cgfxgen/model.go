// Package cgfxgen serves this module: it makes valid CGFX files (.bcsdr) from choices, and CGFX
// files that break a rule.
package cgfxgen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// Model draws a file that the writer accepts, with or without warnings: also files without shaders, programs that name
// no DVLE or one of the wrong type, and DVLBs with warnings.
func Model(c *gen.Choices) *cgfx.File {
	if c.Below(16) == 15 {
		return &cgfx.File{}
	}
	return draw(c, shape{odd: true})
}

// shape holds the demands on a drawn file.
type shape struct {
	shaders  int  // at least
	programs int  // at least, in each shader
	odd      bool // parts that earn warnings are allowed

	wide bool // a header of more than its usual size
	few  bool // fewer pairs in DATA, with the DICT right behind them
}

// draw draws one to three shaders; or up to twelve with DVLBs that are alike,
// for tries of some depth.
func draw(c *gen.Choices, shape shape) *cgfx.File {
	f := new(cgfx.File)
	n := max(1+c.Below(3), shape.shaders)
	if c.Below(8) == 7 {
		n = 4 + c.Below(9)
	}
	binaries := [][]byte{shbingen.Embedded(c, shape.odd)}
	if n < 4 {
		binaries = append(binaries, shbingen.Embedded(c, shape.odd))
	}
	seen := map[wire.Text]bool{}
	for range n {
		o := cgfx.Object{Name: name(c, f.Objects), DVLB: gen.Pick(c, binaries)}
		for seen[o.Name] {
			o.Name += wire.Text('0' + rune(c.Below(10)))
		}
		seen[o.Name] = true
		for range max(c.Below(4), shape.programs) {
			o.Programs = append(o.Programs, program(c, slots(o.DVLB, shape.odd)))
		}
		f.Objects = append(f.Objects, o)
	}
	return f
}

// name draws a name. Tries are interesting where names have much in common: the
// first or last bytes, or all but a bit.
func name(c *gen.Choices, before []cgfx.Object) wire.Text {
	any := func(n int) wire.Text {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(1 + c.Below(255))
		}
		return wire.Text(b)
	}
	other := wire.Text("DefaultShader")
	if len(before) > 0 {
		other = gen.Pick(c, before).Name
	}
	switch c.Below(8) {
	case 0:
		return wire.Text('a' + rune(c.Below(26)))
	case 1:
		return other + any(1+c.Below(3))
	case 2:
		return other[c.Below(len(other)):]
	case 3:
		return any(1+c.Below(3)) + other
	case 4:
		b := []byte(other)
		i := c.Below(len(b))
		if b[i] ^= 1 << c.Bits(3); b[i] == 0 {
			b[i] = 0x80
		}
		return wire.Text(b)
	case 5:
		return any(1 + c.Below(6))
	case 6:
		return wire.Text(strings.Repeat("x", 1+c.Below(200)))
	default:
		return wire.Text(gen.Pick(c,
			[]string{"DefaultShader", "nwgfx_ParticleDefaultShader", "`", "CGFX", "DVLB", "\xFF\xFE", "\u00E9"}))
	}
}

// slots are the pairs of DVLEs that a program may name.
func slots(dvlb []byte, odd bool) (list [][2]int32) {
	f, err := shbin.Parse(dvlb)
	if err != nil {
		return [][2]int32{{-1, -1}}
	}
	fits := func(i int, unit shbin.Type) bool { return odd || i < 0 || f.DVLEs[i].Type == unit }
	for v := -1; v < len(f.DVLEs); v++ {
		for g := -1; g < len(f.DVLEs); g++ {
			if fits(v, shbin.VertexShader) && fits(g, shbin.GeometryShader) && (odd || v >= 0 || g >= 0) {
				list = append(list, [2]int32{int32(v), int32(g)})
			}
		}
	}
	return list
}

func program(c *gen.Choices, slots [][2]int32) cgfx.Program {
	s := gen.Pick(c, slots)
	p := gen.Free[cgfx.Program](c, fields, false)
	p.Vertex, p.Geometry = s[0], s[1]
	return p
}
