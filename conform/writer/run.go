package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Options of a run.
type Options struct {
	Dialect *source.Dialect // nil means picasso's
	Seed    uint64
	Cases   uint64 // generated programs
	// MaxTime ends the run; the report omits the rest. 0 means no limit.
	MaxTime time.Duration
	Jobs    int // the number of sources given to the tool at a time; 0 means one for each processor
	// Tries limits the sources that a reduction gives to the tool; 0 means 400.
	Tries int
	// Progress is called with a line about the present work. It may be nil.
	Progress func(text string)
}

// contexts is the number of programs that contain each mistake.
const contexts = 4

// perBucket is the number of reduced cases of a bucket that may have several causes.
const perBucket = 3

// maxBuckets limits the number of reduced buckets.
const maxBuckets = 80

// session is the run of an assembler.
type session struct {
	*run[*source.Program]
	// controls has the answers to controls, by their sources.
	controls map[string]func() (Answer, error)
	untested []report.Untested
	about    string // how sources are printed, "" as usual
}

// Run judges an assembler. When the time is over, it returns the report so far. An error means
// that the tool cannot be judged.
func Run(ctx context.Context, tool Tool, o Options) (*report.Report, error) {
	if o.Dialect == nil {
		o.Dialect = source.Dialects[0]
	}
	common, ctx, cancel := newRun(ctx, tool, o, perBucket, (*source.Program).Size)
	defer cancel()
	s := &session{run: common, controls: map[string]func() (Answer, error){}}
	r := report.New("conform writer", "writer", tool.Name(), o.Seed)

	var fixed, defects, mistakes, programs report.Counts
	s.fit(ctx)
	shown := s.fixed(ctx, &fixed)
	s.fail(s.nothing(ctx))
	if s.failed != nil && ctx.Err() == nil {
		return nil, s.failed
	}
	known, wrong := s.defects(ctx, &defects), s.mistakes(ctx, &mistakes)
	refusesNothing(&mistakes, wrong, known)
	forms := s.programs(ctx, &programs)
	r.Deviations = append(r.Deviations, s.causes(ctx, forms)...)
	r.Deviations = append(r.Deviations, s.behindOthers(ctx)...)
	// known defects come last, so that a crash is not blamed on one
	s.shrunk(ctx, shown, wrong, known)
	for _, list := range [][]sighting{shown, wrong, known} {
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
	r.Requests, r.NotTested = r.Jobs(), s.untested
	addTable(r, forms.table())
	if s.about != "" {
		r.Notes = []string{s.about}
	}
	s.warnings.addTo(r, "smallest source")
	s.addNotes(r, "Left out", "reason", "times")
	r.Ended(ctx)
	r.Sort()
	return r, saysSomething(r)
}

// program draws the program with a number, as far as the dialect can express it, and if possible
// without some forms: they are taken out of it, or another one is drawn.
func (s *session) program(n uint64, without []*source.Form) *source.Program {
	var again *source.Form // one of these forms is tried again, without the others
	if n%seldom == 0 && len(without) > 0 {
		k := int(n/seldom) % len(without)
		again, without = without[k], slices.Delete(slices.Clone(without), k, k+1)
	}
	for k := range uint64(redraws) {
		p := s.draw(n | k<<40)
		if p == nil || len(without) == 0 && again == nil {
			return p
		}
		if again != nil && !again.In(s.Dialect.Print(p)) {
			continue
		}
		text := s.Dialect.Print(p)
		for _, f := range without {
			if f.In(text) {
				s.note("no accepted source has: " + f.Name)
			}
		}
		if p = s.Dialect.Without(p, without); p != nil {
			return p
		}
	}
	return nil
}

// draw draws the program of a seed, nil if the tool cannot take it.
func (s *session) draw(n uint64) *source.Program {
	p, reasons := s.Dialect.Fit(source.Draw(gen.From(gen.Seed(s.Seed, n))))
	for _, reason := range reasons {
		s.note(reason)
	}
	if _, err := source.Lower(p, s.Dialect); err != nil {
		s.note(err.Error())
		return nil
	}
	if lack := s.tool.Lacks(s.Dialect.Print(p)); lack != "" {
		s.note(lack)
		return nil
	}
	return p
}

// judge returns a judge of the tool, which asks it once or twice.
func (s *session) judge(once bool) *judge { return &judge{session: s, once: once} }

// programs gives the tool right programs. It returns the forms that the tool refuses.
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
			case f != nil && f.level == report.RefusesValid:
				outcomes[k] = outcome{p, f}
			case f == nil || f.level != report.Crash && f.level != report.Hang:
				outcomes[k].program = p
			}
			return nil
		})
		for _, o := range outcomes {
			switch {
			case o.program == nil:
			case o.refusal != nil:
				forms.refused = append(forms.refused, refusal{program: o.program, finding: o.refusal,
					forms: forms.suspects(s.Dialect.Print(o.program))})
			default:
				forms.accept(s.Dialect.Print(o.program))
			}
		}
		forms.prove(ctx, s.judge(true))
	}
	return forms
}

