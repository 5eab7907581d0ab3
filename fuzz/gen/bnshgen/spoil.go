package bnshgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
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
	return gen.OrElse(gen.Fault{Rule: x.rule, Also: x.also, Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
		d := &drawer{Choices: c}
		m := d.file()
		c.Valid(func() []byte { return gen.Unchecked(m) })
		if x.with != nil {
			x.with(d, m)
		}
		f := read(d, gen.Unchecked(m))
		at := x.spoil(f)
		return f.b, at
	}}, instead[x.rule]...)
}

// file is a valid file in which a fault spoils one place.
type file struct {
	*drawer
	*bnsh.File // with its layout
	b          []byte
	regions    []diag.Region
}

func read(d *drawer, b []byte) *file {
	m, err := bnsh.Parse(b)
	if err != nil {
		panic(err) // the needs of a fault break no rule of severity error
	}
	f := &file{d, m, b, m.Regions()}
	for _, d := range f.dictionaries() {
		d.Nodes = slices.Clone(d.Nodes) // equal dictionaries have one slice
	}
	return f
}

// rewrite writes the file again, after a change of its layout.
func (f *file) rewrite() {
	f.b = gen.Unchecked(f.File)
	f.regions = f.Regions()
}

func placeOf(r diag.Region) gen.Place { return gen.Place{Off: r.Off, Len: r.Len, Path: r.Path} }

// fieldAt returns the place of the field at an offset.
func (f *file) fieldAt(off int) gen.Place {
	i := slices.IndexFunc(f.regions, func(r diag.Region) bool { return r.Off == off })
	if i < 0 {
		panic(fmt.Sprintf("bnshgen: no field at %#x", off))
	}
	return placeOf(f.regions[i])
}

// target returns the place of n bytes to which a pointer leads.
func (f *file) target(pointer diag.Region, n int) gen.Place {
	return gen.Place{Off: int(f.value(pointer)), Len: n, Path: strings.TrimSuffix(pointer.Path, ".pointer")}
}

// body returns where the records are: behind the container, before the strings.
func (f *file) body() (low, high uint64) {
	return uint64(f.Layout.Container) + 0x60, uint64(f.Layout.Strings)
}

// fields returns the regions whose path matches one of the patterns, in which a
// star stands for anything without a dot and [last] for the last variation.
func (f *file) fields(patterns ...string) (found []diag.Region) {
	last := fmt.Sprintf("[%d]", len(f.Variations)-1)
	for _, pattern := range patterns {
		pattern = strings.ReplaceAll(pattern, "[last]", last)
		for _, r := range f.regions {
			if matches(pattern, r.Path) {
				found = append(found, r)
			}
		}
	}
	return found
}

func matches(pattern, path string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' {
			for n := i; !matches(pattern[i+1:], path[n:]); n++ {
				if n == len(path) || path[n] == '.' {
					return false
				}
			}
			return true
		}
		if i == len(path) || pattern[i] != path[i] {
			return false
		}
	}
	return len(pattern) == len(path)
}

// pick draws one of the regions that match.
func (f *file) pick(patterns ...string) diag.Region {
	return gen.Pick(f.Choices, f.fields(patterns...))
}

// field returns the first region that matches.
func (f *file) field(pattern string) diag.Region { return f.fields(pattern)[0] }

// sibling returns another field of the record that r is a field of.
func (f *file) sibling(r diag.Region, name string) diag.Region {
	return f.field(r.Path[:strings.LastIndexByte(strings.TrimSuffix(r.Path, ".pointer"), '.')+1] + name)
}

// value returns the number in a field.
func (f *file) value(r diag.Region) (v uint64) {
	for i := range r.Len {
		v |= uint64(f.b[r.Off+i]) << (8 * i)
	}
	return v
}

// store writes a number of n bytes.
func (f *file) store(off, n int, v uint64) {
	for i := range n {
		f.b[off+i] = byte(v >> (8 * i))
	}
}

// value draws a wrong number for a field.
type value func(f *file, r diag.Region) uint64

// set gives a field that matches a wrong number.
func set(v value, patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place { return f.set(f.pick(patterns...), v) }
}

func (f *file) set(r diag.Region, v value) gen.Place {
	f.store(r.Off, r.Len, gen.Only(f.Choices, v(f, r), f.value(r)))
	return placeOf(r)
}

