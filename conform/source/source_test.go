package source_test

import (
	"os"
	"regexp"
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

// picasso is our assembler with the rules of picasso.
func picasso(t *source.Text) error {
	var files []asm.Source
	for _, f := range t.Files {
		files = append(files, asm.Source{Name: "f", Text: f})
	}
	_, err := asm.Assemble(files, asm.AssembleOptions{Dialect: asm.Picasso})
	return err
}

// TestPicassoAccepts: our assembler, with the rules of picasso, accepts the sources printed for each version of
// picasso.
func TestPicassoAccepts(t *testing.T) {
	for f := range source.Picasso.Frames {
		d, bad, n := source.Picasso.In(&source.Picasso.Frames[f]), 0, uint64(600)
		if f == 0 {
			n = 2000
		}
		for k := range n {
			p, _ := d.Fit(draw(int(k)))
			if !d.Says(p) {
				t.Errorf("%s: program %d does not fit after Fit", d.Frames[f].Name, k)
			}
			if _, err := source.Lower(p, d); err != nil {
				continue
			}
			text := d.Print(p)
			if err := picasso(text); err != nil {
				if bad++; bad < 4 {
					t.Errorf("%s: program %d: %v\n%s", d.Frames[f].Name, k, err, text.Files)
				}
			}
		}
		t.Logf("%s: %d of %d refused", d.Frames[f].Name, bad, n)
	}
}

// TestForms: the sources of each dialect and frame reach all its forms, and no form of a newer version; docs/writer.md
// has a list of omissions.
func TestForms(t *testing.T) {
	doc, err := os.ReadFile("../../docs/writer.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range source.Dialects {
		all := d.Forms
		for k := range d.Frames {
			f := &d.Frames[k]
			testForms(t, d.In(f), d.Name+"-"+f.Name, all)
		}
		if section := "\n### " + d.Name + "\n\n| form | reason |\n"; !strings.Contains(string(doc), section) {
			t.Errorf("docs/writer.md says nothing about the omissions of %s", d.Name)
		}
	}
}

func testForms(t *testing.T, d *source.Dialect, name string, all []source.Form) {
	reached, mine, second := map[string]bool{}, map[string]bool{}, 0
	for i := range d.Forms {
		mine[d.Forms[i].Name] = true
	}
	n := 10000
	for k := range n {
		p, _ := d.Fit(draw(k))
		text := d.Print(p)
		if len(text.Files) > 1 {
			second++
		}
		for i := range all {
			if f := &all[i]; !reached[f.Name] && f.In(text) {
				if reached[f.Name] = true; !mine[f.Name] {
					t.Errorf("%s: program %d has %q\n%s", name, k, f.Name, text.Files)
				}
			}
		}
		if len(reached) >= len(mine) && k > 500 {
			n = k + 1
			break
		}
	}
	for name := range mine {
		if !reached[name] {
			t.Errorf("%s: no source of %d has %q", d.Name, n, name)
		}
	}
	t.Logf("%s: %d forms in %d programs, %d of them with a second source", name, len(reached), n, second)
	if d == &source.Picasso && second*20 < n {
		t.Errorf("%d of %d programs have a second source", second, n)
	}
}

// TestFrames: the frame of an assembler is found by the programs that it accepts, also if it lacks one form more.
func TestFrames(t *testing.T) {
	d := &source.Picasso
	out := regexp.MustCompile(`(?m)^\.out`)
	entry := regexp.MustCompile(`(?m)^\.entry`)
	for k := range d.Frames {
		f := &d.Frames[k]
		lacks := map[string]bool{}
		for i := range d.Forms {
			lacks[d.Forms[i].Name] = true
		}
		for _, x := range d.In(f).Forms {
			lacks[x.Name] = false
		}
		asked := 0
		accepts := func(t *source.Text) bool {
			asked++
			for i := range d.Forms {
				if lacks[d.Forms[i].Name] && d.Forms[i].In(t) {
					return false
				}
			}
			whole := strings.Join(t.Files, "\n")
			return picasso(t) == nil && (k == 0 || out.MatchString(whole)) && (k != 2 || entry.MatchString(whole))
		}
		if got := d.Frame(accepts); got != f {
			t.Errorf("%s: got %s", f.Name, got.Name)
		}
		most := asked
		for _, form := range []string{".constfa", "dst", ".in", "mova"} {
			if form == ".constfa" && f.Name == "2.3" || form == "mova" && f.Name == "2.2" {
				continue // without it a version is that before, or nearer to it
			}
			had := lacks[form]
			lacks[form] = true
			if got := d.Frame(accepts); got != f {
				t.Errorf("%s without %s: got %s", f.Name, form, got.Name)
			}
			lacks[form] = had
		}
		if named, err := source.ByName("picasso-" + f.Name); err != nil || named == d ||
			len(named.Forms) != len(d.In(f).Forms) {
			t.Errorf("%s by its name: %v", f.Name, err)
		}
		t.Logf("%s: %d texts", f.Name, most)
	}
	// Newer than 1.0 in what it takes, and no newer in what the programs of 1.0 need.
	const newer = `(?m)^\s*\.(entry|in|gsh|set[fib]|constfa|nodvle)\b`
	mixed := func(t *source.Text) bool {
		whole := strings.Join(t.Files, "\n")
		return len(t.Files) == 1 && out.MatchString(whole) && !regexp.MustCompile(newer).MatchString(whole)
	}
	if got := d.Frame(mixed); got.Name != "1.0" {
		t.Errorf("an assembler that takes all programs of 1.0, and some newer ones: got %s", got.Name)
	}
	for _, d := range source.Dialects {
		if got := d.Frame(func(*source.Text) bool { return false }); got != &d.Frames[0] {
			t.Errorf("%s that refuses all: got %s", d.Name, got.Name)
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
