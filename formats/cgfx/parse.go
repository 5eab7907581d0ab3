package cgfx

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. There is none yet; an option that
// this package does not know has no effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

var shell = wire.Shell[File, Option]{
	Name:   "cgfx",
	Rules:  ruleSet,
	Walk:   func(b []byte, to *diag.Reporter, _ []Option) *File { return walk(b, to).file },
	Append: (*File).AppendUnchecked,
	Equal:  (*File).Equal,
	Map:    regions,
	Moved:  moved,
}

// Parse reads a file. If the file or a DVLB in it breaks a rule of severity Error,
// the file is nil and the error is a *diag.ParseError with the first such finding.
// The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding in the order in which the rules are evaluated: header,
// kinds of content, DICT, each shader with its DVLB, coverage. A finding in a DVLB has
// the DVLB's rule id and its place in the whole file; the place in the DVLB is the
// last one in Related.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is the state of one pass over a file.
type reader struct {
	wire.View // cut at the header's size once that is read
	*diag.Reporter
	file   *File
	layout *Layout

	header fileHeader
	data   uint64 // offset of DATA
	pairs  int    // number of pairs in DATA
	dict   uint64 // offset of the shaders' DICT
	count  uint64 // number of its entries
	dictAt diag.Place
	other  bool // there is content of other kinds

	named   []byte // the file up to its last NUL
	total   wire.NameTotal
	nodes   []dictNode
	keys    []text // of the DICT
	names   []text // of the shader objects
	objects []uint64

	spans  []span
	filled uint64 // sum of the spans

	heads   [1]objectHeader // of the object being read
	current [1]Program      // the program being read
}

// walk reads the file in groups of rules and stops after a group with an error.
func walk(b []byte, to *diag.Reporter) *reader {
	l := &Layout{Bytes: b}
	r := &reader{View: wire.LE(b), Reporter: to, layout: l, file: &File{Layout: l}}
	for _, group := range [...]func(){r.head, r.kinds, r.dictHeader, r.dictEntries} {
		if group(); r.Failed() {
			return r
		}
	}
	for i := range r.objects {
		o := objectReader{reader: r, index: i, at: r.objects[i]}
		if o.read(); r.Done() {
			return r
		}
	}
	if !r.Failed() {
		r.coverage()
	}
	r.total.Report(r.Reporter, "CGFX019")
	return r
}

// pointer returns the target of the pointer at off; ok is false for null.
func (r *reader) pointer(off uint64, value uint32) (target uint64, ok bool) {
	target = uint64(uint32(off) + value)
	return target, value != 0 && target != 0
}
