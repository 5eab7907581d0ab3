package gx2gen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Breach breaks a rule about the structures of shaders against each other. It sets fields of the written file.
type Breach struct {
	Rule   string
	Milder bool // the finding has the rule's other severity
	Spoil  func(h *Holder, f *Fields) gen.Place
}

// flip sets a field to a wrong value, for which only the old one is right.
func (h *Holder) flip(f *Fields, path string, wrong uint32) gen.Place {
	return h.set(f, path, gen.Only(h.C, wrong, f.Get(path)))
}

// set sets a field.
func (h *Holder) set(f *Fields, path string, v uint32) gen.Place {
	f.Set(path, v)
	return f.Place(path)
}

// word returns the path of a register.
func (h *Holder) word(shader, i int) string {
	return h.Path(shader, "."+h.At(shader).Type.RegisterNames()[i])
}

// uniform adds a uniform of known size to a shader, as the last uniform of its block or of the registers.
func (h *Holder) uniform(shader int) int {
	s := h.At(shader)
	h.AddRecord(s, UniformTable)
	s.Layout = nil
	i := len(s.Uniforms) - 1
	u := &s.Uniforms[i]
	u.Type, u.Count = gen.Pick(h.C, []gx2.VarType{4, 9, 10, 11, 21, 29}), uint32(h.C.Below(3))
	for !limited(s, u) {
		h.AddRecord(s, BlockTable)
		u = &s.Uniforms[i]
		u.Block = int32(len(s.Blocks)) - 1
	}
	if u.Block >= 0 { // it may grow
		h.Unshare(s, &s.Blocks[u.Block].Name)
	}
	const room = 64 // of any variable that a fault adds
	if u.Block == gx2.NoBlock && end(s, i)+room > registerWords {
		s.Uniforms = s.Uniforms[i:]
		i = 0
	}
	place(s, i, 0)
	return i
}

// attribute adds an attribute without columns to a vertex shader, and returns the word of the semantic
// that receives it.
func (h *Holder) attribute(shader int) (i, word int) {
	s := h.At(shader)
	for len(s.Attributes) >= semantics.len {
		s.Attributes = s.Attributes[:semantics.len-1]
	}
	h.AddRecord(s, AttributeTable)
	s.Layout = nil
	i = len(s.Attributes) - 1
	s.Attributes[i].Type, s.Attributes[i].Count = 11, 0
	fitSemantics(s)
	return i, semantics.count + 1 + slices.Index(semantics.used(s.Registers), s.Attributes[i].Location)
}

// connectAll gives all vertex and geometry shaders n outputs, the same, and all pixel shaders these as inputs.
func (h *Holder) connectAll(n int) []uint32 {
	ids := h.distinct(n)
	for i := range h.Len() {
		if s := h.At(i); s.Type == gx2.Pixel {
			setInputs(s.Registers, ids, -1)
		} else {
			SetOutputs(s.Registers, s.Type, ids)
		}
	}
	return ids
}

// producer returns a vertex or geometry shader.
func (h *Holder) producer() int { return h.ShaderOf(StreamTypes...) }

// stages returns a vertex and a pixel shader that are used together.
func (h *Holder) stages() (vertex, pixel int) {
	h.ShaderOf(gx2.Pixel)
	h.ShaderOf(gx2.Vertex)
	var lists [len(registerArrays)][]int
	for i := range h.Len() {
		t := h.At(i).Type
		lists[t] = append(lists[t], i)
	}
	k := h.C.Below(min(len(lists[gx2.Vertex]), len(lists[gx2.Pixel])))
	return lists[gx2.Vertex][k], lists[gx2.Pixel][k]
}

// noAttribute returns a semantic that is 0xFF, so that it is of no attribute.
func (h *Holder) noAttribute() (shader, word int, loaded []uint32) {
	shader = h.ShaderOf(gx2.Vertex)
	h.attribute(shader)
	s := h.At(shader)
	for i := range s.Attributes { // so that they are not everywhere
		s.Attributes[i].Count = min(s.Attributes[i].Count, 2)
	}
	fitSemantics(s)
	list := semantics.used(s.Registers)
	k := slices.Index(list, noSemantic)
	if k < 0 {
		for len(list) >= semantics.len {
			s.Attributes = s.Attributes[:len(s.Attributes)-1]
			fitSemantics(s)
			list = semantics.used(s.Registers)
		}
		k = len(list)
		setSemantics(s.Registers, append(slices.Clone(list), noSemantic), noSemantic)
	}
	return shader, semantics.count + 1 + k, semantics.used(s.Registers)
}

