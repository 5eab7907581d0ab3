package main

import (
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/sharcfb/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// sharcCase is a rule with a file that triggers it and one that just does not.
// off is where the rule is reported.
type sharcCase struct {
	rule    string
	off     int
	comment string
	file    sharcFile
	near    string
	miss    sharcFile
}

// sharcfbRules lists a trigger and a near miss for every rule of the format.
func sharcfbRules() []sharcCase {
	return slices.Concat(
		sharcHeaderRules(), sharcListRules(), sharcBinaryRules(), sharcProgramRules(), sharcMacroRules(), sharcSymbolRules(),
		gx2StructureRules(), gx2TableRules(), gx2NameRules(),
	)
}

func sharcHeaderRules() []sharcCase {
	e := sharcOf(sharcExample(sharcfb.Little))
	cut := func(n int) sharcFile { return sharcFile{b: e.b[:n]} }
	return []sharcCase{
		{"SHARC001", 23, "23 bytes", cut(23), "24 bytes, the header", cut(24)},
		{"SHARC002", 0, "the signature is CAHS", e.set("header.signature", 0x53484143), "the signature is BAHS", e},
		{"SHARC003", 4, "version 9", e.set("header.version", 9), "version 8", e},
		{"SHARC004", 0xC, "byte order 2", e.set("header.endian", 2), "byte order 1, little", e},
		{"SHARC005", 8, "a byte that the size does not count", e.bytes(len(e.b), 0), "the size of the file", e},
		{"SHARC006", 0x10, "resolved", e.set("header.resolved", 1), "not resolved", e},
		{"SHARC007", 0x18, "a name without NUL", e.bytes(0x1A, '!'), "a name with NUL", e},
		{"SHARC008", 0x18, "a name with a NUL inside", e.bytes(0x19, 0), "a name with its NUL at the end", e},
		{"SHARC009", 0x18, "a name with the control character 0x7F", e.bytes(0x18, 0x7F), "with 0x7E, a tilde", e.bytes(0x18, 0x7E)},
	}
}

func sharcListRules() []sharcCase {
	e, plain := sharcOf(sharcExample(sharcfb.Little)), sharcOf(sharcPlain(sharcfb.Big))
	return []sharcCase{
		{"SHARC010", e.at("binaries.size"), "a list of 7 bytes", e.set("binaries.size", 7), "a list of 8 bytes, without room for its records", e.set("binaries.size", 8)},
		{"SHARC011", e.at("programs.count"), "two programs in the room of one", e.set("programs.count", 2), "one program", e},
		{"SHARC012", e.at("programs[0].macros[0].size"), "a macro of 0x13 bytes", e.set("programs[0].macros[0].size", 0x13),
			"a macro of 0x14 bytes, too few for its strings", e.set("programs[0].macros[0].size", 0x14)},
		{"SHARC013", e.at("binaries[3].size"), "three binaries counted of four", e.set("binaries.count", 3), "four counted", e},
		{"SHARC014", len(e.b), "a byte behind the program list", e.more([]byte{0}), "nothing behind it", e},
		{"SHARC037", len(plain.b), "a word behind the lists of a program", plain.more(make([]byte, 4), "programs.size", "programs[0].size"), "nothing behind them", plain},
	}
}

func sharcBinaryRules() []sharcCase {
	e := sharcOf(sharcExample(sharcfb.Little))
	slack := func(gap, tail string) sharcFile {
		f := sharcExample(sharcfb.Little)
		f.Binaries[3].Slack = &sharcfb.Slack{Gap: []byte(gap), Tail: []byte(tail)}
		return sharcOf(f)
	}
	return []sharcCase{
		{"SHARC020", e.at("binaries[1].type"), "type 3", e.set("binaries[1].type", 3), "type 2, the wrong stage", e.set("binaries[1].type", 2)},
		{"SHARC021", e.at("binaries[3].data_size"), "data of one byte more than the record has", e.add("binaries[3].data_size", 1), "all bytes of the record", e},
		{"SHARC022", e.at("binaries[3].data_offset"), "a gap of four bytes", slack("gap.", ""), "no gap", e},
		{"SHARC023", e.at("binaries[3].size"), "a tail of four bytes", slack("", "tail"), "no tail", e},
		{"SHARC061", e.at("binaries[0].size"), "attributes before samplers", sharcBad(swappedTables()), "samplers before attributes", sharcBad(twoTables())},
	}
}

// twoTables has a sampler and an attribute in the first shader.
func twoTables() *sharcfb.File {
	f := sharcExample(sharcfb.Little)
	f.Binaries[0].Samplers = []gx2.SamplerVar{{Name: "tex", Type: gx2.Sampler2D}}
	return f
}

func swappedTables() *sharcfb.File {
	return sharcLaidOut(twoTables(), func(l *gx2.Layout) {
		l.Tables[5].Offset = l.Tables[4].Offset
		l.Tables[4].Offset += 0x10
	})
}

func sharcProgramRules() []sharcCase {
	e := sharcOf(sharcExample(sharcfb.Little))
	two := sharcOf(sharcTwoPrograms(sharcfb.Big))
	return []sharcCase{
		{"SHARC030", e.at("programs[0].name"), "a name without NUL", e.bytes(e.at("programs[0].name")+1, 'q'), "a name with NUL", e},
		{"SHARC031", e.at("programs[0].kind"), "a vertex shader alone", e.set("programs[0].kind", 1), "vertex and pixel shader", e},
		{"SHARC032", e.at("programs[0].base_index"), "four binaries from the second of four on", e.set("programs[0].base_index", 1), "from the first on", e},
		{"SHARC033", two.at("programs[1].base_index"), "both programs use the first binaries", two.set("programs[1].base_index", 0), "one after the other", two},
		{"SHARC034", e.at("binaries.count"), "two binaries without a program",
			sharcBad(changed(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Binaries = append(f.Binaries, f.Binaries[2:]...) })), "as many as are needed", e},
		{"SHARC035", e.at("binaries[1].type"), "two vertex shaders",
			sharcBad(changed(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Binaries[1] = sharcShader(gx2.Vertex, 1) })), "vertex and pixel shader", e},
		{"SHARC036", two.at("programs[1].size"), "two programs of one name", two.bytes(two.at("programs[1].name"), 'p'), "two names", two},
	}
}

