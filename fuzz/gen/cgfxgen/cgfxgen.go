package cgfxgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Format makes CGFX files.
var Format = gen.Format{Name: "cgfx", File: File, Odd: gen.Written(Model), Faults: Faults}

// File draws a file with shaders only, in the order of the writer or another.
func File(c *gen.Choices) []byte {
	f := draw(c, shape{})
	if c.Chance(4) {
		b, err := f.AppendBinary(nil)
		if err != nil {
			panic("cgfxgen: " + err.Error())
		}
		return b
	}
	return arranged(c, f, shape{}).b
}
