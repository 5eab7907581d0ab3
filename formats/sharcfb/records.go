package sharcfb

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// Values of the archive header.
const (
	magic       = 0x53484142 // "SHAB"
	sourceMagic = 0x53484141 // "SHAA", a source archive
	version     = 8
)

// The fixed parts of header and records. All integers have 32 bits.
var (
	headerFields = diag.Struct{
		{Name: "signature", Size: 4, Show: hex32},
		{Name: "version", Size: 4},
		{Name: "file_size", Size: 4},
		{Name: "endian", Size: 4, Show: show[Endian]},
		{Name: "resolved", Size: 4},
		{Name: "name_length", Size: 4},
	}
	listFields = diag.Struct{
		{Name: "size", Size: 4},
		{Name: "count", Size: 4},
	}
	binaryFields = diag.Struct{
		{Name: "size", Size: 4},
		{Name: "type", Size: 4, Show: show[gx2.Type]},
		{Name: "data_offset", Size: 4},
		{Name: "data_size", Size: 4},
	}
	programFields = diag.Struct{
		{Name: "size", Size: 4},
		{Name: "name_length", Size: 4},
		{Name: "kind", Size: 4, Show: show[Kind]},
		{Name: "base_index", Size: 4},
	}
	macroFields = diag.Struct{
		{Name: "size", Size: 4},
		{Name: "name_length", Size: 4},
		{Name: "value_count", Size: 4},
		{Name: "id_length", Size: 4},
	}
	symbolFields = diag.Struct{
		{Name: "size", Size: 4},
		{Name: "offset", Size: 4, Show: func(n uint64) string { return fmt.Sprint(int32(n)) }},
		{Name: "name_length", Size: 4},
		{Name: "id_length", Size: 4},
		{Name: "default_size", Size: 4},
		{Name: "variation_count", Size: 4},
	}
)

// Sizes of the fixed parts.
const (
	headerSize        = 0x18
	listHeaderSize    = 8
	binaryHeaderSize  = 0x10
	programHeaderSize = 0x10
	macroHeaderSize   = 0x10
	symbolHeaderSize  = 0x18
)

// listKind describes a list of records.
type listKind struct {
	name   string
	fields diag.Struct // of a record
	least  uint64      // bytes of the smallest record
}

// The smallest program has an empty name and six empty lists, the smallest
// macro an empty name, one value of one byte and no ID.
var (
	binaryList  = listKind{"binaries", binaryFields, binaryHeaderSize}
	programList = listKind{"programs", programFields, programHeaderSize + 1 + 6*listHeaderSize}
	macroList   = listKind{"macros", macroFields, macroHeaderSize + 1 + 2 + 1}
	defaultList = listKind{"defaults", macroFields, macroHeaderSize + 1 + 2 + 1}
	symbolLists = [numSymbolLists]listKind{
		uniformList:   {"uniforms", symbolFields, symbolHeaderSize + 1 + 1},
		blockList:     {"blocks", symbolFields, symbolHeaderSize + 1 + 1},
		samplerList:   {"samplers", symbolFields, symbolHeaderSize + 1 + 1},
		attributeList: {"attributes", symbolFields, symbolHeaderSize + 1 + 1},
	}
)

// The symbol lists in file order.
const (
	uniformList = iota
	blockList
	samplerList
	attributeList
	numSymbolLists
)

func hex32(n uint64) string { return fmt.Sprintf("0x%08x", n) }

func show[T interface {
	~uint32
	String() string
}](n uint64) string {
	return T(n).String()
}
