package gx2

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Writer writes shaders. It keeps memory from one to the next.
type Writer struct {
	names []wire.Text
	fixed [1]fixed // the model of the structure
}

// Append appends the data of a shader that starts at offset off of the
// file: at its stored layout, or in the canonical one when it has none, when a
// table, a name or the code no longer has the size it had there, when names that
// share bytes no longer agree, or when the code would not be aligned at off.
// Rules are not checked.
//
// The error wraps diag.ErrInvalid when no bytes can hold the model,
// diag.ErrLayout when the stored layout does not fit into its size, and
// diag.ErrLimit when the canonical layout would be too long.
func (w *Writer) Append(b []byte, s *Shader, order binary.ByteOrder, off uint64) ([]byte, error) {
	if err := s.representable(); err != nil {
		return b, err
	}
	w.names = s.appendNames(w.names[:0])
	names := w.names
	if l := s.Layout; s.fits(l, names) && l.aligned(off) {
		if err := l.inside(s.Type, l.Program, l.CopyProgram); err != nil {
			return b, err
		}
		if out, agree := w.store(b, s, order, l, names, false); agree {
			return out, nil
		}
	}
	l, err := s.canonicalLayout(off, names)
	if err != nil {
		return b, err
	}
	out, _ := w.store(b, s, order, l, names, false)
	return out, nil
}

// MaxSize returns how many bytes [Writer.Append] appends at most, at any offset of
// the file; 0 if it fails.
func (s *Shader) MaxSize() uint64 {
	if s.representable() != nil {
		return 0
	}
	names := s.names()
	n := s.canonicalSize(0, names) + 2*codeAlign
	if s.fits(s.Layout, names) {
		n = max(n, uint64(s.Layout.Size))
	}
	return n
}

// invalid is the error of a model that no bytes can hold.
func (s *Shader) invalid(format string, args ...any) error {
	return fmt.Errorf("gx2: %s shader %s: %w", s.Type, fmt.Sprintf(format, args...), diag.ErrInvalid)
}

// representable refuses a shader that no structure can hold.
func (s *Shader) representable() error {
	if !s.Type.Known() {
		return s.invalid("has no structure")
	}
	form := &structures[s.Type]
	switch {
	case len(s.Registers) != len(form.words):
		return s.invalid("with %d registers, want %d", len(s.Registers), len(form.words))
	case form.numTables <= attributeTable && len(s.Attributes) > 0:
		return s.invalid("with attributes")
	case !form.copies && len(s.CopyCode) > 0:
		return s.invalid("with a copy program")
	case !form.streams && s.Stream != StreamOut{}:
		return s.invalid("with stream-out parameters")
	}
	return nil
}

// fits reports whether the tables, names and code have the sizes in a layout. names are the names of the shader.
func (s *Shader) fits(l *Layout, names []wire.Text) bool {
	if l == nil || len(l.Names) != len(names) ||
		!sized(l.Program, s.Code) || !sized(l.CopyProgram, s.CopyCode) {
		return false
	}
	for t := range tables {
		if uint64(l.Tables[t].Count) != tables[t].length(s) {
			return false
		}
	}
	for i, name := range names {
		if uint64(l.Names[i].Count) != uint64(len(name)) {
			return false
		}
	}
	return true
}

// sized reports whether an extent has the size of the code. Code that is not known has any size, in a
// block of its own.
func sized(x Extent, code []byte) bool {
	return uint64(x.Count) == uint64(len(code)) || code == nil && x.Offset == 0
}

// putNames writes the names, and reports whether every one can be read back: names
// that share bytes may no longer agree.
func putNames(b []byte, l *Layout, names []wire.Text) bool {
	for i, name := range names {
		copy(b[l.Names[i].Offset:], name)
		b[l.Names[i].End(1)] = 0
	}
	for i, name := range names {
		x := l.Names[i]
		if wire.Text(b[x.Offset:x.End(1)]) != name || b[x.End(1)] != 0 || hasNUL(name) {
			return false
		}
	}
	return true
}

func hasNUL(name wire.Text) bool { return strings.IndexByte(string(name), 0) >= 0 }

