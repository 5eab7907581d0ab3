package cgfxgen

import (
	"fmt"
	"math"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// four is a magic as a number.
func four(magic string) uint64 { return uint64(le.Uint32([]byte(magic))) }

var headerFaults = []fault{
	{rule: "CGFX001", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.Bytes = c.Cut(m.Bytes, int(c.Within(0, headerSize-1)))
		return gen.Place{Off: len(m.Bytes), Path: "header"}
	}},
	{rule: "CGFX002", spoil: set(at("header.magic"), gen.Either(gen.Other, gen.OneOf(four("BCH\x00"), four("XFGC"))))},
	{rule: "CGFX003", spoil: set(at("header.byte_order"), gen.Either(gen.Other, gen.OneOf(0xFFFE, 0xFEFE, 0xFFFF)))},
	{rule: "CGFX004", spoil: set(at("header.header_size"), gen.Between(0, headerSize-1))},
	{rule: "CGFX004", spoil: set(at("header.header_size"), func(c *gen.Choices, _ *gen.Draft, _ gen.Place) uint64 {
		return headerSize + c.Within(0, 0xFFE8)&^3 + 1 + uint64(c.Below(3))
	})},
	{rule: "CGFX004", spoil: set(at("header.header_size"), func(c *gen.Choices, d *gen.Draft, _ gen.Place) uint64 {
		d.Bytes = c.Cut(d.Bytes, min(len(d.Bytes), 0xFFFC)) // the field has 16 bits
		return (c.Within(uint64(len(d.Bytes)-8+1), 0xFFFC) + 3) &^ 3
	})},
	{rule: "CGFX004", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.Bytes = c.Cut(m.Bytes, int(c.Within(uint64(m.data), uint64(m.data+7))))
		return m.Field("header.header_size")
	}},
	{rule: "CGFX005", onlyValid: true, shape: shape{wide: true},
		spoil: func(_ *gen.Choices, m *image) gen.Place { return m.Field("header.header_size") }},
	{rule: "CGFX006", spoil: set(at("header.revision"), gen.Either(gen.Other, gen.OneOf(0x04000000)))},
	{rule: "CGFX007", spoil: set(at("header.size"), gen.Beyond(behind("header.magic")))},
	{rule: "CGFX007", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.Bytes = c.Cut(m.Bytes, int(c.Within(uint64(m.data+8), uint64(len(m.Bytes)-1))))
		return m.Field("header.size")
	}},
	{rule: "CGFX008", spoil: func(c *gen.Choices, m *image) gen.Place {
		tail := make([]byte, c.Within(1, 64))
		copy(tail, c.Data(len(tail)))
		m.Bytes = append(m.Bytes, gen.Only(c, tail, nil)...)
		return m.Field("header.size")
	}},
	{rule: "CGFX009", spoil: set(at("header.blocks"), gen.OneOf(0))},
	{rule: "CGFX009", milder: true, spoil: setOr(at("header.blocks"), gen.Above(2), gen.OneOf(2))},
	{rule: "CGFX010", spoil: set(at("data.magic"), gen.Either(gen.Other, gen.OneOf(four("IMAG"))))},
	// Five pairs are fewer than sixteen.
	{rule: "CGFX011", missBreaks: []string{"CGFX012"},
		spoil: setOr(at("data.size"), gen.Between(0, 0x2F), gen.OneOf(0x30))},
	{rule: "CGFX011", spoil: setOr(at("data.size"), gen.Beyond(behind("data.magic")), behind("data.magic"))},
	// The pairs end with DATA or where a DICT begins. Without the pair of the shaders the file has an error.
	{rule: "CGFX012", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.store(m.data+4, uint32(c.Wrong(8+8*(shaderKind+1), 8+8*numKinds-1, 8+8*numKinds)))
		return m.Place("data")
	}},
	{rule: "CGFX012", onlyValid: true, shape: shape{few: true},
		spoil: func(_ *gen.Choices, m *image) gen.Place { return m.Place("data") }},
	{rule: "CGFX012", milder: true, spoil: func(c *gen.Choices, m *image) gen.Place {
		kind := m.Field(fmt.Sprintf("data.kinds[%d].count", c.Below(shaderKind+1)))
		m.Break(c, kind, gen.OneOf(four("DICT")), nil)
		return m.Place("data")
	}},
}

// behind returns the number of bytes from a field to the end of the file.
func behind(path string) gen.Value {
	return func(_ *gen.Choices, d *gen.Draft, _ gen.Place) uint64 { return uint64(len(d.Bytes) - d.Off(path)) }
}

// ofOther is why CGFX015 goes with a fault in a pair of another kind: the pair
// must have a count.
var ofOther = []string{"CGFX015"}

var kindFaults = []fault{
	{rule: "CGFX013", spoil: set(shaderDict, null)},
	{rule: "CGFX013", also: ofOther, spoil: counted(orLast(null))},
	{rule: "CGFX014", spoil: set(inOther("dict"), notNull)},
	// The file has no shaders here, so that CGFX017 breaks too.
	{rule: "CGFX014", also: []string{"CGFX017"}, spoil: func(c *gen.Choices, m *image) gen.Place {
		set(shaderCount, gen.OneOf(0))(c, m)
		return set(shaderDict, notNull)(c, m)
	}},
	{rule: "CGFX015", onlyValid: true, spoil: func(c *gen.Choices, m *image) gen.Place {
		return m.FieldAt(counted(inside)(c, m).Off - 4)
	}},
	{rule: "CGFX016", spoil: set(shaderDict, gen.Either(outside(0), misaligned))},
	{rule: "CGFX016", also: ofOther, spoil: counted(orLast(gen.Either(outside(0), misaligned)))},
	{rule: "CGFX016", spoil: set(shaderDict, outside(1))}, // often to the end of the file
	{rule: "CGFX017", spoil: func(c *gen.Choices, m *image) gen.Place {
		set(shaderDict, null)(c, m)
		return set(shaderCount, gen.OneOf(0))(c, m)
	}},
	{rule: "CGFX017", onlyValid: true, spoil: func(_ *gen.Choices, m *image) gen.Place {
		m.Bytes, _ = new(cgfx.File).AppendUnchecked(nil)
		return gen.Place{Off: headerSize + 8 + 8*shaderKind, Len: 4,
			Path: fmt.Sprintf("data.kinds[%d].count", shaderKind)}
	}},
}

// orLast returns a wrong pointer, in a near miss one to the last multiple of 4.
func orLast(wrong gen.Value) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		return gen.Breach(c, wrong(c, d, r), pointer(r, uint64(len(d.Bytes)-1)&^3))
	}
}

// counted gives a pair of another kind a count and a pointer.
func counted(pointer gen.Value) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		dict := inOther("dict")(c, m)
		count := uint32(c.Within(1, math.MaxUint32))
		if count == uint32(four("DICT")) {
			count = 1
		}
		m.store(dict.Off-4, count, uint32(pointer(c, m.Draft, dict)))
		return dict
	}
}
