package main

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

func init() { builders["dvoj"] = dvojVectors }

// dvojVertexModel is a vertex object with every table and no finding.
func dvojVertexModel() *dvoj.File {
	return &dvoj.File{
		Version: 0x0C02, InputMask: 1, OutputMask: 1, Unknown: 0xFFFFFFFF,
		Code:        []uint32{wordMov, wordNop, wordEnd},
		Descriptors: []shbin.Descriptor{{Word: 1<<31 | movMask, Flags: 3}},
		Lines:       []shbin.Line{{Line: 12}, {Line: 13}, {Line: 14}},
		Relocations: []dvoj.Relocation{{Word: 0}},
		Tables: shbin.Tables{
			Constants: []shbin.Constant{
				shbin.BoolConstant(5, true),
				shbin.IntConstant(1, 3, 0, 1, 0),
				shbin.FloatConstant(4, 0x3F0000, 0, 0, 0xBE0000),
			},
			Labels: []shbin.Label{
				{ID: 0, Flags: 1, Length: shbin.NoLength, Name: 6},
				{ID: 1, Flags: 1, Word: 3, Length: shbin.NoLength, Name: 11},
			},
			Outputs:  []shbin.Output{{Semantic: shbin.Position, Mask: 15}},
			Uniforms: []shbin.Uniform{{Name: 19, First: 0, Last: 0}, {Name: 25, First: 0x10, Last: 0x13}},
			Symbols:  wire.Hex("s.vsh\x00main\x00endmain\x00inPos\x00mtx\x00"),
		},
	}
}

// Where things are in dvojVertexModel.
const (
	oHeaderEnd   = 0x58
	oConstants   = oHeaderEnd
	oLabels      = oConstants + 3*0x14
	oCode        = oLabels + 2*0x10
	oDescriptors = oCode + 3*4
	oLines       = oDescriptors + 8
	oRelocations = oLines + 3*8
	oOutputs     = oRelocations + 12
	oUniforms    = oOutputs + 8
	oSymbols     = oUniforms + 2*8
	oSymbolsSize = 29
	oPadding     = oSymbols + oSymbolsSize
	oSize        = oPadding + 3
)

// Field offsets inside the header.
const (
	oVersion, oType, oMerge, oInputMask, oOutputMask, oUnknown = 0x04, 0x06, 0x07, 0x08, 0x0A, 0x0C

	oConstant, oCodeN, oDescAt, oDescN, oLineN, oSymbolAt, oSymbolN = 0x10, 0x24, 0x28, 0x2C, 0x34, 0x50, 0x54
)

func dvojBytes(f *dvoj.File) []byte { return must(f.AppendUnchecked(nil)) }

// dvojVertex is the vertex object after an edit of its model.
func dvojVertex(edits ...func(f *dvoj.File)) []byte {
	f := dvojVertexModel()
	for _, edit := range edits {
		edit(f)
	}
	return dvojBytes(f)
}

// dvojTwoOutputs has two outputs on two registers; dvojTwoRelocations two
// instructions with operands and a relocation for each; dvojLong n words
// without operands and nothing that refers to them.
func dvojTwoOutputs(f *dvoj.File) {
	f.OutputMask = 3
	f.Outputs = []shbin.Output{{Semantic: shbin.Position, Mask: 15}, {Semantic: shbin.Color, Register: 1, Mask: 15}}
}

func dvojTwoRelocations(f *dvoj.File) {
	f.Code[1] = wordMov
	f.Relocations = []dvoj.Relocation{{Word: 0}, {Word: 1}}
}

func dvojLong(n int) []byte {
	return dvojBytes(&dvoj.File{Version: 0x0C02, Unknown: 0xFFFFFFFF, Code: slices.Repeat([]uint32{wordNop}, n)})
}

func dvojDescriptors(n int) []byte {
	return dvojVertex(func(f *dvoj.File) { f.Descriptors = slices.Repeat(f.Descriptors, n) })
}

// dvojGeometry is a geometry object, which has nothing but code and a constant.
func dvojGeometry() *dvoj.File {
	return &dvoj.File{
		Version: 0x1002, Type: shbin.GeometryShader, Merge: 1, Unknown: 0xFFFFFFFF,
		Code:        []uint32{uint32(pica.SETEMIT) << 26, wordEmit, wordEnd},
		Relocations: []dvoj.Relocation{{Word: 0, Unknown: 7, Unknown2: 9}},
		Tables:      shbin.Tables{Constants: []shbin.Constant{shbin.FloatConstant(95, 0x3F0000, 0, 0, 0)}},
	}
}

