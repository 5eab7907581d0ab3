package cgfx

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// ErrRelocate is why a writer refuses an edit that would move what pointers
// lead to, in a file whose pointers are not all known. It wraps diag.ErrLayout.
var ErrRelocate = fmt.Errorf("cgfx: the edit moves parts of a file that holds more than shaders: %w", diag.ErrLayout)

// AppendBinary appends the file to b: the bytes it was parsed from, with DVLBs
// of the same size replaced, or in the canonical layout when there is no other.
//
// The error is ErrRelocate when the model differs in more than that and the
// file it was parsed from is not canonical. It wraps diag.ErrInvalid when the
// names cannot be written and is a *diag.InvalidError when Parse would refuse
// the bytes. b is then returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) {
	out, err := f.AppendUnchecked(b)
	if err != nil {
		return b, err
	}
	g, err := read(out[len(b):])
	switch {
	case err != nil:
		return b, err
	case f.Layout == nil || g.Equal(f):
		return out, nil
	case f.Layout.canonical():
		return f.Canonical().AppendBinary(b)
	}
	return b, ErrRelocate
}

// read parses what was written.
func read(b []byte) (*File, error) {
	r := newReader(b, diag.Strict(ruleSet))
	if r.walk(); r.Failed() {
		return nil, &diag.InvalidError{Format: "cgfx", Findings: Check(b)}
	}
	return r.file, nil
}

// canonical reports whether the file of a layout is what would be written from
// scratch.
func (l *Layout) canonical() bool {
	f, err := read(l.Bytes)
	if err != nil {
		return false
	}
	out, err := f.Canonical().AppendUnchecked(nil)
	return err == nil && bytes.Equal(out, l.Bytes)
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes. It serves to build malformed files. Of a file with a layout only DVLBs
// are written anew, those that have the same size.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	if f.Layout == nil {
		return f.appendCanonical(b)
	}
	start := len(b)
	b = append(b, f.Layout.Bytes...)
	out := b[start:]
	for i, x := range f.Layout.DVLBs {
		if size := uint64(len(out)); x.Offset > size || x.Size > size-x.Offset {
			return b[:start], fmt.Errorf("cgfx: DVLB %d at 0x%x leaves the file: %w", i, x.Offset, diag.ErrLayout)
		}
		if i < len(f.Objects) && uint64(len(f.Objects[i].DVLB)) == x.Size {
			copy(out[x.Offset:], f.Objects[i].DVLB)
		}
	}
	return b, nil
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

// appendCanonical appends the canonical layout: header, DATA with 16 pairs,
// DICT; for each shader its object, pointers to programs, programs, and the
// DVLB up to a multiple of 4; then the names.
func (f *File) appendCanonical(b []byte) ([]byte, error) {
	p, err := f.place()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(p.size))[:start+int(p.size)]
	w := writer{out: b[start:]}
	clear(w.out)
	copy(w.out, "CGFX\xFF\xFE")
	le.PutUint16(w.out[0x06:], headerSize)
	w.put(0x08, usualRevision, uint32(p.size), 1)
	copy(w.out[headerSize:], "DATA")
	w.put(headerSize+4, uint32(p.size-headerSize))
	if len(f.Objects) == 0 {
		return b, nil
	}
	w.dict(p)
	for i := range f.Objects {
		w.shader(&f.Objects[i], p.shaders[i], p.names[i])
	}
	return b, nil
}

// plan says where everything goes.
type plan struct {
	dict    uint64
	trie    []node
	shaders []uint64
	names   []uint64
	size    uint64
}

// objects and DVLBs start at multiples of this.
const alignment = 4

func align(n uint64) uint64 { return (n + alignment - 1) &^ (alignment - 1) }

// place makes the plan. Names must be what a DICT can hold.
func (f *File) place() (p plan, err error) {
	names := make([][]byte, len(f.Objects))
	for i := range f.Objects {
		names[i] = []byte(f.Objects[i].Name)
		if len(names[i]) == 0 || bytes.IndexByte(names[i], 0) >= 0 {
			return p, invalid("shader %d has the name %q", i, names[i])
		}
	}
	if len(names) > math.MaxUint16 {
		return p, invalid("%d shaders", len(names))
	}
	unbounded := work(math.MaxInt)
	trie, ok := buildTrie(names, &unbounded)
	if !ok {
		return p, invalid("two shaders have one name")
	}
	p.dict = headerSize + dataSize
	p.trie = trie
	p.size = p.dict
	if len(names) > 0 {
		p.size += dictSize + nodeSize*uint64(len(trie))
	}
	for i := range f.Objects {
		s := &f.Objects[i]
		p.shaders = append(p.shaders, p.size)
		p.size = align(p.size + objectSize + (4+programSize)*uint64(len(s.Programs)) + uint64(len(s.DVLB)))
	}
	for _, name := range names {
		p.names = append(p.names, p.size)
		p.size += uint64(len(name)) + 1
	}
	if p.size = align(p.size); p.size > math.MaxUint32 {
		return p, invalid("file of %d bytes", p.size)
	}
	return p, nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("cgfx: %w: %s", diag.ErrInvalid, fmt.Sprintf(format, args...))
}

// writer writes to a file of its full size.
type writer struct{ out []byte }

func (w writer) put(at uint64, values ...uint32) {
	for i, v := range values {
		le.PutUint32(w.out[at+4*uint64(i):], v)
	}
}

// point writes a pointer.
func (w writer) point(at, target uint64) { w.put(at, uint32(target-at)) }

func (w writer) dict(p plan) {
	pair := uint64(headerSize + 8 + pairSize*shaderKind)
	w.put(pair, uint32(len(p.shaders)))
	w.point(pair+4, p.dict)
	copy(w.out[p.dict:], "DICT")
	w.put(p.dict+4, uint32(dictSize+nodeSize*len(p.trie)), uint32(len(p.shaders)))
	for k, n := range p.trie {
		at := p.dict + dictSize + nodeSize*uint64(k)
		w.put(at, n.bit, uint32(n.left)|uint32(n.right)<<16)
		if k > 0 {
			w.point(at+8, p.names[k-1])
			w.point(at+12, p.shaders[k-1])
		}
	}
}

// shader writes a shader object with all that belongs to it, and its name.
func (w writer) shader(s *Object, at, name uint64) {
	array := at + objectSize
	programs := array + 4*uint64(len(s.Programs))
	dvlb := programs + programSize*uint64(len(s.Programs))
	w.put(at, shaderType)
	copy(w.out[at+4:], "SHDR")
	w.put(at+8, objectRevision)
	w.point(at+0x0C, name)
	w.put(at+0x18, uint32(len(s.DVLB)))
	w.point(at+0x1C, dvlb)
	if n := len(s.Programs); n > 0 {
		w.put(at+0x28, uint32(n))
		w.point(at+0x2C, array)
	}
	for i, p := range s.Programs {
		to := programs + programSize*uint64(i)
		w.point(array+4*uint64(i), to)
		w.put(to, p.Flag, uint32(p.Vertex), uint32(p.Geometry))
		copy(w.out[to+12:], p.Opaque[:])
	}
	copy(w.out[dvlb:], s.DVLB)
	copy(w.out[name:], s.Name)
}
