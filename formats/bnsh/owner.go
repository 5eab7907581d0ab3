package bnsh

import (
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

// part is a kind of record or blob.
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
)

// scope is what the path of a part names in front of its own name.
type scope uint8

const (
	fileScope       scope = iota //
	variationScope               // variations[3]
	programScope                 // variations[3].binary
	stageScope                   // variations[3].binary.vertex
	reflectionScope              // variations[3].binary.reflection.vertex
)

// parts says of each part how its path is made up and what fields it has. A
// blob has none; those of one sort may be shared.
var parts = [...]struct {
	scope  scope
	name   string
	fields diag.Struct
	sort   blobSort
}{
	headerPart:          {fileScope, "header", headerFields, 0},
	containerPart:       {fileScope, "container", containerFields, 0},
	variationPart:       {variationScope, "", variationFields, 0},
	programPart:         {programScope, "", programFields, 0},
	objectPart:          {programScope, ".object", nil, 0},
	binaryCodePart:      {stageScope, "", binaryCodeFields, 0},
	packedCodePart:      {stageScope, "", packedCodeFields, 0},
	textCodePart:        {stageScope, "", textCodeFields, 0},
	controlPart:         {stageScope, ".control", nil, controlBlob},
	codePart:            {stageScope, ".code", nil, codeBlob},
	packedPart:          {stageScope, ".code", nil, dataBlob},
	textPointersPart:    {stageScope, ".text_pointers", textPointerField, 0},
	textSizesPart:       {stageScope, ".text_sizes", textSizeField, 0},
	textPart:            {stageScope, ".texts", nil, dataBlob},
	reflectionPart:      {programScope, ".reflection", reflectionFields, 0},
	stageReflectionPart: {reflectionScope, "", stageReflectionFields, 0},
	extensionPart:       {reflectionScope, ".extension", extensionFields, 0},
	dictionaryPart:      {reflectionScope, "", dictionaryFields, 0},
	slotsPart:           {reflectionScope, ".slots", slotField, 0},
	poolPart:            {fileScope, "pool", poolFields, 0},
	poolMemoryPart:      {fileScope, "pool.memory", nil, 0},
	poolObjectPart:      {fileScope, "pool.object", nil, 0},
	stringPart:          {fileScope, "strings", stringsFields, 0},
	relocationPart:      {fileScope, "relocation_table", relocationFields, 0},
}

// blobSort is a set of blobs among which equal ones may be one.
type blobSort uint8

const (
	notBlob blobSort = iota
	controlBlob
	codeBlob
	dataBlob // packed code and texts
)

// owner names what bytes belong to.
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

// element returns the place of a field of the element at off of the owner's
// table.
func (o owner) element(fields diag.Struct, off uint64, i int, field string) diag.Place {
	return fields.At(off, diag.Path{Table: o.String(), Index: i, Field: field})
}
