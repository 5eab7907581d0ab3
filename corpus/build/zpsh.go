package main

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

func init() { builders["zpsh"] = zpshSeeds }

const (
	zpshPosition zpsh.Map = 0x03020100
	zpshColor    zpsh.Map = 0x0B0A0908
)

// zpshMinimal has one vertex shader that copies a position.
func zpshMinimal(r zpsh.Revision) *zpsh.File {
	f := &zpsh.File{
		Revision:    r,
		Code:        []uint32{wordMov, wordEnd},
		Descriptors: []uint32{movMask},
		Entries: []zpsh.Entry{
			{R4Header: zpsh.R4Header{HeaderWords: zpshHeaderWords(r)}, Outputs: []zpsh.Output{{Map: zpshPosition}}}},
	}
	f.SetNames("main")
	return f
}

// zpshHeaderWords is the size of an entry header as zitrus stores it.
func zpshHeaderWords(r zpsh.Revision) uint16 {
	if r == zpsh.R3 {
		return 0
	}
	return 4
}

// zpshTypes has an entry of every type, and constants at both ends of the
// register files.
func zpshTypes(r zpsh.Revision) *zpsh.File {
	floats := []zpsh.Float{
		{Register: 0, Value: [4]uint32{0x3F0000, 0x400000, 0x3E0000, 0xBF0000}},
		{Register: 95, Value: [4]uint32{0, 0x7F0000, 0xFF0000, 0x7F8000}},
	}
	f := &zpsh.File{
		Revision:    r,
		Code:        []uint32{wordMov, wordEnd, uint32(pica.SETEMIT) << 26, wordMov, wordEmit, wordEnd},
		Descriptors: []uint32{movMask},
		Entries: []zpsh.Entry{
			{
				Bools: 1<<15 | 1,
				Ints: []zpsh.Int{{Register: 0, Value: [4]uint8{3, 0, 1, 0}},
					{Register: 3, Value: [4]uint8{255, 1, 2, 3}}},
				Floats:  floats,
				Outputs: []zpsh.Output{{Register: 0, Map: zpshPosition}, {Register: 6, Map: zpshColor}},
			},
			{Instruction: 2, Info: zpsh.PointInfo(16), Outputs: []zpsh.Output{{Map: zpshPosition}}},
			{Instruction: 2, Info: zpsh.VariableInfo(3), Floats: floats[1:]},
			{Instruction: 2, Info: zpsh.FixedInfo(4, 95)},
		},
	}
	for i := range f.Entries {
		f.Entries[i].HeaderWords = zpshHeaderWords(r)
	}
	f.SetNames("vertex", "point", "variable", "fixed")
	return f
}

// zpshPair has two vertex shaders.
func zpshPair(r zpsh.Revision, a, b string) *zpsh.File {
	f := zpshMinimal(r)
	f.Entries = slices.Repeat(f.Entries, 2)
	f.SetNames(a, b)
	return f
}

// zpshWith is zpshMinimal after an edit of its model.
func zpshWith(r zpsh.Revision, edit func(f *zpsh.File)) []byte {
	f := zpshMinimal(r)
	edit(f)
	return must(f.AppendUnchecked(nil))
}

func zpshBytes(f *zpsh.File) []byte { return must(f.AppendBinary(nil)) }

// zpshSeeds adds valid files of every shape.
func zpshSeeds(k *kit) {
	for _, r := range []zpsh.Revision{zpsh.R3, zpsh.R4} {
		k.seed("minimal-"+r.String(), "one vertex shader in "+r.String(), zpshBytes(zpshMinimal(r)))
		k.seed("types-"+r.String(), "an entry of every type in "+r.String(), zpshBytes(zpshTypes(r)))
	}
	k.seed("B001-entry-header-of-no-words", "a conversion lost the size 0 and did not say so",
		zpshWith(zpsh.R4, func(f *zpsh.File) { f.Entries[0].HeaderWords = 0 }))
	k.seed("gaps", "bytes between entries and behind the last", zpshWith(zpsh.R4, func(f *zpsh.File) {
		f.Entries = slices.Repeat(f.Entries, 2)
		f.SetNames("a", "b")
		f.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 1, Bytes: wire.Hex("hole")}}, Tail: wire.Hex("tail")}
	}))
	k.seed("uninitialised", "the upper half of the output mask as a debug build of zitrus leaves it",
		zpshWith(zpsh.R4, func(f *zpsh.File) {
			f.Entries[0].OutputReserved = 0xAAAA
		}))
	k.seed("all-registers", "every constant and every output", zpshWith(zpsh.R3, func(f *zpsh.File) {
		e := &f.Entries[0]
		e.Outputs = nil
		for i := range uint8(pica.NumFloats) {
			e.Floats = append(e.Floats, zpsh.Float{Register: i, Value: [4]uint32{0x3F0000 + uint32(i), 1, 0xFFFFFF, 0}})
		}
		for i := range uint8(pica.NumInts) {
			e.Ints = append(e.Ints, zpsh.Int{Register: i, Value: [4]uint8{i, 1, 2, 3}})
		}
		for i := range uint8(pica.NumOutputs) {
			e.Outputs = append(e.Outputs, zpsh.Output{Register: i, Map: 0x1F1F1F1F})
		}
	}))
	k.seed("shared-names", "a name that is the tail of another", zpshBytes(func() *zpsh.File {
		f := zpshPair(zpsh.R4, "main", "x")
		f.Entries[1].Name = 1
		f.Strings = wire.Hex("main\x00\x00\x00\x00")
		return f
	}()))
	k.seed("instructions-4096", "as much code as there can be", zpshWith(zpsh.R4, func(f *zpsh.File) {
		f.Entries[0].Info = zpsh.PointInfo(1)
		f.Code = slices.Repeat([]uint32{wordNop}, pica.MaxCode)
	}))
	k.seed("descriptors-128", "as many descriptors as there can be", zpshWith(zpsh.R3, func(f *zpsh.File) {
		f.Descriptors = slices.Repeat(f.Descriptors, pica.MaxDescriptors)
	}))
	k.more(zpshFound())
	k.more([]corpus.Vector{{Name: "names-only-with-gap", Rule: "ZPSH031",
		Comment: "names that fit into 8 times the file, but not without its gap, nor into the strings each alone",
		Data:    zpshNamesBesideGap()}})
}

// zpshNamesBesideGap has names that share bytes and are too large for the strings each alone. They fit into 8 times
// the file, but not into 8 times its canonical form, which has no gap.
func zpshNamesBesideGap() []byte {
	const entries = 305
	f := zpshMinimal(zpsh.R3)
	f.Entries = slices.Repeat(f.Entries, entries)
	for long := 4 * entries; ; long++ {
		f.Strings = slices.Concat(bytes.Repeat([]byte("n"), long), make([]byte, 4-long%4))
		names := 0
		for i := range f.Entries {
			f.Entries[i].Name = uint32(i)
			names += long - i + 1
		}
		if b := must(f.AppendUnchecked(nil)); names > max(8*len(b), 1<<18) {
			return append(b, make([]byte, names/8-len(b)+1)...)
		}
	}
}
