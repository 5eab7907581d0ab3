package bnsh

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// writer puts a file together at a layout of its shape, of which sound has
// found that everything is inside the file.
type writer struct {
	wire.View // everything in front of the relocation table
	file      *File
	layout    *Layout
	pointers  bitmap
	strings   []uint32          // offset of each string of the pool
	written   map[uint32]blobID // large blobs that are in place
}

// sound checks that everything is inside the file.
func (f *File) sound(l *Layout) error {
	var err error
	inside := func(off, n, end uint64, path fmt.Stringer) {
		if err == nil && (off > end || n > end-off) {
			err = fmt.Errorf("bnsh: %w: %s, %d bytes at 0x%x, ends after 0x%x", diag.ErrLayout, path, n, off, end)
		}
	}
	end := uint64(l.Strings)
	f.visit(l, func(off uint32, n uint64, o owner) { inside(uint64(off), n, end, o) })
	inside(uint64(l.Variations), variationSize*uint64(len(f.Variations)), end, owner{part: containerPart})
	for _, g := range l.Gaps {
		inside(uint64(g.Offset), uint64(len(g.Bytes)), end, diag.Path{Field: "gap"})
	}
	inside(end, stringPoolSize(l.StringPool), uint64(l.Relocations), owner{part: stringPart})
	for p := range f.programs(l) {
		for _, r := range p.layout.Reflections {
			if r == nil {
				continue
			}
			for _, d := range r.Dictionaries {
				for _, n := range d.Nodes {
					inside(uint64(n.Key), 1, uint64(len(l.StringPool)), diag.Path{Field: "key"})
				}
			}
		}
	}
	return err
}

// stringPoolSize returns the size of the string block without what follows the
// last string.
func stringPoolSize(pool []Text) uint64 {
	n := uint64(stringsHeadSize)
	for _, s := range pool {
		n += stringSize(len(s))
	}
	return n
}

func (w *writer) put8(off uint64, v uint8)   { w.B[off] = v }
func (w *writer) put16(off uint64, v uint16) { le.PutUint16(w.B[off:], v) }
func (w *writer) put32(off uint64, vs ...uint32) {
	for i, v := range vs {
		le.PutUint32(w.B[off+4*uint64(i):], v)
	}
}

// pointer writes a pointer.
func (w *writer) pointer(off uint64, target uint32) {
	le.PutUint64(w.B[off:], uint64(target))
	w.pointers.set(off)
}

// blob writes bytes, large ones once.
func (w *writer) blob(off uint32, b []byte) {
	if len(b) >= large {
		id := identify(b)
		if w.written[off] == id {
			return
		}
		if w.written == nil {
			w.written = make(map[uint32]blobID)
		}
		w.written[off] = id
	}
	copy(w.B[off:], b)
}

// write writes everything but the relocation table.
func (w *writer) write() {
	l := w.layout
	for _, g := range l.Gaps {
		copy(w.B[g.Offset:], g.Bytes)
	}
	w.stringBlock()
	w.header()
	w.container()
	k := 0
	for i := range w.file.Variations {
		v := uint64(l.Variations) + variationSize*uint64(i)
		w.pointer(v+variationParent, l.Container)
		for slot := range Slot(NumSlots) {
			program := w.file.Variations[i].Program(slot)
			if program == nil {
				w.pointer(v+8*uint64(slot), 0)
				continue
			}
			w.pointer(v+8*uint64(slot), l.Programs[k].Record)
			w.program(program, &l.Programs[k], uint32(v))
			k++
		}
	}
	if p := uint64(l.Pool.Record); p != 0 {
		if property := w.file.PoolProperty; property != nil {
			w.put32(p, *property)
		}
		w.put32(p+4, l.Pool.Size)
		w.pointer(p+8, l.Pool.Memory)
		w.pointer(p+0x20, l.Pool.Object)
	}
}

func (w *writer) stringBlock() {
	l := w.layout
	s := uint64(l.Strings)
	copy(w.B[s:], stringsSignature)
	w.put32(s+8, l.Relocations-l.Strings)
	w.put32(s+0x10, uint32(len(l.StringPool)-1))
	w.strings = make([]uint32, len(l.StringPool))
	at := s + stringsHeadSize
	for i, text := range l.StringPool {
		w.strings[i] = uint32(at)
		w.put16(at, uint16(len(text)))
		copy(w.B[at+2:], text)
		at += stringSize(len(text))
	}
}

func (w *writer) header() {
	h := &w.file.Header
	copy(w.B, fileSignature)
	w.put8(0x08, h.Version.Micro)
	w.put8(0x09, h.Version.Minor)
	w.put16(0x0A, h.Version.Major)
	w.put16(0x0C, byteOrderMark)
	w.put8(0x0E, h.AlignmentShift)
	w.put8(0x0F, h.AddressSize)
	w.put32(0x10, w.strings[w.layout.Name]+2)
	w.put16(0x16, uint16(w.layout.Container))
	w.put32(0x18, w.layout.Relocations)
}

