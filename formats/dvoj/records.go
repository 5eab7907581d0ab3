package dvoj

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

//go:generate go test -run ^TestDoc$ -update .

const (
	magic     = "DVOJ"
	otherName = "DVOB" // in GBATEK's prose
)

// header holds the header's fields: a part of the model, and the places of the
// tables.
type header struct {
	*File
	*Layout
}

var headerRecord = wire.NewRecord("Header; offsets are from the start of the file", slices.Concat(
	[]wire.Field[header]{
		wire.Magic[header](magic),
		wire.Uint("version", func(h *header) *uint16 { return &h.Version },
			"tool version: low byte major, high byte minor (3dbrew)").
			As(wire.ShowHex).Must("DVOJ004", shbin.ToolVersions, diag.Hex),
		wire.Uint("type", func(h *header) *shbin.Type { return &h.Type }, "0 vertex, 1 geometry (3dbrew)"),
		wire.Uint("merge", func(h *header) *uint8 { return &h.Merge },
			"1: merge the output maps of vertex and geometry shader (3dbrew)").
			Must("DVOJ006", wire.AtMost(1), diag.Dec).
			Must("DVOJ007", wire.Is(0), diag.Dec, isVertex),
		wire.Uint("input_mask", func(h *header) *uint16 { return &h.InputMask },
			"bit i: vi is used (3dbrew)").As(wire.ShowHex),
		wire.Uint("output_mask", func(h *header) *uint16 { return &h.OutputMask },
			"bit i: oi is used (3dbrew)").As(wire.ShowHex),
		wire.Uint("unknown", func(h *header) *uint32 { return &h.Unknown }, "usually FFFFFFFF").As(wire.ShowHex),
	},
	wire.AllExtents(func(h *header) []shbin.Extent { return h.Layout.Tables[:] },
		extents(constants, count(constants, "")), extents(labels, count(labels, "")),
		extents(code, count(code, "words").
			Must("DVOJ013", wire.NotZero(), diag.Dec).
			Must("DVOJ014", wire.AtMost(pica.MaxCode), diag.Dec).
			Must("DVOJ015", wire.AtMost(pica.MaxVertexCode), diag.Dec, isVertex,
				wire.If("code.count", wire.AtMost(pica.MaxCode)))),
		extents(descriptors, count(descriptors, "").Must("DVOJ016", wire.AtMost(pica.MaxDescriptors), diag.Dec)),
		extents(lines, count(lines, "entry k is of code word k")), extents(relocations, count(relocations, "")),
		extents(outputs, count(outputs, "")), extents(uniforms, count(uniforms, "inputs too")),
		extents(symbols, wire.Unread[header]("symbols.size", 4, "bytes; names of labels, uniforms and source files")),
	),
)...)

// isVertex is the condition of rules about vertex shaders.
var isVertex = wire.If("type", wire.Is(uint64(shbin.VertexShader)))

// count declares the number of entries of table k.
func count(k int, doc string) wire.Field[header] {
	return wire.Unread[header](tables[k].Name+".count", 4, doc)
}

// headerSize is the size of the header, in bytes.
const headerSize = 88

// extents declares the place of table k.
func extents(k int, count wire.Field[header]) []wire.Field[header] {
	rules := wire.PlaceRules{Misaligned: "DVOJ010", Outside: "DVOJ011", First: headerSize, Entry: tables[k].Size}
	if k == symbols {
		rules.Misaligned = ""
	}
	pair := wire.Extents(func(h *header) *shbin.Extent { return &h.Layout.Tables[k] }, "", count, rules)
	pair[0] = pair[0].As(wire.ShowHex)
	return pair
}

var relocationRecord = wire.NewRecord("Relocation", append(
	wire.Pair(func(r *Relocation) (*uint32, *uint32) { return &r.Word, &r.Unknown },
		wire.Unread[Relocation]("word", 4, "index of a code word whose instruction has an operand (3dbrew)"),
		wire.Unread[Relocation]("unknown1", 4, "").As(wire.ShowHex)),
	wire.Uint("unknown2", func(r *Relocation) *uint32 { return &r.Unknown2 }, "").As(wire.ShowHex),
)...)

// The rules about the header, in the groups in which the walk evaluates them.
var (
	versionRule = headerRecord.Only("DVOJ004")
	mergeRules  = headerRecord.Only("DVOJ006", "DVOJ007")
	placeRules  = headerRecord.Only("DVOJ010", "DVOJ011")
	countRules  = headerRecord.Only("DVOJ013", "DVOJ014", "DVOJ015", "DVOJ016")
)

// Records lists the records that a DVLB does not have.
var Records = []wire.Documented{headerRecord, relocationRecord}

// The tables, in header order.
const (
	constants = iota
	labels
	code
	descriptors
	lines
	relocations
	outputs
	uniforms
	symbols

	numTables
)

var tables = []wire.Table[File]{
	constants: wire.RecordTable("constants", shbin.ConstantRecord,
		func(f *File) *[]shbin.Constant { return &f.Constants }),
	labels: wire.RecordTable("labels", shbin.LabelRecord, func(f *File) *[]shbin.Label { return &f.Labels }),
	code:   wire.RecordTable("code", shbin.WordRecord, func(f *File) *[]uint32 { return &f.Code }),
	descriptors: wire.RecordTable("descriptors", shbin.DescriptorRecord,
		func(f *File) *[]shbin.Descriptor { return &f.Descriptors }),
	lines: wire.RecordTable("lines", shbin.LineRecord, func(f *File) *[]shbin.Line { return &f.Lines }),
	relocations: wire.RecordTable("relocations", relocationRecord,
		func(f *File) *[]Relocation { return &f.Relocations }),
	outputs: wire.RecordTable("outputs", shbin.OutputRecord, func(f *File) *[]shbin.Output { return &f.Outputs }),
	uniforms: wire.RecordTable("uniforms", shbin.UniformRecord,
		func(f *File) *[]shbin.Uniform { return &f.Uniforms }),
	symbols: wire.ByteTable("symbols", func(f *File) *wire.Hex { return &f.Symbols }),
}

// tableRules has the rules about the records of each table. The records of a DVLB also
// have rules that an object has not.
var tableRules = func() (list []wire.Ruled) {
	for _, t := range tables {
		list = append(list, t.Of(ruleSet))
	}
	return list
}()

func headerPlace(field string) diag.Place {
	return headerRecord.At(0, diag.Path{Prefix: "header.", Field: field})
}
