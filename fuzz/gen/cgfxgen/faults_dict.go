package cgfxgen

import (
	"fmt"
	"math"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// root is the beginning of the paths of the fields of the root.
const root = "dict.nodes[0]."

var dictFaults = []fault{
	{rule: "DICT001", spoil: atEnd(theDict, set(shaderDict, func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		target := (len(d.Bytes) - int(c.Within(1, dictSize+nodeSize-1)) + 3) &^ 3
		if target >= len(d.Bytes) {
			target -= 4
		}
		return pointer(r, uint64(target))
	}))},
	{rule: "DICT002", spoil: set(at("dict.magic"), gen.Either(gen.Other, gen.OneOf(four("DATA"))))},
	{rule: "DICT003", spoil: set(at("dict.count"), gen.Other)},
	{rule: "DICT003", spoil: func(c *gen.Choices, m *image) gen.Place {
		set(shaderCount, gen.OtherThan(0))(c, m)
		return m.Field("dict.count")
	}},
	{rule: "DICT004", spoil: atEnd(theDict, func(c *gen.Choices, m *image) gen.Place {
		fit := (len(m.Bytes) - m.dict - dictSize) / nodeSize // nodes, with the root
		n := uint32(c.Within(uint64(fit), math.MaxUint32))
		m.store(m.pairAt(shaderKind), n)
		m.store(m.dict+dictCount, n)
		return m.Field("dict.count")
	})},
	{rule: "DICT005", spoil: set(at("dict.size"), gen.Other)},
	{rule: "DICT007", spoil: func(c *gen.Choices, m *image) gen.Place {
		return set(at(root+"bit"), gen.Between(uint64(m.highest())+1, rootBit-1))(c, m)
	}},
	// A bit that is not above all others ends every search at its first step.
	{rule: "DICT007", also: []string{"DICT012"}, shape: shape{shaders: 2},
		spoil: func(c *gen.Choices, m *image) gen.Place {
			return set(at(root+"bit"), gen.Between(0, uint64(m.trie[m.trie[0].child[0]].bit)))(c, m)
		}},
	{rule: "DICT008", spoil: set(at(root+"name", root+"object"), gen.Other)},
	{rule: "DICT008", spoil: func(c *gen.Choices, m *image) gen.Place {
		set(at(root+"object"), gen.Other)(c, m)
		return set(at(root+"name"), gen.Other)(c, m)
	}},
	{rule: "DICT009", spoil: atEnd(aKey, set(at("dict.nodes[+].name"), unnamed))},
	// The search for a name ends at one of the two nodes that have it.
	{rule: "DICT010", also: []string{"DICT012"}, shape: shape{shaders: 2},
		spoil: func(c *gen.Choices, m *image) gen.Place {
			later := 1 + c.Below(len(m.shaders)-1)
			earlier := m.shaders[c.Below(later)]
			return m.mislead(c, m.FieldAt(m.nodeAt(later+1)+nodeName), gen.Pick(c, []int{earlier.key, earlier.name}))
		}},
	{rule: "DICT011", spoil: atEnd(anObject, set(at("dict.nodes[+].object"), gen.Either(null, outside(objectSize), misaligned)))},
}

// highest is the highest bit of the nodes below the root.
func (m *image) highest() (bit int) {
	for _, n := range m.trie[1:] {
		bit = max(bit, n.bit)
	}
	return bit
}

func (m *image) placeOfNode(i int) gen.Place { return m.Place(fmt.Sprintf("dict.nodes[%d]", i)) }

// childAt returns the offset of the index of a child.
func (m *image) childAt(e edge) int { return m.nodeAt(e.node) + nodeChild + 2*e.side }

// lead makes an edge lead to a wrong node.
func (m *image) lead(c *gen.Choices, e edge, to int) {
	to = gen.Only(c, to, m.trie[e.node].child[e.side])
	m.trie[e.node].child[e.side] = to
	le.PutUint16(m.Bytes[m.childAt(e):], uint16(to))
}

// noNode sets a child to an index without a node, on an edge that some search follows or on an idle edge.
func noNode(idle bool) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		e := gen.Pick(c, m.trie.edges(idle))
		le.PutUint16(m.Bytes[m.childAt(e):], uint16(c.Wrong(uint64(len(m.trie)), 0xFFFF, uint64(len(m.trie))-1)))
		return m.FieldAt(m.childAt(e))
	}
}

var trieFaults = []fault{
	// Either a search strays, or the trie is not the usual one.
	{rule: "DICT006", also: []string{"DICT012"}, missBreaks: []string{"DICT013"}, spoil: noNode(false)},
	{rule: "DICT006", also: []string{"DICT013"}, missBreaks: []string{"DICT012"}, spoil: noNode(true)},
	{rule: "DICT012", spoil: func(c *gen.Choices, m *image) gen.Place {
		i := c.Below(len(m.shaders))
		e := m.trie.walk(string(m.shaders[i].Name), -1)
		stops := []int{0} // nodes at which the search would end as well
		for k, n := range m.trie {
			if k != i+1 && n.bit >= m.trie[e.node].bit {
				stops = append(stops, k)
			}
		}
		m.lead(c, e, gen.Pick(c, stops))
		return m.placeOfNode(i + 1)
	}},
	{rule: "DICT013", spoil: func(c *gen.Choices, m *image) gen.Place {
		e := gen.Pick(c, m.trie.edges(true))
		m.lead(c, e, 1+c.Below(len(m.shaders)))
		return m.placeOfNode(e.node)
	}},
	{rule: "DICT013", onlyValid: true, shape: shape{shaders: 2}, spoil: otherOrder},
}

// otherOrder writes the trie of the names in another order. If that is the same trie, it changes the target of an idle
// edge.
func otherOrder(c *gen.Choices, m *image) gen.Place {
	order := gen.Order(c, len(m.shaders))
	var names []string
	of := make([]int, len(order)+1) // the node here of a node there
	for k, i := range order {
		names = append(names, strings.Clone(string(m.shaders[i].Name)))
		of[k+1] = i + 1
	}
	first := len(m.trie)
	for k, n := range newTrie(names) {
		to := of[k]
		n.child = [2]int{of[n.child[0]], of[n.child[1]]}
		if n == m.trie[to] {
			continue
		}
		first = min(first, to)
		m.store(m.nodeAt(to), uint32(n.bit), uint32(n.child[0])|uint32(n.child[1])<<16)
	}
	if first == len(m.trie) {
		first = 0
		m.lead(c, edge{0, 1}, 1)
	}
	return m.placeOfNode(first)
}
