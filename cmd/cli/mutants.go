package cli

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math/bits"
	"text/tabwriter"

	"github.com/picaproof/picaproof/fuzz/mutants"
)

// killMatrix makes the kill matrix and reports it.
func (a *app) killMatrix(seed uint64) error {
	ctx, stop := interruptible()
	defer stop()
	line := a.statusLine()
	m, err := mutants.Make(ctx, mutants.Options{Seed: seed, Progress: func(done, all int) {
		line.show(fmt.Sprintf("holding mutants against generated cases: %d of %d trials", done, all))
	}})
	line.clear()
	if err != nil {
		return err
	}
	switch a.format {
	case "json":
		err = a.reportJSON(m)
	case "html":
		err = a.report(func(w io.Writer) error { return matrixPage.Execute(w, m) })
	default:
		err = a.report(func(w io.Writer) error { return a.matrixText(w, m) })
	}
	if err == nil && len(m.Survivors) > 0 {
		return errFindings
	}
	return err
}

func (a *app) matrixText(w io.Writer, m *mutants.Matrix) error {
	p := a.palette(w)
	fmt.Fprint(w, "Can this harness fail? Every mutant is an executor, a parser or a writer with one fault;\n"+
		"generated programs and files must tell it from the real one.\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "group\tmutants\tkilled\tequivalent\tcases, median\tmost\thardest")
	for _, g := range m.Groups() {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%s\n", g.Name, len(g.Rows), g.Killed, g.Equivalent, thousands(g.Median), thousands(g.Most), g.Hardest)
	}
	fmt.Fprintln(t, "\nsuite\tkills")
	for _, s := range m.Suites {
		fmt.Fprintf(t, "%s\t%d\n", s, m.BySuite[s])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, name := range m.Survivors {
		fmt.Fprintln(w, p.bad("survives: "+name))
	}
	if m.Interrupted {
		fmt.Fprint(w, "interrupted: ")
	}
	verdict := p.good(fmt.Sprintf("%d killed", m.Killed))
	if len(m.Survivors) > 0 {
		verdict += ", " + p.bad(plural(len(m.Survivors), "survivor"))
	}
	_, err := fmt.Fprintf(w, "%s: %s, %d equivalent\n", plural(m.Mutants, "mutant"), verdict, m.Equivalent)
	return err
}

//go:embed mutants.html
var matrixTemplate string

// matrixPage shows a matrix: a table for each group, a column for each suite.
var matrixPage = template.Must(template.New("mutants").Funcs(template.FuncMap{
	"plural":    plural,
	"thousands": thousands,
	// shade is darker the more cases a kill needed: one step for each doubling.
	"shade": func(cases int) int { return min(bits.Len(uint(cases)), 16) },
}).Parse(matrixTemplate))
