package bnsh_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// sourceFile has n variations with one byte of vertex source each, the same.
func sourceFile(n int) *bnsh.File {
	f := &bnsh.File{Header: header("s")}
	for range n {
		p := &bnsh.Program{CodeType: bnsh.SourceCode}
		p.Stages[bnsh.Vertex] = &bnsh.Code{Code: wire.Hex("x")}
		f.Variations = append(f.Variations, bnsh.Variation{Source: p})
	}
	return f
}

// reflected gives every program of a file a reflection of the vertex stage.
func reflected(f *bnsh.File, tables func(i int) bnsh.Tables) *bnsh.File {
	for i := range f.Variations {
		f.Variations[i].Source.Reflection = &bnsh.PerStage[bnsh.StageReflection]{bnsh.Vertex: reflection(tables(i))}
	}
	return f
}

// oneTable is a choice of tables with the same keys as inputs.
func oneTable(keys ...bnsh.Text) func(int) bnsh.Tables {
	return func(int) bnsh.Tables { return bnsh.Tables{bnsh.Inputs: {Keys: keys}} }
}

// arranged returns a file as it is written, with its layout.
func arranged(f *bnsh.File) *bnsh.File {
	parsed, err := bnsh.Parse(gen.Unchecked(f))
	if err != nil {
		panic(err)
	}
	return parsed
}

// addStrings adds strings to the pool that nobody uses.
func addStrings(f *bnsh.File, strings ...bnsh.Text) *bnsh.File {
	l := f.Layout
	size := l.Sections[5].Size
	for _, s := range strings {
		size += uint32(len(s)+4) &^ 1
	}
	l.StringPool = slices.Concat(l.StringPool, strings)
	l.Sections[5].Size = size
	l.Relocations = (l.Strings + size + 7) &^ 7
	return f
}

// stairs are keys of which each differs from the others in one bit of its own,
// so that their tree is a chain.
func stairs(n int) []bnsh.Text {
	keys := make([]bnsh.Text, n)
	for i := range keys {
		key := make([]byte, i/8+1)
		key[0] = 1 << (i % 8)
		keys[i] = bnsh.Text(key)
	}
	return keys
}

// chains has about n bytes, half of them names of which each differs in a bit of
// its own, the others dictionaries of them all, in one order after the other. The
// names end in some bytes that all differ.
func chains(n, end int) *bnsh.File {
	depth := int(math.Sqrt(float64(8 * n)))
	keys := stairs(depth)
	for i := range keys {
		keys[i] += bnsh.Text([]byte{byte(i >> 8), byte(i)}[:end])
	}
	return reflected(sourceFile(1+n/2/(0x160+20*depth)), func(i int) bnsh.Tables {
		i %= depth
		return bnsh.Tables{bnsh.Inputs: {Keys: slices.Concat(keys[i:], keys[:i])}}
	})
}

