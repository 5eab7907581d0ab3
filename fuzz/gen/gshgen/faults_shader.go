package gshgen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// nullPatch draws the last word of a patch list in style N, which is null, of a shader
// that has a name.
func nullPatch(k *kit) string {
	i, _ := k.recordOf(gen.Pick(k.C, named))
	k.f.Style = gsh.StyleN
	k.write()
	return fmt.Sprintf("shaders[%d].patches[%d]", i, len(k.f.Shaders[i].Slack.Patches)-1)
}

// shaderAt returns the shader that a path begins with.
func (k *kit) shaderAt(path string) *gsh.Shader {
	var i int
	fmt.Sscanf(path, "shaders[%d]", &i)
	return &k.f.Shaders[i]
}

// patch is the fault of the null word of a patch list.
func patch(rule string, value func(k *kit, s *gsh.Shader) uint32) gen.Fault {
	return fault(rule, func(k *kit) gen.Place {
		path := nullPatch(k)
		k.set(path, value(k, k.shaderAt(path)))
		return k.place(path)
	})
}

// anyTag draws one of the tags of patches.
func (k *kit) anyTag() uint32 { return gen.Pick(k.C, []uint32{dataTag, nameTag}) }

// patchFaults break GSH053 to GSH056.
var patchFaults = []gen.Fault{
	patch("GSH053", func(k *kit, _ *gsh.Shader) uint32 {
		return otherTag(0, dataTag, nameTag)(k, "", 4*uint32(k.C.Below(100)))
	}),
	patch("GSH054", func(k *kit, s *gsh.Shader) uint32 {
		return k.anyTag() | 4*uint32(k.C.Within(uint64(s.Layout.Size/4), offsets/4))
	}),
	patch("GSH054", func(k *kit, s *gsh.Shader) uint32 {
		return k.anyTag() | 4*uint32(k.C.Below(int(s.Layout.Size/4))) | uint32(1+k.C.Below(3))
	}),
	patch("GSH055", func(k *kit, s *gsh.Shader) uint32 {
		tag := k.anyTag()
		off := 4 * uint32(k.C.Below(int(s.Layout.Size/4)))
		for slices.Contains(s.Slack.Patches, dataTag|off) {
			off -= 4 // no pointer stands at the start of a shader
		}
		return tag | off
	}),
	patch("GSH056", func(k *kit, s *gsh.Shader) uint32 {
		for _, w := range s.Slack.Patches {
			if w != 0 && k.C.Bits(1) == 0 {
				return k.anyTag() | w&offsets
			}
		}
		return slices.Max(s.Slack.Patches)
	}),
	// A pointer that the list does not name.
	fault("GSH056", func(k *kit) gen.Place {
		t := gen.Pick(k.C, named)
		i, j := k.recordOf(t)
		k.write()
		pointer := fmt.Sprintf("shaders[%d].%s[%d].name", i, gx2gen.Tables[t].Name, j)
		if k.C.Bits(1) == 0 {
			pointer = fmt.Sprintf("shaders[%d].%s.offset", i, gx2gen.Tables[t].Name)
		}
		off := uint32(k.off(pointer) - k.data(k.header(i)).Off)
		n := slices.IndexFunc(k.f.Shaders[i].Slack.Patches, func(w uint32) bool { return w != 0 && w&offsets == off })
		k.set(fmt.Sprintf("shaders[%d].patches[%d]", i, n), 0)
		return k.place(pointer)
	}),
}

// shaderWith draws a shader of one of the given types.
func shaderWith(types ...gx2.Type) func(k *kit) string {
	return func(k *kit) string { return fmt.Sprintf("shaders[%d]", k.shaderOf(types...)) }
}

var (
	aShader   = shaderWith()
	aGeometry = shaderWith(gx2.Geometry)
)

