package reader

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// behindOthers makes a cause of a case that fails only after the files that its process had read
// before: the reader keeps state from file to file. It returns nil if the failure does not
// repeat.
func (x *run) behindOthers(ctx context.Context, from gen.Format, c *shownCase, alone *Reply, members []*shownCase,
	base *Reply) (*report.Deviation, error) {
	s, ok := x.reader.(sequential)
	if !ok || len(c.Earlier) == 0 {
		return nil, nil
	}
	file := Shown{from.Name, c.Data}
	var failed error
	shows := func(earlier []Shown) bool {
		r, err := x.sequence(ctx, &x.patience, s, append(slices.Clone(earlier), file))
		if err != nil {
			failed = err
		}
		return err == nil && x.shows(c, &r, base)
	}
	if !shows(c.Earlier) {
		return nil, failed
	}
	earlier := reduce.Fewer(c.Earlier, shows)
	if failed != nil {
		return nil, failed
	}
	w := *c.wrong
	if w.level != report.Crash && w.level != report.Hang {
		w.level = report.NotDeterministic
	}
	w.name = "behind other files: " + w.name
	w.expected = fmt.Sprintf("as in a process of its own: %s", alone.Outcome)
	w.observed = fmt.Sprintf("%s, behind %d other files", c.Outcome, len(earlier))
	if c.Message != "" {
		w.observed += ": " + c.Message
	}
	d := x.deviation(from, w, c.Data, &c.Reply, members)
	d.Note = fmt.Sprintf("the process keeps state from file to file: the failure needs %d files before this one",
		len(earlier))
	d.Reproduce, d.Case.Command = s.ReproduceSequence(append(slices.Clone(earlier), file)), nil
	return &d, nil
}
