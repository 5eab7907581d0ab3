package zpsh

import (
	"fmt"
	"io"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// AppendBinary appends the file to b. An unchanged file gives the parsed bytes.
// Sections, counts, masks and offsets are computed from the model, and so is the hash
// unless Layout.Hash gives another.
//
// The error wraps diag.ErrLayout when the layout does not fit the revision and the
// entries, or the bytes read back as another model, and diag.ErrInvalid when a file
// cannot hold the model. It is a *diag.InvalidError when
// Parse would refuse the bytes. On error b is returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// AppendUnchecked is AppendBinary without reading the bytes again, so Parse may refuse
// them or return another model; it serves to build malformed files. It refuses a model that a file cannot hold.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	if err := f.representable(); err != nil {
		return b, err
	}
	l := f.layout()
	start := len(b)
	p := f.place()
	b = slices.Grow(b, int(f.size()))[:start+int(p.area)]
	head := b[start:]
	clear(head)
	f.putHeader(head, p)
	gaps := l.Gaps
	header := make([]entryHeader, 1)
	for i := range f.Entries {
		if len(gaps) > 0 && gaps[0].Entry == i {
			b = append(b, gaps[0].Bytes...)
			gaps = gaps[1:]
		}
		if f.Revision.hasTable() {
			le.PutUint32(head[p.offsets+4*uint64(i):], uint32(len(b)-start-int(p.area)))
		}
		b = f.Entries[i].append(b, f.Revision, header)
	}
	return append(b, l.Tail...), nil
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// Regions returns the owner of every byte that AppendUnchecked writes, in the order of
// the file, or nil if it writes nothing.
func (f *File) Regions() []diag.Region { return shell.Regions(f) }

func (f *File) layout() *Layout {
	if f.Layout == nil {
		return new(Layout)
	}
	return f.Layout
}

// size returns the number of bytes of the file.
func (f *File) size() uint64 {
	n := f.place().area + uint64(len(f.layout().Tail))
	for _, g := range f.layout().Gaps {
		n += uint64(len(g.Bytes))
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		n += f.Revision.entrySize() + intSize*uint64(len(e.Ints)) +
			floatSize*uint64(len(e.Floats)) + mapSize*uint64(len(e.Outputs))
	}
	return n
}

// representable checks that a file can hold the model.
func (f *File) representable() error {
	for _, x := range [...]struct {
		what        string
		n, min, max int
	}{
		{"header words", int(f.Revision), int(R3), 0xFF},
		{"entries", len(f.Entries), 0, maxEntries},
		{"instructions", len(f.Code), 1, pica.MaxCode},
		{"descriptors", len(f.Descriptors), 0, 0xFF},
		{"bytes of strings", len(f.Strings), 0, maxStrings},
	} {
		if x.n < x.min || x.n > x.max {
			return invalid("%d %s, want %d to %d", x.n, x.what, x.min, x.max)
		}
	}
	if len(f.Strings)%4 != 0 {
		return invalid("%d bytes of strings, want a multiple of 4", len(f.Strings))
	}
	for i := range f.Entries {
		if err := f.Entries[i].representable(f.Revision); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	return f.layoutFits()
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("zpsh: %w: %s", diag.ErrInvalid, fmt.Sprintf(format, args...))
}

// layoutFits checks that the layout has only fields of the revision, an extra header of
// the right size, and gaps of whole words in front of entries, in ascending order.
func (f *File) layoutFits() error {
	l := f.layout()
	extra := max(int(f.Revision), int(R4)) - int(R4)
	if len(l.ExtraHeader) != 4*extra {
		return fmt.Errorf("zpsh: %d bytes of extra header in %v: %w", len(l.ExtraHeader), f.Revision, diag.ErrLayout)
	}
	if !f.Revision.hasTable() && (l.Hash != nil || len(l.Gaps) > 0) {
		return fmt.Errorf("zpsh: a hash or a gap in %v: %w", f.Revision, diag.ErrLayout)
	}
	previous := -1
	for _, g := range l.Gaps {
		if g.Entry <= previous || g.Entry >= len(f.Entries) || len(g.Bytes) == 0 || len(g.Bytes)%4 != 0 {
			return fmt.Errorf("zpsh: gap of %d bytes before entry %d: %w", len(g.Bytes), g.Entry, diag.ErrLayout)
		}
		previous = g.Entry
	}
	return nil
}

// representable checks that the registers of each list exist and ascend, that floats
// have 24 bits, and that fields which the revision lacks are zero.
func (e *Entry) representable(r Revision) error {
	if !r.hasTable() && e.R4Header != (R4Header{}) {
		return invalid("flags or a header size in %v", r)
	}
	if err := ascending("int", e.Ints, pica.NumInts, func(v Int) uint8 { return v.Register }); err != nil {
		return err
	}
	if err := ascending("float", e.Floats, pica.NumFloats, func(v Float) uint8 { return v.Register }); err != nil {
		return err
	}
	for _, v := range e.Floats {
		if w := v.Value; (w[0]|w[1]|w[2]|w[3])>>24 != 0 {
			return invalid("float c%d has more than 24 bits: %x", v.Register, w)
		}
	}
	return ascending("output", e.Outputs, pica.NumOutputs, func(v Output) uint8 { return v.Register })
}

func ascending[T any](what string, list []T, registers int, register func(T) uint8) error {
	next := 0
	for _, v := range list {
		n := int(register(v))
		if n < next || n >= registers {
			return invalid("%s register %d, want %d to %d", what, n, next, registers-1)
		}
		next = n + 1
	}
	return nil
}

// putHeader writes everything before the entry area but the offset table, which
// AppendUnchecked fills.
func (f *File) putHeader(b []byte, p places) {
	l := f.layout()
	counts := uint32(len(f.Entries)) | uint32(len(f.Code)-1)<<12 | uint32(len(f.Descriptors))<<24
	headerRecord.Put(b, []fileHeader{{f, counts, uint16(len(f.Strings) / 4)}})
	shbin.WordRecord.Put(b[p.code:], f.Code)
	descriptorRecord.Put(b[p.descriptors:], f.Descriptors)
	copy(b[p.strings:], f.Strings)
	if !f.Revision.hasTable() {
		return
	}
	sum := hash(b[p.code:p.strings])
	if l.Hash != nil {
		sum = *l.Hash
	}
	le.PutUint32(b[0x0C:], sum)
	copy(b[0x10:p.offsets], l.ExtraHeader)
}

// masks returns the masks of the registers that have a payload.
func (e *Entry) masks() (m masks) {
	for _, v := range e.Ints {
		m.ints |= 1 << v.Register
	}
	for _, v := range e.Floats {
		m.floats[v.Register/32] |= 1 << (v.Register % 32)
	}
	for _, v := range e.Outputs {
		m.outputs |= 1 << v.Register
	}
	return m
}

// append appends the header and the payload. header is memory for one header.
func (e *Entry) append(b []byte, r Revision, header []entryHeader) []byte {
	m := e.masks()
	header[0] = entryHeader{e, m.ints, m.floats, uint32(m.outputs) | uint32(e.OutputReserved)<<16}
	b = r.entryRecord().Append(b, header...)
	b = intRecord.Append(b, e.Ints...)
	for _, v := range e.Floats {
		b = appendFloat(b, v.Value)
	}
	return mapRecord.Append(b, e.Outputs...)
}
