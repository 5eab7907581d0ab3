package bnsh

// The two rules by which the official converter makes trees and relocation
// entries, for tests that hold them against slow ones.
var (
	Compress = compress
	Descend  = descend
)

// Search reports whether every key of nodes is found, and which are, if known.
func Search(nodes []Node, texts []Text) (bool, []bool) { return new(searcher).all(nodes, texts) }

// Grow makes the tree of keys.
func Grow(keys []Text) ([]Node, bool) {
	nodes := make([]Node, len(keys)+1)
	for i := range nodes {
		nodes[i].Key = uint32(i)
	}
	ok := grow(nodes, &bitPool{texts: append([]Text{""}, keys...)})
	return nodes, ok
}
