package wire_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

// TestCheckLayout: spans and gaps end inside the file, and the file has at most their bytes and
// three bytes of padding around each span.
func TestCheckLayout(t *testing.T) {
	for _, c := range []struct {
		size, gap, span uint64 // size of the file, offsets of a gap of 2 bytes and of a span of 4 bytes
		ok              bool
	}{
		{6, 4, 0, true}, {5, 4, 0, false}, {6, 0, 2, true}, {6, 0, 3, false}, {6, 7, 0, false},
		{6, 4, 7, false}, {12, 4, 0, true}, {13, 4, 0, false}, {6, 4, 1<<64 - 1, false},
	} {
		err := wire.CheckLayout("x", c.size, []wire.Span{{Off: c.span, Len: 4}},
			[]wire.Gap{{Offset: c.gap, Bytes: make(wire.Hex, 2)}})
		if (err == nil) != c.ok {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

// TestFirstNonZero: the byte is found wherever it is, around the ends of blocks above all.
func TestFirstNonZero(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8192, 8193} {
		b := make([]byte, n)
		if got := wire.FirstNonZero(b); got != -1 {
			t.Errorf("%d zeros: got %d", n, got)
		}
		for _, at := range []int{0, 1, 4095, 4096, 4097, 8191, 8192} {
			if at < n {
				b[at] = 1
				if got := wire.FirstNonZero(b); got != at {
					t.Errorf("%d bytes: got %d, want %d", n, got, at)
				}
				b[at] = 0
			}
		}
	}
}
