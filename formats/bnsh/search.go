package bnsh

// searcher finds out whether every key of a dictionary is found.
type searcher struct {
	path    []step
	pending []turn
	found   []bool // by entry
}

// step is one decision of a path, with those before it in the same word of a
// key. Words are counted as bits are, from the end of the key.
type step struct {
	word   int32
	before int32  // the last step of another word, or -1
	mask   uint64 // the bits that were decided on
	value  uint64 // how
}

// turn is a side of a node, a number of steps down a path.
type turn struct {
	node  uint16
	right bool
	depth int32
}

// all reports whether a search for every key ends at its entry. If not, found
// says of each entry whether one does, or is nil when that is not known.
//
// It goes down every path once and looks whether the key at its end agrees with
// all decisions: that is when a search for the key takes this path.
//
// There are few paths. A link goes on exactly when it leads to a higher bit, so
// whether it ends a path does not depend on the path. The m nodes that are
// branches have 2m links, the root has one; at least m of them go on, for every
// branch is reached. n keys need n links that end paths, so at most 2m+1-n go on,
// and as m is at most n, that is one more than m or fewer. So one branch at most
// is reached by two links, and no branch is on more than two paths from the root;
// a tree that takes more turns than four for each node misses a key.
//
// A path compares by words. As its bits ascend, and every branch to the left
// needs a key that is long enough to have its bit, it has at most one word for
// every eight bytes of its own key and half the square root of the pool's size
// besides; if the tree is the usual one, which is looked for before, none of that
// is needed.
func (s *searcher) all(nodes []Node, texts []Text) (ok bool, found []bool) {
	s.path, s.pending = s.path[:0], s.pending[:0]
	s.found = append(s.found[:0], make([]bool, len(nodes))...)
	missing := len(nodes) - 1
	budget := 4 * len(nodes)
	reach := func(at uint16, above int32, depth int) {
		if nodes[at].Bit > above {
			s.pending = append(s.pending, turn{at, true, int32(depth)}, turn{at, false, int32(depth)})
			return
		}
		if at > 0 && !s.found[at] && s.agrees(texts[nodes[at].Key], depth) {
			s.found[at] = true
			missing--
		}
	}
	reach(nodes[0].Left, nodes[0].Bit, 0)
	for len(s.pending) > 0 && missing > 0 {
		if budget--; budget < 0 {
			return false, nil
		}
		t := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		n := &nodes[t.node]
		s.decide(n.Bit, t.right, int(t.depth))
		reach(n.child(t.right), n.Bit, int(t.depth)+1)
	}
	return missing == 0, s.found
}

// decide makes a decision the step at a depth.
func (s *searcher) decide(bit int32, right bool, depth int) {
	s.path = s.path[:depth]
	next := step{word: bit / 64, before: int32(depth) - 1}
	if depth > 0 && s.path[depth-1].word == next.word {
		next = s.path[depth-1]
	}
	next.mask |= 1 << (bit % 64)
	if right {
		next.value |= 1 << (bit % 64)
	}
	s.path = append(s.path, next)
}

// agrees reports whether a key agrees with the first steps of the path.
func (s *searcher) agrees(key Text, depth int) bool {
	for i := depth - 1; i >= 0; {
		step := &s.path[i]
		if keyWord(key, int(step.word))&step.mask != step.value {
			return false
		}
		i = int(step.before)
	}
	return true
}

// keyWord returns eight bytes of a key, the last one of the key lowest in word 0.
func keyWord(key Text, n int) uint64 {
	if 8*n+8 <= len(key) {
		return tail(key, 8*n)
	}
	var w uint64
	for i := range max(0, len(key)-8*n) {
		w |= uint64(fromEnd(key, 8*n+i)) << (8 * i)
	}
	return w
}
