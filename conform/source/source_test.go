package source_test

import (
	"os"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/decode"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// TestPicassoAccepts: our assembler, with the rules of picasso, accepts the sources printed for
// picasso.
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

// TestForms: the sources of each dialect reach all its forms, and docs/writer.md lists the
// omissions.
func TestForms(t *testing.T) {
	doc, err := os.ReadFile("../../docs/writer.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		dialect *source.Dialect
		forms   []source.Form
		omitted []source.Omission
	}{{&source.Picasso, source.PicassoForms, source.PicassoOmissions},
		{&source.Nihstro, source.NihstroForms, source.NihstroOmissions}} {
		reached, second := map[string]bool{}, 0
		n := uint64(10000)
		for k := range n {
			p, _ := x.dialect.Fit(source.Draw(gen.From(gen.Seed(1, k))))
			text := x.dialect.Print(p)
			if len(text.Files) > 1 {
				second++
			}
			for i := range x.forms {
				if f := &x.forms[i]; !reached[f.Name] && f.In(text) {
					reached[f.Name] = true
				}
			}
			if len(reached) == len(x.forms) && k > 500 {
				n = k + 1
				break
			}
		}
		for _, f := range x.forms {
			if !reached[f.Name] {
				t.Errorf("%s: no source of %d has %q", x.dialect.Name, n, f.Name)
			}
		}
		t.Logf("%s: %d forms in %d programs, %d of them with a second source", x.dialect.Name, len(reached), n, second)
		if x.dialect == &source.Picasso && second*20 < int(n) {
			t.Errorf("%d of %d programs have a second source", second, n)
		}
		for _, u := range x.omitted {
			if row := "| " + u.Form + " | " + u.Reason + " |"; !strings.Contains(string(doc), row) {
				t.Errorf("docs/writer.md lacks the row\n%s", row)
			}
		}
	}
}

// TestFar: some programs have targets that take the higher bits of their field, jumps back, and
// operand descriptors that only seven bits reach.
func TestFar(t *testing.T) {
	var back, far, farther, farthest, calls, crowded int
	const programs = 20_000
	enough := func() bool {
		return back >= 50 && min(far, calls, crowded) >= 10 && min(farther, farthest) >= 3
	}
	for k := uint64(0); k < programs && !enough(); k++ {
		p, _ := source.Picasso.Fit(source.Draw(gen.From(gen.Seed(1, k))))
		m, err := source.Lower(p, &source.Picasso)
		if err != nil {
			continue
		}
		if len(m.Program.Descriptors) > 64 {
			crowded++
		}
		for at, w := range m.Program.Code {
			i := decode.Decode(w)
			target := int(i.Dst)
			switch i.Op {
			case pica.JMPC, pica.JMPU:
				if target < at {
					back++
				}
			case pica.CALL, pica.CALLC, pica.CALLU:
				if target > 255 {
					calls++
				}
			default:
				continue
			}
			switch {
			case target > 2047:
				farthest++
			case target > 511:
				farther++
			case target > 255:
				far++
			}
		}
	}
	t.Logf("%d jumps back, %d calls above 255; targets above 255: %d, 511: %d, 2047: %d; %d programs with more than "+
		"64 descriptors",
		back, calls, far, farther, farthest, crowded)
	if !enough() {
		t.Errorf("too few in %d programs", programs)
	}
}
