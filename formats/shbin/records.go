package shbin

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

//go:generate go test -run ^TestDoc$ -update .

// dvlpHeader is the model of a DVLP header: its version is in the DVLP, the
// extents of its tables are in the Layout.
type dvlpHeader struct {
	*DVLP
	*Layout
}

// dvleHeader is the model of a DVLE header.
type dvleHeader struct {
	dvle   *DVLE
	layout *DVLELayout // extents of the tables
}

// The records of the headers.
var (
	dvlbRecord = wire.NewRecord("DVLB header; the DVLE offsets follow, then the DVLP",
		wire.Magic[Layout]("DVLB", "DVLB002"),
		wire.Derived("count", 4, func(l *Layout) uint64 { return uint64(len(l.DVLEs)) },
			"number of DVLEs, at least 1").Must("DVLB003", wire.NotZero(), diag.Dec),
	)
	offsetRecord = wire.NewRecord("DVLE offset",
		wire.Uint("", func(e *DVLELayout) *uint32 { return &e.Offset }, "from the start of the file").
			In("offsets").Hex().Must("DVLB005", wire.MultipleOf(4), diag.Hex),
	)
	dvlpRecord = wire.NewRecord("DVLP header; offsets are from its start", slices.Concat(
		[]wire.Field[dvlpHeader]{
			wire.Magic[dvlpHeader]("DVLP"),
			wire.Uint("version", func(h *dvlpHeader) *uint32 { return &h.Version },
				"low half: tool version, low byte major (GBATEK); upper half unknown, 0 so far").Hex().
				Must("DVLP003", ToolVersions, diag.Hex),
		},
		wire.Extents(func(h *dvlpHeader) *Extent { return &h.Layout.Code }, "",
			wire.Unread[dvlpHeader]("code.count", 4, "words (3dbrew); 1 to 4096").
				Must("DVLP006", wire.NotZero(), diag.Dec).
				Must("DVLP007", wire.AtMost(pica.MaxCode), diag.Dec),
			wire.PlaceRules{Misaligned: "DVLP004", Outside: "DVLP005", Entry: 4, Empty: true}),
		wire.Extents(func(h *dvlpHeader) *Extent { return &h.Layout.Descriptors }, "",
			wire.Unread[dvlpHeader]("descriptors.count", 4, "up to 128 (3dbrew)").
				Must("DVLP011", wire.AtMost(pica.MaxDescriptors), diag.Dec),
			wire.PlaceRules{Misaligned: "DVLP009", Outside: "DVLP010", Entry: 8}),
		wire.Extents(func(h *dvlpHeader) *Extent { return &h.Layout.Lines }, "a short header ends here",
			wire.Unread[dvlpHeader]("lines.count", 4, "GBATEK; 3dbrew: unknown, 0").
				Must("DVLP016", wire.EqualTo("code.count"), diag.Dec, wire.If("lines.count", wire.NotZero())),
			wire.PlaceRules{Misaligned: "DVLP015", Outside: "DVLP015", Entry: 8}),
		wire.Extents(func(h *dvlpHeader) *Extent { return &h.Layout.FileNames }, "",
			wire.Unread[dvlpHeader]("file_names.size", 4, "bytes (GBATEK, 3dbrew)"),
			wire.PlaceRules{Outside: "DVLP018", Entry: 1}),
	)...)
	shortDVLPRecord = dvlpRecord.First(7) // up to lines.offset
	dvleRecord      = wire.NewRecord("DVLE header; offsets are from its start", slices.Concat(
		[]wire.Field[dvleHeader]{
			wire.Magic[dvleHeader]("DVLE", "DVLE002"),
			wire.Uint("version", func(h *dvleHeader) *uint16 { return &h.dvle.Version },
				"as in the DVLP; 0x1002 from picasso").Hex(),
		},
		wire.Pair(func(h *dvleHeader) (*Type, *uint8) { return &h.dvle.Type, &h.dvle.Merge },
			wire.Unread[dvleHeader]("type", 1, "0 vertex, 1 geometry").
				Must("DVLE004", wire.AtMost(uint64(GeometryShader)), diag.Dec).Ends(),
			wire.Unread[dvleHeader]("merge", 1, "1: merge the output maps of vertex and geometry shader (3dbrew)").
				Must("DVLE005", wire.AtMost(1), diag.Dec).
				Must("DVLE006", wire.Is(0), diag.Dec, isVertex)),
		wire.Pair(func(h *dvleHeader) (*uint32, *uint32) { return &h.dvle.Entry, &h.dvle.End },
			wire.Unread[dvleHeader]("entry", 4, "first word"),
			wire.Unread[dvleHeader]("end", 4, "word after the last; 0 from nihstro and Azahar")),
		wire.Pair(func(h *dvleHeader) (*uint16, *uint16) { return &h.dvle.InputMask, &h.dvle.OutputMask },
			wire.Unread[dvleHeader]("input_mask", 2, "bit i: vi is used (3dbrew); 0 from nihstro and aemstro").Hex(),
			wire.Unread[dvleHeader]("output_mask", 2,
				"bit i: oi is declared (3dbrew); 0 from nihstro and aemstro").Hex()),
		wire.Pair(func(h *dvleHeader) (*Mode, *uint8) { return &h.dvle.Geometry.Mode, &h.dvle.Geometry.First },
			geometryByte("geometry.mode", "0 point, 1 variable, 2 fixed (3dbrew)").
				Must("DVLE013", wire.AtMost(uint64(Fixed)), diag.Dec, isGeometry),
			usedBy(Fixed, "geometry.first", "fixed: first float register that receives the vertices (3dbrew)").
				Must("DVLE016", wire.Below(pica.NumFloats), diag.Dec, isGeometry, hasMode(Fixed)).Once()),
		wire.Pair(func(h *dvleHeader) (*uint8, *uint8) { return &h.dvle.Geometry.Variable, &h.dvle.Geometry.Fixed },
			usedBy(Variable, "geometry.variable_count", "variable: number of fully defined vertices (3dbrew)").
				Must("DVLE015", wire.NotZero(), diag.Dec, isGeometry, hasMode(Variable)).
				Must("DVLE018", wire.AtMost(maxVariableCount), diag.Dec, isGeometry, hasMode(Variable)),
			usedBy(Fixed, "geometry.fixed_count", "fixed: number of vertices (3dbrew)").
				Must("DVLE016", wire.NotZero(), diag.Dec, isGeometry, hasMode(Fixed)).Once().
				Must("DVLE018", wire.AtMost(maxFixedCount), diag.Dec, isGeometry, hasMode(Fixed))),
		wire.AllExtents(func(h *dvleHeader) []Extent { return h.layout.Tables[:] },
			dvleExtents(constantTable, "count", ""),
			dvleExtents(labelTable, "count", ""),
			dvleExtents(outputTable, "count", ""),
			dvleExtents(uniformTable, "count", "inputs too"),
			dvleExtents(symbolTable, "size", "bytes, padding not included"),
		),
	)...)
)