// setOr is set for a field that has a right number besides its value.
func setOr(wrong, right value, patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place { return f.setOr(f.pick(patterns...), wrong, right) }
}

func (f *file) setOr(r diag.Region, wrong, right value) gen.Place {
	f.store(r.Off, r.Len, gen.Breach(f.Choices, wrong(f, r), right(f, r)))
	return placeOf(r)
}

// at points out a field without a change: the file is wrong already.
func at(patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place { return placeOf(f.pick(patterns...)) }
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
		f.b[at] = f.nonzero()
		return gen.Place{Off: at, Len: 1, Path: r.Path}
	}
}

// nonzero draws a byte other than 0; 0 in a near miss.
func (f *file) nonzero() byte { return byte(gen.Only(f.Choices, 1+f.Below(255), 0)) }

// nonzeroField sets one byte of a reserved field, which the reader reports as a whole.
func nonzeroField(patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place {
		r := f.pick(patterns...)
		f.b[r.Off+gen.Pick(f.Choices, []int{0, r.Len - 1, f.Below(r.Len)})] = f.nonzero()
		return placeOf(r)
	}
}

// lost gives a pointer other than null a target that is no place for a record of the size.
func lost(size, to uint64, patterns ...string) func(*file) gen.Place {
	return func(f *file) gen.Place {
		var pointers []diag.Region
		for _, r := range f.fields(patterns...) {
			if f.value(r) != 0 {
				pointers = append(pointers, r)
			}
		}
		v := outside(size, to)
		if to > 1 && f.Bits(1) != 0 {
			v = between(1, to-1).added
		}
		return f.set(gen.Pick(f.Choices, pointers), v)
	}
}

// oneOf draws one of some numbers.
func oneOf(values ...uint64) value {
	return func(f *file, _ diag.Region) uint64 { return gen.Pick(f.Choices, values) }
}

// between draws a number from low to high other than the value of the field.
func between(low, high uint64) value {
	return func(f *file, r diag.Region) uint64 {
		n := high - low + 1
		v := gen.Pick(f.Choices, []uint64{0, n - 1, uint64(f.Below(int(n)))})
		if low+v == f.value(r) {
			v = (v + 1) % n
		}
		return low + v
	}
}

// added draws the value of the field plus a number that v draws.
func (v value) added(f *file, r diag.Region) uint64 { return f.value(r) + v(f, r) }

// most is the highest number a field can be.
func most(r diag.Region) uint64 { return 1<<(8*r.Len-1)<<1 - 1 }

// above draws a number greater than n: the next one, a near one, and the highest.
func above(n uint64) value {
	return func(f *file, r diag.Region) uint64 {
		next, high := n+1, most(r)
		return gen.Pick(f.Choices,
			[]uint64{next, min(next+f.Bits(8), high), next + f.Bits(63)%(high-n), high, high>>1 | next})
	}
}

// more draws a number above the value of the field.
func more(f *file, r diag.Region) uint64 { return above(f.value(r))(f, r) }

// other draws a number other than the value of the field: a neighbour, one with one changed bit, or any.
func other(f *file, r diag.Region) uint64 {
	v, bit := f.value(r), uint64(1)<<f.Below(8*r.Len)
	return gen.Pick(f.Choices, []uint64{v + 1, v - 1, v ^ bit, v ^ (f.Bits(63)&(most(r)>>1) | bit)})
}

// outside draws an offset at which a record has no room in the body: just in front, just behind, far away, and beyond
// 32 bits with the right low half.
func outside(size, to uint64) value {
	return func(f *file, r diag.Region) uint64 {
		low, high := f.body()
		return gen.Pick(f.Choices, []uint64{
			low - to, high - size + to, high, uint64(len(f.b)) &^ (to - 1), 1<<32 | f.value(r), 1<<63 | f.value(r), -to,
			to,
		})
	}
}

// tooMany draws a number of elements that do not fit between the target of a pointer in the same record and the end of
// the body.
func tooMany(pointer string, size uint64) value {
	return func(f *file, r diag.Region) uint64 {
		_, high := f.body()
		return above((high-f.value(f.sibling(r, pointer)))/size)(f, r)
	}
}
