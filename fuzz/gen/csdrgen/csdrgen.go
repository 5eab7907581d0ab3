package csdrgen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format makes CSDR texts.
var Format = gen.Format{
	Name: "csdr", File: File, Odd: gen.Odd(Model, csdr.Rules, Faults), Twins: Twins, Faults: Faults,
}

// File draws a text, as the writer writes it or another one.
func File(c *gen.Choices) []byte {
	f := draw(c, shape{})
	if c.Chance(4) {
		b, err := f.AppendBinary(nil)
		if err != nil {
			panic("csdrgen: " + err.Error())
		}
		return b
	}
	d := outline(f)
	d.vary(c)
	return d.append(nil)
}

// Twins draws a text, and its canonical form: the usual outline around the same shaders.
func Twins(c *gen.Choices) (file, canonical []byte) {
	f := draw(c, shape{})
	d := outline(f)
	d.vary(c)
	f.EditData = firstOpaque(d.content, "EditData")
	for i, o := range d.objects {
		f.Objects[i].EditData = firstOpaque(o.element, "EditData")
	}
	return d.append(nil), outline(f).append(nil)
}

// firstOpaque returns the first element of a name in another: variation adds further
// ones and exchanges them.
func firstOpaque(in *piece, name string) string {
	for _, p := range in.inside {
		if strings.HasPrefix(p.raw, "<"+name) {
			return p.raw
		}
	}
	return ""
}
