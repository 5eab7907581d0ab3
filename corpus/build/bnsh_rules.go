package main

import (
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
)

// Field offsets in the file header, the container, which is at 0x60, and the
// records.
const (
	bnMicro, bnMinor, bnMajor, bnOrder, bnShift, bnAddress       = 0x08, 0x09, 0x0A, 0x0C, 0x0E, 0x0F
	bnName, bnFlags, bnContainer, bnRelocations, bnSize, bnSpare = 0x10, 0x14, 0x16, 0x18, 0x1C, 0x20

	bnNext, bnBlock, bnAPI, bnAPIVersion, bnTarget, bnSpare2 = 0x64, 0x68, 0x70, 0x72, 0x74, 0x75
	bnCount, bnVariations, bnPool                            = 0x7C, 0x80, 0x88

	vrSource, vrParent                                           = 0x00, 0x18
	prCodeType, prFormat, prVertex, prPixel, prCompute, prMemory = 0x01, 0x04, 0x08, 0x28, 0x30, 0x60
	prParent, prCompiler                                         = 0x70, 0x80
	bcAddress, bcCode, bcCodeSize, bcControlSize                 = 0x00, 0x10, 0x18, 0x1C
	plSize                                                       = 0x04
	srOutputs, srFirstOutput, srSlots, srWorkGroup, srFirstImage = 0x08, 0x28, 0x38, 0x40, 0x4C
	dcCount, dcEntries, enBit, enLeft, enRight, enSize           = 0x04, 0x08, 0x00, 0x04, 0x06, 0x10
	stNext, stCount, stStrings                                   = 0x04, 0x10, 0x14
	rlSelf, rlCount, rlSections, scSize, scPosition              = 0x04, 0x08, 0x10, 0x18, 0x08
)

// bnshFile is a file with its layout, for edits.
type bnshFile struct {
	bytes []byte
	*bnsh.Layout
}

func bnshWritten(f *bnsh.File) bnshFile {
	b := bnshBytes(f)
	return bnshFile{b, must(bnsh.Parse(b)).Layout}
}

func (f bnshFile) program(i int) int { return int(f.Programs[i].Record) }
func (f bnshFile) code(i int) int    { return int(f.Programs[i].Stages[bnsh.Vertex].Record) }
func (f bnshFile) control(i int) int { return int(f.Programs[i].Stages[bnsh.Vertex].Control) }
func (f bnshFile) reflection() int   { return int(f.Programs[0].Reflections[bnsh.Vertex].Record) }
func (f bnshFile) dictionary() int {
	return int(f.Programs[0].Reflections[bnsh.Vertex].Dictionaries[bnsh.Inputs].Offset)
}
func (f bnshFile) entry(i int) int      { return f.dictionary() + dcEntries + enSize*i }
func (f bnshFile) section(i int) int    { return int(f.Relocations) + rlSections + scSize*i }
func (f bnshFile) relocation(i int) int { return f.section(6) + 8*i }

// bnshRules lists a trigger and a near miss for the rules that an edit of bytes
// can break.
func bnshRules() []ruleCase {
	source, named, binary := bnshWritten(bnshSource("v")), bnshWritten(bnshNamed()), bnshWritten(bnshBinary(1))
	return slices.Concat(
		bnshHeaderRules(source),
		bnshProgramRules(source, binary),
		bnshPoolRules(binary),
		bnshReflectionRules(named),
		bnshTableRules(source, named),
		bnshControlRules(binary),
	)
}

