package bnsh

import (
	"hash/maphash"
	"math"

	"github.com/picaproof/picaproof/formats/diag"
)

// keyChecker finds out whether the keys of a dictionary differ.
type keyChecker struct {
	classes  []uint32 // of each string of the pool: the first one with the same bits
	seen     []uint32 // of each class: the last dictionary that had it
	count    uint32   // dictionaries so far
	steps    int      // what the longest walk may take beside the bits of its key
	pool     bitPool
	tree     []Node
	searcher searcher
	sound    map[uint64]dictionary // by hash: large dictionaries without fault
}

// dictionary is one that was read, for those that are equal: the variations of
// a shader often have the same names.
type dictionary struct {
	bytes []byte
	keys  []Text
	nodes []Node
}

// frequent is from how many items on a dictionary is remembered.
const frequent = 8

// prepare is called before the first dictionary is read.
func (c *keyChecker) prepare(p *stringPool) {
	if c.classes != nil {
		return
	}
	c.pool.texts = p.texts
	c.classes = firstEqual(p.texts, significant)
	c.seen = make([]uint32, len(p.texts))
	c.steps = int(4*math.Sqrt(float64(p.size))) + 8
	p.used = make([]bool, len(p.texts))
}

// significant returns a key without leading NULs, which carry no bits.
func significant(key Text) Text {
	for len(key) > 0 && key[0] == 0 {
		key = key[1:]
	}
	return key
}

// dictionary reads the dictionary of a kind, which the record at holder refers
// to.
func (r *reader) dictionary(table *Table, layout *DictionaryLayout, o owner, k Kind, holder uint64) bool {
	d := r.pointer(holder + dictionaryAt[k])
	if d == 0 {
		return true
	}
	pointer := func() diag.Place { return o.holding(k).place(holder, k.String()+".pointer") }
	if !r.record("BNSH053", pointer, d, dictionarySize(0), 8) {
		return false
	}
	o = o.as(dictionaryPart)
	o.kind = k
	if got := r.Bytes(d, 4); string(got) != dictionarySignature {
		return r.refuse("BNSH053", o.place(d, "signature"), diag.Quoted([]byte(dictionarySignature)), diag.Quoted(got))
	}
	n := int32(r.U32(d + 4))
	if n < 0 || n > maxDictionarySize || !r.inBody(d, dictionarySize(int(n))) {
		most := min(maxDictionarySize, (r.high-d-dictionarySize(0))/entrySize)
		return r.refuse("BNSH053", o.place(d, "count"), diag.Value{Format: "0 to %d", N: most}, diag.Value{N: uint64(uint32(n)), Show: showSigned})
	}
	if !r.claim(o, d, dictionarySize(int(n))) {
		return false
	}
	if n == 0 {
		r.Report("BNSH049", o.place(d, "count"), diag.Text("no dictionary"), diag.Dec(0))
	}
	r.keys.prepare(&r.pool)
	layout.Offset = uint32(d)
	bytes := r.Bytes(d, dictionarySize(int(n)))
	hash := maphash.Bytes(hashSeed, bytes)
	if known := r.keys.sound[hash]; string(known.bytes) == string(bytes) {
		table.Keys, layout.Nodes = known.keys, known.nodes
		for at := uint64(dictionaryHeadSize + 8); at < uint64(len(bytes)); at += entrySize {
			r.pointers.set(d + at)
		}
		return r.root(layout.Nodes, o, d)
	}
	layout.Nodes = make([]Node, n+1)
	if n > 0 {
		table.Keys = make([]Text, n)
	}
	if !r.entries(table.Keys, layout.Nodes, o, d) || !r.root(layout.Nodes, o, d) || !r.items(table.Keys, layout.Nodes, o, d) {
		return false
	}
	sound, found := r.tree(table.Keys, layout.Nodes, o, d)
	if sound && n >= frequent {
		if r.keys.sound == nil {
			r.keys.sound = make(map[uint64]dictionary)
		}
		r.keys.sound[hash] = dictionary{bytes, table.Keys, layout.Nodes}
	}
	return found
}

// entryPlace is the place of a field of entry i of the dictionary at d.
func entryPlace(o owner, d uint64, i int, field string) diag.Place {
	return o.element(entryFields, d+dictionaryHeadSize+entrySize*uint64(i), i, field)
}

// entries reads all entries and finds their keys.
func (r *reader) entries(keys []Text, nodes []Node, o owner, d uint64) bool {
	for i := range nodes {
		at := d + dictionaryHeadSize + entrySize*uint64(i)
		entry := r.B[at : at+entrySize]
		key := le.Uint64(entry[8:])
		r.pointers.set(at + 8)
		index, ok := r.pool.index(key)
		if !ok {
			rule := "BNSH055"
			if i == 0 {
				rule = "BNSH054"
			}
			return r.refuse(rule, entryPlace(o, d, i, "key"), diag.Text("a string of the pool"), diag.Hex(key))
		}
		r.pool.used[index] = true
		nodes[i] = Node{int32(le.Uint32(entry)), le.Uint16(entry[4:]), le.Uint16(entry[6:]), index}
		if i > 0 {
			keys[i-1] = r.pool.texts[index]
		}
	}
	return true
}

