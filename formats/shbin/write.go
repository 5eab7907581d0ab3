package shbin

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// AppendBinary appends the file to b: at its stored layout, which gives back
// the bytes it was parsed from, or in the canonical layout when it has none or
// when a table no longer has the length it had there.
//
// The error wraps diag.ErrLayout when the stored layout contradicts itself or
// the tables, as when two DVLEs that share bytes no longer hold the same. It is
// a *diag.InvalidError when Parse would refuse the bytes, under the leniencies
// the file was parsed with. b is then returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) {
	out, err := f.AppendUnchecked(b)
	if err != nil {
		return b, err
	}
	written := out[len(b):]
	r := newReader(written, diag.Strict(ruleSet), f.Leniencies)
	if r.walk(); r.Failed() {
		return b, &diag.InvalidError{Format: "shbin", Findings: Check(written, f.Leniencies...)}
	}
	if !r.file.Equal(f) {
		return b, fmt.Errorf("shbin: the bytes read back differently: %w", diag.ErrLayout)
	}
	return out, nil
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes. It serves to build malformed files.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	layout, err := f.currentLayout()
	if err != nil {
		return b, err
	}
	return f.appendAt(b, layout)
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error {
	b, err := f.AppendBinary(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// currentLayout returns the stored layout if it fits, else the canonical one.
func (f *File) currentLayout() (*Layout, error) {
	if f.fits(f.Layout) {
		return f.Layout, nil
	}
	return f.canonicalLayout()
}

// fits reports whether the tables have the lengths that a layout says.
func (f *File) fits(l *Layout) bool {
	if l == nil || len(l.Entries) != len(f.Entries) {
		return false
	}
	for k, x := range l.extents() {
		if uint64(x.Count) != programColumns[k].count(&f.Program) {
			return false
		}
	}
	for i := range f.Entries {
		for k, x := range l.Entries[i].Tables {
			if uint64(x.Count) != tableColumns[k].count(&f.Entries[i].Tables) {
				return false
			}
		}
	}
	return true
}

// canonicalLayout returns the layout that picasso writes: DVLB, DVLP with a
// 40-byte header, code, descriptors, lines, file names; then the DVLEs in
// order, each with its tables in header order; every DVLE and the end of the
// file at a multiple of 4.
func (f *File) canonicalLayout() (*Layout, error) {
	l := &Layout{Entries: make([]EntryLayout, len(f.Entries))}
	at := uint64(programHeaderSize)
	for k, x := range l.extents() {
		n := programColumns[k].count(&f.Program)
		*x = Extent{uint32(at), uint32(n)}
		at += n * sections[codeSection+section(k)].size
	}
	if l.FileNames.Count == 0 {
		l.FileNames.Offset = 0
	}
	at = align4(l.program() + at)
	for i := range f.Entries {
		e := &l.Entries[i]
		e.Offset = uint32(at)
		running := uint64(entryHeaderSize)
		for k, table := range tableColumns {
			n := table.count(&f.Entries[i].Tables)
			e.Tables[k] = Extent{uint32(running), uint32(n)}
			running += n * sections[firstTable+section(k)].size
		}
		at = align4(at + running)
	}
	if at > math.MaxUint32 {
		return nil, fmt.Errorf("shbin: file of %d bytes: %w", at, diag.ErrLayout)
	}
	l.Size = at
	return l, nil
}

func align4(n uint64) uint64 { return (n + 3) &^ 3 }

// appendAt writes the file at a layout that fits it.
func (f *File) appendAt(b []byte, l *Layout) ([]byte, error) {
	spans := l.spans(nil)
	if err := l.sound(spans); err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(l.Size))[:start+int(l.Size)]
	out := b[start:]
	clear(out)
	for _, g := range l.Gaps {
		copy(out[g.Offset:], g.Bytes)
	}
	var end uint64
	for i, s := range spans {
		if s.off >= end {
			f.encode(out[s.off:s.end()], s, l)
			end = s.end()
			continue
		}
		if s.shares(spans[i-1]) && tableColumns[s.section-firstTable].isShared(&f.Entries[s.entry].Tables, &f.Entries[spans[i-1].entry].Tables) {
			continue
		}
		twin := make([]byte, s.len)
		f.encode(twin, s, l)
		common := min(end, s.end()) - s.off
		if !bytes.Equal(out[s.off:s.off+common], twin[:common]) {
			return b[:start], fmt.Errorf("shbin: %s disagrees with what else is at 0x%x: %w", s.place().Path, s.off, diag.ErrLayout)
		}
		copy(out[s.off+common:], twin[common:])
		end = max(end, s.end())
	}
	return b, nil
}

// sound checks that everything is inside the file and that the file is no
// larger than what is in it: a size that was made up would cost memory.
func (l *Layout) sound(spans []span) error {
	inside := func(off, n uint64) bool { return off <= l.Size && n <= l.Size-off }
	room := uint64(len(spans)) * 3 // padding
	for _, g := range l.Gaps {
		n := uint64(len(g.Bytes))
		if room += n; !inside(g.Offset, n) {
			return fmt.Errorf("shbin: gap at 0x%x leaves the file: %w", g.Offset, diag.ErrLayout)
		}
	}
	for _, s := range spans {
		if room += s.len; !inside(s.off, s.len) {
			return fmt.Errorf("shbin: %s at 0x%x leaves the file: %w", s.place().Path, s.off, diag.ErrLayout)
		}
	}
	if l.Size > room {
		return fmt.Errorf("shbin: file size is %d for %d bytes: %w", l.Size, room, diag.ErrLayout)
	}
	return nil
}

// encode writes one section to b, which has its size.
func (f *File) encode(b []byte, s span, l *Layout) {
	switch {
	case s.section == libraryHeader:
		l.encodeHeader(b)
	case s.section == programHeader:
		f.Program.encodeHeader(b, l)
	case s.section == entryHeader:
		f.Entries[s.entry].encodeHeader(b, &l.Entries[s.entry])
	case s.section >= firstTable:
		tableColumns[s.section-firstTable].encode(&f.Entries[s.entry].Tables, b)
	default:
		programColumns[s.section-codeSection].encode(&f.Program, b)
	}
}

func (l *Layout) encodeHeader(b []byte) {
	copy(b, "DVLB")
	put32(b[4:], uint32(len(l.Entries)))
	for i, e := range l.Entries {
		put32(b[libraryHeaderSize+4*i:], e.Offset)
	}
}

func (p *DVLP) encodeHeader(b []byte, l *Layout) {
	copy(b, "DVLP")
	put32(b[4:], p.Version, l.Code.Offset, l.Code.Count, l.Descriptors.Offset, l.Descriptors.Count, l.Lines.Offset)
	if !l.ShortHeader {
		put32(b[0x1C:], l.Lines.Count, l.FileNames.Offset, l.FileNames.Count)
	}
}

func (e *DVLE) encodeHeader(b []byte, l *EntryLayout) {
	copy(b, "DVLE")
	put16(b[0x04:], e.Version)
	b[0x06], b[0x07] = uint8(e.Type), e.Merge
	put32(b[0x08:], e.Entry, e.End)
	put16(b[0x10:], e.InputMask, e.OutputMask)
	g := e.Geometry.bytes()
	copy(b[0x14:], g[:])
	for k, x := range l.Tables {
		put32(b[0x18+8*k:], x.Offset, x.Count)
	}
}
