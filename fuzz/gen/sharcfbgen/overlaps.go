package sharcfbgen

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// overlaps break GX2032: two parts share bytes, and the finding is about the second.
var overlaps = []breach{
	// A name inside a table: the low byte of one word and the high byte of the next.
	{"GX2032", func(k *kit) gen.Place {
		t := gen.Pick(k.C, swapped)
		i, j := k.RecordOf(t)
		data := k.Off(fmt.Sprintf("binaries[%d].data_size", i)) + 4
		record := fmt.Sprintf("binaries[%d].%s[%d].", i, gx2gen.Tables[t].Name, j)
		fields := secondWords[t]
		k.Set(record+fields[0], gen.Pick(k.C, []uint32{1, 3, 4}))
		k.Set(record+fields[1], uint32(k.C.Bits(4)))
		off := k.Off(record + fields[0])
		off += bytes.IndexFunc(k.Bytes[off:], func(r rune) bool { return r != 0 })
		k.Set(record+"name", uint32(off-data))
		return gen.Place{Off: off, Len: 2, Path: record + "text"}
	}, nil},
	// Loop variables inside code.
	{"GX2032", func(k *kit) gen.Place {
		i, _ := k.RecordOf(gx2gen.LoopTable)
		s := &k.f.Binaries[i].Shader
		for len(s.Code) < 8*len(s.Loops) {
			s.Code = append(s.Code, k.Data(8)...)
		}
		at := k.C.Below(len(s.Code) - 8*len(s.Loops) + 1)
		for j, v := range s.Loops {
			copy(s.Code[at+8*j:], v[:])
		}
		shader := fmt.Sprintf("binaries[%d].", i)
		k.Set(shader+"loops.offset", k.Get(shader+"program")+uint32(at))
		if at == 0 { // of two parts at one offset
			return k.Place(shader + "code")
		}
		return gen.Place{Off: k.Off(shader+"code") + at, Len: 8 * len(s.Loops), Path: shader + "loops"}
	}, nil},
	// Two tables at the same place.
	{"GX2032", func(k *kit) gen.Place { return k.SamePlace(&k.Fields) }, nil},
	// Code that begins inside the last name.
	{"GX2032", func(k *kit) gen.Place {
		i, name := k.lastName()
		*name += "_" + k.Letters(codeAlign)
		shader := fmt.Sprintf("binaries[%d].", i)
		k.Set(shader+"program", k.Get(shader+"program")-codeAlign)
		k.add(shader+"code_size", codeAlign)
		return gen.Place{Off: k.Off(shader+"code") - codeAlign, Len: int(k.Get(shader + "code_size")),
			Path: shader + "code"}
	}, nil},
	// A last name that ends inside the code.
	{"GX2032", func(k *kit) gen.Place {
		i, name := k.lastName()
		s := &k.f.Binaries[i].Shader
		s.Code[k.C.Below(len(s.Code))] = 0
		l := plan{}.layout(s, k.dataOffset(i))
		at := k.Place(fmt.Sprintf("binaries[%d].code", i))
		code := at.Off
		nul := code - int(l.Program.Offset) + int(l.Names[len(l.Names)-1].Offset) + len(*name)
		copy(k.Bytes[nul:code], bytes.Repeat([]byte{'x'}, code-nul))
		return at
	}, nil},
	// The copy program over the code.
	{"GX2032", func(k *kit) gen.Place {
		shader := aGeometry(k) + "."
		n := k.Get(shader+"copy_program") - k.Get(shader+"program")
		k.Set(shader+"copy_program", k.Get(shader+"program"))
		k.add(shader+"copy_size", n)
		return gen.Place{Off: k.Off(shader + "code"), Len: int(k.Get(shader + "copy_size")), Path: shader + "copy_code"}
	}, nil},
}

// secondWords are the fields behind the name of a record.
var secondWords = map[int][2]string{
	gx2gen.BlockTable:     {"location", "size"},
	gx2gen.UniformTable:   {"type", "count"},
	gx2gen.SamplerTable:   {"type", "location"},
	gx2gen.AttributeTable: {"type", "count"},
}

// lastName draws a shader in which only zeros are between the last name and the
// code.
func (d *drawing) lastName() (shader int, name *wire.Text) {
	shader, _ = d.RecordOf(gen.Pick(d.C, swapped))
	s := &d.f.Binaries[shader].Shader
	s.Loops = nil
	list := gx2gen.Names(s)
	return shader, list[len(list)-1]
}
