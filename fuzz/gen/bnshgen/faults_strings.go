package bnshgen

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const (
	stringsHead  = 0x14
	smallestText = 4 // bytes of the empty string in the pool
)

// stringOffsets returns where the strings of the pool start and the last ends.
func stringOffsets(d *gen.Draft) (starts []uint64) {
	end := 0
	for _, r := range d.Match("strings[*]") {
		starts, end = append(starts, uint64(r.Off-2)), (r.Off+r.Len+1)&^1
	}
	return append(starts, uint64(end))
}

// addString appends a string to the pool and returns its index.
func (f *file) addString(s bnsh.Text) uint32 {
	f.Layout.StringPool = append(f.Layout.StringPool, s)
	f.fitPool()
	return uint32(len(f.Layout.StringPool) - 1)
}

// fitPool makes room for the strings.
func (f *file) fitPool() {
	end := f.Layout.Strings + stringsHead
	for _, s := range f.Layout.StringPool {
		end += (uint32(len(s)) + 4) &^ 1
	}
	f.Layout.Sections[stringSection].Size = end - f.Layout.Strings
	f.Layout.Relocations = (end + 7) &^ 7
}

// stringFaults break the rules of the string block.
var stringFaults = []fault{
	{"BNSH060", nil, set(gen.Other, "strings.size"), nil},
	{"BNSH060", nil, nonzeroField("strings.reserved"), nil},
	{"BNSH060", keyed, set(pastStrings, "strings[*].length"), nil},
	{"BNSH060", keyed, unterminated, nil},
	{"BNSH060", keyed, unpadded, nil},
	{"BNSH061", keyed, set(tooManyStrings, "strings.count"), nil},
	{"BNSH061", keyed, fewerStrings, nil},
	{"BNSH061", keyed, behindStrings, nil},
	// The first string may be a NUL, or any text, and one that is there already.
	{"BNSH062", nil, set(gen.OneOf(1), "strings[0].length"), []string{"BNSH065", "BNSH067"}},
	{"BNSH062", named, firstString, []string{"BNSH064", "BNSH067"}},
	{"BNSH063", keyed, setOr(notAt(2), lastString, "header.name"), nil},
	{"BNSH064", needs(onlyValid, keyed), rootOfItsOwn, notCanonical},
	{"BNSH064", needs(onlyValid, nameIsKey), keyOfItsOwn, notCanonical},
	{"BNSH065", needs(named, keyed), nameBehind, notCanonical},
	{"BNSH066", onlyValid, unusedString, notCanonical},
	{"BNSH067", noTextName, noText, nil},
	{"BNSH067", noTextKey, noText, nil},
	{"BNSH098", repeatedKey, longKey, nil},
}

// lastString returns where the characters of the last string are.
func lastString(_ *gen.Choices, d *gen.Draft, _ gen.Place) uint64 {
	starts := stringOffsets(d)
	return starts[len(starts)-2] + 2
}

// pastStrings draws a length with which a string has no end in the block.
func pastStrings(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return gen.Above(d.Get("header.relocation_table")-uint64(r.Off)-3)(c, d, r)
}

// unterminated takes the NUL from the end of a string.
func unterminated(f *file) gen.Place {
	r := f.pick("strings[*]")
	f.Bytes[r.Off+r.Len-1] = f.nonzero()
	return gen.Place{Off: r.Off + r.Len - 1, Len: 1, Path: r.Path + ".terminator"}
}

// unpadded puts something behind the NUL of a string of even length.
func unpadded(f *file) gen.Place {
	odd := slices.DeleteFunc(f.fields("strings[*]"), func(r gen.Place) bool { return r.Len%2 == 0 })
	r := gen.Pick(f.Choices, odd)
	off := r.Off + r.Len
	f.Bytes[off] = f.nonzero()
	return gen.Place{Off: off, Len: 1, Path: r.Path + ".padding"}
}

// tooManyStrings draws a number of strings that do not fit into the pool. If the free bytes are a multiple of the
// smallest string, it may be the least such number.
func tooManyStrings(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	starts, end := stringOffsets(d), d.Get("header.relocation_table")
	if free := end - starts[len(starts)-1]; free%smallestText == 0 && c.Bits(1) != 0 {
		return d.Number(r) + free/smallestText + 1
	}
	return gen.Above((end-starts[0])/smallestText-1)(c, d, r)
}

// fewerStrings makes the pool end before its last strings.
func fewerStrings(f *file) gen.Place {
	r := f.Field("strings.count")
	f.set(r, less(0))
	return f.restOfPool(int(stringOffsets(f.Draft)[f.Number(r)+1]))
}

// behindStrings puts something between the last string and the relocation table,
// or moves that away.
func behindStrings(f *file) gen.Place {
	starts := stringOffsets(f.Draft)
	end := int(starts[len(starts)-1])
	if room := int(f.Layout.Relocations) - end; room > 0 && f.Bits(1) != 0 {
		f.Bytes[end+gen.Pick(f.Choices, []int{0, room - 1, f.Below(room)})] = f.nonzero()
		return f.restOfPool(end)
	}
	f.Layout.Relocations += 8 * uint32(gen.Only(f.Choices, 1+f.Below(4), 0))
	f.rewrite()
	return f.restOfPool(end)
}

// restOfPool is the place of all from an offset on up to the relocation table.
func (f *file) restOfPool(off int) gen.Place {
	return gen.Place{Off: off, Len: int(f.Layout.Relocations) - off, Path: "strings.padding"}
}

