package mutants

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/internal/grouped"
)

// Group is the part of a matrix about one kind of fault.
type Group struct {
	Name       string
	Suites     []string // suites that kill at least one of the mutants
	Rows       []Row
	Killed     int
	Equivalent int
	Median     int // of the cases needed, over the killed mutants
	Most       int
	Hardest    string // the mutant that needed the most cases
}

// Groups returns the matrix by groups, in the order of the rows.
func (m *Matrix) Groups() []Group {
	var groups []Group
	for _, rows := range grouped.By(m.Rows, func(r *Row) string { return r.Group }) {
		g := Group{Name: rows[0].Group, Rows: rows}
		g.count(m.Suites)
		groups = append(groups, g)
	}
	return groups
}

func (g *Group) count(suites []string) {
	var needed []int
	for _, r := range g.Rows {
		n, _ := r.Killed(suites)
		switch {
		case n > 0:
			needed = append(needed, n)
			if n > g.Most {
				g.Most, g.Hardest = n, r.Name
			}
		case r.Equivalent != "":
			g.Equivalent++
		}
	}
	for _, s := range suites {
		if slices.ContainsFunc(g.Rows, func(r Row) bool { return r.Cases[s] > 0 }) {
			g.Suites = append(g.Suites, s)
		}
	}
	slices.SortFunc(needed, cmp.Compare)
	if g.Killed = len(needed); g.Killed > 0 {
		g.Median = needed[g.Killed/2]
	}
}
