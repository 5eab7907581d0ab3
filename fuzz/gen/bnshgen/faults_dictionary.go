package bnshgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// dictionary is the names of a kind of a stage's reflection.
type dictionary struct {
	*bnsh.DictionaryLayout
	table      *bnsh.Table
	kind       bnsh.Kind
	reflection *bnsh.StageReflection
	stage      *bnsh.StageReflectionLayout
	path       string // of its record
	holder     string // of the fields that lead to it and to its slots
}

// end returns where the slots of the names end.
func (d *dictionary) end() int { return int(d.table.First) + len(d.table.Keys) }

// entry returns where an entry is in the file, the root being 0.
func (d *dictionary) entry(i int) int { return int(d.Offset) + 8 + 0x10*i }

// dictionaries returns the dictionaries of all binary programs. A kind without names has a dictionary in the model and
// no record in the file.
func (f *file) dictionaries() (all []dictionary) {
	for i, v := range f.Variations {
		if v.Binary == nil || v.Binary.Reflection == nil {
			continue
		}
		for s, r := range v.Binary.Reflection {
			if r == nil {
				continue
			}
			stage := f.Layout.Programs[i].Reflections[s]
			for k := range kinds(r) {
				path := fmt.Sprintf("variations[%d].binary.reflection.%v.", i, bnsh.Stage(s))
				d := dictionary{&stage.Dictionaries[k], &r.Tables[k], k, r, stage, path + k.String(), path + k.String()}
				if k >= bnsh.SeparateTextures {
					d.holder = path + "extension." + k.String()
				}
				all = append(all, d)
			}
		}
	}
	return all
}

// filled returns the dictionaries that have names.
func (f *file) filled() []dictionary {
	return slices.DeleteFunc(f.dictionaries(), func(d dictionary) bool { return len(d.table.Keys) == 0 })
}

// lastFilled returns the last dictionary that has names.
func (f *file) lastFilled() dictionary {
	filled := f.filled()
	return filled[len(filled)-1]
}

// branching draws a dictionary of which two names are on the same side of the
// first branch: one of the last variation.
func (f *file) branching() dictionary {
	filled := f.filled()
	return filled[len(filled)-1-f.Below(2)]
}

// keys returns the key of each entry.
func (f *file) keys(d *dictionary) (keys []bnsh.Text) {
	for _, n := range d.Nodes {
		keys = append(keys, f.Layout.StringPool[n.Key])
	}
	return keys
}

// The root and the items of the dictionaries of a stage.
const (
	root = stageReflection + ".*[0]"
	item = stageReflection + ".*[+]"
)

// dictionaryFaults break the rules of dictionaries.
var dictionaryFaults = []fault{
	{"BNSH053", extended, lost(0x18, 8, ofKinds("pointer")...), nil},
	{"BNSH053", keyed, set(gen.Other, stageReflection+".*.signature"), nil},
	{"BNSH053", keyed, set(tooManyItems, stageReflection+".*.count"), nil},
	{"BNSH054", keyed, set(gen.Other, root+".bit"), nil},
	{"BNSH054", keyed, set(gen.Beyond(items), root+".left"), nil},
	{"BNSH054", keyed, set(notAt(0), root+".key"), nil},
	{"BNSH054", keyed, otherRootKey, nil},
	{"BNSH055", keyed, set(gen.Above(1<<31-1), item+".bit"), nil},
	{"BNSH055", keyed, set(gen.Beyond(items), item+".left"), nil},
	{"BNSH055", keyed, set(gen.Beyond(items), item+".right"), nil},
	{"BNSH055", keyed, set(notAt(0), item+".key"), nil},
	{"BNSH055", keyed, sameKey, nil},
	// The key has a NUL in front.
	{"BNSH055", needs(onlyValid, keyed), sameBits, []string{"BNSH067"}},
	// Other keys are found by the same branch.
	{"BNSH056", keyed, lostKey, []string{"BNSH056"}},
	{"BNSH057", keyed, otherOrder, notCanonical},
	{"BNSH057", keyed, otherBranch, notCanonical},
	{"BNSH068", keyed, set(gen.Other, root+".right"), notCanonical},
}

// tooManyItems draws a number of items that do not fit into the body.
func tooManyItems(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	_, high := body(d)
	room := (high - uint64(r.Off) - 0x14) / 0x10
	return gen.Pick(c, []uint64{room + 1, room + 1 + c.Bits(8), 0x10000, 1<<31 - 1, 1 << 31, 1<<32 - 1})
}

