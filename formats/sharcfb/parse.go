package sharcfb

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// formatName is the format in errors.
const formatName = "sharcfb"

// Option is a leniency of Parse and Check. No writer is known to break an error
// rule, so there is none yet; an option that this package does not know has no
// effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

// shell is the format as all containers are read and written.
var shell = wire.Shell[File, Option]{
	Name:   formatName,
	Rules:  ruleSet,
	Walk:   walk,
	Append: (*File).AppendUnchecked,
	Equal:  (*File).Equal,
	Map:    regions,
}

// Parse reads an archive of either byte order. It refuses one that breaks a rule
// of severity Error: the error is then a *diag.ParseError with the first such
// finding, and the file is nil. Archives of other versions and source archives
// are refused as diag.ErrUnsupported. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) {
	f, err := shell.Parse(b, opts...)
	if parse, ok := err.(*diag.ParseError); ok && isSource(b) {
		parse.Kind = diag.ErrUnsupported
	}
	return f, err
}

// UnmarshalBinary is Parse.
func (f *File) UnmarshalBinary(b []byte) error {
	parsed, err := Parse(b)
	if err != nil {
		return err
	}
	*f = *parsed
	return nil
}

// Check returns every finding, in the order in which the rules are evaluated: header, shader binary list, program list,
// the binaries of each program, shaders. A rule that depends on a broken part is not evaluated.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// walk is one walk over an archive.
func walk(b []byte, to *diag.Reporter, _ []Option) *File {
	r := newReader(b, to)
	r.walk()
	return r.file
}

// reader is one walk over an archive for either of the two.
type reader struct {
	wire.View
	*diag.Reporter
	file *File

	binaries []binaryPlace
	programs []programPlace
	binaryAt uint64 // offset of the binary list

	allBinaries, allPrograms bool // the list has all its records

	names   string // a copy of the program list, of which names are parts
	namesAt uint64
	program owner // the program being read
	macro   owner // the macro being read

	macroOffsets []uint32 // of the macros of a list
	valueRefs    []valueRef
	headers      headers // of the records being read
}

// binaryPlace is the offset and the header of a shader binary.
type binaryPlace struct {
	off uint32
	binaryHeader
	sound bool // the data is inside the record
	mode  gx2.Mode
	moded bool // the mode is known
	names bool // the names of the shader are over the limit
	clean bool // the shader broke no rule of severity Error

	registers bool // its bits are in fields
}

func (b *binaryPlace) data() uint64 { return uint64(b.off) + binaryHeaderSize + uint64(b.dataOffset) }

// programPlace is the offset of a program, and which of its fields are known.
type programPlace struct {
	off        uint32
	variations uint32 // 0 when it is not known
	named      bool   // the name is known
	typed      bool   // the kind is known
	owns       bool   // the program has shader binaries, of the right types
}

func newReader(b []byte, to *diag.Reporter) *reader {
	return &reader{View: wire.BE(b), Reporter: to, file: new(File)}
}

// walk reads the archive part by part. A rule uses only parts in which earlier
// rules found no error.
func (r *reader) walk() {
	end, ok := r.header()
	if !ok || r.Done() {
		return
	}
	if end, ok = r.readBinaries(end); !ok || r.Done() {
		return
	}
	if end, ok = r.readPrograms(end); r.Done() {
		return
	}
	if rest := r.Size() - end; ok && rest > 0 {
		at := diag.Place{Off: end, Len: rest, Path: diag.Path{Field: "tail"}}
		r.Report("SHARC014", at, diag.Text("the end of the file"), diag.Count(rest, "more byte"))
	}
	if r.ownership(); r.Done() {
		return
	}
	r.readShaders()
	if !r.Strict() {
		r.modes()
	}
	r.nameLimits()
	if !r.Failed() && !r.Strict() {
		r.canonical()
	}
	if !r.Strict() {
		r.meaning()
	}
}

// readShaders reads the shaders of the binaries that have their data.
func (r *reader) readShaders() {
	shaders := gx2.Reader{Reporter: r.Reporter}
	keep := !r.Failed() && !slices.ContainsFunc(r.binaries,
		func(b binaryPlace) bool { return uint64(b.dataSize) < b.kind.Size() })
	if keep && len(r.binaries) > 0 {
		r.file.Binaries = make([]Binary, len(r.binaries))
	}
	var scratch Binary
	for i := range r.binaries {
		b := &r.binaries[i]
		if !b.sound {
			continue
		}
		into := &scratch
		if keep {
			into = &r.file.Binaries[i]
		}
		ok := shaders.Read(&into.Shader, r.shaderSource(i))
		if r.Done() {
			return
		}
		b.mode, b.names = into.Mode, shaders.TooManyNames()
		b.clean = ok && !b.names
		b.moded = uint64(b.dataSize) >= b.kind.Size() && b.mode <= gx2.ModeCompute
		into.Slack = r.slack(b)
	}
}

// shaderSource returns the place of the data of shader binary i.
func (r *reader) shaderSource(i int) gx2.Source {
	b := &r.binaries[i]
	return gx2.Source{
		Type: b.kind, Data: r.Bytes(b.data(), uint64(b.dataSize)), Order: r.Order(),
		Off: b.data(), Path: diag.Path{Table: "binaries", Index: i},
	}
}

// nameLimits bounds the names of each shader: GX2049, if nothing else is wrong.
func (r *reader) nameLimits() {
	if r.Failed() {
		return
	}
	shaders := gx2.Reader{Reporter: r.Reporter}
	for i := range r.binaries {
		if r.binaries[i].names {
			shaders.ReportNames(r.shaderSource(i))
		}
	}
}

// slack returns the unused bytes of a record, or nil.
func (r *reader) slack(b *binaryPlace) *Slack {
	from := b.data() + uint64(b.dataSize)
	tail := uint64(b.off) + uint64(b.size) - from
	if b.dataOffset == 0 && tail == 0 {
		return nil
	}
	return &Slack{
		Gap:  r.Bytes(uint64(b.off)+binaryHeaderSize, uint64(b.dataOffset)),
		Tail: r.Bytes(from, tail),
	}
}

// canonical compares the archive with the canonical layout: SHARC061. Only
// shader binaries can differ.
func (r *reader) canonical() {
	for i := range r.file.Binaries {
		b := &r.file.Binaries[i]
		if b.Slack == nil && b.IsCanonical(r.binaries[i].data()) {
			continue
		}
		r.Report("SHARC061", r.binaryPlace(i, ""), diag.Text("the canonical layout"), diag.Text("another"))
		return
	}
}
