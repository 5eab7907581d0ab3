package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Options choose the files for a reader.
type Options struct {
	Formats []string // names of formats; at least one
	Seed    uint64   // of the generators
	Repeats uint64   // the number of draws of each fault and near miss; 0 means 3
	// valid files of each format, as many odd ones, and three times as many damaged ones; 0 means 100
	Cases  uint64
	Limit  time.Duration // the time limit for one file; 0 means 2 s
	NoCost bool          // leave out the files that grow
	Jobs   int           // the number of files read at a time; 0 means a default
	Name   string        // the name of the reader in the report
	// MustRead names tables whose rules are judged even if the reader seems not to read them; see
	// [Tables].
	MustRead []string
	// Progress is called with a line about the present work; it may be nil.
	Progress func(text string)
}

// ErrFormat reports an unknown format.
var ErrFormat = errors.New("no such format, or no generator of it")

// ErrLimit reports a reader that hung on many files and then, asked again, on none of them: a
// run that judged so few files proves nothing.
var ErrLimit = errors.New("the time limit is too short for this machine, or the reader hangs at random")

// Run judges a reader. When the context ends, it returns the report so far. Errors are of
// ErrFormat, ErrTable, ErrLimit and ErrNoValid, or say that the reader cannot be asked.
func Run(ctx context.Context, r Reader, o Options) (*report.Report, error) {
	o.Repeats, o.Cases, o.Limit = cmp.Or(o.Repeats, 3), cmp.Or(o.Cases, 100), cmp.Or(o.Limit, 2*time.Second)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if !r.Shared() {
		o.Jobs = 1
	}
	if err := o.checkTables(); err != nil {
		return nil, err
	}
	x := &run{Options: o, reader: r, report: report.New("conform reader", "reader", o.Name, o.Seed)}
	for _, name := range o.Formats {
		from, ok := files.ByName(name)
		if !ok {
			return nil, fmt.Errorf("%q: %w", name, ErrFormat)
		}
		if err := x.format(ctx, from); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			x.report.Ended(ctx)
			break
		}
	}
	x.report.Requests = int(x.requests.Load())
	x.report.Sort()
	if x.report.Partial() && !x.accepted && x.report.Bad() == 0 {
		return nil, ErrEarly
	}
	return x.report, nil
}

type run struct {
	Options
	reader    Reader
	report    *report.Report
	requests  atomic.Int64
	patience  command.Patience
	standards *standards    // of the format
	usual     time.Duration // the processor time for a minimal file
	hung      atomic.Int64  // the number of files of the format on which the reader hung
	accepted  bool          // the reader accepted a valid file
	// refusesNothing is set if the reader accepted every file of the format that it must refuse,
	// refusesValid if it refused nearly every file that it must accept, for many reasons.
	refusesNothing, refusesValid bool
}

func (x *run) read(ctx context.Context, format string, data []byte) (Reply, error) {
	return x.ask(ctx, &x.patience, format, data)
}

func (x *run) ask(ctx context.Context, p *command.Patience, format string, data []byte) (Reply, error) {
	return command.Ask(ctx, p, x.Limit, func(limit time.Duration) (Reply, bool, error) {
		x.requests.Add(1)
		r, err := x.reader.Read(ctx, format, data, limit)
		return r, r.Outcome == Hung, err
	})
}

// shownCase is a case with the reply of the reader.
type shownCase struct {
	Case
	Reply
	wrong *wrong
}

// format judges a reader by the files of one format.
func (x *run) format(ctx context.Context, from gen.Format) error {
	x.standards = newStandards(from)
	list := x.standards.cases(from, x.Seed, x.Repeats, x.Cases)
	base, err := x.base(ctx, from)
	if err != nil {
		return err
	}
	x.hung.Store(0)
	first := min(len(list), sampled)
	all, err := x.show(ctx, from, list[:first], &base)
	x.accepted = x.accepted || slices.ContainsFunc(all, func(c shownCase) bool {
		return c.Class == diag.MustAccept && c.Outcome == Accepted
	})
	broken, left := mostlyCrash(all), 0
	if err == nil && ctx.Err() == nil && !broken {
		if err := x.acceptsNone(from, all); err != nil {
			return err
		}
		var more []shownCase
		more, err = x.show(ctx, from, list[first:], &base)
		all = append(all, more...)
	}
	if left = len(list) - len(all); err == nil && left == 0 {
		all, err = x.further(ctx, from, all, &base)
	}
	if err != nil {
		return err
	}
	x.controls(list, all, &base)
	x.tables(from, all)
	x.refusesNothing, x.refusesValid = refusesNothing(all), refusesValid(all)
	for i := range all {
		x.rename(all[i].wrong)
	}
	known := x.report.Bad()
	if err := cmp.Or(x.causes(ctx, from, all, &base), ctx.Err()); err != nil {
		return err
	}
	if n := x.hung.Load(); n >= mostHung && x.report.Bad() == known {
		return fmt.Errorf("%s: no end within %v on %d files of %d, nothing wrong when asked again: %w", from.Name,
			x.Limit, n, len(list), ErrLimit)
	}
	reason := ""
	switch {
	case broken && first < len(list):
		reason = "the reader crashes alike on nearly every file"
	case x.hung.Load() >= mostHung:
		reason = "the reader comes to no end on many files"
	}
	if reason != "" && left > 0 {
		x.report.Tables = append(x.report.Tables,
			report.Table{Title: from.Name + ": left out", Columns: []string{"reason", "files"},
				Rows: [][]string{{reason, strconv.Itoa(left)}}})
	}
	if x.NoCost || reason != "" {
		return nil
	}
	return x.costs(ctx, from, &base)
}

