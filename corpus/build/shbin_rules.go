package main

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// shbinRules lists a trigger and a near miss for every rule of the format.
func shbinRules() []ruleCase {
	vertex := shbinBytes(shbinVertexModel())
	point, variable, fixed := shbinBytes(shbinGeometryModel(shbin.Point)), shbinBytes(shbinGeometryModel(shbin.Variable)), shbinBytes(shbinGeometryModel(shbin.Fixed))
	lines := shbinBytes(shbinLinesModel())
	return slices.Concat(
		shbinContainerRules(vertex, point, lines),
		shbinEntryRules(vertex, point, variable, fixed),
		shbinTableRules(vertex, point),
		shbinCoverageRules(vertex, point),
		shbinCodeRules(vertex),
	)
}

func shbinContainerRules(vertex, point, lines []byte) []ruleCase {
	return []ruleCase{
		{"DVLB001", 7, vertex[:7], "seven bytes", nil, "eight bytes: a header, but no table", on(7, u8(0))},
		{"DVLB002", 0, vertex, "the magic is DVLX", on(0, []byte("DVLX")), "the magic is DVLB", nil},
		{"DVLB003", vN, vertex, "no entry point", on(vN, u32(0)), "one entry point", nil},
		{"DVLB004", vN, vertex, "an offset table of 70 entries ends 4 bytes behind the file", on(vN, u32(70)),
			"one of 69 entries ends with the file", on(vN, u32(69))},
		{"DVLB014", vSize + 1, vertex, "a byte too many for a multiple of 4", on(vSize, u8(0)),
			"a multiple of 4", nil},
		{"DVLB005", vOffset, vertex, "the entry point is at 0x52", on(vOffset, u32(vDVLE+2)), "it is at 0x54, where no magic stands", on(vOffset, u32(vDVLE+4))},
		{"DVLB006", vOffset, vertex, "the entry point's header ends behind the file", on(vOffset, u32(vSize-0x3C)),
			"it ends with the file", on(vOffset, u32(vSize-0x40))},
		{"DVLB007", vOffset + 4, point, "two entry points 0x3C apart", on(vOffset+4, u32(gDVLE0+0x3C)), "0x40 apart", on(vOffset+4, u32(gDVLE0+0x40))},
		{"DVLB008", vOffset + 4, point, "the second offset is below the first", on(vOffset, u32(gDVLE1), vOffset+4, u32(gDVLE0)), "ascending", nil},
		{"DVLP002", vDVLP, vertex, "the magic is DVLQ", on(vDVLP, []byte("DVLQ")), "the magic is DVLP", nil},
		{"DVLP001", vDVLP + pCode, vertex, "code inside the 28-byte header", on(vDVLP+pCode, u32(0x18)), "code right behind it", on(vDVLP+pCode, u32(0x1C))},
		{"DVLP014", vDVLP, vertex, "code where the header of 40 bytes would still run", on(vDVLP+pCode, u32(0x24)), "code right behind it", nil},
		{"DVLP003", vDVLP + pVersion, vertex, "version 2.13", on(vDVLP+pVersion, u32(0x0D02)), "version 2.16, known", on(vDVLP+pVersion, u32(0x1002))},
		{"DVLP004", vDVLP + pCode, vertex, "code at 0x2A", on(vDVLP+pCode, u32(0x2A)), "code at 0x2C, over the descriptor", on(vDVLP+pCode, u32(0x2C))},
		{"DVLP005", vDVLP + pCode, vertex, "code ends behind the file", on(vDVLP+pCodeN, u32((vSize-vCode)/4+1)),
			"code ends with the file, over everything", on(vDVLP+pCodeN, u32((vSize-vCode)/4))},
		{"DVLP006", vDVLP + pCodeN, vertex, "no code", on(vDVLP+pCodeN, u32(0)), "one word of code", on(vDVLP+pCodeN, u32(1))},
		{"DVLP007", shbinLongCount, shbinLong(4097), "4097 words", nil, "4096 words", on(shbinLongCount, u32(4096))},
		{"DVLP009", vDVLP + pDesc, vertex, "descriptors at 0x36", on(vDVLP+pDesc, u32(0x36)), "descriptors at 0x38, 4 bytes late", on(vDVLP+pDesc, u32(0x38))},
		{"DVLP010", vDVLP + pDesc, vertex, "descriptors end behind the file", on(vDVLP+pDesc, u32(vSize-vDVLP-4)),
			"descriptors end with the file", on(vDVLP+pDesc, u32(vSize-vDVLP-8))},
		{"DVLP011", vDVLP + pDescN, shbinManyDescriptors(129), "129 descriptors", nil, "128 descriptors", on(vDVLP+pDescN, u32(128))},
		{"DVLP015", gLinesDVLP + pLine, lines, "line table at an odd offset", on(gLinesDVLP+pLine, u32(gLinesAt-gLinesDVLP+1)), "the table where it was", nil},
		{"DVLP016", gLinesDVLP + pLineN, lines, "two lines for three words", on(gLinesDVLP+pLineN, u32(2)), "a line for each word", nil},
		{"DVLP018", gLinesDVLP + pName, lines, "file names end behind the file", on(gLinesDVLP+pNameN, u32(0xFFFF)), "file names where they were", nil},
		{"DVLP017", gLinesAt, lines, "the first line's name starts behind the names", on(gLinesAt, u32(6)), "its name is the NUL that ends them", on(gLinesAt, u32(5))},
		{"DVLP019", gLinesNames + 5, lines, "the last name has no NUL", on(gLinesNames+5, []byte("x")), "it has one", nil},
		{"DVLP020", gLinesNames, lines, "two names for one entry point", on(gLinesNames+2, u8(0)), "one name", nil},
		{"DVLP021", vDVLP + pLine, vertex, "the offset of the empty line table is 4", on(vDVLP+pLine, u32(4)), "it is 0", on(vDVLP+pLine, u32(0))},
		{"DVLP012", vDescriptor + 4, vertex, "the second descriptor word is 4", on(vDescriptor+4, u32(4)), "it is 0", nil},
		{"DVLP013", vDescriptor, vertex, "bit 31 of a descriptor", on(vDescriptor, u32(1<<31|movMask)), "bit 30, a selector", on(vDescriptor, u32(1<<30|movMask))},
		{"DVLP008", vDVLP + pCodeN, shbinLong(513), "513 words with a vertex entry point", nil, "512 words", on(vDVLP+pCodeN, u32(512))},
	}
}

