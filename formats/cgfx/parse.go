package cgfx

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option makes Parse, Check and Outline more lenient. There is none yet; an
// unknown option has no effect.
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

// Parse reads a file. If the file or a DVLB in it breaks a rule of severity
// Error, the file is nil and the error is a *diag.ParseError with the first
// such finding. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns the findings in the order in which the rules are evaluated: header,
// kinds of content, DICT, shaders with their DVLBs, overlaps, size of the names. It leaves
// out the steps after one with an error. A finding in a DVLB has a rule id of package
// shbin and its place in the whole file; the last of Related is its place in the DVLB.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns the regions and findings of any bytes, even if Parse refuses them.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is the state of one pass over a file.
type reader struct {
	wire.View // the file, which dataHeader cuts to its size field
	*diag.Reporter
	file   *File
	layout *Layout

	header fileHeader
	data   uint64     // offset of DATA
	pairs  int        // number of pairs in DATA
	dict   uint64     // offset of the shaders' DICT
	count  uint64     // of its entries, as the pair has it
	dictAt diag.Place // of the pointer to it
	other  bool       // there is content of other kinds

	named   []byte // the file up to its last NUL
	total   wire.NameTotal
	nodes   []dictNode
	keys    []text   // names in the DICT, one for each entry
	names   []text   // names in the shader objects read so far, references left out
	objects []uint64 // offsets, one for each entry

	spans  []span
	filled uint64 // sum of their lengths

	heads   [1]objectHeader // buffer for the object being read
	current [1]Program      // buffer for the program being read
}

// walk reads header, kinds and DICT, and stops after a step with an error. It then reads
// all objects, a strict walk up to the first error, and looks for overlaps if there is none.
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

// pointer returns the target of a pointer with this value at off; ok is false for null.
func (r *reader) pointer(off uint64, value uint32) (target uint64, ok bool) {
	target = uint64(uint32(off) + value)
	return target, value != 0 && target != 0
}