// sampled is the number of files after which a reader that crashes alike on nearly all of them
// gets no more: each crash may take long and shows the same.
const sampled = 400

// mostHung is the number of files of a format on which a reader may hang before it gets no more:
// each takes the whole limit.
const mostHung = 48

// mostlyCrash reports whether nine of ten files show one crash.
func mostlyCrash(all []shownCase) bool {
	counts := map[string]int{}
	for i := range all {
		if w := all[i].wrong; w != nil && w.level == report.Crash {
			if counts[w.name]++; counts[w.name]*10 >= len(all)*9 {
				return true
			}
		}
	}
	return false
}

// show lets the reader read files. It stops early if the context ends, or the reader hangs on
// many files.
func (x *run) show(ctx context.Context, from gen.Format, list []Case, base *Reply) (shown []shownCase, err error) {
	all, read := make([]shownCase, len(list)), make([]bool, len(list))
	var done atomic.Int64
	err = pool.Each(ctx, x.Jobs, len(list), func(ctx context.Context, i int) error {
		if x.hung.Load() >= mostHung {
			return nil
		}
		reply, err := x.read(ctx, from.Name, list[i].Data)
		if err != nil {
			return err
		}
		if reply.Outcome == Hung {
			x.hung.Add(1)
		}
		all[i] = shownCase{list[i], reply, judge(&list[i], &reply, base)}
		read[i] = true
		x.Progress(fmt.Sprintf("%s: %d of %d files", from.Name, done.Add(1), len(list)))
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for i := range all {
		if read[i] {
			shown = append(shown, all[i])
		}
	}
	return shown, nil
}

// fewRules is the number of rules whose files must all be accepted before a reader counts as one
// that refuses nothing.
const fewRules = 5

// refusesNothing reports whether the reader refused no file that it must refuse.
func refusesNothing(all []shownCase) bool {
	accepted := map[string]bool{}
	for i := range all {
		c := &all[i]
		switch {
		case c.Class != diag.MustRefuse:
		case c.Outcome == Accepted:
			accepted[c.Because] = true
		case c.Outcome != Crashed && c.Outcome != Hung:
			return false
		}
	}
	return len(accepted) >= fewRules
}

// refusesValid reports whether the reader refused nine of ten files that it must accept, for
// more than one reason.
func refusesValid(all []shownCase) bool {
	valid, refused, reasons := 0, 0, map[string]bool{}
	for i := range all {
		c := &all[i]
		if c.Class == diag.MustAccept {
			valid++
		}
		if c.wrong != nil && c.wrong.level == report.RefusesValid {
			refused++
			reasons[c.wrong.name] = true
		}
	}
	return refused*10 >= valid*9 && len(reasons) > 1
}

// judge returns the failure in a reply, nil if there is none.
func (x *run) judge(c *Case, r, base *Reply) *wrong {
	w := judge(c, r, base)
	x.rename(w)
	return w
}

// rename gives one name to all failures of a reader that accepts everything, or refuses valid
// files.
func (x *run) rename(w *wrong) {
	switch {
	case w == nil:
	case x.refusesNothing && w.level == report.AcceptsInvalid:
		w.name = "accepts every file"
	case x.refusesValid && w.level == report.RefusesValid:
		w.name = "refuses valid files"
	}
}

// base returns the cost of a minimal valid file.
func (x *run) base(ctx context.Context, from gen.Format) (base Reply, err error) {
	b := from.File(gen.From(gen.NewBytes(nil)))
	const times = 3
	for k := range times {
		r, err := x.reader.Measure(ctx, from.Name, b, x.Limit)
		if err != nil {
			return base, err
		}
		if k == 0 || r.CPU < base.CPU {
			base.CPU = r.CPU
		}
		base.Memory = max(base.Memory, r.Memory)
	}
	x.usual = base.CPU
	return base, nil
}
