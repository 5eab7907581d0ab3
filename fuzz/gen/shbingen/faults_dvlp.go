package shbingen

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// dvlpFaults break rules about the DVLP and its tables.
var dvlpFaults = []fault{
	{rule: "DVLP002", spoil: changed(at("dvlp.magic"))},
	{rule: "DVLP001", missBreaks: []string{"DVLP014"}, spoil: func(d *draft) place {
		if d.c.Near() {
			return d.shorten(shortHeaderSize)
		}
		return d.set(within[uint32](d.c, 0, shortHeaderSize-1), codeTable.offset())
	}},
	{rule: "DVLP001", spoil: func(d *draft) place {
		d.withDescriptors()
		return d.replace(within[uint32](d.c, 0, shortHeaderSize-1), descriptorTable.offset())
	}},
	{rule: "DVLP001", spoil: func(d *draft) place {
		return d.replace(d.base()+4*within[uint32](d.c, 0, shortHeaderSize/4-1), offsetOf(0))
	}},
	{rule: "DVLP014", spoil: shortHeader(shortHeaderSize)},
	// A short header leaves bytes without an owner in front of the first table.
	{rule: "DVLP014", also: []string{"DVLB011"}, spoil: shortHeader(shortHeaderSize + 4)},
	{rule: "DVLP014", also: []string{"DVLB011"}, spoil: shortHeader(dvlpHeaderSize - 4)},
	{rule: "DVLP003", spoil: func(d *draft) place {
		d.m.DVLP.Version |= uint32(d.c.Nonzero(0xFFFF)) << 16
		return at("dvlp.version")
	}},
	// A DVLE has the version of the DVLP or a known one.
	{rule: "DVLP003", also: []string{"DVLE003"}, spoil: func(d *draft) place {
		d.m.DVLP.Version = gen.Only(d.c, uint32(unknownVersion(d.c)), d.m.DVLP.Version)
		return at("dvlp.version")
	}},
	{rule: "DVLP007", spoil: func(d *draft) place {
		*d = *newDraft(d.c, pica.MaxCode)
		d.lengthen(wrong(d.c, pica.MaxCode+1, pica.MaxCode+600, pica.MaxCode))
		return codeTable.count()
	}},
	{rule: "DVLP011", spoil: func(d *draft) place {
		d.m.DVLP.Descriptors = descriptors(d.c,
			wrong(d.c, pica.MaxDescriptors+1, 3*pica.MaxDescriptors, pica.MaxDescriptors))
		return descriptorTable.count()
	}},
	{rule: "DVLP016", spoil: func(d *draft) place {
		d.withLines()
		p := &d.m.DVLP
		if n := len(p.Lines); n > 1 && d.c.Chance(8) {
			p.Lines = p.Lines[:gen.Only(d.c, within(d.c, 1, n-1), n)]
		} else {
			p.Lines = append(slices.Clone(p.Lines), p.Lines[:gen.Only(d.c, within(d.c, 1, n), 0)]...)
		}
		return lineTable.count()
	}},
	{rule: "DVLP017", spoil: func(d *draft) place {
		d.withLines()
		p := &d.m.DVLP
		i := d.c.Below(len(p.Lines))
		p.Lines[i].Name = above(d.c, uint32(len(p.FileNames)-1))
		return at("dvlp.lines[%d]", i)
	}},
	{rule: "DVLP019", spoil: func(d *draft) place {
		d.withFileNames()
		p := &d.m.DVLP
		nul := gen.Breach(d.c, 0, 1) // the last one moves
		p.FileNames = append(p.FileNames[:len(p.FileNames)-nul], text(d.c, 1+d.c.Below(4), 0xFF)...)
		p.FileNames = append(p.FileNames, make([]byte, nul)...)
		return bytesOf("dvlp.file_names", len(p.FileNames)-1, 1)
	}},
	{rule: "DVLP020", spoil: func(d *draft) place {
		d.withFileNames()
		for range gen.Only(d.c, 1+d.c.Below(3), 0) {
			d.addFileName()
		}
		return at("dvlp.file_names")
	}},
	{rule: "DVLP020", spoil: func(d *draft) place {
		d.neighbours()
		d.withFileNames()
		names := d.m.DVLP.FileNames
		last := max(bytes.LastIndexByte(names, 0), 0)                 // the end of the names; text without NUL may follow
		if inner := bytes.Count(names[:last], []byte{0}); inner > 0 { // none is left after some oddities
			gen.Change(d.c, &names[nthNUL(names, 1+d.c.Below(inner))])
		}
		return at("dvlp.file_names")
	}},
	{rule: "DVLP021", spoil: func(d *draft) place {
		d.m.DVLP.Lines = nil
		l := d.layout(plan{})
		d.m.Layout = l
		l.Lines.Offset = oddOffset(d.c, l.Descriptors.Offset+8*l.Descriptors.Count)
		return lineTable.offset()
	}},
	{rule: "DVLP021", spoil: func(d *draft) place {
		d.m.DVLP.Lines, d.m.DVLP.FileNames = nil, nil
		l := d.layout(plan{})
		d.m.Layout = l
		l.FileNames.Offset = oddOffset(d.c, l.Descriptors.Offset+8*l.Descriptors.Count)
		return fileNameTable.offset()
	}},
	{rule: "DVLP012", milder: true, spoil: func(d *draft) place {
		i := d.someDescriptor()
		for j := range d.m.DVLP.Descriptors[i:] {
			d.m.DVLP.Descriptors[i+j].Flags = gen.Only(d.c, gen.Pick(d.c, official).Flags, 0)
		}
		return at("dvlp.descriptors[%d].flags", i)
	}},
	{rule: "DVLP012", spoil: func(d *draft) place {
		i := d.someDescriptor()
		for j := range d.m.DVLP.Descriptors[:i] {
			d.m.DVLP.Descriptors[j].Flags = gen.Only(d.c, gen.Pick(d.c, official).Flags, 0)
		}
		flags := &d.m.DVLP.Descriptors[i].Flags
		*flags = 0
		gen.Change(d.c, flags)
		if slices.ContainsFunc(official, func(o shbin.Descriptor) bool { return o.Flags == *flags }) {
			*flags++
		}
		return at("dvlp.descriptors[%d].flags", i)
	}},
	{rule: "DVLP013", spoil: func(d *draft) place {
		i := d.someDescriptor()
		for j := range d.m.DVLP.Descriptors[i:] {
			d.m.DVLP.Descriptors[i+j].Word |= gen.Only[uint32](d.c, 1<<31, 0)
		}
		return at("dvlp.descriptors[%d].word", i)
	}},
	{rule: "DVLP008", spoil: func(d *draft) place {
		d.dvleOf(0)
		d.lengthen(wrong(d.c, pica.MaxVertexCode+1, pica.MaxVertexCode+100, pica.MaxVertexCode))
		return codeTable.count()
	}},
}

