package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/report"
)

// Options of a run.
type Options struct {
	Dialect *source.Dialect // nil means picasso's
	Seed    uint64
	Cases   uint64 // generated programs
	// MaxTime ends the run; what is not done by then is left out. 0 means no limit.
	MaxTime time.Duration
	Jobs    int // sources given to the tool at a time; 0 means one for each processor
	// Tries is how many sources a reduction may give to the tool; 0 means 400.
	Tries int
	// Progress is told what goes on. It may be nil.
	Progress func(text string)
}

// contexts is the number of programs in which each mistake stands.
const contexts = 4

// perBucket is how many cases of a bucket are reduced where the bucket may hold several causes.
const perBucket = 3

// maxBuckets limits the buckets that are reduced.
const maxBuckets = 80

// session is one run.
type session struct {
	Options
	tool Tool

	mu      sync.Mutex
	buckets map[string]*bucket
	left    map[string]int
	failed  error
	done    atomic.Int64
	// unsteady says that the tool makes other things of a source each time.
	unsteady bool
}

// bucket is what looks alike.
type bucket struct {
	finding *finding
	count   int
	first   uint64
	cases   []*source.Program // the smallest
}

// Run judges an assembler. It returns what it has when the time is over; an error means
// that the tool cannot be judged.
func Run(ctx context.Context, tool Tool, o Options) (*report.Report, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Dialect == nil {
		o.Dialect = source.Dialects[0]
	}
	o.Jobs, o.Tries = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0)), cmp.Or(o.Tries, 400)
	if o.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.MaxTime)
		defer cancel()
	}
	s := &session{Options: o, tool: tool, buckets: map[string]*bucket{}, left: map[string]int{}}
	r := &report.Report{Command: "conform writer", Kind: "writer", Core: tool.Name(), Seed: o.Seed, Suites: []report.Suite{},
		Findings: []report.Deviation{}, Deviations: []report.Deviation{}, Matrix: []report.Row{}, Classes: []string{}}
	r.Profile = report.Fingerprint{Names: []string{}, Knobs: []report.Knob{}}
	r.Coverpoints = report.Coverpoints{Judged: []string{}, Masked: []string{}, NotJudged: []string{}}

	var fixed, defects, mistakes, programs report.Counts
	shown := s.fixed(ctx, &fixed)
	known, wrong := s.defects(ctx, &defects), s.mistakes(ctx, &mistakes)
	refusesNothing(&mistakes, wrong, known)
	forms := s.programs(ctx, &programs)
	r.Deviations = append(r.Deviations, s.causes(ctx, forms)...)
	r.Deviations = append(r.Deviations, s.behindOthers(ctx)...)
	for _, list := range [][]sighting{shown, wrong, known} { // a known defect that crashes is the last to be blamed
		r.Deviations = s.withSightings(r.Deviations, s.steadied(ctx, list))
	}
	if s.failed != nil && ctx.Err() == nil {
		return nil, s.failed
	}
	for _, suite := range []struct {
		name   string
		counts report.Counts
	}{{"sources of the corpus", fixed}, {"programs", programs}, {"mistakes", mistakes}, {"known defects", defects}} {
		r.Suites = append(r.Suites, report.Suite{Name: suite.name, Counts: suite.counts, CoreSet: suite.counts})
	}
	r.Requests = r.Jobs()
	if t := forms.table(); len(t.Rows) > 0 {
		r.Tables = append(r.Tables, t)
	}
	if len(s.left) > 0 {
		r.Tables = append(r.Tables, s.leftOut())
	}
	r.Interrupted = ctx.Err() != nil
	r.Sort()
	return r, nil
}

// each calls do for the numbers below n, several at a time, until the context ends.
func (s *session) each(ctx context.Context, n uint64, do func(k uint64) error) {
	var next atomic.Uint64
	var group sync.WaitGroup
	for range s.Jobs {
		group.Go(func() {
			for ctx.Err() == nil {
				k := next.Add(1) - 1
				if k >= n {
					return
				}
				if err := do(k); err != nil {
					s.fail(err)
					return
				}
				if done := s.done.Add(1); done%64 == 0 {
					s.Progress(fmt.Sprintf("%d sources", done))
				}
			}
		})
	}
	group.Wait()
}

