package cli

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math/bits"
	"sync"

	"github.com/picaproof/picaproof/fuzz/mutants"
)

// killMatrix makes the kill matrix and reports it.
func (a *app) killMatrix(opts mutants.Options) error {
	ctx, stop := a.interruptible()
	defer stop()
	line := a.statusLine()
	opts.Progress = func(done, all int) {
		line.show("holding mutants against generated programs: %d of %d trials", done, all)
	}
	m, err := mutants.Make(ctx, opts)
	line.clear()
	if err != nil {
		return err
	}
	if a.format == "html" {
		return failedIf(len(m.Survivors) > 0, a.text(func(w io.Writer) error { return matrixPage().Execute(w, m) }))
	}
	return a.result(m, len(m.Survivors) > 0, func(w io.Writer, p palette) { matrixText(w, p, m) })
}

func matrixText(w io.Writer, p palette, m *mutants.Matrix) {
	fmt.Fprint(w, "Can this harness fail? Every mutant is an executor with one fault;\n"+
		"generated programs must tell it from the oracle.\n\n")
	rows := []string{"group\tmutants\tkilled\tequivalent\tcases, median\tmost\thardest"}
	for _, g := range m.Groups() {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s\t%s", g.Name, len(g.Rows), g.Killed, g.Equivalent,
			thousands(g.Median), thousands(g.Most), g.Hardest))
	}
	table(w, 0, rows...)
	rows = []string{"suite\tkills"}
	for _, s := range m.Suites {
		rows = append(rows, fmt.Sprintf("%s\t%d", s, m.BySuite[s]))
	}
	fmt.Fprintln(w)
	table(w, 0, rows...)
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
	fmt.Fprintf(w, "%s: %s, %d equivalent\n", plural(m.Mutants, "mutant"), verdict, m.Equivalent)
}

//go:embed mutants.html
var matrixTemplate string

// matrixPage shows a matrix: a table for each group, a column for each suite.
var matrixPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("mutants").Funcs(template.FuncMap{
		"plural":    plural,
		"thousands": thousands,
		// shade is darker if a kill needed more cases: one step for each doubling.
		"shade": func(cases int) int { return min(bits.Len(uint(cases)), 16) },
	}).Parse(matrixTemplate))
})
