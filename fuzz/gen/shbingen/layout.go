package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
)

// Sizes of the headers and of the entries of the tables, as in the notes of
// package shbin.
const (
	libraryHeaderSize = 8
	offsetSize        = 4
	programHeaderSize = 0x28
	entryHeaderSize   = 0x40
)

// program is the owner of the tables of the DVLP.
const program = -1

// block is a header of a DVLE or a table that is not empty.
type block struct {
	owner  int           // the DVLE, or program
	extent *shbin.Extent // nil for a header
	size   uint32
	bytes  bool // counted in bytes, so that it may start anywhere
}

// arrange draws where everything is, unless that is known: every second time as
// the writer does, else in any order in which DVLEs ascend and each precedes
// its tables, with no more than padding between.
func (d *draft) arrange() {
	if d.m.Layout != nil || d.c.Chance(8) {
		return
	}
	l := &shbin.Layout{Entries: make([]shbin.EntryLayout, len(d.m.Entries))}
	d.m.Layout = l
	base := uint32(libraryHeaderSize + offsetSize*len(d.m.Entries))
	at, next := base+programHeaderSize, 0 // next is the next DVLE
	for blocks := d.blocks(l); len(blocks) > 0; {
		i := d.c.Below(len(blocks))
		b := blocks[i]
		if b.extent == nil && b.owner != next || b.extent != nil && b.owner >= next {
			i = 0 // the first block in the writer's order can always stand next
			b = blocks[0]
		}
		blocks = slices.Delete(blocks, i, i+1)
		if !b.bytes || d.c.Chance(8) {
			at = align4(at)
		}
		switch {
		case b.extent == nil:
			l.Entries[b.owner].Offset = at
			next++
		case b.owner == program:
			b.extent.Offset = at - base
		default:
			b.extent.Offset = at - l.Entries[b.owner].Offset
		}
		at += b.size
	}
	l.Size = uint64(align4(at))
	d.placeEmpty(l)
}

func align4(n uint32) uint32 { return (n + 3) &^ 3 }

// blocks returns the blocks in the order of the writer, and sets the counts.
func (d *draft) blocks(l *shbin.Layout) (list []block) {
	p := &d.m.Program
	table := func(owner int, x *shbin.Extent, count int, size uint32) {
		if x.Count = uint32(count); count > 0 {
			list = append(list, block{owner, x, x.Count * size, size == 1})
		}
	}
	table(program, &l.Code, len(p.Code), 4)
	table(program, &l.Descriptors, len(p.Descriptors), 8)
	table(program, &l.Lines, len(p.Lines), 8)
	table(program, &l.FileNames, len(p.FileNames), 1)
	for i := range d.m.Entries {
		list = append(list, block{owner: i, size: entryHeaderSize})
		x := &l.Entries[i].Tables
		for k, n := range counts(&d.m.Entries[i]) {
			table(i, &x[k], n, tableSizes[k])
		}
	}
	return list
}

// tableSizes are the sizes of the entries of constants, labels, outputs,
// uniforms and symbols.
var tableSizes = [...]uint32{0x14, 0x10, 8, 8, 1}

func counts(e *shbin.DVLE) [5]int {
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
	for i := range l.Entries {
		running := uint32(entryHeaderSize)
		for k := range l.Entries[i].Tables {
			x := &l.Entries[i].Tables[k]
			if x.Count == 0 {
				x.Offset = running
			} else {
				running = x.Offset + x.Count*tableSizes[k]
			}
		}
	}
}
