package sharcfbgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// shaderWith draws a shader binary of one of the given types.
func shaderWith(types ...gx2.Type) func(k *kit) string {
	return func(k *kit) string { return fmt.Sprintf("binaries[%d]", k.ShaderOf(types...)) }
}

var (
	aGeometry = shaderWith(gx2.Geometry)
)

// structureSize is the size of the structure of a shader.
func structureSize(k *kit, binary string) int { return int(gx2.Type(k.Get(binary + ".type")).Size()) }

// rest returns the limit of a size when another field takes its part of the data.
func rest(field string) limit {
	return func(k *kit, binary string) int { return int(k.Get(binary+".data_size") - k.Get(binary+"."+field)) }
}

var shaderFields = slices.Concat([]wrongField{
	{"GX2010", aBinary, "code_size", within(0, 0), nil},
	{"GX2010", aBinary, "code_size", above(rest("program")), pairOf("code_size")},
	{"GX2010", aBinary, "program", below(structureSize), nil},
	{"GX2010", aBinary, "program", above(rest("code_size")), pairOf("code_size")},
	{"GX2014", aGeometry, "copy_size", within(0, 0), nil},
	{"GX2014", aGeometry, "copy_size", over(rest("copy_program")), pairOf("copy_size")},
	{"GX2014", aGeometry, "copy_program", below(structureSize), nil},
	{"GX2014", aGeometry, "copy_program", over(rest("copy_size")), pairOf("copy_size")},
}, wrongWords())

// wrongWords are the wrong words of any shader.
func wrongWords() (list []wrongField) {
	for _, w := range gx2gen.WrongWords {
		list = append(list, wrongField{w.Rule, shaderWith(w.Types...), w.Field,
			func(k *kit, _ string, _ uint32) uint32 { return w.Draw(k.C) }, nil})
	}
	return list
}

var shaderBreaches = []breach{
	{"GX2001", func(k *kit) gen.Place {
		i := k.ShaderOf()
		kept, ok := k.shorter(i, codeAlign)
		if !ok || k.C.Bits(1) != 0 {
			i = len(k.f.Binaries) - 1
			kept, _ = k.shorter(i, 1)
		}
		binary := fmt.Sprintf("binaries[%d]", i)
		data, size := k.Off(binary+".data_size")+4, int(k.Get(binary+".data_size"))
		kept = gen.Only(k.C, kept, size)
		k.Set(binary+".data_size", uint32(kept))
		k.splice(binary, data+kept, size-kept)
		return gen.Place{Off: data, Len: kept, Path: binary}
	}, nil},
	misaligned("GX2013", stageTypes, "program", "code_size",
		func(k *kit, s *gx2.Shader, n int) { s.Code = k.Data(n + 8*(1+k.C.Below(4))) }),
	misaligned("GX2014", []gx2.Type{gx2.Geometry}, "copy_program", "copy_size",
		func(k *kit, s *gx2.Shader, n int) { s.CopyCode = k.Data(n + 1 + k.C.Below(20)) }),
	{"GX2034", func(k *kit) gen.Place {
		values := aBinary(k) + ".initial_values."
		k.Set(values+"count", uint32(k.C.Nonzero(math.MaxUint32)))
		k.Set(values+"offset", 4*uint32(k.C.Nonzero(maxWords)))
		return k.Place(values + "count")
	}, nil},
	// A name without NUL up to the end of the data.
	{"GX2040", func(k *kit) gen.Place {
		k.C.OnlyValid()
		record := k.NamedPath()
		shader := parent(parent(record))
		end := k.Off(shader+".data_size") + 4 + int(k.Get(shader+".data_size"))
		n := k.C.Below(8)
		for i := range n + 1 {
			k.Bytes[end-1-i] |= 1
		}
		k.Set(record+".name", k.Get(shader+".data_size")-1-uint32(n))
		return k.Place(record + ".name")
	}, nil},
	{"GX2049", func(k *kit) gen.Place {
		i := k.SameNames(&k.Fields, func(s *gx2.Shader) int { return 2000 + len(s.Code) + len(s.CopyCode) },
			func(i int) int { return int(k.Get(k.Path(i, ".data_size"))) })
		size := k.Path(i, ".data_size")
		return gen.Place{Off: k.Off(size) + 4, Len: int(k.Get(size)), Path: k.Path(i, "")}
	}, nil},
	{"GX2033", func(k *kit) gen.Place {
		k.C.OnlyValid()
		k.makeLittle()
		i, stray := k.stray()
		k.Write()
		k.lay(i, stray)
		at := k.firstStray(i)(k)
		k.rewrite()
		return at
	}, nil},
}

