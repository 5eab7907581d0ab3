package cgfx

// TrieOf builds a trie in a number of steps, as nodes of bit, left, right.
func TrieOf(names [][]byte, steps int) (nodes [][3]uint32, ok bool) {
	w := work(steps)
	trie, ok := buildTrie(names, &w)
	for _, n := range trie {
		nodes = append(nodes, [3]uint32{n.bit, uint32(n.left), uint32(n.right)})
	}
	return nodes, ok
}
