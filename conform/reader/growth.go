package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/grouped"
)

// addGrown adds the failure of a file that grew to the cause with its name, or to a new cause,
// and returns the cause.
func (x *run) addGrown(from gen.Format, w wrong, m *Measurement) *report.Deviation {
	list := &x.report.Deviations
	i := slices.IndexFunc(*list, func(d report.Deviation) bool {
		return d.Verdict == w.level && (d.Bucket == w.name || strings.HasPrefix(d.Bucket, w.name+" ("))
	})
	if i < 0 {
		i, *list = len(*list), append(*list, x.deviation(from, w, m.Data, &m.Reply, nil))
	}
	d := &(*list)[i]
	d.Count++
	return d
}

// costs lets the reader read files that grow.
func (x *run) costs(ctx context.Context, from gen.Format, base *Reply) error {
	table := report.Table{Title: from.Name + ": files that grow", Columns: []string{"shape",
		"processor time and memory besides those of a minimal file", "grows faster than the file"}}
	var steeps []Measurement
	for _, f := range families(from, x.Seed) {
		x.Progress(fmt.Sprintf("%s: %s", from.Name, f.name))
		m, err := measure(ctx, x.reader, from.Name, f, *base, x.Limit)
		if err != nil {
			return err
		}
		x.requests.Add(doublings)
		if m.Grows != "" || m.Heavy { // noise does not show twice
			again, err := measure(ctx, x.reader, from.Name, f, *base, x.Limit)
			if err != nil {
				return err
			}
			if again.Grows != m.Grows {
				m.Grows = ""
			}
			m.Heavy = m.Heavy && again.Heavy
		}
		table.Rows = append(table.Rows, []string{f.name, m.String(), cmp.Or(m.Grows, "no")})
		switch {
		case m.Reply.Outcome == Crashed:
			w := wrong{report.Crash, "crash: " + m.Reply.Fault, from.Name + ": " + f.name, "either",
				"accepted or refused", m.Reply.Message}
			x.addGrown(from, w, &m)
		case m.Grows != "":
			steeps = append(steeps, m)
		case m.Heavy:
			w := wrong{report.Cost, "memory: many times the size of a " + from.Name + " file",
				from.Name + ": " + f.name, "either",
				fmt.Sprintf("at most %d times the size of a file", heavy), m.String()}
			x.addGrown(from, w, &m)
		}
	}
	x.addSteep(from, steeps)
	x.report.Tables = append(x.report.Tables, table)
	return nil
}

// addSteep adds causes of costs that grow faster than the file. Shapes that grow by one part of
// the model are one cause. All shapes are one cause if unread bytes are enough, or if there are
// many.
func (x *run) addSteep(from gen.Format, list []Measurement) {
	for _, kind := range grouped.By(list, func(m *Measurement) string { return m.Grows }) {
		parts := grouped.By(kind,
			func(m *Measurement) string { return m.Family[strings.LastIndexByte(m.Family, ' ')+1:] })
		if kind[0].Family == atEnd || len(parts) > fewSlow {
			parts = [][]Measurement{kind}
		}
		for _, same := range parts {
			m := &same[0]
			w := wrong{report.Cost, fmt.Sprintf("%s: %s %s", m.Grows, from.Name, m.Family), from.Name + ": " + m.Family,
				"either",
				fmt.Sprintf("an exponent of at most %.1f", steep), m.String()}
			if m.Hung {
				w.level = report.Hang
			}
			d := x.addGrown(from, w, m)
			if others := len(same) - 1; others > 0 {
				d.Count += others
				d.Note = fmt.Sprintf("also %d other shapes", others)
			}
		}
	}
}
