package bnsh

import (
	"iter"

	"github.com/picaproof/picaproof/formats/wire"
)

// item is a record, table or blob of the block body, or the file header. It is also the model of a record: the fields
// of a record table read and write the parts of the file to which the item refers.
type item struct {
	owner owner
	at    *uint32  // its offset in the layout
	off   uint64   // its offset
	size  uint64   // in bytes
	bytes wire.Hex // if it is a blob

	file    *File
	layout  *Layout
	strings []uint32 // offset of each string of the pool; only the writer knows them

	slots   [NumSlots]uint32 // offsets of the programs of the variation
	program programRef       // the program that the item belongs to
	code    *Code            // the code that the item belongs to
	place   *CodeLayout
	stage   *StageReflection // the stage reflection that the item belongs to
	names   *StageReflectionLayout

	spot uint32 // the offset of a part that has none in the layout
}

// end returns the offset after the item.
func (x *item) end() uint64 { return x.off + x.size }

func (x *item) unplaced() *uint32 { return &x.spot }

// variationAt returns the offset of the variation. The layout has the offset of the first only.
func (x *item) variationAt() *uint32 {
	if x.owner.variation == 0 {
		return &x.layout.Variations
	}
	x.spot = x.layout.variation(x.owner.variation)
	return &x.spot
}

// These return the offset of a part in the layout.
func (x *item) containerAt() *uint32       { return &x.layout.Container }
func (x *item) programAt() *uint32         { return &x.program.layout.Record }
func (x *item) objectAt() *uint32          { return &x.program.layout.Object }
func (x *item) reflectionAt() *uint32      { return &x.program.layout.Reflection }
func (x *item) codeRecordAt() *uint32      { return &x.place.Record }
func (x *item) controlAt() *uint32         { return &x.place.Control }
func (x *item) codeAt() *uint32            { return &x.place.Code }
func (x *item) textPointersAt() *uint32    { return &x.place.Pointers }
func (x *item) textSizesAt() *uint32       { return &x.place.Sizes }
func (x *item) textAt() *uint32            { return &x.place.Texts[x.owner.index] }
func (x *item) stageReflectionAt() *uint32 { return &x.names.Record }
func (x *item) extensionAt() *uint32       { return &x.names.Extension }
func (x *item) dictionaryAt() *uint32      { return &x.dictionary().Offset }
func (x *item) slotsAt() *uint32           { return &x.names.Slots }
func (x *item) poolAt() *uint32            { return &x.layout.Pool.Record }
func (x *item) poolObjectAt() *uint32      { return &x.layout.Pool.Object }
func (x *item) poolMemoryAt() *uint32      { return &x.layout.Pool.Memory }

func (x *item) codeBytes() *wire.Hex          { return &x.code.Code }
func (x *item) texts() uint64                 { return uint64(len(x.code.Texts)) }
func (x *item) dictionary() *DictionaryLayout { return &x.names.Dictionaries[x.owner.index] }
func (x *item) keys() []Text                  { return x.stage.Tables[x.owner.index].Keys }

// property returns the property of the memory pool.
func (x *item) property() uint64 {
	if p := x.file.PoolProperty; p != nil {
		return uint64(*p)
	}
	return 0
}

// programRef is a program with its layout and its owner.
type programRef struct {
	*Program
	layout *ProgramLayout
	owner  owner
}

// programs yields every program in the order of variation and slot, with its layout unless l is nil. Else l must have
// as many.
func (f *File) programs(l *Layout) iter.Seq[programRef] {
	return func(yield func(programRef) bool) {
		k := 0
		for i := range f.Variations {
			for slot, program := range f.Variations[i].slots() {
				if program == nil {
					continue
				}
				p := programRef{Program: program, owner: owner{part: programPart, variation: int32(i), slot: Slot(slot)}}
				if l != nil {
					p.layout = &l.Programs[k]
				}
				if k++; !yield(p) {
					return
				}
			}
		}
	}
}

// items yields the file header and everything in the block body in the order of the canonical layout; shared blobs once
// for each pointer to them. The memory pool is not an item, the code in it is. An item is valid until the next one.
func (f *File) items(l *Layout) iter.Seq[*item] { return f.walk(l, placement[:]...) }

// walk yields the items of some groups.
func (f *File) walk(l *Layout, groups ...group) iter.Seq[*item] {
	return func(yield func(*item) bool) {
		w := walker{item: item{file: f, layout: l}, yield: yield}
		w.groups(groups)
	}
}

// walker is one walk over the items of a file.
type walker struct {
	item
	yield func(*item) bool
	done  bool
}

func (w *walker) groups(groups []group) {
	for i := range groups {
		g := &groups[i]
		switch first := g[anyForm][0]; parts[first[0]].scope {
		case fileScope:
			w.owner = owner{}
			w.emit(first)
		case variationScope:
			w.variations(first)
		default:
			for p := range w.file.programs(w.layout) {
				w.program = p
				w.runs(p, g[p.form()])
			}
		}
	}
}

func (w *walker) variations(run []part) {
	programs := w.layout.Programs
	for i := range w.file.Variations {
		w.owner.variation, w.slots = int32(i), [NumSlots]uint32{}
		for s, p := range w.file.Variations[i].slots() {
			if p != nil {
				w.slots[s], programs = programs[0].Record, programs[1:]
			}
		}
		w.emit(run)
	}
}

// runs yields the items of a program.
func (w *walker) runs(p programRef, runs [][]part) {
	for _, run := range runs {
		w.owner = p.owner
		switch parts[run[0]].scope {
		case programScope:
			w.emit(run)
		case stageScope:
			stages := &p.Stages
			for s := range stages {
				if stages[s] != nil {
					w.owner.stage, w.code, w.place = Stage(s), stages[s], p.layout.Stages[s]
					w.emit(run)
				}
			}
		case reflectionScope:
			if p.Reflection == nil {
				continue
			}
			for s, r := range p.Reflection {
				if r != nil {
					w.owner.stage, w.stage, w.names = Stage(s), r, p.layout.Reflections[s]
					w.emit(run)
				}
			}
		}
	}
}

// emit yields the items of a run that belong to the current program and stage, but none of size 0.
func (w *walker) emit(run []part) {
	for _, part := range run {
		p := &parts[part]
		w.owner.part = part
		if p.count == nil {
			w.one(p)
			continue
		}
		for i := range p.count(&w.item) {
			w.owner.index = int32(i)
			w.one(p)
		}
		w.owner.index = 0
	}
}

// one yields an item of a part, if the file has it.
func (w *walker) one(p *row) {
	if p.has != nil && !p.has(&w.item) {
		return
	}
	w.size = p.recordSize
	switch {
	case p.bytes != nil:
		w.bytes = *p.bytes(&w.item)
		w.size = uint64(len(w.bytes))
	case p.length != nil:
		w.size += p.elementSize * p.length(&w.item)
	}
	if w.size == 0 || w.done {
		return
	}
	w.at = p.at(&w.item)
	w.off = uint64(*w.at)
	w.done = !w.yield(&w.item)
}

// mark sets the positions of the pointers of an item in pointers.
func (x *item) mark(pointers bitmap) {
	p := &parts[x.owner.part]
	for _, at := range p.pointers {
		pointers.set(x.off + at)
	}
	for _, at := range p.elementPointers {
		pointers.setRow(x.off+p.recordSize+at, x.end(), p.elementSize)
	}
}