// aligned reports whether the code of a shader at off is where the GPU can be
// told.
func (l *Layout) aligned(off uint64) bool {
	return (off+uint64(l.Program.Offset))%codeAlign == 0 &&
		(l.CopyProgram == Extent{} || (off+uint64(l.CopyProgram.Offset))%codeAlign == 0)
}

// inside refuses a layout that fits the shader but not its own size. code are the extents of the code in the data.
func (l *Layout) inside(t Type, code ...Extent) error {
	outside := func(what string, off uint32) error {
		return fmt.Errorf("gx2: %s at 0x%x is outside the %d bytes of the shader: %w", what, off, l.Size,
			diag.ErrLayout)
	}
	size := uint64(l.Size)
	if size < structures[t].size {
		return outside("structure", 0)
	}
	for t, x := range l.Tables {
		if x.End(tables[t].size) > size {
			return outside(tables[t].name, x.Offset)
		}
	}
	for _, x := range code {
		if x.End(1) > size {
			return outside("code", x.Offset)
		}
	}
	for _, x := range l.Names {
		if x.End(1) >= size {
			return outside("name", x.Offset)
		}
	}
	for _, g := range l.Gaps {
		if uint64(g.Offset)+uint64(len(g.Bytes)) > size {
			return outside("gap", g.Offset)
		}
	}
	return nil
}

// CanonicalLayout returns the layout that SharcCompiler writes for a shader at
// offset off of the file: structure, blocks, uniforms, samplers, attributes; the
// name of every record, packed, to which references go by the first equal one;
// loop variables; zeros up to a file offset that is a multiple of 0x100; code;
// and of a geometry shader, aligned likewise, the copy program. The error wraps
// diag.ErrLimit when that is longer than 4 GiB, and diag.ErrInvalid when a name
// holds a NUL.
func (s *Shader) CanonicalLayout(off uint64) (*Layout, error) {
	return s.canonicalLayout(off, s.names())
}

func (s *Shader) canonicalLayout(off uint64, names []wire.Text) (*Layout, error) {
	l, err := s.newLayout(names)
	if err != nil {
		return nil, err
	}
	if size := s.canonicalSize(off, names); size > math.MaxUint32 {
		return nil, fmt.Errorf("gx2: shader of %d bytes: %w", size, diag.ErrLimit)
	}
	at := structures[s.Type].size
	counts := s.counts()
	place := func(t table) {
		if n := counts[t]; n > 0 {
			l.Tables[t] = Extent{Offset: uint32(at), Count: uint32(n)}
			at += n * tables[t].size
		}
	}
	for t := range numTables {
		if t != loopTable {
			place(t)
		}
	}
	at = l.placeNames(at, names)
	place(loopTable)
	at = alignCode(at, off)
	l.Program.Offset = uint32(at)
	at += uint64(len(s.Code))
	if structures[s.Type].copies {
		at = alignCode(at, off)
		l.CopyProgram.Offset = uint32(at)
		at += uint64(len(s.CopyCode))
	}
	l.Size = uint32(at)
	return l, nil
}

// newLayout returns a layout with the sizes of the code and no places.
func (s *Shader) newLayout(names []wire.Text) (*Layout, error) {
	if i := slices.IndexFunc(names, hasNUL); i >= 0 {
		return nil, s.invalid("with a NUL in the name %q", names[i])
	}
	return &Layout{
		Program:     Extent{Count: uint32(len(s.Code))},
		CopyProgram: Extent{Count: uint32(len(s.CopyCode))},
	}, nil
}

// alignCode returns the next offset at which code may stand in a shader at off.
func alignCode(at, off uint64) uint64 { return at + -(off+at)%codeAlign }

// canonicalSize returns the size of the canonical layout.
func (s *Shader) canonicalSize(off uint64, names []wire.Text) uint64 {
	code, copyCode := uint64(len(s.Code)), uint64(len(s.CopyCode))
	at := structures[s.Type].size
	for t, count := range s.counts() {
		at += count * tables[t].size
	}
	for _, name := range names {
		at += uint64(len(name)) + 1
	}
	at = alignCode(at, off) + code
	if structures[s.Type].copies {
		at = alignCode(at, off) + copyCode
	}
	return at
}

