package bnsh

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. There is none for this format yet,
// and an option that this package does not know has no effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

// shell is the format as all containers are read and written.
var shell = wire.Shell[File, Option]{
	Name:   "bnsh",
	Rules:  ruleSet,
	Walk:   walk,
	Append: (*File).AppendUnchecked,
	Equal:  (*File).Equal,
	Map:    regions,
	Moved:  unrecorded,
}

// unrecorded refuses a model of which Parse makes another one.
func unrecorded(*wire.Shell[File, Option], *File) (*File, error) {
	return nil, fmt.Errorf("bnsh: %w: there is something that cannot be recorded", diag.ErrInvalid)
}

// Parse reads a file. It refuses one that breaks a rule of severity Error: the
// error is then a *diag.ParseError with the first such finding, and the file
// is nil. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding in the order in which the rules are evaluated. A
// part of the file that cannot be found or understood because of an error is
// not checked; all other parts are.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns regions and findings of any bytes, refused or not.
func Outline(b []byte, opts ...Option) diag.Outline { return shell.Outline(b, opts...) }

// walk is one walk over a file.
func walk(b []byte, to *diag.Reporter, _ []Option) *File {
	r := newReader(b, to)
	r.walk()
	return r.file
}

// reader is one walk over a file for either of the two.
type reader struct {
	wire.View
	*diag.Reporter
	file   *File
	layout *Layout

	known   knowledge
	unknown incomplete
	low     uint64 // the block body, which holds all records, from here
	high    uint64 // to here
	claimed uint64 // bytes of records seen so far

	pool     stringPool
	pointers bitmap          // the positions of all pointers
	astray   map[uint64]bool // positions of pointers that cannot be right
	keys     keyChecker
	binary   bool // a program has plain binary code

	sectionError [numSections]bool // position or size is wrong

	current [1]item // the record being read
}

// knowledge is a set of parts of the file that were found and are valid. The
// content of a part, and the records that it leads to, are read only then.
type knowledge uint16

const (
	knowFile       knowledge = 1 << iota // signature, byte order and version
	knowContainer                        // the container
	knowBody                             // the string block, at which the block body ends
	knowTable                            // the relocation table
	knowPool                             // every string of the pool
	knowSections                         // the sections of the relocation table
	knowEntries                          // the entries of the sections
	knowVariations                       // the array of variations
)

// incomplete is a set of kinds of which not all are known, because a record
// that holds or leads to one of them is broken. A rule about all of a kind is
// then not evaluated.
type incomplete uint8

const (
	someForm    incomplete = 1 << iota // the form of the code of a program
	someObject                         // the object memory of a program
	someCode                           // binary code
	someKey                            // a key of a dictionary
	somePointer                        // a pointer, or the size of a record or blob
	fileName                           // the file name
	someTarget                         // target of a pointer into another record: records overlap

	someRecord = someForm | someObject | someCode | someKey | somePointer
)

func newReader(b []byte, to *diag.Reporter) *reader {
	l := new(Layout)
	f := &File{Layout: l}
	return &reader{View: wire.LE(b), Reporter: to, layout: l, file: f, unknown: someRecord,
		current: [1]item{{file: f, layout: l}}}
}

// phases is the order of evaluation, each with the parts it rests on.
var phases = [...]struct {
	needs knowledge
	run   func(*reader)
}{
	{0, (*reader).header},
	{knowFile, (*reader).blocks},
	{knowFile, (*reader).relocationTable},
	{knowBody, (*reader).strings},
	{knowTable, (*reader).sections},
	{knowContainer, (*reader).container},
	{knowBody, (*reader).variationArray},
	{knowVariations, (*reader).variations},
	{knowBody, (*reader).memoryPool},
	{knowVariations, (*reader).reflections},
	{knowBody, (*reader).ownership},
	{knowSections, (*reader).sectionRanges},
	{knowEntries, (*reader).coverage},
	{knowFile, (*reader).content},
}

func (r *reader) walk() {
	for _, phase := range phases {
		if r.known&phase.needs == phase.needs && !r.done() {
			phase.run(r)
		}
	}
}

// done reports whether a strict walk has found an error.
func (r *reader) done() bool { return r.Strict() && r.Failed() }

// full reports whether the records read so far are more than twice as large as
// the block body, so that many overlap.
func (r *reader) full() bool { return r.claimed > 2*(r.high-r.low) }

// stopped reports whether no more records are read.
func (r *reader) stopped() bool { return r.done() || r.full() }

// complete reports whether all of some kinds are known.
func (r *reader) complete(kinds incomplete) bool { return r.unknown&kinds == 0 }

// fail reports a finding of a rule of severity Error and returns false.
func (r *reader) fail(id string, at diag.Place, expected, found diag.Value, related ...diag.Place) bool {
	r.Report(id, at, expected, found, related...)
	return false
}

// misled is fail for a pointer that must have one value.
func (r *reader) misled(id string, at diag.Place, want, got uint64) {
	r.distrust(at.Off)
	r.fail(id, at, diag.Hex(want), diag.Hex(got))
}

