package gshgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// ofHeader is an oddity of the header block of a shader, of which a field or table is
// reported.
func ofHeader(rule, path string, change func(d *drawing, s *gsh.Shader), also ...string) oddity {
	return oddity{rule, func(d *drawing) where {
		i := d.ShaderOf()
		d.retight(0) // so that no program is out of its place
		change(d, &d.f.Shaders[i])
		return at("shaders[%d].%s", i, path)
	}, append(also, notCanonical...)}
}

var headerOddities = []oddity{
	ofHeader("GSH043", "trailer.unknown", func(d *drawing, s *gsh.Shader) {
		gen.Change(d.C, &s.Slack.Unknown)
	}),
	ofHeader("GSH051", "patch_gap", func(d *drawing, s *gsh.Shader) {
		s.Slack.Gap = d.Data(8)
		s.Slack.Gap[d.C.Below(8)] |= 1
		s.Slack.Gap = gen.Breach(d.C, s.Slack.Gap, make(wire.Hex, 8))
	}),
	ofHeader("GSH052", "patch_gap", func(d *drawing, s *gsh.Shader) {
		n := 1 + d.C.Below(40)
		if n == 8 {
			n++
		}
		s.Slack.Gap = make(wire.Hex, gen.Breach(d.C, n, 8))
	}),
	// Null words anywhere, or two words in each other's place.
	{"GSH057", func(d *drawing) where {
		d.C.OnlyValid()
		i, _ := d.RecordOf(gen.Pick(d.C, gx2gen.Named))
		d.retight(0)
		h := d.f.Shaders[i].Slack
		if d.C.Bits(1) == 0 {
			h.Patches = slices.Insert(h.Patches, d.C.Below(len(h.Patches)+1), 0)
		} else {
			j := slices.IndexFunc(h.Patches, func(w uint32) bool { return w != 0 })
			h.Patches[j], h.Patches[j+1] = h.Patches[j+1], h.Patches[j]
		}
		return func(k *kit) gen.Place {
			at := k.Place(fmt.Sprintf("shaders[%d].patches[0]", i))
			return gen.Place{Off: at.Off, Len: 4 * len(h.Patches), Path: fmt.Sprintf("shaders[%d].patches", i)}
		}
	}, notCanonical},
	ofHeader("GSH047", "trailer.patch_offset", func(d *drawing, s *gsh.Shader) {
		s.Layout.Size += uint32(gen.Breach(d.C, 1+d.C.Below(3), 4))
	}),
}

// inData is a place of n bytes in the data of the header block of shader i.
func inData(i int, off uint32, n int, path string) where {
	return func(k *kit) gen.Place {
		return gen.Place{Off: k.data(k.header(i)).Off + int(off), Len: n, Path: fmt.Sprintf("shaders[%d].%s", i, path)}
	}
}

// widen moves everything in the data of a shader that is at or behind an offset.
func widen(s *gsh.Shader, from, by uint32) {
	l := s.Layout
	for t := range l.Tables {
		if l.Tables[t].Count > 0 && l.Tables[t].Offset >= from {
			l.Tables[t].Offset += by
		}
	}
	for i := range l.Names {
		if l.Names[i].Offset >= from {
			l.Names[i].Offset += by
		}
	}
	if s.Slack.TextOffset >= from {
		s.Slack.TextOffset += by
	}
	l.Size += by
	shape(s)
}

// shape makes the patch list anew, for a layout that was changed.
func shape(s *gsh.Shader) {
	style := gsh.StyleD
	if len(s.Slack.Gap) > 0 {
		style = gsh.StyleN
	}
	s.Slack.Patches = style.Patches(s.Layout, s.Type)
}

