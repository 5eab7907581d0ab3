package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// encode returns a job as a request, which names the profile of the job if it has one.
func encode(job *pica.Job) json.RawMessage {
	c := *job
	c.Initial = nil
	data, err := json.Marshal(&c)
	if err != nil {
		return nil
	}
	return data
}

// deviation shows a bucket as a cause.
func (s *session) deviation(ctx context.Context, b *bucket, hw *pica.Profile) report.Deviation {
	level, provenance, source := s.level(ctx, b, hw)
	d := report.Deviation{
		Bucket: b.subject, Verdict: level, Provenance: provenance, Source: source, Opcode: b.opcode, Count: b.Count,
		Expected: b.expected, Observed: b.observed, Where: b.where, Class: b.class, Stderr: b.stderr,
		Members: append([]report.Member{b.Member}, b.also...),
		Opcodes: []string{b.opcode}, Note: b.random,
	}
	if b.opcode == "" {
		d.Opcodes = nil // the cause concerns several
	}
	if b.opcodes != nil {
		d.Opcodes, d.Unexplained = b.opcodes, s.Against == nil
	}
	if s.Against != nil && d.Note == "" {
		d.Note = s.right(ctx, b.job, hw)
	}
	if b.outcome == Crash || b.outcome == Hang {
		d.Note = cmp.Or(d.Note, s.ofDeath(b))
	}
	for _, m := range b.also {
		d.Count += m.Count
	}
	s.show(&d, b.job, &s.model, b.report)
	d.Trace = s.trace(ctx, b)
	return d
}

// ofDeath says what is known about a crash or a hang besides the program: what the console does, if that
// is not defined, and whether the model predicts it.
func (s *session) ofDeath(b *bucket) string {
	var notes []string
	job := *b.job
	job.Budget = max(job.Budget, budget) // a smaller job may have fewer steps than the console takes
	switch v := new(judge).onConsole(&job); {
	case hangs(v):
		notes = append(notes, "the console hangs there")
	case v.End == view.Trapped:
		notes = append(notes, "the console is undefined there: "+v.Cause.String())
	}
	if b.foreseen {
		notes = append(notes, "the core's model predicts it")
	}
	return strings.Join(notes, "; ")
}

// show sets the program of a deviation from a profile, and the command that repeats it.
func (s *session) show(d *report.Deviation, job *pica.Job, from *pica.Profile, r reduce.Report) {
	begun := *job
	begun.Initial = nil
	c, err := hunt.NewJobCase(reduce.JobResult{Job: &begun, Report: r})
	if err != nil {
		return
	}
	d.Instructions, d.Words, d.Assembly, d.Inputs = c.Instructions, c.Words, c.Assembly, c.Inputs
	p := *from
	p.Name = profile.String(p)
	d.Job = encode(under(job, p))
	d.Reproduce = fmt.Sprintf("picaproof compare %s --job %s", s.Arguments, command.Quoted(string(withoutDefaults(d.Job))))
}

// withoutDefaults returns a job without the fields that have the protocol's defaults.
func withoutDefaults(job json.RawMessage) []byte {
	var o pica.JobJSON
	if json.Unmarshal(job, &o) != nil {
		return job
	}
	if o.Stage == pica.Vertex.String() {
		o.Stage = ""
	}
	if o.OutMask != nil && *o.OutMask == 0xffff {
		o.OutMask = nil
	}
	if !slices.ContainsFunc(o.Ints, func(v string) bool { return strings.Trim(v, "0") != "" }) {
		o.Ints = nil
	}
	short, err := json.Marshal(o)
	if err != nil {
		return job
	}
	return short
}

func listing(job *pica.Job) string {
	c, err := hunt.NewJobCase(reduce.JobResult{Job: job})
	if err != nil {
		return ""
	}
	return c.Assembly
}

// level returns the rules against which a deviation counts: the console's, if the oracle knows
// that the answer is wrong there, else the core's own model.
func (s *session) level(ctx context.Context, b *bucket,
	hw *pica.Profile) (level report.Level, provenance, source string) {
	switch b.outcome {
	case Crash:
		return report.Crash, "", ""
	case Hang:
		return report.Hang, "", ""
	case Flaky:
		return report.Flaky, "", ""
	case Refusal:
		return report.Unsupported, "", ""
	}
	own := report.Own
	switch {
	case s.Against != nil:
		own = report.Other
	case s.Model != nil:
		own = report.Asked
	}
	j := s.newJudgeOf(ctx, *hw)
	if j.ask(b.job, false) != Differ {
		return own, "", ""
	}
	begun := *b.job
	begun.Initial = s.initial
	provenance, source = provenanceOf(&begun, hw, &j.want, &j.got)
	switch provenance {
	case "console":
		return report.Console, provenance, source
	case "documented":
		return report.Documented, provenance, source
	}
	return own, provenance, source
}

// right says which of two cores the console's rules agree with.
func (s *session) right(ctx context.Context, job *pica.Job, hw *pica.Profile) string {
	agrees := func(core adapter.Core) bool {
		j := s.newJudgeOf(ctx, *hw)
		j.core = core
		return j.ask(job, true) == Equal
	}
	this, other := agrees(s.core), agrees(s.Against)
	switch {
	case this && other:
		return "the console's rules agree with both cores, as far as they are known"
	case this:
		return "the console's rules agree with this core"
	case other:
		return "the console's rules agree with the other core"
	}
	return "the console's rules agree with neither"
}

// provenanceOf returns the weakest provenance among the console's rules that the run used and
// whose alternatives would change the difference, and the sources of those that have it. If no rule
// has an alternative, every source agrees.
func provenanceOf(job *pica.Job, hw *pica.Profile, want, got *view.View) (class, about string) {
	strength := map[string]int{"console": 0, "documented": 1, "implementation": 2, "guess": 3}
	predict := fingerprint.NewPredictor()
	class = ""
	var other view.View
	for i := range fingerprint.Dimensions {
		d := &fingerprint.Dimensions[i]
		value := d.Values[d.Get(hw)]
		for v := range d.Values {
			q, ok := d.With(*hw, v)
			if !ok || v == d.Get(hw) || !d.IsKnob() || d.Name == "storage" {
				continue
			}
			predict.View(job, &q, &other)
			if !fingerprint.Distinct(want, &other) || !view.Disputed(want, &other, got) {
				continue
			}
			c := string(value.Class)
			if d.Name == "flush" && zeroSigns(want, &other) {
				c = "documented" // the flush is measured, the sign of the zero is not
			}
			rule := d.Name + ": " + value.About
			switch {
			case class == "" || strength[c] > strength[class]:
				class, about = c, rule
			case c == class:
				about += "; " + rule
			}
			break
		}
	}
	if class == "" {
		return "agreed", "no implementation answers otherwise"
	}
	return class, about
}

// zeroSigns reports whether two predictions differ first in the sign of a zero.
func zeroSigns(a, b *view.View) bool {
	var d view.Difference
	return view.Compare(a, b, &d) == view.Differs && d.Class == compare.ClassZeroSign
}
