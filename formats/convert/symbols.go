package convert

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// referenced returns the names of a table that the references use, in the order of
// the table; names that share bytes still share them. It changes each reference to
// the new offset of its name. References outside the table stay unchanged.
func referenced(table wire.Hex, references []*uint32) wire.Hex {
	slices.SortFunc(references, func(a, b *uint32) int { return cmp.Compare(*a, *b) })
	var used wire.Hex
	var end, moved uint32 // bytes before end are copied; the last name is moved bytes nearer to the start
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

// stray returns the number of bytes in a table of names that no reference uses.
// Zeros at the end of the table do not count.
func stray(table wire.Hex, references []*uint32) int {
	used := bytes.TrimRight(referenced(table, references), "\x00")
	return len(bytes.TrimRight(table, "\x00")) - len(used)
}
