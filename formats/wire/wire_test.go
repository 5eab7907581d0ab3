package wire_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

func TestViewHas(t *testing.T) {
	v := wire.LE(make([]byte, 16))
	for _, c := range []struct {
		off, n uint64
		want   bool
	}{
		{0, 0, true}, {0, 16, true}, {16, 0, true}, {15, 1, true}, {16, 1, false}, {17, 0, false},
		{0, 17, false}, {1, math.MaxUint64, false}, {math.MaxUint64, 1, false}, {math.MaxUint64, math.MaxUint64, false},
	} {
		if got := v.Has(c.off, c.n); got != c.want {
			t.Errorf("Has(%#x, %#x): got %t, want %t", c.off, c.n, got, c.want)
		}
	}
	if !v.HasTable(8, 2, 4) || v.HasTable(8, 3, 4) || v.HasTable(0, math.MaxUint32, math.MaxUint32) {
		t.Error("HasTable does not bound count times size")
	}
}

func TestViewOrder(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	if le, be := wire.LE(b), wire.BE(b); le.U16(0) != 0x0201 || be.U16(0) != 0x0102 || le.U32(0) != 0x04030201 ||
		be.U32(0) != 0x01020304 || le.U64(0) != 0x0807060504030201 || be.U64(0) != 0x0102030405060708 || le.U8(7) != 8 {
		t.Error("an integer was read in the wrong order")
	}
	if got := wire.LE(b).Bytes(2, 3); !bytes.Equal(got, []byte{3, 4, 5}) || cap(got) != 3 {
		t.Errorf("Bytes(2, 3): got % x with capacity %d, want 03 04 05 with 3", got, cap(got))
	}
}

// TestStringsLookup compares the index with a plain search.
func TestStringsLookup(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		table := make([]byte, r.IntN(40))
		for i := range table {
			table[i] = "\x00ab"[r.IntN(3)]
		}
		s := wire.NewStrings(table)
		if got, want := s.Count(), bytes.Count(table, []byte{0}); got != want {
			t.Fatalf("seed %d: %q: Count: got %d, want %d", seed, table, got, want)
		}
		for off := range len(table) + 2 {
			got, ok := s.Lookup(uint64(off))
			var want []byte
			wantOK := false
			if off < len(table) {
				want, _, wantOK = bytes.Cut(table[off:], []byte{0})
			}
			if ok != wantOK || ok && !bytes.Equal(got, want) {
				t.Fatalf("seed %d: %q at %d: got %q %t, want %q %t", seed, table, off, got, ok, want, wantOK)
			}
		}
	}
	if _, ok := wire.NewStrings([]byte{0}).Lookup(math.MaxUint64); ok {
		t.Error("a name was found at the largest offset")
	}
}

func TestHexText(t *testing.T) {
	b, err := json.Marshal(wire.Hex{0xDE, 0xAD})
	if err != nil || string(b) != `"dead"` {
		t.Fatalf("got %s, %v", b, err)
	}
	var h wire.Hex
	if err := json.Unmarshal(b, &h); err != nil || !bytes.Equal(h, []byte{0xDE, 0xAD}) {
		t.Errorf("got % x, %v", h, err)
	}
	if err := json.Unmarshal([]byte(`"xy"`), &h); err == nil {
		t.Error("xy was read as hex")
	}
}
