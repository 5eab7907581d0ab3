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
	pointers  bitmap            // their positions; nil unless the entries are made from them
	strings   []uint32          // offset of each string of the pool
	written   map[uint32]blobID // large blobs that are in place
	record    [1]item           // the record being written
}

// sound checks that everything is inside the file.
func (f *File) sound(l *Layout) error {
	end := uint64(l.Strings)
	all := variationSize * uint64(len(f.Variations))
	if err := inside(uint64(l.Variations), all, end, owner{part: containerPart}); err != nil {
		return err
	}
	for x := range f.items(l) {
		if err := inside(x.off, x.size, end, x.owner); err != nil {
			return err
		}
		if x.owner.part == dictionaryPart {
			if err := x.names.Dictionaries[x.owner.kind].sound(uint64(len(l.StringPool))); err != nil {
				return err
			}
		}
	}
	for _, g := range l.Gaps {
		if err := inside(uint64(g.Offset), uint64(len(g.Bytes)), end, diag.Path{Field: "gap"}); err != nil {
			return err
		}
	}
	return inside(end, stringPoolSize(l.StringPool), uint64(l.Relocations), owner{part: stringPart})
}

// sound checks that all keys are among n strings.
func (d *DictionaryLayout) sound(n uint64) error {
	for i := range d.Nodes {
		if key := uint64(d.Nodes[i].Key); key >= n {
			return outside(key, 1, n, diag.Path{Field: "key"})
		}
	}
	return nil
}

// inside checks that n bytes at off end at most at end. P is a type parameter because
// the conversion to fmt.Stringer allocates, which only an error is worth.
func inside[P fmt.Stringer](off, n, end uint64, path P) error {
	if off <= end && n <= end-off {
		return nil
	}
	return outside(off, n, end, path)
}

// outside returns the error for n bytes at off that end after end.
func outside(off, n, end uint64, path fmt.Stringer) error {
	return fmt.Errorf("bnsh: %w: %s, %d bytes at 0x%x, ends after 0x%x", diag.ErrLayout, path, n, off, end)
}

// stringPoolSize returns the size of the string block up to the end of the last
// string.
func stringPoolSize(pool []Text) uint64 {
	n := uint64(stringsHeadSize)
	for _, s := range pool {
		n += stringSize(len(s))
	}
	return n
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

// write writes everything before the relocation table.
func (w *writer) write() {
	for _, g := range w.layout.Gaps {
		copy(w.B[g.Offset:], g.Bytes)
	}
	w.stringBlock()
	for x := range w.file.items(w.layout) {
		w.item(x)
		if w.pointers != nil {
			x.mark(w.pointers)
		}
	}
}

func (w *writer) stringBlock() {
	l := w.layout
	stringsRecord.Put(w.B[l.Strings:], []item{{layout: l}})
	w.strings = make([]uint32, len(l.StringPool))
	at := uint64(l.Strings) + stringsHeadSize
	for i, text := range l.StringPool {
		w.strings[i] = uint32(at)
		le.PutUint16(w.B[at:], uint16(len(text)))
		copy(w.B[at+2:], text)
		at += stringSize(len(text))
	}
}

// item writes an item.
func (w *writer) item(x *item) {
	b := w.B[x.off:]
	switch p := &parts[x.owner.part]; {
	case p.record != nil:
		w.record[0] = *x
		w.record[0].strings = w.strings
		p.record.Put(b, w.record[:])
	case x.bytes != nil:
		w.blob(uint32(x.off), x.bytes)
	}
	switch x.owner.part {
	case textPointersPart:
		textPointerRecord.Put(b, x.place.Texts)
	case textSizesPart:
		textSizeRecord.Put(b, x.code.Texts)
	case slotsPart:
		slotRecord.Put(b, x.stage.Slots)
	case dictionaryPart:
		w.entries(b[dictionaryHeadSize:], x.names.Dictionaries[x.owner.kind].Nodes)
	}
}

// entries writes the entries of a dictionary.
func (w *writer) entries(b []byte, nodes []Node) {
	entryRecord.Put(b, nodes)
	strings := w.strings
	for i := range nodes {
		le.PutUint64(b[keyAt:], uint64(strings[nodes[i].Key]))
		b = b[entrySize:]
	}
}

// appendRelocations appends the relocation table to the file, of which it is
// the end, and writes the file size, for which the size so far must be known.
func (l *Layout) appendRelocations(b []byte, start int) []byte {
	b = relocationRecord.Append(b, item{layout: l})
	var sections [numSections]sectionFields
	first := int32(0)
	for i := range sections {
		s := &l.Sections[i]
		sections[i] = sectionFields{s, first, int32(len(s.Entries))}
		first += sections[i].count
	}
	b = sectionRecord.Append(b, sections[:]...)
	for i := range l.Sections {
		b = relocationEntryRecord.Append(b, l.Sections[i].Entries...)
	}
	le.PutUint32(b[start+int(headerFileSizeAt):], uint32(len(b)-start))
	return b
}
