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
	bytes wire.Hex // of a blob

	file    *File
	layout  *Layout
	strings []uint32 // offset of each string of the pool; only the writer knows them

	programs []ProgramLayout // of a variation, in the order of its slots
	program  programRef      // the program that the item belongs to
	code     *Code           // the code that the item belongs to
	place    *CodeLayout
	stage    *StageReflection // the stage reflection that the item belongs to
	names    *StageReflectionLayout
}

// end returns the offset after the item.
func (x *item) end() uint64 { return x.off + x.size }

// programAt returns the offset of a program of the variation, or 0.
func (x *item) programAt(slot Slot) uint32 {
	v, next := &x.file.Variations[x.owner.variation], 0
	for s := range slot {
		if v.Program(s) != nil {
			next++
		}
	}
	if v.Program(slot) == nil {
		return 0
	}
	return x.programs[next].Record
}

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

// programs yields every program in the order of variation and slot. The layout
// must have as many.
func (f *File) programs(l *Layout) iter.Seq[programRef] {
	return func(yield func(programRef) bool) {
		k := 0
		for i := range f.Variations {
			for slot := range Slot(NumSlots) {
				p := f.Variations[i].Program(slot)
				if p == nil {
					continue
				}
				if !yield(programRef{p, &l.Programs[k], owner{part: programPart, variation: int32(i), slot: slot}}) {
					return
				}
				k++
			}
		}
	}
}

// items yields the file header and everything in the block body, by kind in the
// order of the canonical layout; shared blobs once for each pointer to them.
// The memory pool is not an item, the code in it is. Items without an offset
// are left out. An item is valid until the next one.
//
// Layout, writer, regions and the checks of places use this walk.
func (f *File) items(l *Layout) iter.Seq[*item] {
	return func(yield func(*item) bool) {
		w := walker{item: item{file: f, layout: l}, yield: yield}
		w.emit(headerPart, &w.spot, headerSize)
		w.emit(containerPart, &l.Container, containerSize)
		w.variations()
		for p := range f.programs(l) {
			w.records(p)
		}
		w.owner = owner{}
		if l.Pool.Record != 0 {
			w.emit(poolPart, &l.Pool.Record, poolSize)
		}
		if l.Pool.Object != 0 {
			w.emit(poolObjectPart, &l.Pool.Object, poolObjectSize)
		}
		for p := range f.programs(l) {
			w.owner, w.program = p.owner, p
			if p.layout.Object != 0 {
				w.emit(objectPart, &p.layout.Object, uint64(p.ObjectSize))
			}
		}
		w.binaryCodes(func() { w.blob(codePart, &w.place.Code, w.code.Code) })
	}
}

// binaryCodes yields the record of every plain binary code.
func (f *File) binaryCodes(l *Layout) iter.Seq[*item] {
	return func(yield func(*item) bool) {
		w := walker{item: item{file: f, layout: l}, yield: yield}
		w.binaryCodes(func() { w.emit(binaryCodePart, &w.place.Record, uint64(binaryCodeRecord.Bytes)) })
	}
}

// records yields the items of all programs that are neither object memory nor
// code in the memory pool, placed or not.
func (f *File) records(l *Layout) iter.Seq[*item] {
	return func(yield func(*item) bool) {
		w := walker{item: item{file: f, layout: l}, yield: yield}
		for p := range f.programs(l) {
			w.records(p)
		}
	}
}

// walker is one walk over the items of a file.
type walker struct {
	item
	yield func(*item) bool
	done  bool
	spot  uint32 // the offset of an item that has none in the layout
}

// emit yields an item of the current program and stage, unless its size is 0.
func (w *walker) emit(p part, at *uint32, size uint64) {
	if size == 0 || w.done {
		return
	}
	w.owner.part, w.at, w.off, w.size = p, at, uint64(*at), size
	w.done = !w.yield(&w.item)
}

// blob yields a blob.
func (w *walker) blob(p part, at *uint32, b wire.Hex) {
	w.bytes = b
	w.emit(p, at, uint64(len(b)))
	w.bytes = nil
}

func (w *walker) variations() {
	w.programs = w.layout.Programs
	for i := range w.file.Variations {
		w.owner.variation = int32(i)
		w.spot = w.layout.variation(int32(i))
		w.emit(variationPart, &w.spot, variationSize)
		w.programs = w.programs[w.file.Variations[i].programs():]
	}
}

// records yields the records, tables and blobs of a program.
func (w *walker) records(p programRef) {
	w.owner, w.program = p.owner, p
	w.emit(programPart, &p.layout.Record, programSize)
	record := &codeRecords[p.form()]
	w.stages(p, func() { w.emit(record.part, &w.place.Record, record.size) })
	if p.Reflection != nil {
		w.emit(reflectionPart, &p.layout.Reflection, reflectionSize)
	}
	w.stages(p, func() {
		switch p.form() {
		case binaryForm:
			w.blob(controlPart, &w.place.Control, w.code.Control)
		case packedForm:
			w.blob(packedPart, &w.place.Code, w.code.Code)
		case textForm:
			w.texts()
		}
	})
	if p.Reflection == nil {
		return
	}
	w.reflections(p, func() {
		w.emit(stageReflectionPart, &w.names.Record, stageReflectionSize)
		if w.stage.Extended {
			w.emit(extensionPart, &w.names.Extension, extensionSize)
		}
	})
	w.reflections(p, func() {
		for k := range w.stage.kinds() {
			d, keys := &w.names.Dictionaries[k], len(w.stage.Tables[k].Keys)
			if d.Offset != 0 || keys > 0 {
				w.owner.kind = k
				w.emit(dictionaryPart, &d.Offset, dictionarySize(keys))
			}
		}
		w.owner.kind = 0
		w.emit(slotsPart, &w.names.Slots, uint64(slotRecord.Bytes*len(w.stage.Slots)))
	})
}

// binaryCodes calls each for every stage with plain binary code.
func (w *walker) binaryCodes(each func()) {
	for p := range w.file.programs(w.layout) {
		if p.form() == binaryForm {
			w.stages(p, each)
		}
	}
}

// stages calls each for every stage of a program that has code.
func (w *walker) stages(p programRef, each func()) {
	w.owner, w.program = p.owner, p
	for s, code := range p.Stages {
		if code != nil {
			w.owner.stage, w.code, w.place = Stage(s), code, p.layout.Stages[s]
			each()
		}
	}
}

// reflections calls each for every stage of a program that has a reflection.
func (w *walker) reflections(p programRef, each func()) {
	w.owner = p.owner
	for s, r := range p.Reflection {
		if r != nil {
			w.owner.stage, w.stage, w.names = Stage(s), r, p.layout.Reflections[s]
			each()
		}
	}
}

// texts yields the tables and texts of a source array.
func (w *walker) texts() {
	n := len(w.code.Texts)
	w.emit(textPointersPart, &w.place.Pointers, uint64(n*textPointerRecord.Bytes))
	w.emit(textSizesPart, &w.place.Sizes, uint64(n*textSizeRecord.Bytes))
	for i, text := range w.code.Texts {
		w.owner.index = int32(i)
		w.blob(textPart, &w.place.Texts[i], text)
	}
	w.owner.index = 0
}

// mark sets the positions of the pointers of an item in pointers.
func (x *item) mark(pointers bitmap) {
	p := &parts[x.owner.part]
	for _, at := range p.pointers {
		pointers.set(x.off + at)
	}
	if len(p.elementPointers) == 0 {
		return
	}
	start, step := x.off+p.fields.Size(), p.elements.Size()
	for _, at := range p.elementPointers {
		pointers.setRow(start+at, x.end(), step)
	}
}
