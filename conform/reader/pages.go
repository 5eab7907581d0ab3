package reader

import (
	"bytes"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// pageSize is the unit in which files are mapped into memory.
const pageSize = 4096

// pages returns files whose size is a whole number of pages, in all shapes in which files grow,
// and the same files with text instead of the zeros at their end: a reader that maps a file and
// searches for a NUL leaves the mapping.
func pages(from gen.Format, seed uint64) (list [][]byte) {
	for _, f := range families(from, seed) {
		b := exactly(f, (len(f.make(1))/pageSize+1)*pageSize)
		if b == nil {
			continue
		}
		list = append(list, b)
		if text := bytes.TrimRight(b, "\x00"); len(text) < len(b) {
			list = append(list, append(bytes.Clone(text), bytes.Repeat([]byte{'x'}, len(b)-len(text))...))
		}
	}
	return list
}

// exactly returns a file of a family with a size, or nil if none was found.
func exactly(f family, size int) []byte {
	const tries = 4
	asked := size
	for range tries {
		b := f.make(asked)
		if len(b) == size {
			return b
		}
		asked += size - len(b)
	}
	return nil
}
