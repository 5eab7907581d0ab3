package zpsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// Option is an option of Parse and Check: a revision to accept, or a leniency. An
// unknown option has no effect.
type Option string

// The options.
const (
	// Revision3 and Revision4 name the accepted revisions. Without either, both are
	// accepted.
	Revision3 Option = "revision-3"
	Revision4 Option = "revision-4"
	// HashMismatch accepts a wrong hash in R4; zitrus does not verify it.
	HashMismatch Option = "hash-mismatch"
	// SkipUnknownHeader reads a file with a longer header as R4.
	SkipUnknownHeader Option = "unknown-header"
)

// revisionOptions maps an option to the revision that it accepts.
var revisionOptions = map[Option]Revision{Revision3: R3, Revision4: R4}

// hashSeed is the seed of the code hash (zpsh.zig).
const hashSeed = 67

var ruleSet = diag.NewRuleSet(Rules)

var shell = wire.Shell[File, Option]{
	Name:    "zpsh",
	Rules:   ruleSet,
	Walk:    walk,
	Append:  (*File).AppendUnchecked,
	Equal:   (*File).Equal,
	Options: func(f *File) []Option { return f.Leniencies },
	Map:     regions,
}

// Parse reads a file. If the file breaks a rule of severity Error, the file is nil and
// the error is a *diag.ParseError with the first such finding. For an unsupported
// revision the error wraps ErrAmbiguous or ErrRevision. The file keeps no reference to
// b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding in the order in which the rules are evaluated: header,
// each entry, bytes behind the entries, strings, code, the size of all names. It ends
// after the header when that does not place the sections, and after an entry whose
// place or size is wrong.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// reader is the state of one pass over a file. A pass with a strict reporter appends the
// entries to the model, any other only checks them.
type reader struct {
	wire.View
	*diag.Reporter
	opts   []Option
	file   *File
	layout Layout
	n      counts
	at     places
	names  nameCheck
	vertex bool // the file has a vertex entry

	entry   Entry          // the entry being read
	headers [1]entryHeader // its header
}

// counts holds the numbers of the header.
type counts struct{ entries, instructions, descriptors, strings uint64 }

func walk(b []byte, to *diag.Reporter, opts []Option) *File {
	r := &reader{View: wire.LE(b), Reporter: to, opts: opts, file: new(File)}
	r.walk()
	return r.file
}

func (r *reader) walk() {
	if !r.header() {
		return
	}
	f := r.file
	f.Code = r.words(shbin.WordRecord, "code", r.at.code, r.at.descriptors)
	f.Descriptors = r.words(descriptorRecord, "descriptors", r.at.descriptors, r.at.strings)
	f.Strings = r.B[r.at.strings:r.at.area:r.at.area]
	if r.hash(); r.Done() {
		return
	}
	end, ok := r.readEntries()
	if !ok || r.Done() {
		return
	}
	if end < r.Size() {
		r.layout.Tail = r.Bytes(end, r.Size()-end)
		r.Report("ZPSH028", diag.Place{Off: end, Len: r.Size() - end, Path: diag.Path{Field: "tail"}},
			diag.Text("the end of the file"), diag.Bytes(r.Size()-end))
	}
	if !r.Strict() {
		r.stringsAsWritten()
		r.vertexCode()
	}
	shbin.CheckCode(r.Reporter, "", r.at.code, f.Code, len(f.Descriptors))
	r.sharedNames()
	r.names.total.Report(r.Reporter, "ZPSH031")
	if l := &r.layout; l.ExtraHeader != nil || l.Hash != nil || l.Gaps != nil || l.Tail != nil {
		f.Layout = l
	}
}

// words reads the records of one word from off to end.
func (r *reader) words(record *wire.Record[uint32], name string, off, end uint64) []uint32 {
	table := r.B[off:end]
	record.CheckTable(r.Reporter, wire.LE(table), func(i int, _ string) diag.Place {
		return record.At(off+4*uint64(i), diag.Path{Table: name, Index: i})
	})
	return record.Decode(table)
}

func headerPlace(field string) diag.Place {
	return headerRecord.At(0, diag.Path{Prefix: "header.", Field: field})
}

