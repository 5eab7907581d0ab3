package main

import (
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// bnshFound, sharcfbFound and zpshFound are files that earlier versions of our parsers judged
// wrongly. Their numbers never change.
func bnshFound() []corpus.Vector {
	full := bnshSource("v", "w")
	for i := range full.Variations {
		full.Variations[i].Source.Reflection = bnshNamed().Variations[0].Source.Reflection
	}
	inputs := draft(full, le, nil).Off(bnshInputs + ".signature")
	overlap := draft(full, le, set{bnshOutputs + ".pointer": uint64(inputs), bnshOutputs + ".first": 0})
	late := draft(bnshReflected(bnshNamed(), bnsh.Outputs, "a", "b"), le, set{bnshOutputs + ".first": 0x7FFFFFFF})
	return []corpus.Vector{
		{Name: "B001-overlap-in-a-full-file", Rule: "BNSH013", Offset: inputs,
			Comment: "reading stops because all records together are larger than the file, before the two that " +
				"overlap were compared",
			Data: overlap.Bytes},
		{Name: "B002-slots-that-end-late", Rule: "BNSH051", Offset: late.Off(bnshOutputs + ".first"),
			Comment: "the pointer to the slots was reported, not the number that makes them too many",
			Data:    late.Bytes},
		{Name: "B003-dictionary-that-is-a-chain", Comment: "each key took as long to find as all before it",
			Data: bnshBytes(bnshChain(60))},
	}
}

// Paths in bnshNamed: the dictionaries, and the fields that describe the outputs.
const (
	bnshInputs  = "variations[0].source.reflection.vertex.inputs"
	bnshOutputs = "variations[0].source.reflection.vertex.outputs"
)

// bnshChain has n inputs whose dictionary is a chain: each name differs from all others in one
// bit of its own.
func bnshChain(n int) *bnsh.File {
	keys := make([]bnsh.Text, n)
	for i := range keys {
		key := make([]byte, i/8+1)
		key[0] = 1 << (i % 8)
		keys[i] = bnsh.Text(key)
	}
	return bnshReflected(bnshNamed(), bnsh.Inputs, keys...)
}

// bnshReflected gives the first variation names of one kind.
func bnshReflected(f *bnsh.File, kind bnsh.Kind, keys ...bnsh.Text) *bnsh.File {
	var tables bnsh.Tables
	tables[kind].Keys = keys
	f.Variations[0].Source.Reflection[bnsh.Vertex] = bnshReflection(tables)
	return f
}

// zpshFound has as many names as entries, because the entries overlap: each begins a word behind
// the one before it, and its name is the number of that word.
func zpshFound() []corpus.Vector {
	const entries, headerSize = 100, 0x10
	f := zpshMinimal(zpsh.R4)
	f.Code = slices.Repeat([]uint32{wordEnd}, entries)
	f.Strings = slices.Concat(slices.Repeat([]byte{'a'}, entries), make([]byte, 4))
	area := make([]byte, 0x300)
	for i := range uint32(entries) {
		le.PutUint32(area[4*i:], i)
	}
	f.Entries, f.Layout = nil, &zpsh.Layout{Tail: area}
	b := must(f.AppendUnchecked(nil))
	var offsets []byte
	for i := range uint32(entries) {
		offsets = le.AppendUint32(offsets, 4*i)
	}
	b[4] = entries
	b = slices.Insert(b, headerSize, offsets...)
	return []corpus.Vector{{
		Name: "B002-entries-that-overlap", Rule: "ZPSH011", Offset: headerSize + 4,
		Comment: "the set of names had room for as many as fit without an overlap, and Check never ended", Data: b,
	}}
}

func sharcfbFound() []corpus.Vector {
	f := sharcSymbols(sharcfb.Little)
	p := &f.Programs[0]
	p.Uniforms = p.Uniforms[:1]
	p.Uniforms[0].Offset, p.Uniforms[0].Default = 0, nil
	p.Blocks[0].Offset, p.Blocks[0].Default = -1, nil
	negative := draft(f, le, nil)
	return []corpus.Vector{{
		Name: "B001-uniform-in-a-negative-block", Rule: "SHARC053",
		Offset:  negative.Off("programs[0].uniforms[0].offset"),
		Comment: "a block of a negative size did not bound the uniforms", Data: negative.Bytes,
	}}
}