// several reports whether a bucket may have several causes, which only reduction separates.
func (f *finding) several() bool {
	return f.level == report.Crash || f.level == report.Hang || f.level == report.RefusesValid ||
		f.level == report.InvalidFile || f.level == report.NotDeterministic
}

// causes reduces the buckets and merges findings with one fault.
func (s *session) causes(ctx context.Context, forms *refusedForms) []report.Deviation {
	var list []cause
	buckets := s.sorted()
	for _, b := range buckets[:min(len(buckets), maxBuckets)] {
		n := 1
		if b.cases[0].several() {
			n = len(b.cases)
		}
		for i, x := range b.cases[:n] {
			s.Progress("reducing " + b.Key)
			j := s.judge(x.level != report.NotDeterministic)
			p := x.input
			shown, err := j.valid(ctx, p)
			f := shown.with(b.Key)
			switch {
			case err != nil:
				f = x.finding
			case x.level != report.NotDeterministic && (f == nil || !s.steady(ctx, s.Dialect.Print(p), f.answer.equals)):
				f = unsteady(x.finding)
				s.unsteady = s.unsteady || f.level == report.NotDeterministic
			case f == nil:
				f = x.finding
			default:
				p, f = reduceProgram(ctx, j, p, f, s.Tries, nil)
			}
			c := cause{finding: f, program: p}
			switch text := s.Dialect.Print(p); {
			case f.level == report.RefusesValid:
				c.shown = forms.blamedIn(text)
			case f.nameless():
				g := *f
				c.text, c.finding = s.shrink(ctx, text, &g), &g
				c.shown = g.needs()
			}
			if i == 0 {
				c.count, c.members = b.Count, []report.Member{b.Member}
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
	text := c.text
	if text == nil {
		text = s.Dialect.Print(c.program)
	}
	d := s.entry(c.name(), c.finding, text)
	d.Count, d.Opcodes, d.Members, d.Instructions = max(c.count, 1), c.ops, c.members, c.program.Statements()
	if _, fewer := folded(listing(text)); fewer > 0 {
		d.Instructions, d.Words = d.Instructions-fewer, d.Instructions
	}
	return d
}

// entry shows a finding about an input.
func (s *run[T]) entry(name string, f *finding, text *source.Text) report.Deviation {
	d := report.Deviation{Bucket: name, Verdict: f.level, Opcode: f.op, Count: 1, Where: f.where,
		Class:    string(f.level),
		Expected: f.expected, Observed: f.observed, Note: f.note, Stderr: f.stderr, Features: f.words}
	d.Assembly, _ = folded(listing(text))
	d.Reproduce = s.tool.Reproduce(text)
	d.Case = report.Case{Files: s.tool.Files(text), Command: func(names []string) string {
		_, script := s.tool.Named(text, names...)
		return script
	}}
	if f.answer != nil && len(f.answer.Data) > 0 {
		d.Case.Output = &report.CaseFile{Name: "out.bin", Data: f.answer.Data}
	}
	return d
}

// minFolded is the number of equal lines from which they are shown as one.
const minFolded = 8

// listing returns the sources of a program one below the other.
func listing(t *source.Text) string { return strings.Join(t.Files, "\n; the second source\n") }

// folded returns a source for display, with one line for many equal lines in a row, and the
// number of lines that it omits.
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
