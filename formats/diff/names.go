package diff

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// names is a table of NUL-terminated names.
type names struct {
	table  []byte
	index  wire.Strings
	common map[ends]int
}

// ends are the places where two names of two tables end.
type ends struct {
	other *names
	a, b  int
}

func newNames(table []byte) *names {
	return &names{table, wire.NewStrings(table), make(map[ends]int)}
}

// at returns the name at an offset, an empty one if there is none.
func (t *names) at(off uint32) name {
	b, _ := t.index.Lookup(uint64(off))
	return name{t, int(off), len(b)}
}

// name is a name of a table: a part, since thousands of names may share one long
// run of bytes.
type name struct {
	in  *names
	off int
	len int
}

func (n name) end() int      { return n.off + n.len }
func (n name) bytes() []byte { return n.in.table[min(n.off, len(n.in.table)):][:n.len] }

// MarshalText writes the name as wire.Text does, as far as it is shown.
func (n name) MarshalText() ([]byte, error) {
	return wire.Text(n.bytes()[:min(n.len, maxShown+1)]).MarshalText()
}

// short is a length up to which names are compared byte for byte.
const short = 256

// equal compares two names. How far the runs are the same in which two long
// names end is found once for all names that end there.
func (n name) equal(o name) bool {
	switch {
	case n.len != o.len:
		return false
	case n.len <= short:
		return bytes.Equal(n.bytes(), o.bytes())
	}
	at := ends{o.in, n.end(), o.end()}
	common, ok := n.in.common[at]
	if !ok {
		a, b := n.in.table[:at.a], o.in.table[:at.b]
		for common < min(len(a), len(b)) {
			c := a[len(a)-1-common]
			if c == 0 || c != b[len(b)-1-common] {
				break
			}
			common++
		}
		n.in.common[at] = common
	}
	return common >= n.len
}

// stray returns the bytes of the table that none of the names at the offsets
// has, without zeros at the end.
func (t *names) stray(offsets []uint32) []byte {
	slices.Sort(offsets)
	var left []byte
	end := 0
	for _, off := range offsets {
		if b, ok := t.index.Lookup(uint64(off)); ok && int(off) >= end {
			left = append(left, t.table[end:off]...)
			end = int(off) + len(b) + 1
		}
	}
	return bytes.TrimRight(append(left, t.table[end:]...), "\x00")
}
