package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Span is the range of bytes that one header or table of a file occupies. Each
// format numbers its kinds of headers and tables (Kind), and the structures that
// own several tables (Owner).
type Span struct {
	Off, Len uint64
	Kind     uint8
	Owner    int32
}

// End returns the offset after the span.
func (s Span) End() uint64 { return s.Off + s.Len }

// Same reports whether two spans have the same kind and the same bytes: one
// table that two owners share.
func (s Span) Same(o Span) bool { return s.Off == o.Off && s.Len == o.Len && s.Kind == o.Kind }

// SortSpans orders spans by offset. Spans with the same kind and bytes become
// neighbours.
func SortSpans(list []Span) {
	slices.SortFunc(list, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Owner, b.Owner))
	})
}

// Cover finds the overlaps and gaps of the sorted spans of a file of size bytes.
// It calls overlap for each span that starts before an earlier span ends;
// previous is the span before it in the list, farthest the earlier span with the
// greatest end. It calls gap for each range of bytes outside all spans; the
// range at the end of the file ends at size.
func Cover(list []Span, size uint64, overlap func(s, previous, farthest Span), gap func(off, end uint64)) {
	var previous, farthest Span
	for _, s := range list {
		switch {
		case s.Off < farthest.End():
			overlap(s, previous, farthest)
		case s.Off > farthest.End():
			gap(farthest.End(), s.Off)
		}
		if s.End() > farthest.End() {
			farthest = s
		}
		previous = s
	}
	if farthest.End() < size {
		gap(farthest.End(), size)
	}
}

// Gap is a range of bytes outside all spans, padding included.
type Gap struct {
	Offset uint64 `json:"offset"`
	Bytes  Hex    `json:"bytes"`
}

// Padding reports whether the gap is at most three bytes, all zero, and ends at
// a multiple of 4.
func (g Gap) Padding() bool {
	n := len(g.Bytes)
	return n < 4 && (g.Offset+uint64(n))%4 == 0 && Zero(g.Bytes)
}

// Zero reports whether all bytes are zero.
func Zero(b []byte) bool { return FirstNonZero(b) < 0 }

var zeroBlock [4096]byte

// FirstNonZero returns the index of the first byte that is not zero, or -1.
func FirstNonZero(b []byte) int {
	at := 0
	for ; len(b)-at > len(zeroBlock); at += len(zeroBlock) {
		if !bytes.Equal(b[at:at+len(zeroBlock)], zeroBlock[:]) {
			break
		}
	}
	rest := b[at:min(len(b), at+len(zeroBlock))]
	if bytes.Equal(rest, zeroBlock[:len(rest)]) {
		return -1
	}
	for i, c := range rest {
		if c != 0 {
			return at + i
		}
	}
	return -1
}

// Extent is the place of a table as a header stores it: an offset and the number
// of entries. The offset of an empty table means nothing, but a lossless writer
// needs it.
type Extent struct {
	Offset uint32 `json:"offset"`
	Count  uint32 `json:"count"`
}

// End returns the offset after a table whose entries have size bytes; it counts from the
// same start as Offset.
func (x Extent) End(size uint64) uint64 { return uint64(x.Offset) + uint64(x.Count)*size }

// CheckLayout checks, before a file of size bytes is written, that its spans and
// gaps are inside it. A model with an invented size must not cost memory: size is at
// most the sum of their lengths plus three bytes of padding before each span and at
// the end. The error wraps diag.ErrLayout.
func CheckLayout(format string, size uint64, list []Span, gaps []Gap) error {
	limit := 3 * uint64(1+len(list))
	inside := func(name string, off, n uint64) error {
		if limit += n; off > size || n > size-off {
			return fmt.Errorf("%s: %s at 0x%x leaves the file: %w", format, name, off, diag.ErrLayout)
		}
		return nil
	}
	for _, g := range gaps {
		if err := inside("gap", g.Offset, uint64(len(g.Bytes))); err != nil {
			return err
		}
	}
	for _, s := range list {
		if err := inside("structure", s.Off, s.Len); err != nil {
			return err
		}
	}
	if size > limit {
		return fmt.Errorf("%s: file size is %d for %d bytes: %w", format, size, limit, diag.ErrLayout)
	}
	return nil
}