// shortHeader lays the file out with the first block inside the usual header.
func shortHeader(first uint32) func(d *draft) place {
	return func(d *draft) place { return d.shorten(gen.Breach(d.c, first, 0)) }
}

func (d *draft) shorten(first uint32) place {
	d.m.DVLP.Lines, d.m.DVLP.FileNames = nil, nil
	d.m.Layout = d.layout(plan{first: first})
	if d.m.Layout.ShortHeader {
		d.m.Layout.Lines.Offset = uint32(d.c.Bits(32))
	}
	return at("dvlp")
}

// official are descriptors with the flags of official files.
var official = []shbin.Descriptor{{Flags: 3}, {Flags: 7}, {Flags: 15}}

// someDescriptor returns the index of a descriptor.
func (d *draft) someDescriptor() int {
	d.withDescriptors()
	return d.c.Below(len(d.m.DVLP.Descriptors))
}

// unknownVersion draws a version that no known tool writes.
func unknownVersion(c *gen.Choices) uint16 {
	v := within[uint16](c, 1, 0xFFFF)
	if slices.Contains(versions, v) {
		v++
	}
	return v
}

// oddOffset draws an offset of an empty table that is neither 0 nor end, which are right.
func oddOffset(c *gen.Choices, end uint32) uint32 {
	off := within[uint32](c, 1, 1<<32-2)
	if off >= end {
		off++
	}
	return gen.Breach(c, off, end)
}

// programTable is a table of the DVLP: its name, and the field with its count.
type programTable struct{ name, counted string }

var (
	codeTable       = programTable{"code", "count"}
	descriptorTable = programTable{"descriptors", "count"}
	lineTable       = programTable{"lines", "count"}
	fileNameTable   = programTable{"file_names", "size"}
)

func (t programTable) offset() place { return at("dvlp.%s.offset", t.name) }
func (t programTable) count() place  { return at("dvlp.%s.%s", t.name, t.counted) }
