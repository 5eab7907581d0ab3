package bnsh

import (
	"cmp"
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

	record   *wire.Record[item]    // at its start
	elements diag.Struct           // the fields of each element of the table that follows
	length   func(*item) uint64    // of the table; of memory without fields its bytes
	bytes    func(*item) *wire.Hex // of a blob
	sort     blobSort              // equal blobs of one sort may be shared
	form     form                  // the form of code that has the part; anyForm for all
	has      func(*item) bool      // reports whether the file has the part; nil: each of its scope has
	count    func(*item) uint64    // how many a stage has, which the owner's index tells apart; nil: one

	at    func(*item) *uint32 // its offset in the layout
	align uint64              // the canonical offset is a multiple of it; 0: of 8

	holder  part       // the part whose record has the pointer to it
	pointer string     // the name of the pointer without ".pointer"; "" if the slot, stage or kind names it
	extent  string     // the field with the bytes of a blob
	step    uint64     // the offset must be a multiple of it; 0: of 8
	rule    string     // about its place
	zero    string     // about its reserved bytes; "": rule
	lose    incomplete // what is not known when it is not found

	fields                    diag.Struct // of the record
	rules                     wire.Ruled  // about these fields
	recordSize, elementSize   uint64
	pointers, elementPointers []uint64 // offsets in the record and in an element
	least                     uint64   // the smallest size of the part
	pointerAt, extentAt       uint64   // offsets in the record of the holder
	reserved                  []zeros  // of the record
}

// parts is the table of the parts. Walks over a file, its reader and writer, its regions, its paths, the canonical
// layout and the relocation entries follow from it.
var parts = completed([numParts]row{
	headerPart:    {name: "header", record: headerRecord, at: (*item).unplaced, zero: "BNSH008"},
	containerPart: {name: "container", record: containerRecord, at: (*item).containerAt, zero: "BNSH011"},
	variationPart: {scope: variationScope, record: variationRecord, at: (*item).variationAt,
		holder: containerPart, pointer: "variations", rule: "BNSH020", zero: "BNSH021", lose: someRecord},
	programPart: {scope: programScope, record: programRecord, at: (*item).programAt,
		holder: variationPart, rule: "BNSH022", zero: "BNSH023", lose: someRecord},

	binaryCodePart: {scope: stageScope, form: binaryForm, record: binaryCodeRecord, at: (*item).codeRecordAt,
		holder: programPart, rule: "BNSH030", lose: someCode},
	packedCodePart: {scope: stageScope, form: packedForm, record: packedCodeRecord, at: (*item).codeRecordAt,
		holder: programPart, rule: "BNSH036", lose: someCode},
	textCodePart: {scope: stageScope, form: textForm, record: textCodeRecord, at: (*item).codeRecordAt,
		holder: programPart, rule: "BNSH036", lose: someCode},

	controlPart: {scope: stageScope, name: ".control", form: binaryForm, sort: controlBlob,
		bytes: func(x *item) *wire.Hex { return &x.code.Control }, at: (*item).controlAt,
		holder: binaryCodePart, pointer: "control", extent: "control_size", rule: "BNSH031"},
	codePart: {scope: stageScope, name: ".code", form: binaryForm, sort: codeBlob,
		bytes: (*item).codeBytes, at: (*item).codeAt, align: codeAlignment,
		holder: binaryCodePart, pointer: "code", extent: "code_size", rule: "BNSH032", lose: someCode},
	packedPart: {scope: stageScope, name: ".code", form: packedForm, sort: dataBlob,
		bytes: (*item).codeBytes, at: (*item).codeAt,
		holder: packedCodePart, pointer: "code", extent: "size", rule: "BNSH036"},
	textPointersPart: {scope: stageScope, name: ".text_pointers", form: textForm,
		elements: textPointerRecord.Struct, length: (*item).texts, at: (*item).textPointersAt,
		holder: textCodePart, pointer: "text_pointers", rule: "BNSH036"},
	textSizesPart: {scope: stageScope, name: ".text_sizes", form: textForm,
		elements: textSizeRecord.Struct, length: (*item).texts, at: (*item).textSizesAt,
		holder: textCodePart, pointer: "text_sizes", step: 4, rule: "BNSH036"},
	textPart: {scope: stageScope, name: ".texts", form: textForm, sort: dataBlob, count: (*item).texts,
		bytes: func(x *item) *wire.Hex { return &x.code.Texts[x.owner.index] }, at: (*item).textAt, rule: "BNSH036"},

	reflectionPart: {scope: programScope, name: ".reflection", record: reflectionRecord, at: (*item).reflectionAt,
		has:    func(x *item) bool { return x.program.Reflection != nil },
		holder: programPart, pointer: "reflection", rule: "BNSH050", lose: someKey},
	stageReflectionPart: {scope: reflectionScope, record: stageReflectionRecord, at: (*item).stageReflectionAt,
		holder: reflectionPart, rule: "BNSH050", lose: someKey},
	extensionPart: {scope: reflectionScope, name: ".extension", record: extensionRecord, at: (*item).extensionAt,
		has:    func(x *item) bool { return x.stage.Extended },
		holder: stageReflectionPart, pointer: "extension", rule: "BNSH050", lose: someKey},
	dictionaryPart: {scope: reflectionScope, record: dictionaryRecord, elements: entryRecord.Struct,
		at:     (*item).dictionaryAt,
		count:  func(x *item) uint64 { return uint64(x.stage.kinds()) },
		has:    func(x *item) bool { return x.dictionary().Offset != 0 || len(x.keys()) > 0 },
		length: func(x *item) uint64 { return uint64(len(x.keys())) + 1 },
		rule:   "BNSH053", lose: someKey},
	slotsPart: {scope: reflectionScope, name: ".slots", elements: slotRecord.Struct, at: (*item).slotsAt,
		length: func(x *item) uint64 { return uint64(len(x.stage.Slots)) },
		holder: stageReflectionPart, pointer: "slots", step: 4, rule: "BNSH051"},

	poolPart: {name: "pool", record: poolRecord, at: (*item).poolAt,
		has:    func(x *item) bool { return x.layout.Pool.Record != 0 },
		holder: containerPart, pointer: "pool", rule: "BNSH040", lose: someCode},
	poolObjectPart: {name: "pool.object", at: (*item).poolObjectAt,
		has:    func(x *item) bool { return x.layout.Pool.Object != 0 },
		length: func(*item) uint64 { return poolObjectSize },
		holder: poolPart, pointer: "object", rule: "BNSH041"},
	objectPart: {scope: programScope, name: ".object", at: (*item).objectAt, align: 1,
		has:    func(x *item) bool { return x.program.layout.Object != 0 },
		length: func(x *item) uint64 { return uint64(x.program.ObjectSize) },
		holder: programPart, pointer: "object", extent: "object_size", rule: "BNSH027", lose: someObject},

	// No walk yields these parts.
	poolMemoryPart: {name: "pool.memory", at: (*item).poolMemoryAt,
		holder: poolPart, pointer: "memory", extent: "size", rule: "BNSH040", lose: someCode},
	stringPart:     {name: "strings", record: stringsRecord, zero: "BNSH060"},
	relocationPart: {name: "relocation_table", record: relocationRecord, zero: "BNSH070"},
})

