package bnsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// part is a kind of record, table or blob.
type part uint8

const (
	headerPart part = iota
	containerPart
	variationPart
	programPart
	binaryCodePart
	packedCodePart
	textCodePart
	reflectionPart
	controlPart
	packedPart
	textPointersPart
	textSizesPart
	textPart
	stageReflectionPart
	extensionPart
	dictionaryPart
	slotsPart
	poolPart
	poolObjectPart
	objectPart
	codePart
	poolMemoryPart
	stringPart
	relocationPart
	numParts
)

// row says of a part how its path reads, which bytes it has, and where the layout keeps its offset.
type row struct {
	scope scope  // the start of its path
	name  string // the rest of its path

	record   *wire.Record[item]   // at its start
	elements diag.Struct          // the fields of each element of the table that follows
	length   func(*item) uint64   // of the table; of memory without fields its bytes
	bytes    func(*item) wire.Hex // of a blob
	sort     blobSort             // equal blobs of one sort may be shared
	form     form                 // the form of code that has the part; anyForm for all
	has      func(*item) bool     // reports whether the file has the part; nil: each of its scope has
	count    func(*item) uint64   // how many a stage has, which the owner's index tells apart; nil: one

	at    func(*item) *uint32 // its offset in the layout
	align uint64              // the canonical offset is a multiple of it; 0: of 8

	fields                    diag.Struct // of the record
	rules                     wire.Ruled  // about these fields
	recordSize, elementSize   uint64
	pointers, elementPointers []uint64 // offsets in the record and in an element
	group                     int      // of placement
}

// parts is the table of the parts. Walks over a file, its writer, its regions, its paths, the canonical layout and the
// relocation entries follow from it.
var parts = completed([numParts]row{
	headerPart: {name: "header", record: headerRecord, at: (*item).unplaced},
	containerPart: {name: "container", record: containerRecord,
		at: func(x *item) *uint32 { return &x.layout.Container }},
	variationPart: {scope: variationScope, record: variationRecord, at: (*item).variationAt},
	programPart: {scope: programScope, record: programRecord,
		at: func(x *item) *uint32 { return &x.program.layout.Record }},

	binaryCodePart: {scope: stageScope, form: binaryForm, record: binaryCodeRecord, at: (*item).codeAt},
	packedCodePart: {scope: stageScope, form: packedForm, record: packedCodeRecord, at: (*item).codeAt},
	textCodePart:   {scope: stageScope, form: textForm, record: textCodeRecord, at: (*item).codeAt},
	controlPart: {scope: stageScope, name: ".control", form: binaryForm, sort: controlBlob,
		bytes: func(x *item) wire.Hex { return x.code.Control },
		at:    func(x *item) *uint32 { return &x.place.Control }},
	codePart: {scope: stageScope, name: ".code", form: binaryForm, sort: codeBlob, align: codeAlignment,
		bytes: (*item).codeBytes, at: (*item).codeBytesAt},
	packedPart: {scope: stageScope, name: ".code", form: packedForm, sort: dataBlob,
		bytes: (*item).codeBytes, at: (*item).codeBytesAt},
	textPointersPart: {scope: stageScope, name: ".text_pointers", form: textForm,
		elements: textPointerRecord.Struct, length: (*item).texts,
		at: func(x *item) *uint32 { return &x.place.Pointers }},
	textSizesPart: {scope: stageScope, name: ".text_sizes", form: textForm,
		elements: textSizeRecord.Struct, length: (*item).texts,
		at: func(x *item) *uint32 { return &x.place.Sizes }},
	textPart: {scope: stageScope, name: ".texts", form: textForm, sort: dataBlob, count: (*item).texts,
		bytes: func(x *item) wire.Hex { return x.code.Texts[x.owner.index] },
		at:    func(x *item) *uint32 { return &x.place.Texts[x.owner.index] }},

	reflectionPart: {scope: programScope, name: ".reflection", record: reflectionRecord,
		has: func(x *item) bool { return x.program.Reflection != nil },
		at:  func(x *item) *uint32 { return &x.program.layout.Reflection }},
	stageReflectionPart: {scope: reflectionScope, record: stageReflectionRecord,
		at: func(x *item) *uint32 { return &x.names.Record }},
	extensionPart: {scope: reflectionScope, name: ".extension", record: extensionRecord,
		has: func(x *item) bool { return x.stage.Extended },
		at:  func(x *item) *uint32 { return &x.names.Extension }},
	dictionaryPart: {scope: reflectionScope, record: dictionaryRecord, elements: entryRecord.Struct,
		count:  func(x *item) uint64 { return uint64(x.stage.kinds()) },
		has:    func(x *item) bool { return x.dictionary().Offset != 0 || len(x.keys()) > 0 },
		length: func(x *item) uint64 { return uint64(len(x.keys())) + 1 },
		at:     func(x *item) *uint32 { return &x.dictionary().Offset }},
	slotsPart: {scope: reflectionScope, name: ".slots", elements: slotRecord.Struct,
		length: func(x *item) uint64 { return uint64(len(x.stage.Slots)) },
		at:     func(x *item) *uint32 { return &x.names.Slots }},

	poolPart: {name: "pool", record: poolRecord,
		has: func(x *item) bool { return x.layout.Pool.Record != 0 },
		at:  func(x *item) *uint32 { return &x.layout.Pool.Record }},
	poolObjectPart: {name: "pool.object",
		has:    func(x *item) bool { return x.layout.Pool.Object != 0 },
		length: func(x *item) uint64 { return poolObjectSize },
		at:     func(x *item) *uint32 { return &x.layout.Pool.Object }},
	objectPart: {scope: programScope, name: ".object", align: 1,
		has:    func(x *item) bool { return x.program.layout.Object != 0 },
		length: func(x *item) uint64 { return uint64(x.program.ObjectSize) },
		at:     func(x *item) *uint32 { return &x.program.layout.Object }},

	// No walk yields these parts.
	poolMemoryPart: {name: "pool.memory"},
	stringPart:     {name: "strings", record: stringsRecord},
	relocationPart: {name: "relocation_table", record: relocationRecord},
})

