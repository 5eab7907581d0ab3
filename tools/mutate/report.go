package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
)

// A tally is the score of one package.
type tally struct {
	*population
	outcomes map[outcome]int
	held     map[string]int // mutants that a suite has judged, by suite
	noticed  map[string]int // mutants that the suite noticed, by suite
	killers  map[string]int // kills by test package
}

func count(p *population) tally {
	t := tally{p, map[outcome]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
	for _, m := range p.drawn {
		e, known := p.record.of(m)
		if !known {
			continue
		}
		t.outcomes[e.Outcome]++
		if e.Outcome == equivalent {
			continue
		}
		for _, s := range suites {
			killer := *e.killer(s.name)
			if killer != "" {
				t.held[s.name]++
			}
			if e.dead(s.name) {
				t.noticed[s.name]++
				t.killers[strings.TrimSuffix(killer, path.Ext(killer))]++
			}
		}
	}
	return t
}

func (t tally) killed() int { return t.outcomes[killed] + t.outcomes[timeout] }

// judged returns the number of mutants with an outcome.
func (t tally) judged() int { return t.killed() + t.outcomes[survived] + t.outcomes[equivalent] }

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

// columns are the columns of the report.
var columns = []string{"package", "mutants", "drawn", "judged", "generated suite", "whole suite", "killed",
	"by timeout", "equivalent", "survived", "score", "95 % interval"}

// report prints the scores by package, and the kills by test package.
func (o *options) report(w io.Writer) error {
	row(w, columns...)
	row(w, slices.Repeat([]string{"---"}, len(columns))...)
	kills := map[string]int{}
	for _, target := range plan {
		p, err := o.population(target)
		if err != nil {
			return err
		}
		t := count(p)
		for k, n := range t.killers {
			kills[k] += n
		}
		different := t.judged() - t.outcomes[equivalent]
		score, interval := "unfinished", "" // survivors are judged last, so that half a run has none
		if t.judged() == len(p.drawn) && different > 0 {
			score = fmt.Sprintf("%.1f %%", 100*float64(t.killed())/float64(different))
		}
		if low, high := wilson(t.killed(), different); t.judged() == len(p.drawn) && len(p.drawn) < len(p.all) {
			interval = fmt.Sprintf("%.1f to %.1f %%", low, high)
		}
		of := func(suite string) string { return fmt.Sprintf("%d of %d", t.noticed[suite], t.held[suite]) }
		row(w, p.pkg, fmt.Sprint(len(p.all)), fmt.Sprint(len(p.drawn)), fmt.Sprint(t.judged()),
			of(generatedSuite), of(wholeSuite), fmt.Sprint(t.killed()), fmt.Sprint(t.outcomes[timeout]),
			fmt.Sprint(t.outcomes[equivalent]),
			fmt.Sprint(t.outcomes[survived]), score, interval)
	}
	fmt.Fprintln(w)
	row(w, "first killer", "kills")
	row(w, "---", "---")
	for _, k := range slices.SortedFunc(maps.Keys(kills), func(a, b string) int {
		return cmp.Or(kills[b]-kills[a], strings.Compare(a, b))
	}) {
		row(w, k, fmt.Sprint(kills[k]))
	}
	return nil
}

func row(w io.Writer, cells ...string) { fmt.Fprintln(w, "| "+strings.Join(cells, " | ")+" |") }
