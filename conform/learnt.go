package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A run on the core set alone says in its report what it has learnt. Runs that take the report only judge the jobs
// behind the core set: shards need not learn the same again.

// ErrLearnt means that a run cannot take the core's model and causes from a report.
var ErrLearnt = errors.New("the model is not that of this run")

// learnt returns what later runs need; nil if the run was cut, or has jobs behind the core set.
func (s *session) learnt(ctx context.Context, masks triggers) *report.Learnt {
	if s.Cases > CoreSet || ctx.Err() != nil {
		return nil
	}
	l := &report.Learnt{Cases: s.Cases, Causes: []report.LearntCause{}}
	for n := range s.proved {
		if c := &s.proved[n]; !s.ofLeak(ctx, c) {
			l.Proved = append(l.Proved, c.String())
		}
	}
	for _, c := range s.causes {
		t := &c.trigger
		l.Causes = append(l.Causes, report.LearntCause{Name: c.Key, Executed: t.all.numbers(), Present: t.present.numbers(),
			Vertices: t.vertices, Steps: t.beyond.steps, Words: t.beyond.words, Temporaries: t.beyond.temporaries,
			Target: t.beyond.target, Targeted: t.beyond.ops.numbers(),
			Avoided: slices.Contains(masks, t), Skipped: slices.Contains(s.hangs, t), Kills: c.kills})
	}
	for _, f := range s.fatal {
		l.Fatal = append(l.Fatal, report.LearntFatal{Name: f.subject, Shapes: f.shapes})
	}
	l.Habits, l.Families = s.messages.Habits()
	l.Refused, l.Deadly = s.lacks().Numbers()
	l.Unreported = s.unreported.Names()
	return l
}

// judgeOnly judges the jobs behind the core set, with the model and the causes of a report.
func (s *session) judgeOnly(ctx context.Context, info *adapter.Reply) (*Report, error) {
	err := s.suits(info)
	if err == nil {
		err = s.protect(ctx)
	}
	if err == nil {
		err = s.recall(ctx)
	}
	if err != nil {
		return nil, err
	}
	rest := round{number: 1}
	for i, c := range s.causes {
		if s.Learnt.Learnt.Causes[i].Avoided {
			rest.masks = append(rest.masks, &c.trigger)
		}
	}
	if err := s.judge(ctx, rest); err != nil {
		return nil, err
	}
	return s.added(ctx), nil
}

// suits returns an error if the report of the core set is that of another run.
func (s *session) suits(info *adapter.Reply) error {
	r, against, suites := s.Learnt, "", []string{}
	if s.Against != nil {
		against = s.Against.Name()
	}
	for _, suite := range r.Suites {
		suites = append(suites, suite.Name)
	}
	if r.Learnt == nil || r.Shard != "" {
		return fmt.Errorf("%w: the report is not that of a whole run with at most %d cases", ErrLearnt, CoreSet)
	}
	if s.Model != nil && nameOf(*s.Model) != r.Profile.Asked {
		return fmt.Errorf("%w: profile: report %s, run %s", ErrLearnt, r.Profile.Asked, nameOf(*s.Model))
	}
	if err := opcodesExist(r.Learnt); err != nil {
		return err
	}
	for _, x := range []struct {
		name      string
		is, wants any
	}{
		{"core", r.Core, info.Core}, {"second core", r.Against, against}, {"seed", r.Seed, s.Seed},
		{"suites", strings.Join(suites, ","), strings.Join(s.Suites, ",")},
		{"cases of the core set", r.Learnt.Cases, min(s.Cases, CoreSet)},
	} {
		if x.is != x.wants {
			return fmt.Errorf("%w: %s: report %v, run %v", ErrLearnt, x.name, x.is, x.wants)
		}
	}
	return nil
}