// completed derives the last columns from the others.
func completed(parts [numParts]row) [numParts]row {
	for i := range parts {
		p := &parts[i]
		if p.record != nil {
			p.fields, p.rules = p.record.Struct, p.record.Ruled
		}
		p.recordSize, p.elementSize = p.fields.Size(), max(p.elements.Size(), 1)
		p.pointers, p.elementPointers = pointersOf(p.fields), pointersOf(p.elements)
		if p.align == 0 {
			p.align = 8
		}
	}
	for i, g := range placement {
		for _, part := range slices.Concat(g...) {
			parts[part].group = i
		}
	}
	return parts
}

// group is a list of runs. A walk takes a program after the other, and for each the runs in their order; the parts of
// a run stand together, stage after stage.
type group [][]part

// The groups, in the order of the canonical layout. The memory of the pool is the place of the codes.
const (
	headGroup = iota
	variationGroup
	programGroup
	poolGroup
	objectGroup
	codeGroup
)

var placement = [...]group{
	headGroup:      {{headerPart, containerPart}},
	variationGroup: {{variationPart}},
	programGroup: {
		{programPart},
		{binaryCodePart, packedCodePart, textCodePart},
		{reflectionPart},
		{controlPart, packedPart, textPointersPart, textSizesPart, textPart},
		{stageReflectionPart, extensionPart},
		{dictionaryPart, slotsPart},
	},
	poolGroup:   {{poolPart, poolObjectPart}},
	objectGroup: {{objectPart}},
	codeGroup:   {{codePart}},
}

// blobSort is a set of blobs. Equal blobs of one set may be shared.
type blobSort uint8

const (
	notBlob blobSort = iota
	controlBlob
	codeBlob
	dataBlob // packed code and texts
)