func bnshHeaderRules(f bnshFile) []ruleCase {
	b := f.bytes
	size := uint32(len(b))
	return []ruleCase{
		{"BNSH002", bnOrder, b, "the byte order mark of a big-endian file", on(bnOrder, []byte{0xFE, 0xFF}), "little-endian", nil},
		{"BNSH003", bnMajor, b, "version 3.1.12", on(bnMajor, u16(3)), "version 2.3.1", on(bnMinor, u8(3), bnMicro, u8(1))},
		{"BNSH004", bnShift, b, "alignment of 0x2000", on(bnShift, u8(13)), "alignment of 0x1000", nil},
		{"BNSH005", bnAddress, b, "addresses of 32 bits", on(bnAddress, u8(32)), "addresses of 64 bits", on(bnAddress, u8(64))},
		{"BNSH006", bnSize, b, "the size of the file and one", on(bnSize, u32(size+1)), "the size of the file", nil},
		{"BNSH007", bnFlags, b, "relocated", on(bnFlags, u16(1)), "not relocated", nil},
		{"BNSH008", bnSpare, b, "the last reserved byte is 1", on(bnSpare+0x3F, u8(1)), "it is 0", nil},
		{"BNSH009", bnContainer, b, "the container at 0x64", on(bnContainer, u16(0x64)), "at 0x68, where there is none", on(bnContainer, u16(0x68))},
		{"BNSH010", 0x60, b, "the container is called grsd", on(0x63, []byte("d")), "it is called grsc", nil},
		{"BNSH011", bnSpare2, b, "the last byte behind the target code type is 1", on(bnSpare2+2, u8(1)), "the target code type is 1", on(bnTarget, u8(1))},
		{"BNSH012", bnBlock, b, "a container of 0x5F bytes", on(bnBlock, u32(0x5F)), "a container of 0x60 bytes", on(bnBlock, u32(0x60))},
		{"BNSH015", bnMicro, b, "version 2.1.13", on(bnMicro, u8(13)), "version 2.1.11", on(bnMicro, u8(11))},
		{"BNSH016", bnShift, b, "alignment shift 32", on(bnShift, u8(32)), "alignment shift 31", on(bnShift, u8(31))},
		{"BNSH018", bnBlock, b, "the container ends eight bytes before the strings", on(bnBlock, u32(f.Strings-f.Container-8)), "it ends where they start", nil},
		{"BNSH019", bnAPI, b, "API type 3", on(bnAPI, u16(3)), "API version 3", on(bnAPIVersion, u16(3))},
		{"BNSH020", bnCount, b, "no variation", on(bnCount, u32(0)), "one", nil},
	}
}

func bnshProgramRules(f, binary bnshFile) []ruleCase {
	b, v, p, c := f.bytes, int(f.Variations), f.program(0), f.code(0)
	object := int(f.Programs[0].Object)
	x := binary.code(0)
	return []ruleCase{
		{"BNSH021", v + vrParent, b, "the parent is the variation itself", on(v+vrParent, u32(f.Variations)), "the parent is the container", nil},
		{"BNSH022", p + prParent, b, "the parent is the container", on(p+prParent, u32(f.Container)), "the parent is the variation", nil},
		{"BNSH023", p, b, "flags 4", on(p, u8(4)), "flags 3", on(p, u8(3))},
		{"BNSH024", p + prCodeType, b, "intermediate code in the slot for source", on(p+prCodeType, u8(1)), "a source array there", on(p+prCodeType, u8(3))},
		{"BNSH025", p + prFormat, b, "binary format 2", on(p+prFormat, u32(2)), "binary format 1", on(p+prFormat, u32(1))},
		{"BNSH026", p + prCompute, b, "vertex and compute", on(p+prCompute, u32(uint32(c))), "vertex and pixel, if with one record", on(p+prPixel, u32(uint32(c)))},
		{"BNSH027", object + 3, b, "the last byte of the object memory is 1", on(object+3, u8(1)), "the byte behind it is", on(object+4, u8(1))},
		{"BNSH028", p, b, "a source program", nil, "none", []edit{{0, binary.bytes}}},
		{"BNSH029", p + prCompiler, b, "a compiler reflection", on(p+prCompiler, u32(f.Container)), "none", nil},
		{"BNSH036", c, b, "no code", on(c, u32(0)), "a byte of code", nil},
		{"BNSH038", p + prFormat, b, "binary format 1", on(p+prFormat, u32(1)), "binary format 0", nil},
		{"BNSH030", x + bcAddress, binary.bytes, "an address", on(x+bcAddress, u32(1)), "none", nil},
		{"BNSH031", x + bcControlSize, binary.bytes, "a control of 0 bytes", on(x+bcControlSize, u32(0)), "a control of one", on(x+bcControlSize, u32(1))},
		{"BNSH032", x + bcCodeSize, binary.bytes, "code that ends behind the pool", on(x+bcCodeSize, u32(0x1001)), "code that ends with it", on(x+bcCodeSize, u32(0x1000))},
		{"BNSH033", x + bcCode, binary.bytes, "code at 0x80 of the pool", on(x+bcCode, u32(binary.Pool.Memory+0x80)), "code at 0x100", on(x+bcCode, u32(binary.Pool.Memory+0x100))},
		{"BNSH037", x + bcCodeSize, binary.bytes, "code of 0x101 bytes", on(x+bcCodeSize, u32(0x101)), "code of 0x200 bytes", on(x+bcCodeSize, u32(0x200))},
	}
}

