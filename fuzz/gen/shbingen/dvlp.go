package shbingen

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// versions are the versions that known tools write.
var versions = []uint16{0, 0x0C02, 0x1002}

// content draws everything but the places.
func (d *draft) content(maxCode int) {
	c, p := d.c, &d.m.DVLP
	*p = gen.Free[shbin.DVLP](c, fields, false)
	p.Version = uint32(gen.Pick(c, versions))
	p.Descriptors = descriptors(c, few(c, 0, 6, pica.MaxDescriptors))
	p.Code = code(c, few(c, 1, 12, maxCode), len(p.Descriptors))
	for range few(c, 1, 3, 6) {
		t := shbin.Type(c.Bits(1))
		if maxCode > pica.MaxVertexCode {
			t = shbin.GeometryShader
		}
		d.addDVLE(t)
	}
	if !c.Chance(8) {
		d.withFileNames()
		if !c.Chance(8) {
			p.Lines = lines(c, p)
		}
	}
}

func descriptors(c *gen.Choices, n int) []shbin.Descriptor {
	table := make([]shbin.Descriptor, n)
	for i := range table {
		table[i] = gen.Free[shbin.Descriptor](c, fields, false)
		table[i].Word &= 1<<31 - 1 // bit 31 is a finding
		table[i].Flags = 0
	}
	return table
}

// lines draws a line for each code word. Names may start inside of others.
func lines(c *gen.Choices, p *shbin.DVLP) []shbin.Line {
	table, last := make([]shbin.Line, len(p.Code)), uint32(bytes.LastIndexByte(p.FileNames, 0))
	for i := range table {
		table[i] = gen.Free[shbin.Line](c, fields, false)
		table[i].Name = within(c, 0, last)
	}
	return table
}

// Opcodes that may stand in a program with and without descriptors, in their order.
var (
	knownOps = slices.Sorted(slices.Values(wordgen.Opcodes(func(pica.Opcode) bool { return true })))
	plainOps = slices.DeleteFunc(slices.Clone(knownOps), func(op pica.Opcode) bool { return op.Layout().Desc.Width > 0 })
)

// code draws n words, of which the last is usually END.
func code(c *gen.Choices, n, descriptors int) []uint32 {
	ops := knownOps
	if descriptors == 0 {
		ops = plainOps
	}
	words := make([]uint32, n)
	for i := range words {
		words[i] = wordgen.Word(c, gen.Pick(c, ops), n, max(descriptors, 1)) // its descriptor exists
	}
	if c.Chance(14) {
		words[n-1] = uint32(pica.END) << 26
	}
	return words
}
