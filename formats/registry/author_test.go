package registry_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestAuthor: the versions tell of picasso if all DVLEs have the one and the DVLP has the other.
func TestAuthor(t *testing.T) {
	for _, c := range []struct {
		dvlp uint32
		dvle []uint16
		want bool
	}{
		{0, []uint16{0x1002, 0x1002}, true},
		{0, []uint16{0x1002, 0}, false},
		{0, []uint16{0, 0}, false},
		{0x1002, []uint16{0x1002}, false},
	} {
		f := shbin.File{DVLP: shbin.DVLP{Version: c.dvlp, Code: []uint32{0x88000000}}}
		for _, v := range c.dvle {
			f.DVLEs = append(f.DVLEs, shbin.DVLE{Version: v, End: 1})
		}
		b, err := f.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		format, _ := registry.ByName("shbin")
		doc, err := format.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		author, ok := registry.AuthorOf(doc)
		if ok != c.want {
			t.Errorf("versions 0x%x, %x: %q, %t", c.dvlp, c.dvle, author.Title, ok)
		}
		for _, x := range format.Check(b) {
			if got := author.Explains(&x); got != (c.want && x.Rule == "DVLE003") {
				t.Errorf("versions 0x%x, %x: %v is explained: %t", c.dvlp, c.dvle, x, got)
			}
		}
	}
}
