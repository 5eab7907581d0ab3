package cgfxgen

// node is a node of a trie of names: the bit it looks at, and where names go in
// which that bit is 0 and 1.
type node struct {
	bit   int
	child [2]int
}

const rootBit = 0xFFFFFFFF

// trie is the trie of a DICT, built node by node from the specification, without the code of package cgfx. Node k
// belongs to name k-1.
type trie []node

func newTrie(names []string) trie {
	t := trie{{bit: rootBit}}
	for k, name := range names {
		reached := ""
		if at := t.end(name); at > 0 {
			reached = names[at-1]
		}
		bit := 8*max(len(name), len(reached)) - 1
		for bitOf(name, bit) == bitOf(reached, bit) {
			bit--
		}
		place := t.walk(name, bit)
		fresh := node{bit: bit}
		side := bitOf(name, bit)
		fresh.child[side], fresh.child[1-side] = k+1, t[place.node].child[place.side]
		t[place.node].child[place.side] = k + 1
		t = append(t, fresh)
	}
	return t
}

func bitOf(name string, bit int) int {
	if bit/8 >= len(name) {
		return 0
	}
	return int(name[bit/8] >> (bit % 8) & 1)
}

// edge is one of the two children of a node.
type edge struct{ node, side int }

// walk follows a name as long as the bits fall and are above limit, and returns
// the edge at which it stops.
func (t trie) walk(name string, limit int) edge {
	e := edge{}
	for {
		next := t[e.node].child[e.side]
		if bit := t[next].bit; bit >= t[e.node].bit || bit <= limit {
			return e
		}
		e = edge{next, bitOf(name, t[next].bit)}
	}
}

// end is the node at which the search for a name ends.
func (t trie) end(name string) int {
	e := t.walk(name, -1)
	return t[e.node].child[e.side]
}

// edges returns the edges that some search follows, or the idle ones: the right edge of the root, and the edge back to
// the root.
func (t trie) edges(idle bool) (list []edge) {
	for k := range t {
		for side, to := range t[k].child {
			follows := to != 0
			if k == 0 {
				follows = side == 0
			}
			if follows != idle {
				list = append(list, edge{k, side})
			}
		}
	}
	return list
}
