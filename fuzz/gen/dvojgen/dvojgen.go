// Package dvojgen serves this module: it makes valid DVOJ files, models with odd values, and DVOJ
// files with one fault.
package dvojgen

import (
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of DVOJ files.
var Format = gen.Format{
	Name: "dvoj", File: File, Odd: gen.Odd(Model, dvoj.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(dvoj.Rules, dvoj.Records...)

// File draws a file about which Check has nothing to say; without choices the
// smallest.
func File(c *gen.Choices) []byte {
	d := drawer{c, false}
	f := d.content(d.words())
	d.arrange(f)
	return gen.Unchecked(f)
}

// Model draws a model that breaks no rule of severity error. All else that a
// model can hold is drawn too.
func Model(c *gen.Choices) *dvoj.File {
	d := drawer{c, true}
	f := d.content(d.words())
	d.oddities(f)
	d.arrange(f)
	d.oddLayout(f)
	return f
}

// Twins draws a valid file in a layout of its own, and its canonical form, whose layout no choices draw.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := drawer{c, false}
	f := d.content(d.words())
	plain := *f
	plain.Layout = drawer{gen.From(gen.NewBytes(nil)), false}.layout(&plain)
	f.Layout = d.layout(f)
	return gen.Unchecked(f), gen.Unchecked(&plain)
}
