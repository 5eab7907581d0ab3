package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// coverage reports spans that overlap, and stores the gaps between spans in the
// layout. The file has no error so far, so every span is inside it.
func (r *reader) coverage(spans []wire.Span) {
	wire.Cover(spans, r.Size(), func(s, previous, farthest wire.Span) {
		if shares(s, previous) {
			r.Report("DVLB010", placeOf(s), diag.Text("a table of its own"), diag.Text("the same table"),
				placeOf(previous))
			return
		}
		r.Report("DVLB009", placeOf(s), diag.Value{Format: "start >= 0x%x", N: farthest.End()},
			diag.Value{Format: "start 0x%x", N: s.Off}, placeOf(farthest))
	}, r.gap)
}

// gap stores the bytes from start to end, which are outside all spans, and reports
// them unless they are padding.
func (r *reader) gap(start, end uint64) {
	g := Gap{Offset: start, Bytes: r.Bytes(start, end-start)}
	r.layout.Gaps = append(r.layout.Gaps, g)
	if g.Padding() {
		return
	}
	rule := "DVLB011"
	switch {
	case end == r.Size():
		rule = "DVLB013"
	case !wire.Zero(g.Bytes):
		rule = "DVLB012"
	}
	at := diag.Place{Off: start, Len: end - start, Path: diag.Path{Field: "gap"}}
	r.Report(rule, at, diag.Text("1 to 3 zero bytes up to a multiple of 4"),
		diag.Bytes(end-start))
}
