package bnshgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// fault is a way to break a rule.
type fault struct {
	rule  string
	with  func(d *drawer, m *bnsh.File) // gives a file the records that the fault spoils; may be nil
	spoil func(f *file) gen.Place
	also  []string
}

// generator returns the fault as others see it.
func (x fault) generator() gen.Fault {
	return gen.MissBreaking(gen.Fault{Rule: x.rule, Also: x.also, Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
		d := &drawer{Choices: c}
		m := d.file()
		c.Valid(func() []byte { return gen.Unchecked(m) })
		if x.with != nil {
			x.with(d, m)
		}
		f := read(d, gen.Unchecked(m))
		at := x.spoil(f)
		return f.Bytes, at
	}}, missBreaks[x.rule]...)
}

// file is a valid file in which a fault spoils one place.
type file struct {
	*drawer
	*bnsh.File // with its layout
	*gen.Draft
}

func read(d *drawer, b []byte) *file {
	m, err := bnsh.Parse(b)
	if err != nil {
		panic(err) // the needs of a fault break no rule of severity error
	}
	f := &file{d, m, gen.NewDraft(b, le, m.Regions())}
	for _, d := range f.dictionaries() {
		d.Nodes = slices.Clone(d.Nodes) // equal dictionaries have one slice
	}
	return f
}

// rewrite writes the file again, after a change of its layout.
func (f *file) rewrite() { f.Draft = gen.NewDraft(gen.Unchecked(f.File), le, f.File.Regions()) }

// target returns the place of n bytes to which a pointer leads.
func (f *file) target(pointer gen.Place, n int) gen.Place {
	return gen.Place{Off: int(f.Number(pointer)), Len: n, Path: strings.TrimSuffix(pointer.Path, ".pointer")}
}

// body returns where the records are: behind the container, before the strings.
func body(d *gen.Draft) (low, high uint64) {
	return uint64(d.Off("container.signature")) + 0x60, uint64(d.Off("strings.signature"))
}

// fields returns the regions whose path matches one of the patterns, in which
// [last] stands for the last variation.
func (f *file) fields(patterns ...string) (found []gen.Place) {
	last := fmt.Sprintf("[%d]", len(f.Variations)-1)
	for _, pattern := range patterns {
		found = append(found, f.Match(strings.ReplaceAll(pattern, "[last]", last))...)
	}
	return found
}

// pick draws one of the regions that match.
func (f *file) pick(patterns ...string) gen.Place {
	return gen.Pick(f.Choices, f.fields(patterns...))
}

// field returns the first region that matches.
func (f *file) field(pattern string) gen.Place { return f.fields(pattern)[0] }

// set gives a field that matches a wrong number.
func set(v gen.Value, patterns ...string) func(*file) gen.Place { return setOr(v, nil, patterns...) }

func (f *file) set(r gen.Place, v gen.Value) gen.Place { return f.Break(f.Choices, r, v, nil) }

// setOr is set for a field that has a right number besides its value.
func setOr(wrong, right gen.Value, patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place { return f.Break(f.Choices, f.pick(patterns...), wrong, right) }
}

// at points out a field without a change: the file is wrong already.
func at(patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place { return f.pick(patterns...) }
}

// ofRecord points out the record of n bytes whose first field is spoilt.
func ofRecord(n int, spoil func(*file) gen.Place) func(*file) gen.Place {
	return func(f *file) gen.Place {
		at := spoil(f)
		at.Len, at.Path = n, at.Path[:strings.LastIndexByte(at.Path, '.')]
		return at
	}
}

// nonzeroByte sets one byte of a region of zero bytes, whose first wrong byte the reader reports.
func nonzeroByte(patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place {
		r := f.pick(patterns...)
		at := r.Off + f.Below(r.Len)
		f.Bytes[at] = f.nonzero()
		return gen.Place{Off: at, Len: 1, Path: r.Path}
	}
}

// nonzero draws a byte other than 0; 0 in a near miss.
func (f *file) nonzero() byte { return byte(gen.Only(f.Choices, 1+f.Below(255), 0)) }

// nonzeroField sets one byte of a reserved field, which the reader reports as a whole.
func nonzeroField(patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place {
		r := f.pick(patterns...)
		f.Bytes[r.Off+gen.Pick(f.Choices, []int{0, r.Len - 1, f.Below(r.Len)})] = f.nonzero()
		return r
	}
}

// lost gives a pointer other than null a target that is no place for a record of the size.
func lost(size, to uint64, patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place {
		var pointers []gen.Place
		for _, r := range f.fields(patterns...) {
			if f.Number(r) != 0 {
				pointers = append(pointers, r)
			}
		}
		v := outside(size, to)
		if to > 1 && f.Bits(1) != 0 {
			v = gen.Between(1, to-1).Added
		}
		return f.set(gen.Pick(f.Choices, pointers), v)
	}
}

// outside draws an offset at which a record has no room in the body: just in front, just behind, far away, and beyond
// 32 bits with the right low half.
func outside(size, to uint64) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		low, high := body(d)
		return gen.Pick(c, []uint64{
			low - to, high - size + to, high, uint64(len(d.Bytes)) &^ (to - 1), 1<<32 | d.Number(r), 1<<63 | d.Number(r), -to,
			to,
		})
	}
}

// tooMany draws a number of elements that do not fit between the target of a pointer in the same record and the end of
// the body.
func tooMany(pointer string, size uint64) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		_, high := body(d)
		return gen.Above((high-d.Number(d.Sibling(r, pointer)))/size)(c, d, r)
	}
}