// shaderFaults break the rules about the structure, whatever its tables hold.
func shaderFaults() (list []gen.Fault) {
	for _, w := range gx2gen.WrongWords {
		f := wrong(w.Rule, shaderWith(w.Types...), w.Field, from(w.Low, w.High))
		if w.Rule == "GX2020" {
			f.Instead = []string{"GX2021"} // the other shader has another mode
		}
		list = append(list, f)
	}
	otherSize := func(k *kit, _ string, old uint32) uint32 { return old ^ 8*uint32(k.C.Within(1, math.MaxUint32/8)) }
	// With no size the block is longer than that.
	return append(list,
		wrong("GX2010", aShader, "code_size", within(0, 0), "GSH062"),
		wrong("GX2014", aGeometry, "copy_size", within(0, 0), "GSH062"),
		wrong("GSH061", aShader, "program", within(1, math.MaxUint32)),
		wrong("GSH061", aGeometry, "copy_program", within(1, math.MaxUint32)),
		wrong("GSH062", aShader, "code_size", otherSize, "GX2010"), // it may become 0
		wrong("GSH062", aGeometry, "copy_size", otherSize, "GX2014"),
	)
}

// aTable draws a table with records.
func aTable(k *kit) string {
	t := gen.Pick(k.C, append([]int{gx2gen.LoopTable}, named...))
	i, _ := k.recordOf(t)
	return fmt.Sprintf("shaders[%d].%s", i, gx2gen.Tables[t].Name)
}

// anEmptyTable draws a table without records.
func anEmptyTable(k *kit) string {
	i := k.shaderOf()
	s := &k.f.Shaders[i].Shader
	empty := []string{gx2gen.Tables[gx2gen.InitialTable].Name}
	for t := range gx2gen.Tables {
		if gx2gen.Tables[t].Len(s) == 0 && (t != gx2gen.AttributeTable || s.Type == gx2.Vertex) {
			empty = append(empty, gx2gen.Tables[t].Name)
		}
	}
	return fmt.Sprintf("shaders[%d].%s", i, gen.Pick(k.C, empty))
}

// aNamed draws a record that has a name.
func aNamed(k *kit) string {
	t := gen.Pick(k.C, named)
	i, j := k.recordOf(t)
	return fmt.Sprintf("shaders[%d].%s[%d]", i, gx2gen.Tables[t].Name, j)
}

// recordSize is the size of the records of the table at a path.
func recordSize(path string) uint64 {
	i := slices.IndexFunc(gx2gen.Tables[:], func(t gx2gen.Table) bool { return strings.HasSuffix(path, "."+t.Name) })
	return uint64(gx2gen.Tables[i].Size)
}

