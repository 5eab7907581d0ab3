package dvoj

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. An unknown option has no effect.
type Option string

// The leniencies.
const (
	// AllowDVOB accepts the magic "DVOB" of GBATEK's prose.
	AllowDVOB Option = "dvob-magic"
	// TypeFlags accepts further bits in the type byte, which 3dbrew thinks
	// possible. Such an object is neither a vertex nor a geometry shader.
	TypeFlags Option = "type-flags"
)

// ruleSet also finds the rules copied from a DVLE by the DVLE's rule ids.
var ruleSet = diag.NewRuleSet(Rules).Alias("DVLE0", "DVOJ1")

var shell = wire.Shell[File, Option]{
	Name:    "dvoj",
	Rules:   ruleSet,
	Walk:    walk,
	Append:  (*File).AppendUnchecked,
	Equal:   (*File).Equal,
	Options: func(f *File) []Option { return f.Leniencies },
	Map:     regions,
}

// Parse reads a file. If the file breaks a rule of severity Error, the file is nil and
// the error is a *diag.ParseError with the first such finding. The file keeps no
// reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding in the order in which the rules are evaluated: header,
// tables in header order, coverage, code.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is the state of one pass over a file.
type reader struct {
	wire.View
	*diag.Reporter
	opts   []Option
	file   *File
	layout *Layout
	names  wire.NameTotal
}

// accept reports a broken rule: as a warning if the option is given, and the file then
// lists the option; else as an error.
func (r *reader) accept(o Option, rule string, at diag.Place, expected, found diag.Value) {
	sev := diag.Error
	if slices.Contains(r.opts, o) {
		sev = diag.Warning
		r.file.Leniencies = append(r.file.Leniencies, o)
	}
	r.ReportAs(sev, rule, at, expected, found)
}

// walk reads the header, then the tables. It stops after the header if a table is
// outside the file.
func walk(b []byte, to *diag.Reporter, opts []Option) *File {
	whole := new(struct { // one piece of memory
		File
		layout Layout
	})
	f, l := &whole.File, &whole.layout
	f.Layout, l.Size = l, uint64(len(b))
	r := &reader{View: wire.LE(b), Reporter: to, opts: opts, layout: l, file: f}
	if !r.magic() {
		return f
	}
	if r.header(); r.Failed() {
		return f
	}
	for k, x := range l.Tables {
		if x.Count > 0 {
			table := r.Bytes(uint64(x.Offset), tables[k].Bytes(x))
			tableRules[k].CheckTable(to, wire.LE(table), func(i int, field string) diag.Place {
				return r.at(k, i, field)
			})
			tables[k].Decode(f, table)
		}
	}
	if r.tables(); r.Done() {
		return f
	}
	if !r.Failed() {
		r.coverage()
	}
	if r.Size()%4 != 0 {
		r.Report("DVOJ204", diag.Place{Off: r.Size(), Path: diag.Path{Field: "file"}}, diag.Text("multiple of 4"),
			diag.Dec(r.Size()))
	}
	shbin.CheckCode(r.Reporter, "", uint64(l.Tables[code].Offset), f.Code, len(f.Descriptors))
	r.names.Report(to, "DVOJ205")
	return f
}

// magic reports whether the file has a whole header with an accepted magic.
func (r *reader) magic() bool {
	if size := r.Size(); size < headerSize {
		r.Report("DVOJ001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(headerSize),
			diag.Dec(size))
		return false
	}
	switch found := r.Bytes(0, 4); string(found) {
	case magic:
	case otherName:
		r.accept(AllowDVOB, "DVOJ003", headerPlace("magic"), diag.Text(`"DVOJ"`), diag.Quoted(found))
	default:
		r.Report("DVOJ002", headerPlace("magic"), diag.Text(`"DVOJ"`), diag.Quoted(found))
	}
	return !r.Failed()
}

// unknownUsual is the usual value of the header's unknown word.
const unknownUsual = 0xFFFFFFFF

// header reads the header: DVOJ004 to DVOJ012.
func (r *reader) header() {
	f := r.file
	headerRecord.Get(r.B, []header{{f, r.layout}})
	versionRule.Check(r.Reporter, r.View, 0, headerPlace)
	if f.Type > shbin.GeometryShader {
		r.accept(TypeFlags, "DVOJ005", headerPlace("type"), diag.AtMost(1), diag.Dec(uint64(f.Type)))
	}
	mergeRules.Check(r.Reporter, r.View, 0, headerPlace)
	if f.Unknown != unknownUsual {
		sev := diag.Info
		if f.Type == shbin.VertexShader {
			sev = diag.Warning
		}
		r.ReportAs(sev, "DVOJ008", headerPlace("unknown"), diag.Hex(unknownUsual), diag.Hex(uint64(f.Unknown)))
	}
	placeRules.Check(r.Reporter, r.View, 0, headerPlace)
	places := r.layout.Tables[:]
	wire.EmptyOffsets(tables, places, headerSize, func(k int, running uint64) {
		r.Report("DVOJ012", headerPlace(tables[k].Name+".offset"), diag.Hex(running), diag.Hex(uint64(places[k].Offset)))
	})
}
