package bnshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
)

// bit returns a bit of a key, counted from the end of its last byte.
func bit(key bnsh.Text, n int32) bool {
	i := len(key) - 1 - int(n>>3)
	return n >= 0 && i >= 0 && key[i]>>(n&7)&1 != 0
}

// child returns the link of a node that a key goes on by.
func child(n *bnsh.Node, key bnsh.Text) *uint16 {
	if bit(key, n.Bit) {
		return &n.Right
	}
	return &n.Left
}

// search returns the entry that a search for a key ends at.
func search(nodes []bnsh.Node, key bnsh.Text) int {
	return int(*descend(nodes, key, 1<<31-1))
}

// descend returns the link that a search for a key ends with, of branches below
// a bit.
func descend(nodes []bnsh.Node, key bnsh.Text, below int32) *uint16 {
	parent, link := int32(-1), &nodes[0].Left
	for {
		n := &nodes[*link]
		if n.Bit <= parent || n.Bit >= below {
			return link
		}
		parent, link = n.Bit, child(n, key)
	}
}

// plant makes the tree of a dictionary, putting the items in in some order: of
// the keys at the indices of entries, the root's among them.
func plant(keys []bnsh.Text, order []int) []bnsh.Node {
	nodes := make([]bnsh.Node, len(keys))
	nodes[0].Bit = -1
	for _, i := range order {
		key, near := keys[i], keys[search(nodes, keys[i])]
		n := &nodes[i]
		for bit(key, n.Bit) == bit(near, n.Bit) {
			n.Bit++
		}
		link := descend(nodes, key, n.Bit)
		n.Left, n.Right = *link, *link
		*child(n, key) = uint16(i)
		*link = uint16(i)
	}
	return nodes
}

// missing returns the first entry whose key is not found, or 0.
func missing(nodes []bnsh.Node, keys []bnsh.Text) int {
	return 1 + slices.IndexFunc(keys[1:], func(key bnsh.Text) bool { return keys[search(nodes, key)] != key })
}

// differs returns the first entry in which two trees differ, and where in it;
// -1 for nowhere.
func differs(a, b []bnsh.Node) (entry, field int) {
	for i := range a {
		switch {
		case a[i].Bit != b[i].Bit:
			return i, 0
		case a[i].Left != b[i].Left:
			return i, 4
		case a[i].Right != b[i].Right:
			return i, 6
		}
	}
	return 0, -1
}
