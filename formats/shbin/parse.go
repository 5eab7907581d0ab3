package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. An unknown option has no effect.
type Option string

// EmulatorDump accepts up to 4096 descriptors: the shader dumps of Azahar and
// its relatives always hold so many.
const EmulatorDump Option = "emulator-dump"

// maxDumpDescriptors is the number of descriptors in an emulator's dump.
const maxDumpDescriptors = 4096

// maxTableFactor limits the tables of all DVLEs together to a multiple of the file
// size: without a limit, many DVLEs that point to the same bytes would cost
// memory.
const maxTableFactor = 8

var ruleSet = diag.NewRuleSet(Rules)

var shell = wire.Shell[File, Option]{
	Name:    "shbin",
	Rules:   ruleSet,
	Walk:    walk,
	Append:  (*File).AppendUnchecked,
	Equal:   (*File).Equal,
	Options: func(f *File) []Option { return f.Leniencies },
	Map:     regions,
}

// Parse reads a file. It refuses a file that breaks a rule of severity Error: the
// error is a *diag.ParseError with the first such finding, and the File is nil.
// The File keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// Salvage reads as much as possible of a file that Parse refuses. A table that breaks a rule is left out, or has its
// entries as they are; a part that cannot be reached is empty.
func Salvage(b []byte) *File { return shell.Salvage(b) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding, in the order in which the rules are evaluated:
// container, DVLE headers, table contents, coverage, code, sum of the names.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Embedded reads a DVLB b that is part of another file: at offset off of it, or
// decoded from its bytes. The findings go to within, the reporter of the other
// file (see diag.Reporter.Embedded). ok is false when there was an error. The
// File shares memory with b.
func Embedded(b []byte, within *diag.Reporter, off uint64, prefix string, opts ...Option) (f *File, ok bool) {
	return shell.Embedded(b, within, off, prefix, opts...)
}

// Outline returns the regions and findings of any bytes, also of a file that
// Parse refuses.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is the state of one walk over a file.
type reader struct {
	wire.View
	*diag.Reporter
	opts   []Option
	file   *File
	layout *Layout
	skip   []bool // for each DVLE: its tables are not read, because of an error
	names  wire.NameTotal
}

// walk reads the file from the outer structures to the inner ones. It stops at an
// error of the DVLB header or the DVLP, on which the rules of all DVLEs depend. A
// strict walk stops after the group of structures that has the first error.
func walk(b []byte, to *diag.Reporter, opts []Option) *File {
	f := new(struct { // one piece of memory
		File
		layout Layout
	})
	f.Layout, f.layout.Size = &f.layout, uint64(len(b))
	r := &reader{View: wire.LE(b), Reporter: to, opts: opts, layout: f.Layout, file: &f.File}
	if !r.dvlb() {
		return r.file
	}
	if r.dvlp(); r.Failed() {
		return r.file
	}
	if r.dvles(); r.Done() {
		return r.file
	}
	spans := r.layout.spans(func(dvle int) bool { return r.skip[dvle] })
	r.decodeTables(spans)
	r.sumNames()
	if r.contents(); r.Done() {
		return r.file
	}
	if !r.Failed() {
		r.coverage(spans)
	}
	CheckCode(r.Reporter, "dvlp.", r.tableOffset(codeTable), r.file.DVLP.Code, len(r.file.DVLP.Descriptors))
	r.names.Report(r.Reporter, "DVLB016")
	return r.file
}