// placeNames places the names from at on and returns the offset behind them.
// The second and later copies of a name are referred to by nobody: gaps.
func (l *Layout) placeNames(at uint64, names []wire.Text) uint64 {
	if len(names) == 0 {
		return at
	}
	l.Names = make([]Extent, 0, len(names))
	first := make(map[wire.Text]uint32, len(names))
	open := false // the last gap reaches up to at, zeros aside
	for _, name := range names {
		p, seen := first[name]
		if !seen {
			p = uint32(at)
			first[name] = p
			open = false
		} else if len(name) > 0 {
			if !open {
				l.Gaps = append(l.Gaps, Gap{Offset: uint32(at)})
				open = true
			}
			g := &l.Gaps[len(l.Gaps)-1]
			zeros := at - uint64(g.Offset) - uint64(len(g.Bytes))
			g.Bytes = append(append(g.Bytes, make([]byte, zeros)...), name...)
		}
		l.Names = append(l.Names, Extent{Offset: p, Count: uint32(len(name))})
		at += uint64(len(name)) + 1
	}
	return at
}

// IsCanonical reports whether the shader, which stands at offset off of the
// file and has a layout, is laid out as CanonicalLayout would.
func (s *Shader) IsCanonical(off uint64) bool {
	names := s.names()
	if s.canonicalSize(off, names) != uint64(s.Layout.Size) {
		return false
	}
	l, err := s.canonicalLayout(off, names)
	return err == nil && l.Equal(s.Layout)
}

// Equal reports whether two layouts place everything alike.
func (l *Layout) Equal(o *Layout) bool {
	return l.Size == o.Size && l.Program == o.Program && l.CopyProgram == o.CopyProgram && l.Tables == o.Tables &&
		slices.Equal(l.Names, o.Names) &&
		slices.EqualFunc(l.Gaps, o.Gaps,
			func(a, b Gap) bool { return a.Offset == b.Offset && bytes.Equal(a.Bytes, b.Bytes) })
}

// store appends the shader at a layout that is inside its own size; gfd says that it
// is for a GFD file, where pointers have tags and the code stands elsewhere. It
// fails when names that share bytes do not agree.
func (w *Writer) store(b []byte, s *Shader, order binary.ByteOrder, l *Layout, names []wire.Text,
	gfd bool) (out []byte, agree bool) {
	start := len(b)
	b = slices.Grow(b, int(l.Size))[:start+int(l.Size)]
	out = b[start:]
	clear(out)
	for _, g := range l.Gaps {
		copy(out[g.Offset:], g.Bytes)
	}
	if !putNames(out, l, names) {
		return nil, false
	}
	form := &structures[s.Type]
	w.fixed[0] = fixed{s, l}
	form.In(order).Put(out, w.fixed[:])
	tag := uint32(0)
	if gfd {
		tag = nameTag << tagShift
		for t := range form.numTables {
			if x := l.Tables[t]; x.Offset != 0 {
				order.PutUint32(out[form.pointers[t]:], tableTag<<tagShift|x.Offset)
			}
		}
	} else {
		copy(out[l.Program.Offset:], s.Code)
		copy(out[l.CopyProgram.Offset:], s.CopyCode)
	}
	places := l.Names
	for t, x := range l.Tables {
		tables[t].encode(s, out[x.Offset:], order)
		if !tables[t].named {
			continue
		}
		for i := range x.Count {
			order.PutUint32(out[x.Offset+uint32(tables[t].size)*i:], tag|places[i].Offset)
		}
		places = places[x.Count:]
	}
	return b, true
}

// TablesFollow reports whether the tables that the console's loader swaps in a
// little-endian archive are where it expects them: GX2033.
func (s *Shader) TablesFollow() bool {
	if !s.fits(s.Layout, s.names()) {
		return true
	}
	t, _ := s.Layout.stray(structures[s.Type].size)
	return t == numTables
}
