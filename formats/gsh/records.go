package gsh

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestDoc$ -update .

const (
	magic        = "Gfx2"
	blockMagic   = "BLK{"
	trailerMagic = "}BLK"

	headerSize  = 0x20
	blockSize   = 0x20 // of a block's header
	trailerSize = 0x28

	majorVersion, minorVersion, gpuVersion = 7, 1, 2
	blockMajor                             = 1

	// The tags in the high bits of a pointer, and the bits below.
	dataTag   = 0xD06
	nameTag   = 0xCA7
	tagShift  = 20
	maxOffset = 1<<tagShift - 1
)

// fileHeader is the model of the file header.
type fileHeader struct {
	*File
	*Layout
}

var headerRecord = wire.NewRecord("File header",
	wire.Magic[fileHeader](magic, "GSH002"),
	constant[fileHeader]("header_size", headerSize, "0x20 (decaf-emu)").
		Must("GSH003", wire.Is(headerSize), diag.Dec).Apart().Ends(),
	constant[fileHeader]("major_version", majorVersion, "7 (every known file)").
		Must("GSH004", wire.Is(majorVersion), oldVersion(6)).Apart(),
	constant[fileHeader]("minor_version", minorVersion, "1 (wut)").Must("GSH005", wire.Is(minorVersion), version),
	constant[fileHeader]("gpu_version", gpuVersion, "2 (RetroArch)").Must("GSH006", wire.Is(gpuVersion), version),
	wire.Uint("align", func(h *fileHeader) *uint32 { return &h.Align },
		"0: blocks follow tightly, 1: padding blocks place the programs").
		As(showAlign).Must("GSH007", wire.AtMost(1), diag.Dec),
	wire.Uint("reserved", func(h *fileHeader) *uint64 { return &h.Reserved }, "0").
		As(wire.ShowHex).Must("GSH008", wire.Is(0), diag.Hex),
).In(binary.BigEndian)

// alignNames says how the program blocks are aligned.
var alignNames = []string{"blocks follow tightly", "padding blocks place the programs"}

func showAlign(n uint64) string {
	if n < uint64(len(alignNames)) {
		return fmt.Sprintf("%d: %s", n, alignNames[n])
	}
	return wire.ShowDec(n)
}

// blockHeader is a block with the size of its data.
type blockHeader struct {
	Block
	size uint32
}

var blockRecord = wire.NewRecord("Block header; the data follows it, and the next block that",
	wire.Magic[blockHeader](blockMagic, "GSH012"),
	constant[blockHeader]("header_size", blockSize, "0x20 (decaf-emu)").
		Must("GSH013", wire.Is(blockSize), diag.Dec).Apart().Ends(),
	constant[blockHeader]("major_version", blockMajor, "1 (wut)").
		Must("GSH014", wire.Is(blockMajor), oldVersion(0)).Apart(),
	wire.Uint("minor_version", func(b *blockHeader) *uint32 { return &b.Minor }, "0 (every known file)").
		Must("GSH015", wire.Is(0), version).Apart(),
	wire.Uint("type", func(b *blockHeader) *BlockType { return &b.Type }, "see BlockType").
		Must("GSH017", wire.Where("1 to 3 or 5 to 16",
			func(n uint64) bool { return n == uint64(uint32(n)) && BlockType(n).known().name != "" }), diag.Dec),
	wire.Uint("size", func(b *blockHeader) *uint32 { return &b.size }, "of the data, in bytes"),
	wire.Uint("id", func(b *blockHeader) *uint32 { return &b.ID },
		"number of the block, or 0 in all blocks (every known file)"),
	wire.Uint("index", func(b *blockHeader) *uint32 { return &b.Index },
		"of the shader among the shaders of its type, or 0 (decaf-emu)"),
).In(binary.BigEndian)

// trailer is the model of the trailer of a header block.
type trailer struct {
	Slack
	dataSize, dataOffset, textSize, textOffset, patchBase, patchCount, patchOffset uint32
}

var trailerRecord = wire.NewRecord("Trailer, the end of a header block's data; offsets are from the start of that",
	wire.Magic[trailer](trailerMagic, "GSH041"),
	constant[trailer]("size", trailerSize, "0x28 (decaf-emu)").
		Must("GSH042", wire.Is(trailerSize), diag.Dec).Apart(),
	wire.Uint("unknown", func(t *trailer) *uint32 { return &t.Unknown }, "0").As(wire.ShowHex).Must("GSH043",
		wire.Is(0), diag.Hex),
	wire.Uint("data_size", func(t *trailer) *uint32 { return &t.dataSize }, "of structure, tables and names"),
	wire.Uint("data_offset", func(t *trailer) *uint32 { return &t.dataOffset }, "0 with tag 0xD06").As(wire.ShowHex),
	wire.Uint("text_size", func(t *trailer) *uint32 { return &t.textSize }, "of the names"),
	wire.Uint("text_offset", func(t *trailer) *uint32 { return &t.textOffset },
		"of the first name, with tag 0xD06").As(wire.ShowHex),
	wire.Uint("patch_base", func(t *trailer) *uint32 { return &t.patchBase },
		"0; the loader writes it (Nintendo-File-Formats)").
		As(wire.ShowHex).Must("GSH050", wire.Is(0), diag.Hex).Apart(),
	wire.Uint("patch_count", func(t *trailer) *uint32 { return &t.patchCount },
		"words of the patch list, null ones included"),
	wire.Uint("patch_offset", func(t *trailer) *uint32 { return &t.patchOffset },
		"end of the data, with tag 0xD06").As(wire.ShowHex),
).In(binary.BigEndian)

// The rules that the walk evaluates apart from the others of their records.
var (
	headerRules   = headerRecord.Only("GSH002", "GSH003", "GSH004")
	blockRules    = blockRecord.Only("GSH012", "GSH013", "GSH014", "GSH015")
	trailerRules  = trailerRecord.Only("GSH041", "GSH042")
	patchBaseRule = trailerRecord.Only("GSH050")
)

// Records lists the records of the container. Those of a shader are in package
// gx2.
var Records = []wire.Documented{headerRecord, blockRecord, trailerRecord}

// constant declares a word that has one value.
func constant[T any](name string, value uint64, doc string) wire.Field[T] {
	return wire.Derived(name, 4, func(*T) uint64 { return value }, doc)
}

// version prints a word that should hold a version, and may hold anything.
func version(n uint64) diag.Value {
	if n > 0xFF {
		return diag.Value{Format: "0x%08x", N: n}
	}
	return diag.Dec(n)
}

// oldVersion prints a version for a finding, and says of one that it is not supported.
func oldVersion(old uint64) func(uint64) diag.Value {
	return func(n uint64) diag.Value {
		if n == old {
			return diag.Value{Format: "%d, an old version that is not supported", N: n}
		}
		return version(n)
	}
}

func headerPlace(field string) diag.Place {
	return headerRecord.At(0, diag.Path{Prefix: "header.", Field: field})
}
