package wire

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// maxNameFactor limits the names of a file to this multiple of its size. Without a
// limit, thousands of references to one long string would cost time and memory.
// In real files the names are smaller than a tenth of the file.
const maxNameFactor = 8

// MaxNames returns the number of bytes that the names of a file of size bytes may
// have: each name counts once for each reference, with its NUL.
func MaxNames(size uint64) uint64 { return maxNameFactor * size }

// NameLimit returns the offset after the last NUL of a string table: a name has a
// NUL exactly when it starts before this offset.
func NameLimit(table []byte) uint64 { return uint64(bytes.LastIndexByte(table, 0) + 1) }

// NameAt returns the name at off of a string table without its NUL. ok is false
// when off is outside the table or no NUL follows; the name is then the rest of the
// table. The time is proportional to the length of the name.
func NameAt(table []byte, off uint64) (name []byte, ok bool) {
	if off >= uint64(len(table)) {
		return nil, false
	}
	name = table[off:]
	n := bytes.IndexByte(name, 0)
	if n < 0 {
		return slices.Clip(name), false
	}
	return name[:n:n], true
}

// NameStart returns the name at off, which must be inside the table, cut to 256
// bytes: more than any dump or finding prints.
func NameStart(table []byte, off uint64) []byte {
	const enough = 256
	name, _, _ := bytes.Cut(table[off:min(off+enough, uint64(len(table)))], []byte{0})
	return name
}

// Longest returns the number of bytes of the longest name of a string table, with
// its NUL.
func Longest(table []byte) (n int) {
	for {
		end := bytes.IndexByte(table, 0) + 1
		if end == 0 {
			return n
		}
		n, table = max(n, end), table[end:]
	}
}

// NameTotal is the sum of the lengths of the names that the references of a file
// lead to: each name counts once for each reference, with its NUL. Above the
// limit Read returns no more names, so that the time is bounded too.
type NameTotal struct {
	Limit uint64 // MaxNames of the file, or less
	size  uint64 // of the file
	bytes uint64
}

// NewNameTotal returns an empty total for a file of size bytes.
func NewNameTotal(size uint64) NameTotal { return NameTotal{Limit: MaxNames(size), size: size} }

// Within lowers the limit to the limit of another file of size bytes, which will hold the same names.
func (t *NameTotal) Within(size uint64) { t.Limit = min(t.Limit, MaxNames(size)) }

// Read is NameAt, and adds the name to the total. The name is nil when ok is false or
// the total is over the limit. The table must end at its NameLimit: a search for the
// last NUL, or for one that is not there, would cost the length of the table each time.
func (t *NameTotal) Read(table []byte, off uint64) (name []byte, ok bool) {
	if t.Over() {
		return nil, off < uint64(len(table))
	}
	if name, ok = NameAt(table, off); !ok {
		return nil, false
	}
	if t.bytes += uint64(len(name)) + 1; t.Over() {
		return nil, true
	}
	return name, true
}

// Bytes returns the total.
func (t *NameTotal) Bytes() uint64 { return t.bytes }

// Over reports whether the total exceeds the limit.
func (t *NameTotal) Over() bool { return t.bytes > t.Limit }

// Fits reports whether n more bytes of names stay within the limit.
func (t *NameTotal) Fits(n uint64) bool {
	return n <= t.Limit && t.bytes <= t.Limit-n
}

// Report evaluates the rule about the limit, which is the last rule of a format.
// It reports nothing when the file already has an error: a refused file may have
// names that were not added.
func (t *NameTotal) Report(to *diag.Reporter, rule string) {
	if t.Over() && !to.Failed() {
		to.Report(rule, diag.Place{Len: t.size, Path: diag.Path{Field: "file"}},
			diag.Value{Format: "names of at most %d bytes", N: t.Limit}, diag.Bytes(t.bytes))
	}
}
