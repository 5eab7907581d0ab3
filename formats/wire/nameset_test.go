package wire_test

import (
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

// TestNameSet compares the set with a map, one set after the other: empty sets, sets in which
// most names occur again, with room for all names and for half of them.
func TestNameSet(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	var set wire.NameSet[int]
	for k, n := range []int{0, 1, 4, 5, 300, 2, 40, 41, 300, 299} {
		set.Reset(n >> (k % 2))
		known := map[string]int{}
		for owner := range n {
			name := make([]byte, random.IntN(3))
			for i := range name {
				name[i] = byte(random.IntN(8))
			}
			want, seen := known[string(name)]
			if !seen {
				want, known[string(name)] = owner, owner
			}
			if first, again := set.Add(name, owner); first != want || again != seen {
				t.Fatalf("seed %d, %d of %d names: %x: got %d, %v, want %d, %v", seed, owner, n, name,
					first, again, want, seen)
			}
		}
	}
}

func TestLongest(t *testing.T) {
	for table, want := range map[string]int{"": 0, "abc": 0, "\x00": 1, "a\x00bcd\x00ef\x00ghijk": 4} {
		if got := wire.Longest([]byte(table)); got != want {
			t.Errorf("%q: got %d, want %d", table, got, want)
		}
	}
}
