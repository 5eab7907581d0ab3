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
		wire.Magic[Layout]("DVLB").Match("DVLB002"),
		wire.Derived("count", 4, func(l *Layout) uint64 { return uint64(len(l.DVLEs)) },
			"number of DVLEs, at least 1").
			Must("DVLB003", wire.NotZero().ByLayout(), diag.Dec).Ends().
			Must("DVLB004", wire.AtMostOf(wire.Room(8, 4)).ByLayout(), diag.Dec).Ends(),
	)
	offsetRecord = wire.NewRecord("DVLE offset",
		wire.Uint("", func(e *DVLELayout) *uint32 { return &e.Offset }, "from the start of the file").
			In("offsets").Hex().Must("DVLB005", wire.MultipleOf(4).ByLayout(), diag.Hex),
	)
	dvlpRecord = wire.NewRecord("DVLP header; offsets are from its start", slices.Concat(
		[]wire.Field[dvlpHeader]{
			wire.Magic[dvlpHeader]("DVLP"),
			wire.Uint("version", func(h *dvlpHeader) *uint32 { return &h.Version },
				"low half: tool version, low byte major (GBATEK); upper half unknown, 0 so far").Hex().
				Must("DVLP003", knownVersion, diag.Hex),
		},
		codeExtent(wire.Extents("code", "count", func(h *dvlpHeader) *Extent { return &h.Layout.Code },
			"", "words (3dbrew); 1 to 4096")),
		descriptorExtent(wire.Extents("descriptors", "count", func(h *dvlpHeader) *Extent { return &h.Layout.Descriptors },
			"", "up to 128 (3dbrew)")),
		lineExtent(wire.Extents("lines", "count", func(h *dvlpHeader) *Extent { return &h.Layout.Lines },
			"a short header ends here", "GBATEK; 3dbrew: unknown, 0")),
		fileNameExtent(wire.Extents("file_names", "size", func(h *dvlpHeader) *Extent { return &h.Layout.FileNames },
			"", "bytes (GBATEK, 3dbrew)")),
	)...)
	shortDVLPRecord = dvlpRecord.First(7) // up to lines.offset
	dvleRecord      = wire.NewRecord("DVLE header; offsets are from its start", slices.Concat(
		[]wire.Field[dvleHeader]{
			wire.Magic[dvleHeader]("DVLE").Match("DVLE002"),
			wire.Uint("version", func(h *dvleHeader) *uint16 { return &h.dvle.Version },
				"as in the DVLP; 0x1002 from picasso").Hex().
				Must("DVLE003", knownVersion, diag.Hex).
				Must("DVLE003", wire.EqualTo(wire.Elsewhere(programVersion)).Says("0x%x as in the DVLP").
					When("version", knownVersion), diag.Hex).Milder(),
		},
		wire.Pair(func(h *dvleHeader) (*Type, *uint8) { return &h.dvle.Type, &h.dvle.Merge },
			wire.Unread[dvleHeader]("type", 1, "0 vertex, 1 geometry").
				Must("DVLE004", wire.AtMost(uint64(GeometryShader)), diag.Dec).Ends(),
			wire.Unread[dvleHeader]("merge", 1, "1: merge the output maps of vertex and geometry shader (3dbrew)").
				Must("DVLE005", wire.AtMost(1), diag.Dec).
				Must("DVLE006", wire.Is(0).When("type", isVertex), diag.Dec)),
		wire.Pair(func(h *dvleHeader) (*uint32, *uint32) { return &h.dvle.Entry, &h.dvle.End },
			wire.Unread[dvleHeader]("entry", 4, "first word").
				Must("DVLE007", wire.BelowOf(wire.Elsewhere(codeWords)), diag.Dec).
				Must("DVLE010", wire.Below(pica.MaxVertexCode).When("type", isVertex).
					When("entry", wire.BelowOf(wire.Elsewhere(codeWords))), diag.Dec),
			wire.Unread[dvleHeader]("end", 4, "word after the last; 0 from nihstro and Azahar").
				Must("DVLE008", wire.AtMostOf(wire.Elsewhere(codeWords)), diag.Dec).
				Must("DVLE009", wire.AboveOf(wire.Sibling("entry")).
					When("end", wire.AtMostOf(wire.Elsewhere(codeWords))), diag.Dec)),
		wire.Pair(func(h *dvleHeader) (*uint16, *uint16) { return &h.dvle.InputMask, &h.dvle.OutputMask },
			wire.Unread[dvleHeader]("input_mask", 2, "bit i: vi is used (3dbrew); 0 from nihstro and aemstro").Hex(),
			wire.Unread[dvleHeader]("output_mask", 2,
				"bit i: oi is declared (3dbrew); 0 from nihstro and aemstro").Hex()),
		wire.Pair(func(h *dvleHeader) (*Mode, *uint8) { return &h.dvle.Geometry.Mode, &h.dvle.Geometry.First },
			geometryByte("geometry.mode", "0 point, 1 variable, 2 fixed (3dbrew)").
				Must("DVLE013", wire.AtMost(uint64(Fixed)).When("type", isGeometry), diag.Dec),
			unlessMode(Fixed, geometryByte("geometry.first",
				"fixed: first float register that receives the vertices (3dbrew)").
				Must("DVLE016", inMode(Fixed, wire.Below(pica.NumFloats)), diag.Dec))),
		wire.Pair(func(h *dvleHeader) (*uint8, *uint8) { return &h.dvle.Geometry.Variable, &h.dvle.Geometry.Fixed },
			unlessMode(Variable, geometryByte("geometry.variable_count",
				"variable: number of fully defined vertices (3dbrew)").
				Must("DVLE015", inMode(Variable, wire.NotZero()), diag.Dec).
				Must("DVLE018", inMode(Variable, wire.AtMost(maxVariableCount)), diag.Dec)),
			unlessMode(Fixed, geometryByte("geometry.fixed_count", "fixed: number of vertices (3dbrew)").
				Must("DVLE016", inMode(Fixed, wire.NotZero()), diag.Dec).Once().
				Must("DVLE018", inMode(Fixed, wire.AtMost(maxFixedCount)), diag.Dec))),
		wire.AllExtents(func(h *dvleHeader) []Extent { return h.layout.Tables[:] },
			dvleExtents(constantTable, "count", ""),
			dvleExtents(labelTable, "count", ""),
			dvleExtents(outputTable, "count", ""),
			dvleExtents(uniformTable, "count", "inputs too"),
			dvleExtents(symbolTable, "size", "bytes, padding not included"),
		),
	)...)
)

