package diff

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// names is a table of NUL-terminated names. Thousands of lines may refer to one
// name, so each offset is read once.
type names struct {
	table []byte
	read  map[uint32]wire.Text
}

func newNames(table []byte) *names { return &names{table, make(map[uint32]wire.Text)} }

// at returns the name at an offset, or an empty one.
func (t *names) at(off uint32) wire.Text {
	name, known := t.read[off]
	if !known {
		b, _ := wire.NameAt(t.table, uint64(off))
		name = wire.Text(b)
		t.read[off] = name
	}
	return name
}

// stray returns the bytes of the table that belong to no name at the given offsets, without
// zeros at the end.
func (t *names) stray(offsets []uint32) []byte {
	slices.Sort(offsets)
	var left []byte
	end := 0
	for _, off := range offsets {
		if int(off) < end {
			continue
		}
		if b, ok := wire.NameAt(t.table, uint64(off)); ok {
			left = append(left, t.table[end:off]...)
			end = int(off) + len(b) + 1
		}
	}
	return bytes.TrimRight(append(left, t.table[end:]...), "\x00")
}
