package bnsh

import (
	"bytes"
	"hash/maphash"
	"math"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

const maxDictionarySize = math.MaxUint16

// keyChecker holds facts about the keys of all dictionaries read so far.
type keyChecker struct {
	used  []bool // which strings of the pool are keys
	names uint64 // bytes of all names as often as they are referred to, with their NUL
	tree  []Node
	sound map[uint64]dictionary // by hash: dictionaries without error
}

// dictionary is a dictionary that was read. Equal dictionaries share it: the
// variations of a shader often have the same names.
type dictionary struct {
	bytes []byte
	keys  []Text
	nodes []Node
	names uint64 // of its keys
	usual bool   // grow makes the same tree
}

// frequent is the number of items from which a dictionary is remembered.
const frequent = 8

var hashSeed = maphash.MakeSeed()

// tooManyNames reports whether the names are over the limit. Keys are then not
// compared any more, which would take longer than the file is worth.
func (r *reader) tooManyNames() bool { return r.keys.names > wire.MaxNames(r.Size()) }

// dictionary reads the dictionary of a kind, which the record at offset at
// refers to, and reports whether its items are counted.
func (r *reader) dictionary(table *Table, layout *DictionaryLayout, o owner, k Kind, at uint64) bool {
	d := r.U64(at + dictionaryAt[k])
	if d == 0 {
		return true
	}
	if !r.record(reference{"BNSH053", someKey, o.as(holder(k)), at, k.String()}, d, dictionarySize(0), 8) {
		return false
	}
	o = o.as(dictionaryPart)
	o.kind = k
	if got := r.Bytes(d, 4); string(got) != dictionarySignature {
		return r.lose(someKey, "BNSH053", o.place(d, "signature"), diag.Quoted([]byte(dictionarySignature)),
			diag.Quoted(got))
	}
	n := int32(r.U32(d + dictionaryCountAt))
	if n < 0 || n > maxDictionarySize || !r.inBody(d, dictionarySize(int(n))) {
		most := min(maxDictionarySize, (r.high-d-dictionarySize(0))/entrySize)
		return r.lose(someKey, "BNSH053", o.place(d, "count"), diag.Value{Format: "0 to %d", N: most}, signed(n))
	}
	if !r.claim(dictionarySize(int(n))) {
		return false
	}
	b := r.Bytes(d, dictionarySize(int(n)))
	r.rules(o, d)
	r.elements(&entryRecord.Ruled, o, d+dictionaryHeadSize, b[dictionaryHeadSize:])
	if n == 0 {
		r.Report("BNSH049", o.place(d, "count"), diag.Text("no dictionary"), diag.Dec(0))
	}
	layout.Offset = uint32(d)
	hash := maphash.Bytes(hashSeed, b)
	x, seen := r.keys.sound[hash]
	if seen = seen && bytes.Equal(x.bytes, b); !seen {
		x = dictionary{bytes: b, nodes: make([]Node, n+1)}
		if n > 0 {
			x.keys = make([]Text, n)
		}
	}
	r.entries(&x, seen, hash, o, d)
	table.Keys, layout.Nodes = x.keys, x.nodes
	return true
}

// entries checks the entries of a dictionary. A dictionary that was read before
// without error can have warnings only.
func (r *reader) entries(x *dictionary, seen bool, hash uint64, o owner, d uint64) {
	sound := seen || r.findKeys(x, o, d)
	if r.keys.names += x.names; r.done() {
		return
	}
	sound = r.root(x.nodes, o, d) && sound
	if !seen {
		if r.done() || r.known&knowPool == 0 || r.tooManyNames() {
			return
		}
		grown := sound && r.grow(x)
		if sound = r.items(x, grown, o, d) && sound; !sound || !r.search(x, o, d) {
			return
		}
		if len(x.keys) >= frequent {
			if r.keys.sound == nil {
				r.keys.sound = make(map[uint64]dictionary)
			}
			r.keys.sound[hash] = *x
		}
	}
	if !x.usual && !r.Strict() {
		if seen {
			r.grow(x)
		}
		r.unusual(x, o, d)
	}
}

// entryPlace is the place of a field of entry i of the dictionary at d.
func entryPlace(o owner, d uint64, i int, field string) diag.Place {
	return o.element(d+dictionaryHeadSize+entrySize*uint64(i), i, field)
}

// findKeys reads all entries and finds their keys; it returns false if one is
// not in the pool.
func (r *reader) findKeys(x *dictionary, o owner, d uint64) bool {
	entries, whole := x.bytes[dictionaryHeadSize:], true
	entryRecord.Get(entries, x.nodes)
	for i := range x.nodes {
		key := le.Uint64(entries[uint64(i)*entrySize+keyAt:])
		index, ok := r.pool.index(key)
		x.nodes[i].Key = index
		if !ok {
			whole = false
			if r.known&knowPool == 0 || r.pool.open && key >= r.pool.end {
				r.unknown |= someKey
			} else {
				r.stray(someKey, entryRule(i), entryPlace(o, d, i, "key"), diag.Text("a string of the pool"),
					diag.Hex(key))
			}
			continue
		}
		r.keys.used[index] = true
		text := r.pool.texts[index]
		x.names += uint64(len(text)) + 1
		if i > 0 {
			x.keys[i-1] = text
		}
	}
	return whole
}

// entryRule is the rule about entry i.
func entryRule(i int) string {
	if i == 0 {
		return "BNSH054"
	}
	return "BNSH055"
}

// root checks the first entry.
func (r *reader) root(nodes []Node, o owner, d uint64) bool {
	root, sound := nodes[0], true
	at := func(field string) diag.Place { return entryPlace(o, d, 0, field) }
	if root.Bit != -1 {
		sound = r.fail("BNSH054", at("bit"), diag.Text("-1"), signed(root.Bit))
	}
	if key := r.pool.text(root.Key); key != "" && root.Key != 0 { // BNSH062 is about the first string
		sound = r.fail("BNSH054", at("key"), diag.Text(`""`), diag.Quoted([]byte(key)))
	}
	if int(root.Left) >= len(nodes) {
		sound = r.fail("BNSH054", at("left"), diag.Below(uint64(len(nodes))), diag.Dec(uint64(root.Left)))
	}
	if root.Right != 0 {
		r.Report("BNSH068", at("right"), diag.Dec(0), diag.Dec(uint64(root.Right)))
	}
	return sound
}

// items checks the other entries, each for itself and, once the tree of all
// keys is grown, against the keys before.
func (r *reader) items(x *dictionary, grown bool, o owner, d uint64) bool {
	sound := true
	for i := 1; i < len(x.nodes); i++ {
		n, key := &x.nodes[i], x.keys[i-1]
		at := func(field string) diag.Place { return entryPlace(o, d, i, field) }
		if n.Bit < 0 {
			sound = r.fail("BNSH055", at("bit"), diag.AtLeast(0), signed(n.Bit))
		}
		if int(n.Left) >= len(x.nodes) {
			sound = r.fail("BNSH055", at("left"), diag.Below(uint64(len(x.nodes))), diag.Dec(uint64(n.Left)))
		}
		if int(n.Right) >= len(x.nodes) {
			sound = r.fail("BNSH055", at("right"), diag.Below(uint64(len(x.nodes))), diag.Dec(uint64(n.Right)))
		}
		switch {
		case !grown || r.keys.tree[i].Bit >= 0:
		case strings.Trim(string(key), "\x00") == "":
			sound = r.lostKey(at("key"), "a key with bits", key)
		default:
			sound = r.lostKey(at("key"), "a key of its own", key)
		}
		if r.done() {
			return false
		}
	}
	return sound
}

// lostKey reports the key of an item that cannot be meant.
func (r *reader) lostKey(at diag.Place, expected string, key Text) bool {
	r.unknown |= someKey
	return r.fail("BNSH055", at, diag.Text(expected), diag.Quoted([]byte(key)))
}

// grow makes the tree that the rule makes of the keys, keys.tree.
func (r *reader) grow(x *dictionary) bool {
	c := &r.keys
	if cap(c.tree) < len(x.nodes) {
		c.tree = make([]Node, len(x.nodes), len(x.nodes)+len(x.nodes)/4)
	}
	c.tree = c.tree[:len(x.nodes)]
	grow(c.tree, x.keys)
	return true
}

// search checks that the search for each key ends at its entry. In a tree of grow it does. A tree in which all keys are
// found bounds the work: two keys part at every branch, and of the keys behind a branch on a bit at most one is too
// short to have the bit, because shorter keys have no bits left to part at. So all searches together take at most one
// step for every bit of the keys and two for every branch. A tree that takes more steps misses a key.
func (r *reader) search(x *dictionary, o owner, d uint64) bool {
	if x.usual = x.differs(r.keys.tree) == len(x.nodes); x.usual {
		return true
	}
	steps, sound := 8*int(x.names)+3*len(x.nodes), true
	for i, key := range x.keys {
		at, taken := descend(x.nodes, key, steps)
		steps -= taken
		if int(at) != i+1 || steps < 0 {
			sound = r.fail("BNSH056", entryPlace(o, d, i+1, ""), diag.Value{Format: "found at %d", N: uint64(i + 1)},
				diag.Value{Format: "%d", N: uint64(at)})
		}
		if steps < 0 || r.done() {
			return false
		}
	}
	return sound
}

// differs returns the first entry that is not as in a tree, or their number.
// The right child of the root is not looked at.
func (x *dictionary) differs(tree []Node) int {
	for i := range x.nodes {
		if x.nodes[i].differs(&tree[i], i > 0) != "" {
			return i
		}
	}
	return len(x.nodes)
}

// unusual reports the first entry that is not as in the tree that was grown.
func (r *reader) unusual(x *dictionary, o owner, d uint64) {
	i := x.differs(r.keys.tree)
	got, want := &x.nodes[i], &r.keys.tree[i]
	field := got.differs(want, i > 0)
	r.Report("BNSH057", entryPlace(o, d, i, field), diag.Dec(want.field(field)), diag.Dec(got.field(field)))
}

// differs returns the first field in which a node differs from the node that
// grow makes, or "". The right child of the root is not looked at.
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
