package cgfx

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

func (r *reader) dictPlace(field string) diag.Place {
	return dictRecord.At(r.dict, diag.Path{Prefix: "dict.", Field: field})
}

func (r *reader) nodeAt(k int) uint64 { return r.dict + dictSize + nodeSize*uint64(k) }

func (r *reader) nodePlace(k int, field string) diag.Place {
	return nodeRecord.At(r.nodeAt(k), diag.Path{Prefix: "dict.", Table: "nodes", Index: k, Field: field})
}

// dictHeader reads the header of the shaders' DICT: DICT001 to DICT005. A file without
// shaders needs no DICT.
func (r *reader) dictHeader() {
	if r.count == 0 {
		return
	}
	if !r.Has(r.dict, dictSize+nodeSize) {
		r.Report("DICT001", r.dictAt, diag.Value{Format: "room for 28 bytes in a file of 0x%x", N: r.Size()},
			diag.Hex(r.dict))
		return
	}
	if dictMagicRule.Check(r.Reporter, r.View, r.dict, r.dictPlace).Any() {
		return
	}
	var head [1]block
	dictRecord.Get(r.Bytes(r.dict, dictSize), head[:])
	n := uint64(head[0].count)
	if n != r.count {
		r.Report("DICT003", r.dictPlace("count"), diag.Dec(r.count), diag.Dec(n))
		return
	}
	want := dictSize + nodeSize*(n+1)
	if !r.Has(r.dict, want) {
		r.Report("DICT004", r.dictPlace("count"), diag.AtMost((r.Size()-r.dict-dictSize)/nodeSize-1), diag.Dec(n))
		return
	}
	if size := uint64(head[0].size); size != want {
		r.Report("DICT005", r.dictPlace("size"), diag.Dec(want), diag.Dec(size))
		return
	}
	dictRecord.Check(r.Reporter, r.View, r.dict, r.dictPlace)
	r.span(r.dict, want, dictSpan, -1, int(n))
}

// dictEntries reads the nodes: DICT006 to DICT013.
func (r *reader) dictEntries() {
	if r.count == 0 {
		return
	}
	n := int(r.count)
	table := r.Bytes(r.nodeAt(0), nodeSize*(r.count+1))
	nodeRecord.CheckTable(r.Reporter, wire.LE(table), r.nodePlace)
	r.nodes = nodeRecord.Decode(table)
	for k := range r.nodes {
		switch left, right := int(r.nodes[k].left), int(r.nodes[k].right); {
		case left > n:
			r.Report("DICT006", r.nodePlace(k, "left"), diag.AtMost(uint64(n)), diag.Dec(uint64(left)))
		case right > n:
			r.Report("DICT006", r.nodePlace(k, "right"), diag.AtMost(uint64(n)), diag.Dec(uint64(right)))
		}
	}
	r.root(&r.nodes[0])
	r.named = r.B[:wire.NameLimit(r.B)]
	r.total = wire.NewNameTotal(uint64(len(r.layout.Bytes)))
	r.keys = make([]text, n)
	for i := range r.keys {
		r.keys[i] = r.key(i + 1)
	}
	r.uniqueKeys()
	r.objects = make([]uint64, n)
	for i := range r.objects {
		r.objects[i] = r.objectOf(i + 1)
	}
	if !r.Strict() && !r.total.Over() {
		r.trie()
	}
}

// root checks the root: DICT007 and DICT008.
func (r *reader) root(root *dictNode) {
	if root.bit != rootBit {
		r.Report("DICT007", r.nodePlace(0, "bit"), diag.Hex(rootBit), diag.Hex(uint64(root.bit)))
	}
	switch {
	case root.name != 0:
		r.Report("DICT008", r.nodePlace(0, "name"), diag.Dec(0), diag.Hex(uint64(root.name)))
	case root.object != 0:
		r.Report("DICT008", r.nodePlace(0, "object"), diag.Dec(0), diag.Hex(uint64(root.object)))
	}
}

// key reads the name of node k: DICT009.
func (r *reader) key(k int) text {
	value := r.nodes[k].name
	name := r.name(r.nodeAt(k)+8, value)
	if !name.known {
		r.Report("DICT009", r.nodePlace(k, "name"), diag.Text(readableName), diag.Hex(uint64(value)))
	}
	return name
}

// uniqueKeys finds equal names in the DICT: DICT010.
func (r *reader) uniqueKeys() {
	first := make(map[string]int, len(r.keys))
	for i, k := range r.keys {
		if k.b == nil {
			continue
		}
		if j, again := first[string(k.b)]; again {
			r.Report("DICT010", r.nodePlace(i+1, "name"), diag.Text("a name of its own"), diag.Quoted(k.b),
				r.nodePlace(j+1, "name"))
		} else {
			first[string(k.b)] = i
		}
	}
}

// objectOf returns the offset of the object of node k: DICT011.
func (r *reader) objectOf(k int) uint64 {
	value := r.nodes[k].object
	target, ok := r.pointer(r.nodeAt(k)+12, value)
	if !ok || target%4 != 0 || !r.Has(target, objectSize) {
		r.Report("DICT011", r.nodePlace(k, "object"), diag.Text("pointer to 72 bytes at a multiple of 4"),
			diag.Hex(uint64(value)))
	}
	return target
}

// trie checks that a lookup finds every name, and if so compares the trie with the usual
// one (buildTrie): DICT012 and DICT013. It stops when no steps are left.
func (r *reader) trie() {
	trie := make([]node, len(r.nodes))
	for k := range trie {
		trie[k] = r.nodes[k].node
	}
	w := work(64*len(trie) + 16*len(r.B))
	names := make([][]byte, len(r.keys))
	astray := false
	for i, k := range r.keys {
		names[i] = k.b
		if k.b == nil {
			astray = true
			continue
		}
		found, ok := lookup(trie, k.b, &w)
		if w < 0 {
			return
		}
		if !ok || found != i+1 {
			r.Report("DICT012", r.nodePlace(i+1, ""), diag.Text("the end of the search for its name"),
				diag.Value{Format: "node %d", N: uint64(found)})
			astray = true
		}
	}
	if astray {
		return
	}
	usual, ok := buildTrie(names, &w)
	if trie[0].bit = rootBit; !ok || slices.Equal(usual, trie) { // DICT007 is about that bit
		return
	}
	k := 0
	for usual[k] == trie[k] {
		k++
	}
	r.Report("DICT013", r.nodePlace(k, ""), usual[k].show(), trie[k].show())
}

// show formats a node.
func (n node) show() diag.Value {
	return diag.Value{N: uint64(n.bit)<<32 | uint64(n.left)<<16 | uint64(n.right), Show: func(v uint64) string {
		return fmt.Sprintf("bit 0x%x, left %d, right %d", v>>32, v>>16&0xFFFF, v&0xFFFF)
	}}
}