// items returns the number of items of the dictionary that has the field.
func items(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return d.Get(r.Path[:strings.LastIndexByte(r.Path, '[')] + ".count")
}

// notAt draws an offset that is not n bytes behind the start of a string.
func notAt(n uint64) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		v, starts := d.Number(r), stringOffsets(d)
		v = gen.Pick(c, []uint64{v + 1, v + 2, v - 2, 0, 1, starts[0] + n - 1, d.Get("header.relocation_table"),
			c.Bits(32), v | 1<<(8*r.Len-1)})
		for slices.Contains(starts, v-n) {
			v++
		}
		return v
	}
}

// otherRootKey makes a name the key of a root.
func otherRootKey(f *file) gen.Place {
	d := gen.Pick(f.Choices, f.filled())
	d.Nodes[0].Key = gen.Only(f.Choices, gen.Pick(f.Choices, d.Nodes[1:]).Key, d.Nodes[0].Key)
	f.rewrite()
	return f.FieldAt(d.entry(0) + 8)
}

// sameKey makes a name the key of two items.
func sameKey(f *file) gen.Place {
	d := f.branching()
	i := 1 + f.Below(len(d.table.Keys)-1)
	n := i + 1 + f.Below(len(d.table.Keys)-i)
	a, b := &d.Nodes[i].Key, &d.Nodes[n].Key
	if f.Bits(1) == 0 {
		a, b = b, a
	}
	*a = gen.Only(f.Choices, *b, *a)
	f.rewrite()
	return f.FieldAt(d.entry(n) + 8)
}

// sameBits gives an item a key that differs from another item's, or from the
// root's, in leading NULs only.
func sameBits(f *file) gen.Place {
	d := f.branching()
	i, n := f.Below(len(d.table.Keys)), len(d.table.Keys)
	d.Nodes[n].Key = f.addString(gen.Pick(f.Choices, []bnsh.Text{"\x00", "\x00\x00"}) + f.keys(&d)[i])
	f.rewrite()
	return f.FieldAt(d.entry(n) + 8)
}

// change draws a tree that differs in one field from the tree of a dictionary.
func (f *file) change(d *dictionary) []bnsh.Node {
	nodes := slices.Clone(d.Nodes)
	n := &nodes[1+f.Below(len(nodes)-1)]
	link := uint16(f.Below(len(nodes)))
	switch f.Below(4) {
	case 0:
		n.Bit ^= 1 << f.Below(5)
	case 1:
		n.Left = link
	case 2:
		n.Right = link
	case 3:
		nodes[0].Left = link
	}
	return nodes
}

// lostKey changes a tree so that a name is not found, if need be so that none is.
func lostKey(f *file) gen.Place {
	d := gen.Pick(f.Choices, f.filled())
	keys, nodes := f.keys(&d), f.change(&d)
	if missing(nodes, keys) == 0 {
		nodes[0].Left = 0
	}
	d.Nodes = gen.Only(f.Choices, nodes, d.Nodes)
	f.rewrite()
	i := missing(nodes, keys)
	return gen.Place{Off: d.entry(i), Len: 0x10, Path: fmt.Sprintf("%s[%d]", d.path, i)}
}

// otherOrder makes the tree that comes of putting the names in in another order.
func otherOrder(f *file) gen.Place {
	d := f.branching()
	var order []int
	for i := range d.table.Keys {
		order = slices.Insert(order, f.Below(i+1), i+1)
	}
	keys := f.keys(&d)
	return f.regrow(&d, plant(keys, order))
}

// otherBranch changes a tree without losing a name.
func otherBranch(f *file) gen.Place {
	d := f.branching()
	nodes := f.change(&d)
	if missing(nodes, f.keys(&d)) != 0 {
		nodes = d.Nodes
	}
	return f.regrow(&d, nodes)
}

// regrow gives a dictionary the tree of nodes. If that is the present tree, the dictionary gets the tree of its names
// inserted in reverse order. It returns the place of the first difference.
func (f *file) regrow(d *dictionary, nodes []bnsh.Node) gen.Place {
	i, field := differs(d.Nodes, nodes)
	if field < 0 {
		var order []int
		for i := range d.table.Keys {
			order = append([]int{i + 1}, order...)
		}
		nodes = plant(f.keys(d), order)
		i, field = differs(d.Nodes, nodes)
	}
	for k := range nodes {
		nodes[k].Key = d.Nodes[k].Key
	}
	d.Nodes = gen.Only(f.Choices, nodes, d.Nodes)
	f.rewrite()
	return f.FieldAt(d.entry(i) + field)
}
