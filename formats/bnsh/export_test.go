package bnsh

// The two rules by which the official converter makes trees and relocation
// entries, for tests that hold them against slow ones.
var Compress = compress

// Descend returns the entry that a search for a key ends at.
func Descend(nodes []Node, key Text) int {
	at, _ := descend(nodes, key, len(nodes))
	return int(at)
}

// Grow makes the tree of keys, and reports whether all are in it.
func Grow(keys []Text) ([]Node, bool) {
	nodes := make([]Node, len(keys)+1)
	for i := range nodes {
		nodes[i].Key = uint32(i)
	}
	grow(nodes, keys)
	for _, n := range nodes[1:] {
		if n.Bit < 0 {
			return nil, false
		}
	}
	return nodes, true
}
