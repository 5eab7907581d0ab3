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

// nullPatch picks the null word at the end of a patch list in style N, of a shader that has a name.
func nullPatch(k *kit) string {
	i, _ := k.RecordOf(gen.Pick(k.C, gx2gen.Named))
	k.f.Style = gsh.StyleN
	k.Write()
	return fmt.Sprintf("shaders[%d].patches[%d]", i, len(k.f.Shaders[i].Slack.Patches)-1)
}

// shaderAt returns the shader that a path begins with.
func (k *kit) shaderAt(path string) *gsh.Shader {
	var i int
	fmt.Sscanf(path, "shaders[%d]", &i)
	return &k.f.Shaders[i]
}

// size returns the size of the data of the shader that a path begins with.
func (k *kit) size(path string) uint64 { return uint64(k.shaderAt(path).Layout.Size) }

// patch is the fault of the null word of a patch list.
func patch(rule string, value func(k *kit, s *gsh.Shader) uint32) gen.Fault {
	return fault(rule, func(k *kit) gen.Place {
		path := nullPatch(k)
		k.Set(path, gen.Only(k.C, value(k, k.shaderAt(path)), 0))
		return k.Place(path)
	})
}

// anyTag draws one of the tags of patches.
func (k *kit) anyTag() uint32 { return gen.Pick(k.C, []uint32{dataTag, nameTag}) }

// patchFaults break GSH053 to GSH056.
var patchFaults = []gen.Fault{
	patch("GSH053", func(k *kit, _ *gsh.Shader) uint32 {
		return anotherTag(k.C, 0, dataTag, nameTag) | 4*uint32(k.C.Below(100))
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
		t := gen.Pick(k.C, gx2gen.Named)
		i, j := k.RecordOf(t)
		k.Write()
		pointer := fmt.Sprintf("shaders[%d].%s[%d].name", i, gx2gen.Tables[t].Name, j)
		if k.C.Bits(1) == 0 {
			pointer = fmt.Sprintf("shaders[%d].%s.offset", i, gx2gen.Tables[t].Name)
		}
		off := uint32(k.Off(pointer) - k.data(k.header(i)).Off)
		n := slices.IndexFunc(k.f.Shaders[i].Slack.Patches, func(w uint32) bool { return w != 0 && w&offsets == off })
		k.spoil(fmt.Sprintf("shaders[%d].patches[%d]", i, n), gen.OneOf(0))
		return k.Place(pointer)
	}),
}

// shaderWith draws a shader of one of the given types.
func shaderWith(types ...gx2.Type) func(k *kit) string {
	return func(k *kit) string { return fmt.Sprintf("shaders[%d]", k.ShaderOf(types...)) }
}

var (
	aShader   = shaderWith()
	aGeometry = shaderWith(gx2.Geometry)
)

// shaderFaults break the rules about the structure, whatever its tables hold.
func shaderFaults() (list []gen.Fault) {
	for _, w := range gx2gen.WrongWords {
		f := fault(w.Rule, func(k *kit) gen.Place {
			path := shaderWith(w.Types...)(k) + "." + w.Field
			k.Write()
			return k.Break(k.C, k.Field(path), w.Wrong, w.Right)
		})
		switch w.Rule {
		case "GX2020":
			f.MissBreaks = []string{"GX2021"} // the other shader has another mode
		case "GX2002":
			f.MissBreaks = gx2gen.FullArrays
		}
		list = append(list, f)
	}
	otherSize := func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		return d.Number(r) ^ 8*c.Within(1, math.MaxUint32/8)
	}
	// With no size the block is longer than that.
	return append(list,
		wrong("GX2010", aShader, "code_size", gen.OneOf(0), "GSH062"),
		wrong("GX2014", aGeometry, "copy_size", gen.OneOf(0), "GSH062"),
		wrong("GSH061", aShader, "program", gen.Between(1, math.MaxUint32)),
		wrong("GSH061", aGeometry, "copy_program", gen.Between(1, math.MaxUint32)),
		wrong("GSH062", aShader, "code_size", otherSize, "GX2010"), // it may become 0
		wrong("GSH062", aGeometry, "copy_size", otherSize, "GX2014"),
	)
}

// anEmptyTable draws a table without records, twice as often initial values, which no file has.
func anEmptyTable(k *kit) string { return k.EmptyTablePath(gx2gen.Tables[gx2gen.InitialTable].Name) }

// recordSize is the size of the records of the table at a path.
func recordSize(path string) uint64 {
	i := slices.IndexFunc(gx2gen.Tables[:], func(t gx2gen.Table) bool { return strings.HasSuffix(path, "."+t.Name) })
	return uint64(gx2gen.Tables[i].Size)
}

