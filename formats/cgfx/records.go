package cgfx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestDoc$ -update .

var le = binary.LittleEndian

// Kinds of content: their number, and the index of the shaders' pair.
const (
	numKinds   = 16
	shaderKind = 4
)

// Sizes, in bytes.
var (
	headerSize    = uint64(headerRecord.Bytes)
	blockSize     = uint64(dataRecord.Bytes) // a magic and a size
	pairSize      = uint64(pairRecord.Bytes)
	dataSize      = blockSize + numKinds*pairSize // canonical
	minDataSize   = blockSize + (shaderKind+1)*pairSize
	dictSize      = uint64(dictRecord.Bytes)
	nodeSize      = uint64(nodeRecord.Bytes)
	objectSize    = uint64(objectRecord.Bytes)
	referenceSize = uint64(referenceRecord.Bytes) // known part of a reference object
	programSize   = uint64(programRecord.Bytes)
)

// Values of fields.
const (
	byteOrder      = 0xFEFF
	usualRevision  = 0x05000000
	objectRevision = 0x06000000

	shaderType       = 0x80000002
	referenceType    = 0x80000001
	oldReferenceType = 0x00000101

	rootBit = 0xFFFFFFFF
)

// fileHeader is the header of a file.
type fileHeader struct {
	*File                  // for rows of fields that the model has; today it has none
	byteOrder, headerSize  uint16
	revision, size, blocks uint32
}

// block is the header of DATA or of a DICT. Only a DICT has a count, of its entries.
type block struct{ size, count uint32 }

// list is a count and a pointer, as stored: a pair of DATA, or a list of a shader. For
// the DVLB the count is bytes.
type list struct{ count, pointer uint32 }

// dictNode is a node of a DICT.
type dictNode struct {
	node
	name, object uint32 // pointers
}

// objectHeader is a shader object without the content of its lists.
type objectHeader struct {
	*Object                                        // as in fileHeader
	kind, revision, name                           uint32
	metadata, dvlb, commandsA, programs, commandsB list
	padding                                        [16]byte
}

var (
	headerRecord = wire.NewRecord("Header",
		wire.Magic[fileHeader]("CGFX"),
		wire.Uint("byte_order", func(h *fileHeader) *uint16 { return &h.byteOrder }, "bytes FF FE").As(wire.ShowHex),
		wire.Uint("header_size", func(h *fileHeader) *uint16 { return &h.headerSize }, "H, 0x14").As(wire.ShowHex),
		wire.Uint("revision", func(h *fileHeader) *uint32 { return &h.revision }, "usually 0x05000000").
			As(wire.ShowHex).Must("CGFX006", wire.IsHex(usualRevision), diag.Hex),
		wire.Uint("size", func(h *fileHeader) *uint32 { return &h.size },
			"of the file; bytes behind it belong to nothing"),
		wire.Uint("blocks", func(h *fileHeader) *uint32 { return &h.blocks }, "1 DATA, 2 DATA and IMAG"),
	)
	dataRecord = wire.NewRecord("DATA, at H; the pairs follow",
		wire.Magic[block]("DATA", "CGFX010"),
		wire.Uint("size", func(b *block) *uint32 { return &b.size }, "of the block with these 8 bytes"),
	)
	pairRecord = wire.NewRecord("Pair: a kind of content; kind 4 is shaders",
		counted("", "count", "dict", func(p *list) *list { return p }, "")...,
	)
	dictRecord = wire.NewRecord("DICT, a Patricia trie of names; n+1 nodes follow, the root first",
		wire.Magic[block]("DICT", "DICT002"),
		wire.Uint("size", func(b *block) *uint32 { return &b.size }, "0x0C + 0x10 (n+1)"),
		wire.Uint("count", func(b *block) *uint32 { return &b.count }, "n, the number of entries"),
	)
	nodeRecord = wire.NewRecord("Node of a DICT",
		wire.Uint("bit", func(n *dictNode) *uint32 { return &n.bit },
			"reference bit; FFFFFFFF in the root").As(wire.ShowHex),
		wire.Uint("left", func(n *dictNode) *uint16 { return &n.left }, ""),
		wire.Uint("right", func(n *dictNode) *uint16 { return &n.right }, ""),
		pointer("name", func(n *dictNode) *uint32 { return &n.name }),
		pointer("object", func(n *dictNode) *uint32 { return &n.object }),
	)
	objectRecord = wire.NewRecord("SHDR, a shader object", append(append([]wire.Field[objectHeader]{
		wire.Uint("type", func(o *objectHeader) *uint32 { return &o.kind },
			"0x80000002; 0x80000001 (once 0x00000101): a reference, with other fields").As(showType),
		wire.Magic[objectHeader]("SHDR", "SHDR002"),
		wire.Uint("revision", func(o *objectHeader) *uint32 { return &o.revision }, "usually 0x06000000").
			As(wire.ShowHex).Must("SHDR004", wire.IsHex(objectRevision), diag.Hex),
		pointer("name", func(o *objectHeader) *uint32 { return &o.name }),
	}, objectLists()...),
		wire.Raw("padding", 16, func(o *objectHeader) []byte { return o.padding[:] }, "zero"))...)
	referenceRecord = objectRecord.First(2)
	pointerRecord   = wire.NewRecord("Pointer to a program",
		pointer("", func(p *uint32) *uint32 { return p }).In("pointers"))
	programRecord = wire.NewRecord("Program",
		wire.Uint("flag", func(p *Program) *uint32 { return &p.Flag }, "").As(wire.ShowHex),
		wire.Uint("vertex", func(p *Program) *int32 { return &p.Vertex },
			"index of a DVLE, -1 none").As(wire.ShowSigned),
		wire.Uint("geometry", func(p *Program) *int32 { return &p.Geometry },
			"index of a DVLE, -1 none").As(wire.ShowSigned),
		wire.Raw("opaque", len(Opaque{}), func(p *Program) []byte { return p.Opaque[:] }, "unknown"),
	)
)

