// Package find_test asks of the search for shader files: is each file that it finds one, and is
// everything inside the bytes?
package find_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/find"
	"github.com/picaproof/picaproof/formats/registry"
)

// maxInput bytes of an input count: go test minimises a failing input in time quadratic in its length.
const maxInput = 1 << 12

func FuzzFind(f *testing.F) {
	for _, format := range []string{"bnsh", "gsh", "sharcfb", "shbin", "zpsh"} {
		vectors, err := corpus.Vectors(format)
		if err != nil {
			f.Fatal(err)
		}
		const few = 8
		for _, v := range vectors[:few] {
			f.Add(append([]byte("x"), v.Data...))
			text := []byte("u8 x[] = {")
			for _, c := range v.Data {
				text = fmt.Appendf(text, "%d,", c)
			}
			f.Add(append(text, "};"...))
			f.Add(fmt.Appendf(nil, "x=%x;", v.Data))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), maxInput)]
		end := 0 // of the last accepted file in plain bytes
		for _, found := range find.In(b, func(registry.Format) []registry.Option { return nil }).Files {
			format, _ := registry.ByName(found.Format)
			_, err := format.Parse(found.Data)
			switch {
			case found.Accepted != (err == nil), found.Accepted != (found.Finding == nil):
				t.Errorf("%+v: accepted %v, but Parse: %v", found, found.Accepted, err)
			case len(found.Data) != found.Length || found.Length == 0:
				t.Errorf("%+v: %d bytes", found, len(found.Data))
			case found.Array != nil && (found.Offset >= len(b) || found.Array.Line < 1 || found.Array.Offset < 0):
				t.Errorf("%+v: outside", found)
			case found.Array == nil && !bytes.HasPrefix(b[found.Offset:], found.Data):
				t.Errorf("%+v: other bytes", found)
			case found.Array == nil && found.Offset < end:
				t.Errorf("%+v: inside an accepted file", found)
			case found.Array == nil && found.Accepted:
				end = found.Offset + found.Length
			}
		}
	})
}
