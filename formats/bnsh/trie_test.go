package bnsh_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// value is a key as a number, of which the last byte is the lowest.
func value(key bnsh.Text) *big.Int { return new(big.Int).SetBytes([]byte(key)) }

// slowTree makes the nodes of a dictionary from what the tree is, not from how
// it grows: a set of keys is divided by the lowest bit in which not all agree,
// and the branch belongs to the key that made it necessary, the later of the
// first keys of both sides. The empty key of the root counts as the first.
func slowTree(keys []bnsh.Text) []bnsh.Node {
	nodes := make([]bnsh.Node, len(keys)+1)
	values := []*big.Int{new(big.Int)}
	all := []int{0}
	for i, key := range keys {
		values = append(values, value(key))
		all = append(all, i+1)
	}
	var divide func(set []int) uint16
	divide = func(set []int) uint16 {
		if len(set) == 1 {
			return uint16(set[0])
		}
		for bit := 0; ; bit++ {
			var sides [2][]int
			for _, i := range set {
				side := values[i].Bit(bit)
				sides[side] = append(sides[side], i)
			}
			if len(sides[0]) > 0 && len(sides[1]) > 0 {
				owner := max(sides[0][0], sides[1][0])
				nodes[owner].Bit = int32(bit)
				nodes[owner].Left = divide(sides[0])
				nodes[owner].Right = divide(sides[1])
				return uint16(owner)
			}
		}
	}
	nodes[0].Bit = -1
	for i := range nodes {
		nodes[i].Key = uint32(i)
	}
	if len(keys) > 0 {
		nodes[0].Left = divide(all)
	}
	return nodes
}

// TestTreesAgree: the tree that grows key by key is the one that dividing the
// keys gives, and every key is found in it.
func TestTreesAgree(t *testing.T) {
	const seed = 5
	for run := range formattest.Runs(t, 100_000) {
		r := rand.New(rand.NewPCG(seed, uint64(run)))
		keys := randomKeys(r, 1<<r.IntN(6))
		got, ok := bnsh.Grow(keys)
		if !ok {
			t.Fatalf("seed %d, run %d: no tree for %q", seed, run, keys)
		}
		if want := slowTree(keys); !slices.Equal(got, want) {
			t.Fatalf("seed %d, run %d: %q:\ngot  %v\nwant %v", seed, run, keys, got, want)
		}
		for i, key := range keys {
			if at := bnsh.Descend(got, key); at != i+1 {
				t.Fatalf("seed %d, run %d: %q is found at %d, want %d", seed, run, key, at, i+1)
			}
		}
	}
}

func TestTreeRefusesEqualKeys(t *testing.T) {
	for _, keys := range [][]bnsh.Text{{""}, {"\x00"}, {"a", "a"}, {"a", "\x00a"}, {"b", "a", "\x00\x00b"}} {
		t.Run(fmt.Sprintf("%q", keys), func(t *testing.T) {
			if _, ok := bnsh.Grow(keys); ok {
				t.Error("a tree came out")
			}
		})
	}
}

// TestLargeTrees builds dictionaries as large as they get.
func TestLargeTrees(t *testing.T) {
	keys := make([]bnsh.Text, 65535)
	if testing.Short() {
		keys = keys[:8191]
	}
	for i := range keys {
		keys[i] = bnsh.Text(fmt.Sprintf("key_%d", i*7919%65536))
	}
	f := workedModel()
	f.Variations[0].Binary.Reflection[bnsh.Vertex] = reflection(bnsh.Tables{bnsh.Outputs: {Keys: keys}})
	got, err := bnsh.Parse(build(t, f))
	if err != nil {
		t.Fatal(err)
	}
	nodes := got.Layout.Programs[0].Reflections[bnsh.Vertex].Dictionaries[bnsh.Outputs].Nodes
	want := slowTree(keys)
	for i := range want {
		want[i].Key = nodes[i].Key
	}
	if !slices.Equal(nodes, want) {
		t.Error("the tree is not the one that dividing the keys gives")
	}
}
