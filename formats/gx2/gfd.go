package gx2

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// GFD holds the differences of a structure in a header block of a GFD file (.gsh): its pointers have tags, its code
// stands in blocks of its own, and the pointers to the code are null.
type GFD struct {
	Code      []byte // the program block; nil when it is not known
	CopyCode  []byte // the copy program block of a geometry shader; nil when it is not known
	WordsOnly bool   // only the structure is sound: tables and names are not read
}

// The tags in the high bits of the pointers of a GFD file.
const (
	tableTag  = 0xD06
	nameTag   = 0xCA7
	tagShift  = 20
	maxOffset = 1<<tagShift - 1
)

// offset returns the offset in a pointer. ok is false when it has another tag than
// wanted.
func (src *Source) offset(pointer, tag uint32) (off uint32, ok bool) {
	if src.GFD == nil {
		return pointer, true
	}
	return pointer & maxOffset, pointer>>tagShift == tag
}

func tagWanted(tag uint32) diag.Value {
	return diag.Value{Format: "a pointer with tag 0x%X", N: uint64(tag)}
}

// blocks reads code and copy program, which stand in blocks: GX2010, GX2011,
// GX2014, GSH061, GSH062.
func (w *walk) blocks(gfd *GFD) {
	w.shader.Code = w.block("GX2010", "code_size", "program", &w.layout.Program, gfd.Code)
	if w.form.copies {
		w.shader.CopyCode = w.block("GX2014", "copy_size", "copy_program", &w.layout.CopyProgram, gfd.CopyCode)
	}
}

// block compares size and pointer of code, which x has, with its block, whose
// extent x gets. id is the rule of an empty one. The size of a block that is not known stays.
func (w *walk) block(id, size, pointer string, x *Extent, code []byte) []byte {
	switch {
	case x.Count == 0:
		w.fail(id, w.field(size), diag.Text("> 0"), diag.Dec(0))
	case x.Count%8 != 0 && x == &w.layout.Program:
		w.Report("GX2011", w.field(size), diag.Text("a multiple of 8"), diag.Dec(uint64(x.Count)))
	}
	if x.Offset != 0 {
		w.fail("GSH061", w.field(pointer), diag.Dec(0), diag.Hex(uint64(x.Offset)))
	}
	if code != nil && uint64(x.Count) != uint64(len(code)) {
		w.fail("GSH062", w.field(size), diag.Dec(uint64(len(code))), diag.Dec(uint64(x.Count)))
	}
	if x.Offset = 0; code != nil {
		x.Count = uint32(len(code))
	}
	return code
}

// AppendGFD appends the data area of a header block: structure, tables and names,
// at the stored layout, or in the canonical one when the shader has none or no
// longer fits it. It returns the layout that it took. Rules are not checked.
//
// The error wraps diag.ErrInvalid when no bytes can hold the model,
// diag.ErrLayout when the stored layout does not fit into its size, and
// diag.ErrLimit when the data is longer than pointers reach.
func (w *Writer) AppendGFD(b []byte, s *Shader) ([]byte, *Layout, error) {
	if err := s.representable(); err != nil {
		return b, nil, err
	}
	w.names = s.appendNames(w.names[:0])
	names := w.names
	if l := s.Layout; s.fitsGFD(names) {
		if l.Size > maxOffset {
			return b, nil, tooLong(uint64(l.Size))
		}
		if err := l.inside(s.Type); err != nil {
			return b, nil, err
		}
		if out, agree := w.store(b, s, binary.BigEndian, l, names, true); agree {
			return out, l, nil
		}
	}
	l, err := s.gfdLayout(names)
	if err != nil {
		return b, nil, err
	}
	out, _ := w.store(b, s, binary.BigEndian, l, names, true)
	return out, l, nil
}

// fitsGFD reports whether the shader has a layout as in a GFD file, and everything
// the size that it says.
func (s *Shader) fitsGFD(names []wire.Text) bool {
	return s.fits(s.Layout, names) && s.Layout.Program.Offset == 0 && s.Layout.CopyProgram.Offset == 0
}

// GFDCanonical reports whether the data area has the canonical layout. The shader
// has a layout that it fits.
func (s *Shader) GFDCanonical() bool {
	l, at := s.Layout, uint32(structures[s.Type].size)
	for t, x := range l.Tables {
		if x.Count > 0 && x.Offset != at {
			return false
		}
		at += x.Count * uint32(tables[t].size)
	}
	for _, x := range l.Names {
		if x.Offset != at {
			return false
		}
		at += uint32(gfdNameSize(uint64(x.Count)))
	}
	return at == l.Size && len(l.Gaps) == 0
}

