package bnsh

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
)

// ownership checks that every byte has one owner and keeps those that have none.
func (r *reader) ownership() bool { return r.disjoint() }

// disjoint is ownership with more records than those of the layout.
func (r *reader) disjoint(more ...span) bool {
	memory, end := uint64(r.layout.Pool.Memory), r.layout.Pool.end()
	last := span{owner: owner{part: headerPart}}
	for _, s := range r.file.spans(r.layout, more...) {
		off := uint64(s.off)
		switch {
		case s.owner.part != codePart && off < end && s.end() > memory:
			return r.refuse("BNSH013", s.place(), diag.Text("nothing but code in the memory pool"), diag.Value{},
				owner{part: poolMemoryPart}.bytes(memory, end-memory))
		case s.shares(last), s == last:
			continue
		case off < last.end():
			rule := "BNSH013"
			if sort := parts[s.owner.part].sort; sort != notBlob && sort == parts[last.owner.part].sort {
				rule = "BNSH034"
			}
			return r.refuse(rule, s.place(), diag.Value{Format: "start >= 0x%x", N: last.end()}, diag.Value{Format: "start 0x%x", N: off}, last.place())
		}
		r.gap(last.end(), off)
		last = s
	}
	r.gap(last.end(), r.high)
	return true
}

func (s span) place() diag.Place { return s.owner.bytes(uint64(s.off), uint64(s.len)) }

// gap keeps what is not zero of a range that nothing owns.
func (r *reader) gap(from, to uint64) {
	b := r.Bytes(from, to-from)
	first := firstNonZero(b)
	if first < 0 {
		return
	}
	b = bytes.TrimRight(b, "\x00")
	r.layout.Gaps = append(r.layout.Gaps, Gap{uint32(from) + uint32(first), b[first:len(b):len(b)]})
}

// pathOf returns the path of the pointer at a position.
func (r *reader) pathOf(p uint64) (path diag.Path) {
	r.file.visit(r.layout, func(off uint32, n uint64, o owner) {
		if p >= uint64(off) && p-uint64(off) < n {
			path = o.pointerAt(p - uint64(off))
		}
	})
	return path
}

// pointerAt returns the path of the pointer at an offset in a record.
func (o owner) pointerAt(off uint64) diag.Path {
	switch {
	case o.part == dictionaryPart:
		return diag.Path{Table: o.String(), Index: int(off-dictionaryHeadSize) / entrySize, Field: "key"}
	case o.part == textPointersPart:
		return diag.Path{Table: o.String(), Index: int(off / 8)}
	}
	fields := parts[o.part].fields
	for off > 0 {
		off -= uint64(fields[0].Size)
		fields = fields[1:]
	}
	return diag.Path{Prefix: o.String() + ".", Field: fields[0].Name}
}
