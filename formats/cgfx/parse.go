package cgfx

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. There is none yet; an option that
// this package does not know has no effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

// Parse reads a file. It refuses one that breaks a rule of severity Error, here
// or in a DVLB inside: the error is then a *diag.ParseError with the first such
// finding, and the file is nil. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) {
	r := newReader(bytes.Clone(b), diag.Strict(ruleSet))
	r.walk()
	if err := r.Err("cgfx"); err != nil {
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
// header, kinds of content, DICT, shaders one by one with the DVLB of each,
// coverage. Findings of a DVLB have the rule ids of a DVLB and their place in
// the file; the place in the DVLB is the last of Related.
func Check(b []byte, opts ...Option) []diag.Finding {
	r := newReader(b, diag.Collect(ruleSet))
	r.walk()
	return r.Findings()
}

// reader is one walk over a file for either of the two.
type reader struct {
	wire.View // as far as the size field says, once that is read
	*diag.Reporter
	file   *File
	layout *Layout

	data   uint64 // where DATA is
	pairs  int    // in DATA
	dict   uint64 // where the DICT of the shaders is
	count  uint64 // of its entries
	dictAt diag.Place
	other  bool // there is content of other kinds

	strings wire.Strings // the file, as names
	keys    []text       // of the DICT
	objects []uint64     // where the objects of the keys are

	spans  []span
	filled uint64 // sum of the spans
	text   string // the file, of which the names in the model are parts
}

func newReader(b []byte, to *diag.Reporter) *reader {
	l := &Layout{Bytes: b}
	return &reader{View: wire.LE(b), Reporter: to, layout: l, file: &File{Layout: l}}
}

// walk reads the file group by group; a group with an error ends it.
func (r *reader) walk() {
	for _, group := range [...]func(){r.header, r.kinds, r.dictHeader, r.dictEntries} {
		if group(); r.Failed() {
			return
		}
	}
	if r.Strict() {
		r.text = string(r.B)
	}
	for i := range r.objects {
		o := objectReader{reader: r, index: i, at: r.objects[i]}
		if o.read(); r.Strict() && r.Failed() {
			return
		}
		if r.overfull() {
			break
		}
	}
	if !r.Failed() {
		r.coverage()
	}
}

// pointer returns where the pointer at off leads; ok is false when it is null.
func (r *reader) pointer(off uint64) (target uint64, ok bool) {
	value := r.U32(off)
	target = uint64(uint32(off) + value)
	return target, value != 0 && target != 0
}