func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		s.failed = err
	}
}

// leave counts what was left out.
func (s *session) leave(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[reason]++
}

// leftOut counts by reason what was not asked.
func (s *session) leftOut() report.Table {
	t := report.Table{Title: "Left out", Columns: []string{"reason", "times"}}
	for _, reason := range slices.Sorted(maps.Keys(s.left)) {
		t.Rows = append(t.Rows, []string{reason, strconv.Itoa(s.left[reason])})
	}
	return t
}

// program draws the program with a number, as far as the dialect can say it, and if that can be
// done without some forms.
func (s *session) program(n uint64, without []*source.Form) *source.Program {
	var again *source.Form // one of them is tried again, apart from the others
	if n%seldom == 0 && len(without) > 0 {
		k := int(n/seldom) % len(without)
		again, without = without[k], slices.Delete(slices.Clone(without), k, k+1)
	}
	for k := range uint64(redraws) {
		p := s.draw(n | k<<40)
		if p == nil || len(without) == 0 && again == nil {
			return p
		}
		text := s.Dialect.Print(p)
		if again != nil && !again.In(text) {
			continue
		}
		i := slices.IndexFunc(without, func(f *source.Form) bool { return f.In(text) })
		if i < 0 {
			return p
		}
		s.leave("no accepted source has: " + without[i].Name)
	}
	return nil
}

// draw draws the program of a seed, nil if the tool cannot be given it.
func (s *session) draw(n uint64) *source.Program {
	p, reasons := s.Dialect.Fit(source.Draw(gen.From(gen.Seed(s.Seed, n))))
	for _, reason := range reasons {
		s.leave(reason)
	}
	if _, err := source.Lower(p, s.Dialect); err != nil {
		s.leave(err.Error())
		return nil
	}
	if lack := s.tool.Lacks(s.Dialect.Print(p)); lack != "" {
		s.leave(lack)
		return nil
	}
	return p
}

// count counts an outcome.
func (s *session) count(c *report.Counts, f *finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Run++
	switch {
	case f == nil:
		c.Equal++
	case f.level == report.Crash:
		c.Crash++
	case f.level == report.Hang:
		c.Hang++
	default:
		c.Differ++
	}
}

// judge returns a judge of the tool, which asks it once or twice.
func (s *session) judge(once bool) *judge {
	return &judge{tool: s.tool, dialect: s.Dialect, once: once}
}

// programs gives the tool programs that are right. It returns the forms that the tool refuses.
func (s *session) programs(ctx context.Context, counts *report.Counts) *refusedForms {
	type outcome struct {
		program *source.Program
		refusal *finding
	}
	forms := &refusedForms{dialect: s.Dialect, known: map[string]bool{}}
	j := s.judge(false)
	for first := uint64(0); first < s.Cases && ctx.Err() == nil && s.failed == nil; first += roundSize {
		without := forms.blamed()
		outcomes := make([]outcome, min(roundSize, s.Cases-first))
		s.each(ctx, uint64(len(outcomes)), func(k uint64) error {
			n := first + k
			p := s.program(n, without)
			if p == nil {
				return nil
			}
			list, err := j.valid(ctx, p)
			if err != nil {
				return err
			}
			s.count(counts, list.first())
			for _, f := range list {
				s.add(n, p, f)
			}
			switch f := list.first(); {
			case f == nil:
				outcomes[k].program = p
			case f.level == report.RefusesValid:
				outcomes[k] = outcome{p, f}
			case f.level != report.Crash && f.level != report.Hang:
				outcomes[k].program = p
			}
			return nil
		})
		for _, o := range outcomes {
			switch {
			case o.program == nil:
			case o.refusal != nil:
				forms.refuse(o.program, o.refusal)
			default:
				forms.accept(s.Dialect.Print(o.program))
			}
		}
		forms.prove(ctx, s.judge(true))
	}
	return forms
}