// lose is fail for an error after which some kinds are not known.
func (r *reader) lose(kinds incomplete, id string, at diag.Place, expected, found diag.Value) bool {
	r.unknown |= kinds | somePointer
	return r.fail(id, at, expected, found)
}

// stray is lose for a pointer that cannot be right.
func (r *reader) stray(kinds incomplete, id string, at diag.Place, expected, found diag.Value) bool {
	r.distrust(at.Off)
	return r.lose(kinds, id, at, expected, found)
}

// distrust notes the position of a pointer that cannot be right: where it leads
// to says nothing about the relocation entry that covers it.
func (r *reader) distrust(p uint64) {
	if r.astray == nil {
		r.astray = make(map[uint64]bool)
	}
	r.astray[p] = true
}

// inBody reports whether the n bytes at off are inside the block body.
func (r *reader) inBody(off, n uint64) bool {
	return off >= r.low && off <= r.high && n <= r.high-off
}

// bodyValue describes the block body.
func (r *reader) bodyValue() diag.Value {
	return diag.Value{N: r.low<<32 | r.high, Show: func(n uint64) string {
		return "inside " + wire.ShowHex(n>>32) + " to " + wire.ShowHex(n&0xFFFFFFFF)
	}}
}

// reference is a pointer of a record, with the rule to report when no record
// can be at its target.
type reference struct {
	rule  string
	kinds incomplete // that are not known then
	owner owner
	base  uint64 // of the record
	field string // without ".pointer"
}

func (x reference) pointer() diag.Place { return x.owner.place(x.base, x.field+pointerSuffix) }

// record checks that a record of n bytes may be at off: at a multiple of to and
// inside the block body.
func (r *reader) record(from reference, off, n, to uint64) bool {
	if off%to != 0 {
		return r.stray(from.kinds, from.rule, from.pointer(), diag.Value{Format: "multiple of %d", N: to},
			diag.Hex(off))
	}
	if !r.inBody(off, n) {
		expected := r.bodyValue()
		if r.inBody(off, 1) && r.low+n <= r.high {
			expected = diag.Value{Format: "<= 0x%x", N: r.high - n}
		}
		return r.stray(from.kinds, from.rule, from.pointer(), expected, diag.Hex(off))
	}
	return true
}

// room returns how many elements of a size there may be at an offset in the
// block body.
func (r *reader) room(off, size uint64) uint64 { return (r.high - off) / size }

// blob checks that n bytes, at least one, lie at off of the block body. pointer and size are the fields with off and n.
func (r *reader) blob(rule string, kinds incomplete, pointer, size func() diag.Place, off, n uint64) bool {
	switch {
	case n == 0:
		r.distrust(pointer().Off)
		return r.lose(kinds, rule, size(), diag.AtLeast(1), diag.Dec(n))
	case !r.inBody(off, 1):
		return r.stray(kinds, rule, pointer(), r.bodyValue(), diag.Hex(off))
	case !r.inBody(off, n):
		r.distrust(pointer().Off)
		return r.lose(kinds, rule, size(), diag.AtMost(r.high-off), diag.Dec(n))
	}
	return true
}

// claim counts the bytes of a record, and reports whether it is worth reading.
func (r *reader) claim(n uint64) bool {
	if r.claimed += n; r.full() {
		r.unknown |= someRecord
		return false
	}
	return true
}

// rules evaluates the rules about single fields of a record.
func (r *reader) rules(o owner, base uint64) {
	parts[o.part].rules.Check(r.Reporter, r.View, base, func(field string) diag.Place { return o.place(base, field) })
}

// elements evaluates the rules about single fields of the elements of a table.
func (r *reader) elements(rules *wire.Ruled, o owner, off uint64, table []byte) {
	size := parts[o.part].elements.Size()
	rules.CheckTable(r.Reporter, wire.LE(table), func(i int, field string) diag.Place {
		return o.element(off+size*uint64(i), i, field)
	})
}

// reserved checks the fields of a record that must be zero.
func (r *reader) reserved(id string, o owner, base uint64) {
	off := base
	for _, field := range parts[o.part].fields {
		if field.Kind == diag.OpaqueRegion {
			if i := wire.FirstNonZero(r.Bytes(off, uint64(field.Size))); i >= 0 {
				r.fail(id, o.place(base, field.Name), diag.Text("zero"),
					diag.Value{Format: "0x%02x", N: uint64(r.U8(off + uint64(i)))})
			}
		}
		off += uint64(field.Size)
	}
}

// zeros checks that n bytes of an area the runtime uses are zero.
func (r *reader) zeros(id string, o owner, off, n uint64) {
	if i := wire.FirstNonZero(r.Bytes(off, n)); i >= 0 {
		at := o.bytes(off+uint64(i), 1)
		r.fail(id, at, diag.Text("zero"), diag.Value{Format: "0x%02x", N: uint64(r.U8(at.Off))})
	}
}

// signed is the value of a signed field in a finding.
func signed(n int32) diag.Value { return diag.Value{N: uint64(uint32(n)), Show: wire.ShowSigned} }