func shbinEntryRules(vertex, point, variable, fixed []byte) []ruleCase {
	return []ruleCase{
		{"DVLE002", vDVLE, vertex, "the magic is DVLF", on(vDVLE, []byte("DVLF")), "the magic is DVLE", nil},
		{"DVLE003", vDVLE + qVersion, vertex, "version 2.13", on(vDVLE+qVersion, u16(0x0D02)), "the version of the DVLP", nil},
		{"DVLE004", vDVLE + qType, vertex, "type 2", on(vDVLE+qType, u8(2)), "type 1", on(vDVLE+qType, u8(1))},
		{"DVLE005", gDVLE1 + qMerge, point, "merge byte 2", on(gDVLE1+qMerge, u8(2)), "merge byte 1", nil},
		{"DVLE006", vDVLE + qMerge, vertex, "a vertex shader that merges output maps", on(vDVLE+qMerge, u8(1)), "it does not", nil},
		{"DVLE007", vDVLE + qEntry, vertex, "entry is the word behind the last", on(vDVLE+qEntry, u32(3)), "entry is the last word", on(vDVLE+qEntry, u32(2))},
		{"DVLE010", shbinLongDVLE + qEntry, shbinLong(600), "vertex entry at word 512", on(shbinLongDVLE+qEntry, u32(512)), "at word 511", on(shbinLongDVLE+qEntry, u32(511))},
		{"DVLE008", vDVLE + qEnd, vertex, "end two words behind the last", on(vDVLE+qEnd, u32(4)), "end one word behind the last", nil},
		{"DVLE009", vDVLE + qEnd, vertex, "end equals entry", on(vDVLE+qEnd, u32(0)), "end is one more than entry", on(vDVLE+qEnd, u32(1))},
		{"DVLE014", vDVLE + qFixed, vertex, "geometry bytes of a vertex shader", on(vDVLE+qFixed, u8(1)), "none", nil},
		{"DVLE013", gDVLE1 + qMode, point, "geometry mode 3", on(gDVLE1+qMode, u8(3)), "mode 1, variable", on(gDVLE1+qMode, u8(1), gDVLE1+qVariable, u8(1))},
		{"DVLE015", gDVLE1 + qVariable, variable, "variable mode without a vertex", on(gDVLE1+qVariable, u8(0)), "with one", on(gDVLE1+qVariable, u8(1))},
		{"DVLE016", gDVLE1 + qFixed, fixed, "fixed mode without a vertex", on(gDVLE1+qFixed, u8(0)), "with one, from c95 on", on(gDVLE1+qFixed, u8(1), gDVLE1+qFirst, u8(95))},
		{"DVLE017", gDVLE1 + qVariable, point, "a vertex count in point mode", on(gDVLE1+qVariable, u8(1)), "none", nil},
		{"DVLE018", gDVLE1 + qVariable, variable, "33 vertices in variable mode", on(gDVLE1+qVariable, u8(33)), "32", on(gDVLE1+qVariable, u8(32))},
		{"DVLE020", vDVLE + qOutp, vertex, "outputs at an odd offset", on(vDVLE+qOutp, u32(vOutputs-vDVLE+2)), "outputs four bytes late", on(vDVLE+qOutp, u32(vOutputs-vDVLE+4))},
		{"DVLE021", vDVLE + qSym, vertex, "symbols end behind the file", on(vDVLE+qSymN, u32(vSize-vSymbols+1)), "symbols end with the file, padding included", on(vDVLE+qSymN, u32(vSize-vSymbols))},
		{"DVLE022", gDVLE0 + qConst, point, "the offset of an empty table is 0", on(gDVLE0+qConst, u32(0)), "it is where the next table starts", nil},
	}
}

