package conform

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// console lists the differences between the core's model and the console: for each question the
// smallest jobs that show it, one for each way in which it shows. The console defines the run of
// such a job and has another result than the core, and with the console's answer to this question
// alone the core's model has the console's result. Where no such job is known, an entry says that
// the console is undefined, unless the console has the core's results.
func (s *session) console(ctx context.Context, hw *pica.Profile) (list []report.Deviation) {
	for i := range s.print.Decisions {
		d := &s.print.Decisions[i]
		value := d.Dimension.Get(hw)
		if d.Value == value || slices.Contains(d.Others, value) || d.State == fingerprint.Unknown ||
			s.disproved[d.Dimension] {
			continue
		}
		c := s.newContrast(d, hw)
		answers := s.answers
		if d.Dimension.Name == "flow" {
			answers = slices.Concat(answers, s.scopes(ctx, c.other))
		}
		for k := range answers {
			if k < s.stored || k >= len(s.answers) || !c.shown(strengthResult) { // else a small program shows it
				c.add(&answers[k])
			}
		}
		c.search(ctx)
		for _, way := range slices.Sorted(maps.Keys(c.ways)) {
			if e := c.ways[way]; e.strength > strengthUndefined || !c.shown(strengthPrecision) && !c.covered() {
				list = append(list, c.deviation(ctx, way, e))
			}
		}
	}
	return list
}

// A contrast is a question that the core's model and the console answer differently, with the jobs
// that show it.
type contrast struct {
	*session
	*fingerprint.Decision
	hw, other pica.Profile // other is the core's model with the console's answer
	watch     *watcher
	ways      map[string]*example

	// A predictor that changes between profiles makes their rules each time.
	own, console, replaced, third *fingerprint.Predictor
	faulty                        *fingerprint.Predictor // with the proved faults of the core; nil if it has none
}

// An example is a job that shows a question.
type example struct {
	fingerprint.Answer
	strength strength
	diff     view.Difference
	class    impl.SourceClass // the evidence for the console's result
	level    report.Level
}

// strength says how well a job shows a question.
type strength uint8

// The strengths.
const (
	strengthNone      strength = iota
	strengthUndefined          // the console does not define the run
	strengthPrecision          // the console has nearly the same result
	strengthResult
)

func (s *session) newContrast(d *fingerprint.Decision, hw *pica.Profile) *contrast {
	c := &contrast{session: s, Decision: d, hw: *hw, watch: newWatcher(), ways: map[string]*example{},
		own: fingerprint.NewPredictor(), console: fingerprint.NewPredictor(), replaced: fingerprint.NewPredictor(),
		third: fingerprint.NewPredictor()}
	if len(s.faults) > 0 {
		c.faulty = fingerprint.PredictorOf(s.engine())
	}
	var ok bool
	if c.other, ok = d.Dimension.With(s.print.Profile, d.Dimension.Get(hw)); !ok {
		c.other = *hw
	}
	return c
}

// shown reports whether a job shows the question as well as that.
func (c *contrast) shown(least strength) bool {
	for _, e := range c.ways {
		if e.strength >= least {
			return true
		}
	}
	return false
}

// covered reports whether another entry says the same: a core without a geometry stage has no
// instructions for it.
func (c *contrast) covered() bool {
	return c.print.Profile.NoGeometry && slices.Contains([]string{"op.emit", "op.setemit"}, c.Dimension.Name)
}

// add keeps the answer to a job if the job shows the question in a new way, or better than before.
func (c *contrast) add(a *fingerprint.Answer) {
	if a.Got.End == view.Crashed || a.Got.End == view.Hung {
		return // a cause of its own
	}
	way, e := c.example(a.Job, a.Got)
	if e == nil {
		return
	}
	before := c.ways[way]
	if before == nil || cmp.Or(-cmp.Compare(e.strength, before.strength), cmp.Compare(gravityOf(e.level),
		gravityOf(before.level)), cmp.Compare(len(e.Job.Code), len(before.Job.Code))) < 0 {
		c.ways[way] = e
	}
}

// gravityOf orders levels, the gravest first.
func gravityOf(l report.Level) int { return slices.Index(report.Levels, l) }

