package cgfx

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// ErrRelocate is the error for an edit that needs the canonical layout, of a parsed file
// that has another layout: not all of its pointers are known. It wraps diag.ErrLayout.
var ErrRelocate = fmt.Errorf("cgfx: the edit moves parts of a file that holds more than shaders: %w", diag.ErrLayout)

// AppendBinary appends the file to b: the parsed bytes with DVLBs of the same
// size replaced, or the canonical layout if the file was not parsed.
//
// After any other edit it appends the canonical layout if the parsed file had it, else the
// error is ErrRelocate. The error wraps diag.ErrInvalid when names or sizes cannot be
// written, and is a *diag.InvalidError when Parse would refuse the bytes. On error b is
// returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// moved returns the canonical form of an edited file if its parsed layout is
// canonical, else ErrRelocate.
func moved(s *wire.Shell[File, Option], f *File) (*File, error) {
	if f.Layout != nil {
		if g, err := s.Read(f.Layout.Bytes); err == nil {
			if out, err := g.Canonical().AppendUnchecked(nil); err == nil && bytes.Equal(out, f.Layout.Bytes) {
				return f.Canonical(), nil
			}
		}
	}
	return nil, ErrRelocate
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the bytes; it
// serves to build malformed files. In a parsed file it replaces only DVLBs whose
// size is unchanged, and ignores other edits.
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

// MarshalBinary returns the bytes of AppendBinary.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// Regions returns regions that cover all bytes that AppendUnchecked writes, in the order
// of the file; nil if it fails. Paths in a DVLB start with the path of its shader.
func (f *File) Regions() []diag.Region { return shell.Regions(f) }

// appendCanonical appends the canonical layout: header, DATA with 16 pairs, and DICT; for
// each shader its object, pointers to programs, programs, and DVLB; then the names. Zeros
// pad each DVLB and the names to a multiple of 4. Without shaders there is no DICT.
func (f *File) appendCanonical(b []byte) ([]byte, error) {
	p, err := f.place()
	if err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(p.size))[:start+int(p.size)]
	w := writer{b[start:]}
	clear(w.out)
	headerRecord.Put(w.out, []fileHeader{{f, byteOrder, uint16(headerSize), usualRevision, uint32(p.size), 1}})
	dataRecord.Put(w.out[headerSize:], []block{{size: uint32(p.size - headerSize)}})
	if len(f.Objects) == 0 {
		return b, nil
	}
	w.dict(p)
	for i := range f.Objects {
		w.shader(&f.Objects[i], p.shaders[i], p.names[i])
	}
	return b, nil
}

// plan holds the offsets of the canonical layout.
type plan struct {
	dict    uint64
	trie    []node
	shaders []uint64
	names   []uint64
	size    uint64
}

// alignment is the unit of the offsets of objects and DVLBs.
const alignment = 4

func align(n uint64) uint64 { return (n + alignment - 1) &^ (alignment - 1) }

// place makes the plan. It fails if a DICT cannot hold the names or the file is too large.
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

// writer fills out, which has the size of the whole file.
type writer struct{ out []byte }

// to returns the value that a pointer to target has when it is stored at offset at.
func to(target, at uint64) uint32 { return uint32(target - at) }

func (w writer) dict(p plan) {
	pair, n := headerSize+blockSize+pairSize*shaderKind, uint32(len(p.shaders))
	pairRecord.Put(w.out[pair:], []list{{n, to(p.dict, pair+pairRecord.Offset("dict"))}})
	dictRecord.Put(w.out[p.dict:], []block{{uint32(dictSize + nodeSize*uint64(len(p.trie))), n}})
	nodes := make([]dictNode, len(p.trie))
	nameAt, objectAt := nodeRecord.Offset("name"), nodeRecord.Offset("object")
	for k := range nodes {
		at := p.dict + dictSize + nodeSize*uint64(k)
		if nodes[k].node = p.trie[k]; k > 0 {
			nodes[k].name = to(p.names[k-1], at+nameAt)
			nodes[k].object = to(p.shaders[k-1], at+objectAt)
		}
	}
	nodeRecord.Put(w.out[p.dict+dictSize:], nodes)
}

// shader writes a shader object, its programs, its DVLB and its name.
func (w writer) shader(s *Object, at, name uint64) {
	array := at + objectSize
	programs := array + 4*uint64(len(s.Programs))
	dvlb := programs + programSize*uint64(len(s.Programs))
	field := func(name string) uint64 { return at + objectRecord.Offset(name) }
	head := objectHeader{Object: s, kind: shaderType, revision: objectRevision, name: to(name, at+nameOffset)}
	head.dvlb = list{uint32(len(s.DVLB)), to(dvlb, field("dvlb.pointer"))}
	if n := len(s.Programs); n > 0 {
		head.programs = list{uint32(n), to(array, field("programs.pointer"))}
	}
	objectRecord.Put(w.out[at:], []objectHeader{head})
	pointers := make([]uint32, len(s.Programs))
	for i := range pointers {
		pointers[i] = to(programs+programSize*uint64(i), array+4*uint64(i))
	}
	pointerRecord.Put(w.out[array:], pointers)
	programRecord.Put(w.out[programs:], s.Programs)
	copy(w.out[dvlb:], s.DVLB)
	copy(w.out[name:], s.Name)
}