func shbinTableRules(vertex, point []byte) []ruleCase {
	const (
		boolean, integer, float = vConstants, vConstants + 0x14, vConstants + 0x28
		label0, label1          = vLabels, vLabels + 0x10
		inPos, mtx              = vUniforms, vUniforms + 8
	)
	twoOutputs := shbinBytes(shbinOutputsModel())
	twoUniforms := shbinBytes(shbinUniformsModel())
	const outputs2 = sOutputs
	return []ruleCase{
		{"DVLE030", boolean, vertex, "constant of type 3", on(boolean, u8(3)), "of type 2, a float", on(boolean, u8(2))},
		{"DVLE031", boolean + 1, vertex, "the byte behind the type is 1", on(boolean+1, u8(1)), "it is 0", nil},
		{"DVLE032", integer + 2, vertex, "integer register 4", on(integer+2, u8(4)), "integer register 3", on(integer+2, u8(3))},
		{"DVLE033", boolean + 4, vertex, "a boolean of value 2", on(boolean+4, u32(2)), "of value 0", on(boolean+4, u32(0))},
		{"DVLE034", integer + 8, vertex, "a byte behind the integer's four", on(integer+8, u8(1)), "the fourth byte, w", on(integer+7, u8(1))},
		{"DVLE035", float + 4, vertex, "a float24 with a bit above its 24", on(float+4, u32(0x013F0000)), "the highest of the 24, the sign", on(float+4, u32(0xBF0000))},
		{"DVLE036", float, vertex, "two constants for b5", on(float, []byte{0, 0, 5, 0}, float+4, make([]byte, 16)), "one for b5, one for b6", on(float, []byte{0, 0, 6, 0}, float+4, make([]byte, 16))},
		{"DVLE040", label1 + 4, vertex, "a label two words behind the last", on(label1+4, u32(4)), "a label behind the last word", nil},
		{"DVLE041", label1 + 8, vertex, "a label behind the last word with a length of 1", on(label1+8, u32(1)), "with a length of 0", on(label1+8, u32(0))},
		{"DVLE042", label1, vertex, "a name that starts behind the symbols", on(label1+12, u32(23)), "a name that is the last NUL", on(label1+12, u32(22))},
		{"DVLE043", label1, vertex, "the second label has id 2", on(label1, u16(2)), "it has id 1", nil},
		{"DVLE044", label0 + 2, vertex, "the second half-word is 0, as homebrew writes it", on(label0+2, u16(0)), "it is 1", nil},
		{"DVLE050", vOutputs, vertex, "semantic 7", on(vOutputs, u16(7)), "semantic 8, view", on(vOutputs, u16(8))},
		{"DVLE051", vOutputs + 2, vertex, "output register 16", on(vOutputs, u16(9), vOutputs+2, u16(16)), "output register 15, a dummy", on(vOutputs, u16(9), vOutputs+2, u16(15))},
		{"DVLE052", vOutputs + 2, vertex, "position on o7", on(vOutputs+2, u16(7)), "position on o6", on(vOutputs+2, u16(6))},
		{"DVLE053", vOutputs + 4, vertex, "no component", on(vOutputs+4, u16(0)), "one component", on(vOutputs+4, u16(1))},
		{"DVLE054", vOutputs + 4, vertex, "a fifth component", on(vOutputs+4, u16(0x1F)), "four", nil},
		{"DVLE055", vOutputs + 6, vertex, "the unknown field is 1", on(vOutputs+6, u16(1)), "it is 0", nil},
		{"DVLE056", outputs2 + 8, twoOutputs, "two outputs share o0.x", on(outputs2+8+2, u16(0)), "they share o0, not a component", on(outputs2+4, u16(14), outputs2+8+2, u16(0), outputs2+8+4, u16(1))},
		{"DVLE057", outputs2 + 8, twoOutputs, "two positions", on(outputs2+8, u16(0)), "position and colour", nil},
		{"DVLE011", vDVLE + qOut, vertex, "the mask says o0 and o1", on(vDVLE+qOut, u16(3)), "the mask says o0", nil},
		{"DVLE060", mtx + 6, vertex, "last register 0x74", on(mtx+4, u16(0x73), mtx+6, u16(0x74)), "last register i3", on(mtx+4, u16(0x73), mtx+6, u16(0x73))},
		{"DVLE061", mtx, vertex, "first register above the last", on(mtx+4, u16(0x14)), "first register is the last", on(mtx+4, u16(0x13))},
		{"DVLE062", mtx, vertex, "a name that starts behind the symbols", on(mtx, u32(23)), "a name that is the last NUL", on(mtx, u32(22))},
		{"DVLE063", mtx, vertex, "an empty name", on(mtx, u32(22)), "a name of one letter", on(mtx, u32(21))},
		{"DVLE064", mtx, vertex, "the name of the entry before", on(mtx, u32(13)), "its tail", on(mtx, u32(14))},
		{"DVLE065", mtx + 4, vertex, "a register below that of the entry before", on(inPos+4, u16(0x20), inPos+6, u16(0x20)), "the same register", on(inPos+4, u16(0x10), inPos+6, u16(0x10))},
		{"DVLE066", sUniforms + 8, twoUniforms, "ranges c0-c3 and c3-c4", on(sUniforms+8+4, u16(0x13)), "c0-c3 and c4", nil},
		{"DVLE067", inPos, vertex, "an input of two registers", on(inPos+6, u16(1)), "an input of one", nil},
		{"DVLE012", vDVLE + qIn, vertex, "the mask says v0 and v1", on(vDVLE+qIn, u16(3)), "the mask says v0", nil},
		{"DVLE070", vSize - 1, vertex, "a byte behind the last NUL", on(vDVLE+qSymN, u32(24), vSize-1, u8('x')), "another NUL", on(vDVLE+qSymN, u32(24))},
		{"DVLE071", vSymbols + 13, vertex, "a letter of two UTF-8 bytes", on(vSymbols+13, []byte("\xC3\xA9")), "ASCII", nil},
		{"DVLE072", vSymbols + 13, vertex, "bytes that are no UTF-8", on(vSymbols+13, []byte("\xFF\xFE")), "bytes that are", on(vSymbols+13, []byte("\xC3\xA9"))},
		{"DVLE073", vSymbols, vertex, "the first name is referred to by nobody", on(vLabels+12, u32(5)), "every byte is part of a name", nil},
		{"DVLE074", mtx, vertex, "a name is the tail of another", on(mtx, u32(15)), "no name shares a byte", nil},
	}
}

