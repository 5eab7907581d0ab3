package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
)

const headerSize = 0x58

// table is one of the nine tables, in header order.
type table int

const (
	constants table = iota
	labels
	code
	descriptors
	lines
	relocations
	outputs
	uniforms
	symbols

	numTables
)

// shapes are the names of the tables in paths, and the sizes of their entries.
var shapes = [numTables]struct {
	name string
	size uint32
}{
	{"constants", 0x14}, {"labels", 0x10}, {"code", 4}, {"descriptors", 8}, {"lines", 8}, {"relocations", 12},
	{"outputs", 8}, {"uniforms", 8}, {"symbols", 1},
}

// sizeOf returns the size of a table in bytes.
func sizeOf(t table, x shbin.Extent) uint32 { return x.Count * shapes[t].size }

// counts returns the numbers of entries.
func counts(f *dvoj.File) [numTables]int {
	return [...]int{
		len(f.Constants), len(f.Labels), len(f.Code), len(f.Descriptors), len(f.Lines), len(f.Relocations),
		len(f.Outputs), len(f.Uniforms), len(f.Symbols),
	}
}

// arrange draws a layout; half of the files get the layout of the writer.
func (d drawer) arrange(f *dvoj.File) {
	if d.Bits(1) == 1 {
		f.Layout = d.layout(f)
	}
}

// layout draws an order of the tables, without gaps. Symbols that do not end at
// a multiple of 4 are last, since padding is only expected there.
func (d drawer) layout(f *dvoj.File) *dvoj.Layout {
	l := &dvoj.Layout{}
	var order []table
	for t, n := range counts(f) {
		if l.Tables[t].Count = uint32(n); n > 0 {
			order = slices.Insert(order, len(order)-d.below(len(order)+1), table(t))
		}
	}
	if i := slices.Index(order, symbols); i >= 0 && len(f.Symbols)%4 != 0 {
		order = append(slices.Delete(order, i, i+1), symbols)
	}
	at := uint32(headerSize)
	for _, t := range order {
		l.Tables[t].Offset = at
		at += sizeOf(t, l.Tables[t])
	}
	l.Size = uint64(aligned(at))
	settle(l)
	return l
}

func aligned(n uint32) uint32 { return (n + 3) &^ 3 }

// settle gives an empty table the offset where the table in front ends.
func settle(l *dvoj.Layout) {
	running := uint32(headerSize)
	for t := range l.Tables {
		x := &l.Tables[t]
		if x.Count == 0 {
			x.Offset = running
		} else {
			running = x.Offset + sizeOf(table(t), *x)
		}
	}
}

// last returns the table that ends last, and where.
func last(l *dvoj.Layout) (of table, end uint32) {
	for t, x := range l.Tables {
		if e := x.Offset + sizeOf(table(t), x); x.Count > 0 && e > end {
			of, end = table(t), e
		}
	}
	return of, end
}

// widen puts bytes in front of a table.
func widen(l *dvoj.Layout, t table, gap []byte) {
	at := l.Tables[t].Offset
	for k := range l.Tables {
		if l.Tables[k].Offset >= at {
			l.Tables[k].Offset += uint32(len(gap))
		}
	}
	for k := range l.Gaps {
		if l.Gaps[k].Offset >= uint64(at) {
			l.Gaps[k].Offset += uint64(len(gap))
		}
	}
	_, end := last(l)
	l.Size = uint64(aligned(end))
	l.Gaps = append(l.Gaps, shbin.Gap{Offset: uint64(at), Bytes: gap})
	settle(l)
}

// extend puts bytes behind the last table.
func extend(l *dvoj.Layout, tail []byte) {
	_, end := last(l)
	l.Size = uint64(end) + uint64(len(tail))
	l.Gaps = append(l.Gaps, shbin.Gap{Offset: uint64(end), Bytes: tail})
}