// The rules about the headers, in the groups in which the walk evaluates them.
var (
	dvlbRules = dvlbRecord.Only("DVLB002", "DVLB003")

	dvlpRules           = dvlpRecord.Only("DVLP003", "DVLP004", "DVLP005", "DVLP006", "DVLP007", "DVLP009", "DVLP010")
	descriptorCountRule = dvlpRecord.Only("DVLP011")
	linePlaceRule       = dvlpRecord.Only("DVLP015")
	lineCountRule       = dvlpRecord.Only("DVLP016")
	fileNameRule        = dvlpRecord.Only("DVLP018")

	dvleMagicRule = dvleRecord.Only("DVLE002")
	typeRules     = dvleRecord.Only("DVLE004", "DVLE005", "DVLE006")
	vertexRules   = dvleRecord.Only("DVLE014")
	geometryRules = dvleRecord.Only("DVLE013", "DVLE015", "DVLE016", "DVLE017", "DVLE018")
	placeRules    = dvleRecord.Only("DVLE020", "DVLE021")
)

// Conditions of rules about a DVLE header.
var (
	isVertex   = wire.If("type", wire.Is(uint64(VertexShader)))
	isGeometry = wire.If("type", wire.Is(uint64(GeometryShader)))
)

func hasMode(m Mode) wire.Condition { return wire.If("geometry.mode", wire.Is(uint64(m))) }

// geometryByte declares a geometry byte that is 0 in a vertex shader.
func geometryByte(name, doc string) wire.Field[dvleHeader] {
	return wire.Unread[dvleHeader](name, 1, doc).Must("DVLE014", wire.Is(0), diag.Dec, isVertex).Once()
}

// usedBy declares a geometry byte that only one mode uses.
func usedBy(m Mode, name, doc string) wire.Field[dvleHeader] {
	return geometryByte(name, doc).
		Must("DVLE017", wire.Is(0), diag.Dec, isGeometry, wire.If("geometry.mode", wire.Not(uint64(m)))).Once()
}

// dvleExtents declares the offset and count fields of table k of a DVLE. doc is the
// text of the count field.
func dvleExtents(k int, count, doc string) []wire.Field[dvleHeader] {
	rules := wire.PlaceRules{Misaligned: "DVLE020", Outside: "DVLE021", First: dvleHeaderSize, Entry: dvleTables[k].Size}
	if k == symbolTable {
		rules.Misaligned = ""
	}
	return wire.Extents(func(h *dvleHeader) *Extent { return &h.layout.Tables[k] }, "",
		wire.Unread[dvleHeader](dvleTables[k].Name+"."+count, 4, doc), rules)
}

