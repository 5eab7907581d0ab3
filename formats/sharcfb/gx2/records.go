package gx2

import (
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// records reads the tables and checks what they hold: GX2040 to GX2046.
func (w *walk) records() {
	s := w.shader
	s.Blocks = readTable(w, blockTable, func(off uint64, name wire.Text) UniformBlock {
		return UniformBlock{name, w.U32(off + 4), w.U32(off + 8)}
	})
	s.Uniforms = readTable(w, uniformTable, func(off uint64, name wire.Text) UniformVar {
		return UniformVar{name, VarType(w.U32(off + 4)), w.U32(off + 8), w.U32(off + 12), int32(w.U32(off + 16))}
	})
	s.Loops = readTable(w, loopTable, func(off uint64, _ wire.Text) LoopVar {
		return LoopVar(w.Bytes(off, 8))
	})
	s.Samplers = readTable(w, samplerTable, func(off uint64, name wire.Text) SamplerVar {
		return SamplerVar{name, SamplerType(w.U32(off + 4)), w.U32(off + 8)}
	})
	s.Attributes = readTable(w, attributeTable, func(off uint64, name wire.Text) AttribVar {
		return AttribVar{name, VarType(w.U32(off + 4)), w.U32(off + 8), w.U32(off + 12)}
	})
	if n := len(s.Loops); n > 0 && w.Order == binary.LittleEndian {
		w.Report("GX2041", w.field("loops.count"), diag.Dec(0), diag.Dec(uint64(n)))
	}
}

// readTable reads and checks the records of a table that is placed.
func readTable[T any](w *walk, t table, get func(off uint64, name wire.Text) T) []T {
	if !w.placed[t] {
		return nil
	}
	x := w.layout.Tables[t]
	var names []nameRef
	if tables[t].named {
		names, w.unread = w.unread[:x.Count], w.unread[x.Count:]
	}
	list := make([]T, x.Count)
	off := uint64(x.Offset)
	for i := range list {
		var name wire.Text
		if names != nil {
			name = w.text(names[i])
		}
		list[i] = get(off, name)
		off += tables[t].size
	}
	w.checkTable(t, names)
	return list
}

// checkTable checks the records of a table.
func (w *walk) checkTable(t table, names []nameRef) {
	for i := range names {
		if !names[i].found() {
			w.fail("GX2040", w.record(t, i, "name"), diag.Value{Format: "a name behind 0x%x that ends in the data", N: w.form.size}, diag.Hex(uint64(names[i].start)))
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
			if n := w.U32(off); n > maxLoopOffset && w.Order == binary.BigEndian {
				w.Report("GX2042", w.record(t, i, "offset"), diag.AtMost(maxLoopOffset), diag.Dec(uint64(n)))
			}
		case uniformTable:
			if n := int32(w.U32(off + 16)); n < NoBlock || int64(n) >= int64(w.layout.Tables[blockTable].Count) {
				w.Report("GX2044", w.record(t, i, "block"), diag.Value{Format: "-1 or < %d", N: uint64(w.layout.Tables[blockTable].Count)}, diag.Text(signed(uint64(n))))
			}
		}
		if kind.knownType != nil {
			if n := w.U32(off + 4); !kind.knownType(n) {
				w.Report("GX2043", w.record(t, i, "type"), diag.Text("a known type"), diag.Dec(uint64(n)))
			}
		}
		if kind.locations > 0 {
			if n := w.U32(off + kind.location); n >= kind.locations {
				w.Report("GX2045", w.record(t, i, "location"), diag.Below(uint64(kind.locations)), diag.Dec(uint64(n)))
			}
		}
	}
	w.unique(t, names)
}

// maxLoopOffset is the last of the 32 loop constants of a stage.
const maxLoopOffset = 31

// unique checks the names of a table: GX2046.
func (w *walk) unique(t table, names []nameRef) {
	for i := range names {
		if names[i].found() && names[i].len() == 0 {
			w.Report("GX2046", w.record(t, i, "name"), diag.Text("a name"), diag.Text(`""`))
		}
	}
	for i, first := range diag.Repeats(len(names), func(i int) nameKey { return names[i].key() }) {
		if n := names[i]; n.found() && n.len() > 0 {
			name := diag.Value{Quote: w.B[n.start:n.end]}
			w.Report("GX2046", w.record(t, i, "name"), diag.Text("a name of its own"), name, w.record(t, first, "name"))
		}
	}
}
