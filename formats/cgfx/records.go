package cgfx

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

var le = binary.LittleEndian

// Sizes.
const (
	headerSize    = 0x14
	numKinds      = 16
	shaderKind    = 4
	pairSize      = 8
	dataSize      = 8 + numKinds*pairSize // canonical
	minDataSize   = 8 + (shaderKind+1)*pairSize
	dictSize      = 0x0C
	nodeSize      = 0x10
	objectSize    = 0x48
	referenceSize = 8 // of a reference object as far as it is known
	programSize   = 0x88
)

// Usual values.
const (
	usualRevision  = 0x05000000
	objectRevision = 0x06000000

	shaderType       = 0x80000002
	referenceType    = 0x80000001
	oldReferenceType = 0x00000101

	rootBit = 0xFFFFFFFF
)

// The field tables.
var (
	headerFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "byte_order", Size: 2, Show: showHex},
		{Name: "header_size", Size: 2, Show: showHex},
		{Name: "revision", Size: 4, Show: showHex},
		{Name: "size", Size: 4},
		{Name: "blocks", Size: 4},
	}
	dataFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "size", Size: 4},
	}
	pairFields = diag.Struct{
		{Name: "count", Size: 4},
		{Name: "dict", Size: 4, Show: showPointer},
	}
	dictFields = diag.Struct{
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "size", Size: 4},
		{Name: "count", Size: 4},
	}
	nodeFields = diag.Struct{
		{Name: "bit", Size: 4, Show: showHex},
		{Name: "left", Size: 2},
		{Name: "right", Size: 2},
		{Name: "name", Size: 4, Show: showPointer},
		{Name: "object", Size: 4, Show: showPointer},
	}
	objectFields = diag.Struct{
		{Name: "type", Size: 4, Show: showHex},
		{Name: "magic", Size: 4, Show: showFourCC},
		{Name: "revision", Size: 4, Show: showHex},
		{Name: "name", Size: 4, Show: showPointer},
		{Name: "metadata.count", Size: 4},
		{Name: "metadata.pointer", Size: 4, Show: showPointer},
		{Name: "dvlb.size", Size: 4},
		{Name: "dvlb.pointer", Size: 4, Show: showPointer},
		{Name: "commands_a.count", Size: 4},
		{Name: "commands_a.pointer", Size: 4, Show: showPointer},
		{Name: "programs.count", Size: 4},
		{Name: "programs.pointer", Size: 4, Show: showPointer},
		{Name: "commands_b.count", Size: 4},
		{Name: "commands_b.pointer", Size: 4, Show: showPointer},
		{Name: "padding", Size: 16, Kind: diag.OpaqueRegion},
	}
	referenceFields = objectFields[:2]
	pointerFields   = diag.Struct{{Name: "", Size: 4, Show: showPointer}}
	programFields   = diag.Struct{
		{Name: "flag", Size: 4, Show: showHex},
		{Name: "vertex", Size: 4, Show: showIndex},
		{Name: "geometry", Size: 4, Show: showIndex},
		{Name: "opaque", Size: len(Opaque{}), Kind: diag.OpaqueRegion},
	}
)

func showHex(n uint64) string   { return fmt.Sprintf("0x%x", n) }
func showIndex(n uint64) string { return strconv.Itoa(int(int32(n))) }

// showPointer prints how far a pointer leads from its own place.
func showPointer(n uint64) string {
	if n == 0 {
		return "null"
	}
	return fmt.Sprintf("%+#x", int32(n))
}

func showFourCC(n uint64) string {
	return strconv.QuoteToASCII(string(le.AppendUint32(nil, uint32(n))))
}
