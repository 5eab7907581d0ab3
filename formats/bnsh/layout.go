package bnsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// Layout holds what is needed to write a file byte for byte and carries no
// meaning: where everything is, which blobs are one, the string pool, the trees
// of the dictionaries, the relocation table, and the bytes that belong to
// nothing. All offsets are from the start of the file; 0 where there is nothing
// to place.
type Layout struct {
	Container     uint32          `json:"container"`
	ContainerSize uint32          `json:"container_size"` // as the container says it; its end is where the strings start
	Variations    uint32          `json:"variations"`
	Programs      []ProgramLayout `json:"programs"` // by variation, then slot
	Pool          PoolLayout      `json:"pool"`
	Strings       uint32          `json:"strings"`
	StringPool    []Text          `json:"string_pool"` // the leading empty string included
	Name          uint32          `json:"name"`        // index of the file name in the string pool
	Relocations   uint32          `json:"relocations"`
	Sections      [6]Section      `json:"sections"`
	Gaps          []Gap           `json:"gaps,omitempty"` // only bytes that are not zero
}

// PoolLayout is the place of the memory pool.
type PoolLayout struct {
	Record uint32 `json:"record"`
	Object uint32 `json:"object"`
	Memory uint32 `json:"memory"`
	Size   uint32 `json:"size"`
}

// ProgramLayout is the place of a program and of all that only it refers to.
type ProgramLayout struct {
	Record      uint32                          `json:"record"`
	Object      uint32                          `json:"object"`
	Stages      PerStage[CodeLayout]            `json:"stages"`
	Reflection  uint32                          `json:"reflection,omitempty"`
	Reflections PerStage[StageReflectionLayout] `json:"reflections"`
}

// CodeLayout is the place of the code of one stage.
type CodeLayout struct {
	Record  uint32   `json:"record"`
	Control uint32   `json:"control,omitempty"`
	Code    uint32   `json:"code,omitempty"`
	Texts   []uint32 `json:"texts,omitempty"`
	// Pointers and Sizes are the two arrays that lead to the texts.
	Pointers uint32 `json:"pointers,omitempty"`
	Sizes    uint32 `json:"sizes,omitempty"`
}

// StageReflectionLayout is the place of a stage's reflection.
type StageReflectionLayout struct {
	Record       uint32                     `json:"record"`
	Extension    uint32                     `json:"extension,omitempty"`
	Dictionaries [NumKinds]DictionaryLayout `json:"dictionaries"`
	Slots        uint32                     `json:"slots,omitempty"`
}

// DictionaryLayout is the place of a dictionary and its tree, root first. A
// table without names may have one with a root only.
type DictionaryLayout struct {
	Offset uint32 `json:"offset"`
	Nodes  []Node `json:"nodes,omitempty"`
}

// Section is a range whose bytes the runtime may move, with the pointers into
// it.
type Section struct {
	Position uint32            `json:"position"`
	Size     uint32            `json:"size"`
	Entries  []RelocationEntry `json:"entries,omitempty"`
}

// Gap is a run of bytes that belongs to no structure.
type Gap struct {
	Offset uint32   `json:"offset"`
	Bytes  wire.Hex `json:"bytes"`
}

// span is one record or blob at its place in the file.
type span struct {
	off, len uint32
	owner    owner
}

func (s span) end() uint64 { return uint64(s.off) + uint64(s.len) }

// shares reports whether two references lead to one blob.
func (s span) shares(o span) bool {
	sort := parts[s.owner.part].sort
	return s.off == o.off && s.len == o.len && sort != notBlob && sort == parts[o.owner.part].sort
}

// spans returns every record and blob below the string block by offset, blobs
// that are shared once for each reference. The memory pool is not one of them,
// what it holds is. Any more are sorted in.
func (f *File) spans(l *Layout, more ...span) []span {
	n := len(more)
	f.visit(l, func(uint32, uint64, owner) { n++ })
	found := make([]span, 0, n)
	f.visit(l, func(off uint32, size uint64, o owner) { found = append(found, span{off, uint32(size), o}) })
	found = append(found, more...)
	order := make([]uint64, 0, n) // offset and index, to be sorted as one number
	for i, s := range found {
		order = append(order, uint64(s.off)<<32|uint64(i))
	}
	slices.Sort(order)
	sorted := make([]span, n)
	for i, x := range order {
		sorted[i] = found[uint32(x)]
	}
	return sorted
}

