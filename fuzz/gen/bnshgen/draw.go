package bnshgen

import (
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// drawer draws models. Unless odd ones are wanted, Check has nothing to say of
// them. Choices that are all zero make the smallest.
type drawer struct {
	*gen.Choices
	odd    bool
	texts  []bnsh.Text   // drawn so far, for names that occur again
	tables [][]bnsh.Text // as well
}

// sometimes is true n times out of 16, but not when the choices are zero.
func (d *drawer) sometimes(n int) bool { return d.Bits(4) >= uint64(16-n) }

// oddly is true now and then where odd values are wanted.
func (d *drawer) oddly() bool { return d.odd && d.sometimes(3) }

// knownVersions are the documented versions: minor, micro.
var knownVersions = [][2]uint8{{1, 12}, {1, 2}, {1, 4}, {1, 5}, {1, 10}, {1, 11}, {2, 1}, {3, 1}}

// knownProperty is the property that Check expects of every memory pool.
const knownProperty = 0x61

func (d *drawer) file() *bnsh.File {
	f := &bnsh.File{Header: d.header()}
	for range 1 + gen.Pick(d.Choices, []int{0, 0, 0, 1, 1, 2, 3}) {
		f.Variations = append(f.Variations, d.variation(&f.Header))
	}
	d.pool(f)
	return f
}

func (d *drawer) header() bnsh.Header {
	h := gen.Free[bnsh.Header](d.Choices, fields, d.oddly())
	h.AlignmentShift %= 32 // higher ones are errors
	if version := gen.Pick(d.Choices, knownVersions); !d.oddly() {
		h.Version.Minor, h.Version.Micro = version[0], version[1]
	}
	if d.sometimes(12) {
		h.Name = d.text()
	}
	return h
}

// pool gives a file the memory pool that its programs need.
func (d *drawer) pool(f *bnsh.File) {
	f.PoolProperty = nil
	for i := range f.Variations {
		if p := f.Variations[i].Binary; p != nil && p.BinaryFormat == bnsh.Plain {
			property := uint32(knownProperty)
			if d.oddly() {
				property = uint32(d.Bits(32))
			}
			f.PoolProperty = &property
			return
		}
	}
}

func (d *drawer) variation(h *bnsh.Header) (v bnsh.Variation) {
	if d.oddly() {
		v.Source = d.program(h, bnsh.SourceCode+bnsh.CodeType(d.Bits(1)))
	}
	if d.oddly() {
		v.Intermediate = d.program(h, bnsh.IntermediateCode)
	}
	if v == (bnsh.Variation{}) || !d.oddly() {
		v.Binary = d.program(h, bnsh.BinaryCode)
	}
	return v
}

func (d *drawer) program(h *bnsh.Header, t bnsh.CodeType) *bnsh.Program {
	p := gen.Free[bnsh.Program](d.Choices, fields, d.oddly())
	p.CodeType, p.BinaryFormat = t, bnsh.Plain
	p.ObjectSize = gen.Pick(d.Choices, []uint32{0, 0, 1, 4, 8, 0x13, 0x100})
	if t != bnsh.SourceArrayCode && d.oddly() {
		p.BinaryFormat = bnsh.Zlib
	}
	stages := d.stages()
	for s := range p.Stages {
		if stages>>s&1 != 0 {
			p.Stages[s] = d.code(&p, bnsh.Stage(s))
		}
	}
	if d.sometimes(8) {
		p.Reflection = d.reflection(h, stages)
	}
	return &p
}

// stages draws a set of stages, a bit for each: compute alone, or others, of
// which hull and domain go together.
func (d *drawer) stages() uint8 {
	const hull, domain = 1 << bnsh.Hull, 1 << bnsh.Domain
	if d.sometimes(3) {
		return 1 << bnsh.Compute
	}
	set := gen.Pick(d.Choices, []uint8{1 << bnsh.Vertex, 1<<bnsh.Vertex | 1<<bnsh.Pixel, uint8(d.Bits(5))})
	if tessellation := set & (hull | domain); tessellation != 0 && tessellation != hull|domain && !d.oddly() {
		set |= hull | domain
	}
	if set == 0 {
		return 1 << bnsh.Geometry
	}
	return set
}