// header reads the header and places the sections. It reports whether the header names a
// known revision and possible counts, and all sections are inside the file.
func (r *reader) header() bool {
	size := r.Size()
	if size < shortHeaderSize {
		r.Report("ZPSH001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(shortHeaderSize),
			diag.Dec(size))
		return false
	}
	if magicRule.Check(r.Reporter, r.View, 0, headerPlace).Any() {
		return false
	}
	r.n = readHeader(r.B, r.file)
	if !r.revision() {
		return false
	}
	headerRecord.Check(r.Reporter, r.View, 0, headerPlace)
	r.at = r.file.Revision.place(r.n.entries, r.n.instructions, r.n.descriptors, r.n.strings)
	switch {
	case r.n.entries == 0:
		r.Report("ZPSH006", headerPlace("counts"), diag.Text("1 entry or more"), diag.Dec(0))
	case r.n.descriptors > pica.MaxDescriptors:
		r.Report("ZPSH007", headerPlace("counts"), diag.AtMost(pica.MaxDescriptors), diag.Dec(r.n.descriptors))
	case r.at.area > size:
		r.Report("ZPSH008", headerPlace("counts"), diag.Value{Format: "end <= 0x%x", N: size},
			diag.Value{Format: "end 0x%x", N: r.at.area})
	default:
		if r.file.Revision > R4 {
			r.layout.ExtraHeader = r.Bytes(4*uint64(R4), r.at.offsets-4*uint64(R4))
		}
		return true
	}
	return false
}

// readHeader reads a header into a file, and returns its numbers.
func readHeader(b []byte, f *File) counts {
	h := [1]fileHeader{{File: f}}
	headerRecord.Get(b, h[:])
	packed := uint64(h[0].counts)
	return counts{packed & 0xFFF, packed>>12&0xFFF + 1, packed >> 24, 4 * uint64(h[0].stringWords)}
}

// revision checks the header size. It reports whether the file can be read.
func (r *reader) revision() bool {
	v := r.file.Revision
	at, found := headerPlace("header_words"), diag.Dec(uint64(v))
	switch accepts4 := r.accepts(R4); {
	case v == 0:
		r.ReportKind(ErrAmbiguous, "ZPSH003", at, r.accepted(), found)
	case v < R3 || v == R3 && !r.accepts(R3):
		r.Report("ZPSH003", at, r.accepted(), found)
	case v == R4 && !accepts4, v > R4 && !(accepts4 && slices.Contains(r.opts, SkipUnknownHeader)):
		r.Report("ZPSH004", at, r.accepted(), found)
	case v > R4:
		r.ReportAs(diag.Warning, "ZPSH004", at, r.accepted(), found)
		r.file.Leniencies = append(r.file.Leniencies, SkipUnknownHeader)
		return true
	default:
		return true
	}
	return false
}

// accepts reports whether the options accept a revision: they name it, or they name
// none.
func (r *reader) accepts(v Revision) bool {
	named := false
	for _, o := range r.opts {
		if a, ok := revisionOptions[o]; ok {
			if a == v {
				return true
			}
			named = true
		}
	}
	return !named
}

func (r *reader) accepted() diag.Value {
	switch {
	case !r.accepts(R4):
		return diag.Dec(uint64(R3))
	case !r.accepts(R3):
		return diag.Dec(uint64(R4))
	}
	return diag.Text("3 or 4")
}

func hashPlace(field string) diag.Place {
	return hashRecord.At(0x0C, diag.Path{Prefix: "header.", Field: field})
}

// hash verifies the code hash of R4.
func (r *reader) hash() {
	if !r.file.Revision.hasTable() {
		return
	}
	hashRecord.Check(r.Reporter, r.View, 0x0C, hashPlace)
	stored, expected := r.U32(0x0C), hash(r.B[r.at.code:r.at.strings])
	if stored == expected {
		return
	}
	sev := diag.Error
	if slices.Contains(r.opts, HashMismatch) {
		sev = diag.Warning
		r.layout.Hash = &stored
		r.file.Leniencies = append(r.file.Leniencies, HashMismatch)
	}
	r.ReportAs(sev, "ZPSH009", hashPlace("hash"), diag.Hex(uint64(expected)), diag.Hex(uint64(stored)))
}

// hash returns the code hash of instruction bytes followed by descriptor bytes.
func hash(code []byte) uint32 { return xxh32(code, hashSeed) }

// vertexCode checks that the code of a file with a vertex entry fits the vertex unit:
// ZPSH030 for the whole file.
func (r *reader) vertexCode() {
	if r.vertex && r.n.instructions > pica.MaxVertexCode {
		r.Report("ZPSH030", headerPlace("counts"), diag.AtMost(pica.MaxVertexCode), diag.Dec(r.n.instructions))
	}
}
