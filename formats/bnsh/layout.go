package bnsh

import (
	"iter"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// Layout holds the data that a lossless writer needs and that carries no meaning: offsets, shared blobs, the string
// pool, the trees of the dictionaries, the relocation table, and bytes without an owner. All offsets are from the start
// of the file; 0 stands for an absent record.
type Layout struct {
	Container uint32 `json:"container"`
	// as the container says it; its end is where the strings start
	ContainerSize uint32          `json:"container_size"`
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

// ProgramLayout has the offsets of a program and of everything that only this
// program refers to.
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

// spans yields the items of a file by offset. It marks the positions of their
// pointers in pointers, unless that is nil.
func (f *File) spans(l *Layout, pointers bitmap) iter.Seq[span] {
	room := 4 + len(f.Variations) // header, container, pool and its object
	for i := range l.Programs {
		room += l.Programs[i].items()
	}
	found := make([]span, 0, room)
	order := make([]uint64, 0, room) // offset and index as one number, for sorting
	for x := range f.items(l) {
		order = append(order, x.off<<32|uint64(len(found)))
		found = append(found, span{uint32(x.off), uint32(x.size), x.owner})
		if pointers != nil {
			x.mark(pointers)
		}
	}
	slices.Sort(order)
	return func(yield func(span) bool) {
		for _, x := range order {
			if !yield(found[uint32(x)]) {
				return
			}
		}
	}
}

// items returns an upper limit of the number of items of a program.
func (l *ProgramLayout) items() int {
	n := 3 // the program, its object, its reflection table
	for _, code := range l.Stages {
		if code != nil {
			n += 3 + len(code.Texts) // the record, its control and code or its tables
		}
	}
	for _, names := range l.Reflections {
		if names == nil {
			continue
		}
		n += 3 // the record, its extension and slots
		for k := range names.Dictionaries {
			if names.Dictionaries[k].Offset != 0 {
				n++
			}
		}
	}
	return n
}

// variation returns the offset of a variation.
func (l *Layout) variation(i int32) uint32 { return l.Variations + uint32(i)*uint32(variationSize) }

// dictionarySize returns the size of a dictionary of n items.
func dictionarySize(n int) uint64 { return dictionaryHeadSize + entrySize*(uint64(n)+1) }

func align(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }
