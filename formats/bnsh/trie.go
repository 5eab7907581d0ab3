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

func (n *Node) child(right bool) *uint16 {
	if right {
		return &n.Right
	}
	return &n.Left
}

// bit returns a bit of a key. Bits are counted from the least significant one
// of the last byte; those in front of the key are 0 (nnheaders).
func bit(key Text, n int32) bool {
	i := uint(len(key) - 1 - int(n>>3)) // bit -1 is behind the key
	return i < uint(len(key)) && key[i]>>(n&7)&1 != 0
}

// lowestDifference returns the lowest bit in which two keys differ. Leading NULs
// carry no bits, so keys that differ in nothing else have none.
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

// descend returns the entry that a search for a key ends at, as the runtime
// does it (nnheaders). It follows at most limit branches; every branch is on a
// higher bit than the one before, so it always ends.
func descend(nodes []Node, key Text, limit int) (index uint16, ok bool) {
	above, at := nodes[0].Bit, nodes[0].Left
	for {
		n := &nodes[at]
		if n.Bit <= above {
			return at, true
		}
		if limit--; limit < 0 {
			return 0, false
		}
		above = n.Bit
		if at = n.Left; bit(key, above) {
			at = n.Right
		}
	}
}

// grow makes the tree of a dictionary, of which nodes hold the keys: they are put
// in one after the other, and each becomes the entry behind the last. It fails
// when two keys have the same bits, or a key has none.
func grow(nodes []Node, pool *bitPool) bool {
	nodes[0].Bit, nodes[0].Left, nodes[0].Right = -1, 0, 0
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		key := pool.texts[n.Key]
		near, _ := descend(nodes[:i], key, i)
		branch, differ := pool.difference(n.Key, nodes[near].Key)
		if !differ {
			return false
		}
		link := &nodes[0].Left
		for above := int32(-1); above < nodes[*link].Bit && nodes[*link].Bit < branch; {
			above = nodes[*link].Bit
			link = nodes[*link].child(bit(key, above))
		}
		n.Bit = branch
		right := bit(key, branch)
		*n.child(right), *n.child(!right) = uint16(i), *link
		*link = uint16(i)
	}
	return true
}

// bitPool is a string pool that knows where its strings differ. It remembers
// that of long strings, which many dictionaries may have as keys.
type bitPool struct {
	texts []Text
	known map[uint64]int32 // by both indices; -1 for no difference
}

// longKey is from how many bytes on a string is long.
const longKey = 256

// difference returns the lowest bit in which two strings of the pool differ.
func (p *bitPool) difference(a, b uint32) (n int32, differ bool) {
	x, y := p.texts[a], p.texts[b]
	if min(len(x), len(y)) < longKey {
		return lowestDifference(x, y)
	}
	pair := uint64(a)<<32 | uint64(b)
	n, seen := p.known[pair]
	if !seen {
		if n, differ = lowestDifference(x, y); !differ {
			n = -1
		}
		if p.known == nil {
			p.known = make(map[uint64]int32)
		}
		p.known[pair] = n
	}
	return n, n >= 0
}
