package gx2

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// records reads the tables and checks their records: GX2040 to GX2046, and
// GSH060 of names.
func (w *walk) records() {
	unread := w.names
	for t := range numTables {
		if !w.placed[t] {
			continue
		}
		x, names := w.layout.Tables[t], unread[:0]
		if tables[t].named {
			names, unread = unread[:x.Count], unread[x.Count:]
		}
		table := w.Bytes(uint64(x.Offset), uint64(x.Count)*tables[t].size)
		tables[t].rules().CheckTable(w.Reporter, wire.In(w.Order(), table), func(i int, field string) diag.Place {
			return w.record(t, i, field)
		})
		tables[t].decode(w.shader, table, w.Order(), w.texts(names))
		w.checkTable(t, names)
	}
	if n := len(w.shader.Loops); n > 0 && !w.Big {
		w.Report("GX2041", w.field("loops.count"), diag.Dec(0), diag.Dec(uint64(n)))
	}
}

// checkTable checks the records of a table.
func (w *walk) checkTable(t table, names []nameRef) {
	for i := range names {
		switch {
		case names[i].untagged:
			w.breaks("GSH060", w.record(t, i, "name"), tagWanted(nameTag), diag.Hex(uint64(names[i].start)))
		case !names[i].found:
			w.breaks("GX2040", w.record(t, i, "name"),
				diag.Value{Format: "a name behind 0x%x that ends in the data", N: w.form.size},
				diag.Hex(uint64(names[i].start)))
		}
	}
	if w.Strict() {
		return
	}
	x, kind := w.layout.Tables[t], &tables[t]
	for i := range int(x.Count) {
		off := uint64(x.Offset) + kind.size*uint64(i)
		switch t {
		case loopTable:
			if n := w.U32(off); n > maxLoopOffset && w.Big {
				w.Report("GX2042", w.record(t, i, "offset"), diag.AtMost(maxLoopOffset), diag.Dec(uint64(n)))
			}
		case uniformTable:
			blocks := w.layout.Tables[blockTable].Count
			if n := int32(w.U32(off + 16)); n < NoBlock || int64(n) >= int64(blocks) {
				expected := diag.Value{Format: "-1 or < %d", N: uint64(blocks)}
				if blocks == 0 {
					expected = diag.Text("-1, for there is no block")
				}
				w.Report("GX2044", w.record(t, i, "block"), expected, diag.Value{Show: wire.ShowSigned, N: uint64(n)})
			}
		}
		if kind.knownType != nil {
			if n := w.U32(off + 4); !kind.knownType(n) {
				w.Report("GX2043", w.record(t, i, "type"), diag.Text("a known type"), diag.Dec(uint64(n)))
			}
		}
		if kind.maxLocations > 0 {
			if n := w.U32(off + kind.location); n >= kind.maxLocations {
				w.Report("GX2045", w.record(t, i, "location"), diag.Below(uint64(kind.maxLocations)),
					diag.Dec(uint64(n)))
			}
		}
	}
	w.unique(t, names)
}

// maxLoopOffset is the last of the 32 loop constants of a stage.
const maxLoopOffset = 31

// unique checks the names of a table: GX2046. Names over the limit are not
// compared.
func (w *walk) unique(t table, names []nameRef) {
	if w.nameBytes.Over() {
		return
	}
	for i, n := range names {
		if n.found && n.start == n.end {
			w.Report("GX2046", w.record(t, i, "name"), diag.Text("a name"), diag.Text(`""`))
		}
	}
	for i, first := range diag.Repeats(len(names), func(i int) wire.Text { return w.text(names[i]) }) {
		if n := names[i]; n.found && n.start < n.end {
			w.Report("GX2046", w.record(t, i, "name"), diag.Text("a name of its own"), diag.Quoted(w.B[n.start:n.end]),
				w.record(t, first, "name"))
		}
	}
}