// tableFaults break the rules about tables and names.
var tableFaults = []gen.Fault{
	wrong("GSH060", aTable, "offset", otherTag(dataTag)),
	wrong("GSH060", aNamed, "name", otherTag(nameTag)),
	wrong("GSH060", aNamed, "name", func(_ *kit, _ string, old uint32) uint32 { return dataTag | old&offsets }),
	wrongPair("GX2030", aTable, "offset", within(0, 0)),
	wrongPair("GX2030", anEmptyTable, "count", within(1, math.MaxUint32)),
	wrongPair("GX2030", anEmptyTable, "offset",
		func(k *kit, _ string, _ uint32) uint32 { return 4 * uint32(k.C.Within(1, math.MaxUint32/4)) }),
	wrongPair("GX2031", aTable, "count", func(k *kit, table string, old uint32) uint32 {
		room := uint64(k.shaderAt(table).Layout.Size-k.get(table+".offset")&offsets) / recordSize(table)
		return uint32(k.C.Within(room+1, math.MaxUint32))
	}),
	wrong("GX2031", aTable, "offset", func(k *kit, table string, _ uint32) uint32 {
		return dataTag | 4*uint32(k.C.Within(0, k.structure(table)/4-1))
	}),
	wrongPair("GX2031", aTable, "offset", func(k *kit, table string, _ uint32) uint32 {
		size := uint64(k.shaderAt(table).Layout.Size) - uint64(k.get(table+".count"))*recordSize(table)
		return dataTag | 4*uint32(k.C.Within(size/4+1, offsets/4))
	}),
	wrong("GX2040", aNamed, "name", func(k *kit, record string, _ uint32) uint32 {
		return nameTag | uint32(k.C.Within(0, k.structure(record)-1))
	}),
	wrong("GX2040", aNamed, "name", func(k *kit, record string, _ uint32) uint32 {
		return nameTag | uint32(k.C.Within(uint64(k.shaderAt(record).Layout.Size), offsets))
	}),
	// A name without NUL up to the end of the data.
	fault("GX2040", func(k *kit) gen.Place {
		i, _ := k.recordOf(gen.Pick(k.C, named))
		k.write()
		s := &k.f.Shaders[i]
		slot := len(s.Layout.Names) - 1
		x := s.Layout.Names[slot]
		data := k.data(k.header(i)).Off
		for n := data + int(x.Offset+x.Count); n < data+int(s.Layout.Size); n++ {
			k.Bytes[n] = 'x'
		}
		return k.place(fmt.Sprintf("shaders[%d].%s.name", i, nameOf(&s.Shader, slot)))
	}),
	// Two tables at the same place. The records of one make sense in the other.
	fault("GX2032", func(k *kit) gen.Place {
		i, _ := k.recordOf(gx2gen.SamplerTable)
		s := &k.f.Shaders[i].Shader
		for len(s.Blocks) < len(s.Samplers) {
			k.AddRecord(s, gx2gen.BlockTable)
		}
		for len(s.Samplers) < len(s.Blocks) {
			k.AddRecord(s, gx2gen.SamplerTable)
		}
		shader := fmt.Sprintf("shaders[%d].", i)
		k.set(shader+"blocks.offset", k.get(shader+"samplers.offset"))
		return k.place(shader + "samplers")
	}),
	// A name inside its own record: the low byte of the last word, and the NUL behind.
	fault("GX2032", func(k *kit) gen.Place {
		i, _ := k.recordOf(gx2gen.BlockTable)
		s := &k.f.Shaders[i].Shader
		s.Blocks[0].Location, s.Blocks[0].Size = 1+uint32(k.C.Below(15)), uint32(k.C.Bits(24))
		record := fmt.Sprintf("shaders[%d].blocks[0]", i)
		off := k.off(record+".location") + 3
		k.set(record+".name", nameTag|uint32(off-k.data(k.header(i)).Off))
		return gen.Place{Off: off, Len: 2, Path: record + ".text"}
	}),
	// An empty name that is the last byte of a table.
	fault("GX2032", func(k *kit) gen.Place {
		i, _ := k.recordOf(gx2gen.BlockTable)
		s := &k.f.Shaders[i].Shader
		last := len(s.Blocks) - 1
		s.Blocks[last].Size = uint32(k.C.Bits(24)) << 8
		record := fmt.Sprintf("shaders[%d].blocks[%d]", i, last)
		off := k.off(record+".size") + 3
		k.set(record+".name", nameTag|uint32(off-k.data(k.header(i)).Off))
		return gen.Place{Off: off, Len: 1, Path: record + ".text"}
	}, "GX2046"),
	// All blocks of a shader have one long name; those that they had are unused.
	fault("GX2049", func(k *kit) gen.Place {
		const blocks, long = 40, 2000
		i, _ := k.recordOf(gx2gen.BlockTable)
		s := &k.f.Shaders[i].Shader
		for len(s.Blocks) < blocks {
			k.AddRecord(s, gx2gen.BlockTable)
		}
		s.Blocks[0].Name = k.Letters(long)
		name := func(j int) string { return fmt.Sprintf("shaders[%d].blocks[%d].name", i, j) }
		for j := range s.Blocks {
			k.set(name(j), k.get(name(0)))
		}
		at := k.data(k.header(i))
		return gen.Place{Off: at.Off, Len: int(k.f.Shaders[i].Layout.Size), Path: fmt.Sprintf("shaders[%d]", i)}
	}),
}
