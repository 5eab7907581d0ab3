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

// AppendBinary appends the data of a shader that starts at offset off of the
// file: at its stored layout, or in the canonical one when it has none, when a
// table, a name or the code no longer has the size it had there, when names that
// share bytes no longer agree, or when the code would not be aligned at off.
// Rules are not checked.
//
// The error wraps diag.ErrInvalid when no bytes can hold the model,
// diag.ErrLayout when the stored layout does not fit into its size, and
// diag.ErrLimit when the canonical layout would be too long.
func (s *Shader) AppendBinary(b []byte, order binary.ByteOrder, off uint64) ([]byte, error) {
	if err := s.representable(); err != nil {
		return b, err
	}
	if l := s.Layout; s.fits(l) && l.aligned(off) {
		if err := l.inside(s.Type, l.Program, l.CopyProgram); err != nil {
			return b, err
		}
		if out, agree := s.put(b, order, l, false); agree {
			return out, nil
		}
	}
	l, err := s.CanonicalLayout(off)
	if err != nil {
		return b, err
	}
	out, _ := s.put(b, order, l, false)
	return out, nil
}

// MaxSize returns how many bytes AppendBinary appends at most, at any offset of
// the file; 0 if it fails.
func (s *Shader) MaxSize() uint64 {
	if s.representable() != nil {
		return 0
	}
	n := s.canonicalSize(0) + 2*codeAlign
	if s.fits(s.Layout) {
		n = max(n, uint64(s.Layout.Size))
	}
	return n
}

// invalid is the error of a model that no bytes can hold.
func (s *Shader) invalid(format string, args ...any) error {
	return fmt.Errorf("gx2: %s shader %s: %w", s.Type, fmt.Sprintf(format, args...), diag.ErrInvalid)
}

// representable refuses what no structure has room for.
func (s *Shader) representable() error {
	if !s.Type.Known() {
		return s.invalid("has no structure")
	}
	form := &structures[s.Type]
	switch {
	case len(s.Registers) != form.registers:
		return s.invalid("with %d registers, want %d", len(s.Registers), form.registers)
	case form.numTables <= attributeTable && len(s.Attributes) > 0:
		return s.invalid("with attributes")
	case form.copyProgram == 0 && len(s.CopyCode) > 0:
		return s.invalid("with a copy program")
	case form.stream == 0 && s.Stream != StreamOut{}:
		return s.invalid("with stream-out parameters")
	}
	return nil
}

// fits reports whether everything has the size that a layout says.
func (s *Shader) fits(l *Layout) bool {
	if l == nil || len(l.Names) != s.countNames() ||
		uint64(l.Program.Count) != uint64(len(s.Code)) || uint64(l.CopyProgram.Count) != uint64(len(s.CopyCode)) {
		return false
	}
	for t, n := range s.counts() {
		if uint64(l.Tables[t].Count) != n {
			return false
		}
	}
	i := 0
	for name := range s.names {
		if uint64(l.Names[i].Count) != uint64(len(name)) {
			return false
		}
		i++
	}
	return true
}

// putNames writes the names, and reports whether every one can be read back: names
// that share bytes may no longer agree.
func (s *Shader) putNames(b []byte, l *Layout) bool {
	i := 0
	for name := range s.names {
		copy(b[l.Names[i].Offset:], name)
		b[l.Names[i].end(1)] = 0
		i++
	}
	i = 0
	for name := range s.names {
		x := l.Names[i]
		if string(b[x.Offset:x.end(1)]) != string(name) || b[x.end(1)] != 0 || strings.IndexByte(string(name), 0) >= 0 {
			return false
		}
		i++
	}
	return true
}

// aligned reports whether the code of a shader at off is where the GPU can be
// told.
func (l *Layout) aligned(off uint64) bool {
	return (off+uint64(l.Program.Offset))%codeAlign == 0 &&
		(l.CopyProgram == Extent{} || (off+uint64(l.CopyProgram.Offset))%codeAlign == 0)
}

