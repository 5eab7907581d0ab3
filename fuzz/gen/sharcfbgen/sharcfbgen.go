// Package sharcfbgen serves this module: it makes SHARCFB archives with GX2 shaders from a stream
// of choices. They keep every rule or break one.
package sharcfbgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of the format sharcfb.
var Format = gen.Format{
	Name: "sharcfb", File: File, Odd: gen.Odd(Model, sharcfb.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(sharcfb.Rules, slices.Concat(sharcfb.Records, gx2.Records)...)

// File draws an archive without a finding. It panics if the writer refuses the archive, which is a mistake of the
// generator or of the writer.
func File(c *gen.Choices) []byte {
	b, err := newDrawing(c).f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// maxOddities is the largest number of oddities of a model.
const maxOddities = 7

// Model draws an archive of File, or one with some oddities. A few in a hundred break a rule of severity error.
func Model(c *gen.Choices) *sharcfb.File {
	d := newDrawing(c)
	for range d.Count(2, maxOddities) {
		gen.Pick(c, oddities).change(d)
	}
	d.settle()
	return d.f
}

// Twins draws an archive with shaders in layouts of their own, and its canonical form,
// in which each has the layout of the zero plan.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := newDrawing(c)
	for i := range d.f.Binaries {
		d.lay(i, plan{})
	}
	canonical = gen.Unchecked(d.f)
	for i := range d.f.Binaries {
		if c.Chance(4) {
			d.f.Binaries[i].Slack = &sharcfb.Slack{Gap: d.Data(c.Below(300)), Tail: d.Data(c.Below(300))}
		}
		d.lay(i, d.plan(&d.f.Binaries[i].Shader))
	}
	return gen.Unchecked(d.f), canonical
}
