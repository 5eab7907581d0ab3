// Package shbingen serves this module: it makes valid and odd DVLB files, and DVLB files with one
// fault.
package shbingen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Format is the generator of DVLB files.
var Format = gen.Format{
	Name: "shbin", File: File, Odd: gen.Odd(Model, shbin.Rules, Faults), Twins: Twins, Faults: Faults,
}

// fields are the rules about single fields.
var fields = gen.NewFieldRules(shbin.Rules, shbin.Records...)

// File draws a file without any finding.
func File(c *gen.Choices) []byte {
	return newDraft(c, maxCode(c)).write()
}

// Model draws a model that the writer nearly always accepts: a valid one, most
// often spoilt in some of the ways that are no errors.
func Model(c *gen.Choices) *shbin.File {
	d := newDraft(c, maxCode(c))
	for range few(c, 0, 5, 24) {
		gen.Pick(c, oddities).spoil(d)
		if d.m.Layout != nil { // which rests on the content from here on
			break
		}
	}
	d.arrange()
	return d.m
}

// draft is a file being made: its content first, then its layout, then its
// bytes.
type draft struct {
	c   *gen.Choices
	m   *shbin.File
	out *gen.Draft // nil until the file is written
}

// maxCode draws how long the code may be.
func maxCode(c *gen.Choices) int {
	if c.Bits(3) == 7 {
		return pica.MaxCode
	}
	return pica.MaxVertexCode
}

// newDraft draws the content of a valid file. With room for more code than
// vertex units hold, all of its shaders are geometry shaders.
func newDraft(c *gen.Choices, maxCode int) *draft {
	d := &draft{c: c, m: &shbin.File{}}
	d.content(maxCode)
	return d
}

// write returns the bytes of the file, valid or not.
func (d *draft) write() []byte {
	d.arrange()
	b, err := d.m.AppendUnchecked(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// few draws a count: usually from low to usual, sometimes most.
func few(c *gen.Choices, low, usual, most int) int {
	if c.Bits(5) == 31 {
		return most
	}
	return low + c.Below(usual-low+1)
}

// within is Choices.Within for the fields of a model.
func within[T ~uint8 | ~uint16 | ~uint32 | ~int](c *gen.Choices, low, high T) T {
	return T(c.Within(uint64(low), uint64(high)))
}

// Twins draws a valid file in a layout of its own, and its canonical form. The canonical form has the layout that no
// choices draw, except that an empty table of the DVLP has the offset where the table in front ends, and absent file
// names have the offset 0.
func Twins(c *gen.Choices) (file, canonical []byte) {
	d := newDraft(c, maxCode(c))
	plain := *d.m
	usual := draft{c: gen.From(gen.NewBytes(nil)), m: &plain}
	l := usual.layout(plan{})
	l.Descriptors.Offset = l.Code.Offset + 4*l.Code.Count
	if l.Lines.Count == 0 {
		l.Lines.Offset = l.Descriptors.Offset + 8*l.Descriptors.Count
	}
	if l.FileNames.Count == 0 {
		l.FileNames.Offset = 0
	}
	plain.Layout = l
	d.m.Layout = d.layout(plan{})
	return gen.Unchecked(d.m), gen.Unchecked(&plain)
}
