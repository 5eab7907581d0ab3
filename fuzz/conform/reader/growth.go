package reader

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/report"
)

// addGrown adds what a file that grew shows, to a cause with its name if there is one.
func (x *run) addGrown(from gen.Format, w wrong, m *Measurement) {
	for i := range x.report.Deviations {
		if d := &x.report.Deviations[i]; d.Verdict == w.level && (d.Bucket == w.name || strings.HasPrefix(d.Bucket, w.name+" (")) {
			d.Count++
			return
		}
	}
	d := x.deviation(from, w, m.Data, &m.Reply, nil)
	d.Count = 1
	x.add(d)
}

// costs lets the reader read files that grow.
func (x *run) costs(ctx context.Context, from gen.Format, base *Reply) error {
	table := report.Table{Title: from.Name + ": files that grow", Columns: []string{"shape", "processor time and memory besides those of a minimal file", "grows faster than the file"}}
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
			w := wrong{report.Crash, "crash: " + m.Reply.Fault, from.Name + ": " + f.name, "either", "accepted or refused", m.Reply.Message}
			x.addGrown(from, w, &m)
		case m.Grows != "":
			w := wrong{report.Cost, fmt.Sprintf("%s: %s %s", m.Grows, from.Name, f.name), from.Name + ": " + f.name, "either",
				fmt.Sprintf("an exponent of at most %.1f", steep), m.String()}
			if m.Hung {
				w.level = report.Hang
			}
			x.addGrown(from, w, &m)
		case m.Heavy:
			w := wrong{report.Cost, "memory: many times the size of a " + from.Name + " file", from.Name + ": " + f.name, "either",
				fmt.Sprintf("at most %d times the size of a file", heavy), m.String()}
			x.addGrown(from, w, &m)
		}
	}
	x.report.Tables = append(x.report.Tables, table)
	return nil
}
