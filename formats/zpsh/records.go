package zpsh

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

//go:generate go test -run ^TestDoc$ -update .

var le = binary.LittleEndian

// fileHeader is the header as it is stored. The writer computes the counts.
type fileHeader struct {
	*File
	counts      uint32
	stringWords uint16
}

// entryHeader is the header of an entry as it is stored. The writer computes the masks
// from the lists of the entry.
type entryHeader struct {
	*Entry
	ints       uint16
	floats     [3]uint32
	outputMask uint32
}

var (
	headerRecord = wire.NewRecord("Header",
		wire.Magic[fileHeader]("ZPSH", "ZPSH002"),
		wire.Uint("counts", func(h *fileHeader) *uint32 { return &h.counts },
			"bits 0-11 E, bits 12-23 I-1, bits 24-31 D").As(showCounts),
		wire.Uint("string_words", func(h *fileHeader) *uint16 { return &h.stringWords }, "S"),
		wire.Uint("flags", func(h *fileHeader) *uint8 { return &h.File.Flags }, "reserved").
			As(wire.ShowHex).Must("ZPSH005", wire.Is(0), diag.Hex),
		wire.Uint("header_words", func(h *fileHeader) *Revision { return &h.Revision },
			"header size in words, without the offset table").As(nil), // a number, not "R4",
	)
	hashRecord = wire.NewRecord("R4: last word of the header, at 0x0C",
		wire.Uint("hash", func(h *uint32) *uint32 { return h },
			"xxHash32, seed 67, of the instruction and descriptor bytes").Hex(),
	)
	offsetRecord = wire.NewRecord("R4: entry offset",
		wire.Word[uint32]("from the start of the entry area").In("entry_offsets").Hex())
	descriptorRecord = wire.NewRecord("Descriptor; one word, where the DVLP of a .shbin file has two",
		wire.Word[uint32]("operand descriptor").In("descriptors").Hex())
	entryRecord3 = wire.NewRecord("R3: entry header", slices.Concat(entryStart, entryMasks)...)
	entryRecord4 = wire.NewRecord("R4: entry header", slices.Concat(entryStart, entryFlags, entryMasks)...)
	intRecord    = wire.NewRecord("Int constant",
		wire.Raw("", 4, func(v *Int) []byte { return v.Value[:] }, "x, y, z, w").In("ints"))
	mapRecord = wire.NewRecord("Output map",
		wire.Uint("", func(o *Output) *Map { return &o.Map },
			"byte k is the semantic of component k in bits 0-4, as in the GPU register").In("outputs"))

	magicRule = headerRecord.Only("ZPSH002")

	entryStart = append(
		[]wire.Field[entryHeader]{
			wire.Uint("name", func(h *entryHeader) *uint32 { return &h.Name },
				"a byte offset into the strings").As(wire.ShowHex),
		},
		wire.Pair(func(h *entryHeader) (*uint16, *Info) { return &h.Instruction, &h.Info },
			wire.Unread[entryHeader]("instruction", 2, "a word index"),
			wire.Unread[entryHeader]("info", 2, "see Info"))...,
	)
	entryFlags = wire.Pair(func(h *entryHeader) (*uint16, *uint16) { return &h.Flags, &h.HeaderWords },
		wire.Unread[entryHeader]("flags", 2, "reserved").
			As(wire.ShowHex).Must("ZPSH013", wire.Is(0), diag.Hex),
		wire.Unread[entryHeader]("header_words", 2, "header size in words; zitrus stores 4, the true value is 8").
			Must("ZPSH014", wire.OneOf(diag.Dec, storedEntryWords, rightEntryWords), diag.Dec))
	entryMasks = slices.Concat(
		wire.Pair(func(h *entryHeader) (*uint16, *uint16) { return &h.Bools, &h.ints },
			wire.Unread[entryHeader]("bools", 2, "bit i is the value of b(i)").As(wire.ShowHex),
			wire.Unread[entryHeader]("int_mask", 2, "bits 0-3").As(wire.ShowHex)),
		wire.Pair(func(h *entryHeader) (*uint32, *uint32) { return &h.floats[0], &h.floats[1] },
			wire.Unread[entryHeader]("float_mask0", 4, "c0-c31").Hex(),
			wire.Unread[entryHeader]("float_mask1", 4, "c32-c63").Hex()),
		wire.Pair(func(h *entryHeader) (*uint32, *uint32) { return &h.floats[2], &h.outputMask },
			wire.Unread[entryHeader]("float_mask2", 4, "c64-c95").Hex(),
			wire.Unread[entryHeader]("output_mask", 4, "bits 0-15; the rest is reserved").Hex()),
	)
)

// Records lists the records in the order in which they may occur in a file. A float
// constant has no record: see doc.go.
var Records = []wire.Documented{
	headerRecord, hashRecord, offsetRecord, shbin.WordRecord, descriptorRecord, entryRecord3, entryRecord4, intRecord,
	mapRecord,
}

// entryRecord returns the record of an entry header.
func (r Revision) entryRecord() *wire.Record[entryHeader] {
	if r.hasTable() {
		return entryRecord4
	}
	return entryRecord3
}

// Sizes of the parts of a payload, in bytes.
var (
	intSize = uint64(intRecord.Bytes)
	mapSize = uint64(mapRecord.Bytes)
)

const floatSize = 12

func unpackFloat(b []byte) [4]uint32 {
	w0, w1, w2 := le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:])
	return [4]uint32{w2 & 0xFFFFFF, (w1&0xFFFF)<<8 | w2>>24, (w0&0xFF)<<16 | w1>>16, w0 >> 8}
}

// appendFloat appends four numbers of 24 bits.
func appendFloat(b []byte, v [4]uint32) []byte {
	x, y, z, w := v[0], v[1], v[2], v[3]
	b = le.AppendUint32(b, w<<8|z>>16)
	b = le.AppendUint32(b, z<<16|y>>8)
	return le.AppendUint32(b, y<<24|x)
}

func showCounts(n uint64) string {
	return fmt.Sprintf("%d entries, %d instructions, %d descriptors", n&0xFFF, n>>12&0xFFF+1, n>>24)
}

func showFloat(v [4]uint32) string {
	text := make([]string, len(v))
	for i, bits := range v {
		text[i] = pica.Float24.Show(bits)
	}
	return strings.Join(text, ", ")
}