// GFDReaches reports whether the canonical data area is no longer than pointers
// reach.
func (s *Shader) GFDReaches() bool { return s.gfdSize(s.names()) <= maxOffset }

// MaxGFDSize returns how many bytes AppendGFD appends at most.
func (s *Shader) MaxGFDSize() uint64 {
	if s.representable() != nil {
		return 0
	}
	names := s.names()
	n := s.gfdSize(names)
	if s.fitsGFD(names) {
		n = max(n, uint64(s.Layout.Size))
	}
	return min(n, maxOffset)
}

// gfdLayout returns the canonical layout of a data area: structure, tables in the
// order of the structure, a name for every record, each from a multiple of 4 on.
func (s *Shader) gfdLayout(names []wire.Text) (*Layout, error) {
	l, err := s.newLayout(names)
	if err != nil {
		return nil, err
	}
	if size := s.gfdSize(names); size > maxOffset {
		return nil, tooLong(size)
	}
	at := uint32(structures[s.Type].size)
	for t, n := range s.counts() {
		if n > 0 {
			l.Tables[t] = Extent{Offset: at, Count: uint32(n)}
			at += uint32(n * tables[t].size)
		}
	}
	if len(names) > 0 {
		l.Names = make([]Extent, 0, len(names))
	}
	for _, name := range names {
		l.Names = append(l.Names, Extent{Offset: at, Count: uint32(len(name))})
		at += uint32(gfdNameSize(uint64(len(name))))
	}
	l.Size = at
	return l, nil
}

// gfdSize returns the size of the canonical layout.
func (s *Shader) gfdSize(names []wire.Text) uint64 {
	at := structures[s.Type].size
	for t, n := range s.counts() {
		at += n * tables[t].size
	}
	for _, name := range names {
		at += gfdNameSize(uint64(len(name)))
	}
	return at
}

// gfdNameSize returns the size of a name of a length with its NUL and the zeros behind it.
func gfdNameSize(length uint64) uint64 { return (length + 4) &^ 3 }

func tooLong(size uint64) error {
	return fmt.Errorf("gx2: data area of %d bytes, more than %d: %w", size, maxOffset, diag.ErrLimit)
}

// TablesEnd returns the offset behind the last table of a shader of the type; with
// no tables that is the end of the structure.
func (l *Layout) TablesEnd(t Type) uint32 {
	end := structures[t].size
	for t, x := range l.Tables {
		if x.Count > 0 {
			end = max(end, x.End(tables[t].size))
		}
	}
	return uint32(end)
}

// AppendPointers appends where the pointers of a shader of the type stand in its
// data: one word for each table, 0 for an empty one, then one for each name. names
// is the index of the first of these.
func (l *Layout) AppendPointers(list []uint32, t Type) (all []uint32, names int) {
	form := &structures[t]
	for t := range form.numTables {
		at := uint32(0)
		if l.Tables[t].Count > 0 {
			at = form.pointers[t]
		}
		list = append(list, at)
	}
	names = len(list)
	for t := range form.numTables {
		if !tables[t].named {
			continue
		}
		for i := range l.Tables[t].Count {
			list = append(list, l.Tables[t].Offset+uint32(tables[t].size)*i)
		}
	}
	return list, names
}

// TablePlace is the place of table t of a shader that stands at off. prefix is that
// of its path.
func (l *Layout) TablePlace(t int, off uint64, prefix string) diag.Place {
	x := l.Tables[t]
	return diag.Place{Off: off + uint64(x.Offset), Len: uint64(x.Count) * tables[t].size,
		Path: diag.Path{Prefix: prefix, Field: tables[t].name}}
}

// RecordPlace is the place of the record with name i, or of one of its fields, of a
// shader that stands at off.
func (l *Layout) RecordPlace(i int, off uint64, prefix, field string) diag.Place {
	t, k := l.owner(uint32(i))
	at := off + uint64(l.Tables[t].Offset) + tables[t].size*uint64(k)
	return tables[t].fields.At(at, diag.Path{Prefix: prefix, Table: tables[t].name, Index: k, Field: field})
}

// TablePointerPlace is the place of the pointer to table i of a shader that stands
// at off.
func (t Type) TablePointerPlace(i int, off uint64, prefix string) diag.Place {
	return structures[t].At(off, diag.Path{Prefix: prefix, Field: tables[i].pointer})
}
