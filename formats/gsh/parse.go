package gsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. An unknown option has no effect.
type Option string

// Fragment accepts headers without their programs and programs without a header, as in the files of writers that put
// each into a file of its own (rust-wiiu's gfd). The code of a lone header is nil. A lone program is an opaque block.
const Fragment Option = "fragment"

var ruleSet = diag.NewRuleSet(Rules)

var shell = wire.Shell[File, Option]{
	Name:    "gsh",
	Rules:   ruleSet,
	Walk:    walk,
	Append:  (*File).AppendUnchecked,
	Equal:   (*File).Equal,
	Options: func(f *File) []Option { return f.Leniencies },
	Map:     regions,
}

// Parse reads a file. It refuses one that breaks a rule of severity Error: the
// error is then a *diag.ParseError with the first such finding, and the file is
// nil. Files of version 6 are refused as diag.ErrUnsupported. The file keeps no
// reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding, in the order in which the rules are evaluated:
// file header, blocks, which programs belong to which headers, shaders, what
// ties shaders together, canonical form. A rule that depends on a broken part
// is not evaluated.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is one walk over a file.
type reader struct {
	wire.View
	*diag.Reporter
	opts   []Option
	file   *File
	layout *Layout

	places  []blockPlace // of layout.Blocks
	headers int          // how many of them are headers
	ended   bool         // the walk over the blocks came to an end block
	shaders []shaderRecord

	structures gx2.Reader
	gfd        gx2.GFD
	scratch
}

// scratch is memory that one block or shader after the other uses.
type scratch struct {
	block    [1]blockHeader
	trailer  [1]trailer
	pointers []uint32 // of a shader: where its pointers stand
	expected []uint32 // its patch list in a style
	named    bitmap   // words that have a pointer
	seen     bitmap   // words that the patch list names
}

// blockPlace is the place of a block of the layout.
type blockPlace struct {
	off, size uint64 // of its header; of its data
	old       bool   // of an old version: the type is not known
	lone      bool   // a program without a header
}

func (p blockPlace) data() uint64 { return p.off + blockSize }

func newReader(b []byte, to *diag.Reporter, opts []Option) *reader {
	l := new(Layout)
	return &reader{
		View: wire.BE(b), Reporter: to, opts: opts, layout: l, file: &File{Layout: l},
		structures: gx2.Reader{Reporter: to},
	}
}

// walk reads a file part by part. A rule uses only parts in which earlier rules
// found no error.
func walk(b []byte, to *diag.Reporter, opts []Option) *File {
	r := newReader(b, to, opts)
	r.walk()
	return r.file
}

func (r *reader) walk() {
	if !r.header() || r.Done() {
		return
	}
	if r.blocks(); r.Done() {
		return
	}
	if r.pair(); r.Done() {
		return
	}
	r.keepOpaque()
	if r.readShaders(); r.Done() || r.Strict() && !r.longNames() {
		return
	}
	if r.ended { // else shaders may be missing
		r.modes()
	}
	r.nameLimits()
	r.canonical()
	if !r.Strict() {
		r.meaning()
	}
}

// header reads the file header: GSH001 to GSH008. ok is false when nothing behind
// it can be read.
func (r *reader) header() (ok bool) {
	if r.Size() < headerSize {
		at := diag.Place{Len: r.Size(), Path: diag.Path{Field: "header"}}
		r.Report("GSH001", at, diag.AtLeast(headerSize), diag.Dec(r.Size()))
		return false
	}
	if headerRules.Check(r.Reporter, r.View, 0, headerPlace).Any() {
		return false
	}
	headerRecord.Check(r.Reporter, r.View, 0, headerPlace)
	headerRecord.Get(r.B, []fileHeader{{r.file, r.layout}})
	return true
}

// filePlace is the place of the whole file.
func (r *reader) filePlace() diag.Place {
	return diag.Place{Len: r.Size(), Path: diag.Path{Field: "file"}}
}
