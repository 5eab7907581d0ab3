package source_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestWithout: forms are taken out of programs, and little else: most programs keep most of their
// statements.
func TestWithout(t *testing.T) {
	const seed, draws = 1, 60
	d := &source.Picasso
	for _, name := range []string{".in", ".alias", ".constfa", "mad", "gsh variable", "boolean on"} {
		var forms []*source.Form
		for i := range d.Forms {
			if d.Forms[i].Name == name {
				forms = append(forms, &d.Forms[i])
			}
		}
		if len(forms) != 1 {
			t.Fatalf("%d forms %s", len(forms), name)
		}
		had, left, kept := 0, 0, 0
		for n := range uint64(8 * draws) {
			p, _ := d.Fit(source.Draw(gen.From(gen.Seed(seed, n))))
			if _, err := source.Lower(p, d); err != nil || !forms[0].In(d.Print(p)) {
				continue
			}
			had++
			q := d.Without(p, forms)
			if q == nil {
				continue
			}
			left++
			if forms[0].In(d.Print(q)) {
				t.Errorf("seed %d, program %d has %s still", seed, n, name)
			}
			if 2*q.Statements() >= p.Statements() {
				kept++
			}
			if had == draws {
				break
			}
		}
		if had == 0 || 4*left < 3*had || 4*kept < 3*left {
			t.Errorf("%s: in %d programs, taken out of %d, of which %d keep half of their statements", name, had, left, kept)
		}
	}
}
