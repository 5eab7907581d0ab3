package shbingen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults break rules about names and about the symbol table.
var nameFaults = []fault{
	{rule: "DVLE042", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		last := d.addLabel(e, d.noName(e))
		i := d.c.Below(len(e.Labels))
		e.Labels[i].Name, e.Labels[last].Name = e.Labels[last].Name, e.Labels[i].Name
		return element("labels", i, "")
	})},
	{rule: "DVLE062", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.rename(e, i, d.noName(e))
		return element("uniforms", i, "")
	})},
	{rule: "DVLE063", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.rename(e, i, d.addName(e, gen.Breach(d.c, "", freshName(e))))
		return element("uniforms", i, "")
	})},
	{rule: "DVLE064", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i, j := d.twoUniforms(e)
		d.rename(e, j, d.addName(e, nameAt(e, e.Uniforms[i].Name)+gen.Breach(d.c, "", "\x7F")))
		return element("uniforms", j, "")
	})},
	// The bytes behind the last NUL of the symbols belong to no name.
	{rule: "DVLE070", also: []string{"DVLE073"}, spoil: inSymbols(func(d *draft, e *shbin.DVLE) (off, n int) {
		e.Symbols = slices.Concat(e.Symbols, text(d.c, 1+d.c.Below(4), 0x7F), make([]byte, gen.Breach(d.c, 0, 1)))
		return len(e.Symbols) - 1, 1
	})},
	{rule: "DVLE071", spoil: inSymbols(func(d *draft, e *shbin.DVLE) (off, n int) {
		return d.addLetters(e, "", gen.Breach(d.c, gen.Pick(d.c, letters), "\x7F")), 1
	})},
	// A character is not ASCII.
	{rule: "DVLE072", instead: []string{"DVLE071"}, spoil: inSymbols(func(d *draft, e *shbin.DVLE) (off, n int) {
		return d.addLetters(e, gen.Pick(d.c, letters), gen.Breach(d.c, gen.Pick(d.c, noLetters), "\U0010FFFF")), 1
	})},
	{rule: "DVLE073", spoil: inSymbols(func(d *draft, e *shbin.DVLE) (off, n int) {
		name := labelName(d.c)
		at := d.addName(e, name)
		if d.c.Near() {
			d.addLabel(e, at)
		}
		return int(at), len(name) + 1
	})},
	{rule: "DVLE073", spoil: inSymbols(func(d *draft, e *shbin.DVLE) (off, n int) {
		name := "unused" + labelName(d.c)
		start, used := d.addName(e, name), gen.Breach(d.c, 1+d.c.Below(len(name)), 0)
		d.addLabel(e, start+uint32(used))
		return int(start), used
	})},
	{rule: "DVLE074", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.labelOf(e)
		return element("labels", d.addLabel(e, d.insideOf(e, e.Labels[i].Name)), "")
	})},
	{rule: "DVLE074", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		i := d.uniformOf(e)
		d.addLabel(e, d.insideOf(e, e.Uniforms[i].Name))
		return element("uniforms", i, "") // labels come first
	})},
	// One name of many labels: they share its bytes.
	{rule: "DVLB016", also: []string{"DVLE074"}, spoil: func(d *draft) place {
		const labels = 64
		i := d.anyDVLE()
		e := &d.m.DVLEs[i]
		length := gen.LongName(labels, len(gen.Unchecked(d.m))+labels*labelSize)
		name := d.addName(e, strings.Repeat("n", length))
		total := d.nameBytes()
		var references []gen.Reference
		for range labels {
			k := d.addLabel(e, name)
			references = append(references,
				gen.Reference{Path: fmt.Sprintf("dvle[%d].labels[%d].name", i, k), Long: uint64(name),
					Short: uint64(name) + uint64(length)})
		}
		out := d.bytes()
		size := min(len(out.Bytes), int(d.m.Canonical().Size()))
		at := out.ExceedNames(d.c, total, size, e.Symbols, references)
		return place{exact: &at}
	}},
}

// Characters of UTF-8, and bytes that are none.
var (
	letters   = []string{"é", "\u0080", "\u07FF", "ࠀ", "漢", "\uFFFD", "\U00010000", "\U0010FFFF"}
	noLetters = []string{"\x80", "\xBF", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE2\x82", "\xE0\x9F\xBF", "\xED\xA0\x80",
		"\xF0\x9F\x92", "\xF4\x90\x80\x80", "\xF8", "\xFF"}
)

const labelSize = 0x10

// nameBytes returns the bytes of all names of the file, each with its NUL. A name of lines counts once for each offset.
func (d *draft) nameBytes() (n int) {
	p := &d.m.DVLP
	lines := make(map[uint32]bool)
	for _, l := range p.Lines {
		if !lines[l.Name] {
			n += gen.NameBytes(p.FileNames, uint64(l.Name))
		}
		lines[l.Name] = true
	}
	for i := range d.m.DVLEs {
		for _, ref := range references(&d.m.DVLEs[i]) {
			n += gen.NameBytes(d.m.DVLEs[i].Symbols, uint64(*ref))
		}
	}
	return n
}

// inSymbols is a fault in the symbols of a DVLE. spoil returns the offset in them and the length of the finding.
func inSymbols(spoil func(d *draft, e *shbin.DVLE) (off, n int)) func(d *draft) place {
	return func(d *draft) place {
		i := d.anyDVLE()
		off, n := spoil(d, &d.m.DVLEs[i])
		return bytesOf(fmt.Sprintf("dvle[%d].symbols", i), off, n)
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

// noName draws an offset at which no name starts; in a near miss one does there.
func (d *draft) noName(e *shbin.DVLE) uint32 {
	end := uint32(len(e.Symbols))
	e.Symbols = append(e.Symbols, gen.Breach(d.c, "", freshName(e)+"\x00")...)
	return wrong(d.c, end, 1<<32-1, end)
}

// insideOf draws an offset inside a name or of its NUL; in a near miss the offset of another name.
func (d *draft) insideOf(e *shbin.DVLE, name uint32) uint32 {
	inside := name + within(d.c, 0, uint32(len(nameAt(e, name))))
	if d.c.Near() {
		return d.addName(e, freshName(e))
	}
	return inside
}