// inside refuses a layout that fits the shader but not its own size. code is what
// the data holds of code.
func (l *Layout) inside(t Type, code ...Extent) error {
	outside := func(what string, off uint32) error {
		return fmt.Errorf("gx2: %s at 0x%x is outside the %d bytes of the shader: %w", what, off, l.Size, diag.ErrLayout)
	}
	size := uint64(l.Size)
	if size < structures[t].size {
		return outside("structure", 0)
	}
	for t, x := range l.Tables {
		if x.end(tables[t].size) > size {
			return outside(tables[t].name, x.Offset)
		}
	}
	for _, x := range code {
		if x.end(1) > size {
			return outside("code", x.Offset)
		}
	}
	for _, x := range l.Names {
		if x.end(1) >= size {
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
	l, err := s.newLayout()
	if err != nil {
		return nil, err
	}
	if size := s.canonicalSize(off); size > math.MaxUint32 {
		return nil, fmt.Errorf("gx2: shader of %d bytes: %w", size, diag.ErrLimit)
	}
	at := structures[s.Type].size
	counts := s.counts()
	place := func(t table) {
		if n := counts[t]; n > 0 {
			l.Tables[t] = Extent{uint32(at), uint32(n)}
			at += n * tables[t].size
		}
	}
	for t := range numTables {
		if t != loopTable {
			place(t)
		}
	}
	at = s.placeNames(l, at)
	place(loopTable)
	at = alignCode(at, off)
	l.Program.Offset = uint32(at)
	at += uint64(len(s.Code))
	if structures[s.Type].copyProgram != 0 {
		at = alignCode(at, off)
		l.CopyProgram.Offset = uint32(at)
		at += uint64(len(s.CopyCode))
	}
	l.Size = uint32(at)
	return l, nil
}

// newLayout returns a layout with the sizes of the code and no places.
func (s *Shader) newLayout() (*Layout, error) {
	for name := range s.names {
		if strings.IndexByte(string(name), 0) >= 0 {
			return nil, s.invalid("with a NUL in the name %q", name)
		}
	}
	return &Layout{
		Program:     Extent{Count: uint32(len(s.Code))},
		CopyProgram: Extent{Count: uint32(len(s.CopyCode))},
	}, nil
}

// alignCode returns the next offset at which code may stand in a shader at off.
func alignCode(at, off uint64) uint64 { return at + -(off+at)%codeAlign }

// canonicalSize returns the size of the canonical layout.
func (s *Shader) canonicalSize(off uint64) uint64 {
	code, copyCode := uint64(len(s.Code)), uint64(len(s.CopyCode))
	at := structures[s.Type].size
	for t, count := range s.counts() {
		at += count * tables[t].size
	}
	for name := range s.names {
		at += uint64(len(name)) + 1
	}
	at = alignCode(at, off) + code
	if structures[s.Type].copyProgram != 0 {
		at = alignCode(at, off) + copyCode
	}
	return at
}

// placeNames places the names from at on and returns the offset behind them.
// The second and later copies of a name are referred to by nobody: gaps.
func (s *Shader) placeNames(l *Layout, at uint64) uint64 {
	n := s.countNames()
	if n == 0 {
		return at
	}
	l.Names = make([]Extent, 0, n)
	first := make(map[wire.Text]uint32, n)
	open := false // the last gap reaches up to at, but for zeros
	for name := range s.names {
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
		l.Names = append(l.Names, Extent{p, uint32(len(name))})
		at += uint64(len(name)) + 1
	}
	return at
}

// IsCanonical reports whether the shader, which stands at offset off of the
// file and has a layout, is laid out as CanonicalLayout would.
func (s *Shader) IsCanonical(off uint64) bool {
	if s.canonicalSize(off) != uint64(s.Layout.Size) {
		return false
	}
	l, err := s.CanonicalLayout(off)
	return err == nil && l.equal(s.Layout)
}

func (l *Layout) equal(o *Layout) bool {
	return l.Size == o.Size && l.Program == o.Program && l.CopyProgram == o.CopyProgram && l.Tables == o.Tables &&
		slices.Equal(l.Names, o.Names) &&
		slices.EqualFunc(l.Gaps, o.Gaps, func(a, b Gap) bool { return a.Offset == b.Offset && bytes.Equal(a.Bytes, b.Bytes) })
}

// put appends the shader at a layout that is inside its own size; gfd says that it
// is for a GFD file, where pointers have tags and the code stands elsewhere. It
// fails when names that share bytes do not agree.
func (s *Shader) put(b []byte, order binary.ByteOrder, l *Layout, gfd bool) (out []byte, agree bool) {
	start := len(b)
	b = slices.Grow(b, int(l.Size))[:start+int(l.Size)]
	out = b[start:]
	clear(out)
	for _, g := range l.Gaps {
		copy(out[g.Offset:], g.Bytes)
	}
	if !s.putNames(out, l) {
		return nil, false
	}
	tag := func(uint32) uint32 { return 0 }
	if gfd {
		tag = func(t uint32) uint32 { return t << tagShift }
	} else {
		copy(out[l.Program.Offset:], s.Code)
		copy(out[l.CopyProgram.Offset:], s.CopyCode)
	}
	names := l.Names
	for t, x := range l.Tables {
		tables[t].encode(s, out[x.Offset:], order)
		if !tables[t].named {
			continue
		}
		for i := range x.Count {
			order.PutUint32(out[x.Offset+uint32(tables[t].size)*i:], tag(nameTag)|names[i].Offset)
		}
		names = names[x.Count:]
	}
	s.putStructure(out, order, l, tag(tableTag))
	return b, true
}

// putStructure writes the structure; tag is that of the pointers to tables.
func (s *Shader) putStructure(b []byte, order binary.ByteOrder, l *Layout, tag uint32) {
	form := &structures[s.Type]
	words := func(off uint64, list ...uint32) {
		for i, w := range list {
			order.PutUint32(b[off+4*uint64(i):], w)
		}
	}
	words(0, s.Registers...)
	words(form.program, l.Program.Count, l.Program.Offset)
	if form.copyProgram != 0 {
		words(form.copyProgram, l.CopyProgram.Count, l.CopyProgram.Offset)
	}
	words(form.mode, uint32(s.Mode))
	for t := range form.numTables {
		pointer := l.Tables[t].Offset
		if pointer != 0 {
			pointer |= tag
		}
		words(form.tables+8*uint64(t), l.Tables[t].Count, pointer)
	}
	if form.stream != 0 {
		words(form.stream, s.Stream.RingItemSize, s.Stream.Enabled)
		words(form.stream+8, s.Stream.Strides[:]...)
	}
}

// TablesFollow reports whether the tables that the console's loader swaps in a
// little-endian archive are where it expects them: GX2033.
func (s *Shader) TablesFollow() bool {
	if !s.fits(s.Layout) {
		return true
	}
	t, _ := s.Layout.stray(structures[s.Type].size)
	return t == numTables
}
