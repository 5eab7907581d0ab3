package csdrgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Format makes CSDR texts.
var Format = gen.Format{Name: "csdr", File: File, Odd: gen.Written(Model), Faults: Faults}

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
