package reader

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// tables adds the matrix by rule, and the totals by kind.
func (x *run) tables(from gen.Format, all []shownCase) {
	format, _ := registry.ByName(from.Name)
	type cell map[Outcome]int
	text := func(c cell) string {
		var parts []string
		for _, o := range []Outcome{Accepted, Refused, Unsupported, Crashed, Hung} {
			if c[o] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", c[o], o))
			}
		}
		return strings.Join(parts, ", ")
	}
	byKind, byRule := map[Kind]cell{}, map[string]map[Kind]cell{}
	for i := range all {
		c := &all[i]
		if byKind[c.Kind] == nil {
			byKind[c.Kind] = cell{}
		}
		byKind[c.Kind][c.Outcome]++
		if c.Rule == "" {
			continue
		}
		if byRule[c.Rule] == nil {
			byRule[c.Rule] = map[Kind]cell{Trigger: {}, NearMiss: {}}
		}
		byRule[c.Rule][c.Kind][c.Outcome]++
	}
	totals := report.Table{Title: from.Name + ": files", Columns: []string{"kind", "outcome"}}
	for _, k := range kinds {
		if byKind[k] != nil {
			totals.Rows = append(totals.Rows, []string{string(k), text(byKind[k])})
		}
	}
	rules := report.Table{Title: from.Name + ": rules",
		Columns: []string{"rule", "readers", "files that break it", "near misses", "what is wrong"}}
	for _, r := range format.Rules {
		if cells := byRule[r.ID]; cells != nil {
			rules.Rows = append(rules.Rows,
				[]string{r.ID, r.Readers(r.Severity).String(), text(cells[Trigger]), text(cells[NearMiss]), r.Title})
		}
	}
	x.report.Tables = append(x.report.Tables, totals, rules)
}