// programRef is a program with its layout and place in the model.
type programRef struct {
	*Program
	layout *ProgramLayout
	owner  owner
}

// programs yields every program in the order of variation and slot. The layout
// must have as many.
func (f *File) programs(l *Layout) func(yield func(programRef) bool) {
	return func(yield func(programRef) bool) {
		k := 0
		for i := range f.Variations {
			for slot := range Slot(NumSlots) {
				p := f.Variations[i].Program(slot)
				if p == nil {
					continue
				}
				if !yield(programRef{p, &l.Programs[k], owner{part: programPart, variation: int32(i), slot: slot}}) {
					return
				}
				k++
			}
		}
	}
}

// visit calls yield for each record and blob; those of size 0 are not there, nor
// is what a reader has not come to yet.
func (f *File) visit(l *Layout, yield func(off uint32, size uint64, o owner)) {
	yield(0, headerSize, owner{part: headerPart})
	yield(l.Container, containerSize, owner{part: containerPart})
	for i := range f.Variations {
		yield(l.Variations+uint32(i)*variationSize, variationSize, owner{part: variationPart, variation: int32(i)})
	}
	for p := range f.programs(l) {
		p.visit(yield)
	}
	if l.Pool.Record != 0 {
		yield(l.Pool.Record, poolSize, owner{part: poolPart})
		if l.Pool.Object != 0 {
			yield(l.Pool.Object, poolObjectSize, owner{part: poolObjectPart})
		}
	}
}

func (p programRef) visit(yield func(off uint32, size uint64, o owner)) {
	o := p.owner
	blob := func(off uint32, size int, part part) {
		if size > 0 {
			yield(off, uint64(size), o.as(part))
		}
	}
	yield(p.layout.Record, programSize, o)
	if p.layout.Object != 0 {
		blob(p.layout.Object, int(p.ObjectSize), objectPart)
	}
	for s, code := range p.Stages {
		if code == nil {
			continue
		}
		o.stage = Stage(s)
		at := p.layout.Stages[s]
		switch p.form() {
		case binaryForm:
			yield(at.Record, binaryCodeSize, o.as(binaryCodePart))
			blob(at.Control, len(code.Control), controlPart)
			blob(at.Code, len(code.Code), codePart)
		case packedForm:
			yield(at.Record, packedCodeSize, o.as(packedCodePart))
			blob(at.Code, len(code.Code), packedPart)
		case textForm:
			yield(at.Record, textCodeSize, o.as(textCodePart))
			blob(at.Pointers, 8*len(code.Texts), textPointersPart)
			blob(at.Sizes, 4*len(code.Texts), textSizesPart)
			for i, text := range code.Texts {
				o.index = int32(i)
				blob(at.Texts[i], len(text), textPart)
			}
			o.index = 0
		}
	}
	if p.Reflection == nil {
		return
	}
	yield(p.layout.Reflection, reflectionSize, o.as(reflectionPart))
	for s, r := range p.Reflection {
		if r == nil {
			continue
		}
		o.stage = Stage(s)
		at := p.layout.Reflections[s]
		yield(at.Record, stageReflectionSize, o.as(stageReflectionPart))
		if r.Extended {
			yield(at.Extension, extensionSize, o.as(extensionPart))
		}
		for k, d := range at.Dictionaries {
			if d.Offset != 0 {
				o.kind = Kind(k)
				yield(d.Offset, dictionarySize(len(r.Tables[k].Keys)), o.as(dictionaryPart))
			}
		}
		o.kind = 0
		blob(at.Slots, 4*len(r.Slots), slotsPart)
	}
}

// dictionarySize returns the size of a dictionary of n items.
func dictionarySize(n int) uint64 { return dictionaryHeadSize + entrySize*(uint64(n)+1) }

func align(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }
