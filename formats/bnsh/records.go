package bnsh

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

var le = binary.LittleEndian

// Signatures as they stand in the file.
const (
	fileSignature       = "BNSH\x00\x00\x00\x00"
	containerSignature  = "grsc"
	stringsSignature    = "_STR"
	relocationSignature = "_RLT"
	dictionarySignature = "_DIC"
)

// Sizes of the records.
const (
	headerSize          = 0x60
	containerSize       = 0x60
	variationSize       = 0x40
	programSize         = 0xA0
	binaryCodeSize      = 0x40
	packedCodeSize      = 0x20
	textCodeSize        = 0x20
	reflectionSize      = 0x40
	stageReflectionSize = 0x60
	extensionSize       = 0x30
	dictionaryHeadSize  = 8
	entrySize           = 0x10
	poolSize            = 0x50
	poolObjectSize      = 0x140
	stringsHeadSize     = 0x14
	relocationHeadSize  = 0x10
	sectionSize         = 0x18
	relocationEntrySize = 8

	minFileSize   = headerSize + containerSize
	poolAlignment = 0x1000
	codeAlignment = 0x100
	poolSlack     = 0x500 // zero bytes behind the last code
)

// reserved is a field that must be zero.
func reserved(name string, size int) diag.Field {
	return diag.Field{Name: name, Size: size, Kind: diag.OpaqueRegion}
}

func signature(size int) diag.Field {
	return diag.Field{Name: "signature", Size: size, Show: showSignature}
}

// pointer is the pointer to what is called name.
func pointer(name string) diag.Field {
	return diag.Field{Name: name + ".pointer", Size: 8, Show: showPointer}
}

func number(name string, size int) diag.Field { return diag.Field{Name: name, Size: size} }

func offset(name string, size int) diag.Field {
	return diag.Field{Name: name, Size: size, Show: showHex}
}

// signed is a number of four bytes that may be negative.
func signed(name string) diag.Field { return diag.Field{Name: name, Size: 4, Show: showSigned} }

// enum is a field whose values have names.
func enum[T interface {
	~uint8 | ~uint32
	String() string
}](name string, size int) diag.Field {
	return diag.Field{Name: name, Size: size, Show: func(n uint64) string { return T(n).String() }}
}

// The field tables of all records.
var (
	headerFields = diag.Struct{
		signature(8),
		number("version.micro", 1), number("version.minor", 1), number("version.major", 2),
		offset("byte_order_mark", 2),
		number("alignment_shift", 1), number("address_size", 1),
		offset("name", 4), offset("flags", 2), offset("container", 2),
		offset("relocation_table", 4), offset("file_size", 4),
		reserved("reserved", 0x40),
	}
	containerFields = diag.Struct{
		signature(4), offset("next", 4), offset("size", 4), reserved("reserved", 4),
		number("api_type", 2), number("api_version", 2),
		number("target_code_type", 1), reserved("reserved2", 3),
		offset("compiler_version", 4), number("variation_count", 4),
		pointer("variations"), pointer("pool"),
		offset("low_level_compiler_version", 8), reserved("reserved3", 40),
	}
	variationFields = diag.Struct{
		pointer("source"), pointer("intermediate"), pointer("binary"), pointer("parent"),
		reserved("reserved", 32),
	}
	programFields = diag.Struct{
		number("flags", 1), enum[CodeType]("code_type", 1), enum[SourceFormat]("source_format", 1), reserved("reserved", 1),
		enum[BinaryFormat]("binary_format", 4),
		pointer("vertex"), pointer("hull"), pointer("domain"), pointer("geometry"), pointer("pixel"), pointer("compute"),
		reserved("reserved2", 40),
		offset("object_size", 4), reserved("reserved3", 4), pointer("object"),
		pointer("parent"), pointer("reflection"), pointer("compiler_reflection"),
		reserved("reserved4", 24),
	}
	binaryCodeFields = diag.Struct{
		offset("data_address", 8), pointer("control"), pointer("code"),
		offset("code_size", 4), offset("control_size", 4),
		pointer("decomposed_control"),
		offset("scratch_recommended", 4), offset("scratch_per_warp", 4),
		reserved("reserved", 16),
	}
	packedCodeFields = diag.Struct{
		offset("size", 4), offset("unpacked_size", 4), pointer("code"), reserved("reserved", 16),
	}
	textCodeFields = diag.Struct{
		number("count", 2), reserved("reserved", 6), pointer("text_sizes"), pointer("text_pointers"), reserved("reserved2", 8),
	}
	reflectionFields = diag.Struct{
		pointer("vertex"), pointer("hull"), pointer("domain"), pointer("geometry"), pointer("pixel"), pointer("compute"),
		reserved("reserved", 16),
	}
	stageReflectionFields = diag.Struct{
		pointer("inputs"), pointer("outputs"), pointer("samplers"), pointer("constant_buffers"), pointer("unordered_access_buffers"),
		signed("outputs.first"), signed("samplers.first"), signed("constant_buffers.first"), signed("unordered_access_buffers.first"),
		pointer("slots"),
		number("work_group.x", 4), number("work_group.y", 4), number("work_group.z", 4),
		signed("images.first"), pointer("images"), pointer("extension"),
	}
	extensionFields = diag.Struct{
		pointer("separate_textures"), pointer("separate_samplers"),
		signed("separate_textures.first"), signed("separate_samplers.first"),
		reserved("reserved", 24),
	}
	dictionaryFields = diag.Struct{signature(4), signed("count")}
	entryFields      = diag.Struct{signed("bit"), number("left", 2), number("right", 2), {Name: "key", Size: 8, Show: showPointer}}
	poolFields       = diag.Struct{
		offset("property", 4), offset("size", 4), pointer("memory"), reserved("reserved", 16),
		pointer("object"), reserved("reserved2", 8), reserved("current_pool", 8), reserved("reserved3", 24),
	}
	stringsFields = diag.Struct{
		signature(4), offset("next", 4), offset("size", 4), reserved("reserved", 4), number("count", 4),
	}
	relocationFields = diag.Struct{
		signature(4), offset("offset", 4), signed("section_count"), reserved("reserved", 4),
	}
	sectionFields = diag.Struct{
		offset("pointer", 8), offset("position", 4), offset("size", 4), signed("first"), signed("count"),
	}

	slotField        = diag.Struct{signed("")}
	textPointerField = diag.Struct{{Name: "", Size: 8, Show: showPointer}}
	textSizeField    = diag.Struct{number("", 4)}
)

// Where a stage reflection and its extension keep the dictionary and the first
// slot of each kind. Inputs have no field for the first: it is 0.
var (
	dictionaryAt = [NumKinds]uint64{0x00, 0x08, 0x10, 0x18, 0x20, 0x50, 0x00, 0x08}
	firstAt      = [NumKinds]uint64{Outputs: 0x28, 0x2C, 0x30, 0x34, 0x4C, 0x10, 0x14}
)

func showSigned(n uint64) string { return strconv.Itoa(int(int32(n))) }

func showHex(n uint64) string { return fmt.Sprintf("0x%x", n) }

func showPointer(n uint64) string {
	if n == 0 {
		return "null"
	}
	return showHex(n)
}

// showSignature prints a signature as text.
func showSignature(n uint64) string {
	b := le.AppendUint64(nil, n)
	if n>>32 == 0 {
		b = b[:4]
	}
	return strconv.QuoteToASCII(string(b))
}
