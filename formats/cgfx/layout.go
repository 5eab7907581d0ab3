package cgfx

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// The kinds of spans.
const (
	headerSpan uint8 = iota
	dataSpan
	dictSpan
	objectSpan
	referenceSpan
	dvlbSpan
	commandSpan
	arraySpan
	programSpan
)

var kindNames = [...]string{"header", "data", "dict", "", "", "dvlb", "commands", "programs.pointers", "programs"}

// span is a part of the file. Owner is the index of its shader, or -1. sub is an
// index among the spans of one kind, or the number of elements.
type span struct {
	wire.Span
	sub int32
}

// path returns the span's path.
func (s span) path() diag.Path {
	switch s.Kind {
	case headerSpan, dataSpan, dictSpan:
		return diag.Path{Field: kindNames[s.Kind]}
	case commandSpan:
		return diag.Path{Prefix: shaderPrefix(int(s.Owner)), Field: "commands_" + string('a'+rune(s.sub))}
	case programSpan:
		return diag.Path{Prefix: shaderPrefix(int(s.Owner)), Table: kindNames[s.Kind], Index: int(s.sub)}
	}
	return diag.Path{Prefix: shaderPrefix(int(s.Owner)), Field: kindNames[s.Kind]}
}

func (s span) place() diag.Place { return diag.Place{Off: s.Off, Len: s.Len, Path: s.path()} }

// span records a part of the file. It reports whether reading the part may go on; see
// overfull.
func (r *reader) span(off, n uint64, k uint8, shader, sub int) bool {
	r.filled += n
	r.spans = append(r.spans, span{wire.Span{Off: off, Len: n, Kind: k, Owner: int32(shader)}, int32(sub)})
	return !r.overfull()
}

// overfull reports whether the recorded parts add up to more than the file. Some of
// them overlap then, so the file will be refused. What an object points to is not read then, because
// time and memory would not be bounded by the size of the file.
func (r *reader) overfull() bool { return r.filled > r.Size() }

// coverage checks that parts do not overlap: CGFX018.
func (r *reader) coverage() {
	r.sortSpans()
	farthest := r.spans[0]
	for _, s := range r.spans[1:] {
		if s.Off < farthest.End() {
			r.Report("CGFX018", s.place(), diag.Value{Format: "start >= 0x%x", N: farthest.End()},
				diag.Value{Format: "start 0x%x", N: s.Off}, farthest.place())
		}
		if s.End() > farthest.End() {
			farthest = s
		}
	}
}

func (r *reader) sortSpans() {
	slices.SortFunc(r.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.sub, b.sub))
	})
}
