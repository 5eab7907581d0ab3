package files

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestEveryDamageHappensEverywhere: every kind of damage is drawn, and each in
// every quarter of a file, at its first byte or word and at its last.
func TestEveryDamageHappensEverywhere(t *testing.T) {
	const seed, runs, size = 1, 4000, 80
	base := make([]byte, size)
	for i := range base {
		base[i] = byte(i + 1)
	}
	for _, d := range damages {
		places := map[int]bool{}
		for n := range uint64(runs) {
			c := gen.From(gen.Seed(seed, n))
			b := d.damage(c, slices.Clone(base), c.Below(size))
			if at := firstDifference(base, b); at >= 0 {
				places[at] = true
			}
		}
		for quarter := range 4 {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(places)), func(at int) bool { return at/(size/4) == quarter }) {
				t.Errorf("%s: never in quarter %d of %d draws", d.name, quarter, runs)
			}
		}
		first, last := places[0], places[size-1] || places[size-4] // of a byte or of a word
		if d.name == "repeated bytes" {
			first, last = places[1], places[size] // a file differs behind what is repeated
		}
		if !first || !last {
			t.Errorf("%s: at the first byte %v, at the last %v", d.name, first, last)
		}
	}
}

// firstDifference returns where two files begin to differ, -1 if they do not.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) == len(b) {
		return -1
	}
	return min(len(a), len(b))
}

// TestNumbersAtTheirEdges: a damaged number takes every value at which ranges end,
// in both byte orders, the last word of a file as well as the first.
func TestNumbersAtTheirEdges(t *testing.T) {
	const seed, runs, old, size = 1, 2000, 0x01020304, 12
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, at := range []int{0, 5, 8, 11} {
			seen := map[uint32]bool{}
			for n := range uint64(runs) {
				b := bytes.Repeat([]byte{0}, size)
				order.PutUint32(b[at&^3:], old)
				number(gen.From(gen.Seed(seed, n)), b, at, order)
				seen[order.Uint32(b[at&^3:])] = true
			}
			want := []uint32{
				0, 1, old + 1, old - 1, old + 4, old - 4, old | 1<<31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, size, uint32(size - at&^3),
			}
			for _, v := range want {
				if !seen[v] {
					t.Errorf("seed %d, %v, at %d: %#x is never drawn", seed, order, at, v)
				}
			}
		}
	}
	odd := []byte{1, 2, 3, 4, 5, 6}
	if b := number(gen.From(gen.Seed(seed, 0)), slices.Clone(odd), 5, binary.LittleEndian); !bytes.Equal(b, odd) {
		t.Errorf("a number of two bytes became %x", b)
	}
}