// opcodesExist returns an error if a number is none of an opcode.
func opcodesExist(l *report.Learnt) error {
	lists := [][]int{l.Refused[0], l.Refused[1], l.Deadly}
	for _, c := range l.Causes {
		lists = append(lists, c.Executed, c.Present, c.Targeted)
	}
	for _, n := range slices.Concat(lists...) {
		if n < 0 || n >= pica.NumOpcodes {
			return fmt.Errorf("%w: learnt: opcode %d, want 0 to %d", ErrLearnt, n, pica.NumOpcodes-1)
		}
	}
	return nil
}

// recall takes the model and the causes from the report of the core set.
func (s *session) recall(ctx context.Context) (err error) {
	s.Progress("taking the model from the report")
	r, l := s.Learnt, s.Learnt.Learnt
	s.leaveOut(pica.RegistersOf(l.Unreported))
	if s.model, err = profile.Parse(r.Profile.Model); err != nil {
		return fmt.Errorf("%w: profile.model: %w", ErrLearnt, err)
	}
	s.print = &fingerprint.Result{Profile: s.model, Lacks: fingerprint.LacksOf(l.Refused, l.Deadly)}
	if r.Profile.Asked != "auto" {
		s.Model = &s.model
	}
	if len(l.Habits) > 0 {
		s.messages = fingerprint.Told(l.Habits, l.Families)
	}
	for i := range r.Suites {
		suite := &Suite{Name: r.Suites[i].Name, Core: r.Suites[i].CoreSet}
		suite.asked = s.cases(suite.Name, round{core: true})
		s.suites = append(s.suites, suite)
	}
	s.logged = slices.Clone(r.Messages)
	proved, others, err := findingsOf(r)
	if err != nil {
		return err
	}
	if err := s.recallProved(ctx, proved); err != nil {
		return err
	}
	if err := s.follows(ctx); err != nil {
		return err
	}
	for _, c := range l.Causes {
		f := others[c.Name]
		if f == nil {
			return fmt.Errorf("%w: findings: no %q", ErrLearnt, c.Name)
		}
		f.trigger = trigger{all: numbered(c.Executed), present: numbered(c.Present), vertices: c.Vertices, beyond: limit{
			steps: c.Steps, words: c.Words, temporaries: c.Temporaries, target: c.Target, ops: numbered(c.Targeted)}}
		s.causes = merge(s.causes, &bucket{finding: f})
		if known := s.causes[len(s.causes)-1]; c.Skipped {
			known.hangs, s.hangs = true, append(s.hangs, &known.trigger)
		} else {
			known.kills = c.Kills
		}
	}
	for _, known := range l.Fatal {
		f := others[known.Name]
		if f == nil {
			return fmt.Errorf("%w: findings: no %q", ErrLearnt, known.Name)
		}
		f.foreseen = true
		s.fatal = append(s.fatal, fatal{known.Shapes, f})
	}
	return nil
}

// recallProved makes the proved causes from what the report says of them, by name.
func (s *session) recallProved(ctx context.Context, said map[string]*saidCause) (err error) {
	var told []proof.Told
	for _, name := range s.Learnt.Learnt.Proved {
		c := said[name]
		if c == nil {
			return fmt.Errorf("%w: findings: no proof of %q", ErrLearnt, name)
		}
		got := &view.View{End: view.Hung} // it would take a time limit
		if c.outcome != Hang {
			got = view.OfAnswer(s.core.Ask(ctx, c.job)).Clone()
		}
		told = append(told, proof.Told{Name: c.Hypothesis, Scope: c.Scope, Job: c.job, Got: got})
	}
	if s.proved, err = s.search(s.model).Recall(told); err != nil {
		return fmt.Errorf("%w: %w", ErrLearnt, err)
	}
	s.faults = hypotheses(s.proved)
	return nil
}