func bnshPoolRules(f bnshFile) []ruleCase {
	b, p, x := f.bytes, int(f.Pool.Record), f.code(0)
	object := int(f.Pool.Object)
	return []ruleCase{
		{"BNSH035", p + plSize, b, "0x400 bytes behind the code", on(x+bcCodeSize, u32(0xC00)), "0x500 bytes", on(x+bcCodeSize, u32(0xB00))},
		{"BNSH040", bnPool, b, "no pool for binary code", on(bnPool, u32(0)), "a pool", nil},
		{"BNSH041", object + 0x13F, b, "the last byte of its object is 1", on(object+0x13F, u8(1)), "it is 0", nil},
		{"BNSH042", p, b, "a pool without GPU cache", on(p, u32(0x41)), "a pool as usual", nil},
	}
}

func bnshReflectionRules(f bnshFile) []ruleCase {
	b, r, d := f.bytes, f.reflection(), f.dictionary()
	table := int(f.Programs[0].Reflection)
	return []ruleCase{
		{"BNSH013", d, b, "the inputs are the outputs too", on(r+srOutputs, u32(uint32(d))), "the inputs have a dictionary", nil},
		{"BNSH048", r + srFirstImage, b, "images start at slot 3 of 2", on(r+srFirstImage, u32(3)), "at 2 of 2", nil},
		{"BNSH050", table + 0x30, b, "the last reserved byte is 1", on(table+0x3F, u8(1)), "it is 0", nil},
		{"BNSH051", r + srSlots, b, "two inputs and no slots", on(r+srSlots, u32(0)), "outputs, of which there are none, start at -1", on(r+srFirstOutput, u32(0xFFFFFFFF))},
		{"BNSH052", r + srWorkGroup, b, "a vertex stage with a work group", on(r+srWorkGroup, u32(1)), "without one", nil},
		{"BNSH053", d + dcCount, b, "-1 items", on(d+dcCount, u32(0xFFFFFFFF)), "1 item, though there is another", on(d+dcCount, u32(1))},
		{"BNSH054", f.entry(0) + enBit, b, "the root branches on bit 0", on(f.entry(0)+enBit, u32(0)), "the root has a right child", on(f.entry(0)+enRight, u16(1))},
		{"BNSH055", f.entry(1) + enBit, b, "an item branches on bit -1", on(f.entry(1)+enBit, u32(0xFFFFFFFF)), "it branches on bit 1", on(f.entry(1)+enBit, u32(1))},
		{"BNSH056", f.entry(2), b, "the second item branches on a bit that its key does not have", on(f.entry(2)+enBit, u32(7)), "it branches on another bit that its key has", on(f.entry(2)+enBit, u32(4))},
		{"BNSH057", f.entry(1) + enBit, b, "it branches on another bit that tells its children apart", on(f.entry(1)+enBit, u32(1)), "it branches on the lowest", nil},
		{"BNSH068", f.entry(0) + enRight, b, "the root has a right child", on(f.entry(0)+enRight, u16(1)), "it has none", nil},
	}
}

func bnshTableRules(f, named bnshFile) []ruleCase {
	b, s, t := f.bytes, int(f.Strings), int(f.Relocations)
	strings := s + stStrings
	keys := int(named.Strings) + stStrings
	return []ruleCase{
		{"BNSH060", strings + 7, b, "the file name goes on where it should end", on(strings+7, u8('x')), "it ends", nil},
		{"BNSH061", s + stCount, b, "more strings than fit", on(s+stCount, u32(0x4000)), "as many as there are", nil},
		{"BNSH062", strings, b, "the first string is a NUL", on(strings, u16(1)), "it is empty", nil},
		{"BNSH063", bnName, b, "the name starts with its second character", on(bnName, u32(uint32(strings+7))), "with its first", nil},
		{"BNSH065", bnName, named.bytes, "the name is a key", on(bnName, u32(uint32(keys+10))), "the name is the second string", nil},
		{"BNSH067", strings + 6, b, "the name is a byte that is no UTF-8", on(strings+6, u8(0x80)), "it is ASCII", nil},
		{"BNSH070", t + rlSelf, b, "another offset than its own", on(t+rlSelf, u32(f.Relocations+8)), "its own", nil},
		{"BNSH071", t + rlCount, b, "five sections", on(t+rlCount, u32(5)), "six", nil},
		{"BNSH072", f.section(0) + 12, b, "section 0 ends eight bytes early", on(f.section(0)+12, u32(f.Sections[0].Size-8)), "it ends where section 1 starts", nil},
		{"BNSH073", named.relocation(0), named.bytes, "an entry covers the signature of the file", on(named.relocation(0), u32(0)), "an entry covers the null pointer to a compiler reflection too", on(named.relocation(2)+6, u8(3))},
		{"BNSH075", f.section(2) + scPosition, b, "section 2 is at 0", on(f.section(2)+scPosition, u32(0)), "it is behind section 1", nil},
		{"BNSH080", int(f.Programs[0].Object) + 4, b, "a byte behind the object memory", on(int(f.Programs[0].Object)+4, u8(1)), "it is 0", nil},
	}
}

