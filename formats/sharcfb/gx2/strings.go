package gx2

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// nameRef is a reference to a name: where it starts, where its NUL is, and a
// hash of the bytes between.
type nameRef struct {
	start, end uint32 // end is 0 when there is no such name
	hash       uint64
}

func (n nameRef) found() bool { return n.end != 0 }
func (n nameRef) len() uint32 { return n.end - n.start }

// nameKey is equal for equal names, and differs for others as far as hashes do.
type nameKey struct {
	len  uint32
	hash uint64
}

func (n nameRef) key() nameKey { return nameKey{n.len(), n.hash} }

// findNames finds the end of every name that a placed table refers to. Many may
// start in one long run of bytes; each byte is looked at once, from the last
// start to the first.
func (w *walk) findNames() {
	n := 0
	for t, placed := range w.placed {
		if placed && tables[t].named {
			n += int(w.layout.Tables[t].Count)
		}
	}
	w.names = slices.Grow(w.names[:0], n)
	for t, placed := range w.placed {
		if !placed || !tables[t].named {
			continue
		}
		x := w.layout.Tables[t]
		for i := range uint64(x.Count) {
			w.names = append(w.names, nameRef{start: w.U32(uint64(x.Offset) + tables[t].size*i)})
		}
	}
	w.unread = w.names
	w.sortNames()
	next := nameRef{start: uint32(w.Size())}
	for _, slot := range slices.Backward(w.sorted) {
		n := &w.names[slot]
		if uint64(n.start) < w.form.size || uint64(n.start) >= w.Size() {
			continue
		}
		run := w.B[n.start:next.start]
		n.end, n.hash = next.end, next.hash
		if i := bytes.IndexByte(run, 0); i >= 0 {
			run = run[:i]
			n.end, n.hash = n.start+uint32(i), hashSeed
		}
		if !w.Strict() {
			n.hash = hashBackward(n.hash, run)
		}
		next = *n
	}
	w.copyText()
	w.layout.Names = nil
	if len(w.names) > 0 {
		w.layout.Names = make([]Extent, len(w.names))
		for i, n := range w.names {
			w.layout.Names[i].Offset = n.start
			if n.found() {
				w.layout.Names[i].Count = n.len()
			}
		}
	}
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

const hashSeed, hashFactor = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93

// hashBackward adds bytes in front of those already hashed.
func hashBackward(h uint64, b []byte) uint64 {
	for i := len(b) - 1; i >= 0; i-- {
		h = (h ^ uint64(b[i])) * hashFactor
		h ^= h >> 32
	}
	return h
}

// copyText copies the bytes that hold all names, once.
func (w *walk) copyText() {
	low, high := uint32(w.Size()), uint32(0)
	for i := range w.names {
		if n := &w.names[i]; n.found() {
			low, high = min(low, n.start), max(high, n.end)
		}
	}
	if low < high {
		w.textOff, w.textCopy = low, string(w.B[low:high])
	}
}

// text returns a name; "" if it was not found.
func (w *walk) text(n nameRef) wire.Text {
	if n.len() == 0 || !n.found() {
		return ""
	}
	return wire.Text(w.textCopy[n.start-w.textOff : n.end-w.textOff])
}
