package gen

import "bytes"

// Reference is a reference to a name, long or short: the path of the field, and the value of the field for each.
type Reference struct {
	Path        string
	Long, Short uint64
}

// ExceedNames sets references in a file, whose other names have total bytes, so
// that all names together exceed 8 times a size, or nearly. table holds the names.
func (d *Draft) ExceedNames(c *Choices, total, size int, table []byte, references []Reference) Place {
	for _, r := range references {
		total += NameBytes(table, r.Short)
	}
	least := len(references) + 1
	for n, r := range references {
		if total += NameBytes(table, r.Long) - NameBytes(table, r.Short); total > 8*size {
			least = n + 1
			break
		}
	}
	long := c.Wrong(uint64(least), uint64(len(references)), uint64(least-1))
	for n, r := range references {
		if d.Set(r.Path, r.Short); uint64(n) < long {
			d.Set(r.Path, r.Long)
		}
	}
	return Place{Len: len(d.Bytes), Path: "file"}
}

// NameBytes returns the size of the name at an offset of a table, with its NUL.
func NameBytes(table []byte, off uint64) int { return bytes.IndexByte(table[off:], 0) + 1 }

// LongName returns the length of a name that exceeds 8 times the size of a file when a number of references lead to it.
// size is the size without the name and with a few thousand bytes of gaps.
func LongName(references, size int) int {
	return 1000 + (8*size+references*references/2)/(references-8)
}
