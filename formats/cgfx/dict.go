package cgfx

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

func (r *reader) dictPlace(field string) diag.Place {
	return dictFields.At(r.dict, diag.Path{Prefix: "dict.", Field: field})
}

func (r *reader) nodeAt(k int) uint64 { return r.dict + dictSize + nodeSize*uint64(k) }

func (r *reader) nodePlace(k int, field string) diag.Place {
	return nodeFields.At(r.nodeAt(k), diag.Path{Prefix: "dict.", Table: "nodes", Index: k, Field: field})
}

// dictHeader reads the header of the DICT: DICT001 to DICT005. It does nothing
// when there are no shaders.
func (r *reader) dictHeader() {
	if r.count == 0 {
		return
	}
	if !r.Has(r.dict, dictSize+nodeSize) {
		r.Report("DICT001", r.dictAt, diag.Value{Format: "room for 28 bytes in a file of 0x%x", N: r.Size()}, diag.Hex(r.dict))
		return
	}
	if magic := r.Bytes(r.dict, 4); string(magic) != "DICT" {
		r.Report("DICT002", r.dictPlace("magic"), diag.Text(`"DICT"`), diag.Quoted(magic))
		return
	}
	n := uint64(r.U32(r.dict + 8))
	if n != r.count {
		r.Report("DICT003", r.dictPlace("count"), diag.Dec(r.count), diag.Dec(n))
		return
	}
	want := dictSize + nodeSize*(n+1)
	if !r.Has(r.dict, want) {
		r.Report("DICT004", r.dictPlace("count"), diag.AtMost((r.Size()-r.dict-dictSize)/nodeSize-1), diag.Dec(n))
		return
	}
	if size := uint64(r.U32(r.dict + 4)); size != want {
		r.Report("DICT005", r.dictPlace("size"), diag.Dec(want), diag.Dec(size))
		return
	}
	r.span(r.dict, want, dictSpan, -1, int(n))
}

// dictEntries reads the nodes: DICT006 to DICT013.
func (r *reader) dictEntries() {
	if r.count == 0 {
		return
	}
	n := int(r.count)
	trie := make([]node, n+1)
	for k := range trie {
		off := r.nodeAt(k)
		trie[k] = node{r.U32(off), r.U16(off + 4), r.U16(off + 6)}
		switch {
		case int(trie[k].left) > n:
			r.Report("DICT006", r.nodePlace(k, "left"), diag.AtMost(uint64(n)), diag.Dec(uint64(trie[k].left)))
		case int(trie[k].right) > n:
			r.Report("DICT006", r.nodePlace(k, "right"), diag.AtMost(uint64(n)), diag.Dec(uint64(trie[k].right)))
		}
	}
	r.root(trie[0])
	r.strings = wire.NewStrings(r.B)
	r.keys = make([]text, n)
	for i := range r.keys {
		r.keys[i] = r.key(i + 1)
	}
	r.uniqueKeys()
	r.objects = make([]uint64, n)
	for i := range r.objects {
		r.objects[i] = r.objectOf(i + 1)
	}
	if !r.Strict() {
		r.trie(trie)
	}
}

// root checks the root: DICT007 and DICT008.
func (r *reader) root(root node) {
	if root.bit != rootBit {
		r.Report("DICT007", r.nodePlace(0, "bit"), diag.Hex(rootBit), diag.Hex(uint64(root.bit)))
	}
	off := r.nodeAt(0)
	switch name, object := r.U32(off+8), r.U32(off+12); {
	case name != 0:
		r.Report("DICT008", r.nodePlace(0, "name"), diag.Dec(0), diag.Hex(uint64(name)))
	case object != 0:
		r.Report("DICT008", r.nodePlace(0, "object"), diag.Dec(0), diag.Hex(uint64(object)))
	}
}

// key reads the name of a node: DICT009.
func (r *reader) key(k int) text {
	name := r.nameAt(r.nodeAt(k) + 8)
	if name.b == nil {
		r.Report("DICT009", r.nodePlace(k, "name"), diag.Text(readableName), diag.Hex(uint64(r.U32(r.nodeAt(k)+8))))
	}
	return name
}

// uniqueKeys compares the names: DICT010.
func (r *reader) uniqueKeys() {
	for i, first := range repeats(r.B, r.keys) {
		r.Report("DICT010", r.nodePlace(i+1, "name"), diag.Text("a name of its own"), diag.Quoted(r.keys[i].b), r.nodePlace(first+1, "name"))
		if r.Strict() {
			return
		}
	}
}

// objectOf finds the object of a node: DICT011.
func (r *reader) objectOf(k int) uint64 {
	off := r.nodeAt(k) + 12
	target, ok := r.pointer(off)
	if !ok || target%4 != 0 || !r.Has(target, objectSize) {
		r.Report("DICT011", r.nodePlace(k, "object"), diag.Text("pointer to 72 bytes at a multiple of 4"), diag.Hex(uint64(r.U32(off))))
	}
	return target
}

// trie checks that every name is found, and whether the trie is the usual one:
// DICT012 and DICT013.
func (r *reader) trie(trie []node) {
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
			r.Report("DICT012", r.nodePlace(i+1, ""), diag.Text("the end of the search for its name"), diag.Value{Format: "node %d", N: uint64(found)})
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

// show prints a node.
func (n node) show() diag.Value {
	return diag.Value{N: uint64(n.bit)<<32 | uint64(n.left)<<16 | uint64(n.right), Show: func(v uint64) string {
		return fmt.Sprintf("bit 0x%x, left %d, right %d", v>>32, v>>16&0xFFFF, v&0xFFFF)
	}}
}
