package bnsh

import "math/bits"

// Node is an entry of a dictionary: the root, or an item together with the
// branch of the tree that was made when the item was put in. Left and Right are
// indices of entries.
type Node struct {
	Bit   int32  `json:"bit"` // the bit of a key to branch on; -1 in the root
	Left  uint16 `json:"left"`
	Right uint16 `json:"right"`
	Key   uint32 `json:"key"` // index in the string pool
}

// child is the link to follow for a bit of a key.
func (n *Node) child(bit bool) *uint16 {
	if bit {
		return &n.Right
	}
	return &n.Left
}

// bit returns a bit of a key. Bits count from the least significant one of the last byte; bits in front of the key are
// 0 (nnheaders).
func bit(key Text, n int32) bool {
	i := uint(len(key) - 1 - int(n>>3)) // bit -1 is behind the key
	return i < uint(len(key)) && key[i]>>(n&7)&1 != 0
}

// lowestDifference returns the lowest bit in which two keys differ. Leading
// NULs carry no bits, so keys that differ in nothing else have none.
func lowestDifference(a, b Text) (int32, bool) {
	n := 0
	for ; n+8 <= len(a) && n+8 <= len(b); n += 8 {
		if x := tail(a, n) ^ tail(b, n); x != 0 {
			return int32(8*n + bits.TrailingZeros64(x)), true
		}
	}
	for ; n < max(len(a), len(b)); n++ {
		if x := fromEnd(a, n) ^ fromEnd(b, n); x != 0 {
			return int32(8*n + bits.TrailingZeros8(x)), true
		}
	}
	return 0, false
}

// tail returns the eight bytes of a key in front of its last n, the last byte
// lowest.
func tail(key Text, n int) uint64 {
	b := key[len(key)-n-8 : len(key)-n]
	return uint64(b[7]) | uint64(b[6])<<8 | uint64(b[5])<<16 | uint64(b[4])<<24 |
		uint64(b[3])<<32 | uint64(b[2])<<40 | uint64(b[1])<<48 | uint64(b[0])<<56
}

func fromEnd(key Text, n int) byte {
	if n >= len(key) {
		return 0
	}
	return key[len(key)-1-n]
}

// descend returns the entry at which the runtime's search for a key ends (nnheaders), and the number of branches on the
// way. Every branch is on a higher bit than the one before, so a search always ends; it ends early after more than
// limit branches.
func descend(nodes []Node, key Text, limit int) (index uint16, taken int) {
	above, at := nodes[0].Bit, nodes[0].Left
	for n := &nodes[at]; n.Bit > above && taken <= limit; n = &nodes[at] {
		above = n.Bit
		at = *n.child(bit(key, above))
		taken++
	}
	return at, taken
}

// grow makes the tree of a dictionary by inserting the keys in order, key i as entry i+1. It inserts each key at the
// lowest bit in which it differs from the key that a search for it finds. A key without bits, or with the bits of an
// earlier key, stays out: its entry has bit -1.
func grow(nodes []Node, keys []Text) {
	nodes[0].Bit, nodes[0].Left, nodes[0].Right = -1, 0, 0
	for i := range keys {
		insert(nodes, keys, i)
	}
}

// insert inserts key i into the tree of the keys before it.
func insert(nodes []Node, keys []Text, i int) {
	key, entry := keys[i], uint16(i+1)
	var like Text // the key that a search finds; the root's is empty
	if at, _ := descend(nodes, key, len(nodes)); at > 0 {
		like = keys[at-1]
	}
	n, differ := lowestDifference(key, like)
	if !differ {
		nodes[entry].Bit = -1
		return
	}
	link, above := &nodes[0].Left, int32(-1)
	for next := &nodes[*link]; next.Bit > above && next.Bit < n; next = &nodes[*link] {
		above = next.Bit
		link = next.child(bit(key, above))
	}
	right := bit(key, n)
	nodes[entry].Bit = n
	*nodes[entry].child(right) = entry
	*nodes[entry].child(!right) = *link
	*link = entry
}