// Numbers with which the rules about a record compare, from elsewhere in the file. An object file (package dvoj) has
// some of them in its header.
var (
	codeWords      = &wire.Outer{Slot: 0, Paths: []string{"dvlp.code.count", "header.code.count"}}
	programVersion = &wire.Outer{Slot: 1, Paths: []string{"dvlp.version"}, Of: lowHalf}
	shaderType     = &wire.Outer{Slot: 2, Paths: []string{".type", "header.type"}}
	symbolNames    = &wire.Outer{Slot: 3, Paths: []string{".symbols"}, Of: wire.NameLimit}
	fileNames      = &wire.Outer{Slot: 3, Paths: []string{".file_names"}, Of: wire.NameLimit}
)

func lowHalf(b []byte) uint64 { return wire.LE(b).Uint(0, 2) }

// Constraints of several rows. knownVersion allows the known tool versions. The low byte is the major number: 0x0C02 is
// version 2.12, in official files (GBATEK); picasso writes 0x1002; other homebrew tools write 0.
var (
	knownVersion  = wire.OneOf("0, 0x0c02 or 0x1002", 0, 0x0C02, 0x1002)
	knownRegister = wire.Between("0x00 to 0x73 or 0x78 to 0x87", 0, 0x73, 0x78, 0x87)
	isVertex      = wire.Is(uint64(VertexShader))
	isGeometry    = wire.Is(uint64(GeometryShader))
	filled        = wire.NotZero()                // of a count
	aligned       = wire.MultipleOf(4).ByLayout() // of an offset
)

// maxMapped is the highest output register with an entry in libctru's output map.
const maxMapped = 6

// geometryByte declares one of the four geometry bytes, which are 0 in a vertex shader.
func geometryByte(name, doc string) wire.Field[dvleHeader] {
	return wire.Unread[dvleHeader](name, 1, doc).Must("DVLE014", wire.Is(0).When("type", isVertex), diag.Dec).Once()
}

// inMode returns a constraint for a geometry shader in a mode.
func inMode(m Mode, c wire.Constraint) wire.Constraint {
	return c.When("type", isGeometry).When("geometry.mode", wire.Is(uint64(m)))
}

// unlessMode returns a geometry byte that a geometry shader uses in one mode only.
func unlessMode(m Mode, f wire.Field[dvleHeader]) wire.Field[dvleHeader] {
	others := wire.Between("another mode", 0, uint64(m)-1, uint64(m)+1, 0xFF)
	return f.Must("DVLE017", wire.Is(0).When("type", isGeometry).When("geometry.mode", others), diag.Dec).Once()
}

// insideFile allows the offset of a table, from the header, that ends inside the file.
func insideFile(table, count string, size uint64) wire.Constraint {
	return wire.Inside(wire.Start(), wire.Sibling(table+"."+count).Times(size))
}