// Breaches break GX2050 to GX2069.
var Breaches = []Breach{
	{Rule: "GX2050", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.Mode(gx2.ModeBlock)
		if len(h.At(i).Uniforms) == 0 {
			h.uniform(i)
		}
		j := h.C.Below(len(h.At(i).Uniforms))
		return h.flip(f, h.Path(i, record(UniformTable, j)+".block"), 1<<32-1)
	}},
	{Rule: "GX2051", Spoil: func(h *Holder, f *Fields) gen.Place {
		h.C.OnlyValid()
		i := h.Mode(gx2.ModeRegister)
		s := h.At(i)
		for range 1 + h.C.Below(3) {
			Tables[BlockTable].Add(h.Drawer, s, Fresh(h.Letters(8), Names(s), nameAt))
		}
		s.Layout = nil
		return f.Place(h.Path(i, ".blocks.count"))
	}},
	{Rule: "GX2052", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.withBlocks()
		j := h.uniform(i)
		u := h.At(i).Uniforms[j]
		right := uint64(h.At(i).Blocks[u.Block].Size)/4 - size(u.Type, u.Count)
		return h.set(f, h.Path(i, record(UniformTable, j)+".offset"), uint32(h.C.Wrong(right+1, 1<<32-1, right)))
	}},
	{Rule: "GX2053", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.withBlocks()
		if h.C.Bits(1) != 0 {
			i = h.Mode(gx2.ModeRegister)
			h.At(i).Uniforms = nil
		}
		h.uniform(i)
		j := h.uniform(i)
		s := h.At(i)
		u, v := s.Uniforms[j-1], &s.Uniforms[j]
		v.Block = u.Block
		place(s, j, 0)
		right := uint64(u.Offset) + size(u.Type, u.Count)
		return h.set(f, h.Path(i, record(UniformTable, j)+".offset"),
			uint32(h.C.Wrong(uint64(u.Offset), right-1, right)))
	}},
	{Rule: "GX2054", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.Mode(gx2.ModeRegister)
		j := h.uniform(i)
		u := h.At(i).Uniforms[j]
		right := registerWords - size(u.Type, u.Count)
		return h.set(f, h.Path(i, record(UniformTable, j)+".offset"), uint32(h.C.Wrong(right+1, 1<<32-1, right)))
	}},
	{Rule: "GX2055", Spoil: func(h *Holder, f *Fields) gen.Place {
		t := gen.Pick(h.C, []int{BlockTable, SamplerTable})
		i, _ := h.RecordOf(t)
		if Tables[t].Len(h.At(i)) < 2 {
			h.AddRecord(h.At(i), t)
			h.At(i).Layout = nil
		}
		j, k := h.Drawer.Pair(Tables[t].Len(h.At(i)))
		location := func(n int) string { return h.Path(i, record(t, n)+".location") }
		return h.flip(f, location(k), f.Get(location(j)))
	}},
	// The semantic of the attribute goes, so that it is not one that no attribute has.
	{Rule: "GX2055", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Vertex)
		h.attribute(i)
		j, word := h.attribute(i)
		other := h.C.Below(j)
		h.flip(f, h.word(i, word), noSemantic)
		return h.flip(f, h.Path(i, record(AttributeTable, j)+".location"), h.At(i).Attributes[other].Location)
	}},
	{Rule: "GX2056", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Vertex)
		j, word := h.attribute(i)
		h.flip(f, h.word(i, word), noSemantic)
		return f.Place(h.Path(i, record(AttributeTable, j)+".location"))
	}},
	{Rule: "GX2057", Spoil: func(h *Holder, f *Fields) gen.Place {
		i, word, _ := h.noAttribute()
		v := uint32(h.C.Below(noSemantic))
		for covered(h.At(i), v) {
			v = (v + 1) % noSemantic
		}
		return h.flip(f, h.word(i, word), v)
	}},
	{Rule: "GX2058", Spoil: func(h *Holder, f *Fields) gen.Place {
		i, word, loaded := h.noAttribute()
		list := slices.DeleteFunc(slices.Clone(loaded), func(v uint32) bool { return v == noSemantic })
		wrong := gen.Pick(h.C, list)
		first := semantics.count + 1 + slices.Index(loaded, wrong)
		h.flip(f, h.word(i, word), wrong)
		return f.Place(h.word(i, max(first, word)))
	}},
	{Rule: "GX2058", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.producer()
		t := h.At(i).Type
		ids := h.connectAll(2 + h.C.Below(4))
		for k := range h.Len() {
			if s := h.At(k); s.Type == gx2.Pixel {
				setInputs(s.Registers, nil, -1)
			}
		}
		j, k := h.Drawer.Pair(len(ids))
		word, shift := outputs[t].count+1+k/4, k%4*8
		path := h.word(i, word)
		return h.flip(f, path, f.Get(path)&^(0xFF<<shift)|ids[j]<<shift)
	}},
	{Rule: "GX2058", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		ids := h.connectAll(2 + h.C.Below(20))
		j, k := h.Drawer.Pair(len(ids))
		return h.flip(f, h.word(i, inputs.count+1+k), ids[j])
	}},
	{Rule: "GX2059", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Vertex)
		h.attribute(i)
		right := uint64(h.At(i).Registers[semantics.count]) + 1
		path := h.word(i, resources)
		return h.set(f, path, f.Get(path)&^0xFF|uint32(h.C.Wrong(0, right-1, right)))
	}},
	{Rule: "GX2059", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		right := uint64(len(h.connectAll(1 + h.C.Below(maxOutputs))))
		path := h.word(i, resources)
		return h.set(f, path, f.Get(path)&^0xFF|uint32(h.C.Wrong(0, right-1, right)))
	}},
	{Rule: "GX2060", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.producer()
		right := uint64(len(h.connectAll(2+h.C.Below(maxOutputs-1))) - 1)
		return h.config(f, i, h.C.Wrong(0, right-1, right))
	}},
	{Rule: "GX2060", Milder: true, Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.producer()
		right := uint64(len(h.connectAll(1+h.C.Below(maxOutputs-1))) - 1)
		return h.config(f, i, h.C.Wrong(right+1, maxOutputs-1, right))
	}},
	{Rule: "GX2061", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.producer()
		n := 1 + h.C.Below(3)
		h.connectAll(n)
		path := h.word(i, outputs[h.At(i).Type].count+1)
		shift := 8 * h.C.Below(n) // of the mark, which stood behind the ids
		low := uint32(1<<shift - 1)
		old := f.Get(path)
		return h.flip(f, path, old&low|noSemantic<<shift|old&^low<<8)
	}},
	{Rule: "GX2061", Milder: true, Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.producer()
		h.connectAll(h.C.Below(maxOutputs + 1))
		a := outputs[h.At(i).Type]
		used := int(h.At(i).Registers[a.count])
		return h.flip(f, h.word(i, a.count+1+used+h.C.Below(a.len-used)), 0)
	}},
	{Rule: "GX2062", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		n := uint32(len(h.connectAll(h.C.Below(inputs.len + 1))))
		atLeast(h.At(i).Registers, interpolated)
		path := h.word(i, pixelControl)
		wrong := (n + 1 + uint32(h.C.Below(interpolated))) & interpolated
		return h.flip(f, path, f.Get(path)&^interpolated|wrong)
	}},
	{Rule: "GX2063", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		n := uint64(len(h.connectAll(1 + h.C.Below(inputs.len-1))))
		path := h.word(i, pixelControl)
		at := uint32(h.C.Wrong(n, positionMask>>positionShift, n-1))
		return h.set(f, path, f.Get(path)&^positionMask|positionUsed|at<<positionShift)
	}},
	{Rule: "GX2064", Spoil: func(h *Holder, f *Fields) gen.Place {
		_, i := h.stages()
		ids := h.connectAll(1 + h.C.Below(maxOutputs))
		wrong := uint32(h.C.Below(noSemantic + 1))
		for slices.Contains(ids, wrong) {
			wrong = (wrong + 1) & noSemantic
		}
		return h.flip(f, h.word(i, inputs.count+1+h.C.Below(len(ids))), wrong)
	}},
	{Rule: "GX2065", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		path, shift := h.word(i, pixelMask), 4*h.C.Below(8)
		old := f.Get(path)
		wrong := old &^ (15 << shift)
		if wrong == old {
			wrong |= uint32(h.C.Within(1, 15)) << shift
		}
		return h.flip(f, path, wrong)
	}},
	{Rule: "GX2066", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Pixel)
		path := h.word(i, pixelExports)
		old := f.Get(path)
		wrong := old ^ uint32(h.C.Within(1, 0x1F))
		if colours := wrong >> 1; h.At(i).Registers[pixelTargets] == 0 && wrong&1 == old&1 && colours < 2 {
			wrong ^= 4
		}
		return h.flip(f, path, wrong)
	}},
	{Rule: "GX2067", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf()
		s := h.At(i)
		var list []int
		for k, mask := range registerMasks[s.Type] {
			used := !slices.ContainsFunc(registerArrays[s.Type], func(a registerArray) bool {
				return k > a.count+int(s.Registers[a.count]) && k <= a.count+a.len
			})
			if ^mask != 0 && used {
				list = append(list, k)
			}
		}
		k := gen.Pick(h.C, list)
		path := h.word(i, k)
		f.Write()
		return h.set(f, path, f.Get(path)|uint32(h.C.Flip(uint64(^registerMasks[s.Type][k]))))
	}},
	{Rule: "GX2068", Spoil: func(h *Holder, f *Fields) gen.Place {
		i := h.ShaderOf(gx2.Vertex)
		path := h.word(i, vertexClear)
		usual := uint32(uint64(1<<32-1) << f.Get(h.word(i, semantics.count)))
		wrong := gen.Pick(h.C, []uint32{0, usual << 1, usual>>1 | usual&1, usual ^ 1<<31, uint32(h.C.Bits(32))})
		if wrong == usual || wrong == 1<<32-1 {
			wrong = usual ^ 1<<30
		}
		return h.set(f, path, gen.Breach(h.C, wrong, usual))
	}},
	{Rule: "GX2069", Spoil: func(h *Holder, f *Fields) gen.Place {
		v, p := h.stages()
		i, j := h.uniform(v), h.uniform(p)
		vertex, pixel := h.At(v), h.At(p)
		a, b := &vertex.Uniforms[i], &pixel.Uniforms[j]
		rename(vertex, &a.Name, append(h.others(vertex), vertex)...)
		kinds := [][]gx2.VarType{{1, 2, 3, 4}, {9, 12, 15, 18}, {10, 13, 16, 19}, {11, 14, 17, 20}}
		kind := gen.Pick(h.C, kinds)
		a.Type, a.Count = gen.Pick(h.C, kind), uint32(h.C.Bits(1))
		b.Name, b.Type, b.Count = a.Name, a.Type, a.Count
		place(vertex, i, 0)
		place(pixel, j, 0)
		path := h.Path(p, record(UniformTable, j)+".type")
		if h.C.Bits(1) == 0 {
			h.flip(f, h.Path(p, record(UniformTable, j)+".count"), 1-a.Count)
			return f.Place(path)
		}
		wrong := gen.Pick(h.C, slices.DeleteFunc(slices.Clone(kind), func(t gx2.VarType) bool { return t == a.Type }))
		return h.flip(f, path, uint32(wrong))
	}},
	{Rule: "GX2069", Spoil: func(h *Holder, f *Fields) gen.Place {
		v, p := h.stages()
		vertex, pixel := h.At(v), h.At(p)
		for _, s := range []*gx2.Shader{vertex, pixel} {
			if s.Mode == gx2.ModeRegister {
				h.SetMode(s, gx2.ModeBlock)
			}
		}
		Agree(vertex, pixel)
		h.AddRecord(vertex, BlockTable)
		h.AddRecord(pixel, BlockTable)
		vertex.Layout, pixel.Layout = nil, nil
		a, b := &vertex.Blocks[len(vertex.Blocks)-1], &pixel.Blocks[len(pixel.Blocks)-1]
		rename(vertex, &a.Name, append(h.others(vertex), vertex)...)
		a.Size = uint32(h.C.Bits(16))
		b.Name, b.Size = a.Name, a.Size
		path := h.Path(p, record(BlockTable, len(pixel.Blocks)-1)+".size")
		return h.set(f, path, uint32(h.C.Wrong(uint64(a.Size)+1, 1<<32-1, uint64(a.Size))))
	}},
}

// config sets VS_EXPORT_COUNT.
func (h *Holder) config(f *Fields, shader int, count uint64) gen.Place {
	path := h.word(shader, outputConfig[h.At(shader).Type])
	return h.set(f, path, f.Get(path)&^countMask|uint32(count)<<countShift)
}

func nameAt[T ~string](n *T) T { return *n }
