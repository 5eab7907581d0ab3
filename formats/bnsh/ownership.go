package bnsh

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// ownership checks that every byte has one owner, keeps the bytes that have
// none, and marks the positions of all pointers.
func (r *reader) ownership() {
	memory, end := uint64(r.layout.Pool.Memory), r.layout.Pool.end()
	last := span{owner: owner{part: headerPart}}
	r.pointers = newBitmap(r.Size())
	for s := range r.file.spans(r.layout, r.pointers) {
		off := uint64(s.off)
		switch {
		case s.owner.part != codePart && off < end && s.end() > memory:
			r.collide("BNSH013", s, diag.Text("nothing but code in the memory pool"), diag.Text("a record"),
				owner{part: poolMemoryPart}.bytes(memory, end-memory))
		case s.shares(last), s == last:
			continue
		case off < last.end():
			rule := "BNSH013"
			if sort := parts[s.owner.part].sort; sort != notBlob && sort == parts[last.owner.part].sort {
				rule = "BNSH034"
			}
			r.collide(rule, s, diag.Value{Format: "start >= 0x%x", N: last.end()},
				diag.Value{Format: "start 0x%x", N: off}, last.place())
			if s.end() < last.end() { // one of the two is too long, or not its place
				last = s
			}
		default:
			r.gap(last.end(), off)
			last = s
		}
		if r.done() {
			return
		}
	}
	r.gap(last.end(), r.high)
}

// collide reports a record that is where another one is. A pointer then leads
// to the wrong place, so not every record was reached.
func (r *reader) collide(rule string, s span, expected, found diag.Value, other diag.Place) {
	r.unknown |= someRecord | someTarget
	r.fail(rule, s.place(), expected, found, other)
}

func (s span) place() diag.Place { return s.owner.bytes(uint64(s.off), uint64(s.len)) }

// gap keeps the non-zero bytes of a range without an owner.
func (r *reader) gap(from, to uint64) {
	if !r.complete(somePointer) || from >= to {
		return
	}
	b := r.Bytes(from, to-from)
	first := wire.FirstNonZero(b)
	if first < 0 {
		return
	}
	b = bytes.TrimRight(b, "\x00")
	r.layout.Gaps = append(r.layout.Gaps, Gap{uint32(from) + uint32(first), b[first:len(b):len(b)]})
}

// pathOf returns the path of the pointer at a position.
func (r *reader) pathOf(p uint64) (path diag.Path) {
	for x := range r.file.items(r.layout) {
		if p >= x.off && p < x.end() {
			if found, ok := x.owner.pointer(p - x.off); ok {
				path = found
			}
		}
	}
	return path
}
