package sharcfbgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// codeAlign is the alignment of code in the file, in bytes.
const codeAlign = 0x100

// plan says how a shader is laid out: structure, tables, names and loop
// variables, code. The zero plan is the canonical layout of a shader whose names
// differ.
type plan struct {
	pads       [len(gx2gen.Tables)]uint32 // unused bytes before each table
	namesFirst bool                       // names before tables
	order      []int                      // of the tables without loop variables; nil: as in the structure
	names      []int                      // of the names; nil: as in the tables
	loopsFirst bool                       // loop variables before names
	spare      uint32                     // unused bytes before the code
	copyFirst  bool                       // copy program before code
	behind     uint32                     // unused bytes behind the code
}

// layout lays out a shader that stands at an offset of the file.
func (p plan) layout(s *gx2.Shader, off uint32) *gx2.Layout {
	l := &gx2.Layout{Program: gx2.Extent{Count: uint32(len(s.Code))},
		CopyProgram: gx2.Extent{Count: uint32(len(s.CopyCode))}}
	at := uint32(s.Type.Size())
	place := func(t int) {
		if n := uint32(gx2gen.Tables[t].Len(s)); n > 0 {
			at += p.pads[t]
			l.Tables[t] = gx2.Extent{Offset: at, Count: n}
			at += n * gx2gen.Tables[t].Size
		}
	}
	texts := gx2gen.Names(s)
	l.Names = make([]gx2.Extent, len(texts))
	placeNames := func() {
		for i := range texts {
			slot := i
			if p.names != nil {
				slot = p.names[i]
			}
			n := uint32(len(*texts[slot]))
			l.Names[slot] = gx2.Extent{Offset: at, Count: n}
			at += n + 1
		}
	}
	order := p.order
	if order == nil {
		order = swapped
	}
	if p.namesFirst {
		placeNames()
		at += -at % 4
	}
	for _, t := range order {
		place(t)
	}
	if p.loopsFirst {
		place(gx2gen.LoopTable)
	}
	if !p.namesFirst {
		placeNames()
	}
	if !p.loopsFirst {
		place(gx2gen.LoopTable)
	}
	at += p.spare
	programs := []*gx2.Extent{&l.Program, &l.CopyProgram}
	if s.Type != gx2.Geometry {
		programs = programs[:1]
	}
	if p.copyFirst {
		slices.Reverse(programs)
	}
	for _, x := range programs {
		at += -(off + at) % codeAlign
		x.Offset = at
		at += x.Count
	}
	l.Size = at + p.behind
	return l
}

// swapped are the tables that the loader of the console swaps.
var swapped = []int{gx2gen.BlockTable, gx2gen.UniformTable, gx2gen.SamplerTable, gx2gen.AttributeTable}

// plan draws a layout that keeps all rules but SHARC061, which may notice it.
func (d *drawing) plan(s *gx2.Shader) plan {
	return plan{
		order: gen.Shuffled(d.C, swapped), names: gen.Order(d.C, len(gx2gen.Names(s))),
		loopsFirst: d.C.Bits(1) != 0, copyFirst: s.Type == gx2.Geometry && d.C.Bits(1) != 0,
		spare: uint32(d.Count(2, 300)),
	}
}

// lay gives shader binary i a layout.
func (d *drawing) lay(i int, p plan) *gx2.Layout {
	b := &d.f.Binaries[i]
	b.Layout = p.layout(&b.Shader, d.dataOffset(i))
	return b.Layout
}

// dataOffset returns where the data of a shader binary starts: behind the
// binaries before it, without the empty program list of a file of these alone.
func (d *drawing) dataOffset(i int) uint32 {
	before := sharcfb.File{Endian: d.f.Endian, Name: d.f.Name, Binaries: d.f.Binaries[:i]}
	b, err := before.AppendUnchecked(nil)
	if err != nil {
		panic(err)
	}
	const listHeader, recordHeader = 8, 0x10
	n := len(b) - listHeader + recordHeader
	if slack := d.f.Binaries[i].Slack; slack != nil {
		n += len(slack.Gap)
	}
	return uint32(n)
}
