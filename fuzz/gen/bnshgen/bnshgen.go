// Package bnshgen serves this module: it makes valid and odd BNSH files, and BNSH files with one
// fault.
package bnshgen

import (
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of BNSH files.
var Format = gen.Format{
	Name: "bnsh", File: File, Odd: gen.Odd(Model, bnsh.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(bnsh.Rules, bnsh.Records...)

// File draws a file about which Check has nothing to say. All its programs are
// of plain binary code, the only form of which files are known.
func File(c *gen.Choices) []byte { return gen.Unchecked(usual(c)) }

// Model draws a model that the writer accepts: the models of File, and models with warnings, such as other forms of
// code and blobs of any content.
func Model(c *gen.Choices) *bnsh.File {
	d := drawer{Choices: c, odd: true}
	return d.file()
}

// usual draws the model of a file without findings.
func usual(c *gen.Choices) *bnsh.File {
	d := drawer{Choices: c}
	return d.file()
}

// Twins draws a file whose strings, code or records are not where the canonical form has
// them, and that form.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := &drawer{Choices: c}
	m := d.file()
	needs(named, keyed)(d, m)
	canonical = gen.Unchecked(m)
	f := read(d, canonical)
	gen.Pick(c, rearrangements)(f)
	return f.Bytes, canonical
}

// rearrangements leave the content of a file as it is.
var rearrangements = []func(f *file) gen.Place{unsortedKeys, room, unusedString, nameBehind, rootOfItsOwn}
