package sharcfbgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

var layoutOddities = []oddity{
	{"SHARC061", func(d *drawing) where {
		i := d.shaderOf()
		s := &d.f.Binaries[i].Shader
		p := d.plan(s)
		if d.lay(i, p); s.IsCanonical(uint64(d.dataOffset(i))) {
			p.spare += codeAlign
			d.lay(i, p)
		}
		return all("binaries[%d]", i)
	}, nil},
	{"GX2012", func(d *drawing) where {
		i := d.shaderOf()
		p := plan{behind: 1 + uint32(d.c.Below(300)), copyFirst: d.c.Bits(1) != 0}
		d.lay(i, p)
		if d.f.Binaries[i].Type == gx2.Geometry && !p.copyFirst {
			return at("binaries[%d].copy_size", i)
		}
		return at("binaries[%d].code_size", i)
	}, notCanonical},
	{"GX2033", func(d *drawing) where {
		d.f.Endian = sharcfb.Big
		i, stray := d.stray()
		d.lay(i, stray)
		return d.firstStray(i)
	}, notCanonical},
	// In little endian tables that follow the structure are aligned, because the
	// sizes of all records are multiples of 4.
	{"GX2035", func(d *drawing) where {
		d.f.Endian = sharcfb.Big
		t := gen.Pick(d.c, swapped)
		i, _ := d.recordOf(t)
		p := plan{order: slices.DeleteFunc(shuffled(d.c, swapped), func(o int) bool { return o == t })}
		p.order = append(p.order, t)
		p.pads[t] = 4*uint32(d.c.Below(8)) + 1 + uint32(d.c.Below(3))
		d.lay(i, p)
		return at("binaries[%d].%s.offset", i, tables[t].name)
	}, []string{"GX2033", "SHARC061"}},
	// A name of two tables is there twice in the canonical layout.
	{"GX2047", func(d *drawing) where {
		i := d.shaderOf()
		s := &d.f.Binaries[i].Shader
		first, second := blockTable, gen.Pick(d.c, []int{uniformTable, samplerTable})
		for _, t := range []int{first, second} {
			if tables[t].len(s) == 0 {
				d.addRecord(s, t)
			}
		}
		k := d.c.Below(tables[second].len(s))
		name := tables[second].names(s)[k]
		*name = *gen.Pick(d.c, tables[first].names(s))
		slot := slices.Index(names(s), name)
		l := plan{}.layout(s, d.dataOffset(i))
		return inData(i, l.Names[slot].Offset, len(*name), "gap")
	}, nil},
	{"GX2047", func(d *drawing) where {
		i := d.shaderOf()
		gap := d.bytes(1 + d.c.Below(20))
		gap[0] |= 1
		gap[len(gap)-1] |= 0x80
		spare := uint32(len(gap) + d.c.Below(300))
		l := d.lay(i, plan{spare: spare})
		off := l.Program.Offset - uint32(len(gap)) - uint32(d.c.Below(int(spare)-len(gap)+1))
		l.Gaps = []gx2.Gap{{Offset: off, Bytes: gap}}
		return inData(i, off, len(gap), "gap")
	}, notCanonical},
	{"GX2048", func(d *drawing) where {
		i := d.shaderOf()
		s := &d.f.Binaries[i].Shader
		for len(names(s)) < 2 {
			d.addRecord(s, gen.Pick(d.c, []int{blockTable, uniformTable, samplerTable}))
		}
		list := names(s)
		order := shuffled(d.c, upTo(len(list)))
		outer, inner := order[0], order[1]
		head := d.letters(1 + d.c.Below(6))
		for slices.ContainsFunc(list, func(n *wire.Text) bool { return *n == head+*list[inner] }) {
			head = "_" + head
		}
		*list[outer] = head + *list[inner]
		l := d.lay(i, plan{})
		l.Names[inner].Offset = l.Names[outer].Offset + uint32(len(head))
		return inData(i, l.Names[inner].Offset, len(*list[inner])+1, textOf(s, inner))
	}, notCanonical},
}

// inData is a place of n bytes in the data of a shader binary.
func inData(i int, off uint32, n int, path string) where {
	binary := fmt.Sprintf("binaries[%d].", i)
	return func(k *kit) gen.Place {
		return gen.Place{Off: k.off(binary+"data_size") + 4 + int(off), Len: n, Path: binary + path}
	}
}

// textOf returns the path, in its shader, of the text of a name.
func textOf(s *gx2.Shader, slot int) string {
	for _, t := range swapped {
		n := tables[t].len(s)
		if slot < n {
			return fmt.Sprintf("%s[%d].text", tables[t].name, slot)
		}
		slot -= n
	}
	panic("sharcfbgen: no such name")
}

// stray draws a shader with tables, and a layout in which some of these are not
// where the loader of the console swaps.
func (d *drawing) stray() (shader int, p plan) {
	t := gen.Pick(d.c, swapped)
	shader, _ = d.recordOf(t)
	p.order = shuffled(d.c, swapped)
	if p.namesFirst = d.c.Bits(1) != 0; !p.namesFirst {
		p.pads[t] = 4 * (1 + uint32(d.c.Below(20)))
	}
	return shader, p
}

// firstStray returns where GX2033 is reported: the pointer of the first table
// that ends behind the bytes that the loader swaps.
func (d *drawing) firstStray(i int) where {
	s := &d.f.Binaries[i].Shader
	end := uint32(s.Type.Size())
	for _, t := range swapped {
		end += uint32(tables[t].len(s)) * tables[t].size
	}
	t := slices.IndexFunc(swapped, func(t int) bool {
		x := s.Layout.Tables[t]
		return x.Count > 0 && x.Offset+x.Count*tables[t].size > end
	})
	return at("binaries[%d].%s.offset", i, tables[swapped[t]].name)
}