var dataOddities = []oddity{
	{"GSH063", func(d *drawing) where { // the text begins in front of a table
		t := gen.Pick(d.C, gx2gen.Named)
		i, _ := d.RecordOf(t)
		d.retight(0)
		s := &d.f.Shaders[i]
		last := 0
		for n, x := range s.Layout.Tables {
			if x.Count > 0 {
				last = n
			}
		}
		x := s.Layout.Tables[last]
		s.Slack.TextOffset = s.Layout.TablesEnd(s.Type) - // whatever an oddity before made of it
			uint32(gen.Only(d.C, 1+d.C.Below(int(x.Count*gx2gen.Tables[last].Size)), 0))
		return inData(i, x.Offset, int(x.Count*gx2gen.Tables[last].Size), gx2gen.Tables[last].Name)
	}, notCanonical},
	{"GSH063", func(d *drawing) where { // or behind a name
		i, _ := d.RecordOf(gen.Pick(d.C, gx2gen.Named))
		d.retight(0)
		s := &d.f.Shaders[i]
		s.Slack.TextOffset = s.Layout.TablesEnd(s.Type) + uint32(gen.Only(d.C, 1+d.C.Below(4), 0))
		t := slices.IndexFunc(gx2gen.Named, func(t int) bool { return s.Layout.Tables[t].Count > 0 })
		x := s.Layout.Tables[gx2gen.Named[t]]
		return inData(i, x.Offset, int(gx2gen.Tables[gx2gen.Named[t]].Size), gx2gen.RecordPath(&s.Shader, 0)[1:])
	}, notCanonical},
	{"GSH064", func(d *drawing) where {
		i, _ := d.RecordOf(gen.Pick(d.C, gx2gen.Named))
		d.retight(0)
		s := &d.f.Shaders[i]
		slot := len(s.Layout.Names) - 1
		by := uint32(gen.Breach(d.C, 1+d.C.Below(3), 4))
		s.Layout.Names[slot].Offset += by
		s.Layout.Size += 4 // room for the name, and a multiple of 4
		shape(s)
		return func(k *kit) gen.Place { return k.Place(k.Path(i, gx2gen.RecordPath(&s.Shader, slot))) }
	}, notCanonical},
	// A word of padding behind the last name.
	{"GSH070", func(d *drawing) where {
		i, _ := d.RecordOf(gen.Pick(d.C, gx2gen.Named))
		d.retight(0)
		s := &d.f.Shaders[i]
		s.Layout.Size += gen.Only[uint32](d.C, 4, 0)
		shape(s)
		return wholeFile
	}, nil},
	// Names of other tables' records would stand at pointers that no patch can name.
	{"GX2035", func(d *drawing) where {
		t := gen.Pick(d.C, []int{gx2gen.LoopTable, gx2gen.InitialTable})
		i, _ := d.RecordOf(t)
		d.retight(0)
		s := &d.f.Shaders[i]
		end := s.Layout.TablesEnd(s.Type)
		size := s.Layout.Tables[t].Count * gx2gen.Tables[t].Size
		widen(s, end, size+4)
		s.Slack.TextOffset = s.Layout.TablesEnd(s.Type) + size + 4
		s.Layout.Tables[t].Offset = end + uint32(gen.Breach(d.C, 1+d.C.Below(3), 4))
		shape(s)
		return at("shaders[%d].%s.offset", i, gx2gen.Tables[t].Name)
	}, []string{"GSH070", "GSH065"}}, // initial values are odd by themselves
	{"GX2047", func(d *drawing) where {
		i := d.ShaderOf()
		d.retight(0)
		s := &d.f.Shaders[i]
		gap := d.Data(1 + d.C.Below(20))
		gap[0] |= 1
		gap[len(gap)-1] |= 0x80
		gap = gen.Breach(d.C, gap, make(wire.Hex, len(gap)))
		off := s.Layout.Size
		s.Layout.Size += uint32(len(gap)+3) &^ 3
		s.Layout.Gaps = append(s.Layout.Gaps, gx2.Gap{Offset: off, Bytes: gap})
		return inData(i, off, len(gap), "gap")
	}, notCanonical},
	{"GX2048", func(d *drawing) where {
		i, _ := d.RecordOf(gen.Pick(d.C, gx2gen.Named[:3]))
		s := &d.f.Shaders[i].Shader
		for len(gx2gen.Names(s)) < 2 {
			d.AddRecord(s, gen.Pick(d.C, gx2gen.Named[:3]))
		}
		list := gx2gen.Names(s)
		inner, outer := d.Pair(len(list))
		if d.C.Bits(1) != 0 {
			inner, outer = outer, inner
		}
		head := d.Letters(4 * (1 + d.C.Below(3))) // so that the name inside is aligned
		for slices.ContainsFunc(list, func(n *wire.Text) bool { return *n == head+*list[inner] }) {
			head += "____"
		}
		*list[outer] = head + *list[inner]
		d.retight(0)
		s = &d.f.Shaders[i].Shader
		x := s.Layout.Names
		x[inner].Offset = gen.Only(d.C, x[outer].Offset+uint32(len(head)), x[inner].Offset)
		return inData(i, x[inner].Offset, int(x[inner].Count)+1, gx2gen.RecordPath(s, inner)[1:]+".text")
	}, notCanonical},
}
