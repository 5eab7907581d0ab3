package dvoj

import (
	"io"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the file to b in its stored layout: an unchanged file gives the
// parsed bytes. It uses the canonical layout if there is no stored one, or if a table
// has another length than in the stored one.
//
// The error wraps diag.ErrLayout when the stored layout contradicts itself, and is a
// *diag.InvalidError when Parse would refuse the bytes. On error b is returned
// unchanged.
func (f *File) AppendBinary(b []byte) ([]byte, error) { return shell.AppendBinary(f, b) }

// AppendUnchecked is AppendBinary without the check that Parse accepts the bytes; it
// serves to build malformed files. Where tables overlap, the later one in header order
// wins.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	l, err := f.currentLayout()
	if err != nil {
		return b, err
	}
	if err := wire.CheckLayout("dvoj", l.Size, l.spans(), l.Gaps); err != nil {
		return b, err
	}
	start := len(b)
	b = slices.Grow(b, int(l.Size))[:start+int(l.Size)]
	out := b[start:]
	clear(out)
	for _, g := range l.Gaps {
		copy(out[g.Offset:], g.Bytes)
	}
	headerRecord.Put(out, []header{{f, l}})
	if slices.Contains(f.Leniencies, AllowDVOB) {
		copy(out, otherName)
	}
	for k, x := range l.Tables {
		if x.Count > 0 {
			tables[k].Encode(f, out[x.Offset:uint64(x.Offset)+tables[k].Bytes(x)])
		}
	}
	return b, nil
}

// Size returns the number of bytes that AppendUnchecked writes, or 0 if it fails. It
// allocates nothing: a small stored layout can ask for gigabytes of zeros.
func (f *File) Size() uint64 {
	l, err := f.currentLayout()
	if err != nil {
		return 0
	}
	return uint64(l.Size)
}

// currentLayout returns the stored layout if it fits the tables, else the canonical
// one.
func (f *File) currentLayout() (*Layout, error) {
	if f.fits(f.Layout) {
		return f.Layout, nil
	}
	return f.canonicalLayout()
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// Regions returns the owner of every byte that AppendUnchecked writes, in the order of
// the file, or nil if it writes nothing.
func (f *File) Regions() []diag.Region { return shell.Regions(f) }
