package zpsh

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

var le = binary.LittleEndian

// The records of the payload and of the word tables.
var (
	words = wire.Record[uint32]{Size: 4, Get: le.Uint32, Put: le.PutUint32}
	ints  = wire.Record[[4]uint8]{
		Size: 4,
		Get:  func(b []byte) [4]uint8 { return [4]uint8(b) },
		Put:  func(b []byte, v [4]uint8) { copy(b, v[:]) },
	}
	floats = wire.Record[[4]uint32]{Size: 12, Get: unpackFloat, Put: packFloat}
	maps   = wire.Record[Map]{
		Size: 4,
		Get:  func(b []byte) Map { return Map(le.Uint32(b)) },
		Put:  func(b []byte, m Map) { le.PutUint32(b, uint32(m)) },
	}
)

func unpackFloat(b []byte) [4]uint32 {
	w0, w1, w2 := le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:])
	return [4]uint32{w2 & 0xFFFFFF, (w1&0xFFFF)<<8 | w2>>24, (w0&0xFF)<<16 | w1>>16, w0 >> 8}
}

// packFloat writes four numbers of 24 bits.
func packFloat(b []byte, v [4]uint32) {
	x, y, z, w := v[0], v[1], v[2], v[3]
	le.PutUint32(b, w<<8|z>>16)
	le.PutUint32(b[4:], z<<16|y>>8)
	le.PutUint32(b[8:], y<<24|x)
}

// The field tables.
var (
	headerFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "counts", Size: 4, Show: showCounts},
		{Name: "string_words", Size: 2},
		{Name: "flags", Size: 1, Show: showHex},
		{Name: "header_words", Size: 1},
	}
	hashFields = diag.Struct{{Name: "hash", Size: 4, Show: showHex32}}
	wordFields = diag.Struct{{Name: "", Size: 4, Show: showHex32}}

	entryFields3 = diag.Struct{
		{Name: "name", Size: 4, Show: showHex},
		{Name: "instruction", Size: 2},
		{Name: "info", Size: 2, Show: func(n uint64) string { return Info(n).String() }},
		{Name: "bools", Size: 2, Show: showHex},
		{Name: "int_mask", Size: 2, Show: showHex},
		{Name: "float_mask0", Size: 4, Show: showHex32},
		{Name: "float_mask1", Size: 4, Show: showHex32},
		{Name: "float_mask2", Size: 4, Show: showHex32},
		{Name: "output_mask", Size: 4, Show: showHex32},
	}
	entryFields4 = append(append(entryFields3[:3:3],
		diag.Field{Name: "flags", Size: 2, Show: showHex},
		diag.Field{Name: "header_words", Size: 2}),
		entryFields3[3:]...)

	intFields = diag.Struct{{Name: "", Size: 4, Show: func(n uint64) string {
		return fmt.Sprint(n&0xFF, n>>8&0xFF, n>>16&0xFF, n>>24)
	}}}
	mapFields = diag.Struct{{Name: "", Size: 4, Show: func(n uint64) string { return Map(n).String() }}}
)

// entryFields returns the fields of an entry header.
func (r Revision) entryFields() diag.Struct {
	if r.hasTable() {
		return entryFields4
	}
	return entryFields3
}

func showHex(n uint64) string   { return fmt.Sprintf("0x%x", n) }
func showHex32(n uint64) string { return fmt.Sprintf("0x%08x", n) }

func showFourCC(n uint64) string {
	return strconv.QuoteToASCII(string(le.AppendUint32(nil, uint32(n))))
}

func showCounts(n uint64) string {
	return fmt.Sprintf("%d entries, %d instructions, %d descriptors", n&0xFFF, n>>12&0xFFF+1, n>>24)
}

func showFloat(v [4]uint32) string {
	text := make([]string, len(v))
	for i, bits := range v {
		text[i] = wire.Float24(bits)
	}
	return strings.Join(text, ", ")
}
