package reduce

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/wire"
)

// Interesting says whether the bytes of a file show the fault to keep. It must give the same
// result for the same bytes, and may not change them.
type Interesting func(b []byte) bool

// FileResult is a reduced file.
type FileResult struct {
	Data []byte
	Report
}

// File reduces a file of any format while it stays interesting. It drops entries of tables, with
// what only they need, names and other bytes, and corrects the links of the format (wire.Link),
// whether the file is valid or not: counts, offsets, flow targets. It also drops and lowers bytes
// alone.
// newInteresting is called once for each worker.
func File(ctx context.Context, b []byte, newInteresting func() Interesting, opts Options) (FileResult, error) {
	b = bytes.Clone(b)
	if !newInteresting()(b) {
		return FileResult{}, ErrNothing
	}
	judge := func() func([]byte) bool { return newInteresting() }
	s := newSearch(b, fileKinds, fileSize, judge, opts)
	s.run(ctx)
	return FileResult{bytes.Clone(s.best), s.report}, nil
}

type fileEdit = edit[[]byte]

var fileKinds = []kind[[]byte]{
	{"entries", dropEntries},
	{"strings", dropStrings},
	{"linked bytes", dropLinked},
	{"bytes", dropBytes},
	{"zeros", zeroBytes},
	{"fields", lowerFields},
}

// fileSize is the size of a file in the order of reduction: its length, then its bytes.
func fileSize(b []byte) []uint64 {
	s := make([]uint64, 0, 2+len(b)/8)
	s = append(s, uint64(len(b)))
	var last [8]byte
	for ; len(b) > 0; b = b[min(8, len(b)):] {
		last = [8]byte{}
		copy(last[:], b)
		s = append(s, binary.BigEndian.Uint64(last[:]))
	}
	return s
}

// chunks calls do with runs of n things: all of them, halves, and so on down to
// runs of one.
func chunks(n int, do func(from, to int)) {
	for size := n; size > 0; size /= 2 {
		for at := 0; at < n; at += size {
			do(at, min(at+size, n))
		}
	}
}

func dropBytes(b []byte) (list []fileEdit) {
	chunks(len(b), func(from, to int) {
		list = append(list, func() ([]byte, bool) { return slices.Delete(bytes.Clone(b), from, to), true })
	})
	return list
}

func zeroBytes(b []byte) (list []fileEdit) {
	chunks(len(b), func(from, to int) {
		list = append(list, func() ([]byte, bool) {
			c := bytes.Clone(b)
			clear(c[from:to])
			return c, true
		})
	})
	return list
}

// lowerFields lowers single bytes, and aligned fields of two and four bytes.
func lowerFields(b []byte) (list []fileEdit) {
	f, _ := registry.Detect("", b)
	v := wire.View{B: b, Big: slices.ContainsFunc(f.Big, func(magic string) bool {
		return bytes.HasPrefix(b, []byte(magic))
	})}
	for at := range b {
		for _, size := range []int{4, 2, 1} {
			value := v.Uint(uint64(at), size)
			lower := []uint64{1, value / 2, max(value, 1) - 1}
			switch {
			case at%size != 0 || at+size > len(b):
				continue
			case size > 1: // the first byte of a text may be needed: all others are cleared at once
				lower = []uint64{1, value / 2, value &^ 0xFFFFFF, value &^ 0xFFFF, value &^ 0xFF, max(value, 4) - 4,
					max(value, 1) - 1}
			}
			for _, less := range lower {
				if less < value {
					list = append(list, func() ([]byte, bool) {
						c := bytes.Clone(b)
						put(c, at, size, v.Big, less)
						return c, true
					})
				}
			}
		}
	}
	return list
}