// hostile are files made to cost a reader more than their size, at a given
// scale.
var hostile = formattest.Hostile{
	"zeros behind a header": func(n int) []byte {
		b := append(gen.Unchecked(sourceFile(1)), make([]byte, n)...)
		le.PutUint32(b[0x1C:], uint32(len(b)))
		return b
	},
	"variation count": func(n int) []byte {
		b := gen.Unchecked(sourceFile(n / 0x100))
		le.PutUint32(b[0x7C:], 0xFFFFFFFF)
		return b
	},
	"small variations": func(n int) []byte { return gen.Unchecked(sourceFile(n / 0x120)) },
	"small binary variations": func(n int) []byte {
		f := binaryFile(1, bnsh.Vertex)
		f.Variations[0].Binary.ObjectSize = 0
		f.Variations = slices.Repeat(f.Variations, n/0x120)
		return gen.Unchecked(f)
	},
	"one large control for all": func(n int) []byte {
		f := binaryFile(1, bnsh.Vertex, bnsh.Pixel)
		c := *f.Variations[0].Binary.Stages[bnsh.Vertex]
		c.Control = make(wire.Hex, n/2)
		f.Variations[0].Binary.Stages[bnsh.Pixel] = &c
		f.Variations = slices.Repeat(f.Variations, n/2/0x160)
		return gen.Unchecked(f)
	},
	"one large text for all": func(n int) []byte {
		f := sourceFile(1 + n/2/(12*1000))
		for i := range f.Variations {
			p := f.Variations[i].Source
			p.CodeType = bnsh.SourceArrayCode
			p.Stages[bnsh.Vertex] = &bnsh.Code{Texts: slices.Repeat([]wire.Hex{make(wire.Hex, n/2)}, 1000)}
		}
		return gen.Unchecked(f)
	},
	"small texts": func(n int) []byte {
		f := sourceFile(1 + n/(21*20_000))
		for i := range f.Variations {
			p := f.Variations[i].Source
			p.CodeType = bnsh.SourceArrayCode
			c := new(bnsh.Code)
			for k := range min(n/21, 20_000) {
				c.Texts = append(c.Texts, wire.Hex(fmt.Sprintf("%05d%x", k, i)))
			}
			p.Stages[bnsh.Vertex] = c
		}
		return gen.Unchecked(f)
	},
	"one array of texts for all programs": func(n int) []byte {
		f := sourceFile(n / 2 / 0x120)
		last := f.Variations[len(f.Variations)-1].Source
		for i := range f.Variations {
			f.Variations[i].Source.CodeType = bnsh.SourceArrayCode
		}
		code := &bnsh.Code{Texts: slices.Repeat([]wire.Hex{wire.Hex("x")}, min(n/24, 65535))}
		for i := range f.Variations {
			f.Variations[i].Source.Stages[bnsh.Vertex] = &bnsh.Code{Texts: []wire.Hex{wire.Hex("y")}}
		}
		last.Stages[bnsh.Vertex] = code
		g := arranged(f)
		b := gen.Unchecked(g)
		record := g.Layout.Programs[len(f.Variations)-1].Stages[bnsh.Vertex].Record
		for _, p := range g.Layout.Programs {
			for s := range 5 {
				le.PutUint64(b[int(p.Record)+8+8*s:], uint64(record))
			}
		}
		return b
	},
	"one object for all programs": func(n int) []byte {
		f := sourceFile(n / 2 / 0x120)
		f.Variations[0].Source.ObjectSize = uint32(n / 2)
		g := arranged(f)
		b := gen.Unchecked(g)
		for _, p := range g.Layout.Programs {
			le.PutUint32(b[p.Record+0x60:], uint32(n/2))
			le.PutUint32(b[p.Record+0x68:], g.Layout.Programs[0].Object)
		}
		return b
	},
	"empty strings": func(n int) []byte {
		return gen.Unchecked(addStrings(arranged(sourceFile(1)), make([]bnsh.Text, n/4)...))
	},
	"short strings": func(n int) []byte {
		var strings []bnsh.Text
		for i := range n / 8 {
			strings = append(strings, bnsh.Text([]byte{byte(i), byte(i >> 8), byte(i >> 16), 0xFF}))
		}
		return gen.Unchecked(addStrings(arranged(sourceFile(1)), strings...))
	},
	"string count": func(n int) []byte {
		f := arranged(sourceFile(1))
		b := gen.Unchecked(addStrings(f, make([]bnsh.Text, n/4)...))
		le.PutUint32(b[f.Layout.Strings+0x10:], 0xFFFFFFFF)
		return b
	},
	"small dictionaries": func(n int) []byte {
		all := bnsh.Tables{}
		for k := range all {
			all[k].Keys = []bnsh.Text{"k"}
		}
		return gen.Unchecked(reflected(sourceFile(n/0x340), func(int) bnsh.Tables { return all }))
	},
	"dictionaries without keys": func(n int) []byte {
		all := bnsh.Tables{}
		for k := range all {
			all[k].Keys = []bnsh.Text{"k"}
		}
		f := arranged(reflected(sourceFile(n/0x340), func(int) bnsh.Tables { return all }))
		for i := range f.Variations {
			f.Variations[i].Source.Reflection[bnsh.Vertex].Tables = bnsh.Tables{}
			f.Variations[i].Source.Reflection[bnsh.Vertex].Slots = nil
			l := f.Layout.Programs[i].Reflections[bnsh.Vertex]
			l.Slots = 0
			for k := range l.Dictionaries {
				l.Dictionaries[k].Nodes = []bnsh.Node{{Bit: -1, Right: 7}}
			}
		}
		return gen.Unchecked(f)
	},
	"a large dictionary": func(n int) []byte {
		return gen.Unchecked(reflected(sourceFile(1), oneTable(keyList("k", min(n/36, 65535))...)))
	},
	"dictionaries with keys of their own": func(n int) []byte {
		return gen.Unchecked(reflected(sourceFile(n/0x800), func(i int) bnsh.Tables {
			return bnsh.Tables{bnsh.Samplers: {Keys: keyList(fmt.Sprint("k", i, "_"), 30)}}
		}))
	},
	"long keys": func(n int) []byte {
		var keys []bnsh.Text
		for i := range max(2, n/2/65000) {
			keys = append(keys, bnsh.Text(fmt.Sprint(i))+bnsh.Text(bytes.Repeat([]byte("x"), min(65000, n/4))))
		}
		return gen.Unchecked(reflected(sourceFile(n/2/0x200), oneTable(keys...)))
	},
	"trees that are chains": func(n int) []byte { return gen.Unchecked(chains(n, 0)) },
	"unusual trees that are chains": func(n int) []byte {
		f := arranged(chains(n, 2))
		for i := range f.Variations {
			nodes := f.Layout.Programs[i].Reflections[bnsh.Vertex].Dictionaries[bnsh.Inputs].Nodes
			first := len(nodes) - 1
			nodes[0].Left = uint16(1 + (first-i%first)%first)
			for k := 1; k <= first; k++ {
				bit := (k - 1 + i) % first
				nodes[k].Bit, nodes[k].Right, nodes[k].Left = int32(16+bit), uint16(k), uint16(k%first+1)
				if bit == first-1 {
					nodes[k].Left = 0
				}
			}
		}
		return gen.Unchecked(f)
	},
	"nodes that lead to themselves": func(n int) []byte {
		f := arranged(reflected(sourceFile(1), oneTable(keyList("k", min(n/36, 65000))...)))
		nodes := f.Layout.Programs[0].Reflections[bnsh.Vertex].Dictionaries[bnsh.Inputs].Nodes
		for i := range nodes[1:] {
			nodes[i+1].Bit = int32(i)
			nodes[i+1].Left, nodes[i+1].Right = uint16(i+1), uint16(i+1)
		}
		return gen.Unchecked(f)
	},
	"a chain of nodes": func(n int) []byte { return chain(min(n/36, 65000)) },
	"one dictionary for all": func(n int) []byte {
		f := arranged(reflected(sourceFile(n/2/0x200), oneTable("k")))
		b := gen.Unchecked(f)
		at := uint64(f.Layout.Programs[0].Reflections[bnsh.Vertex].Dictionaries[bnsh.Inputs].Offset)
		for _, p := range f.Layout.Programs {
			for k := range 5 {
				le.PutUint64(b[int(p.Reflections[bnsh.Vertex].Record)+8*k:], at)
			}
		}
		return b
	},
	"an entry for every pointer": func(n int) []byte {
		f := arranged(sourceFile(n / 0x160))
		for i := range f.Layout.Sections {
			s := &f.Layout.Sections[i]
			var entries []bnsh.RelocationEntry
			for _, p := range expand(s.Entries) {
				entries = append(entries, bnsh.RelocationEntry{Position: p, Structs: 1, Pointers: 1})
			}
			s.Entries = entries
		}
		return gen.Unchecked(f)
	},
	"entries that cover everything": func(n int) []byte {
		f := arranged(sourceFile(1))
		f.Layout.Sections[0].Entries =
			slices.Repeat([]bnsh.RelocationEntry{{Position: 0xC0, Structs: 65535, Pointers: 255}}, n/8)
		return gen.Unchecked(f)
	},
	"gaps with residue": func(n int) []byte {
		f := arranged(sourceFile(n / 0x120))
		for i := range f.Variations {
			f.Variations[i].Source.Stages[bnsh.Vertex] = &bnsh.Code{Code: wire.Hex{byte(i), byte(i >> 8), 1}}
		}
		b := gen.Unchecked(f.Canonical())
		g := arranged(f.Canonical())
		for _, p := range g.Layout.Programs {
			b[p.Stages[bnsh.Vertex].Code+4] = 0xDE
		}
		return b
	},
}

