// Package sharcfbgen makes SHARCFB archives, with GX2 shaders in them, from a
// stream of choices: such that keep every rule, and such that break one.
package sharcfbgen

import (
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of the format sharcfb.
var Format = gen.Format{Name: "sharcfb", File: File, Odd: gen.Written(Model), Faults: Faults}

// File draws an archive about which Check has nothing to say. It panics when the
// writer refuses it, which is a bug of either.
func File(c *gen.Choices) []byte {
	b, err := newDrawing(c).f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// maxOddities is how many oddities a model has at most.
const maxOddities = 7

// Model draws an archive that breaks no rule of severity Error, but for a few in
// a hundred: what File writes, or such a one with some oddities.
func Model(c *gen.Choices) *sharcfb.File {
	d := newDrawing(c)
	for range d.Count(2, maxOddities) {
		gen.Pick(c, oddities).change(d)
	}
	return d.f
}
