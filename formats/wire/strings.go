package wire

import "sort"

// Strings finds NUL-terminated names in a table in logarithmic time, however
// many references point at the same long run.
type Strings struct {
	table []byte
	nuls  []uint32 // positions of the NULs, ascending
}

// NewStrings indexes a table. It keeps table and four bytes for each NUL.
func NewStrings(table []byte) Strings {
	n := 0
	for _, c := range table {
		if c == 0 {
			n++
		}
	}
	nuls := make([]uint32, 0, n)
	for i, c := range table {
		if c == 0 {
			nuls = append(nuls, uint32(i))
		}
	}
	return Strings{table, nuls}
}

// Lookup returns the name at off without its NUL. It fails when off is outside
// the table or no NUL follows.
func (s Strings) Lookup(off uint64) ([]byte, bool) {
	if off >= uint64(len(s.table)) {
		return nil, false
	}
	i := sort.Search(len(s.nuls), func(i int) bool { return uint64(s.nuls[i]) >= off })
	if i == len(s.nuls) {
		return nil, false
	}
	end := s.nuls[i]
	return s.table[off:end:end], true
}

// Count returns the number of NULs in the table.
func (s Strings) Count() int { return len(s.nuls) }