func changed(f *sharcfb.File, change func(*sharcfb.File)) *sharcfb.File {
	change(f)
	return f
}

func sharcMacroRules() []sharcCase {
	e, m := sharcOf(sharcExample(sharcfb.Little)), sharcOf(sharcMacros())
	const macro = "programs[0].macros[0]."
	values := func(v ...wire.Text) sharcFile {
		return sharcChanged(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Programs[0].Macros[0].Values = v })
	}
	// counts gives the program a macro for each number of values.
	counts := func(numbers ...int) sharcFile {
		return sharcChanged(sharcPlain(sharcfb.Little), func(f *sharcfb.File) {
			for i, n := range numbers {
				macro := sharcfb.Macro{Name: wire.Text('A' + rune(i))}
				for k := range n {
					macro.Values = append(macro.Values, wire.Text(rune(0x100+k)))
				}
				f.Programs[0].Macros = append(f.Programs[0].Macros, macro)
			}
		})
	}
	plain := sharcOf(sharcPlain(sharcfb.Little))
	return []sharcCase{
		{"SHARC040", e.at(macro + "value_count"), "three values counted of two", e.set(macro+"value_count", 3), "two counted", e},
		{"SHARC041", e.at(macro + "value_count"), "no values counted", e.set(macro+"value_count", 0), "one counted of two", e.set(macro+"value_count", 1)},
		{"SHARC042", e.at(macro + "values[0]"), "an empty value", values("", "1"), "a value of a space", values(" ", "1")},
		{"SHARC043", e.at(macro + "values[1]"), "a value twice", values("0", "0"), "two values", e},
		{"SHARC044", plain.at("programs[0].macros.size"), "65536 variations", counts(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
			"65535 variations, without the binaries", counts(3, 5, 17, 257)},
		{"SHARC045", e.at(macro + "id"), "an ID without NUL", e.bytes(e.at(macro+"id"), 'i'), "an empty ID", e},
		{"SHARC046", m.at("programs[0].defaults[1].size"), "a default value that is not possible", m.bytes(m.at("programs[0].defaults[1].values[0]"), '2'),
			"another possible one", m.bytes(m.at("programs[0].defaults[1].values[0]"), '1')},
		{"SHARC047", e.at(macro + "name"), "a name without NUL", e.bytes(e.at(macro+"name")+1, 'N'), "a name with NUL", e},
	}
}

