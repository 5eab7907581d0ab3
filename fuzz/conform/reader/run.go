package reader

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/fuzz/report"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Options choose what a reader is shown.
type Options struct {
	Formats []string      // names of formats; at least one
	Seed    uint64        // of the generators
	Repeats uint64        // how often each fault and near miss is drawn; 0 means 3
	Cases   uint64        // valid files of each format, as many odd ones, and three times as many damaged ones; 0 means 100
	Limit   time.Duration // of one file; 0 means 2 s
	NoCost  bool          // leave out the files that grow
	Jobs    int           // files read at a time; 0 chooses
	Name    string        // of the reader, in the report
	// Progress is called with a line about what is done; it may be nil.
	Progress func(text string)
}

// ErrFormat says that no format has a name.
var ErrFormat = errors.New("no such format, or no generator of it")

// Run judges a reader. When the context ends, the report says what was known by then.
func Run(ctx context.Context, r Reader, o Options) (*report.Report, error) {
	o.Repeats, o.Cases, o.Limit = cmp.Or(o.Repeats, 3), cmp.Or(o.Cases, 100), cmp.Or(o.Limit, 2*time.Second)
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	if !r.Shared() {
		o.Jobs = 1
	}
	x := &run{Options: o, reader: r, report: &report.Report{Command: "conform reader", Kind: "reader", Core: o.Name, Seed: o.Seed,
		Suites: []report.Suite{}, Classes: []string{}, Matrix: []report.Row{}, Findings: []report.Deviation{}, Deviations: []report.Deviation{}}}
	x.report.Profile = report.Fingerprint{Names: []string{}, Knobs: []report.Knob{}}
	x.report.Coverpoints = report.Coverpoints{Judged: []string{}, Masked: []string{}, NotJudged: []string{}}
	for _, name := range o.Formats {
		from, ok := files.ByName(name)
		if !ok {
			return nil, fmt.Errorf("%q: %w", name, ErrFormat)
		}
		if err := x.format(ctx, from); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			x.report.Interrupted = true
			break
		}
	}
	x.report.Requests = int(x.requests.Load())
	x.report.Sort()
	return x.report, nil
}

type run struct {
	Options
	reader   Reader
	report   *report.Report
	requests atomic.Int64
	patience command.Patience
	// refusesNothing says that every file of the format that must be refused was accepted.
	refusesNothing bool
}

func (x *run) read(ctx context.Context, format string, data []byte) (Reply, error) {
	return x.ask(ctx, &x.patience, format, data)
}

func (x *run) ask(ctx context.Context, p *command.Patience, format string, data []byte) (Reply, error) {
	return command.Ask(p, x.Limit, func(limit time.Duration) (Reply, bool, error) {
		x.requests.Add(1)
		r, err := x.reader.Read(ctx, format, data, limit)
		return r, r.Outcome == Hung, err
	})
}

// shownCase is a case with what the reader made of it.
type shownCase struct {
	Case
	Reply
	wrong *wrong
}

// format judges a reader by the files of one format.
func (x *run) format(ctx context.Context, from gen.Format) error {
	list := cases(from, x.Seed, x.Repeats, x.Cases)
	base, err := x.base(ctx, from)
	if err != nil {
		return err
	}
	first := min(len(list), sampled)
	all, err := x.show(ctx, from, list[:first], &base)
	broken := mostlyCrash(all)
	if err == nil && ctx.Err() == nil && !broken {
		var more []shownCase
		more, err = x.show(ctx, from, list[first:], &base)
		all = append(all, more...)
	}
	if err != nil {
		return err
	}
	x.tables(from, all)
	x.refusesNothing = refusesNothing(all)
	for i := range all {
		x.rename(all[i].wrong)
	}
	if err := cmp.Or(x.causes(ctx, from, all, &base), ctx.Err()); err != nil {
		return err
	}
	if broken && first < len(list) {
		x.report.Tables = append(x.report.Tables, report.Table{Title: from.Name + ": left out", Columns: []string{"reason", "files"},
			Rows: [][]string{{"the reader crashes alike on nearly every file", strconv.Itoa(len(list) - first)}}})
	}
	if x.NoCost || broken {
		return nil
	}
	return x.costs(ctx, from, &base)
}

// sampled is the number of files after which a reader that crashes alike on nearly all of
// them is shown no more: each crash may take long, and says the same.
const sampled = 400

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

