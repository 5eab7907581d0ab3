package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/grouped"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// causes merges failures by cause, reduces the smallest file of each, and merges causes that the
// reduced files show to be one.
func (x *run) causes(ctx context.Context, from gen.Format, all []shownCase, base *Reply) error {
	var wrong []*shownCase
	for i := range all {
		if all[i].wrong != nil {
			wrong = append(wrong, &all[i])
		}
	}
	manySlow := manySlow(wrong)
	groups := grouped.By(wrong, func(c **shownCase) string {
		if w := (*c).wrong; w.slow() && manySlow[kindOf(w.name)] {
			return kindOf(w.name)
		}
		return (*c).wrong.name
	})
	found := make([][]report.Deviation, len(groups))
	err := pool.Each(ctx, x.Jobs, len(groups), func(ctx context.Context, i int) (err error) {
		x.Progress(fmt.Sprintf("%s: reducing %d causes", from.Name, len(groups)))
		found[i], err = x.cause(ctx, from, groups[i], base)
		return err
	})
	for i, members := range groups {
		if found[i] == nil && ctx.Err() != nil {
			first := members[0]
			d := x.deviation(from, *first.wrong, first.Data, &first.Reply, members)
			d.Note = "interrupted: neither shown again nor reduced"
			found[i] = []report.Deviation{d}
		}
	}
	x.mergeSlow(from, groups, found)
	foldRepeats(groups, found)
	for _, list := range found {
		for _, d := range list {
			x.report.Deviations = report.With(x.report.Deviations, d)
		}
	}
	return err
}

// maxAlone limits the number of files of a cause that are shown again.
const maxAlone = 8

// cause makes one cause of its cases: from the smallest case that fails in a process of its own,
// valid files first, or from one that needs other files before it. A cause that does not repeat
// is flaky.
func (x *run) cause(ctx context.Context, from gen.Format, members []*shownCase,
	base *Reply) (list []report.Deviation, err error) {
	validFirst := func(c *shownCase) int {
		if c.Class == diag.MustAccept {
			return 0
		}
		return 1
	}
	slices.SortFunc(members, func(a, b *shownCase) int {
		return cmp.Or(cmp.Compare(validFirst(a), validFirst(b)), cmp.Compare(len(a.Data), len(b.Data)),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Number, b.Number))
	})
	for i, m := range members[:min(len(members), maxAlone)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		alone, repeats, err := x.repeats(ctx, from, m, base)
		if err != nil {
			return nil, err
		}
		if repeats {
			return append(list, x.reducedCause(ctx, from, m, members, base)), nil
		}
		if i == 0 {
			d, err := x.behindOthers(ctx, from, m, &alone, members, base)
			if err != nil {
				return nil, err
			}
			if d != nil {
				list = append(list, *d)
			}
		}
	}
	if list == nil {
		w := *members[0].wrong
		w.level = report.Flaky
		list = append(list, x.deviation(from, w, members[0].Data, &members[0].Reply, members))
	}
	return list, nil
}

// repeats reports whether the reader fails in the same way on two more readings of a file: one that fails now and
// then may do so on one of them. It returns the last reply.
func (x *run) repeats(ctx context.Context, from gen.Format, c *shownCase, base *Reply) (last Reply, ok bool, err error) {
	for range 2 {
		if last, err = x.alone(ctx, &Shown{from.Name, c.Data}); err != nil || !x.shows(c, &last, base) {
			return last, false, err
		}
	}
	return last, true, nil
}

// shows reports whether a reply to the file is wrong in the same way. The names of hangs and
// costs contain the kind of file, which does not count.
func (x *run) shows(c *shownCase, r, base *Reply) bool {
	w := x.judge(&c.Case, r, base)
	if w == nil || !c.wrong.slow() {
		return w != nil && w.name == c.wrong.name
	}
	return w.level == c.wrong.level && kindOf(w.name) == kindOf(c.wrong.name)
}

// alone lets the reader read a file again, if possible in a process of its own, with the longer
// limit of a verdict.
func (x *run) alone(ctx context.Context, f *Shown) (Reply, error) {
	var p command.Patience
	if s, ok := x.reader.(sequential); ok {
		return x.sequence(ctx, &p, s, []Shown{*f})
	}
	return x.ask(ctx, &p, f.Format, f.Data)
}

func (x *run) sequence(ctx context.Context, p *command.Patience, s sequential, list []Shown) (Reply, error) {
	return command.Ask(ctx, p, x.Limit, func(limit time.Duration) (Reply, bool, error) {
		x.requests.Add(int64(len(list)))
		r, err := s.Sequence(ctx, list, limit)
		return r, r.Outcome == Hung, err
	})
}

func (x *run) deviation(from gen.Format, w wrong, data []byte, reply *Reply, members []*shownCase) report.Deviation {
	d := report.Deviation{Bucket: w.name, Verdict: w.level, Instructions: len(data), File: data,
		Assembly: x.findings(from, data) + dump(data),
		Where:    w.where, Class: w.class, Expected: w.expected, Observed: w.observed, Stderr: reply.Stderr,
		Reproduce: x.reader.Reproduce(from.Name, data)}
	d.Case.Files = []report.CaseFile{{Name: "in" + input(from.Name, nil).Extension, Data: data}}
	if s, ok := x.inner().(starter); ok {
		d.Case.Command = func(names []string) string { return s.Named(from.Name, names[0]) }
	}
	for _, m := range members {
		key := from.Name + " " + string(m.Kind)
		if i := slices.IndexFunc(d.Members, func(n report.Member) bool { return n.Key == key }); i >= 0 {
			d.Members[i].Count++
			continue
		}
		d.Members = append(d.Members, report.Member{Key: key, Suite: from.Name, Number: m.Number, Count: 1})
	}
	slices.SortFunc(d.Members, func(a, b report.Member) int { return strings.Compare(a.Key, b.Key) })
	for _, m := range d.Members {
		d.Count += m.Count
	}
	return d
}