func sharcSymbolRules() []sharcCase {
	e := sharcOf(sharcExample(sharcfb.Little))
	s := sharcOf(sharcSymbols(sharcfb.Big))
	const a, u = "programs[0].attributes[0].", "programs[0].uniforms[0]."
	return []sharcCase{
		{"SHARC050", e.at(a + "size"), "an ID of one byte more than there is", e.add(a+"id_length", 1), "the length of the ID", e},
		{"SHARC051", e.at(a + "variation_count"), "three enable bytes for two variations",
			sharcChanged(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Programs[0].Attributes[0].Enable = wire.Hex{1, 1, 1} }), "two", e},
		{"SHARC052", e.at(a + "enable"), "an enable byte of 2", e.bytes(e.at(a+"enable"), 2), "one of 0", e.bytes(e.at(a+"enable"), 0)},
		{"SHARC053", e.at(a + "offset"), "an attribute at 0", e.set(a+"offset", 0), "at -1", e},
		{"SHARC054", s.at(u + "default_size"), "a default value of 7 bytes",
			sharcChanged(sharcSymbols(sharcfb.Big), func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Default = make(wire.Hex, 7) }), "of 8 bytes", s},
		{"SHARC055", e.at(a + "id"), "an empty ID",
			sharcChanged(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Programs[0].Attributes[0].ID = "" }), "an ID", e},
		{"SHARC056", s.at("programs[0].attributes[1].name"), "two attributes of one name", s.bytes(s.at("programs[0].attributes[1].name"), []byte("aPos")...), "two names", s},
		{"SHARC057", e.at(a + "id"), "an ID without NUL", e.bytes(e.at(a+"id")+3, 'x'), "an ID with NUL", e},
	}
}

func gx2StructureRules() []sharcCase {
	e, b, g := sharcOf(sharcExample(sharcfb.Little)), sharcOf(sharcExample(sharcfb.Big)), sharcOf(sharcGeometry(sharcfb.Big))
	const v, p, geo = "binaries[0].", "binaries[1].", "binaries[2]."
	code := func(n int) sharcFile {
		return sharcChanged(sharcExample(sharcfb.Little), func(f *sharcfb.File) { f.Binaries[3].Code = make(wire.Hex, n) })
	}
	structure := func(binary string) int { return e.at(binary+"data_size") + 4 }
	return []sharcCase{
		{"GX2001", structure(p), "data of 0xE7 bytes", e.set(p+"data_size", 0xE7), "of 0xE8, the structure without code", e.set(p+"data_size", 0xE8)},
		{"GX2002", e.at(v + "num_spi_vs_out_id"), "11 of 10 registers used", e.set(v+"num_spi_vs_out_id", 11), "10 used", e.set(v+"num_spi_vs_out_id", 10)},
		{"GX2003", e.at(v + "SPI_VS_OUT_ID_0"), "an unused register holds 0xFF", e.set(v+"SPI_VS_OUT_ID_0", 0xFF), "it holds 0xFFFFFFFF", e.set(v+"SPI_VS_OUT_ID_0", 0xFFFFFFFF)},
		{"GX2010", e.at(v + "code_size"), "no code", e.set(v+"code_size", 0), "eight bytes", e},
		{"GX2011", e.at("binaries[3].code_size"), "twelve bytes of code", code(12), "sixteen", code(16)},
		{"GX2012", e.at(v + "code_size"), "eight bytes behind the code", sharcBad(sharcLaidOut(sharcExample(sharcfb.Little), func(l *gx2.Layout) { l.Size += 0x100 })), "none", e},
		{"GX2013", b.at(v + "program"), "code at 0x1FF", b.add(v+"program", 0xFFFFFFFF), "at 0x200", b},
		{"GX2014", g.at(geo + "copy_size"), "no copy program", g.set(geo+"copy_size", 0), "one", g},
		{"GX2020", e.at(v + "mode"), "mode 4", e.set(v+"mode", 4), "mode 3, compute", e.set(v+"mode", 3)},
		{"GX2021", e.at(p + "mode"), "block mode with register mode", e.set(p+"mode", 0), "both in block mode", e},
		{"GX2022", g.at(geo + "stream_out"), "stream-out 2", g.set(geo+"stream_out", 2), "stream-out 1", g},
		{"GX2023", g.at(geo + "stream_out_stride[0]"), "a stride of 6", g.set(geo+"stream_out_stride[0]", 6), "a stride of 8", g.set(geo+"stream_out_stride[0]", 8)},
		{"GX2024", g.at(geo + "copy_buffer.pointer"), "a buffer of the copy program", g.set(geo+"copy_buffer.pointer", 4), "none", g},
	}
}