// example returns what an answer to a job shows, nil for nothing. Without an answer the core is
// taken to follow its model.
func (c *contrast) example(job *pica.Job, got *view.View) (way string, e *example) {
	if !c.Dimension.Concerns(job) || got != nil && got.End == view.Unpredictable && c.Dimension.Name == "flow" {
		return "", nil
	}
	own, want, other := new(view.View), new(view.View), new(view.View)
	c.own.View(job, &c.print.Profile, own)
	if got == nil {
		got = own
	} else if view.Compare(own, got, nil) == view.Differs {
		return "", nil // the difference has another cause
	}
	if got.End.Refuses() && c.explained(job) {
		return "", nil
	}
	if own.End == view.Unpredictable && got.End == view.Ended &&
		c.killer(under(job, c.print.Profile), c.watch, triggersOf(c.causes)) != nil {
		return "", nil // the model predicts nothing: the known cause may be why the answer is another one
	}
	e = &example{Answer: fingerprint.Answer{Job: job, Got: got}}
	c.replaced.View(job, &c.other, other)
	if own.End == view.Hung || view.Compare(other, got, &e.diff) != view.Differs {
		return "", nil
	}
	if c.masked(job, own, &c.print.Profile) || c.masked(job, other, &c.other) {
		return "", nil // a proved fault decides the answer
	}
	if !c.Dimension.IsKnob() && hangs(other) && got.End == view.Ended {
		return "", nil // a core need not hang where a console does
	}
	c.console.View(job, &c.hw, want)
	switch {
	case want.End == view.Trapped:
		e.strength = strengthUndefined
	case view.Deviates(want, other, got, view.Precise, &e.diff):
		e.strength = strengthResult
		if c.Dimension.Name == "round" && e.diff.Class == compare.ClassValue { // roundings that add up
			e.strength = strengthPrecision
		}
	case view.Deviates(want, other, got, 0, &e.diff):
		e.strength = strengthPrecision
	default:
		return "", nil
	}
	if c.imprecise(job, &e.diff) {
		return "", nil
	}
	if rest := c.other; c.Dimension.Name == "storage" {
		// Registers of float24 exclude other answers. What changes with those is no question of storage.
		if rest.Storage = c.print.Profile.Storage; !c.agrees(&rest, e) {
			return "", nil
		}
	}
	e.class, e.level = c.levelOf(e)
	return c.wayOf(job, &e.diff), e
}

// masked reports whether the proved faults of the core change what a profile predicts.
func (c *contrast) masked(job *pica.Job, without *view.View, p *pica.Profile) bool {
	if c.faulty == nil {
		return false
	}
	var with view.View
	c.faulty.View(job, p, &with)
	return view.Compare(without, &with, nil) != view.Same
}

// explained reports whether a known cause is why the core refuses a job.
func (c *contrast) explained(job *pica.Job) bool {
	known := triggersOf(c.causes)
	for _, outcome := range []string{Crash, Refusal} {
		if c.killer(under(job, c.print.Profile), c.watch, c.ending(outcome, known)) != nil {
			return true
		}
	}
	return false
}

// imprecise reports whether a difference is one of precision, which other entries measure.
func (c *contrast) imprecise(job *pica.Job, d *view.Difference) bool {
	if c.precision() {
		return d.Class != compare.ClassCategory
	}
	computing := 0
	for _, w := range job.Code {
		if pica.Opcodes[pica.OpcodeOf(w)].Sources > 0 {
			computing++
		}
	}
	return c.Dimension.IsKnob() && estimates(job) && (computing > 1 || d.Class != compare.ClassCategory && d.Class != compare.ClassZeroSign)
}

// precision reports whether the question is the precision of an instruction.
func (c *contrast) precision() bool { return c.Dimension.Name == "rcp" || c.Dimension.Name == "ex2" }

// estimates reports whether a program has an instruction whose precision is a question of its
// own.
func estimates(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return slices.Contains(estimated, pica.OpcodeOf(w)) })
}

// wayOf names the aspects of an answer that have evidence of their own: the sign of a zero, the
// constructs of control flow, special results of instructions of limited precision.
func (c *contrast) wayOf(job *pica.Job, diff *view.Difference) string {
	switch {
	case c.Dimension.Name == "flow" && diff.Where == "end":
		return ": " + diff.Observed
	case c.Dimension.Name == "flow":
		uses := c.watch.uses(under(job, c.other))
		return ": " + strings.Join(append(flowKinds(uses), ends(uses)...), " and ")
	case diff.Class == compare.ClassZeroSign && slices.Contains([]string{"flush", "special", "zeroinf"}, c.Dimension.Name):
		return ": sign of zero"
	case c.precision():
		return ": special results"
	}
	return ""
}

// ends returns "end" for a run whose END seems to stand inside a scope: the instruction executed
// before END is a flow instruction.
func ends(uses []use) []string {
	for i, u := range uses {
		if i > 0 && pica.Opcodes[u.op].Flow == pica.FlowEnd && pica.Opcodes[uses[i-1].op].Flow != pica.FlowNone {
			return []string{"end"}
		}
	}
	return nil
}

// weaker are answers with the weaker part of the evidence for the console's answer: what they share
// with a core was not seen on a console.
var weaker = map[string]struct {
	value int
	class impl.SourceClass
}{
	"flush":   {int(pica.FlushSigned), impl.Documented},         // zeros of either sign are measured, the sign is not
	"special": {int(pica.SpecialPositive), impl.Implementation}, // infinities are measured, -0 is not
	"zeroinf": {int(pica.ZeroInfPositive), impl.Implementation}, // the same
	"index":   {int(pica.IndexWindowZero), impl.Implementation}, // two sources disagree about far offsets
}

