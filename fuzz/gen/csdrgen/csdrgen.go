package csdrgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Format makes CSDR texts.
var Format = gen.Format{Name: "csdr", File: File, Odd: Odd, Faults: Faults}

// Odd draws a text that a model writes, or one with something in it that the
// outline does not have, which no model holds.
func Odd(c *gen.Choices) []byte {
	if c.Chance(6) {
		return gen.Written(Model)(c)
	}
	b, _ := gen.Pick(c, oddities).File(c)
	return b
}

var oddities = faults(oddFaults)

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