// shorter draws a size of a shader's data that is smaller than its structure. It moves the bytes behind the data by a
// multiple of step, because code has to stay aligned.
func (k *kit) shorter(i, step int) (size int, ok bool) {
	binary := fmt.Sprintf("binaries[%d]", i)
	most := structureSize(k, binary) - 1
	least := int(k.Get(binary+".data_size")) % step
	if most < least {
		return 0, false
	}
	return least + step*int(k.C.Within(0, uint64((most-least)/step))), true
}

// misaligned moves the start of code, but not its end.
func misaligned(rule string, types []gx2.Type, program, size string,
	setCode func(k *kit, s *gx2.Shader, n int)) breach {
	return breach{rule, func(k *kit) gen.Place {
		i := k.ShaderOf(types...)
		n := int(k.C.Wrong(1, codeAlign-1, codeAlign))
		setCode(k, &k.f.Binaries[i].Shader, n)
		binary := fmt.Sprintf("binaries[%d].", i)
		k.add(binary+program, uint32(n))
		k.add(binary+size, uint32(-n))
		return k.Place(binary + program)
	}, nil}
}

// makeLittle makes the archive a little-endian one, which has no loop variables.
func (d *drawing) makeLittle() {
	d.f.Endian = sharcfb.Little
	for i := range d.f.Binaries {
		d.f.Binaries[i].Loops = nil
		d.f.Binaries[i].Layout = nil // tables need not follow the structure in big endian
	}
}

// tableAt returns the description of a table.
func tableAt(path string) gx2gen.Table {
	return gx2gen.Tables[slices.IndexFunc(gx2gen.Tables[:],
		func(t gx2gen.Table) bool { return t.Name == path[len(parent(path))+1:] })]
}

// anEmptyTable draws a table without records.
func anEmptyTable(k *kit) string { return k.EmptyTablePath() }

// words draws from a range in words of four bytes: an offset that is aligned.
func words(limits func(k *kit, element string) (low, high int)) func(*kit, string, uint32) uint32 {
	return func(k *kit, element string, old uint32) uint32 {
		low, high := limits(k, element)
		return gen.Only(k.C, 4*uint32(k.C.Within(uint64(low), uint64(high))), old)
	}
}

const maxWords = math.MaxUint32 / 4

var tableFields = []wrongField{
	{"GX2030", (*kit).TablePath, "offset", within(0, 0), pairOf("count")},
	{"GX2030", anEmptyTable, "count", within(1, math.MaxUint32), pairOf("count")},
	{"GX2030", anEmptyTable, "offset", words(func(*kit, string) (int, int) { return 1, maxWords }), pairOf("count")},
	{"GX2031", (*kit).TablePath, "count", above(func(k *kit, table string) int {
		return int((k.Get(parent(table)+".data_size") - k.Get(table+".offset")) / tableAt(table).Size)
	}), pairOf("count")},
	{"GX2031", (*kit).TablePath, "offset", words(func(k *kit, table string) (int, int) {
		return 1, structureSize(k, parent(table))/4 - 1
	}), nil},
	{"GX2031", (*kit).TablePath, "offset", words(func(k *kit, table string) (int, int) {
		return int(k.Get(parent(table)+".data_size")-k.Get(table+".count")*tableAt(table).Size)/4 + 1, maxWords
	}), pairOf("count")},
	{"GX2040", (*kit).NamedPath, "name",
		below(func(k *kit, record string) int { return structureSize(k, parent(parent(record))) }), nil},
	{"GX2040", (*kit).NamedPath, "name", above(func(k *kit, record string) int {
		return int(k.Get(parent(parent(record))+".data_size")) - 1
	}), nil},
}
