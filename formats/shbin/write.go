package shbin

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the file to b. It uses the stored layout, which reproduces
// the bytes of the parsed file. It uses the canonical layout when the file has no
// stored one, or when a table has another length than in the stored one.
//
// The error wraps diag.ErrLayout when the stored layout contradicts itself or the
// tables: for example, two DVLEs share the bytes of a table, but their tables
// differ. It is a *diag.InvalidError when Parse would refuse the bytes under the
// leniencies of the file. In both cases b is returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes. It serves to build malformed files.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	layout, err := f.currentLayout()
	if err != nil {
		return b, err
	}
	return f.appendAt(b, layout)
}

// Size returns the size of the layout that AppendUnchecked uses, or 0 if there is
// none. A caller checks it first, because a stored layout may ask for gigabytes of zeros.
func (f *File) Size() uint64 {
	layout, err := f.currentLayout()
	if err != nil {
		return 0
	}
	return layout.Size
}

// MarshalBinary is AppendBinary to a new slice.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// Regions returns the regions of the bytes that AppendUnchecked writes: fields,
// names, padding and gaps, from the first byte to the last. A table that several
// DVLEs share is listed for the first of them, and Also has the others. Other
// overlaps, which Parse refuses, go to the first structure. If the stored layout
// cannot be written, Regions uses the canonical layout.
func (f *File) Regions() []diag.Region {
	list := shell.Regions(f)
	if list == nil && f.Layout != nil {
		return shell.Regions(f.Canonical())
	}
	return list
}

// currentLayout returns the stored layout if it fits, else the canonical one.
func (f *File) currentLayout() (*Layout, error) {
	if f.fits(f.Layout) {
		return f.Layout, nil
	}
	return f.canonicalLayout()
}

// fits reports whether the tables have the lengths that are stored in a layout.
func (f *File) fits(l *Layout) bool {
	if l == nil || len(l.DVLEs) != len(f.DVLEs) {
		return false
	}
	for k, x := range l.extents() {
		if uint64(x.Count) != dvlpTables[k].Count(&f.DVLP) {
			return false
		}
	}
	for i := range f.DVLEs {
		for k, x := range l.DVLEs[i].Tables {
			if uint64(x.Count) != dvleTables[k].Count(&f.DVLEs[i].Tables) {
				return false
			}
		}
	}
	return true
}

// canonicalLayout returns the layout that picasso writes: the DVLB header; the DVLP
// header of 40 bytes, code, descriptors, lines, file names; then the DVLEs in
// order, each with its tables in header order. Every DVLE and the end of the file
// are at a multiple of 4. An empty table has the end of the table before it as its
// offset, but empty file names have 0.
func (f *File) canonicalLayout() (*Layout, error) {
	l := &Layout{DVLEs: make([]DVLELayout, len(f.DVLEs))}
	at := dvlpHeaderSize
	for k, x := range l.extents() {
		n := dvlpTables[k].Count(&f.DVLP)
		*x = Extent{Offset: uint32(at), Count: uint32(n)}
		at += n * dvlpTables[k].Size
	}
	if l.FileNames.Count == 0 {
		l.FileNames.Offset = 0
	}
	at = align4(l.dvlpOffset() + at)
	for i := range f.DVLEs {
		e := &l.DVLEs[i]
		e.Offset = uint32(at)
		running := uint64(dvleHeaderSize)
		for k, table := range dvleTables {
			n := table.Count(&f.DVLEs[i].Tables)
			e.Tables[k] = Extent{Offset: uint32(running), Count: uint32(n)}
			running += n * table.Size
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

// appendAt appends the file in layout l, which fits it. Spans may overlap if the
// bytes agree: a span that starts inside earlier ones is written to a buffer of
// its own and compared with their bytes.
func (f *File) appendAt(b []byte, l *Layout) ([]byte, error) {
	spans := l.spans(nil)
	if err := wire.CheckLayout("shbin", l.Size, spans, l.Gaps); err != nil {
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
		if s.Off >= end {
			f.encode(out[s.Off:s.End()], s, l)
			end = s.End()
			continue
		}
		if shares(s, spans[i-1]) {
			owner, previous := &f.DVLEs[s.Owner].Tables, &f.DVLEs[spans[i-1].Owner].Tables
			if dvleTables[s.Kind-dvleTableSpan].Shared(owner, previous) {
				continue
			}
		}
		own := make([]byte, s.Len)
		f.encode(own, s, l)
		common := min(end, s.End()) - s.Off
		if !bytes.Equal(out[s.Off:s.Off+common], own[:common]) {
			return b[:start], fmt.Errorf("shbin: %s disagrees with the bytes at 0x%x: %w",
				placeOf(s).Path, s.Off, diag.ErrLayout)
		}
		copy(out[s.Off+common:], own[common:])
		end = max(end, s.End())
	}
	return b, nil
}

// encode writes the header or table of one span to b, which has its size.
func (f *File) encode(b []byte, s wire.Span, l *Layout) {
	switch {
	case s.Kind == dvlbSpan:
		dvlbRecord.Put(b, []Layout{*l})
		offsetRecord.Put(b[dvlbHeaderSize:], l.DVLEs)
	case s.Kind == dvlpSpan:
		l.dvlpRecord().Put(b, []dvlpHeader{{&f.DVLP, l}})
	case s.Kind < dvleSpan:
		dvlpTables[s.Kind-dvlpTableSpan].Encode(&f.DVLP, b)
	case s.Kind == dvleSpan:
		dvleRecord.Put(b, []dvleHeader{{&f.DVLEs[s.Owner], &l.DVLEs[s.Owner]}})
	default:
		dvleTables[s.Kind-dvleTableSpan].Encode(&f.DVLEs[s.Owner].Tables, b)
	}
}
