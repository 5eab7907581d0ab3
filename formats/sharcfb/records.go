package sharcfb

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestDoc$ -update .

// Values of the archive header.
const (
	magic       = 0x53484142 // "SHAB"
	sourceMagic = 0x53484141 // "SHAA", a source archive
	version     = 8
)

// The records are big endian or little endian, as the archive.
var (
	headerRecord = wire.NewRecord("Archive; the name, the shader binary list and the program list follow",
		wire.Derived("signature", 4, func(*fileHeader) uint64 { return magic },
			`"SHAB", in a little-endian archive "BAHS"`).Hex(),
		wire.Derived("version", 4, func(*fileHeader) uint64 { return version }, "8 (AGL)").
			Must("SHARC003", wire.Is(version),
				func(n uint64) diag.Value { return diag.Value{Show: showVersion, N: n} }).Apart(),
		wire.Uint("file_size", func(h *fileHeader) *uint32 { return &h.size }, "bytes"),
		wire.Uint("endian", func(h *fileHeader) *Endian { return &h.Endian }, "0 big, 1 little (AGL)"),
		wire.Unread[fileHeader]("resolved", 4, "0; the loader sets it (AGL)").Must("SHARC006", wire.Is(0), diag.Dec),
		wire.Uint("name_length", func(h *fileHeader) *uint32 { return &h.name }, "with the NUL"),
	)
	versionRule = headerRecord.Only("SHARC003")
	listRecord  = wire.NewRecord("List; the records follow",
		wire.Pair(func(h *listHeader) (*uint32, *uint32) { return &h.size, &h.count },
			sizeField[listHeader](),
			wire.Unread[listHeader]("count", 4, "records"))...)
	binaryRecord = wire.NewRecord("Shader binary", slices.Concat(
		wire.Pair(func(h *binaryHeader) (*uint32, *gx2.Type) { return &h.size, &h.kind },
			sizeField[binaryHeader](),
			wire.Unread[binaryHeader]("type", 4, "0 vertex, 1 pixel, 2 geometry (AGL format notes)")),
		wire.Pair(func(h *binaryHeader) (*uint32, *uint32) { return &h.dataOffset, &h.dataSize },
			wire.Unread[binaryHeader]("data_offset", 4, "from the end of this header (AGL); 0 in every known file"),
			wire.Unread[binaryHeader]("data_size", 4, "bytes; see package gx2")))...)
	programRecord = wire.NewRecord("Program; the name, two macro lists and four symbol lists follow", slices.Concat(
		wire.Pair(func(h *programHeader) (*uint32, *uint32) { return &h.size, &h.name },
			sizeField[programHeader](), lengthField[programHeader]("name_length")),
		wire.Pair(func(h *programHeader) (*Kind, *uint32) { return &h.Kind, &h.BaseIndex },
			wire.Unread[programHeader]("kind", 4, "bit 0 vertex, 1 pixel, 2 geometry: 3 or 7 (AGL format notes)"),
			wire.Unread[programHeader]("base_index", 4, "of its first shader binary")))...)
	macroRecord = wire.NewRecord("Macro; the name, the values and the ID follow", slices.Concat(
		wire.Pair(func(h *macroHeader) (*uint32, *uint32) { return &h.size, &h.name },
			sizeField[macroHeader](), lengthField[macroHeader]("name_length")),
		wire.Pair(func(h *macroHeader) (*int32, *uint32) { return &h.values, &h.id },
			wire.Unread[macroHeader]("value_count", 4, "values, each with a NUL, none empty"),
			lengthField[macroHeader]("id_length")))...)
	symbolRecord = wire.NewRecord("Symbol; the name, the ID, the default value and the enable bytes follow",
		slices.Concat(
			wire.Pair(func(h *symbolHeader) (*uint32, *int32) { return &h.size, &h.Offset },
				sizeField[symbolHeader](),
				wire.Unread[symbolHeader]("offset", 4,
					"uniform: in its material block; block: its size; else -1 (AGL)").
					As(wire.ShowSigned)),
			wire.Pair(func(h *symbolHeader) (*uint32, *uint32) { return &h.name, &h.id },
				lengthField[symbolHeader]("name_length"), lengthField[symbolHeader]("id_length")),
			wire.Pair(func(h *symbolHeader) (*uint32, *uint32) { return &h.defaults, &h.variations },
				wire.Unread[symbolHeader]("default_size", 4, "bytes"),
				wire.Unread[symbolHeader]("variation_count", 4, "enable bytes")))...)
)