func bnshControlRules(f bnshFile) []ruleCase {
	b, c, x := f.bytes, f.control(0), f.code(0)
	code := int(f.Pool.Memory)
	return []ruleCase{
		{"BNSH090", c, b, "GPU code version 1.17", on(c+0x08, u32(17)), "version 1.16", nil},
		{"BNSH091", c + 0x0C, b, "word 0x0C is 0x121", on(c+0x0C, u32(0x121)), "it is 0x120", nil},
		{"BNSH092", c + 0x704, b, "code of 0xFF bytes", on(c+0x704, u32(0xFF)), "code of 0x100", nil},
		{"BNSH093", c + 0x700, b, "constants end a byte behind the code", on(c+0x700, u32(0xF1), c+0x6FC, u32(0x10)), "constants end with the code", on(c+0x700, u32(0xF0), c+0x6FC, u32(0x10))},
		{"BNSH094", c + 0x708, b, "a vertex program at 0x100", on(c+0x708, u32(0x100)), "at 0x30", nil},
		{"BNSH095", c + 0x710, b, "scratch memory that the record does not have", on(c+0x710, u32(8)), "none", on(x+0x28, u32(8))},
		{"BNSH096", c + 0x714, b, "a control for pixel", on(c+0x714, u32(1)), "for vertex", nil},
		{"BNSH097", code, b, "the first word of compute code", on(code, u32(0x12345679)), "that of other code", nil},
	}
}

// bnshPairs adds the vectors of rules that need two files of their own.
func bnshPairs(k *kit) {
	source := bnshBytes(bnshSource("v"))
	k.trigger("BNSH001", 0xBF, "0xBF bytes", source[:0xBF])
	k.nearMiss("BNSH001", 0, "0xC0 bytes: both headers, and nothing else of it", source[:0xC0])

	k.trigger("BNSH017", bnContainer, "the container eight bytes further", bnshBytes(bnshShifted()))
	k.nearMiss("BNSH017", bnContainer, "the container where it usually is", source)

	two := bnshWritten(bnshBinary(1, 2))
	second := int(two.Pool.Memory) + 0x100
	k.trigger("BNSH034", second, "the code of the first variation runs into that of the second", edited(two.bytes, on(two.code(0)+bcCodeSize, u32(0x200))))
	k.nearMiss("BNSH034", second, "both variations have the same code", edited(two.bytes, on(two.code(1)+bcCode, u32(two.Pool.Memory))))

	hull := bnshWritten(bnshStages(bnsh.Vertex, bnsh.Hull, bnsh.Pixel))
	k.trigger("BNSH039", hull.program(0)+prVertex+8, "hull without domain", hull.bytes)
	k.nearMiss("BNSH039", hull.program(0)+prVertex+8, "hull and domain", bnshBytes(bnshStages(bnsh.Vertex, bnsh.Hull, bnsh.Domain)))

	bnshDictionaryPairs(k)
	bnshStringPairs(k)
	bnshRelocationPairs(k)

	k.trigger("BNSH081", 0, "the code of the second variation comes first", bnshBytes(bnshOtherOrder()))
	k.nearMiss("BNSH081", 0, "the code is in the order of the variations", bnshBytes(bnshSource("v", "w")))
}

