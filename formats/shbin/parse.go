package shbin

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. An option that this package does not
// know has no effect.
type Option string

// EmulatorDump accepts up to 4096 descriptors: the shader dumps of Azahar and
// its relatives always hold so many.
const EmulatorDump Option = "emulator-dump"

// maxDumpDescriptors is what a dump holds.
const maxDumpDescriptors = 4096

// maxTableShare bounds the tables of all DVLEs together, as a multiple of the
// file size: many DVLEs may point at the same bytes.
const maxTableShare = 8

var ruleSet = diag.NewRuleSet(Rules)

// Parse reads a file. It refuses one that breaks a rule of severity Error: the
// error is then a *diag.ParseError with the first such finding, and the file
// is nil. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) {
	r := newReader(bytes.Clone(b), diag.Strict(ruleSet), opts)
	r.walk()
	if err := r.Err("shbin"); err != nil {
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
// container, DVLE headers, table contents, coverage, code.
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
	skip   []bool // DVLEs whose tables are not examined
}

func newReader(b []byte, to *diag.Reporter, opts []Option) *reader {
	l := &Layout{Size: uint64(len(b))}
	return &reader{View: wire.LE(b), Reporter: to, opts: opts, layout: l, file: &File{Layout: l}}
}

// done reports whether a strict walk has found what it was sent for.
func (r *reader) done() bool { return r.Strict() && r.Failed() }

// walk reads the file group by group; a rule rests on what the ones before it
// have found to be sound.
func (r *reader) walk() {
	if !r.library() {
		return
	}
	if r.program(); r.Failed() {
		return
	}
	if r.entries(); r.done() {
		return
	}
	spans := r.layout.spans(func(entry int) bool { return r.skip[entry] })
	r.decodeTables(spans)
	if r.tables(); r.done() {
		return
	}
	if !r.Failed() {
		r.coverage(spans)
	}
	code := r.layout.program() + uint64(r.layout.Code.Offset)
	CheckCode(r.Reporter, "dvlp.", code, r.file.Program.Code, len(r.file.Program.Descriptors))
}