func (w *writer) container() {
	h, l := &w.file.Header, w.layout
	c := uint64(l.Container)
	copy(w.B[c:], containerSignature)
	w.put32(c+4, l.Strings-l.Container, l.ContainerSize)
	w.put16(c+0x10, h.APIType)
	w.put16(c+0x12, h.APIVersion)
	w.put8(c+0x14, h.TargetCodeType)
	w.put32(c+0x18, h.CompilerVersion, uint32(len(w.file.Variations)))
	w.pointer(c+0x20, l.Variations)
	w.pointer(c+0x28, l.Pool.Record)
	le.PutUint64(w.B[c+0x30:], h.LowLevelCompilerVersion)
}

func (w *writer) program(p *Program, l *ProgramLayout, variation uint32) {
	x := uint64(l.Record)
	w.put8(x, uint8(p.Flags))
	w.put8(x+1, uint8(p.CodeType))
	w.put8(x+2, uint8(p.SourceFormat))
	w.put32(x+4, uint32(p.BinaryFormat))
	w.put32(x+0x60, p.ObjectSize)
	w.pointer(x+programObject, l.Object)
	w.pointer(x+programParent, variation)
	w.pointer(x+programReflection, l.Reflection)
	w.pointer(x+compilerReflection, 0)
	for s, code := range p.Stages {
		if code == nil {
			w.pointer(x+programStages+8*uint64(s), 0)
			continue
		}
		w.pointer(x+programStages+8*uint64(s), l.Stages[s].Record)
		w.code(p.form(), code, l.Stages[s])
	}
	if p.Reflection == nil {
		return
	}
	for s, r := range p.Reflection {
		at := uint64(l.Reflection) + 8*uint64(s)
		if r == nil {
			w.pointer(at, 0)
			continue
		}
		w.pointer(at, l.Reflections[s].Record)
		w.stageReflection(r, l.Reflections[s])
	}
}

func (w *writer) code(form form, code *Code, l *CodeLayout) {
	x := uint64(l.Record)
	switch form {
	case binaryForm:
		w.pointer(x+0x08, l.Control)
		w.pointer(x+0x10, l.Code)
		w.put32(x+0x18, uint32(len(code.Code)), uint32(len(code.Control)))
		w.pointer(x+0x20, 0)
		w.put32(x+0x28, code.ScratchRecommended, code.ScratchPerWarp)
		w.blob(l.Control, code.Control)
		w.blob(l.Code, code.Code)
	case packedForm:
		w.put32(x, uint32(len(code.Code)), code.UnpackedSize)
		w.pointer(x+0x08, l.Code)
		w.blob(l.Code, code.Code)
	case textForm:
		w.put16(x, uint16(len(code.Texts)))
		w.pointer(x+0x08, l.Sizes)
		w.pointer(x+0x10, l.Pointers)
		for i, text := range code.Texts {
			w.put32(uint64(l.Sizes)+4*uint64(i), uint32(len(text)))
			w.pointer(uint64(l.Pointers)+8*uint64(i), l.Texts[i])
			w.blob(l.Texts[i], text)
		}
	}
}

func (w *writer) stageReflection(r *StageReflection, l *StageReflectionLayout) {
	x := uint64(l.Record)
	for k := range r.kinds() {
		holder := l.holder(k)
		if k != Inputs {
			w.put32(holder+firstAt[k], uint32(r.Tables[k].First))
		}
		w.pointer(holder+dictionaryAt[k], l.Dictionaries[k].Offset)
		w.dictionary(&l.Dictionaries[k])
	}
	w.pointer(x+slotsAt, l.Slots)
	for i, slot := range r.Slots {
		w.put32(uint64(l.Slots)+4*uint64(i), uint32(slot))
	}
	w.put32(x+workGroupAt, r.WorkGroup[:]...)
	w.pointer(x+extensionAt, l.Extension)
}

func (w *writer) dictionary(l *DictionaryLayout) {
	if l.Offset == 0 {
		return
	}
	d := uint64(l.Offset)
	copy(w.B[d:], dictionarySignature)
	w.put32(d+4, uint32(len(l.Nodes)-1))
	for i, n := range l.Nodes {
		at := d + dictionaryHeadSize + entrySize*uint64(i)
		w.put32(at, uint32(n.Bit))
		w.put16(at+4, n.Left)
		w.put16(at+6, n.Right)
		w.pointer(at+8, w.strings[n.Key])
	}
}

// appendRelocations appends the relocation table to the file, of which it is
// the end, and writes the file size, for which the size so far must be known.
func (l *Layout) appendRelocations(b []byte, start int) []byte {
	b = append(b, relocationSignature...)
	b = le.AppendUint32(b, l.Relocations)
	b = le.AppendUint32(b, numSections)
	b = le.AppendUint32(b, 0)
	first := 0
	for i := range l.Sections {
		s := &l.Sections[i]
		b = le.AppendUint64(b, 0)
		b = le.AppendUint32(b, s.Position)
		b = le.AppendUint32(b, s.Size)
		b = le.AppendUint32(b, uint32(first))
		b = le.AppendUint32(b, uint32(len(s.Entries)))
		first += len(s.Entries)
	}
	for i := range l.Sections {
		b = relocationEntries.Append(b, l.Sections[i].Entries...)
	}
	le.PutUint32(b[start+0x1C:], uint32(len(b)-start))
	return b
}