// TestMemory bounds what Parse and Check allocate.
func TestMemory(t *testing.T) { format.Memory(t, hostile, 1_500_000) }

// TestTimeIsLinear compares the time for a file with that for one eight times
// as large.
func TestTimeIsLinear(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) { format.Linear(t, make, 64_000) })
	}
}

// TestNameLimit: names of exactly eight times the size of the file are allowed, one byte
// more is not.
func TestNameLimit(t *testing.T) {
	const variations = 16
	// build returns a file and the difference between its names and the limit. Each
	// dictionary has a long key and the empty key of its root.
	build := func(key, name int) (b []byte, over int) {
		f := reflected(sourceFile(variations), oneTable(bnsh.Text(strings.Repeat("k", key))))
		f.Name = bnsh.Text(strings.Repeat("n", name))
		b = gen.Unchecked(f)
		return b, name + 1 + variations*(key+1+1) - 8*len(b)
	}
	first := sort.Search(math.MaxUint16, func(key int) bool {
		_, over := build(key, 1)
		return over > -100
	})
	for key := first; key < first+100; key++ {
		for name := 1; name <= 16; name++ {
			exact, over := build(key, name)
			if over != 0 {
				continue
			}
			longer, over := build(key, name+1)
			if over != 1 {
				continue
			}
			if _, err := bnsh.Parse(exact); err != nil {
				t.Errorf("names of 8 times the file: %v", err)
			}
			_, err := bnsh.Parse(longer)
			if parse, ok := errors.AsType[*diag.ParseError](err); !ok || parse.Finding.Rule != "BNSH098" {
				t.Errorf("one byte more: got %v, want BNSH098", err)
			}
			return
		}
	}
	t.Fatal("no file has names of exactly 8 times its size and room for one byte more")
}
