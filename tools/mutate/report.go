package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// A tally is the score of one package.
type tally struct {
	*population
	outcomes map[outcome]int
}

func count(p *population) tally {
	t := tally{p, map[outcome]int{}}
	for _, m := range p.drawn {
		if e, known := p.record.of(m); known {
			t.outcomes[e.Outcome]++
		}
	}
	return t
}

func (t tally) killed() int { return t.outcomes[killed] + t.outcomes[timeout] }

// judged returns the number of mutants with an outcome.
func (t tally) judged() int { return t.different() + t.outcomes[equivalent] }

// wilson returns the 95 % confidence interval of a share, in percent.
func wilson(hits, n int) (low, high float64) {
	if n == 0 {
		return 0, 100
	}
	const z = 1.959964
	p, m := float64(hits)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return 100 * (centre - half), 100 * (centre + half)
}

// different returns the number of judged mutants that are not equivalent.
func (t tally) different() int { return t.killed() + t.outcomes[survived] }

// complete reports whether every drawn mutant has an outcome. Survivors get theirs last, so that
// half a run has none.
func (t tally) complete() bool { return t.judged() == len(t.drawn) }

// interval returns the 95 % confidence interval of the score, or "whole" if no sample was drawn.
func (t tally) interval() string {
	if len(t.drawn) == len(t.all) {
		return "whole"
	}
	low, high := wilson(t.killed(), t.different())
	return fmt.Sprintf("%.1f-%.1f%%", low, high)
}

// columns are the columns of the report.
var columns = []string{"package", "mutants", "drawn", "judged", "killed", "by timeout", "equivalent", "survived",
	"interval"}

// report prints the state of the working record by package.
func (o *options) report(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join(columns, "\t"))
	for _, target := range plan {
		p, err := o.population(target)
		if err != nil {
			return err
		}
		t := count(p)
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", p.pkg, len(p.all), len(p.drawn), t.judged(),
			t.killed(), t.outcomes[timeout], t.outcomes[equivalent], t.outcomes[survived], t.interval())
	}
	return table.Flush()
}