// The functions below declare the rules about the places and counts of the tables of a DVLP.

func codeExtent(x []wire.Field[dvlpHeader]) []wire.Field[dvlpHeader] {
	x[0] = x[0].Must("DVLP004", aligned, diag.Hex).Must("DVLP005", insideFile("code", "count", 4), wire.End)
	x[1] = x[1].Must("DVLP006", wire.NotZero().ByLayout(), diag.Dec).Must("DVLP007", wire.AtMost(pica.MaxCode), diag.Dec)
	return x
}

func descriptorExtent(x []wire.Field[dvlpHeader]) []wire.Field[dvlpHeader] {
	const count = "descriptors.count"
	x[0] = x[0].Must("DVLP009", aligned.When(count, filled), diag.Hex).
		Must("DVLP010", insideFile("descriptors", "count", 8).When(count, filled), wire.End)
	x[1] = x[1].Must("DVLP011", wire.AtMost(pica.MaxDescriptors), diag.Dec)
	return x
}

func lineExtent(x []wire.Field[dvlpHeader]) []wire.Field[dvlpHeader] {
	const count = "lines.count"
	inside := insideFile("lines", "count", 8)
	x[0] = x[0].Must("DVLP015", aligned.When(count, filled), diag.Hex).
		Must("DVLP015", inside.When(count, filled), wire.End).Once()
	x[1] = x[1].Must("DVLP016", wire.EqualTo(wire.Sibling("code.count")).When(count, filled).
		When("lines.offset", aligned).When("lines.offset", inside), diag.Dec)
	return x
}

func fileNameExtent(x []wire.Field[dvlpHeader]) []wire.Field[dvlpHeader] {
	x[0] = x[0].Must("DVLP018", insideFile("file_names", "size", 1).When("file_names.size", filled), wire.End)
	return x
}

// dvleExtents declares the offset and count fields of table k of a DVLE. doc is the
// text of the count field.
func dvleExtents(k int, count, doc string) []wire.Field[dvleHeader] {
	at, name := func(h *dvleHeader) *Extent { return &h.layout.Tables[k] }, dvleTables[k].Name
	return wire.Placed(wire.Extents(name, count, at, "", doc), "DVLE020", "DVLE021", dvleTables[k].Size)
}

