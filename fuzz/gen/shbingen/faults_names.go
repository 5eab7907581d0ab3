package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults are those of names and of the symbols that hold them.
var nameFaults = []fault{
	{rule: "DVLE042", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		last := d.addLabel(e, d.noName(e))
		i := d.c.Below(len(e.Labels))
		e.Labels[i].Name, e.Labels[last].Name = e.Labels[last].Name, e.Labels[i].Name
		return element("labels", i, "id")
	})},
	{rule: "DVLE062", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.rename(e, i, d.noName(e))
		return element("uniforms", i, "name")
	})},
	{rule: "DVLE063", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.rename(e, i, d.addName(e, ""))
		return element("uniforms", i, "name")
	})},
	{rule: "DVLE064", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		i, j := d.twoUniforms(e)
		d.rename(e, j, d.addName(e, nameAt(e, e.Uniforms[i].Name)))
		return element("uniforms", j, "name")
	})},
	// No name that ends in a NUL has what is behind the last one.
	{rule: "DVLE070", also: []string{"DVLE073"}, spoil: inSymbols(func(d *draft, e *shbin.DVLE) int {
		e.Symbols = slices.Concat(e.Symbols, text(d.c, 1+d.c.Below(4), 0x7F))
		return len(e.Symbols) - 1
	})},
	{rule: "DVLE071", spoil: inSymbols(func(d *draft, e *shbin.DVLE) int {
		return d.addLetters(e, "", gen.Pick(d.c, letters))
	})},
	{rule: "DVLE072", spoil: inSymbols(func(d *draft, e *shbin.DVLE) int {
		return d.addLetters(e, gen.Pick(d.c, letters), gen.Pick(d.c, noLetters))
	})},
	{rule: "DVLE073", spoil: inSymbols(func(d *draft, e *shbin.DVLE) int {
		return int(d.addName(e, labelName(d.c)))
	})},
	{rule: "DVLE073", spoil: inSymbols(func(d *draft, e *shbin.DVLE) int {
		name := "unused" + labelName(d.c)
		off := d.addName(e, name)
		d.addLabel(e, off+uint32(1+d.c.Below(len(name))))
		return int(off)
	})},
	{rule: "DVLE074", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		i := d.labelOf(e)
		return element("labels", d.addLabel(e, d.insideOf(e, e.Labels[i].Name)), "id")
	})},
	{rule: "DVLE074", spoil: anEntry(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.addLabel(e, d.insideOf(e, e.Uniforms[i].Name))
		return element("uniforms", i, "name") // labels come first
	})},
}

// Characters of UTF-8, and bytes that are none.
var (
	letters   = []string{"é", "\u0080", "\u07FF", "ࠀ", "漢", "\uFFFD", "\U00010000", "\U0010FFFF"}
	noLetters = []string{"\x80", "\xBF", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE2\x82", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x9F\x92", "\xF4\x90\x80\x80", "\xF8", "\xFF"}
)

// inSymbols spoils the symbols of a DVLE; spoil returns the offset of the byte.
func inSymbols(spoil func(d *draft, e *shbin.DVLE) int) func(d *draft) place {
	return func(d *draft) place {
		i := d.anyEntry()
		off := spoil(d, &d.m.Entries[i])
		p := at("dvle[%d].symbols[0]", i)
		p.plus = off
		return p
	}
}

// addLetters adds a label in whose name the letters stand, perhaps behind some
// others, and returns the offset of these letters.
func (d *draft) addLetters(e *shbin.DVLE, others, letters string) int {
	before := string(text(d.c, d.c.Below(4), 0x7F))
	if d.c.Chance(8) {
		before += others
	}
	name := d.addName(e, before+letters+string(text(d.c, d.c.Below(4), 0x7F)))
	d.addLabel(e, name)
	return int(name) + len(before)
}

// noName draws an offset at which no name starts.
func (d *draft) noName(e *shbin.DVLE) uint32 { return within(d.c, uint32(len(e.Symbols)), 1<<32-1) }

// insideOf draws an offset in a name, its NUL included.
func (d *draft) insideOf(e *shbin.DVLE, name uint32) uint32 {
	return name + within(d.c, 0, uint32(len(nameAt(e, name))))
}