// levelOf returns the level of an example, and the evidence for the aspect of the console's rule
// that shows.
func (c *contrast) levelOf(e *example) (impl.SourceClass, report.Level) {
	class := c.Dimension.Values[c.Dimension.Get(&c.hw)].Class
	switch name := c.Dimension.Name; {
	case !c.Dimension.IsKnob():
		return class, report.Unsupported
	case e.strength == strengthUndefined:
		return class, report.Guess // a core need not freeze where a console does
	case e.Got.End.Refuses():
		return class, report.Unsupported
	case name == "ex2" && e.diff.Got == view.NaN && e.diff.Want == 0:
		class = impl.Console // EX2 of minus infinity is 0 (fp-tests)
	case name == "flush" && e.diff.Class == compare.ClassZeroSign:
		class = impl.Documented // the flush is measured, the sign is not
	case (name == "reset" || name == "temporaries") && e.Job.Stage != pica.Geometry:
		class = impl.Implementation // measured in geometry programs
	case name == "flow" && breaksInIf(c.watch.uses(under(e.Job, c.other))):
		class = impl.Implementation // the entry that BREAK leaves behind is an open question
	default:
		if w, ok := weaker[name]; ok {
			q, _ := c.Dimension.With(c.print.Profile, w.value)
			if c.agrees(&q, e) {
				class = w.class
			}
		}
	}
	switch {
	case e.strength == strengthPrecision:
		return class, report.Precision
	case class == impl.Console:
		return class, report.Console
	case class == impl.Documented:
		return class, report.Documented
	}
	return class, report.Guess
}

// agrees reports whether a profile predicts the answer of an example.
func (c *contrast) agrees(p *pica.Profile, e *example) bool {
	var v view.View
	c.third.View(e.Job, p, &v)
	return view.Compare(&v, e.Got, nil) != view.Differs
}

// breaksInIf reports whether a run executes a BREAK and an IF.
func breaksInIf(uses []use) bool {
	kinds := flowKinds(uses)
	return slices.Contains(kinds, pica.FlowBreak.String()) && slices.Contains(kinds, pica.FlowIf.String())
}

// deviation returns an example as an entry.
func (c *contrast) deviation(ctx context.Context, way string, e *example) report.Deviation {
	value := c.Dimension.Values[c.Dimension.Get(&c.hw)]
	d := report.Deviation{Bucket: report.ModelPrefix + c.Dimension.Name + way, Verdict: e.level, Provenance: string(e.class),
		Source: value.About, Opcode: c.Dimension.Question, Count: 1, Knob: c.Dimension.Name,
		Value: c.Dimension.Values[c.Value].Name, Expected: e.diff.Expected,
		Observed: e.diff.Observed, Where: e.diff.Where, Class: e.diff.Class.String(),
		Note: fmt.Sprintf("the core follows %s (%s), the console %s", c.Name(), c.Dimension.Values[c.Value].About,
			value.Name)}
	from := &c.hw
	if e.strength == strengthUndefined {
		from = &c.other
		d.Note += "; shown only where the console is undefined"
	}
	job := c.session.quietly(ctx, e.Job, e.Got)
	c.session.show(&d, job, from, reduce.Report{})
	d.Trace = parting(job, &c.print.Profile, from)
	return d
}

// scopes asks the core for the flow programs of the corpus and reduces the programs that the
// core and the console run differently, one for each set of constructs.
func (s *session) scopes(ctx context.Context, console pica.Profile) (answers []fingerprint.Answer) {
	watch := newWatcher()
	j := s.newJudgeOf(ctx, console)
	seen := map[string]bool{}
	for _, shared := range regressions() {
		if ctx.Err() != nil {
			break
		}
		way := strings.Join(flowKinds(watch.uses(under(shared, console))), " ")
		if way == "" || seen[way] || shared.Stage != pica.Vertex || j.ask(shared, false) != Differ ||
			j.answer.Fate != adapter.Answered {
			continue
		}
		seen[way] = true
		r, err := reduce.Job(ctx, shared, reduce.Jobs{NewKey: func() reduce.Key {
			j, w := s.newJudgeOf(ctx, console), newWatcher()
			return func(c *pica.Job) string {
				if c.Initial != nil || j.ask(c, false) != Differ || j.answer.Fate != adapter.Answered {
					return ""
				}
				return strings.Join(flowKinds(w.uses(under(c, console))), " ")
			}
		}}, reduce.Options{Workers: 1, MaxTries: maxTries})
		if err != nil {
			continue
		}
		answers = append(answers, fingerprint.Answer{Job: r.Job, Got: view.OfAnswer(s.core.Ask(ctx, r.Job))})
	}
	return answers
}
