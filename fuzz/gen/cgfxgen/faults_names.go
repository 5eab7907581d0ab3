package cgfxgen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// nameLimit breaks CGFX019: the names of many shaders are ends of one string.
var nameLimit = gen.Fault{Rule: "CGFX019", Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
	const shaders = 64
	binary := shbingen.Embedded(c, false)
	file := func(length int) *image {
		f := new(cgfx.File)
		for i := range shaders {
			f.Objects = append(f.Objects, cgfx.Object{Name: wire.Text(strings.Repeat("^", length-i)), DVLB: binary})
		}
		return withNames(f, 1)
	}
	// A node and its shader share each name.
	start := file(shaders).shaders[0].key
	exceeds := func(length int) bool {
		total := 0
		for i := range shaders {
			total += 2 * (length - i + len("\x00"))
		}
		return total > 8*((start+length+len("\x00")+3)&^3)
	}
	least := shaders
	for !exceeds(least) {
		least++
	}
	m := file(int(c.Wrong(uint64(least), uint64(least+200), uint64(least-1))))
	return m.Bytes, gen.Place{Len: len(m.Bytes), Path: "file"}
}}
