package cgfx_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/cgfx"
)

const unbounded = 1 << 62

// TestTrieOfFewSteps: a trie is whole, or there is none.
func TestTrieOfFewSteps(t *testing.T) {
	names := [][]byte{[]byte("abc"), []byte("abd"), []byte("ab"), []byte("xbd"), []byte("abx")}
	want, _ := cgfx.TrieOf(names, unbounded)
	for steps := range 100 {
		got, ok := cgfx.TrieOf(names, steps)
		switch {
		case ok && !cmp.Equal(got, want), !ok && got != nil:
			t.Errorf("%d steps: got %x, %t, want %x", steps, got, ok, want)
		case ok && steps < len(names):
			t.Errorf("%d steps are enough", steps)
		case !ok && steps == 99:
			t.Errorf("%d steps are not enough", steps)
		}
	}
}

// TestTrie compares tries with those that the published algorithm makes, bit by
// bit.
func TestTrie(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		var names [][]byte
		for range 1 + r.IntN(20) {
			name := make([]byte, 1+r.IntN(6))
			for i := range name {
				name[i] = "abAB`\xFF"[r.IntN(6)]
			}
			if !slices.ContainsFunc(names, func(o []byte) bool { return bytes.Equal(o, name) }) {
				names = append(names, name)
			}
		}
		got, ok := cgfx.TrieOf(names, unbounded)
		if want := plainTrie(names); !ok || !cmp.Equal(got, want) {
			t.Fatalf("seed %d: %q:\ngot  %x\nwant %x", seed, names, got, want)
		}
	}
	if _, ok := cgfx.TrieOf([][]byte{[]byte("a"), []byte("a")}, unbounded); ok {
		t.Error("a name was inserted twice")
	}
}

func TestTrieOfOneName(t *testing.T) {
	got, _ := cgfx.TrieOf([][]byte{[]byte("DefaultShader")}, unbounded)
	if want := [][3]uint32{{0xFFFFFFFF, 1, 0}, {0x66, 0, 1}}; !cmp.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// plainTrie follows the words of SPICA's algorithm.
func plainTrie(names [][]byte) [][3]uint32 {
	trie := [][3]uint32{{0xFFFFFFFF, 0, 0}}
	longest := 0
	for _, name := range names {
		longest = max(longest, len(name))
	}
	set := func(name []byte, b uint32) uint32 {
		if int(b/8) >= len(name) {
			return 0
		}
		return uint32(name[b/8] >> (b % 8) & 1)
	}
	for k, name := range names {
		previous, current := uint32(0), trie[0][1]
		for trie[current][0] < trie[previous][0] {
			previous, current = current, trie[current][1+set(name, trie[current][0])]
		}
		var reached []byte
		if current > 0 {
			reached = names[current-1]
		}
		bit := uint32(8*longest - 1)
		for set(name, bit) == set(reached, bit) {
			bit--
		}
		previous, current = 0, trie[0][1]
		side := uint32(0)
		for trie[current][0] < trie[previous][0] && trie[current][0] > bit {
			side = set(name, trie[current][0])
			previous, current = current, trie[current][1+side]
		}
		self := uint32(k + 1)
		trie[previous][1+side] = self
		fresh := [3]uint32{bit, self, current}
		if set(name, bit) == 1 {
			fresh = [3]uint32{bit, current, self}
		}
		trie = append(trie, fresh)
	}
	return trie
}
