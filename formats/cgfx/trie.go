package cgfx

import (
	"bytes"
	"math/bits"
)

// node is the part of a DICT node that makes up the trie: its reference bit, and the
// indices of its children.
type node struct {
	bit         uint32
	left, right uint16
}

// bitOf returns bit b of a name: bit b mod 8 of byte b / 8, 0 beyond the end.
func bitOf(name []byte, b uint32) bool {
	i := b / 8
	return i < uint32(len(name)) && name[i]>>(b%8)&1 != 0
}

// next returns the child on the path of a name.
func (n *node) next(name []byte) uint16 {
	if bitOf(name, n.bit) {
		return n.right
	}
	return n.left
}

// work is the number of steps that lookups and inserts may still take. A sound trie whose
// names do not overlap in the file stays far below the bound; names that overlap in one
// long string can cost the product of their number and the string's length.
type work int

// spend takes n steps and reports whether that many were left.
func (w *work) spend(n int) bool {
	*w -= work(n)
	return *w >= 0
}

// lookup returns the node that a name leads to: it descends from the left child of
// the root as long as the reference bits decrease. ok is false when a child does not
// exist, or when no steps are left.
func lookup(trie []node, name []byte, w *work) (found int, ok bool) {
	previous, current := trie[0].bit, int(trie[0].left)
	for current < len(trie) {
		n := &trie[current]
		if n.bit >= previous {
			return current, true
		}
		if !w.spend(1) {
			return 0, false
		}
		previous, current = n.bit, int(n.next(name))
	}
	return 0, false
}

// buildTrie returns the trie that SPICA and EveryFileExplorer build when they insert
// the names in this order. ok is false when two names are equal, when one is empty, as
// the root's is, or when no steps are left.
func buildTrie(names [][]byte, w *work) (trie []node, ok bool) {
	trie = make([]node, 1, len(names)+1)
	trie[0].bit = rootBit
	for k, name := range names {
		at, ok := lookup(trie, name, w)
		if !ok {
			return nil, false
		}
		var reached []byte
		if at > 0 {
			reached = names[at-1]
		}
		bit, ok := lastDifference(name, reached, w)
		if !ok || !insert(&trie, name, bit, uint16(k+1), w) {
			return nil, false
		}
	}
	return trie, true
}

// insert adds node self, with this name and reference bit. It goes down the path of the
// name and puts the node before the first one whose bit is not larger, or at the end.
func insert(trie *[]node, name []byte, bit uint32, self uint16, w *work) bool {
	t := *trie
	place, previous := &t[0].left, uint32(rootBit)
	for {
		n := &t[*place]
		if n.bit >= previous || n.bit <= bit {
			break
		}
		if !w.spend(1) {
			return false
		}
		previous = n.bit
		if bitOf(name, n.bit) {
			place = &n.right
		} else {
			place = &n.left
		}
	}
	fresh := node{bit: bit, left: self, right: *place}
	if bitOf(name, bit) {
		fresh.left, fresh.right = *place, self
	}
	*place = self
	*trie = append(t, fresh)
	return true
}

// lastDifference returns the highest bit in which two names differ; false when they are
// equal or no steps are left. Names contain no NUL, so the highest set bit of the longer
// name's last byte differs.
func lastDifference(a, b []byte, w *work) (uint32, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	last := len(a) - 1
	if len(a) > len(b) {
		return uint32(8*last + bits.Len8(a[last]) - 1), true
	}
	if !w.spend(len(a)) || bytes.Equal(a, b) {
		return 0, false
	}
	for a[last] == b[last] {
		last--
	}
	return uint32(8*last + bits.Len8(a[last]^b[last]) - 1), true
}