// The records of the table entries. Object files (package dvoj) have the same.
var (
	WordRecord = wire.NewRecord("Code word",
		wire.Word[uint32]("an instruction").In("code").As(showWord))
	DescriptorRecord = wire.NewRecord("Operand descriptor", wire.Pair(
		func(d *Descriptor) (*uint32, *uint32) { return &d.Word, &d.Flags },
		wire.Unread[Descriptor]("word", 4, "for the GPU; bit 31 is set in official files (GBATEK)").Hex().
			Must("DVLP013", wire.Clear("bit 31 clear", 1<<31), diag.Hex).OnceInTable(),
		wire.Unread[Descriptor]("flags", 4,
			"unknown; 15, 7, 3 in official files (GBATEK), 15 from aemstro, 0 from others").Hex(),
	)...)
	LineRecord = wire.NewRecord("Line", wire.Pair(
		func(l *Line) (*uint32, *uint32) { return &l.Name, &l.Line },
		wire.Unread[Line]("name", 4, "offset of a file name").Hex().
			Must("DVLP017", wire.Named(wire.Elsewhere(fileNames)), diag.Hex).AtRecord(),
		wire.Unread[Line]("line", 4, "source line of the code word with the same index (GBATEK)"),
	)...)
	ConstantRecord = wire.NewRecord("Constant", append(constantHead(nil),
		wire.Raw("payload", len(Payload{}), func(c *Constant) []byte { return c.Payload[:] },
			"bool: u32 0 or 1; int: u8 x, y, z, w; float: four words with a float24 each"))...)
	LabelRecord = wire.NewRecord("Label", append(slices.Concat(
		wire.Pair(func(l *Label) (*uint16, *uint16) { return &l.ID, &l.Flags },
			wire.Unread[Label]("id", 2, "its position in official files (GBATEK)").
				Must("DVLE043", wire.EqualTo(wire.Index()), diag.Dec),
			wire.Unread[Label]("flags", 2, "unknown; 1 in official files (3dbrew), 0 from others").
				Must("DVLE044", wire.Is(1), diag.Dec),
		),
		wire.Pair(func(l *Label) (*uint32, *uint32) { return &l.Word, &l.Length },
			wire.Unread[Label]("word", 4, "the word that the label names; may be the code length").
				Must("DVLE040", wire.AtMostOf(wire.Elsewhere(codeWords)), diag.Dec),
			wire.Unread[Label]("length", 4, "in words; 0xFFFFFFFF none (GBATEK), 0 from others").As(showLength).
				Must("DVLE041", wire.AtMostOf(wire.Elsewhere(codeWords)).And(wire.Sibling("word")).Says("end <= %d").
					When("word", wire.AtMostOf(wire.Elsewhere(codeWords))).When("length", wire.AtMost(NoLength-1)),
					func(n uint64) diag.Value { return diag.Value{Format: "end %d", N: n} }),
		)),
		wire.Uint("name", func(l *Label) *uint32 { return &l.Name }, "offset in the symbols").Hex().
			Must("DVLE042", wire.Named(wire.Elsewhere(symbolNames)), diag.Hex).AtRecord(),
	)...)
	OutputRecord = wire.NewRecord("Output", slices.Concat(
		wire.Pair(func(o *Output) (*Semantic, *uint16) { return &o.Semantic, &o.Register },
			wire.Unread[Output]("semantic", 2, "0 position to 9 dummy without 7: see Semantic").
				Must("DVLE050", wire.Between("0 to 6, 8 or 9", 0, 6, 8, 9), diag.Dec),
			wire.Unread[Output]("register", 2, "o0-o15").As(showRegister("o")).
				Must("DVLE051", wire.Below(pica.NumOutputs), diag.Dec).Ends().
				Must("DVLE052", wire.AtMost(maxMapped).When("semantic", wire.Between("no dummy", 0, uint64(Dummy)-1,
					uint64(Dummy)+1, 0xFFFF)), diag.Dec).
				Must("DVLE052", wire.AtMost(maxMapped).When("semantic", wire.Is(uint64(Dummy))).
					WhenOuter(shaderType, isGeometry), diag.Dec)),
		wire.Pair(func(o *Output) (*uint16, *uint16) { return &o.Mask, &o.Unknown },
			wire.Unread[Output]("mask", 2, "bit 0 = x").As(showMask).
				Must("DVLE053", wire.AnyOf("a component", 0xF), diag.Hex).
				Must("DVLE054", wire.Clear("<= 15", 0xFFF0), diag.Hex),
			wire.Unread[Output]("unknown", 2, "one value throughout an official DVLE (3dbrew), 0 from others").Hex().
				Must("DVLE055", wire.Is(0), diag.Hex)),
	)...)
	UniformRecord = wire.NewRecord("Uniform or input", append(
		[]wire.Field[Uniform]{wire.Uint("name", func(u *Uniform) *uint32 { return &u.Name },
			"offset in the symbols").Hex().
			Must("DVLE062", wire.Named(wire.Elsewhere(symbolNames)), diag.Hex).AtRecord().Apart()},
		wire.Pair(func(u *Uniform) (*Register, *Register) { return &u.First, &u.Last },
			wire.Unread[Uniform]("first", 2, "0x00 v0, 0x10 c0, 0x70 i0, 0x78 b0").
				Must("DVLE060", knownRegister, diag.Hex).
				Must("DVLE065", wire.AtLeastOf(wire.Previous()).Says(">= 0x%x"), diag.Hex),
			wire.Unread[Uniform]("last", 2, "inclusive").
				Must("DVLE060", knownRegister, diag.Hex).Once())...,
	)...)
)

// The rules about the records, in the order of their evaluation.
var (
	dvlpRows      = dvlpRecord.Of(ruleSet, Rules)
	shortDVLPRows = shortDVLPRecord.Of(ruleSet, Rules)
	dvleRows      = dvleRecord.Of(ruleSet, Rules)
	dvlpTableRows = wire.TableRules(dvlpTables, ruleSet, Rules)
	dvleTableRows = wire.TableRules(dvleTables, ruleSet, Rules)
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
			wire.Unread[Constant]("type", 1, "0 bool, 1 int, 2 float").
				Must("DVLE030", wire.AtMost(uint64(Float)), diag.Dec).Ends(),
			wire.Unread[Constant]("reserved1", 1, "0").Must("DVLE031", wire.Is(0), diag.Dec)),
		wire.Pair(func(c *Constant) (*uint8, *uint8) { return &c.Register, &c.Reserved3 },
			registerOf(Bool, registerOf(Int, registerOf(Float,
				wire.Unread[Constant]("register", 1, "in its class: b0-b15, i0-i3, c0-c95").As(register)))),
			wire.Unread[Constant]("reserved3", 1, "0").Must("DVLE031", wire.Is(0), diag.Dec).Once()),
	)
}

// registerOf returns the register field of a constant, which is below the number of registers of a type.
func registerOf(t ConstantType, f wire.Field[Constant]) wire.Field[Constant] {
	return f.Must("DVLE032", wire.Below(uint64(registerCounts[t])).When("type", wire.Is(uint64(t))), diag.Dec)
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
