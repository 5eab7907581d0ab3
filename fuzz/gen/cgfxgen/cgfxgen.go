package cgfxgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format makes CGFX files.
var Format = gen.Format{
	Name: "cgfx", File: File, Odd: gen.Odd(Model, cgfx.Rules, withReferences), Twins: Twins, Faults: Faults,
}

// withReferences makes odd files with a reference to a shader more frequent, which no model has.
func withReferences() []gen.Fault {
	return slices.Concat(Faults(), slices.Repeat(faults([]fault{reference}), 8))
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(cgfx.Rules, cgfx.Records...)

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
	return arranged(c, f, shape{}).Bytes
}

// Twins draws a valid file with its parts in any order, and its canonical form. This package lays out both.
func Twins(c *gen.Choices) (file, canonical []byte) {
	f := draw(c, shape{})
	return arranged(c, f, shape{}).Bytes, plain(f).Bytes
}
