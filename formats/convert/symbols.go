package convert

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// referenced returns the part of a table of names that references use, in its
// order and with what they share still shared. The references are moved to
// where their names are then; those that find no name stay.
func referenced(table wire.Hex, references []*uint32) wire.Hex {
	slices.SortFunc(references, func(a, b *uint32) int { return cmp.Compare(*a, *b) })
	var used wire.Hex
	var end, moved uint32 // bytes before end are kept; moved is by how much the last of them moved
	for _, ref := range references {
		if *ref >= end {
			name, ok := wire.NameAt(table, uint64(*ref))
			if !ok {
				continue
			}
			moved = *ref - uint32(len(used))
			used = append(append(used, name...), 0)
			end = *ref + uint32(len(name)) + 1
		}
		*ref -= moved
	}
	return used
}

// stray returns how many bytes of a table of names belong to no name, zeros at
// its end apart.
func stray(table wire.Hex, references []*uint32) int {
	used := bytes.TrimRight(referenced(table, references), "\x00")
	return len(bytes.TrimRight(table, "\x00")) - len(used)
}