// root checks the first entry.
func (r *reader) root(nodes []Node, o owner, d uint64) bool {
	root := nodes[0]
	at := func(field string) diag.Place { return entryPlace(o, d, 0, field) }
	switch key := r.pool.texts[root.Key]; {
	case root.Bit != -1:
		return r.refuse("BNSH054", at("bit"), diag.Text("-1"), diag.Value{N: uint64(uint32(root.Bit)), Show: showSigned})
	case key != "":
		return r.refuse("BNSH054", at("key"), diag.Text(`""`), diag.Quoted([]byte(key)))
	case int(root.Left) >= len(nodes):
		return r.refuse("BNSH054", at("left"), diag.Below(uint64(len(nodes))), diag.Dec(uint64(root.Left)))
	}
	if root.Right != 0 {
		r.Report("BNSH068", at("right"), diag.Dec(0), diag.Dec(uint64(root.Right)))
	}
	return true
}

// items checks the other entries, each for itself and against the keys before.
func (r *reader) items(keys []Text, nodes []Node, o owner, d uint64) bool {
	c := &r.keys
	c.count++
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		at := func(field string) diag.Place { return entryPlace(o, d, i, field) }
		switch {
		case n.Bit < 0:
			return r.refuse("BNSH055", at("bit"), diag.AtLeast(0), diag.Value{N: uint64(uint32(n.Bit)), Show: showSigned})
		case int(n.Left) >= len(nodes):
			return r.refuse("BNSH055", at("left"), diag.Below(uint64(len(nodes))), diag.Dec(uint64(n.Left)))
		case int(n.Right) >= len(nodes):
			return r.refuse("BNSH055", at("right"), diag.Below(uint64(len(nodes))), diag.Dec(uint64(n.Right)))
		case significant(keys[i-1]) == "":
			return r.refuse("BNSH055", at("key"), diag.Text("a key with bits"), diag.Quoted([]byte(keys[i-1])))
		}
		class := &c.seen[c.classes[n.Key]]
		if *class == c.count {
			return r.refuse("BNSH055", at("key"), diag.Text("a key of its own"), diag.Quoted([]byte(keys[i-1])))
		}
		*class = c.count
	}
	return true
}

// tree checks that the tree is the usual one, the one the rule makes, or that at
// least every key is found. A dictionary is sound when it need not be looked at
// again.
func (r *reader) tree(keys []Text, nodes []Node, o owner, d uint64) (sound, found bool) {
	c := &r.keys
	other := c.unusual(nodes) // the first entry that is not as the rule makes it
	if other == len(nodes) {
		return true, true
	}
	if ok, known := c.searcher.all(nodes, c.pool.texts); !ok {
		for i, key := range keys {
			if known != nil && known[i+1] {
				continue
			}
			if at, ok := descend(nodes, key, 8*len(key)+c.steps); !ok || int(at) != i+1 {
				return false, r.refuse("BNSH056", entryPlace(o, d, i+1, ""), diag.Value{Format: "found at %d", N: uint64(i + 1)}, diag.Value{Format: "%d", N: uint64(at)})
			}
		}
	}
	if !r.Strict() {
		field := nodes[other].differs(&c.tree[other], other > 0)
		r.Report("BNSH057", entryPlace(o, d, other, field), diag.Dec(c.tree[other].field(field)), diag.Dec(nodes[other].field(field)))
	}
	return r.Strict(), true
}

// unusual makes the usual tree and returns the first entry that differs from it.
func (c *keyChecker) unusual(nodes []Node) int {
	if cap(c.tree) < len(nodes) {
		c.tree = make([]Node, len(nodes), len(nodes)+len(nodes)/4)
	}
	c.tree = c.tree[:len(nodes)]
	copy(c.tree, nodes)
	grow(c.tree, &c.pool)
	for i := range nodes {
		if nodes[i].differs(&c.tree[i], i > 0) != "" {
			return i
		}
	}
	return len(nodes)
}

// differs names the first field in which a node is not the one the rule makes,
// or none. The right child of the root is not looked at.
func (n *Node) differs(want *Node, item bool) string {
	switch {
	case n.Bit != want.Bit:
		return "bit"
	case n.Left != want.Left:
		return "left"
	case n.Right != want.Right && item:
		return "right"
	}
	return ""
}

func (n *Node) field(name string) uint64 {
	return map[string]uint64{"bit": uint64(n.Bit), "left": uint64(n.Left), "right": uint64(n.Right)}[name]
}
