package gx2

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// nameRef is a reference to a name: where it starts and where its NUL is.
type nameRef struct {
	start, end uint32
	found      bool
	untagged   bool // start is the pointer, which has not the tag of a name
}

// findNames finds the end of every name that a placed table refers to. Once the
// names are over the limit, they are no longer looked at: a name then is where its
// pointer leads, and has no text.
func (w *walk) findNames() {
	w.names = slices.Grow(w.names[:0], w.countNames())
	limit := wire.NameLimit(w.B)
	total := wire.NewNameTotal(w.Size())
	low, high := uint32(w.Size()), uint32(0)
	for t, placed := range w.placed {
		if !placed || !tables[t].named {
			continue
		}
		x := w.layout.Tables[t]
		for i := range uint64(x.Count) {
			pointer := w.U32(uint64(x.Offset) + tables[t].size*i)
			off32, tagged := w.src.offset(pointer, nameTag)
			n := nameRef{start: off32, untagged: !tagged}
			if !tagged {
				n.start = pointer
			} else if off := uint64(off32); off >= w.form.size && off < limit {
				text, _ := total.Read(w.B, off)
				n.end, n.found = n.start+uint32(len(text)), true
				low, high = min(low, n.start), max(high, n.end)
			}
			w.names = append(w.names, n)
		}
	}
	w.nameBytes = total
	if low < high {
		w.textOff, w.textCopy = low, string(w.B[low:high])
	}
	w.sortNames()
	w.layout.Names = nil
	if len(w.names) > 0 {
		w.layout.Names = make([]Extent, len(w.names))
		for i, n := range w.names {
			w.layout.Names[i] = Extent{Offset: n.start}
			if n.found {
				w.layout.Names[i].Count = n.end - n.start
			}
		}
	}
}

// countNames returns the number of names that placed tables refer to.
func (w *walk) countNames() (n int) {
	for t, placed := range w.placed {
		if placed && tables[t].named {
			n += int(w.layout.Tables[t].Count)
		}
	}
	return n
}

// sortNames lists the slots of the names by their start.
func (w *walk) sortNames() {
	w.sorted = slices.Grow(w.sorted[:0], len(w.names))
	ascending := true
	for i := range w.names {
		w.sorted = append(w.sorted, uint32(i))
		ascending = ascending && (i == 0 || w.names[i-1].start <= w.names[i].start)
	}
	if !ascending {
		slices.SortFunc(w.sorted, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(w.names[a].start, w.names[b].start), cmp.Compare(a, b))
		})
	}
}

// texts returns names as a model has them, in memory that the next call uses
// again.
func (w *walk) texts(names []nameRef) []wire.Text {
	w.decoded = slices.Grow(w.decoded[:0], len(w.names)) // for the other tables, too
	for _, n := range names {
		w.decoded = append(w.decoded, w.text(n))
	}
	return w.decoded
}

// text returns a name; "" if it was not found.
func (w *walk) text(n nameRef) wire.Text {
	if n.end == n.start || !n.found {
		return ""
	}
	return wire.Text(w.textCopy[n.start-w.textOff : n.end-w.textOff])
}
