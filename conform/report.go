package conform

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Types of the report, which package report defines.
type (
	Report = report.Report
	Suite  struct {
		Name       string
		Core, Rest report.Counts
		asked      uint64 // jobs of the core set and behind it; those of repeated rounds do not count again
	}
)

// add adds the outcomes of the jobs of a round, of the core set or behind it.
func (s *Suite) add(p *hunt.Progress, core bool) {
	c := &s.Core
	if !core {
		c = &s.Rest
	}
	c.Run += int(p.Next)
	for outcome, n := range p.Outcomes {
		c.Add(outcome, int(n))
	}
}

// addMessages adds the messages of the jobs of a suite in a round.
func (s *session) addMessages(p *hunt.Progress, core bool) {
	for _, text := range slices.Sorted(maps.Keys(p.Messages)) {
		m := report.Message{Text: text, Excuse: s.messages.Excuse([]string{text})}
		c := &m.CoreSet
		if !core {
			c = &m.Rest
		}
		for outcome, n := range p.Messages[text] {
			c.Run += int(n)
			c.Add(outcome, int(n))
		}
		s.logged = report.WithMessage(s.logged, m)
	}
}

// report makes the report of a run.
func (s *session) report(ctx context.Context, info *adapter.Reply) *Report {
	r := report.New("conform core", "", info.Core, s.Seed)
	r.Claimed, r.Profile.Asked, r.Profile.Model = info.Profile, "auto", nameOf(s.model)
	if !s.unknown {
		r.Profile.Nearest, r.Profile.Names = s.print.Profile.Name, append(r.Profile.Names, s.print.Names...)
	}
	if s.Model != nil {
		r.Profile.Asked = nameOf(*s.Model)
	}
	if s.Against != nil {
		r.Against = s.Against.Name()
	}
	if s.Against == nil && s.Model == nil && !s.unknown {
		s.disprove(ctx)
	}
	hw := profile.HW()
	for i := range s.print.Decisions {
		r.Profile.Knobs = append(r.Profile.Knobs, s.knob(&s.print.Decisions[i], &hw))
	}
	for _, i := range s.print.Unexplained {
		r.Profile.Unexplained = append(r.Profile.Unexplained, encode(under(s.answers[i].Job, s.model)))
	}
	if s.unreported != 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("not judged: %v, which the core uses, but answers as 0 or leaves out",
			s.unreported))
	}
	r.Messages = s.logged
	for _, suite := range s.suites {
		r.Suites = append(r.Suites,
			report.Suite{Name: suite.Name, CoreSet: suite.Core, Rest: suite.Rest, Counts: suite.Core.Plus(suite.Rest)})
	}
	r.Requests = len(s.answers) + r.Jobs()
	if ctx.Err() != nil && s.unknown {
		r.Requests = s.asks.made()
	}
	r.Late = s.core.Stats().Late
	r.NotReduced = s.notReduced
	for n := range s.proved {
		if s.ofLeak(ctx, &s.proved[n]) {
			continue // what passes from request to request passes from vertex to vertex, too
		}
		if d, ok := s.provedDeviation(ctx, n, &hw); ok {
			r.Findings = append(r.Findings, d)
		}
	}
	for _, b := range s.buckets {
		r.Findings = append(r.Findings, s.deviation(ctx, b, &hw))
	}
	slices.SortFunc(r.Findings,
		func(a, b report.Deviation) int { return strings.Compare(a.Members[0].Key, b.Members[0].Key) })
	r.Deviations = append(r.Deviations, s.state(ctx)...)
	s.ended(ctx, "wear of a process")
	if s.Against == nil && !s.unknown {
		r.Deviations = append(r.Deviations, s.console(ctx, &hw)...)
		s.ended(ctx, "differences from the console")
		r.Deviations = append(r.Deviations, s.precision(ctx)...)
		s.ended(ctx, "precision")
	}
	touched := s.touched()
	for _, p := range cover.Points() {
		switch {
		case s.judged.Has(p.Point):
			r.Coverpoints.Judged = append(r.Coverpoints.Judged, p.Name)
		case touched.Has(p.Point):
			r.Coverpoints.Masked = append(r.Coverpoints.Masked, p.Name)
		default:
			r.Coverpoints.NotJudged = append(r.Coverpoints.NotJudged, p.Name)
		}
	}
	slices.Sort(r.Coverpoints.Judged)
	r.Regroup()
	s.conclude(ctx, r)
	return r
}

// conclude says in a report which part of a run it has.
func (s *session) conclude(ctx context.Context, r *Report) {
	if ctx.Err() != nil {
		r.Pending = s.asks.pending()
	}
	if s.Shards > 1 {
		r.Shard = fmt.Sprintf("%d/%d", s.Shard+1, s.Shards)
	}
	r.Ended(ctx)
	r.Cut = s.cut(ctx)
}

// knob returns a decision in the form of the report.
func (s *session) knob(d *fingerprint.Decision, hw *pica.Profile) report.Knob {
	values := d.Dimension.Values
	console := values[d.Dimension.Get(hw)]
	k := report.Knob{Knob: d.Dimension.Name, Question: d.Dimension.Question, Value: d.Name(),
		About: values[d.Value].About,
		State: string(d.State), Console: console.Name, Class: string(console.Class)}
	for _, v := range d.Others {
		k.Others = append(k.Others, values[v].Name)
	}
	if d.DecidedBy >= 0 {
		k.DecidedBy = encode(s.answers[d.DecidedBy].Job)
		k.Assembly = listing(s.answers[d.DecidedBy].Job)
	}
	return k
}
