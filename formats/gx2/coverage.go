package gx2

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// part is a run of bytes with an owner: the structure, a table, code or a name.
type part struct {
	off, end uint64
	owner    table  // or one of the owners below
	slot     uint32 // of a name
}

// The owners besides tables.
const (
	structurePart = numTables + iota
	codePart
	copyPart
	nameOwner
)

// parts lists the placed parts of a shader, names aside, by offset.
func (l *Layout) parts(list []part, form *structure, placed [numTables]bool, sized [2]bool) []part {
	list = append(list, part{end: form.size, owner: structurePart})
	for t, x := range l.Tables {
		if placed[t] {
			list = append(list, part{off: uint64(x.Offset), end: x.End(tables[t].size), owner: table(t)})
		}
	}
	for i, x := range [...]Extent{l.Program, l.CopyProgram} {
		if sized[i] {
			list = append(list, part{off: uint64(x.Offset), end: x.End(1), owner: codePart + table(i)})
		}
	}
	slices.SortFunc(list, func(a, b part) int { return cmp.Compare(a.off, b.off) })
	return list
}

// namePart returns the bytes of a name; none when it was not found.
func (w *walk) namePart(slot uint32) part {
	n := &w.names[slot]
	if !n.found {
		return part{}
	}
	return part{uint64(n.start), uint64(n.end) + 1, nameOwner, slot}
}

// place is the place of a part in the file.
func (w *walk) place(p part) diag.Place {
	at := diag.Place{Off: w.src.Off + p.off, Len: p.end - p.off, Path: diag.Path{Prefix: w.paths()}}
	switch p.owner {
	case structurePart:
		at.Path = w.src.Path
	case codePart:
		at.Path.Field = "code"
	case copyPart:
		at.Path.Field = "copy_code"
	case nameOwner:
		t, i := w.layout.owner(p.slot)
		at.Path = diag.Path{Prefix: w.paths(), Table: tables[t].name, Index: i, Field: "text"}
	default:
		at.Path.Field = tables[p.owner].name
	}
	return at
}

// owner returns the table and the record of a name.
func (l *Layout) owner(slot uint32) (table, int) {
	for t := range numTables {
		if !tables[t].named {
			continue
		}
		if slot < l.Tables[t].Count {
			return t, int(slot)
		}
		slot -= l.Tables[t].Count
	}
	return 0, 0
}

// coverage goes over all parts by offset: GX2032, GX2048, GX2047.
func (w *walk) coverage() {
	var (
		block, name part   // the parts that reach furthest so far
		last        uint64 // start of the name before
		fixed       = w.layout.parts(w.owned[:0], w.form, w.placed, w.sized)
		names       = w.sorted
	)
	w.shared, w.gaps = w.shared[:0], w.gaps[:0]
	for len(fixed) > 0 || len(names) > 0 {
		var p part
		if len(names) > 0 {
			if p = w.namePart(names[0]); p.end == 0 {
				names = names[1:]
				continue
			}
		}
		if len(names) == 0 || len(fixed) > 0 && fixed[0].off <= p.off {
			p, fixed = fixed[0], fixed[1:]
		} else {
			names = names[1:]
		}
		w.gap(max(block.end, name.end), p.off)
		switch {
		case p.off < block.end:
			w.overlap(p, block)
		case p.off < name.end && p.owner != nameOwner:
			w.overlap(p, name)
		case p.off < name.end && p.off != last && !w.Strict():
			w.shared = append(w.shared, p.slot, name.slot)
		}
		switch {
		case p.owner != nameOwner:
			if p.end > block.end {
				block = p
			}
			continue
		case p.end > name.end:
			name = p
		}
		last = p.off
	}
	w.gap(max(block.end, name.end), w.Size())
	w.keepGaps()
	if w.Strict() || w.nameBytes.Over() || w.broken && w.src.GFD != nil {
		return
	}
	for pairs := range slices.Chunk(w.shared, 2) {
		w.Report("GX2048", w.place(w.namePart(pairs[0])), diag.Text("bytes of its own"),
			diag.Text("the tail of another name"), w.place(w.namePart(pairs[1])))
	}
	if w.broken || w.failed && w.src.GFD == nil {
		return // the bytes of a broken part are not known
	}
	for _, g := range w.layout.Gaps {
		at := diag.Place{Off: w.src.Off + uint64(g.Offset), Len: uint64(len(g.Bytes)),
			Path: diag.Path{Prefix: w.paths(), Field: "gap"}}
		w.Report("GX2047", at, diag.Text("zeros"), diag.Hex(uint64(g.Bytes[0])))
	}
}

func (w *walk) overlap(p, other part) {
	w.breaks("GX2032", w.place(p), diag.Text("bytes of its own"),
		diag.Value{Format: "begins before 0x%x", N: w.src.Off + other.end}, w.place(other))
}

// gap notes the bytes of a gap that are not zero.
func (w *walk) gap(from, to uint64) {
	if from >= to {
		return
	}
	b := w.B[from:to]
	if first := wire.FirstNonZero(b); first >= 0 {
		w.gaps = append(w.gaps, Extent{Offset: uint32(from) + uint32(first),
			Count: uint32(len(bytes.TrimRight(b[first:], "\x00")))})
	}
}

// keepGaps puts the gaps into the layout.
func (w *walk) keepGaps() {
	if len(w.gaps) == 0 {
		return
	}
	w.layout.Gaps = make([]Gap, len(w.gaps))
	for i, x := range w.gaps {
		w.layout.Gaps[i] = Gap{x.Offset, w.Bytes(uint64(x.Offset), uint64(x.Count))}
	}
}
