package cgfx

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Values of Span.Kind.
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

// span is a range of bytes that the reader understands. Owner is the index of its object
// in the DICT, or -1. sub is the index of a program or a list of commands; for DATA, the
// DICT and a list of program pointers it is the number of elements.
type span struct {
	wire.Span
	sub int32
}

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

// span records a span. It returns false if the spans add up to more than twice the file: some of them overlap then, so
// the file will be refused. No further content is read, so that the size of the file bounds time and memory.
func (r *reader) span(off, n uint64, k uint8, shader, sub int) bool {
	r.filled += n
	r.spans = append(r.spans, span{wire.Span{Off: off, Len: n, Kind: k, Owner: int32(shader)}, int32(sub)})
	return r.filled <= 2*r.Size()
}

// coverage checks that spans do not overlap: CGFX018.
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
