package cli

import (
	_ "embed"
	"fmt"
	"io"
	"math/bits"

	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/markup"
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
		return failedIf(len(m.Survivors) > 0, a.text(func(w io.Writer) error { return matrixPage(w, m) }))
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
var matrixFrame string

// matrixPage shows a matrix: a table for each group, a column for each suite.
func matrixPage(w io.Writer, m *mutants.Matrix) error {
	return markup.Page(w, matrixFrame, "picaproof: kill matrix", func(p *markup.Writer) {
		p.Put(`<p>Every mutant is an executor with one fault. Programs that are generated from seed %d must tell it from the
oracle. A number says with which program a suite did; the fewer, the stronger its colour.</p>
<p class="verdict">%s%s: <b>%d killed</b>, %d equivalent,
`, m.Seed, markup.If(m.Interrupted, "Interrupted. "), plural(m.Mutants, "mutant"), m.Killed, m.Equivalent)
		if len(m.Survivors) > 0 {
			p.Put(`<b class="survives">%s</b>.</p>`+"\n<ul>", plural(len(m.Survivors), "survivor"))
			for _, name := range m.Survivors {
				p.Put("<li>%s</li>", name)
			}
			p.Put("</ul>\n")
		} else {
			p.Put("no survivor.</p>\n")
		}
		p.Put(`<table>
<thead><tr><th>group</th><th class="n">mutants</th><th class="n">killed</th><th class="n">equivalent</th>` +
			`<th class="n">cases, median</th><th class="n">most</th><th>hardest</th></tr></thead>
`)
		for _, g := range m.Groups() {
			p.Put(`<tr><td>%s</td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td>`, g.Name, len(g.Rows), g.Killed,
				g.Equivalent)
			p.Put(`<td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`+"\n", thousands(g.Median), thousands(g.Most),
				g.Hardest)
		}
		p.Put("</table>\n")
		for _, g := range m.Groups() {
			p.Put("<details%s><summary>%s: %d of %d</summary>\n<table class=\"grid\"><thead><tr><th>mutant</th>",
				markup.If(g.Killed < len(g.Rows), " open"), g.Name, g.Killed, len(g.Rows))
			for _, suite := range g.Suites {
				p.Put(`<th class="suite">%s</th>`, suite)
			}
			p.Put("</tr></thead>\n")
			for _, row := range g.Rows {
				p.Put(`<tr%s><td>%s<div class="rule">%s`, markup.If(len(row.Cases) == 0 && row.Equivalent == "", ` class="survivor"`),
					row.Name, row.Rule)
				if row.Equivalent != "" {
					p.Put(" Equivalent: %s", row.Equivalent)
				}
				p.Put("</div></td>")
				for _, suite := range g.Suites {
					if n := row.Cases[suite]; n > 0 {
						// A kill that needed more cases is darker: one step for each doubling.
						p.Put(`<td class="kill" style="--light: %d * 3%%">%d</td>`, min(bits.Len(uint(n)), 16), n)
					} else {
						p.Put("<td></td>")
					}
				}
				p.Put("</tr>\n")
			}
			p.Put("</table></details>\n")
		}
	})
}