// add puts a program that shows something into its bucket.
func (s *session) add(n uint64, p *source.Program, f *finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.buckets[f.key()]
	if b == nil {
		b = &bucket{finding: f, first: n}
		s.buckets[f.key()] = b
	}
	b.count++
	b.first = min(b.first, n)
	b.cases = append(b.cases, p)
	slices.SortStableFunc(b.cases, func(x, y *source.Program) int { return cmp.Compare(x.Size(), y.Size()) })
	b.cases = b.cases[:min(len(b.cases), perBucket)]
}

// several reports whether a bucket may hold several causes, which only reduction tells apart.
func (f *finding) several() bool {
	return f.level == report.Crash || f.level == report.Hang || f.level == report.RefusesValid ||
		f.level == report.InvalidFile || f.level == report.NotDeterministic
}

// causes reduces the buckets and merges what shows one fault.
func (s *session) causes(ctx context.Context, forms *refusedForms) []report.Deviation {
	var list []cause
	keys := slices.Sorted(maps.Keys(s.buckets))
	for _, b := range s.buckets {
		s.unsteady = s.unsteady || b.finding.level == report.NotDeterministic
	}
	for _, k := range keys[:min(len(keys), maxBuckets)] {
		b := s.buckets[k]
		n := 1
		if b.finding.several() {
			n = len(b.cases)
		}
		for i, p := range b.cases[:n] {
			s.Progress("reducing " + k)
			j := s.judge(b.finding.level != report.NotDeterministic)
			shown, err := j.valid(ctx, p)
			f := shown.with(k)
			switch {
			case err != nil:
				f = b.finding
			case b.finding.level != report.NotDeterministic && (f == nil || !s.steady(ctx, s.Dialect.Print(p), f)):
				f = unsteady(b.finding)
				s.unsteady = s.unsteady || f.level == report.NotDeterministic
			case f == nil:
				f = b.finding
			default:
				p, f = reduceProgram(ctx, j, p, f, s.Tries, nil)
			}
			c := cause{finding: f, program: p}
			if f.level == report.RefusesValid {
				c.shown = forms.blamedIn(s.Dialect.Print(p))
			}
			if i == 0 {
				c.count = b.count
				c.members = []report.Member{{Key: k, Suite: "programs", Number: b.first, Count: b.count}}
			}
			list = append(list, c)
		}
	}
	var deviations []report.Deviation
	for _, c := range merged(list) {
		deviations = append(deviations, s.deviation(&c))
	}
	return deviations
}

// deviation shows a cause.
func (s *session) deviation(c *cause) report.Deviation {
	text := s.Dialect.Print(c.program)
	d := s.entry(c.name(), c.finding, text)
	d.Count, d.Opcodes, d.Members, d.Instructions = max(c.count, 1), c.ops, c.members, c.program.Statements()
	if _, fewer := folded(listing(text)); fewer > 0 {
		d.Instructions, d.Words = d.Instructions-fewer, d.Instructions
	}
	return d
}

// entry shows a finding about a source.
func (s *session) entry(name string, f *finding, text *source.Text) report.Deviation {
	d := report.Deviation{Bucket: name, Verdict: f.level, Opcode: f.op, Count: 1, Where: f.where, Class: string(f.level),
		Expected: f.expected, Observed: f.observed, Note: f.note, Stderr: f.stderr}
	d.Assembly, _ = folded(listing(text))
	d.Reproduce = s.tool.Reproduce(text)
	return d
}

// minFolded is the number of equal lines from which on they are shown as one.
const minFolded = 8

// listing returns the sources of a program one below the other.
func listing(t *source.Text) string { return strings.Join(t.Files, "\n; the second source\n") }

// folded returns a source for people, in which many equal lines in a row are one, and how
// many lines that leaves out.
func folded(text string) (short string, fewer int) {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n] == lines[0] {
			n++
		}
		if n >= minFolded {
			fmt.Fprintf(&b, "%s ; %d lines like this one\n", strings.TrimRight(lines[0], "\r"), n)
			fewer += n - 1
		} else {
			fmt.Fprintln(&b, strings.Join(lines[:n], "\n"))
		}
		lines = lines[n:]
	}
	return b.String(), fewer
}
