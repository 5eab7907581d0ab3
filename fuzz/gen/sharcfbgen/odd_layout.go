package sharcfbgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

var layoutOddities = []oddity{
	{"SHARC061", func(d *drawing) where {
		d.C.OnlyValid()
		i := d.ShaderOf()
		s := &d.f.Binaries[i].Shader
		p := d.plan(s)
		if d.lay(i, p); s.IsCanonical(uint64(d.dataOffset(i))) {
			p.spare += codeAlign
			d.lay(i, p)
		}
		return elementAt("binaries[%d]", i)
	}, nil},
	{"GX2012", func(d *drawing) where {
		i := d.ShaderOf()
		p := plan{behind: uint32(gen.Only(d.C, 1+d.C.Below(300), 0)), copyFirst: d.C.Bits(1) != 0}
		d.lay(i, p)
		if d.f.Binaries[i].Type == gx2.Geometry && !p.copyFirst {
			return at("binaries[%d].copy_size", i)
		}
		return at("binaries[%d].code_size", i)
	}, notCanonical},
	{"GX2033", func(d *drawing) where {
		d.C.OnlyValid()
		d.f.Endian = sharcfb.Big
		i, stray := d.stray()
		d.lay(i, stray)
		return d.firstStray(i)
	}, notCanonical},
	// In little endian tables that follow the structure are aligned, because the
	// sizes of all records are multiples of 4.
	{"GX2035", func(d *drawing) where {
		d.f.Endian = sharcfb.Big
		t := gen.Pick(d.C, swapped)
		i, _ := d.RecordOf(t)
		p := plan{order: slices.DeleteFunc(gen.Shuffled(d.C, swapped), func(o int) bool { return o == t })}
		p.order = append(p.order, t)
		p.pads[t] = 4*uint32(d.C.Below(8)) + uint32(gen.Breach(d.C, 1+d.C.Below(3), 4))
		d.lay(i, p)
		return at("binaries[%d].%s.offset", i, gx2gen.Tables[t].Name)
	}, []string{"GX2033", "SHARC061"}},
	// A name of two tables is there twice in the canonical layout.
	{"GX2047", func(d *drawing) where {
		first, second := gx2gen.BlockTable, gen.Pick(d.C, []int{gx2gen.UniformTable, gx2gen.SamplerTable})
		i, _ := d.RecordOf(first)
		s := &d.f.Binaries[i].Shader
		if gx2gen.Tables[second].Len(s) == 0 {
			d.AddRecord(s, second)
		}
		k := d.C.Below(gx2gen.Tables[second].Len(s))
		for _, n := range gx2gen.Tables[first].Names(s) {
			d.Unshare(s, n)
		}
		name := gx2gen.Tables[second].Names(s)[k]
		*name = *gen.Pick(d.C, gx2gen.Tables[first].Names(s)) + gen.Breach[wire.Text](d.C, "", "~")
		slot := slices.Index(gx2gen.Names(s), name)
		l := plan{}.layout(s, d.dataOffset(i))
		return inData(i, l.Names[slot].Offset, len(*name), "gap")
	}, nil},
	{"GX2047", func(d *drawing) where {
		i := d.ShaderOf()
		gap := d.Data(1 + d.C.Below(20))
		gap[0] |= 1
		gap[len(gap)-1] |= 0x80
		gap = gen.Breach(d.C, gap, make(wire.Hex, len(gap)))
		spare := uint32(len(gap) + d.C.Below(300))
		l := d.lay(i, plan{spare: spare})
		off := l.Program.Offset - uint32(len(gap)) - uint32(d.C.Below(int(spare)-len(gap)+1))
		l.Gaps = []gx2.Gap{{Offset: off, Bytes: gap}}
		return inData(i, off, len(gap), "gap")
	}, notCanonical},
	{"GX2048", func(d *drawing) where {
		i := d.ShaderOf()
		s := &d.f.Binaries[i].Shader
		for len(gx2gen.Names(s)) < 2 {
			d.AddRecord(s, gen.Pick(d.C, []int{gx2gen.BlockTable, gx2gen.UniformTable, gx2gen.SamplerTable}))
		}
		list := gx2gen.Names(s)
		order := gen.Order(d.C, len(list))
		outer, inner := order[0], order[1]
		head := d.Letters(1 + d.C.Below(6))
		for slices.ContainsFunc(list, func(n *wire.Text) bool { return *n == head+*list[inner] }) {
			head = "_" + head
		}
		*list[outer] = head + *list[inner]
		l := d.lay(i, plan{})
		l.Names[inner].Offset = gen.Only(d.C, l.Names[outer].Offset+uint32(len(head)), l.Names[inner].Offset)
		return inData(i, l.Names[inner].Offset, len(*list[inner])+1, gx2gen.RecordPath(s, inner)[1:]+".text")
	}, notCanonical},
}

// inData is a place of n bytes in the data of a shader binary.
func inData(i int, off uint32, n int, path string) where {
	binary := fmt.Sprintf("binaries[%d].", i)
	return func(k *kit) gen.Place {
		return gen.Place{Off: k.Off(binary+"data_size") + 4 + int(off), Len: n, Path: binary + path}
	}
}

// stray draws a shader with tables, and a layout in which some of these are not
// where the loader of the console swaps.
func (d *drawing) stray() (shader int, p plan) {
	t := gen.Pick(d.C, swapped)
	shader, _ = d.RecordOf(t)
	p.order = gen.Shuffled(d.C, swapped)
	if p.namesFirst = d.C.Bits(1) != 0; !p.namesFirst {
		p.pads[t] = 4 * (1 + uint32(d.C.Below(20)))
	}
	return shader, p
}

// firstStray returns the place of GX2033: the pointer of the first table that ends behind the bytes that the loader
// swaps.
func (d *drawing) firstStray(i int) where {
	s := &d.f.Binaries[i].Shader
	end := uint32(s.Type.Size())
	for _, t := range swapped {
		end += uint32(gx2gen.Tables[t].Len(s)) * gx2gen.Tables[t].Size
	}
	t := slices.IndexFunc(swapped, func(t int) bool {
		x := s.Layout.Tables[t]
		return x.Count > 0 && x.Offset+x.Count*gx2gen.Tables[t].Size > end
	})
	return at("binaries[%d].%s.offset", i, gx2gen.Tables[swapped[t]].Name)
}