func shbinCoverageRules(vertex, point []byte) []ruleCase {
	const mtx = vUniforms + 8
	spread := slices.Concat(vertex[:vDVLE], make([]byte, 4), vertex[vDVLE:])
	spread = patched(spread, vOffset, u32(vDVLE+4)...)
	return []ruleCase{
		{"DVLB010", gOutput, point, "both entry points use one output table", on(gDVLE0+qOutp, u32(gOutput-gDVLE0)), "each has its own", nil},
		{"DVLB015", shbinSharedLast, shbinSharedTables(), "the tables that share bytes add up to more than 8 times the file", nil, "one entry point fewer has them", on(shbinSharedLast+qSymN, u32(0))},
		{"DVLB009", mtx, vertex, "symbols that start with the last uniform", on(vDVLE+qSym, u32(mtx-vDVLE), vDVLE+qSymN, u32(8+23)), "symbols behind the uniforms", nil},
		{"DVLB011", vNames + 6, spread, "six zero bytes between file names and entry point", nil, "nonzero bytes there, which is another rule", on(vDVLE, u8(1))},
		{"DVLB012", vNames + 6, spread, "bytes between file names and entry point", on(vDVLE, u8(1)), "zero bytes there", nil},
		{"DVLB013", vSize - 1, vertex, "four bytes behind the last table", on(vSize, make([]byte, 4)), "padding to a multiple of 4", nil},
	}
}

func shbinCodeRules(vertex []byte) []ruleCase {
	end := vCode + 4
	flow := func(op pica.Opcode, dst, num uint32) []byte { return u32(uint32(op)<<26 | dst<<10 | num) }
	return []ruleCase{
		{"CODE001", end, vertex, "opcode 0x10", on(end, u32(0x10<<26)), "opcode 0x12, mova", on(end, u32(0x12<<26))},
		{"CODE002", vCode, vertex, "descriptor 1 of 1", on(vCode, u32(wordMov|1)), "descriptor 0", nil},
		{"CODE003", end, vertex, "a call to the word behind the last", on(end, flow(pica.CALL, 3, 0)), "a call to the last word", on(end, flow(pica.CALL, 2, 1))},
		{"CODE004", end, vertex, "bit 8 of a jump", on(end, u32(uint32(pica.JMPU)<<26|1<<8)), "bit 0, which inverts it", on(end, u32(uint32(pica.JMPU)<<26|1))},
	}
}