// The records of the table entries. Object files (package dvoj) have the same.
var (
	WordRecord = wire.NewRecord("Code word",
		wire.Word[uint32]("an instruction").In("code").As(showWord))
	DescriptorRecord = wire.NewRecord("Operand descriptor", wire.Pair(
		func(d *Descriptor) (*uint32, *uint32) { return &d.Word, &d.Flags },
		wire.Unread[Descriptor]("word", 4, "for the GPU; bit 31 is set in official files (GBATEK)").Hex(),
		wire.Unread[Descriptor]("flags", 4,
			"unknown; 15, 7, 3 in official files (GBATEK), 15 from aemstro, 0 from others").Hex(),
	)...)
	LineRecord = wire.NewRecord("Line", wire.Pair(
		func(l *Line) (*uint32, *uint32) { return &l.Name, &l.Line },
		wire.Unread[Line]("name", 4, "offset of a file name").Hex(),
		wire.Unread[Line]("line", 4, "source line of the code word with the same index (GBATEK)"),
	)...)
	ConstantRecord = wire.NewRecord("Constant", append(constantHead(nil),
		wire.Raw("payload", len(Payload{}), func(c *Constant) []byte { return c.Payload[:] },
			"bool: u32 0 or 1; int: u8 x, y, z, w; float: four words with a float24 each"))...)
	LabelRecord = wire.NewRecord("Label", append(slices.Concat(
		wire.Pair(func(l *Label) (*uint16, *uint16) { return &l.ID, &l.Flags },
			wire.Unread[Label]("id", 2, "its position in official files (GBATEK)"),
			wire.Unread[Label]("flags", 2, "unknown; 1 in official files (3dbrew), 0 from others"),
		),
		wire.Pair(func(l *Label) (*uint32, *uint32) { return &l.Word, &l.Length },
			wire.Unread[Label]("word", 4, "the word that the label names; may be the code length"),
			wire.Unread[Label]("length", 4, "in words; 0xFFFFFFFF none (GBATEK), 0 from others").As(showLength),
		)),
		wire.Uint("name", func(l *Label) *uint32 { return &l.Name }, "offset in the symbols").Hex(),
	)...)
	OutputRecord = wire.NewRecord("Output", slices.Concat(
		wire.Pair(func(o *Output) (*Semantic, *uint16) { return &o.Semantic, &o.Register },
			wire.Unread[Output]("semantic", 2, "0 position to 9 dummy without 7: see Semantic"),
			wire.Unread[Output]("register", 2, "o0-o15").As(showRegister("o"))),
		wire.Pair(func(o *Output) (*uint16, *uint16) { return &o.Mask, &o.Unknown },
			wire.Unread[Output]("mask", 2, "bit 0 = x").As(showMask),
			wire.Unread[Output]("unknown", 2, "one value throughout an official DVLE (3dbrew), 0 from others").Hex()),
	)...)
	UniformRecord = wire.NewRecord("Uniform or input", append(
		[]wire.Field[Uniform]{wire.Uint("name", func(u *Uniform) *uint32 { return &u.Name },
			"offset in the symbols").Hex()},
		wire.Pair(func(u *Uniform) (*Register, *Register) { return &u.First, &u.Last },
			wire.Unread[Uniform]("first", 2, "0x00 v0, 0x10 c0, 0x70 i0, 0x78 b0"),
			wire.Unread[Uniform]("last", 2, "inclusive"))...,
	)...)
)

// Records lists the records that doc.go shows, in the order of a file.
var Records = []wire.Documented{
	dvlbRecord, offsetRecord, dvlpRecord, dvleRecord,
	DescriptorRecord, LineRecord, ConstantRecord, LabelRecord, OutputRecord, UniformRecord,
}

// constantHead returns the fields of a constant before its payload. register
// prints the register number.
func constantHead(register func(uint64) string) []wire.Field[Constant] {
	return slices.Concat(
		wire.Pair(func(c *Constant) (*ConstantType, *uint8) { return &c.Type, &c.Reserved1 },
			wire.Unread[Constant]("type", 1, "0 bool, 1 int, 2 float"),
			wire.Unread[Constant]("reserved1", 1, "0")),
		wire.Pair(func(c *Constant) (*uint8, *uint8) { return &c.Register, &c.Reserved3 },
			wire.Unread[Constant]("register", 1, "in its class: b0-b15, i0-i3, c0-c95").As(register),
			wire.Unread[Constant]("reserved3", 1, "0")),
	)
}

// constantFields has the fields of a constant by its type. The record has one
// opaque payload; findings and dumps show the components of the value.
var constantFields = [...]diag.Struct{
	Bool:  withComponents("b", 4, nil, "value"),
	Int:   withComponents("i", 1, nil, "x", "y", "z", "w"),
	Float: withComponents("c", 4, showFloat24, "x", "y", "z", "w"),
}

// ConstantFields returns the fields of a constant of type t, with the components
// of its value. A constant of unknown type has one opaque payload.
func ConstantFields(t ConstantType) diag.Struct {
	if int(t) < len(constantFields) {
		return constantFields[t]
	}
	return ConstantRecord.Struct
}

// withComponents returns the fields of a constant whose payload has the named
// components, each an integer of size bytes that show prints. class is the letter
// of the register class.
func withComponents(class string, size int, show func(uint64) string, components ...string) diag.Struct {
	fields := constantHead(showRegister(class))
	rest := len(Payload{})
	for _, name := range components {
		fields = append(fields, wire.Unread[Constant]("payload."+name, size, "").As(show))
		rest -= size
	}
	if rest > 0 {
		fields = append(fields, wire.Unread[Constant]("payload.rest", rest, "").Opaque())
	}
	return wire.NewRecord("Constant", fields...).Struct
}