// firstString makes the first string another than the empty one.
func firstString(f *file) gen.Place {
	f.Layout.StringPool[0] = gen.Only(f.Choices, f.text(), "")
	f.fitPool()
	f.rewrite()
	return gen.Place{Off: int(stringOffsets(f.Draft)[0]), Len: 2, Path: "strings[0].length"}
}

// textAt returns the place of the bytes of a string and its NUL.
func (f *file) textAt(i uint32) gen.Place { return f.Place(fmt.Sprintf("strings[%d]", i)) }

// rootOfItsOwn gives the root of a dictionary an empty string of its own.
func rootOfItsOwn(f *file) gen.Place {
	i := f.addString("")
	gen.Pick(f.Choices, f.filled()).Nodes[0].Key = i
	f.rewrite()
	return f.textAt(i)
}

// nameIsKey makes a key the file name.
func nameIsKey(d *drawer, m *bnsh.File) {
	keyed(d, m)
	for _, t := range stage(m).Tables {
		if len(t.Keys) > 0 {
			m.Name = gen.Pick(d.Choices, t.Keys)
		}
	}
}

// keyOfItsOwn gives an item whose key is the file name a string of its own.
func keyOfItsOwn(f *file) gen.Place {
	i := f.addString(f.Name)
	var nodes []*bnsh.Node
	for _, d := range f.filled() {
		for k := range d.Nodes {
			if d.Nodes[k].Key == f.Layout.Name {
				nodes = append(nodes, &d.Nodes[k])
			}
		}
	}
	gen.Pick(f.Choices, nodes).Key = i
	f.rewrite()
	return f.textAt(i)
}

// swapStrings swaps two strings of the pool.
func (f *file) swapStrings(a, b uint32) {
	l := f.Layout
	l.StringPool[a], l.StringPool[b] = l.StringPool[b], l.StringPool[a]
	swap := func(i *uint32) {
		switch *i {
		case a:
			*i = b
		case b:
			*i = a
		}
	}
	swap(&l.Name)
	for _, d := range f.filled() {
		for k := range d.Nodes {
			swap(&d.Nodes[k].Key)
		}
	}
	f.rewrite()
}

// nameBehind puts the file name behind keys.
func nameBehind(f *file) gen.Place {
	f.swapStrings(f.Layout.Name, gen.Only(f.Choices, 2+uint32(f.Below(len(f.Layout.StringPool)-2)), f.Layout.Name))
	return f.Place("header.name")
}

// unusedString adds a string that nothing refers to.
func unusedString(f *file) gen.Place {
	i := f.addString("unused")
	f.rewrite()
	return f.textAt(i)
}

// noTexts are strings with a NUL or that are no UTF-8: cut off, with a surrogate,
// longer than need be, above the last character.
var noTexts = []bnsh.Text{"\x00", "a\x00", "\x00a", "\x80", "\xC3", "a\xE5\xBD", "\xED\xA0\x80", "\xC0\x80",
	"\xF4\x90\x80\x80", "\xFF"}

func noTextName(d *drawer, m *bnsh.File) { m.Name = noTextOf(d, noTexts) }

// noTextOf draws one of the strings that are no text; in a near miss it is the last character.
func noTextOf(d *drawer, list []bnsh.Text) bnsh.Text {
	return gen.Breach(d.Choices, gen.Pick(d.Choices, list), "\U0010FFFF")
}

// noTextKey gives a stage a name that is no text.
func noTextKey(d *drawer, m *bnsh.File) {
	reflected(d, m)
	stage(m).Tables[d.Below(int(bnsh.SeparateTextures))].Keys = []bnsh.Text{noTextOf(d, noTexts[1:])}
	d.place(stage(m))
}

// noText finds the string that is none; a near miss has none.
func noText(f *file) gen.Place {
	for i, s := range f.Layout.StringPool {
		if !utf8.ValidString(string(s)) || strings.Contains(string(s), "\x00") {
			return f.textAt(uint32(i))
		}
	}
	return gen.Place{}
}

// repeatedName is the only name of variations that repeatedKey appends.
const repeatedName = "n"

// repeatedKey appends variations whose reflection has one name everywhere.
func repeatedKey(d *drawer, m *bnsh.File) {
	for range 5 {
		extended(d, m)
		for k := range stage(m).Tables {
			stage(m).Tables[k].Keys = []bnsh.Text{repeatedName}
		}
		d.place(stage(m))
	}
}

// longKey makes the repeated name so long that all references to it together are
// over the limit. In a near miss it has the greatest length within the limit, at which
// all names have 8 times the size of the file or a little less.
func longKey(f *file) gen.Place {
	i := slices.Index(f.Layout.StringPool, repeatedName)
	lengthen := func(n int) {
		f.Layout.StringPool[i] = bnsh.Text(strings.Repeat(repeatedName, n))
		f.fitPool()
		f.rewrite()
	}
	right := sort.Search(60_000, func(n int) bool {
		lengthen(n + 1)
		return f.allNames() > 8*len(f.Bytes)
	})
	lengthen(gen.Breach(f.Choices, 60_000+f.Below(1000), right))
	return gen.Place{Len: len(f.Bytes), Path: "file"}
}

// allNames returns the bytes of the file name and of all keys with the keys of the roots, a NUL for each included.
func (f *file) allNames() int {
	n := len(f.Layout.StringPool[f.Layout.Name]) + 1
	for _, p := range f.Layout.Programs {
		for _, r := range p.Reflections {
			if r == nil {
				continue
			}
			for _, d := range r.Dictionaries {
				for _, node := range d.Nodes {
					n += len(f.Layout.StringPool[node.Key]) + 1
				}
			}
		}
	}
	return n
}