// show lets the reader read files; when the context ends, some.
func (x *run) show(ctx context.Context, from gen.Format, list []Case, base *Reply) (shown []shownCase, err error) {
	all, read := make([]shownCase, len(list)), make([]atomic.Bool, len(list))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(x.Jobs)
	var done atomic.Int64
	for i := range list {
		group.Go(func() error {
			if working.Err() != nil {
				return working.Err()
			}
			reply, err := x.read(working, from.Name, list[i].Data)
			if err != nil {
				return err
			}
			all[i] = shownCase{list[i], reply, judge(&list[i], &reply, base)}
			read[i].Store(true)
			x.Progress(fmt.Sprintf("%s: %d of %d files", from.Name, done.Add(1), len(list)))
			return nil
		})
	}
	if err := group.Wait(); err != nil && ctx.Err() == nil {
		return nil, err
	}
	for i := range all {
		if read[i].Load() {
			shown = append(shown, all[i])
		}
	}
	return shown, nil
}

// fewRules is the number of rules whose files must all be accepted for a reader to be one
// that refuses nothing.
const fewRules = 5

// refusesNothing reports whether no file that must be refused was.
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

// judge returns what is wrong with a reply, nil if nothing is.
func (x *run) judge(c *Case, r, base *Reply) *wrong {
	w := judge(c, r, base)
	x.rename(w)
	return w
}

// rename gives the files that a reader must refuse that refuses nothing one cause.
func (x *run) rename(w *wrong) {
	if w != nil && x.refusesNothing && w.level == report.AcceptsInvalid {
		w.name = "accepts every file"
	}
}

// base returns what a minimal valid file takes.
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
	return base, nil
}

// What bounds the reduction of a file.
const (
	maxTries = 400
	maxTime  = 15 * time.Second // of a reader that takes long, as one with sanitizers
)

// causes merges what is wrong by cause, reduces the smallest file of each, and merges
// again those that turn out to be one.
func (x *run) causes(ctx context.Context, from gen.Format, all []shownCase, base *Reply) error {
	var wrong []*shownCase
	for i := range all {
		if all[i].wrong != nil {
			wrong = append(wrong, &all[i])
		}
	}
	groups := report.Grouped(wrong, func(c **shownCase) string { return (*c).wrong.name })
	found := make([][]report.Deviation, len(groups))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(x.Jobs)
	for i, members := range groups {
		group.Go(func() (err error) {
			x.Progress(fmt.Sprintf("%s: reducing %d causes", from.Name, len(groups)))
			found[i], err = x.cause(working, from, members, base)
			return err
		})
	}
	err := group.Wait()
	for i, members := range groups {
		if found[i] == nil && ctx.Err() != nil {
			first := members[0]
			d := x.deviation(from, *first.wrong, first.Data, &first.Reply, members)
			d.Note = "interrupted: neither shown again nor reduced"
			found[i] = []report.Deviation{d}
		}
	}
	foldRepeats(groups, found)
	for _, list := range found {
		for _, d := range list {
			x.add(d)
		}
	}
	return err
}

// foldRepeats makes hangs and costs parts of a crash that files show which break the same
// rule, and so what is accepted against a rule if more files that break it crash: what
// reads too much of a file may be slow before it crashes, or find what it can live with.
func foldRepeats(groups [][]*shownCase, found [][]report.Deviation) {
	for i, mild := range groups {
		level, rule := mild[0].wrong.level, mild[0].Because
		if level != report.Hang && level != report.Cost && level != report.AcceptsInvalid || len(found[i]) != 1 || rule == "" {
			continue
		}
		for k, crashed := range groups {
			if crashed[0].wrong.level != report.Crash || len(found[k]) == 0 {
				continue
			}
			same := 0
			for _, c := range crashed {
				if c.Because == rule {
					same++
				}
			}
			if same == 0 || level == report.AcceptsInvalid && same <= len(mild) {
				continue
			}
			d, also := &found[k][0], found[i][0]
			all := d.Merge(also)
			d.Members, d.Count = all.Members, all.Count
			d.Note = strings.Trim(d.Note+"; also "+also.Bucket, "; ")
			found[i] = nil
			break
		}
	}
}

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

// add adds a cause to the report, to the one with its name if there is one.
func (x *run) add(d report.Deviation) {
	list := x.report.Deviations
	if i := slices.IndexFunc(list, func(e report.Deviation) bool { return e.Bucket == d.Bucket }); i >= 0 {
		list[i] = list[i].Merge(d)
		return
	}
	x.report.Deviations = append(list, d)
}

// maxAlone bounds how many of the files that show a cause are shown once more.
const maxAlone = 8