// The rules about magics, which the walk evaluates before it reads the records.
var (
	dataMagicRule   = dataRecord.Only("CGFX010")
	dictMagicRule   = dictRecord.Only("DICT002")
	objectMagicRule = objectRecord.Only("SHDR002")
)

// Show lists the fields of a program with their values; of opaque bytes that are not zero
// it gives the name only.
func (p Program) Show() string {
	var shown []string
	b := programRecord.Append(nil, p)
	for _, r := range programRecord.AppendRegions(nil, b, 0, le, "") {
		switch {
		case r.Kind == diag.FieldRegion:
			shown = append(shown, r.Path+" "+r.Value)
		case len(bytes.Trim(b[r.Off:r.Off+r.Len], "\x00")) > 0:
			shown = append(shown, r.Path+" bytes")
		}
	}
	return strings.Join(shown, ", ")
}

// Records lists the records of the tables in doc.go, in the order of a file.
var Records = []wire.Documented{headerRecord, dataRecord, pairRecord, dictRecord, nodeRecord, objectRecord,
	programRecord}

func pointer[T any](name string, at func(*T) *uint32) wire.Field[T] {
	return wire.Uint(name, at, "pointer").As(showPointer)
}

// counted returns the two fields of a list.
func counted[T any](name, count, pointed string, at func(*T) *list, doc string) []wire.Field[T] {
	return []wire.Field[T]{
		wire.Uint(name+count, func(v *T) *uint32 { return &at(v).count }, doc),
		pointer(name+pointed, func(v *T) *uint32 { return &at(v).pointer }),
	}
}

func objectLists() (fields []wire.Field[objectHeader]) {
	for _, x := range [...]struct {
		name, count, doc string
		at               func(o *objectHeader) *list
	}{
		{"metadata", ".count", "opaque", func(o *objectHeader) *list { return &o.metadata }},
		{"dvlb", ".size", "bytes", func(o *objectHeader) *list { return &o.dvlb }},
		{"commands_a", ".count", "words, opaque", func(o *objectHeader) *list { return &o.commandsA }},
		{"programs", ".count", "an array of pointers", func(o *objectHeader) *list { return &o.programs }},
		{"commands_b", ".count", "words, opaque", func(o *objectHeader) *list { return &o.commandsB }},
	} {
		fields = append(fields, counted(x.name, x.count, ".pointer", x.at, x.doc)...)
	}
	return fields
}

// showPointer formats a pointer as the distance from its own place.
func showPointer(n uint64) string {
	if n == 0 {
		return "null"
	}
	return fmt.Sprintf("%+#x", int32(n))
}