func bnshDictionaryPairs(k *kit) {
	f := bnshArranged(bnshNamed())
	layout := f.Layout.Programs[0].Reflections[bnsh.Vertex]
	d := &layout.Dictionaries[bnsh.Inputs]
	r := f.Variations[0].Source.Reflection[bnsh.Vertex]
	r.Tables[bnsh.Inputs].Keys, r.Slots = nil, nil
	for kind := range r.Tables {
		r.Tables[kind].First = 0
	}
	d.Nodes = []bnsh.Node{{Bit: -1}}
	layout.Slots = 0
	bnshRelocate(f)
	k.trigger("BNSH049", int(d.Offset)+dcCount, "a dictionary of nothing", bnshBytes(f))
	k.nearMiss("BNSH049", int(d.Offset)+dcCount, "no dictionary", bnshBytes(bnshKeys(0)))

	pixel := bnshNamed()
	pixel.Variations[0].Source.Reflection[bnsh.Pixel] = bnshReflection(bnsh.Tables{})
	written := bnshWritten(pixel)
	at := int(written.Programs[0].Reflection) + 8*int(bnsh.Pixel)
	k.trigger("BNSH058", at, "reflection of a pixel stage that has no code", written.bytes)
	pixel.Variations[0].Source.Stages[bnsh.Pixel] = &bnsh.Code{Code: wire.Hex("p")}
	k.nearMiss("BNSH058", at, "the stage has code", bnshBytes(pixel))

	extended := bnshWritten(bnshExtended())
	at = extended.reflection() + 0x58
	k.trigger("BNSH059", at, "an extension in version 2.1.12", edited(extended.bytes, on(bnMinor, u8(1), bnMicro, u8(12))))
	k.nearMiss("BNSH059", at, "an extension in version 2.2.1", extended.bytes)
}

// bnshRelocate makes the relocation entries anew: one for each pointer of the
// file that is not null. The file must have a stored layout.
func bnshRelocate(f *bnsh.File) {
	b := must(f.AppendUnchecked(nil))
	body := wire.LE(b[:f.Layout.Strings])
	sections := &f.Layout.Sections
	old := [6][]bnsh.RelocationEntry{}
	for i := range sections {
		old[i], sections[i].Entries = sections[i].Entries, nil
	}
	for i, entries := range old {
		for _, e := range entries {
			for s := range uint32(e.Structs) {
				for n := range uint32(e.Pointers) {
					p := e.Position + 8*(s*(uint32(e.Pointers)+uint32(e.Padding))+n)
					if body.U64(uint64(p)) != 0 {
						sections[i].Entries = append(sections[i].Entries, bnsh.RelocationEntry{Position: p, Structs: 1, Pointers: 1})
					}
				}
			}
		}
	}
}

// bnshWithString is bnshSource with one more string in the pool.
func bnshWithString(s bnsh.Text) *bnsh.File {
	f := bnshArranged(bnshSource("v"))
	l := f.Layout
	l.StringPool = append(l.StringPool, s)
	l.Sections[5].Size += uint32(len(s)+4) &^ 1
	l.Relocations = (l.Strings + l.Sections[5].Size + 7) &^ 7
	return f
}

func bnshStringPairs(k *kit) {
	source := bnshWritten(bnshSource("v"))
	at := int(source.Strings) + stStrings + 10
	k.trigger("BNSH064", at, "the file name is in the pool twice", bnshBytes(bnshWithString("s")))
	k.nearMiss("BNSH064", at, "another string is in the pool", bnshBytes(bnshWithString("t")))
	k.trigger("BNSH066", at, "a string that is no key", bnshBytes(bnshWithString("t")))
	k.nearMiss("BNSH066", at, "no further string", source.bytes)
}

func bnshRelocationPairs(k *kit) {
	f := bnshArranged(bnshSource("v"))
	at := bnshFile{Layout: f.Layout}.relocation(0)
	bnshRelocate(f)
	k.trigger("BNSH074", at, "an entry for every pointer", bnshBytes(f))
	k.nearMiss("BNSH074", at, "entries as the converter makes them", bnshBytes(bnshSource("v")))

	named := bnshWritten(bnshNamed())
	third := named.relocation(2)
	k.trigger("BNSH076", third, "an entry covers the null pointer to a compiler reflection too", edited(named.bytes, on(third+6, u8(3))))
	k.nearMiss("BNSH076", third, "it covers the two pointers in front", named.bytes)
}
