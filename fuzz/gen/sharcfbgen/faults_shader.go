package sharcfbgen

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// structureSize returns the size of the structure of a shader.
func structureSize(d *gen.Draft, binary string) int {
	return int(gx2.Type(d.Get(binary + ".type")).Size())
}

// structure returns the size of the structure of the shader that has the field.
func structure(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return uint64(structureSize(d, binaryOf(r.Path)))
}

// binaryOf returns the shader binary that a path begins with.
func binaryOf(path string) string { return path[:strings.IndexByte(path, ']')+1] }

// rest returns what other fields of the same record, and so many bytes, leave of a size.
func rest(size string, bytes uint64, others ...string) gen.Value {
	return func(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		n := d.Number(d.Sibling(r, size)) - bytes
		for _, other := range others {
			n -= d.Number(d.Sibling(r, other))
		}
		return n
	}
}

var shaderFields = slices.Concat([]wrongField{
	{"GX2010", aBinary, "code_size", gen.OneOf(0), nil, nil},
	{"GX2010", aBinary, "code_size", gen.Beyond(dataBehind("program")), nil, pairOf("code_size")},
	{"GX2010", aBinary, "program", gen.Below(structure), nil, nil},
	{"GX2010", aBinary, "program", gen.Beyond(dataBehind("code_size")), nil, pairOf("code_size")},
	{"GX2014", aGeometry, "copy_size", gen.OneOf(0), nil, nil},
	{"GX2014", aGeometry, "copy_size", gen.Beyond(dataBehind("copy_program")), dataBehind("copy_program"),
		pairOf("copy_size")},
	{"GX2014", aGeometry, "copy_program", gen.Below(structure), nil, nil},
	{"GX2014", aGeometry, "copy_program", gen.Beyond(dataBehind("copy_size")), dataBehind("copy_size"),
		pairOf("copy_size")},
}, wrongWords())

// dataBehind returns the size of the data of a shader without what another field says.
func dataBehind(other string) gen.Value { return rest("data_size", 0, other) }

// wrongWords are the wrong words of any shader.
func wrongWords() (list []wrongField) {
	for _, w := range gx2gen.WrongWords {
		list = append(list, wrongField{w.Rule, shaderWith(w.Types...), w.Field, w.Wrong, w.Right, nil})
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
	k.Write()
	binary := fmt.Sprintf("binaries[%d]", i)
	most := structureSize(k.Draft, binary) - 1
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

const maxWords = math.MaxUint32 / 4

var tableFields = []wrongField{
	{"GX2030", (*kit).TablePath, "offset", gen.OneOf(0), nil, pairOf("count")},
	{"GX2030", anEmptyTable, "count", gen.Between(1, math.MaxUint32), nil, pairOf("count")},
	{"GX2030", anEmptyTable, "offset", gen.Between(1, maxWords).Times(4), nil, pairOf("count")},
	{"GX2031", (*kit).TablePath, "count", gen.Beyond(mostEntries), nil, pairOf("count")},
	{"GX2031", (*kit).TablePath, "offset", inStructure, nil, nil},
	{"GX2031", (*kit).TablePath, "offset", tableOutside, nil, pairOf("count")},
	{"GX2040", (*kit).NamedPath, "name", gen.Below(structure), nil, nil},
	{"GX2040", (*kit).NamedPath, "name", gen.Beyond(lastByte), nil, nil},
}

// mostEntries returns how many records of a table fit into the data of its shader.
func mostEntries(_ *gen.Choices, d *gen.Draft, count gen.Place) uint64 {
	table := parent(count.Path)
	return (d.Get(binaryOf(table)+".data_size") - d.Get(table+".offset")) / uint64(tableAt(table).Size)
}

// inStructure draws an offset in the structure of a shader, a multiple of 4.
func inStructure(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return 4 * c.Within(1, structure(c, d, r)/4-1)
}

// tableOutside draws an offset of a table, a multiple of 4, with which the table ends behind the data.
func tableOutside(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	size := d.Number(d.Sibling(r, "count")) * uint64(tableAt(parent(r.Path)).Size)
	return 4 * c.Within((d.Get(binaryOf(r.Path)+".data_size")-size)/4+1, maxWords)
}

// lastByte returns the offset of the last byte of the data of a shader.
func lastByte(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return d.Get(binaryOf(r.Path)+".data_size") - 1
}
