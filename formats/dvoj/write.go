package dvoj

import (
	"fmt"
	"io"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// AppendBinary appends the file to b: at its stored layout, which gives back
// the bytes it was parsed from, or in the canonical layout when it has none or
// when a table no longer has the length it had there.
//
// The error wraps diag.ErrLayout when the stored layout contradicts itself. It
// is a *diag.InvalidError when Parse would refuse the bytes. b is then returned
// unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) {
	out, err := f.AppendUnchecked(b)
	if err != nil {
		return b, err
	}
	written := out[len(b):]
	r := newReader(written, diag.Strict(ruleSet), f.Leniencies)
	if r.walk(); r.Failed() {
		return b, &diag.InvalidError{Format: "dvoj", Findings: Check(written, f.Leniencies...)}
	}
	return out, nil
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes. It serves to build malformed files; where tables overlap, the later in
// header order wins.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	l := f.Layout
	if !f.fits(l) {
		var ok bool
		if l, ok = f.canonicalLayout(); !ok {
			return b, fmt.Errorf("dvoj: more than 4 GiB: %w", diag.ErrLayout)
		}
	}
	if err := l.sound(); err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(l.Size))[:start+int(l.Size)]
	out := b[start:]
	clear(out)
	for _, g := range l.Gaps {
		copy(out[g.Offset:], g.Bytes)
	}
	f.putHeader(out, l)
	for k, x := range l.Tables {
		if x.Count > 0 {
			columns[k].encode(f, out[x.Offset:uint64(x.Offset)+bytesOf(k, x)])
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

func (f *File) putHeader(b []byte, l *Layout) {
	name := magic
	if slices.Contains(f.Leniencies, AllowDVOB) {
		name = otherName
	}
	head := f.header(name)
	copy(b, head[:])
	for k, x := range l.Tables {
		le.PutUint32(b[pairs+8*k:], x.Offset)
		le.PutUint32(b[pairs+8*k+4:], x.Count)
	}
}

// sound checks that everything is inside the file and that the file is no
// larger than what is in it: a size that was made up would cost memory.
func (l *Layout) sound() error {
	room := uint64(3) // padding
	inside := func(what string, off, n uint64) error {
		if room += n; off > l.Size || n > l.Size-off {
			return fmt.Errorf("dvoj: %s at 0x%x leaves the file: %w", what, off, diag.ErrLayout)
		}
		return nil
	}
	for _, s := range l.spans() {
		if err := inside(s.place().Path.Field, s.off, s.len); err != nil {
			return err
		}
	}
	for _, g := range l.Gaps {
		if err := inside("gap", g.Offset, uint64(len(g.Bytes))); err != nil {
			return err
		}
	}
	if l.Size > room {
		return fmt.Errorf("dvoj: file size is %d for %d bytes: %w", l.Size, room, diag.ErrLayout)
	}
	return nil
}
