package bnsh

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. There is none for this format yet,
// and an option that this package does not know has no effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

// Parse reads a file. It refuses one that breaks a rule of severity Error: the
// error is then a *diag.ParseError with the first such finding, and the file
// is nil. The file keeps no reference to b.
func Parse(b []byte, _ ...Option) (*File, error) {
	r := newReader(bytes.Clone(b), diag.Strict(ruleSet))
	r.walk()
	if err := r.Err("bnsh"); err != nil {
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

// Check returns the findings in the order in which the rules are evaluated. The
// first error ends it: what follows rests on what the rule demands.
func Check(b []byte, _ ...Option) []diag.Finding {
	r := newReader(b, diag.Collect(ruleSet))
	r.walk()
	return r.Findings()
}

// reader is one walk over a file for either of the two.
type reader struct {
	wire.View
	*diag.Reporter
	file     *File
	layout   *Layout
	low      uint64 // the block body, which holds all records, from here
	high     uint64 // to here
	claimed  uint64 // bytes of records seen so far
	pool     stringPool
	pointers bitmap // every position of a pointer
	keys     keyChecker
	binary   bool // there is plain binary code
}

func newReader(b []byte, to *diag.Reporter) *reader {
	l := new(Layout)
	return &reader{View: wire.LE(b), Reporter: to, layout: l, file: &File{Layout: l}}
}

// phases is the order of evaluation. Each rests on the ones before it and
// reports whether the next may follow.
var phases = [...]func(*reader) bool{
	(*reader).header,
	(*reader).blocks,
	(*reader).relocationHead,
	(*reader).strings,
	(*reader).sections,
	(*reader).container,
	(*reader).variations,
	(*reader).memoryPool,
	(*reader).reflections,
	(*reader).ownership,
	(*reader).sectionRanges,
	(*reader).coverage,
	(*reader).content,
}

func (r *reader) walk() {
	for _, phase := range phases {
		if !phase(r) {
			return
		}
	}
}

// refuse reports a rule of severity Error and returns false.
func (r *reader) refuse(id string, at diag.Place, expected, found diag.Value, related ...diag.Place) bool {
	r.Report(id, at, expected, found, related...)
	return false
}

// pointer reads a pointer and notes its position.
func (r *reader) pointer(p uint64) uint64 {
	r.pointers.set(p)
	return le.Uint64(r.B[p:])
}

// inBody reports whether the n bytes at off are inside the block body.
func (r *reader) inBody(off, n uint64) bool {
	return off >= r.low && off <= r.high && n <= r.high-off
}

// bodyValue describes the block body.
func (r *reader) bodyValue() diag.Value {
	return diag.Value{N: r.low<<32 | r.high, Show: func(n uint64) string {
		return "inside " + showHex(n>>32) + " to " + showHex(n&0xFFFFFFFF)
	}}
}

// record checks that a record of n bytes may be where a pointer says: at a
// multiple of to and inside the block body.
func (r *reader) record(id string, at func() diag.Place, off, n, to uint64) bool {
	if off%to != 0 {
		return r.refuse(id, at(), diag.Value{Format: "multiple of %d", N: to}, diag.Hex(off))
	}
	if !r.inBody(off, n) {
		expected := r.bodyValue()
		if r.inBody(off, 1) && r.low+n <= r.high {
			expected = diag.Value{Format: "<= 0x%x", N: r.high - n}
		}
		return r.refuse(id, at(), expected, diag.Hex(off))
	}
	return true
}

// room returns how many elements of a size there may be at an offset in the
// block body.
func (r *reader) room(off, size uint64) uint64 { return (r.high - off) / size }

// blob checks that n bytes are there, and inside the block body where a pointer
// says. What is wrong with them is a matter of one of two fields.
func (r *reader) blob(id string, at func(field string) diag.Place, pointer, size string, off, n uint64) bool {
	switch {
	case n == 0:
		return r.refuse(id, at(size), diag.AtLeast(1), diag.Dec(n))
	case !r.inBody(off, 1):
		return r.refuse(id, at(pointer), r.bodyValue(), diag.Hex(off))
	case !r.inBody(off, n):
		return r.refuse(id, at(size), diag.AtMost(r.high-off), diag.Dec(n))
	}
	return true
}

// claim counts the bytes of a record. Records that together are larger than the
// block body overlap; reading on would cost more than the file is worth, so those
// that do are looked for among what was read and this one.
func (r *reader) claim(o owner, off, n uint64) bool {
	r.claimed += n
	return r.claimed <= r.high-r.low || r.disjoint(span{uint32(off), uint32(n), o})
}

// reserved checks the fields of a record that must be zero.
func (r *reader) reserved(id string, o owner, base uint64) bool {
	off := base
	for _, field := range parts[o.part].fields {
		if field.Kind == diag.OpaqueRegion {
			if i := firstNonZero(r.Bytes(off, uint64(field.Size))); i >= 0 {
				return r.refuse(id, o.place(base, field.Name), diag.Text("zero"), diag.Value{Format: "0x%02x", N: uint64(r.U8(off + uint64(i)))})
			}
		}
		off += uint64(field.Size)
	}
	return true
}

// zeros checks that n bytes of an area the runtime uses are zero.
func (r *reader) zeros(id string, o owner, off, n uint64) bool {
	if i := firstNonZero(r.Bytes(off, n)); i >= 0 {
		at := o.bytes(off+uint64(i), 1)
		return r.refuse(id, at, diag.Text("zero"), diag.Value{Format: "0x%02x", N: uint64(r.U8(at.Off))})
	}
	return true
}

var zeroBlock [4096]byte

// firstNonZero returns the index of the first byte that is not zero, or -1.
func firstNonZero(b []byte) int {
	at := 0
	for ; len(b)-at > len(zeroBlock); at += len(zeroBlock) {
		if !bytes.Equal(b[at:at+len(zeroBlock)], zeroBlock[:]) {
			break
		}
	}
	rest := b[at:min(len(b), at+len(zeroBlock))]
	if bytes.Equal(rest, zeroBlock[:len(rest)]) {
		return -1
	}
	for i, c := range rest {
		if c != 0 {
			return at + i
		}
	}
	return -1
}
