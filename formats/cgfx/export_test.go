package cgfx

// TrieOf builds a trie without a bound on the work, as nodes of bit, left,
// right.
func TrieOf(names [][]byte) (nodes [][3]uint32, ok bool) {
	w := work(1 << 62)
	trie, ok := buildTrie(names, &w)
	for _, n := range trie {
		nodes = append(nodes, [3]uint32{n.bit, uint32(n.left), uint32(n.right)})
	}
	return nodes, ok
}
