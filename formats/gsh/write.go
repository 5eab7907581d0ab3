package gsh

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the file to b: at its stored layout, which gives back the
// bytes it was parsed from, or in the canonical layout when it has none or has
// other shaders than its layout. The data of a shader that no longer fits its own
// layout is laid out anew.
//
// The error is a *diag.InvalidError when Parse would refuse the bytes, wraps
// diag.ErrInvalid when no bytes can hold the model, as when there are opaque blocks
// and no layout, diag.ErrLayout when a stored layout contradicts itself, and
// diag.ErrLimit when a header block would be longer than pointers reach. b is then
// returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// AppendUnchecked is AppendBinary without the check that Parse accepts the bytes
// and gives the same model back. It serves to build malformed files.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	w := writer{file: f, start: len(b), b: b}
	if len(b) == cap(b) {
		w.b = slices.Grow(b, int(min(f.Size(), math.MaxInt32)))
	}
	if f.Style >= numStyles {
		return b, fmt.Errorf("gsh: no style %d: %w", uint8(f.Style), diag.ErrInvalid)
	}
	for i := range f.Shaders {
		if t := f.Shaders[i].Type; !t.Known() {
			return b, fmt.Errorf("gsh: shaders[%d] is a %s shader: %w", i, t, diag.ErrInvalid)
		}
	}
	l := &Layout{}
	shaders, fits := f.fits(f.Layout)
	switch {
	case fits:
		l = f.Layout
	case f.fragment():
		return b, fmt.Errorf("gsh: a fragment has the layout of its file or none: %w", diag.ErrInvalid)
	case len(f.Opaque) > 0:
		return b, fmt.Errorf("gsh: opaque blocks stand nowhere but in the layout of their file: %w", diag.ErrInvalid)
	}
	w.b = headerRecord.Append(w.b, fileHeader{f, l})
	if fits {
		for i, block := range l.Blocks {
			w.block(block, shaders[i])
		}
		w.b = append(w.b, l.Tail...)
	} else {
		f.canonicalBlocks(w.at, w.block)
	}
	if w.err != nil {
		return b, w.err
	}
	return w.b, nil
}

// Size returns an upper bound of the number of bytes that AppendUnchecked writes, apart from a few bytes that a stored
// layout has besides shaders.
func (f *File) Size() uint64 {
	n := uint64(headerSize + blockSize)
	for i := range f.Shaders {
		s := &f.Shaders[i]
		n += s.MaxGFDSize() + uint64(len(s.Code)+len(s.CopyCode)) + 3*blockSize + trailerSize
		if f.Align != 0 {
			n += 2 * (canonicalAlign + blockSize)
		}
		if h := s.Slack; h != nil {
			n += uint64(4*len(h.Patches) + len(h.Gap))
		} else {
			n += uint64(4 * (len(s.Blocks) + len(s.Uniforms) + len(s.Samplers) + len(s.Attributes) + 12))
		}
	}
	for _, data := range f.Opaque {
		n += blockSize + uint64(len(data))
	}
	return n
}

// writer appends a file that begins at start of b; after an error it appends no
// more blocks.
type writer struct {
	file     *File
	start    int
	b        []byte
	shader   gx2.Writer
	opaque   int      // written so far
	pointers []uint32 // of the shader being written
	patches  []uint32
	head     [1]blockHeader // of the block being written
	trailer  [1]trailer     // of the shader being written
	err      error
}

// at returns the offset of the next byte to write.
func (w *writer) at() uint64 { return uint64(len(w.b) - w.start) }

// block appends a block and the data that its type says. It returns false after an
// error.
func (w *writer) block(block Block, shader int) bool {
	at := len(w.b)
	w.head[0].Block = block
	w.b = blockRecord.Append(w.b, w.head[:]...)
	switch k := block.Type.known(); {
	case k.role == opaqueRole, k.role >= programRole && shader == NoShader:
		w.b = append(w.b, w.file.Opaque[w.opaque]...)
		w.opaque++
	case k.role == paddingRole:
		w.b = append(w.b, block.Padding...)
	case k.role == headerRole:
		w.header(&w.file.Shaders[shader])
	case k.role == programRole:
		w.b = append(w.b, w.file.Shaders[shader].Code...)
	case k.role == copyRole:
		w.b = append(w.b, w.file.Shaders[shader].CopyCode...)
	}
	size := uint64(len(w.b) - at - blockSize)
	if size > math.MaxUint32 && w.err == nil {
		w.err = fmt.Errorf("gsh: block of %d bytes: %w", size, diag.ErrLimit)
	}
	if w.err != nil {
		return false
	}
	binary.BigEndian.PutUint32(w.b[at+sizeOffset:], uint32(size))
	return true
}

// sizeOffset is the offset of the size in a block header.
var sizeOffset = int(blockRecord.Offset("size"))

// header appends the data of a header block.
func (w *writer) header(s *Shader) {
	if w.err != nil {
		return
	}
	var l *gx2.Layout
	if w.b, l, w.err = w.shader.AppendGFD(w.b, &s.Shader); w.err != nil {
		return
	}
	t := &w.trailer[0]
	*t = trailer{dataSize: l.Size, textOffset: l.TablesEnd(s.Type)}
	if h := s.Slack; h != nil && l == s.Layout {
		t.Slack, t.textOffset = *h, h.TextOffset
		w.patches = append(w.patches[:0], h.Patches...)
	} else {
		var names int
		w.pointers, names = l.AppendPointers(w.pointers[:0], s.Type)
		w.patches = w.file.Style.appendPatches(w.patches[:0], s.Type, w.pointers, names)
	}
	for _, word := range w.patches {
		w.b = binary.BigEndian.AppendUint32(w.b, word)
	}
	switch h := s.Slack; {
	case h != nil && l == s.Layout:
		w.b = append(w.b, h.Gap...)
	case w.file.Style == StyleN:
		w.b = append(w.b, zeros[:patchGap]...)
	}
	t.textSize, t.textOffset = t.dataSize-t.textOffset, tagged(t.textOffset)
	t.dataOffset, t.patchOffset = tagged(0), tagged(l.Size)
	t.patchCount = uint32(len(w.patches))
	w.b = trailerRecord.Append(w.b, w.trailer[:]...)
}

// tagged returns a pointer to data.
func tagged(off uint32) uint32 { return dataTag<<tagShift | off&maxOffset }
