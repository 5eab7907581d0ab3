package dvoj

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

var le = binary.LittleEndian

const (
	magic     = "DVOJ"
	otherName = "DVOB" // in GBATEK's prose

	headerSize = 0x58
	pairs      = 0x10 // offset of the first (offset, count) pair
)

var relocationRecord = wire.Record[Relocation]{
	Size: 12,
	Get:  func(b []byte) Relocation { return Relocation{le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:])} },
	Put: func(b []byte, r Relocation) {
		le.PutUint32(b, r.Word)
		le.PutUint32(b[4:], r.Unknown)
		le.PutUint32(b[8:], r.Unknown2)
	},
}

// The field tables.
var (
	headerFields = append(diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "version", Size: 2, Show: showHex},
		{Name: "type", Size: 1, Show: func(n uint64) string { return shbin.Type(n).String() }},
		{Name: "merge", Size: 1},
		{Name: "input_mask", Size: 2, Show: showHex},
		{Name: "output_mask", Size: 2, Show: showHex},
		{Name: "unknown", Size: 4, Show: showHex},
	}, pairFields()...)
	relocationFields = diag.Struct{
		{Name: "word", Size: 4},
		{Name: "unknown1", Size: 4, Show: showHex},
		{Name: "unknown2", Size: 4, Show: showHex},
	}
)

// pairFields are the two words of each table.
func pairFields() (fields diag.Struct) {
	for k, c := range columns {
		count := ".count"
		if k == symbols {
			count = ".size"
		}
		fields = append(fields, diag.Field{Name: c.name + ".offset", Size: 4, Show: showHex}, diag.Field{Name: c.name + count, Size: 4})
	}
	return fields
}

func headerPlace(field string) diag.Place {
	return headerFields.At(0, diag.Path{Prefix: "header.", Field: field})
}

func showHex(n uint64) string { return fmt.Sprintf("0x%x", n) }

func showFourCC(n uint64) string {
	return strconv.QuoteToASCII(string(le.AppendUint32(nil, uint32(n))))
}

// header returns the fixed part of the header, in front of the pairs.
func (f *File) header(magic string) (b [pairs]byte) {
	copy(b[:], magic)
	le.PutUint16(b[0x04:], f.Version)
	b[0x06], b[0x07] = uint8(f.Type), f.Merge
	le.PutUint16(b[0x08:], f.InputMask)
	le.PutUint16(b[0x0A:], f.OutputMask)
	le.PutUint32(b[0x0C:], f.Unknown)
	return b
}
