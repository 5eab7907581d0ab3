package gx2_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestGFDLimit: the data of a shader in a GFD file ends where its pointers, of 20 bits,
// do.
func TestGFDLimit(t *testing.T) {
	const limit = 1<<20 - 1
	s := full(gx2.Pixel)
	var w gx2.Writer
	b, _, err := w.AppendGFD(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.MaxGFDSize(); got != uint64(len(b)) {
		t.Errorf("%d bytes, said to be at most %d", len(b), got)
	}
	largest := s.Blocks[0].Name + wire.Text(strings.Repeat("x", limit&^3-len(b)))
	for _, x := range []struct {
		name wire.Text
		size uint64
		fits bool
	}{{largest, limit &^ 3, true}, {largest + "xxxx", limit, false}} {
		s.Blocks[0].Name = x.name
		b, l, err := w.AppendGFD([]byte("before"), s)
		switch {
		case x.fits && (err != nil || uint64(len(b)-len("before")) != x.size || uint64(l.Size) != x.size):
			t.Errorf("a name of %d bytes: %d bytes, %v", len(x.name), len(b), err)
		case !x.fits && (!errors.Is(err, diag.ErrLimit) || string(b) != "before"):
			t.Errorf("a name of %d bytes: %d bytes, %v; want ErrLimit", len(x.name), len(b), err)
		}
		if s.GFDReaches() != x.fits || s.MaxGFDSize() != x.size {
			t.Errorf("a name of %d bytes: reaches %t, at most %d bytes; want %t, %d", len(x.name), s.GFDReaches(),
				s.MaxGFDSize(), x.fits, x.size)
		}
	}
}

// TestGFDCanonical: a layout that differs from the canonical one in one place is not
// canonical.
func TestGFDCanonical(t *testing.T) {
	s := full(gx2.Vertex)
	_, l, err := new(gx2.Writer).AppendGFD(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Layout = l
	if !s.GFDCanonical() {
		t.Error("the canonical layout is not")
	}
	for name, edit := range map[string]func(l *gx2.Layout){
		"a table": func(l *gx2.Layout) { l.Tables[0].Offset += 4 },
		"two tables": func(l *gx2.Layout) {
			a, b := &l.Tables[0], &l.Tables[1]
			a.Offset, b.Offset = b.Offset, a.Offset
		},
		"the last name": func(l *gx2.Layout) { l.Names[len(l.Names)-1].Offset += 4 },
		"a longer size": func(l *gx2.Layout) { l.Size += 4 },
		"a gap":         func(l *gx2.Layout) { l.Gaps = []gx2.Gap{{Offset: l.Size - 1, Bytes: wire.Hex{1}}} },
	} {
		other := *l
		other.Names = slices.Clone(l.Names)
		edit(&other)
		if s.Layout = &other; s.GFDCanonical() {
			t.Errorf("%s: canonical", name)
		}
	}
}