// follows returns an error if the core answers a job otherwise that decided a question about its model: it is another
// core, or has changed.
func (s *session) follows(ctx context.Context) error {
	unexplained := map[string]bool{}
	for _, data := range s.Learnt.Profile.Unexplained {
		if job, err := hunt.ParseJob(data); err == nil {
			unexplained[string(encode(under(job, s.model)))] = true
		}
	}
	predict := fingerprint.PredictorOf(s.engine())
	predict.Initial = s.initial
	for _, k := range s.Learnt.Profile.Knobs {
		if k.State != string(fingerprint.Known) || k.DecidedBy == nil {
			continue
		}
		job, err := hunt.ParseJob(k.DecidedBy)
		if err != nil {
			return fmt.Errorf("%w: knob %s: decided_by: %w", ErrLearnt, k.Knob, err)
		}
		var want, got view.View
		predict.View(job, &s.model, &want)
		a := s.core.Ask(ctx, job)
		if got.SetAnswer(&a); unexplained[string(encode(under(job, s.model)))] || s.messages.Excuse(a.Log) {
			continue
		}
		if view.Compare(&want, &got, nil) == view.Differs && ctx.Err() == nil {
			return fmt.Errorf("%w: %s: the core no longer answers %q", ErrLearnt, k.Question, k.Value)
		}
	}
	return nil
}

// A saidCause is a proved cause as a report has it.
type saidCause struct {
	*finding
	*report.Proof
}

// findingsOf returns the proved causes of a report, and the finding of each other cause with the smallest program.
func findingsOf(r *report.Report) (proved map[string]*saidCause, others map[string]*finding, err error) {
	proved, others = map[string]*saidCause{}, map[string]*finding{}
	for i := range r.Findings {
		d := &r.Findings[i]
		job, err := hunt.ParseJob(d.Job)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: findings[%d].job: %w", ErrLearnt, i, err)
		}
		f := &finding{outcome: cmp.Or(outcomes[d.Verdict], Differ), subject: d.Bucket, opcode: d.Opcode, job: job,
			expected: d.Expected, observed: d.Observed, where: d.Where, class: d.Class, stderr: d.Stderr}
		if d.Unexplained {
			f.opcodes = d.Opcodes
		}
		if d.Proof != nil {
			proved[f.subject] = &saidCause{f, d.Proof}
		} else if old := others[f.subject]; old == nil || len(job.Code) < len(old.job.Code) {
			others[f.subject] = f
		}
	}
	return proved, others, nil
}

// outcomes are the outcomes behind levels; a program of another level differs.
var outcomes = map[report.Level]string{report.Crash: Crash, report.Hang: Hang, report.Flaky: Flaky,
	report.Unsupported: Refusal}

// added returns the report of the core set with what this run has added.
func (s *session) added(ctx context.Context) *Report {
	r := *s.Learnt
	r.Learnt, r.File, r.Late = nil, "", s.core.Stats().Late
	r.Suites = slices.Clone(r.Suites)
	for i, suite := range s.suites {
		r.Suites[i].Rest, r.Suites[i].Counts = suite.Rest, suite.Core.Plus(suite.Rest)
	}
	r.Messages = s.logged
	r.Requests += r.Jobs() - s.Learnt.Jobs()
	r.NotReduced = slices.Concat(r.NotReduced, s.notReduced)
	r.Findings = slices.Clone(r.Findings)
	hw := profile.HW()
	for _, b := range s.buckets {
		r.Findings = append(r.Findings, s.deviation(ctx, b, &hw))
	}
	slices.SortFunc(r.Findings,
		func(a, b report.Deviation) int { return strings.Compare(a.Members[0].Key, b.Members[0].Key) })
	judged := map[string]bool{}
	for _, p := range cover.Points() {
		judged[p.Name] = s.judged.Has(p.Point)
	}
	for _, name := range r.Coverpoints.Judged {
		judged[name] = true
	}
	r.Coverpoints = r.Coverpoints.With(judged)
	r.Regroup()
	s.conclude(ctx, &r)
	return &r
}
