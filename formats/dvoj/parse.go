package dvoj

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// Option is a leniency of Parse and Check. An option that this package does not
// know has no effect.
type Option string

// The leniencies.
const (
	// AllowDVOB accepts the magic "DVOB", which GBATEK's prose uses.
	AllowDVOB Option = "dvob-magic"
	// TypeFlags accepts further bits in the type byte, which 3dbrew thinks
	// possible. Such an object is neither a vertex nor a geometry shader.
	TypeFlags Option = "type-flags"
)

// ruleSet also finds the rules by the ids of those of a DVLE that they copy.
var ruleSet = diag.NewRuleSet(Rules).Alias("DVLE0", "DVOJ1")

// Parse reads a file. It refuses one that breaks a rule of severity Error: the
// error is then a *diag.ParseError with the first such finding, and the file
// is nil. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) {
	r := newReader(bytes.Clone(b), diag.Strict(ruleSet), opts)
	r.walk()
	if err := r.Err("dvoj"); err != nil {
		return nil, err
	}
	return r.file, nil
}

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error {
	parsed, err := Parse(b)
	if err != nil {
		return err
	}
	*f = *parsed
	return nil
}

// Check returns every finding, in the order in which the rules are evaluated:
// header, tables in header order, coverage, code.
func Check(b []byte, opts ...Option) []diag.Finding {
	r := newReader(b, diag.Collect(ruleSet), opts)
	r.walk()
	return r.Findings()
}

// reader is one walk over a file for either of the two.
type reader struct {
	wire.View
	*diag.Reporter
	opts   []Option
	file   *File
	layout *Layout
}

func newReader(b []byte, to *diag.Reporter, opts []Option) *reader {
	l := &Layout{Size: uint64(len(b))}
	return &reader{View: wire.LE(b), Reporter: to, opts: opts, layout: l, file: &File{Layout: l}}
}

// done reports whether a strict walk has found what it was sent for.
func (r *reader) done() bool { return r.Strict() && r.Failed() }

// accept reports a rule as a warning if an option allows what it forbids, and
// notes that; else as it is.
func (r *reader) accept(o Option, rule string, at diag.Place, expected, found diag.Value) {
	sev := diag.Error
	if slices.Contains(r.opts, o) {
		sev = diag.Warning
		r.file.Leniencies = append(r.file.Leniencies, o)
	}
	r.ReportAs(sev, rule, at, expected, found)
}

// walk reads the header, then the tables; what the header says about places
// must be sound for that.
func (r *reader) walk() {
	if !r.magic() {
		return
	}
	if r.header(); r.Failed() {
		return
	}
	f := r.file
	for k, x := range r.layout.Tables {
		if x.Count > 0 {
			columns[k].decode(f, r.Bytes(uint64(x.Offset), bytesOf(k, x)))
		}
	}
	if r.tables(); r.done() {
		return
	}
	if !r.Failed() {
		r.coverage()
	}
	if r.Size()%4 != 0 {
		r.Report("DVOJ204", diag.Place{Off: r.Size(), Path: diag.Path{Field: "file"}}, diag.Text("multiple of 4"), diag.Dec(r.Size()))
	}
	shbin.CheckCode(r.Reporter, "", uint64(r.layout.Tables[code].Offset), f.Code, len(f.Descriptors))
}

// magic reports whether the file has a header of a kind that is accepted.
func (r *reader) magic() bool {
	if size := r.Size(); size < headerSize {
		r.Report("DVOJ001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(headerSize), diag.Dec(size))
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

// unknownUsual is what the unknown word of the header usually is.
const unknownUsual = 0xFFFFFFFF

// header reads the header: DVOJ004 to DVOJ012.
func (r *reader) header() {
	f := r.file
	f.Version, f.Type, f.Merge = r.U16(0x04), shbin.Type(r.U8(0x06)), r.U8(0x07)
	f.InputMask, f.OutputMask, f.Unknown = r.U16(0x08), r.U16(0x0A), r.U32(0x0C)
	if v := f.Version; v != 0 && v != 0x0C02 && v != 0x1002 {
		r.Report("DVOJ004", headerPlace("version"), diag.Text("0, 0x0c02 or 0x1002"), diag.Hex(uint64(v)))
	}
	if f.Type > shbin.GeometryShader {
		r.accept(TypeFlags, "DVOJ005", headerPlace("type"), diag.AtMost(1), diag.Dec(uint64(f.Type)))
	}
	if f.Merge > 1 {
		r.Report("DVOJ006", headerPlace("merge"), diag.AtMost(1), diag.Dec(uint64(f.Merge)))
	}
	if f.Merge != 0 && f.Type == shbin.VertexShader {
		r.Report("DVOJ007", headerPlace("merge"), diag.Dec(0), diag.Dec(uint64(f.Merge)))
	}
	if f.Unknown != unknownUsual {
		sev := diag.Info
		if f.Type == shbin.VertexShader {
			sev = diag.Warning
		}
		r.ReportAs(sev, "DVOJ008", headerPlace("unknown"), diag.Hex(unknownUsual), diag.Hex(uint64(f.Unknown)))
	}
	r.places()
}

// places reads the (offset, count) pairs: DVOJ010 to DVOJ012.
func (r *reader) places() {
	at := func(k int) diag.Place { return headerPlace(columns[k].name + ".offset") }
	for k := range columns {
		pair := pairs + 8*uint64(k)
		x := shbin.Extent{Offset: r.U32(pair), Count: r.U32(pair + 4)}
		r.layout.Tables[k] = x
		if x.Count > 0 && x.Offset%4 != 0 && k != symbols {
			r.Report("DVOJ010", at(k), diag.Text("multiple of 4"), diag.Hex(uint64(x.Offset)))
		}
	}
	for k, x := range r.layout.Tables {
		switch end := uint64(x.Offset) + bytesOf(k, x); {
		case x.Count == 0:
		case x.Offset < headerSize:
			r.Report("DVOJ011", at(k), diag.Value{Format: ">= 0x%x", N: headerSize}, diag.Hex(uint64(x.Offset)))
		case end > r.Size():
			r.Report("DVOJ011", at(k), diag.Value{Format: "end <= 0x%x", N: r.Size()}, diag.Value{Format: "end 0x%x", N: end})
		}
	}
	running := uint64(headerSize)
	for k, x := range r.layout.Tables {
		switch {
		case x.Count > 0:
			running = uint64(x.Offset) + bytesOf(k, x)
		case uint64(x.Offset) != running:
			r.Report("DVOJ012", at(k), diag.Hex(running), diag.Hex(uint64(x.Offset)))
		}
	}
}

// codeLength checks the number of code words: DVOJ013 to DVOJ015.
func (r *reader) codeLength() {
	at, n := headerPlace("code.count"), uint64(len(r.file.Code))
	switch {
	case n == 0:
		r.Report("DVOJ013", at, diag.AtLeast(1), diag.Dec(n))
	case n > pica.MaxCode:
		r.Report("DVOJ014", at, diag.AtMost(pica.MaxCode), diag.Dec(n))
	case n > pica.MaxVertexCode && r.file.Type == shbin.VertexShader:
		r.Report("DVOJ015", at, diag.AtMost(pica.MaxVertexCode), diag.Dec(n))
	}
}
