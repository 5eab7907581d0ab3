package registry_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestDocument calls every method of a document of each format.
func TestDocument(t *testing.T) {
	b, err := (&shbin.File{
		DVLP:  shbin.DVLP{Code: []uint32{0x88000000}},
		DVLEs: []shbin.DVLE{{End: 1}},
	}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, "tail"...)
	f, _ := registry.ByName("shbin")
	d, err := f.Parse(b, "emulator-dump", "an option of another format")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Errorf("exact form: %v, %x", err, got)
	}
	if got, err := d.Canonical().AppendBinary(nil); err != nil || !bytes.Equal(got, b[:len(b)-4]) {
		t.Errorf("canonical form: %v, %x", err, got)
	}
	if regions := d.Regions(); regions[len(regions)-1].Off != len(b)-4 {
		t.Errorf("the last region is %v", regions[len(regions)-1])
	}
	if _, ok := d.Model().(*shbin.File); !ok {
		t.Errorf("the model is a %T", d.Model())
	}
	for _, form := range []registry.Document{d, d.Canonical()} {
		if s, ok := form.(registry.Shaders); !ok || len(s.Shaders()) != 1 {
			t.Errorf("%T has no shader", form)
		}
	}
}

// TestOutline: a file that Parse refuses has regions for all of its bytes, and
// the findings of Check.
func TestOutline(t *testing.T) {
	for f := range registry.All() {
		for _, b := range [][]byte{{}, {0}, []byte(f.Magics[0]), append([]byte(f.Magics[0]), make([]byte, 200)...),
			bytes.Repeat([]byte{0xFF}, 300)} {
			outline := f.Outline(b)
			end := 0
			for _, r := range outline.Regions {
				if r.Off != end || r.Len <= 0 || r.Path == "" {
					t.Fatalf("%s: region %+v does not start at 0x%x of %x", f.Name, r, end, b)
				}
				end += r.Len
			}
			if end != len(b) || len(outline.Findings) != len(f.Check(b)) {
				t.Errorf("%s: regions end at 0x%x of 0x%x, %d findings", f.Name, end, len(b), len(outline.Findings))
			}
		}
	}
}