// tableFaults break the rules about tables and names.
var tableFaults = []gen.Fault{
	wrong("GSH060", (*kit).TablePath, "offset", otherTag(dataTag)),
	wrong("GSH060", (*kit).NamedPath, "name", otherTag(nameTag)),
	wrongIn("GSH060", (*kit).NamedPath, "name", func(k *kit, record string) gen.Value {
		return gen.OneOf(dataTag | uint64(k.Get(record+".name")&offsets))
	}),
	ofPair(wrong("GX2030", (*kit).TablePath, "offset", gen.OneOf(0))),
	ofPair(wrong("GX2030", anEmptyTable, "count", gen.Between(1, math.MaxUint32))),
	ofPair(wrong("GX2030", anEmptyTable, "offset", gen.Between(1, math.MaxUint32/4).Times(4))),
	ofPair(wrongIn("GX2031", (*kit).TablePath, "count", func(k *kit, table string) gen.Value {
		return gen.Above((k.size(table) - uint64(k.Get(table+".offset")&offsets)) / recordSize(table))
	})),
	wrongIn("GX2031", (*kit).TablePath, "offset", func(k *kit, table string) gen.Value {
		return gen.Between(dataTag/4, (dataTag+k.structure(table))/4-1).Times(4)
	}),
	ofPair(wrongIn("GX2031", (*kit).TablePath, "offset", func(k *kit, table string) gen.Value {
		last := k.size(table) - uint64(k.Get(table+".count"))*recordSize(table)
		return gen.Between((dataTag+last)/4+1, (dataTag+offsets)/4).Times(4)
	})),
	wrongIn("GX2040", (*kit).NamedPath, "name", inStructure(nameTag)),
	wrongIn("GX2040", (*kit).NamedPath, "name", func(k *kit, record string) gen.Value {
		return gen.Between(nameTag+k.size(record), nameTag+offsets)
	}),
	// A name without NUL up to the end of the data.
	fault("GX2040", func(k *kit) gen.Place {
		i, _ := k.RecordOf(gen.Pick(k.C, gx2gen.Named))
		k.Write()
		s := &k.f.Shaders[i]
		slot := len(s.Layout.Names) - 1
		x := s.Layout.Names[slot]
		data := k.data(k.header(i)).Off
		for n := data + int(x.Offset+x.Count); n < data+int(s.Layout.Size)-gen.Breach(k.C, 0, 1); n++ {
			k.Bytes[n] = 'x'
		}
		return k.Place(k.Path(i, gx2gen.RecordPath(&s.Shader, slot)+".name"))
	}),
	// Two tables at the same place.
	fault("GX2032", func(k *kit) gen.Place { return k.SamePlace(&k.Fields) }),
	// A name inside its own record: the low byte of the last word, and the NUL behind.
	fault("GX2032", func(k *kit) gen.Place {
		i, _ := k.RecordOf(gx2gen.BlockTable)
		s := &k.f.Shaders[i].Shader
		k.Unshare(s, &s.Blocks[0].Name)
		b := &s.Blocks[0]
		b.Location, b.Size = 1+uint32(k.C.Below(15)), uint32(k.C.Bits(24))
		for slices.ContainsFunc(s.Blocks[1:], func(o gx2.UniformBlock) bool { return o.Location == b.Location }) {
			b.Location = 1 + b.Location%15
		}
		record := fmt.Sprintf("shaders[%d].blocks[0]", i)
		off := k.Off(record+".location") + 3
		k.spoil(record+".name", gen.OneOf(nameTag|uint64(off-k.data(k.header(i)).Off)))
		return gen.Place{Off: off, Len: 2, Path: record + ".text"}
	}),
	// An empty name that is the last byte of a table.
	fault("GX2032", func(k *kit) gen.Place {
		i, _ := k.RecordOf(gx2gen.BlockTable)
		s := &k.f.Shaders[i].Shader
		last := len(s.Blocks) - 1
		k.Unshare(s, &s.Blocks[last].Name)
		// The block would grow if it were too small for its uniforms, and its last byte would not be 0.
		s.Blocks[last].Size = 1<<31 | uint32(k.C.Bits(23))<<8
		record := fmt.Sprintf("shaders[%d].blocks[%d]", i, last)
		off := k.Off(record+".size") + 3
		k.spoil(record+".name", gen.OneOf(nameTag|uint64(off-k.data(k.header(i)).Off)))
		return gen.Place{Off: off, Len: 1, Path: record + ".text"}
	}, "GX2046"),
	gen.MissBreaking(fault("GX2049", func(k *kit) gen.Place {
		i := k.SameNames(&k.Fields, func(*gx2.Shader) int { return 2000 },
			func(i int) int { return int(k.f.Shaders[i].Layout.Size) })
		at := k.data(k.header(i))
		return gen.Place{Off: at.Off, Len: int(k.f.Shaders[i].Layout.Size), Path: k.Path(i, "")}
	}), "GX2046", "GX2047", "GSH070"), // one name is used by many, others by none
}
