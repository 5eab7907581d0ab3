package bnsh

import (
	"iter"
	"math/bits"
	"slices"
)

// Node is an entry of a dictionary: the root, or an item together with the
// branch of the tree that was made when the item was put in. Left and Right are
// indices of entries.
type Node struct {
	Bit   int32  `json:"bit"` // the bit of a key to branch on; -1 in the root
	Left  uint16 `json:"left"`
	Right uint16 `json:"right"`
	Key   uint32 `json:"key"` // index in the string pool
}

func (n *Node) child(right bool) uint16 {
	if right {
		return n.Right
	}
	return n.Left
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
		at = n.child(bit(key, above))
	}
}

// grow makes the tree of a dictionary, of which nodes hold the keys: the one that
// comes out when they are put in one after the other and each becomes the entry
// behind the last. It fails when two keys have the same bits, or a key has none.
//
// The tree divides the keys by the lowest bit in which they are not all the same,
// so in the order of their bits, lowest first, each branch is between two
// neighbours: where their difference is lowest. A branch belongs to the key that
// made it necessary, the later of the first keys of both sides. That takes one
// pass over the sorted keys.
func grow(nodes []Node, pool *bitPool) bool {
	nodes[0].Bit, nodes[0].Left, nodes[0].Right = -1, 0, 0
	sides := pool.sides[:0]
	join := func() {
		left, right := sides[len(sides)-2], sides[len(sides)-1]
		owner := max(left.first, right.first)
		n := &nodes[owner]
		n.Bit, n.Left, n.Right = right.bit, left.link, right.link
		sides = sides[:len(sides)-1]
		sides[len(sides)-1] = side{owner, min(left.first, right.first), left.bit}
	}
	last := nodes[0].Key
	for n, i := range pool.sorted(nodes) {
		bit := int32(-1)
		if n > 0 {
			var differ bool
			if bit, differ = pool.difference(last, nodes[i].Key); !differ {
				return false
			}
		}
		for len(sides) > 1 && sides[len(sides)-1].bit > bit {
			join()
		}
		sides = append(sides, side{i, i, bit})
		last = nodes[i].Key
	}
	for len(sides) > 1 {
		join()
	}
	nodes[0].Left = sides[0].link
	pool.sides = sides
	return true
}

// side is a part of a tree: neighbours in the order of their bits.
type side struct {
	link  uint16 // its branch, or its key if there is only one
	first uint16 // the first of its keys
	bit   int32  // the lowest difference from the neighbour in front
}

// bitPool is a string pool that knows where its strings differ. It remembers
// that of long strings, which many dictionaries may have as keys.
type bitPool struct {
	texts []Text
	known map[uint64]int32 // by both indices; -1 for no difference
	ranks []uint32         // of each string, in the order of their bits
	keys  []uint64         // of sorted
	sides []side           // of grow
}

// sorted yields the indices of nodes in the order of their keys' bits.
func (p *bitPool) sorted(nodes []Node) iter.Seq2[int, uint16] {
	if p.ranks == nil {
		p.rank()
	}
	p.keys = p.keys[:0]
	for i, n := range nodes {
		p.keys = append(p.keys, uint64(p.ranks[n.Key])<<16|uint64(i))
	}
	slices.Sort(p.keys)
	return func(yield func(int, uint16) bool) {
		for n, key := range p.keys {
			if !yield(n, uint16(key)) {
				return
			}
		}
	}
}

// rank fills ranks.
func (p *bitPool) rank() {
	order := make([]uint32, len(p.texts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		x, y := p.texts[a], p.texts[b]
		switch n, differ := lowestDifference(x, y); {
		case !differ:
			return 0
		case bit(x, n):
			return 1
		}
		return -1
	})
	p.ranks = make([]uint32, len(p.texts))
	for n, i := range order {
		p.ranks[i] = uint32(n)
	}
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