// cause makes a cause of the cases that show it: of the smallest that shows it in a
// process of its own, or of one that takes other files before it. One that does not show
// again is flaky.
func (x *run) cause(ctx context.Context, from gen.Format, members []*shownCase, base *Reply) (list []report.Deviation, err error) {
	slices.SortFunc(members, func(a, b *shownCase) int {
		return cmp.Or(cmp.Compare(len(a.Data), len(b.Data)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Number, b.Number))
	})
	for i, m := range members[:min(len(members), maxAlone)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		alone, err := x.alone(ctx, &Shown{from.Name, m.Data})
		if err != nil {
			return nil, err
		}
		if x.shows(m, &alone, base) {
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

// shows reports whether a reply to the file is wrong in the same way.
func (x *run) shows(c *shownCase, r, base *Reply) bool {
	w := x.judge(&c.Case, r, base)
	return w != nil && w.name == c.wrong.name
}

// alone lets the reader read a file once more, in a process of its own if it has any,
// with the patience that a verdict takes.
func (x *run) alone(ctx context.Context, f *Shown) (Reply, error) {
	var p command.Patience
	if s, ok := x.reader.(sequential); ok {
		return x.sequence(ctx, &p, s, []Shown{*f})
	}
	return x.ask(ctx, &p, f.Format, f.Data)
}

func (x *run) sequence(ctx context.Context, p *command.Patience, s sequential, list []Shown) (Reply, error) {
	return command.Ask(p, x.Limit, func(limit time.Duration) (Reply, bool, error) {
		x.requests.Add(int64(len(list)))
		r, err := s.Sequence(ctx, list, limit)
		return r, r.Outcome == Hung, err
	})
}

// reducedCause makes a cause of a case that shows it alone.
func (x *run) reducedCause(ctx context.Context, from gen.Format, c *shownCase, members []*shownCase, base *Reply) report.Deviation {
	w, data := *c.wrong, c.Data
	if reduced, ok := x.reduced(ctx, from, c, base); ok {
		data = reduced
	}
	format, _ := registry.ByName(from.Name)
	if rule := ruleOf(format, data); rule != "" && unnamed(c) {
		w.name += " (" + rule + ")"
	}
	return x.deviation(from, w, data, &c.Reply, members)
}

// unnamed reports whether nothing but how the reader ended names the cause.
func unnamed(c *shownCase) bool {
	return c.Outcome == Crashed && !strings.Contains(c.Fault, " in ") && !strings.Contains(c.Fault, " at ")
}

// reduced returns the smallest file that shows the same.
func (x *run) reduced(ctx context.Context, from gen.Format, c *shownCase, base *Reply) ([]byte, bool) {
	if c.wrong.level == report.Hang || c.wrong.level == report.Cost || c.wrong.level == report.RefusesValid {
		return nil, false // a try takes long, or the first file made without choices is the smallest
	}
	format, _ := registry.ByName(from.Name)
	bounded, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	r, err := reduce.File(bounded, c.Data, func() reduce.Interesting {
		return func(b []byte) bool {
			candidate := c.Case
			candidate.Data = b
			candidate.Class, candidate.Because = files.ClassOf(format, b)
			reply, err := x.read(ctx, from.Name, b)
			if err != nil {
				return false
			}
			w := x.judge(&candidate, &reply, base)
			return w != nil && w.name == c.wrong.name
		}
	}, reduce.Options{Workers: 1, MaxTries: maxTries})
	if err != nil {
		return nil, false
	}
	// What was tried in one process may have changed it.
	least := *c
	least.Data = r.Data
	least.Class, least.Because = files.ClassOf(format, r.Data)
	again, err := x.alone(ctx, &Shown{from.Name, r.Data})
	return r.Data, err == nil && x.shows(&least, &again, base)
}

func (x *run) deviation(from gen.Format, w wrong, data []byte, reply *Reply, members []*shownCase) report.Deviation {
	d := report.Deviation{Bucket: w.name, Verdict: w.level, Instructions: len(data), File: data, Assembly: x.said(from, data) + dump(data),
		Where: w.where, Class: w.class, Expected: w.expected, Observed: w.observed, Stderr: reply.Stderr,
		Reproduce: x.reader.Reproduce(from.Name, data)}
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

// said shows the first findings of a file, of which there is something to say.
func (x *run) said(from gen.Format, data []byte) (s string) {
	format, _ := registry.ByName(from.Name)
	const most = 3
	list := slices.DeleteFunc(format.Check(data), func(f diag.Finding) bool { return f.Severity == diag.Info })
	for _, f := range list[:min(len(list), most)] {
		s += f.String() + "\n"
	}
	if n := len(list) - most; n > 0 {
		s += fmt.Sprintf("and %d more findings\n", n)
	}
	return s
}

// dump shows the beginning of a file in hexadecimal.
func dump(data []byte) string {
	const most = 256
	s := fmt.Sprintf("%d bytes\n", len(data))
	if len(data) > most {
		return s + hex.Dump(data[:most]) + "...\n"
	}
	return s + hex.Dump(data)
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
	rules := report.Table{Title: from.Name + ": rules", Columns: []string{"rule", "readers", "files that break it", "near misses", "what is wrong"}}
	for _, r := range format.Rules {
		if cells := byRule[r.ID]; cells != nil {
			rules.Rows = append(rules.Rows, []string{r.ID, r.Readers(r.Severity).String(), text(cells[Trigger]), text(cells[NearMiss]), r.Title})
		}
	}
	x.report.Tables = append(x.report.Tables, totals, rules)
}
