package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
)

// Sizes of the headers and of the entries of the tables, as in the notes of
// package shbin.
const (
	dvlbHeaderSize  = 8
	offsetSize      = 4
	dvlpHeaderSize  = 0x28
	shortHeaderSize = 0x1C
	dvleHeaderSize  = 0x40
)

// dvlp is the owner of the tables of the DVLP.
const dvlp = -1

// block is a header of a DVLE or a table that is not empty.
type block struct {
	owner  int           // the DVLE, or dvlp
	extent *shbin.Extent // nil for a header
	size   uint32
	bytes  bool // counted in bytes, so that it may start anywhere
}

// canFollow reports whether the block may stand where next is the next DVLE.
func (b block) canFollow(next int) bool {
	return b.extent == nil && b.owner == next || b.extent != nil && b.owner < next
}

// plan asks for a layout that no known writer makes.
type plan struct {
	first uint32 // where the first block is, if that is inside a DVLP header of 40 bytes
	odd   bool   // the last table of the last DVLE ends the file, without padding
	parts []part
	gap   *gap // bytes that belong to nothing
}

// part is a table of a DVLE that is part of the same table of a later DVLE,
// from one of its entries on.
type part struct{ owner, table, of, from int }

// gap is a run of at least size bytes in front of a block, or behind the last
// one: zeros that are no padding, or anything else.
type gap struct {
	tail bool
	zero bool
	size uint32
	off  uint32 // set by layout
	n    int    // as well: the bytes of it
}

// arrange leaves the layout to the writer, or draws one.
func (d *draft) arrange() {
	if d.m.Layout == nil && !d.c.Chance(8) {
		d.m.Layout = d.layout(plan{})
	}
}

// layout draws where everything is: in any order in which DVLEs ascend and each
// precedes its tables.
func (d *draft) layout(p plan) *shbin.Layout {
	l := &shbin.Layout{ShortHeader: p.first > 0, DVLEs: make([]shbin.DVLELayout, len(d.m.DVLEs))}
	base, at := d.base(), d.base()+dvlpHeaderSize
	if l.ShortHeader {
		at = base + p.first
	}
	next := 0 // the next DVLE
	blocks := d.blocks(l, p.parts)
	before := d.c.Below(len(blocks)) // the block behind the gap
	for placed := 0; len(blocks) > 0; placed++ {
		i := d.c.Below(len(blocks))
		if !blocks[i].canFollow(next) || p.odd && i == len(blocks)-1 {
			i = 0 // the first in the writer's order always can
		}
		b := blocks[i]
		blocks = slices.Delete(blocks, i, i+1)
		aligned := !b.bytes || p.odd || d.c.Chance(8)
		if p.gap != nil && !p.gap.tail && placed == before {
			at = d.open(p.gap, l, at, aligned)
		}
		if aligned {
			at = align4(at)
		}
		switch {
		case b.extent == nil:
			l.DVLEs[b.owner].Offset = at
			next++
		case b.owner == dvlp:
			b.extent.Offset = at - base
		default:
			b.extent.Offset = at - l.DVLEs[b.owner].Offset
		}
		at += b.size
	}
	if p.gap != nil && p.gap.tail {
		at = d.open(p.gap, l, at, true)
	}
	if l.Size = uint64(at); !p.odd {
		l.Size = uint64(align4(at))
	}
	for _, part := range p.parts {
		part.place(l)
	}
	d.placeEmpty(l)
	return l
}

// base returns the offset of the DVLP.
func (d *draft) base() uint32 { return uint32(dvlbHeaderSize + offsetSize*len(d.m.DVLEs)) }

// place lets the part be where it belongs.
func (p part) place(l *shbin.Layout) {
	owner, of := &l.DVLEs[p.owner], &l.DVLEs[p.of]
	owner.Tables[p.table].Offset = of.Offset + of.Tables[p.table].Offset +
		uint32(p.from)*tableSizes[p.table] - owner.Offset
}

// open leaves a gap, one that is no padding, and returns its end.
func (d *draft) open(g *gap, l *shbin.Layout, at uint32, aligned bool) uint32 {
	g.off = at
	at += g.size
	if aligned {
		at = align4(at)
	}
	if n := at - g.off; g.zero && n < 4 && at%4 == 0 {
		at += 4
	}
	b := make([]byte, at-g.off)
	if !g.zero {
		for i := range b {
			b[i] = uint8(d.c.Bits(8))
		}
		b[d.c.Below(len(b))] |= 1 << d.c.Bits(3)
	}
	g.n = len(b)
	l.Gaps = append(l.Gaps, shbin.Gap{Offset: uint64(g.off), Bytes: b})
	return at
}

func align4(n uint32) uint32 { return (n + 3) &^ 3 }

// blocks returns the blocks in the order of the writer, and sets the counts.
// A table that is part of another has none.
func (d *draft) blocks(l *shbin.Layout, parts []part) (list []block) {
	p := &d.m.DVLP
	table := func(owner int, x *shbin.Extent, count int, size uint32) {
		if x.Count = uint32(count); count > 0 {
			list = append(list, block{owner, x, x.Count * size, size == 1})
		}
	}
	table(dvlp, &l.Code, len(p.Code), 4)
	table(dvlp, &l.Descriptors, len(p.Descriptors), 8)
	table(dvlp, &l.Lines, len(p.Lines), 8)
	table(dvlp, &l.FileNames, len(p.FileNames), 1)
	for i := range d.m.DVLEs {
		list = append(list, block{owner: i, size: dvleHeaderSize})
		x := &l.DVLEs[i].Tables
		for k, n := range counts(&d.m.DVLEs[i]) {
			if slices.ContainsFunc(parts, func(p part) bool { return p.owner == i && p.table == k }) {
				x[k].Count = uint32(n)
			} else {
				table(i, &x[k], n, tableSizes[k])
			}
		}
	}
	return list
}

// The tables of a DVLE, in the order of its header.
const (
	constantTable = iota
	labelTable
	outputTable
	uniformTable
	symbolTable
	numTables
)

var (
	tableNames = [numTables]string{"constants", "labels", "outputs", "uniforms", "symbols"}
	tableSizes = [numTables]uint32{0x14, 0x10, 8, 8, 1}
)

func counts(e *shbin.DVLE) [numTables]int {
	return [...]int{len(e.Constants), len(e.Labels), len(e.Outputs), len(e.Uniforms), len(e.Symbols)}
}

// placeEmpty draws the offsets of empty tables, as far as they are free.
func (d *draft) placeEmpty(l *shbin.Layout) {
	if l.Descriptors.Count == 0 && d.c.Chance(4) {
		l.Descriptors.Offset = uint32(d.c.Bits(32))
	}
	end := l.Descriptors.Offset + 8*l.Descriptors.Count
	for _, x := range []*shbin.Extent{&l.Lines, &l.FileNames} {
		if x.Count == 0 && d.c.Chance(8) {
			x.Offset = end
		}
	}
	for i := range l.DVLEs {
		running := uint32(dvleHeaderSize)
		for k := range l.DVLEs[i].Tables {
			x := &l.DVLEs[i].Tables[k]
			if x.Count == 0 {
				x.Offset = running
			} else {
				running = x.Offset + x.Count*tableSizes[k]
			}
		}
	}
}
