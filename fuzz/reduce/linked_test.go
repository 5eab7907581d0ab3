package reduce_test

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// TestReducedGSH reduces a sample while one property stays: the size of the smallest file
// with that property is known, and reached in a few thousand tries.
func TestReducedGSH(t *testing.T) {
	const header, block, trailer = 0x20, 0x20, 0x28
	pixelAlone := header + 3*block + 0xE8 + trailer + 1 // one byte of code, no tables
	for _, c := range []struct {
		name string
		show func(b []byte) bool
		size int
	}{
		// A reader that loops at the length of an end block: no other block is needed.
		{"the end block", func(b []byte) bool {
			_, err := gsh.Parse(b)
			return err == nil
		}, header + block},
		// A reader that confuses pixel shaders: vertex shaders and their programs are dropped.
		{"a pixel shader", func(b []byte) bool {
			f, err := gsh.Parse(b)
			return err == nil &&
				slices.ContainsFunc(f.Shaders, func(s gsh.Shader) bool { return s.Type.String() == "pixel" })
		}, pixelAlone},
		// A reader that misreads a name: a record, its name of two bytes and its two patches stay.
		{"a sampler", func(b []byte) bool {
			f, err := gsh.Parse(b)
			return err == nil && slices.ContainsFunc(f.Shaders,
				func(s gsh.Shader) bool { return len(s.Samplers) > 0 && s.Samplers[0].Name != "" })
		}, pixelAlone + 12 + 2 + 8},
		// A field that must stay large is lowered as big endian.
		{"a wrong id", func(b []byte) bool {
			f, err := gsh.Parse(b)
			return err == nil && f.Layout.Blocks[len(f.Layout.Blocks)-1].ID >= 3
		}, header + block},
	} {
		data := samples.Read(t, "gsh/g04_two_shaders_padding.gsh")
		if !c.show(data) {
			t.Fatalf("%s: not shown", c.name)
		}
		r, err := reduce.File(t.Context(), data,
			func() reduce.Interesting { return c.show }, reduce.Options{MaxTries: 5000})
		if err != nil || len(r.Data) != c.size || r.End != reduce.Minimal {
			t.Errorf("%s: %d bytes, %v, %v, want %d\n%x", c.name, len(r.Data), r.End, err, c.size, r.Data)
		}
		t.Logf("%s: %d to %d bytes, %d tries", c.name, len(data), len(r.Data), r.Tries)
		if c.name == "a wrong id" && err == nil {
			if id := binary.BigEndian.Uint32(r.Data[header+0x18:]); id != 3 {
				t.Errorf("id %d, want 3", id)
			}
		}
	}
}

// TestLinksAreAtFields compares the links of accepted files with the regions: an integer is a field, and the bytes
// that it leads to or counts begin and end with a field.
func TestLinksAreAtFields(t *testing.T) {
	for f := range registry.All() {
		if f.Links == nil {
			continue
		}
		vectors, err := corpus.Vectors(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		kinds, files := map[wire.LinkKind]int{}, 0
		for _, v := range vectors {
			doc, err := f.Parse(v.Data)
			if err != nil || v.Rule != "" || len(f.Check(v.Data)) > 0 ||
				strings.Contains(v.Name, "names") || v.Name == "cgfx/imag" {
				continue // names may share bytes, and an IMAG block is no region
			}
			files++
			border := map[uint64]bool{0: true}
			for _, r := range doc.Regions() {
				border[uint64(r.Off)], border[uint64(r.Off+r.Len)] = true, true
			}
			for _, x := range f.Links(v.Data) {
				kinds[x.Kind]++
				n := wire.View{B: v.Data, Big: x.Big}.Uint(x.At, x.Size) & x.Mask >> bits.TrailingZeros64(x.Mask)
				from, to := x.Base, x.Base+x.Len
				switch x.Kind {
				case wire.Offset, wire.Patch:
					if x.Base == x.At {
						n = uint64(int32(n))
					}
					from, to = x.Base+n*x.Unit, x.Base+n*x.Unit+x.Len
				case wire.Count:
					to = x.Base + n*x.Unit
				case wire.Bit:
					from, to = x.At, x.At+x.Len
				}
				if !border[x.At] || !border[from] || !border[to] {
					t.Errorf("%s: %+v: %#x to %#x, want borders of fields", v.Name, x, from, to)
				}
			}
		}
		t.Logf("%s: %d files, %v", f.Name, files, kinds)
		if files == 0 || kinds[wire.Count] < files {
			t.Errorf("%s: few links: %v", f.Name, kinds)
		}
	}
}