// zeros is a field of a record that must be zero.
type zeros struct {
	off, size uint64
	name      string
}

// completed derives the last columns from the others.
func completed(parts [numParts]row) [numParts]row {
	for i := range parts {
		p := &parts[i]
		if p.record != nil {
			p.fields, p.rules = p.record.Struct, p.record.Ruled
		}
		p.recordSize, p.elementSize = p.fields.Size(), max(p.elements.Size(), 1)
		off := uint64(0)
		for _, f := range p.fields {
			if f.Kind == diag.OpaqueRegion {
				p.reserved = append(p.reserved, zeros{off, uint64(f.Size), f.Name})
			}
			off += uint64(f.Size)
		}
		p.pointers, p.elementPointers = pointersOf(p.fields), pointersOf(p.elements)
		p.align, p.step, p.zero = cmp.Or(p.align, 8), cmp.Or(p.step, 8), cmp.Or(p.zero, p.rule)
		p.least = p.recordSize + p.elements.Size()
		if record := parts[p.holder].record; p.pointer != "" {
			p.pointerAt = record.Offset(p.pointer + pointerSuffix)
			if p.extent != "" {
				p.extentAt = record.Offset(p.extent)
			}
		}
	}
	parts[poolObjectPart].least = poolObjectSize
	return parts
}

// group is a list of runs, for each form of code without the parts that it lacks. A walk takes a program after the
// other, and for each the runs in their order; the parts of a run stand together, stage after stage.
type group [textForm + 1][][]part

// placement has the parts in the order of the canonical layout, which is the order of their numbers. The memory of the
// pool is the place of the codes.
var placement = [...]group{
	runs([]part{headerPart, containerPart}),
	runs([]part{variationPart}),
	runs(
		[]part{programPart},
		[]part{binaryCodePart, packedCodePart, textCodePart},
		[]part{reflectionPart},
		[]part{controlPart, packedPart, textPointersPart, textSizesPart, textPart},
		[]part{stageReflectionPart, extensionPart},
		[]part{dictionaryPart, slotsPart},
	),
	runs([]part{poolPart, poolObjectPart}),
	runs([]part{objectPart}),
	runs([]part{codePart}),
}

// The parts that are walked over alone.
var (
	binaryCodes  = runs([]part{binaryCodePart})
	dictionaries = runs([]part{dictionaryPart})
)

// runs makes a group; with anyForm it has all parts.
func runs(all ...[]part) (g group) {
	for f := range g {
		for _, run := range all {
			run = slices.DeleteFunc(slices.Clone(run), func(p part) bool {
				return form(f) != anyForm && parts[p].form != anyForm && parts[p].form != form(f)
			})
			if len(run) > 0 {
				g[f] = append(g[f], run)
			}
		}
	}
	return g
}

// blobSort is a set of blobs. Equal blobs of one set may be shared.
type blobSort uint8

const (
	notBlob blobSort = iota
	controlBlob
	codeBlob
	dataBlob // packed code and texts
)
