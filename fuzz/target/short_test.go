package target_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/target"
)

// TestShortForm: the short form of a file is the file again when it is expanded, also where it has marks, few zeros or
// zeros that end anywhere.
func TestShortForm(t *testing.T) {
	zeros := make([]byte, 1<<16)
	for _, x := range []struct{ file, short []byte }{
		{nil, nil},
		{[]byte("\xE5a\xE5"), []byte("\xE5\x00a\xE5\x00")},
		{zeros[:7], zeros[:7]},
		{zeros[:8], []byte{0xE5, 3}},
		{zeros[:16], []byte{0xE5, 4}},
		{zeros[:17], []byte{0xE5, 4, 0}},
		{zeros, []byte{0xE5, 15, 0xE5, 15}},
		{append([]byte{1}, zeros[:31]...), []byte{1, 0xE5, 5}},
		{append([]byte{1}, zeros[:8]...), append([]byte{1}, zeros[:8]...)},
	} {
		if got := target.Shorten(x.file); !bytes.Equal(got, x.short) {
			t.Errorf("%d bytes: short form % x, want % x", len(x.file), got, x.short)
		}
		if got := target.Expand(x.short); !bytes.Equal(got, x.file) {
			t.Errorf("% x: %d bytes, want %d", x.short, len(got), len(x.file))
		}
	}
	for n := range uint64(2000) {
		c := gen.From(gen.Seed(1, n))
		var file []byte
		for range c.Below(8) {
			file = append(file, c.Data(c.Below(9))...)
			file = append(file, zeros[:c.Below(1<<c.Below(15))]...)
		}
		if got := target.Expand(target.Shorten(file)); !bytes.Equal(got, file) {
			t.Fatalf("seed 1, file %d: % x becomes % x", n, file, got)
		}
	}
}

// TestExpandIsBounded: any bytes are a short form, and their file has a bound.
func TestExpandIsBounded(t *testing.T) {
	if got := target.Expand([]byte("a\xE5")); string(got) != "a\xE5" {
		t.Errorf("a mark at the end: %q", got)
	}
	if got, most := len(target.Expand(bytes.Repeat([]byte{0xE5, 15}, 100))), 1<<17; got != most {
		t.Errorf("%d bytes, want %d", got, most)
	}
}

// TestSeedsAreShort: go test shortens a seed of this length, and most seeds are below it.
func TestSeedsAreShort(t *testing.T) {
	for format := range registry.All() {
		vectors, err := corpus.Vectors(format.Name)
		if err != nil {
			t.Fatal(err)
		}
		short := 0
		for _, v := range vectors {
			if len(target.Shorten(v.Data)) <= 1024 {
				short++
			}
		}
		if short < len(vectors)*9/10 {
			t.Errorf("%s: %d of %d seeds are short", format.Name, short, len(vectors))
		}
	}
}
