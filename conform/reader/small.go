package reader

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// largestSmall is the largest number of the series for fields and lists: 0, 1, and powers of
// two.
const largestSmall = 1 << 15

// smalls returns files in which integers have small values: for each value one file that has it
// wherever a valid file may, and one for each field in which it is odd. Wide fields get only the
// odd values 0 and 1.
func (x *sweep) smalls(format registry.Format) (list [][]byte) {
	seen := map[string]bool{}
	add := func(b []byte) {
		if !seen[string(b)] {
			seen[string(b)] = true
			list = append(list, b)
		}
	}
	for _, order := range ordersIn(x.base, x.fields) {
		for v := range powers(largestSmall) {
			valid := bytes.Clone(x.base)
			for _, f := range x.fields {
				if f.last || v>>(8*f.Len) != 0 {
					continue
				}
				b := bytes.Clone(valid)
				put(b[f.Off:f.Off+f.Len], v, order)
				switch class, _ := files.ClassOf(format, b); class {
				case diag.MustAccept:
					valid = b
				case diag.Either:
					if f.Len < wide || v <= 1 {
						add(b)
					}
				}
			}
			add(valid)
		}
	}
	return list
}

// sizes returns files in which a list or a text of the model has no item, one, and so on.
func sizes(from gen.Format, seed uint64) (list [][]byte) {
	const most = 512
	for _, s := range shapes(from, seed) {
		for n := range powers(most) {
			if b := s.grow(int(n)); b != nil {
				list = append(list, b)
			}
		}
	}
	return list
}

// powers yields 0, 1 and the powers of two up to a number.
func powers(most uint64) func(yield func(n uint64) bool) {
	return func(yield func(n uint64) bool) {
		for n := uint64(0); n <= most && yield(n); n = max(1, 2*n) {
		}
	}
}
