package wire_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

func TestViewHas(t *testing.T) {
	v := wire.LE(make([]byte, 16))
	for _, c := range []struct {
		off, n uint64
		want   bool
	}{
		{0, 0, true}, {0, 16, true}, {16, 0, true}, {15, 1, true}, {16, 1, false}, {17, 0, false},
		{0, 17, false}, {1, math.MaxUint64, false}, {math.MaxUint64, 1, false},
		{math.MaxUint64, math.MaxUint64, false},
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
		be.U32(0) != 0x01020304 || le.U64(0) != 0x0807060504030201 ||
		be.U64(0) != 0x0102030405060708 || le.U8(7) != 8 {
		t.Error("an integer was read in the wrong order")
	}
	if got := wire.LE(b).Bytes(2, 3); !bytes.Equal(got, []byte{3, 4, 5}) || cap(got) != 3 {
		t.Errorf("Bytes(2, 3): got % x with capacity %d, want 03 04 05 with 3", got, cap(got))
	}
}

// TestNameAt compares the names of random tables with a plain search.
func TestNameAt(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		table := make([]byte, r.IntN(40))
		for i := range table {
			table[i] = "\x00ab"[r.IntN(3)]
		}
		limit := wire.NameLimit(table)
		for off := range len(table) + 2 {
			got, ok := wire.NameAt(table, uint64(off))
			want, end := "", off
			for end < len(table) && table[end] != 0 {
				want += string(table[end])
				end++
			}
			if ok != (end < len(table)) || ok != (uint64(off) < limit) || ok && string(got) != want {
				t.Fatalf("seed %d: %q at %d: got %q %t, want %q; limit %d", seed, table, off, got, ok, want, limit)
			}
		}
	}
	if _, ok := wire.NameAt([]byte{0}, math.MaxUint64); ok {
		t.Error("a name was found at the largest offset")
	}
}

// TestNameTotal: names are read up to 8 times the size of the file.
func TestNameTotal(t *testing.T) {
	rules := diag.NewRuleSet([]diag.Rule{{ID: "X001", Severity: diag.Error, Title: "names exceed the limit"}})
	table := []byte("seven__\x00eight___\x00x")
	table = table[:wire.NameLimit(table)]
	for _, c := range []struct {
		offsets []uint64
		want    string
	}{
		{[]uint64{0, 0, 0, 0, 0, 0, 0, 0}, ""},
		{[]uint64{0, 0, 0, 0, 0, 0, 0, 17, 99, 0}, ""},
		{[]uint64{0, 0, 0, 0, 0, 0, 0, 8, 0},
			"0x0000: X001 file: names exceed the limit (expected names of at most 64 bytes, found 65 bytes)"},
	} {
		total := wire.NewNameTotal(8)
		for i, off := range c.offsets {
			name, ok := total.Read(table, off)
			if want := off < 17; ok != want || ok && !total.Over() && len(name) == 0 {
				t.Errorf("%v: reference %d: got %q, %t", c.offsets, i, name, ok)
			}
		}
		r := diag.Collect(rules)
		total.Report(r, "X001")
		got := ""
		for _, f := range r.Findings() {
			got += f.String()
		}
		if got != c.want || total.Over() != (c.want != "") {
			t.Errorf("%v: got %q, want %q", c.offsets, got, c.want)
		}
	}
}

// TestViewIsTotal: no offset and no size leaves the bytes.
func TestViewIsTotal(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, v := range []wire.View{wire.LE(b), wire.BE(b), wire.LE(nil)} {
		for _, off := range []uint64{0, 1, 2, 5, 6, 7, 8, 9, 10, math.MaxUint64 - 8, math.MaxUint64} {
			for _, size := range []int{1, 2, 4, 8} {
				want := uint64(0)
				if inside := v.Has(off, uint64(size)); inside {
					for k := range uint64(size) {
						shift := 8 * k
						if v.Order() == binary.BigEndian {
							shift = 8 * (uint64(size) - 1 - k)
						}
						want |= uint64(b[off+k]) << shift
					}
				}
				if got := v.Uint(off, size); got != want {
					t.Errorf("%d bytes at %#x: got %#x, want %#x", size, off, got, want)
				}
			}
			for _, n := range []uint64{0, 1, 9, 10, math.MaxUint64} {
				from := min(off, v.Size())
				want := v.B[from : from+min(n, v.Size()-from)]
				if got := v.Bytes(off, n); !bytes.Equal(got, want) || cap(got) != len(want) {
					t.Errorf("Bytes(%#x, %#x): got % x, want % x", off, n, got, want)
				}
			}
		}
	}
	if wire.LE(b).Uint(0, 3) != 0 || wire.LE(b).HasTable(0, 1<<32, 1<<32) {
		t.Error("a width or a size that does not exist is read")
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