func dvojVectors(k *kit) {
	k.seed("vertex", "a vertex object with every table", dvojVertex())
	k.seed("geometry", "a geometry object without names", dvojBytes(dvojGeometry()))
	k.seed("code-only", "one instruction and no table", dvojLong(1))
	k.seed("words-4096", "as much code as there can be", dvojLong(pica.MaxCode))
	k.seed("external-call", "a call behind the code, which the linker may resolve", dvojVertex(func(f *dvoj.File) { f.Code[1] = uint32(pica.CALL)<<26 | 0xFFF<<10 }))
	k.seed("symbols-first", "symbols in front of the other tables, and their padding", dvojSymbolsFirst())
	k.rules(dvojRules())
}

// dvojSymbolsFirst moves the symbols behind the header.
func dvojSymbolsFirst() []byte {
	b := dvojVertex()
	moved := slices.Concat(b[:oHeaderEnd], b[oSymbols:oSize], b[oHeaderEnd:oSymbols])
	for pair := oConstant; pair < oSymbolAt; pair += 8 {
		off := int(moved[pair]) | int(moved[pair+1])<<8
		moved = patched(moved, pair, u32(uint32(off+oSize-oSymbols))...)
	}
	return patched(moved, oSymbolAt, u32(oHeaderEnd)...)
}

// dvojRules lists a trigger and a near miss for every rule of the format.
func dvojRules() []ruleCase {
	vertex := dvojVertex()
	return slices.Concat(dvojHeaderRules(vertex), dvojTableRules(vertex), dvojConstantAndLabelRules(vertex),
		dvojOutputAndUniformRules(vertex), dvojSymbolRules(vertex), dvojCoverageRules(vertex), dvojCodeRules(vertex))
}

func dvojHeaderRules(vertex []byte) []ruleCase {
	geometry := dvojBytes(dvojGeometry())
	noConstants := dvojVertex(func(f *dvoj.File) { f.Constants = nil })
	return []ruleCase{
		{"DVOJ001", 0x57, vertex[:0x57], "one byte less than a header", nil, "a header that speaks of more", on(0x57, u8(0))},
		{"DVOJ002", 0, vertex, "the magic is DVOL", on(0, []byte("DVOL")), "the magic is DVOJ", nil},
		{"DVOJ003", 0, vertex, "the magic is DVOB", on(0, []byte("DVOB")), "the magic is DVOJ", nil},
		{"DVOJ004", oVersion, vertex, "version 2.13", on(oVersion, u16(0x0D02)), "version 2.16", on(oVersion, u16(0x1002))},
		{"DVOJ005", oType, vertex, "type 2", on(oType, u8(2)), "type 1", on(oType, u8(1))},
		{"DVOJ006", oMerge, geometry, "merge byte 2", on(oMerge, u8(2)), "merge byte 1", nil},
		{"DVOJ007", oMerge, vertex, "a vertex object that merges output maps", on(oMerge, u8(1)), "it does not", nil},
		{"DVOJ008", oUnknown, vertex, "the unknown word is FFFFFFFE", on(oUnknown, u32(0xFFFFFFFE)), "it is FFFFFFFF", nil},
		{"DVOJ010", oConstant, vertex, "constants at 0x5A", on(oConstant, u32(0x5A)), "constants at 0x5C, four bytes late", on(oConstant, u32(0x5C))},
		{"DVOJ011", oConstant, vertex, "constants start in the header", on(oConstant, u32(0x54)), "right behind it", nil},
		{"DVOJ012", oConstant, noConstants, "the offset of the empty table is 0", on(oConstant, u32(0)), "it is where the next starts", nil},
		{"DVOJ013", oCodeN, vertex, "no code", on(oCodeN, u32(0)), "one word", on(oCodeN, u32(1))},
		{"DVOJ014", oCodeN, dvojLong(4097), "4097 words", nil, "4096 words", on(oCodeN, u32(4096))},
		{"DVOJ015", oCodeN, dvojLong(513), "513 words", nil, "512 words", on(oCodeN, u32(512))},
		{"DVOJ016", oDescN, dvojDescriptors(129), "129 descriptors", nil, "128 descriptors", on(oDescN, u32(128))},
	}
}

func dvojTableRules(vertex []byte) []ruleCase {
	two := dvojVertex(dvojTwoRelocations)
	const second = oRelocations + 12
	return []ruleCase{
		{"DVOJ020", oLineN, vertex, "two lines for three words", on(oLineN, u32(2)), "a line for each word", nil},
		{"DVOJ021", oLines, vertex, "a name that starts behind the symbols", on(oLines, u32(oSymbolsSize)), "a name that is the last NUL", on(oLines, u32(oSymbolsSize-1))},
		{"DVOJ030", oRelocations, vertex, "a relocation of the word behind the last", on(oRelocations, u32(3)), "of the last word", on(oRelocations, u32(2))},
		{"DVOJ031", second, two, "two relocations of one word", on(second, u32(0)), "of two words", nil},
		{"DVOJ032", second, two, "a relocation of END", on(second, u32(2)), "of MOV", nil},
		{"DVOJ033", oCode + 4, vertex, "a second MOV without a relocation", on(oCode+4, u32(wordMov)), "NOP in its place", nil},
		{"DVOJ034", second, two, "the second relocation is of the first word", on(oRelocations, u32(1), second, u32(0)), "of the second", nil},
	}
}