func sizeField[T any]() wire.Field[T] { return wire.Unread[T]("size", 4, "bytes, with this field") }

func lengthField[T any](name string) wire.Field[T] { return wire.Unread[T](name, 4, "with the NUL") }

// Records lists the records in the order of doc.go.
var Records = []wire.Documented{headerRecord, listRecord, binaryRecord, programRecord, macroRecord, symbolRecord}

// The models of the headers. The lengths of strings count their NULs.
type (
	fileHeader struct {
		*File
		size, name uint32
	}
	listHeader   struct{ size, count uint32 }
	binaryHeader struct {
		size, dataOffset, dataSize uint32
		kind                       gx2.Type
	}
	programHeader struct {
		*Program
		size, name uint32
	}
	macroHeader struct {
		size, name, id uint32
		values         int32
	}
	symbolHeader struct {
		*Symbol
		size, name, id, defaults, variations uint32
	}
)

// headers holds one header of each kind, for reading and writing.
type headers struct {
	file    [1]fileHeader
	list    [1]listHeader
	binary  [1]binaryHeader
	program [1]programHeader
	macro   [1]macroHeader
	symbol  [1]symbolHeader
}

// read reads the header at off in the byte order of the view.
func read[T any](v wire.View, r *wire.Record[T], off uint64, into *[1]T) *T {
	r.In(v.Order()).Get(v.B[off:], into[:])
	return &into[0]
}

// Sizes of the headers.
var (
	headerSize        = uint64(headerRecord.Bytes)
	listHeaderSize    = uint64(listRecord.Bytes)
	binaryHeaderSize  = uint64(binaryRecord.Bytes)
	programHeaderSize = uint64(programRecord.Bytes)
	macroHeaderSize   = uint64(macroRecord.Bytes)
	symbolHeaderSize  = uint64(symbolRecord.Bytes)
)

// listKind describes a list of records.
type listKind struct {
	name   string
	fields diag.Struct // of the header of a record
	rules  *wire.Ruled // about these fields
	least  uint64      // bytes of the smallest record
}

// The smallest program has an empty name and six empty lists. The smallest macro
// has an empty name, one value of one byte and an empty ID.
var (
	binaryList  = listKind{"binaries", binaryRecord.Struct, &binaryRecord.Ruled, binaryHeaderSize}
	programList = listKind{"programs", programRecord.Struct, &programRecord.Ruled,
		programHeaderSize + 1 + 6*listHeaderSize}
	macroList   = listKind{"macros", macroRecord.Struct, &macroRecord.Ruled, macroHeaderSize + 1 + 2 + 1}
	defaultList = listKind{"defaults", macroRecord.Struct, &macroRecord.Ruled, macroList.least}
	symbolLists = [numSymbolLists]listKind{
		uniformList:   {"uniforms", symbolRecord.Struct, &symbolRecord.Ruled, symbolHeaderSize + 1 + 1},
		blockList:     {"blocks", symbolRecord.Struct, &symbolRecord.Ruled, symbolHeaderSize + 1 + 1},
		samplerList:   {"samplers", symbolRecord.Struct, &symbolRecord.Ruled, symbolHeaderSize + 1 + 1},
		attributeList: {"attributes", symbolRecord.Struct, &symbolRecord.Ruled, symbolHeaderSize + 1 + 1},
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
