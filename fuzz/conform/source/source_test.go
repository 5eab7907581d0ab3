package source_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestPicassoAccepts: what is printed for picasso is accepted by the assembler that has
// its rules.
func TestPicassoAccepts(t *testing.T) {
	n := uint64(2000)
	bad := 0
	for k := range n {
		p, _ := source.Picasso.Fit(source.Draw(gen.From(gen.Seed(1, k))))
		if _, err := source.Lower(p, &source.Picasso); err != nil {
			t.Logf("%d: lower: %v", k, err)
			continue
		}
		text := source.Picasso.Print(p)
		var files []asm.Source
		for _, f := range text.Files {
			files = append(files, asm.Source{Name: "f", Text: f})
		}
		if _, err := asm.Assemble(files, asm.AssembleOptions{Dialect: asm.Picasso}); err != nil {
			if bad++; bad < 4 {
				t.Errorf("%d: %v\n%s", k, err, text.Files)
			}
		}
	}
	t.Logf("%d of %d refused", bad, n)
}