func dvojConstantAndLabelRules(vertex []byte) []ruleCase {
	const (
		boolean, integer, float = oConstants, oConstants + 0x14, oConstants + 0x28
		label0, label1          = oLabels, oLabels + 0x10
	)
	return []ruleCase{
		{"DVOJ130", boolean, vertex, "constant of type 3", on(boolean, u8(3)), "of type 2, a float", on(boolean, u8(2))},
		{"DVOJ131", boolean + 1, vertex, "the byte behind the type is 1", on(boolean+1, u8(1)), "it is 0", nil},
		{"DVOJ132", integer + 2, vertex, "integer register 4", on(integer+2, u8(4)), "integer register 3", on(integer+2, u8(3))},
		{"DVOJ133", boolean + 4, vertex, "a boolean of value 2", on(boolean+4, u32(2)), "of value 0", on(boolean+4, u32(0))},
		{"DVOJ134", integer + 8, vertex, "a byte behind the integer's four", on(integer+8, u8(1)), "the fourth byte, w", on(integer+7, u8(1))},
		{"DVOJ135", float + 4, vertex, "a float24 with a bit above its 24", on(float+4, u32(0x013F0000)), "the highest of the 24, the sign", on(float+4, u32(0xBF0000))},
		{"DVOJ136", float, vertex, "two constants for b5", on(float, []byte{0, 0, 5, 0}, float+4, make([]byte, 16)), "one for b5, one for b6", on(float, []byte{0, 0, 6, 0}, float+4, make([]byte, 16))},
		{"DVOJ140", label1 + 4, vertex, "a label two words behind the last", on(label1+4, u32(4)), "a label behind the last word", nil},
		{"DVOJ141", label1 + 8, vertex, "a label behind the last word with a length of 1", on(label1+8, u32(1)), "with a length of 0", on(label1+8, u32(0))},
		{"DVOJ142", label1, vertex, "a name that starts behind the symbols", on(label1+12, u32(oSymbolsSize)), "a name that is the last NUL", on(label1+12, u32(oSymbolsSize-1))},
		{"DVOJ143", label1, vertex, "the second label has id 2", on(label1, u16(2)), "it has id 1", nil},
		{"DVOJ144", label0 + 2, vertex, "the second half-word is 0", on(label0+2, u16(0)), "it is 1", nil},
	}
}

func dvojOutputAndUniformRules(vertex []byte) []ruleCase {
	two := dvojVertex(dvojTwoOutputs)
	const (
		second     = oOutputs + 8
		inPos, mtx = oUniforms, oUniforms + 8
	)
	dummy := func(register uint16) []edit { return on(oOutputs, u16(9), oOutputs+2, u16(register)) }
	return []ruleCase{
		{"DVOJ111", oOutputMask, vertex, "the mask says o0 and o1", on(oOutputMask, u16(3)), "the mask says o0", nil},
		{"DVOJ112", oInputMask, vertex, "the mask says v0 and v1", on(oInputMask, u16(3)), "the mask says v0", nil},
		{"DVOJ150", oOutputs, vertex, "semantic 7", on(oOutputs, u16(7)), "semantic 8, view", on(oOutputs, u16(8))},
		{"DVOJ151", oOutputs + 2, vertex, "output register 16", dummy(16), "output register 15, a dummy", dummy(15)},
		{"DVOJ152", oOutputs + 2, vertex, "position on o7", on(oOutputs+2, u16(7)), "position on o6", on(oOutputs+2, u16(6))},
		{"DVOJ153", oOutputs + 4, vertex, "no component", on(oOutputs+4, u16(0)), "one component", on(oOutputs+4, u16(1))},
		{"DVOJ154", oOutputs + 4, vertex, "a fifth component", on(oOutputs+4, u16(0x1F)), "four", nil},
		{"DVOJ155", oOutputs + 6, vertex, "the unknown field is 1", on(oOutputs+6, u16(1)), "it is 0", nil},
		{"DVOJ156", second, two, "two outputs share o0.x", on(second+2, u16(0)), "they share o0, not a component", on(oOutputs+4, u16(14), second+2, u16(0), second+4, u16(1))},
		{"DVOJ157", second, two, "two positions", on(second, u16(0)), "position and colour", nil},
		{"DVOJ160", mtx + 6, vertex, "last register 0x74", on(mtx+4, u16(0x73), mtx+6, u16(0x74)), "last register i3", on(mtx+4, u16(0x73), mtx+6, u16(0x73))},
		{"DVOJ161", mtx, vertex, "first register above the last", on(mtx+4, u16(0x14)), "first register is the last", on(mtx+4, u16(0x13))},
		{"DVOJ162", mtx, vertex, "a name that starts behind the symbols", on(mtx, u32(oSymbolsSize)), "a name that is the last NUL", on(mtx, u32(oSymbolsSize-1))},
		{"DVOJ163", mtx, vertex, "an empty name", on(mtx, u32(oSymbolsSize-1)), "a name of one letter", on(mtx, u32(oSymbolsSize-2))},
		{"DVOJ164", mtx, vertex, "the name of the entry before", on(mtx, u32(19)), "its tail", on(mtx, u32(20))},
		{"DVOJ165", mtx + 4, vertex, "a register below that of the entry before", on(inPos+4, u16(0x20), inPos+6, u16(0x20)), "the same register", on(inPos+4, u16(0x10), inPos+6, u16(0x10))},
		{"DVOJ166", mtx, vertex, "two names for v0", on(mtx+4, u16(0), mtx+6, u16(0)), "one for v0, one for v1", on(mtx+4, u16(1), mtx+6, u16(1))},
		{"DVOJ167", inPos, vertex, "an input of two registers", on(inPos+6, u16(1)), "an input of one", nil},
	}
}

