package sharcfb

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the archive to b: every shader at its stored layout,
// which gives back the bytes it was parsed from, or in the canonical layout when
// it has none, no longer fits it, or has moved to where that does not align it.
//
// The error is a *diag.InvalidError when Parse would refuse the bytes, wraps
// diag.ErrInvalid when no bytes can hold the model, diag.ErrLayout when a stored
// layout contradicts itself, and diag.ErrLimit when the file would be longer than
// 4 GiB. b is then returned unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes and gives the same model back. It serves to build malformed files.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	w := writer{order: f.Endian.order(), start: len(b), b: b}
	after(&w, headerRecord, &w.headers.file, func(size uint32) fileHeader {
		return fileHeader{f, size, uint32(len(f.Name) + 1)}
	}, func() {
		w.text(f.Name)
		w.list(len(f.Binaries), func(i int) { w.binary(&f.Binaries[i]) })
		w.list(len(f.Programs), func(i int) { w.program(&f.Programs[i]) })
	})
	if size := len(w.b) - w.start; w.err == nil && size > math.MaxUint32 {
		w.err = fmt.Errorf("sharcfb: file of %d bytes: %w", size, diag.ErrLimit)
	}
	if w.err != nil {
		return b, w.err
	}
	return w.b, nil
}

// Size returns an upper bound of the bytes of the shaders' data, which is nearly all that AppendUnchecked writes. It
// writes nothing: a stored layout of a few bytes can ask for gigabytes of zeros.
func (f *File) Size() uint64 {
	var n uint64
	for i := range f.Binaries {
		n += f.Binaries[i].MaxSize()
	}
	return n
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// writer appends an archive that begins at start of b; after an error it appends
// no more binaries.
type writer struct {
	order   binary.ByteOrder
	start   int
	b       []byte
	err     error
	shader  gx2.Writer
	headers headers // of the records being written
}

func (w *writer) text(t wire.Text) {
	w.b = append(w.b, t...)
	w.b = append(w.b, 0)
}

// after appends a header that is made once body has appended the bytes after it.
// header gets the size of both. room holds the header while it is written.
func after[T any](w *writer, r *wire.Record[T], room *[1]T, header func(size uint32) T, body func()) {
	at := len(w.b)
	w.b = append(w.b, make([]byte, r.Bytes)...)
	body()
	room[0] = header(uint32(len(w.b) - at))
	r.In(w.order).Put(w.b[at:], room[:])
}

func (w *writer) list(n int, record func(i int)) {
	after(w, listRecord, &w.headers.list, func(size uint32) listHeader {
		return listHeader{size, uint32(n)}
	}, func() {
		for i := range n {
			record(i)
		}
	})
}

func (w *writer) binary(b *Binary) {
	if w.err != nil {
		return
	}
	var slack Slack
	if b.Slack != nil {
		slack = *b.Slack
	}
	header := binaryHeader{kind: b.Type, dataOffset: uint32(len(slack.Gap))}
	after(w, binaryRecord, &w.headers.binary, func(size uint32) binaryHeader {
		header.size = size
		return header
	}, func() {
		w.b = append(w.b, slack.Gap...)
		at := len(w.b)
		w.b, w.err = w.shader.Append(w.b, &b.Shader, w.order, uint64(at-w.start))
		header.dataSize = uint32(len(w.b) - at)
		w.b = append(w.b, slack.Tail...)
	})
}

func (w *writer) program(p *Program) {
	after(w, programRecord, &w.headers.program, func(size uint32) programHeader {
		return programHeader{p, size, uint32(len(p.Name) + 1)}
	}, func() {
		w.text(p.Name)
		for _, macros := range [...][]Macro{p.Macros, p.Defaults} {
			w.list(len(macros), func(i int) { w.macro(&macros[i]) })
		}
		for _, symbols := range p.Symbols.lists() {
			w.list(len(*symbols), func(i int) { w.symbol(&(*symbols)[i]) })
		}
	})
}

func (w *writer) macro(m *Macro) {
	after(w, macroRecord, &w.headers.macro, func(size uint32) macroHeader {
		return macroHeader{size, uint32(len(m.Name) + 1), uint32(len(m.ID) + 1), int32(len(m.Values))}
	}, func() {
		w.text(m.Name)
		for _, v := range m.Values {
			w.text(v)
		}
		w.text(m.ID)
	})
}

func (w *writer) symbol(s *Symbol) {
	after(w, symbolRecord, &w.headers.symbol, func(size uint32) symbolHeader {
		return symbolHeader{s, size, uint32(len(s.Name) + 1), uint32(len(s.ID) + 1), uint32(len(s.Default)),
			uint32(len(s.Enable))}
	}, func() {
		w.text(s.Name)
		w.text(s.ID)
		w.b = append(w.b, s.Default...)
		w.b = append(w.b, s.Enable...)
	})
}
