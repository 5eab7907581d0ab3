package cgfxgen

import (
	"fmt"
	"math"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// four is a magic as a number.
func four(magic string) uint32 { return le.Uint32([]byte(magic)) }

// constant draws one number.
func constant(v uint32) value { return func(*gen.Choices, *image, int) uint32 { return v } }

var headerFaults = []fault{
	{rule: "CGFX001", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.b = c.Cut(m.b, int(c.Within(0, headerSize-1)))
		return gen.Place{Off: len(m.b), Path: "header"}
	}},
	{rule: "CGFX002", spoil: set(inHeader(0), oneOf(changed, constant(four("BCH\x00")), constant(four("XFGC"))))},
	{rule: "CGFX003", spoil: func(c *gen.Choices, m *image) gen.Place {
		order := gen.Pick(c, []uint16{0xFFFE, 0xFEFE, 0xFFFF, uint16(c.Bits(16))})
		if order == 0xFEFF {
			order = 0
		}
		le.PutUint16(m.b[byteOrder:], gen.Only(c, order, 0xFEFF))
		return m.field(byteOrder)
	}},
	{rule: "CGFX004", spoil: headerOf(func(c *gen.Choices, _ *image) int { return int(c.Within(0, headerSize-1)) })},
	{rule: "CGFX004", spoil: headerOf(func(c *gen.Choices, _ *image) int {
		return headerSize + int(c.Within(0, 0xFFE8))&^3 + 1 + c.Below(3)
	})},
	{rule: "CGFX004", spoil: headerOf(func(c *gen.Choices, m *image) int {
		m.b = c.Cut(m.b, min(len(m.b), 0xFFFC)) // the field has 16 bits
		return (int(c.Within(uint64(len(m.b)-8+1), 0xFFFC)) + 3) &^ 3
	})},
	{rule: "CGFX004", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.b = c.Cut(m.b, int(c.Within(uint64(m.data), uint64(m.data+7))))
		return m.field(headerLength)
	}},
	{rule: "CGFX005", whole: true, want: shape{wide: true},
		spoil: func(_ *gen.Choices, m *image) gen.Place { return m.field(headerLength) }},
	{rule: "CGFX006", spoil: set(inHeader(revision), oneOf(changed, constant(0x04000000)))},
	{rule: "CGFX007", spoil: set(inHeader(fileSize), func(c *gen.Choices, m *image, at int) uint32 {
		return between(uint32(len(m.b))+1, math.MaxUint32)(c, m, at)
	})},
	{rule: "CGFX007", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.b = c.Cut(m.b, int(c.Within(uint64(m.data+8), uint64(len(m.b)-1))))
		return m.field(fileSize)
	}},
	{rule: "CGFX008", spoil: func(c *gen.Choices, m *image) gen.Place {
		tail := make([]byte, c.Within(1, 64))
		copy(tail, c.Data(len(tail)))
		m.b = append(m.b, gen.Only(c, tail, nil)...)
		return m.field(fileSize)
	}},
	{rule: "CGFX009", spoil: set(inHeader(blockCount), constant(0))},
	{rule: "CGFX009", milder: true, spoil: setOr(inHeader(blockCount), between(3, math.MaxUint32),
		func(*image) int { return 2 })},
	{rule: "CGFX010", spoil: set(inData(0), oneOf(changed, constant(four("IMAG"))))},
	// Five pairs are fewer than sixteen.
	{rule: "CGFX011", instead: []string{"CGFX012"}, spoil: setOr(inData(4), between(0, 0x2F),
		func(*image) int { return 0x30 })},
	{rule: "CGFX011", spoil: setOr(inData(4), func(c *gen.Choices, m *image, at int) uint32 {
		return between(uint32(len(m.b)-m.data)+1, math.MaxUint32)(c, m, at)
	}, func(m *image) int { return len(m.b) - m.data })},
	// The pairs end with DATA or where a DICT begins. Without the pair of the shaders the file has an error.
	{rule: "CGFX012", spoil: func(c *gen.Choices, m *image) gen.Place {
		m.store(m.data+4, uint32(c.Wrong(8+8*(shaderKind+1), 8+8*numKinds-1, 8+8*numKinds)))
		return m.record(m.data, dataSize)
	}},
	{rule: "CGFX012", whole: true, want: shape{few: true},
		spoil: func(_ *gen.Choices, m *image) gen.Place { return m.record(m.data, dataSize) }},
	{rule: "CGFX012", milder: true, spoil: func(c *gen.Choices, m *image) gen.Place {
		m.replace(c, m.pairAt(c.Below(shaderKind+1)), four("DICT"))
		return m.record(m.data, dataSize)
	}},
}

// headerOf writes a wrong header size.
func headerOf(size func(c *gen.Choices, m *image) int) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		le.PutUint16(m.b[headerLength:], uint16(gen.Only(c, size(c, m), m.data)))
		return m.field(headerLength)
	}
}

// ofOther is why CGFX015 goes with a fault in a pair of another kind: the pair
// must have a count.
var ofOther = []string{"CGFX015"}

var kindFaults = []fault{
	{rule: "CGFX013", spoil: set(inPair(4), null)},
	{rule: "CGFX013", also: ofOther, spoil: counted(orLast(null))},
	{rule: "CGFX014", spoil: set(inOther(4), notNull)},
	// The file has no shaders here, so that CGFX017 breaks too.
	{rule: "CGFX014", also: []string{"CGFX017"}, spoil: func(c *gen.Choices, m *image) gen.Place {
		m.replace(c, m.pairAt(shaderKind), 0)
		return set(inPair(4), notNull)(c, m)
	}},
	{rule: "CGFX015", whole: true, spoil: func(c *gen.Choices, m *image) gen.Place {
		return m.field(counted(inside)(c, m).Off - 4)
	}},
	{rule: "CGFX016", spoil: set(inPair(4), oneOf(outside(0), crooked))},
	{rule: "CGFX016", also: ofOther, spoil: counted(orLast(oneOf(outside(0), crooked)))},
	{rule: "CGFX016", spoil: set(inPair(4), outside(1))}, // often to the end of the file
	{rule: "CGFX017", spoil: func(c *gen.Choices, m *image) gen.Place {
		at := m.pairAt(shaderKind)
		m.replace(c, at, 0, null(c, m, at+4))
		return m.field(at)
	}},
	{rule: "CGFX017", whole: true, spoil: func(_ *gen.Choices, m *image) gen.Place {
		m.b, _ = new(cgfx.File).AppendUnchecked(nil)
		return gen.Place{Off: headerSize + 8 + 8*shaderKind, Len: 4,
			Path: fmt.Sprintf("data.kinds[%d].count", shaderKind)}
	}},
}

// orLast returns a wrong pointer, in a near miss one to the last multiple of 4.
func orLast(wrong value) value {
	return func(c *gen.Choices, m *image, at int) uint32 {
		return gen.Breach(c, wrong(c, m, at), uint32((len(m.b)-1)&^3-at))
	}
}

// counted gives a pair of another kind a count and a pointer.
func counted(pointer value) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		at := inOther(4)(c, m)
		m.store(at-4, between(1, math.MaxUint32)(c, m, at), pointer(c, m, at))
		if m.word(at-4) == four("DICT") {
			m.store(at-4, 1)
		}
		return m.field(at)
	}
}