func dvojSymbolRules(vertex []byte) []ruleCase {
	const mtx, name = oUniforms + 8, oSymbols + 19 // "inPos"
	return []ruleCase{
		{"DVOJ170", oPadding, vertex, "a byte behind the last NUL", on(oSymbolN, u32(oSymbolsSize+1), oPadding, u8('x')), "another NUL", on(oSymbolN, u32(oSymbolsSize+1))},
		{"DVOJ171", name, vertex, "a letter of two UTF-8 bytes", on(name, []byte("\xC3\xA9")), "ASCII", nil},
		{"DVOJ172", name, vertex, "bytes that are no UTF-8", on(name, []byte("\xFF\xFE")), "bytes that are", on(name, []byte("\xC3\xA9"))},
		{"DVOJ173", oSymbols, vertex, "the file name is that of no line", on(oLines, u32(6), oLines+8, u32(6), oLines+16, u32(6)), "every byte is part of a name", nil},
		{"DVOJ174", mtx, vertex, "a name is the tail of another", on(mtx, u32(21)), "no name shares a byte", nil},
	}
}

func dvojCoverageRules(vertex []byte) []ruleCase {
	spread := func(fill byte) []byte {
		b := slices.Concat(vertex[:oSymbols], bytes.Repeat([]byte{fill}, 4), vertex[oSymbols:])
		return patched(b, oSymbolAt, u32(oSymbols+4)...)
	}
	return []ruleCase{
		{"DVOJ200", oDescriptors - 4, vertex, "a descriptor on the last word of code", on(oDescAt, u32(oDescriptors-4)), "behind it", nil},
		{"DVOJ201", oSymbols, spread(0), "four zero bytes before the symbols", nil, "none, the bytes are symbols", on(oSymbolAt, u32(oSymbols), oSymbolN, u32(oSymbolsSize+4))},
		{"DVOJ202", oSymbols, spread(1), "four bytes that are not zero before the symbols", nil, "four zero bytes", on(oSymbols, make([]byte, 4))},
		{"DVOJ203", oPadding, vertex, "seven bytes behind the symbols", on(oSize, make([]byte, 4)), "three, up to a multiple of 4", nil},
		{"DVOJ204", oPadding, vertex[:oPadding], "a size that is no multiple of 4", nil, "a multiple of 4", on(oPadding, make([]byte, 3))},
	}
}

func dvojCodeRules(vertex []byte) []ruleCase {
	word := func(op pica.Opcode, rest uint32) []edit { return on(oCode, u32(uint32(op)<<26|rest)) }
	return []ruleCase{
		{"CODE001", oCode, vertex, "opcode 0x10", word(0x10, 0), "opcode 0x0F", word(0x0F, 0)},
		{"CODE002", oCode, vertex, "descriptor 1 of 1", on(oCode, u32(wordMov|1)), "descriptor 0", nil},
		{"CODE003", oCode, vertex, "a jump behind the last word", word(pica.JMPC, 3<<10), "a jump to the last word", word(pica.JMPC, 2<<10)},
		{"CODE004", oCode, vertex, "bit 8 of a jump", word(pica.JMPC, 1<<10|1<<8), "bit 7, of the count", word(pica.JMPC, 1<<10|1<<7)},
	}
}
