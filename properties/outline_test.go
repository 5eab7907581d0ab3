package properties_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/registry"
)

// TestRefusedFilesAreShown: the outline of a refused vector has a region for each of its
// bytes, in order, and all findings, each inside a region or behind the end of the file.
func TestRefusedFilesAreShown(t *testing.T) {
	refused := 0
	for format := range registry.All() {
		vectors, err := corpus.Vectors(format.Name)
		if err != nil {
			t.Fatal(err)
		}
		if format.Outline == nil {
			continue
		}
		for _, v := range vectors {
			if _, err := format.Parse(v.Data); err == nil {
				continue
			}
			refused++
			outline := format.Outline(v.Data)
			end := 0
			for _, r := range outline.Regions {
				if r.Off != end || r.Len <= 0 {
					t.Fatalf("%s: region %+v does not start at 0x%x", v.Name, r, end)
				}
				end += r.Len
			}
			if end != len(v.Data) || len(outline.Findings) == 0 {
				t.Errorf("%s: %d of %d bytes shown, %d findings", v.Name, end, len(v.Data), len(outline.Findings))
			}
			for _, f := range outline.Findings {
				if f.Off < 0 || f.Off > len(v.Data) {
					t.Errorf("%s: %v is about bytes that the file does not have", v.Name, f)
				}
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d vectors are refused", refused)
	}
}
