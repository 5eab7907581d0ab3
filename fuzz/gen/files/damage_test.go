package files

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
			if !slices.ContainsFunc(slices.Collect(maps.Keys(places)),
				func(at int) bool { return at/(size/4) == quarter }) {
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
				0, 1, old + 1, old - 1, old + 4, old - 4, old | 1<<31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, size,
				uint32(size - at&^3),
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

// TestWhatIsDamaged: half of the files were valid, a quarter odd and a quarter faulty,
// and each is damaged one to four times.
func TestWhatIsDamaged(t *testing.T) {
	const seed, runs = 1, 4000
	all := damages
	defer func() { damages = all }()
	done := 0
	damages = slices.Clone(all[:1])
	damages[0].damage = func(_ *gen.Choices, b []byte, _ int) []byte { done++; return b }
	makes := func(text string) func(*gen.Choices) []byte {
		return func(*gen.Choices) []byte { return []byte(text) }
	}
	faults := func(b []byte) func() []gen.Fault {
		spoil := func(*gen.Choices) ([]byte, gen.Place) { return b, gen.Place{} }
		return func() []gen.Fault { return []gen.Fault{{Spoil: spoil}} }
	}
	from := gen.Format{File: makes("valid"), Odd: makes("odd"), Faults: faults([]byte("faulty"))}
	kinds, times := map[string]int{}, map[int]int{}
	for n := range uint64(runs) {
		done = 0
		kinds[string(Damaged(from, gen.From(gen.Seed(seed, n))))]++
		times[done]++
	}
	for kind, want := range map[string]int{"valid": runs / 2, "odd": runs / 4, "faulty": runs / 4} {
		if got := kinds[kind]; got < want*9/10 || got > want*11/10 {
			t.Errorf("%d of %d files were %s, want about %d", got, runs, kind, want)
		}
	}
	for n := 1; n <= 4; n++ {
		if got := times[n]; got < runs/4*9/10 || got > runs/4*11/10 {
			t.Errorf("%d of %d files are damaged %d times, want about %d", got, runs, n, runs/4)
		}
	}
	if len(kinds) != 3 || len(times) != 4 {
		t.Errorf("kinds of files %v, numbers of damages %v", kinds, times)
	}
	done = 0
	empty := gen.Format{File: makes(""), Odd: makes(""), Faults: faults(nil)}
	if b := Damaged(empty, gen.From(gen.Seed(seed, 0))); len(b) != 0 || done != 0 {
		t.Errorf("an empty file became % x after %d damages", b, done)
	}
}

// TestKindsOfDamage: each kind does what its name says, in every way that it can.
func TestKindsOfDamage(t *testing.T) {
	const seed, runs, size, at = 1, 8000, 200, 100
	base := make([]byte, size)
	for i := range base {
		base[i] = byte(i)
	}
	base[at] = 0x55
	seen := map[string]map[int]bool{}
	for _, d := range damages {
		list := map[int]bool{}
		for n := range uint64(runs) {
			b := d.damage(gen.From(gen.Seed(seed, n)), slices.Clone(base), at)
			grown := len(b) - size
			same := false
			switch d.name {
			case "bit", "byte":
				same = grown == 0 && bytes.Equal(b[:at], base[:at]) && bytes.Equal(b[at+1:], base[at+1:])
				list[int(b[at]^base[at])] = true
			case "little-endian number", "big-endian number":
				same = grown == 0 && bytes.Equal(b[:at], base[:at]) && bytes.Equal(b[at+4:], base[at+4:])
				order := map[string]binary.ByteOrder{"l": binary.LittleEndian, "b": binary.BigEndian}[d.name[:1]]
				if order.Uint32(b[at:]) == order.Uint32(base[at:])+1 {
					list[1] = true
				}
			case "end":
				same = bytes.Equal(b, base[:at])
				list[-grown] = true
			case "lost bytes":
				same = grown < 0 && bytes.Equal(b[:at], base[:at]) && bytes.Equal(b[at:], base[at-grown:])
				list[-grown] = true
			case "repeated bytes":
				same = grown > 0 && bytes.Equal(b[:at+grown], base[:at+grown]) && bytes.Equal(b[at+grown:], base[at:])
				list[grown] = true
			}
			if !same {
				t.Fatalf("%s, seed %d, file %d: % x became % x", d.name, seed, n, base, b)
			}
		}
		seen[d.name] = list
	}
	numbers := func(n int, f func(i int) int) map[int]bool {
		set := map[int]bool{}
		for i := range n {
			set[f(i)] = true
		}
		return set
	}
	one := func(i int) int { return i + 1 }
	want := map[string]map[int]bool{
		"bit":                  numbers(8, func(i int) int { return 1 << i }), // which it turns
		"byte":                 numbers(256, func(i int) int { return i }),
		"little-endian number": {1: true}, // one more than there was
		"big-endian number":    {1: true},
		"end":                  {size - at: true}, // how many bytes are missing
		"lost bytes":           numbers(16, one),
		"repeated bytes":       numbers(64, one),
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
