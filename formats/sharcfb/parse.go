package sharcfb

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// formatName is the format in errors.
const formatName = "sharcfb"

// Option is a leniency of Parse and Check. No writer is known to break an error
// rule, so there is none yet; an option that this package does not know has no
// effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

// Parse reads an archive of either byte order. It refuses one that breaks a rule
// of severity Error: the error is then a *diag.ParseError with the first such
// finding, and the file is nil. Archives of other versions and source archives
// are refused as diag.ErrUnsupported. The file keeps no reference to b.
func Parse(b []byte, _ ...Option) (*File, error) {
	r := newReader(bytes.Clone(b), diag.Strict(ruleSet))
	r.walk()
	if err := r.Err(formatName); err != nil {
		if r.source {
			err.(*diag.ParseError).Kind = diag.ErrUnsupported
		}
		return nil, err
	}
	return r.file, nil
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

// Check returns every finding, in the order in which the rules are evaluated:
// header, shader binary list, program list, what ties the two together, shaders.
// What rests on a broken part is not checked.
func Check(b []byte, _ ...Option) []diag.Finding {
	r := newReader(b, diag.Collect(ruleSet))
	r.walk()
	return r.Findings()
}

// reader is one walk over an archive for either of the two.
type reader struct {
	wire.View
	*diag.Reporter
	file   *File
	source bool // the file is a source archive

	binaries []binaryRecord
	programs []programRecord
	binaryAt uint64 // offset of the binary list

	names   string // a copy of the program list, of which names are parts
	namesAt uint64
	program owner // the program being read
	macro   owner // the macro being read

	macroOffsets []uint32 // of the macros of a list
	valueRefs    []valueRef
}

// binaryRecord is where a shader binary is.
type binaryRecord struct {
	off, size  uint32
	kind       gx2.Type
	dataOffset uint32
	dataSize   uint32
	sound      bool // the data is inside the record
}

func (b *binaryRecord) data() uint64 { return uint64(b.off) + binaryHeaderSize + uint64(b.dataOffset) }

// programRecord is where a program is, and its number of variations.
type programRecord struct {
	off        uint32
	variations uint32
}

func newReader(b []byte, to *diag.Reporter) *reader {
	return &reader{View: wire.BE(b), Reporter: to, file: new(File)}
}

// done reports whether a strict walk has found what it was sent for.
func (r *reader) done() bool { return r.Strict() && r.Failed() }

// walk reads the archive part by part; a rule rests on what the ones before it
// have found to be sound.
func (r *reader) walk() {
	end, ok := r.header()
	if !ok || r.done() {
		return
	}
	if end, ok = r.readBinaries(end); !ok || r.done() {
		return
	}
	if end, ok = r.readPrograms(end); !ok || r.done() {
		return
	}
	if rest := r.Size() - end; rest > 0 {
		at := diag.Place{Off: end, Len: rest, Path: diag.Path{Field: "tail"}}
		r.Report("SHARC014", at, diag.Text("the end of the file"), diag.Value{Format: "%d more bytes", N: rest})
	}
	if !r.Failed() {
		r.ownership()
	}
	if r.done() {
		return
	}
	r.readShaders()
	if !r.Failed() && !r.Strict() {
		r.modes()
		r.canonical()
	}
}

// readShaders reads the shaders of the binaries that have their data.
func (r *reader) readShaders() {
	shaders := gx2.Reader{Reporter: r.Reporter}
	keep := !r.Failed() && !slices.ContainsFunc(r.binaries, func(b binaryRecord) bool { return uint64(b.dataSize) < b.kind.Size() })
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
		shaders.Read(&into.Shader, gx2.Source{
			Type: b.kind, Data: r.Bytes(b.data(), uint64(b.dataSize)), Order: r.Order,
			Off: b.data(), Path: diag.Path{Table: "binaries", Index: i},
		})
		if r.done() {
			return
		}
		into.Slack = r.slack(b)
	}
}

// slack returns the unused bytes of a record; nil when there are none.
func (r *reader) slack(b *binaryRecord) *Slack {
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

// canonical compares the archive with what we would write: SHARC061. Only
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