func gx2TableRules() []sharcCase {
	e, b := sharcOf(sharcExample(sharcfb.Little)), sharcOf(sharcExample(sharcfb.Big))
	const v = "binaries[0]."
	const size = 0x134 // of the structure
	loops := func(endian sharcfb.Endian, offset byte) sharcFile {
		return sharcOf(changed(sharcExample(endian), func(f *sharcfb.File) { f.Binaries[0].Loops = []gx2.LoopVar{{3: offset}} }))
	}
	return []sharcCase{
		{"GX2030", e.at(v + "attributes.count"), "an attribute without pointer", e.set(v+"attributes.offset", 0), "with one", e},
		{"GX2031", e.at(v + "attributes.offset"), "attributes inside the structure", e.set(v+"attributes.offset", size-4), "behind it", e},
		{"GX2032", b.at(v+"attributes[0].text") - 1, "a name that starts inside the table", b.add(v+"attributes[0].name", 0xFFFFFFFF), "behind it", b},
		{"GX2033", e.at(v + "attributes.offset"), "attributes four bytes late", e.set(v+"attributes.offset", size+4), "right behind the structure", e},
		{"GX2034", e.at(v + "initial_values.count"), "an initial value", e.set(v+"initial_values.count", 1).set(v+"initial_values.offset", size), "none", e},
		{"GX2035", b.at(v + "attributes.offset"), "attributes two bytes late", sharcMoved(2), "four bytes late", sharcMoved(4)},
		{"GX2041", e.at(v + "loops.count"), "a loop variable in little endian", loops(sharcfb.Little, 0), "in big endian", loops(sharcfb.Big, 0)},
		{"GX2042", loops(sharcfb.Big, 0).at(v + "loops[0].offset"), "loop constant 32", loops(sharcfb.Big, 32), "loop constant 31", loops(sharcfb.Big, 31)},
	}
}

// sharcMoved has its attributes, and their names, some bytes late.
func sharcMoved(by uint32) sharcFile {
	f := changed(sharcExample(sharcfb.Big), func(f *sharcfb.File) { f.Binaries[0].Attributes[0].Name = "aPosition" })
	return sharcBad(sharcLaidOut(f, func(l *gx2.Layout) {
		l.Tables[5].Offset += by
		l.Names[0].Offset += by
	}))
}

// sharcMoreTriggers lists further ways to trigger a rule: the warning of a rule
// that is an error elsewhere.
func sharcMoreTriggers() []corpus.Vector {
	b := sharcOf(sharcExample(sharcfb.Big))
	return []corpus.Vector{
		{Name: "GX2033-trigger-big", Rule: "GX2033", Offset: b.at("binaries[0].attributes.offset"), Comment: "attributes four bytes late in big endian: a warning", Data: sharcMoved(4).b},
	}
}

func gx2NameRules() []sharcCase {
	e, s := sharcOf(sharcExample(sharcfb.Little)), sharcOf(sharcSymbols(sharcfb.Big))
	const v = "binaries[0]."
	tail := func(off uint32) sharcFile {
		f := sharcSymbols(sharcfb.Big)
		f.Binaries[0].Attributes[1].Name = "Pos"
		return sharcBad(sharcLaidOut(f, func(l *gx2.Layout) { l.Names[6].Offset = l.Names[5].Offset + off }))
	}
	const separate = uint32(len("aPos")) + 1
	return []sharcCase{
		{"GX2040", e.at(v + "attributes[0].name"), "a name where the data ends", e.set(v+"attributes[0].name", 0x1D5), "a name inside the data", e},
		{"GX2043", s.at(v + "uniforms[0].type"), "type 39", s.set(v+"uniforms[0].type", 39), "type 38, double4x4", s.set(v+"uniforms[0].type", 38)},
		{"GX2044", s.at(v + "uniforms[0].block"), "block 2 of two", s.set(v+"uniforms[0].block", 2), "block 1", s.set(v+"uniforms[0].block", 1)},
		{"GX2045", s.at(v + "samplers[0].location"), "sampler 18", s.set(v+"samplers[0].location", 18), "sampler 17", s.set(v+"samplers[0].location", 17)},
		{"GX2046", s.at(v + "attributes[1].name"), "two attributes of one name", s.bytes(s.at(v+"attributes[1].text"), []byte("aPos")...), "two names", s},
		{"GX2047", e.at(v+"code") - 1, "a byte before the code", e.bytes(e.at(v+"code")-1, 1), "a zero", e},
		{"GX2048", s.at(v+"attributes[0].text") + 1, "a name that is the tail of another", tail(1), "a name of its own", tail(separate)},
	}
}
