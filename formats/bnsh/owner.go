package bnsh

import (
	"slices"
	"strconv"

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
	objectPart
	binaryCodePart
	packedCodePart
	textCodePart
	controlPart
	codePart
	packedPart
	textPointersPart
	textSizesPart
	textPart
	reflectionPart
	stageReflectionPart
	extensionPart
	dictionaryPart
	slotsPart
	poolPart
	poolMemoryPart
	poolObjectPart
	stringPart
	relocationPart
	numParts
)

// scope is the prefix of the path of a part.
type scope uint8

const (
	fileScope       scope = iota //
	variationScope               // variations[3]
	programScope                 // variations[3].binary
	stageScope                   // variations[3].binary.vertex
	reflectionScope              // variations[3].binary.reflection.vertex
)

// parts has the scope, the name and the records of each part. A blob has no
// records.
var parts = withPointers([numParts]partKind{
	headerPart:          {scope: fileScope, name: "header", record: headerRecord},
	containerPart:       {scope: fileScope, name: "container", record: containerRecord},
	variationPart:       {scope: variationScope, record: variationRecord},
	programPart:         {scope: programScope, record: programRecord},
	objectPart:          {scope: programScope, name: ".object"},
	binaryCodePart:      {scope: stageScope, record: binaryCodeRecord},
	packedCodePart:      {scope: stageScope, record: packedCodeRecord},
	textCodePart:        {scope: stageScope, record: textCodeRecord},
	controlPart:         {scope: stageScope, name: ".control", sort: controlBlob},
	codePart:            {scope: stageScope, name: ".code", sort: codeBlob},
	packedPart:          {scope: stageScope, name: ".code", sort: dataBlob},
	textPointersPart:    {scope: stageScope, name: ".text_pointers", elements: textPointerRecord.Struct},
	textSizesPart:       {scope: stageScope, name: ".text_sizes", elements: textSizeRecord.Struct},
	textPart:            {scope: stageScope, name: ".texts", sort: dataBlob},
	reflectionPart:      {scope: programScope, name: ".reflection", record: reflectionRecord},
	stageReflectionPart: {scope: reflectionScope, record: stageReflectionRecord},
	extensionPart:       {scope: reflectionScope, name: ".extension", record: extensionRecord},
	dictionaryPart: {scope: reflectionScope, record: dictionaryRecord,
		elements: entryRecord.Struct},
	slotsPart:      {scope: reflectionScope, name: ".slots", elements: slotRecord.Struct},
	poolPart:       {scope: fileScope, name: "pool", record: poolRecord},
	poolMemoryPart: {scope: fileScope, name: "pool.memory"},
	poolObjectPart: {scope: fileScope, name: "pool.object"},
	stringPart:     {scope: fileScope, name: "strings", record: stringsRecord},
	relocationPart: {scope: fileScope, name: "relocation_table", record: relocationRecord},
})

type partKind struct {
	scope    scope
	name     string
	record   *wire.Record[item] // at the start
	elements diag.Struct        // the fields of each element of the table after it
	sort     blobSort           // equal blobs of one sort may be shared

	fields                    diag.Struct // of the record
	rules                     wire.Ruled  // about these fields
	pointers, elementPointers []uint64    // offsets in the record and in an element
}

func withPointers(parts [numParts]partKind) [numParts]partKind {
	for i := range parts {
		p := &parts[i]
		if p.record != nil {
			p.fields, p.rules = p.record.Struct, p.record.Ruled
		}
		p.pointers, p.elementPointers = pointersOf(p.fields), pointersOf(p.elements)
	}
	return parts
}

// blobSort is a set of blobs. Equal blobs of one set may be shared.
type blobSort uint8

const (
	notBlob blobSort = iota
	controlBlob
	codeBlob
	dataBlob // packed code and texts
)

// owner names the record, table or blob that bytes belong to.
type owner struct {
	variation int32
	index     int32 // of a text
	part      part
	slot      Slot
	stage     Stage
	kind      Kind // of a dictionary
}

// String returns the path, "variations[3].binary.reflection.vertex.inputs".
func (o owner) String() string {
	p := &parts[o.part]
	b := make([]byte, 0, 80)
	if p.scope >= variationScope {
		b = append(b, "variations["...)
		b = strconv.AppendInt(b, int64(o.variation), 10)
		b = append(b, ']')
	}
	if p.scope >= programScope {
		b = append(b, '.')
		b = append(b, o.slot.String()...)
	}
	if p.scope == reflectionScope {
		b = append(b, ".reflection"...)
	}
	if p.scope >= stageScope {
		b = append(b, '.')
		b = append(b, o.stage.String()...)
	}
	b = append(b, p.name...)
	switch o.part {
	case textPart:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(o.index), 10)
		b = append(b, ']')
	case dictionaryPart:
		b = append(b, '.')
		b = append(b, o.kind.String()...)
	}
	return string(b)
}

// as returns the owner of another part of the same stage.
func (o owner) as(p part) owner {
	o.part = p
	return o
}

// place returns the place of a field of the owner's record at base, or of the
// record when field is empty.
func (o owner) place(base uint64, field string) diag.Place {
	return parts[o.part].fields.At(base, diag.Path{Prefix: o.String() + ".", Field: field})
}

// bytes returns the place of n bytes at off that belong to the owner.
func (o owner) bytes(off, n uint64) diag.Place {
	return diag.Place{Off: off, Len: n, Path: diag.Path{Prefix: o.String()}}
}

// element returns the place of a field of element i of the owner's table, which
// is at off.
func (o owner) element(off uint64, i int, field string) diag.Place {
	return parts[o.part].elements.At(off, diag.Path{Table: o.String(), Index: i, Field: field})
}

// pointer returns the path of the pointer at an offset in the owner's record or table. ok is false if the owner has
// none there: where records overlap, it may belong to another record.
func (o owner) pointer(off uint64) (path diag.Path, ok bool) {
	p := &parts[o.part]
	fields, pointers := p.fields, p.pointers
	path.Prefix = o.String() + "."
	if start := p.fields.Size(); off >= start && p.elements != nil {
		size := p.elements.Size()
		path = diag.Path{Table: o.String(), Index: int((off - start) / size)}
		fields, pointers, off = p.elements, p.elementPointers, (off-start)%size
	}
	if !slices.Contains(pointers, off) {
		return path, false
	}
	for _, f := range fields {
		if off == 0 {
			path.Field = f.Name
			break
		}
		off -= uint64(f.Size)
	}
	return path, true
}
