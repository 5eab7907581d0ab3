package convert

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// symbols is a table of NUL-terminated names under construction; each name is
// stored once.
type symbols struct {
	table wire.Hex
	at    map[string]uint32
}

func (s *symbols) add(name string) uint32 {
	off, ok := s.at[name]
	if !ok {
		off = uint32(len(s.table))
		if s.at == nil {
			s.at = make(map[string]uint32)
		}
		s.at[name] = off
		s.table = append(append(s.table, name...), 0)
	}
	return off
}

// referenced returns the part of a table of names that references use, in its
// order and with what they share still shared. The references are moved to
// where their names are then; those that find no name stay.
func referenced(table wire.Hex, references []*uint32) wire.Hex {
	index := wire.NewStrings(table)
	slices.SortFunc(references, func(a, b *uint32) int { return cmp.Compare(*a, *b) })
	var used wire.Hex
	var end, moved uint32 // what is before end was looked at; moved is by how much it moved
	for _, ref := range references {
		name, ok := index.Lookup(uint64(*ref))
		if !ok {
			continue
		}
		if *ref >= end {
			moved = *ref - uint32(len(used))
			used = append(append(used, name...), 0)
			end = *ref + uint32(len(name)) + 1
		}
		*ref -= moved
	}
	return used
}
