package main

import (
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

func init() { builders["zpsh"] = zpshVectors }

const (
	zpshPosition zpsh.Map = 0x03020100
	zpshColor    zpsh.Map = 0x0B0A0908
)

// zpshMinimal is one vertex shader that hands on a position.
func zpshMinimal(r zpsh.Revision) *zpsh.File {
	f := &zpsh.File{
		Revision:    r,
		Code:        []uint32{wordMov, wordEnd},
		Descriptors: []uint32{movMask},
		Entries:     []zpsh.Entry{{HeaderWords: zpshHeaderWords(r), Outputs: []zpsh.Output{{Map: zpshPosition}}}},
	}
	f.SetNames("main")
	return f
}

// zpshHeaderWords is what zitrus stores as the size of an entry header.
func zpshHeaderWords(r zpsh.Revision) uint16 {
	if r == zpsh.R3 {
		return 0
	}
	return 4
}

// Where things are in zpshMinimal.
const (
	z3Code, z3Strings, z3Entry, z3Map, z3Size = 0x0C, 0x18, 0x20, 0x3C, 0x40
	z4Offsets, z4Entry                        = 0x10, 0x28
)

// Field offsets inside the header and the entry headers.
const (
	zCounts, zStringWords, zFlags, zHeaderWords, zHash = 0x04, 0x08, 0x0A, 0x0B, 0x0C

	zInstruction, zInfo, zInts3, zOutputs3 = 0x04, 0x06, 0x0A, 0x18
	zEntryFlags4, zEntryWords4             = 0x08, 0x0A
)

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
				Bools:   1<<15 | 1,
				Ints:    []zpsh.Int{{Register: 0, Value: [4]uint8{3, 0, 1, 0}}, {Register: 3, Value: [4]uint8{255, 1, 2, 3}}},
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

// zpshPair is two vertex shaders.
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

// zpshLong has n instructions and enters at the last.
func zpshLong(n int) []byte {
	return zpshWith(zpsh.R3, func(f *zpsh.File) {
		f.Code = slices.Repeat([]uint32{wordNop}, n)
		f.Code[n-1] = wordEnd
		f.Entries[0].Instruction = uint16(n - 1)
	})
}

func zpshBytes(f *zpsh.File) []byte { return must(f.AppendBinary(nil)) }

func zpshVectors(k *kit) {
	zpshSeeds(k)
	k.rules(zpshRules())
}

// zpshSeeds adds valid files of every shape.
func zpshSeeds(k *kit) {
	for _, r := range []zpsh.Revision{zpsh.R3, zpsh.R4} {
		k.seed("minimal-"+r.String(), "one vertex shader in "+r.String(), zpshBytes(zpshMinimal(r)))
		k.seed("types-"+r.String(), "an entry of every type in "+r.String(), zpshBytes(zpshTypes(r)))
	}
	k.seed("B001-entry-header-of-no-words", "a conversion lost the size 0 and did not say so", zpshWith(zpsh.R4, func(f *zpsh.File) { f.Entries[0].HeaderWords = 0 }))
	k.seed("gaps", "bytes between entries and behind the last", zpshWith(zpsh.R4, func(f *zpsh.File) {
		f.Entries = slices.Repeat(f.Entries, 2)
		f.SetNames("a", "b")
		f.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 1, Bytes: wire.Hex("hole")}}, Tail: wire.Hex("tail")}
	}))
	k.seed("uninitialised", "the upper half of the output mask as a debug build of zitrus leaves it", zpshWith(zpsh.R4, func(f *zpsh.File) {
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
}

// zpshRules lists a trigger and a near miss for every rule of the format.
func zpshRules() []ruleCase {
	three, four := zpshBytes(zpshMinimal(zpsh.R3)), zpshBytes(zpshMinimal(zpsh.R4))
	return slices.Concat(zpshHeaderRules(three, four), zpshEntryRules(three, four), zpshNameRules(three), zpshCodeRules(three))
}

func zpshHeaderRules(three, four []byte) []ruleCase {
	descriptors := func(n int) []byte {
		return zpshWith(zpsh.R3, func(f *zpsh.File) { f.Descriptors = slices.Repeat(f.Descriptors, n) })
	}
	return []ruleCase{
		{"ZPSH001", 11, three[:11], "eleven bytes", nil, "twelve bytes: a header, and nothing it speaks of", on(11, u8(3))},
		{"ZPSH002", 0, three, "the magic is ZPSI", on(0, []byte("ZPSI")), "the magic is ZPSH", nil},
		{"ZPSH003", zHeaderWords, three, "a header of two words", on(zHeaderWords, u8(2)), "a header of three words", nil},
		{"ZPSH004", zHeaderWords, four, "a header of five words", on(zHeaderWords, u8(5)), "a header of four words", nil},
		{"ZPSH005", zFlags, three, "a header flag", on(zFlags, u8(1)), "none", nil},
		{"ZPSH006", zCounts, three, "no entry", on(zCounts, u8(0)), "one entry", nil},
		{"ZPSH007", zCounts, descriptors(129), "129 descriptors", nil, "128 descriptors, the last one taken for a name", on(zCounts+3, u8(128))},
		{"ZPSH008", zCounts, three, "strings end four bytes behind the file", on(zStringWords, u16(11)), "strings end with the file", on(zStringWords, u16(10))},
		{"ZPSH009", zHash, four, "the last bit of the hash is wrong", on(zHash+3, u8(0x5B)), "the hash is right", nil},
	}
}

func zpshEntryRules(three, four []byte) []ruleCase {
	pair := zpshBytes(zpshPair(zpsh.R4, "a", "b"))
	const pairOffset = z4Offsets + 4
	info := func(i zpsh.Info) []edit { return on(z3Entry+zInfo, u16(uint16(i))) }
	return []ruleCase{
		{"ZPSH010", z4Offsets, four, "the entry offset is 2", on(z4Offsets, u32(2)), "it is 0", nil},
		{"ZPSH011", pairOffset, pair, "the second entry starts in the first", on(pairOffset, u32(32)), "right behind it", nil},
		{"ZPSH012", z3Entry, three[:z3Map-1], "the last byte of the entry header is missing", nil, "all of it is there, but no payload", on(z3Map-1, u8(0))},
		{"ZPSH013", z4Entry + zEntryFlags4, four, "an entry flag", on(z4Entry+zEntryFlags4, u16(1)), "none", nil},
		{"ZPSH014", z4Entry + zEntryWords4, four, "an entry header of seven words", on(z4Entry+zEntryWords4, u16(7)), "of eight, as it really is", on(z4Entry+zEntryWords4, u16(8))},
		{"ZPSH015", z3Entry + zInstruction, three, "entry is the word behind the last", on(z3Entry+zInstruction, u16(2)), "entry is the last word", on(z3Entry+zInstruction, u16(1))},
		{"ZPSH016", z3Entry + zInfo, three, "17 inputs in point mode", info(zpsh.PointInfo(17)), "16 inputs", info(zpsh.PointInfo(16))},
		{"ZPSH017", z3Entry + zInfo, three, "vertices from c96 on", info(zpsh.FixedInfo(1, 96)), "from c95 on", info(zpsh.FixedInfo(1, 95))},
		{"ZPSH018", z3Entry + zInts3, three, "an int mask with a fifth bit", on(z3Entry+zInts3, u16(0x10)), "no int", nil},
		{"ZPSH019", z3Entry + zOutputs3, three, "the upper half of the output mask is AAAA", on(z3Entry+zOutputs3+2, u16(0xAAAA)), "it is 0", nil},
		{"ZPSH020", z3Entry, three, "two output maps, room for one", on(z3Entry+zOutputs3, u16(3)), "one output map", nil},
		{"ZPSH021", z3Map, three, "bit 5 of a semantic", on(z3Map, u8(0x20)), "bit 4: texcoord0.w", on(z3Map, u8(0x10))},
		{"ZPSH022", z3Map, three, "semantic 0x15, zitrus' texcoord2.u", on(z3Map, u8(0x15)), "semantic 0x16, the GPU's", on(z3Map, u8(0x16))},
		{"ZPSH023", z3Map, three, "o7 is a position", on(z3Entry+zOutputs3, u16(1<<7)), "o6 is", on(z3Entry+zOutputs3, u16(1<<6))},
		{"ZPSH028", z3Size, three, "a byte behind the entry", on(z3Size, u8(0)), "none", nil},
		{"ZPSH030", z3Entry + 4*511 + zInstruction, zpshLong(513), "vertex entry at word 512", nil, "at word 511 of 512", on(zCounts, u32(1|511<<12|1<<24), z3Entry+4*511+zInstruction, u16(511))},
	}
}

func zpshNameRules(three []byte) []ruleCase {
	const pairEntry = z3Entry - 4 + 32 // the second, behind strings of one word
	name := func(off uint32) []edit { return on(z3Entry, u32(off)) }
	return []ruleCase{
		{"ZPSH024", z3Entry, three, "a name that starts behind the strings", name(8), "a name that is the last NUL", name(7)},
		{"ZPSH025", z3Entry, three, "an empty name", name(4), "a name of one letter", name(3)},
		{"ZPSH026", pairEntry, zpshWith(zpsh.R3, func(f *zpsh.File) { *f = *zpshPair(zpsh.R3, "a", "a") }), "two entries with one name",
			nil, "two entries with two names", on(z3Strings+2, u8('b'))},
		{"ZPSH027", z3Entry, three, "a name that is not UTF-8", on(z3Strings, []byte("\xC3\x28")), "a name with a letter of two bytes", on(z3Strings, []byte("\xC3\xA9"))},
		{"ZPSH029", z3Strings, three, "the name is the tail of what is stored", name(1), "the name is what is stored", nil},
	}
}

func zpshCodeRules(three []byte) []ruleCase {
	word := func(op pica.Opcode, rest uint32) []edit { return on(z3Code, u32(uint32(op)<<26|rest)) }
	return []ruleCase{
		{"CODE001", z3Code, three, "opcode 0x10", word(0x10, 0), "opcode 0x0F", word(0x0F, 0)},
		{"CODE002", z3Code, three, "descriptor 1 of 1", on(z3Code, u32(wordMov|1)), "descriptor 0", nil},
		{"CODE003", z3Code, three, "a jump behind the last word", word(pica.JMPC, 2<<10), "a jump to the last word", word(pica.JMPC, 1<<10)},
		{"CODE004", z3Code, three, "bit 8 of a jump", word(pica.JMPC, 1<<10|1<<8), "bit 7, of the count", word(pica.JMPC, 1<<10|1<<7)},
	}
}
