package conform

import (
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
// smallest jobs of the fingerprint that show it, one for each way in which it shows.
func (s *session) console(ctx context.Context, hw *pica.Profile) (list []report.Deviation) {
	// A predictor that changes between two profiles makes their rules each time.
	own, other, watch := fingerprint.NewPredictor(), fingerprint.NewPredictor(), newWatcher()
	for i := range s.print.Decisions {
		d := &s.print.Decisions[i]
		console := d.Dimension.Get(hw)
		if d.Value == console || slices.Contains(d.Others, console) || d.State == fingerprint.Unknown {
			continue
		}
		q, ok := d.Dimension.With(s.print.Profile, console)
		if !ok {
			q = *hw
		}
		value := d.Dimension.Values[console]
		ways := map[string]report.Deviation{}
		answers := s.answers
		if d.Dimension.Name == "flow" {
			answers = slices.Concat(answers, s.scopes(ctx, q))
		}
		for k := range answers {
			if k >= s.stored && k < len(s.answers) && len(ways) > 0 {
				continue // a generated program, although a small one shows the question
			}
			a := &answers[k]
			var want view.View
			var diff view.Difference
			own.View(a.Job, &s.print.Profile, &want)
			if view.Compare(&want, a.Got, nil) == view.Differs || a.Got.End == view.Crashed || a.Got.End == view.Hung {
				continue // the difference has another cause, or is a cause of its own
			}
			other.View(a.Job, &q, &want)
			if view.Compare(&want, a.Got, &diff) != view.Differs || a.Got.End == view.Unpredictable &&
				d.Dimension.Name == "flow" ||
				estimates(a.Job) && diff.Class != compare.ClassCategory && d.Dimension.Name != "rcp" &&
					d.Dimension.Name != "ex2" {
				continue
			}
			way := wayOf(d.Dimension, &diff, watch.uses(under(a.Job, q)))
			if before, ok := ways[way]; ok && max(before.Instructions, before.Words) <= len(a.Job.Code) {
				continue
			}
			class, level := levelOf(d.Dimension, string(value.Class), &diff, &want)
			dev := report.Deviation{
				Bucket: report.ModelPrefix + d.Dimension.Name + way, Verdict: level, Provenance: class,
				Source: value.About,
				Opcode: d.Dimension.Question, Count: 1, Expected: diff.Expected, Observed: diff.Observed,
				Where: diff.Where, Class: diff.Class.String(),
				Note: fmt.Sprintf("the core follows %s (%s), the console %s", d.Name(),
					d.Dimension.Values[d.Value].About, value.Name),
			}
			s.show(&dev, a.Job, &q, reduce.Report{})
			ways[way] = dev
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			list = append(list, ways[way])
		}
	}
	return list
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
		answers = append(answers, fingerprint.Answer{Job: r.Job, Got: view.OfAnswer(s.asked(ctx, r.Job))})
	}
	return answers
}

// wayOf names the aspects of an answer that have evidence of their own: the sign of a zero, and
// the constructs of control flow.
func wayOf(d *fingerprint.Dimension, diff *view.Difference, uses []use) string {
	switch {
	case d.Name == "flow" && diff.Where == "end":
		return ": " + diff.Observed
	case d.Name == "flow":
		return ": " + strings.Join(append(flowKinds(uses), ends(uses)...), " and ")
	case diff.Class == compare.ClassZeroSign:
		return ": sign of zero"
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

// estimates reports whether a program has an instruction whose precision is a question of its
// own.
func estimates(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return slices.Contains(estimated, pica.OpcodeOf(w)) })
}

// levelOf returns the level of a question that the core and the console answer differently, and
// the evidence for the aspect of the rule that shows.
func levelOf(d *fingerprint.Dimension, class string, diff *view.Difference, want *view.View) (string, report.Level) {
	if class == string(impl.Console) && diff.Class == compare.ClassZeroSign {
		class = string(impl.Documented) // the flush is measured, the sign is not
	}
	switch {
	case strings.HasPrefix(d.Name, "op.") || d.Name == "stages":
		return class, report.Unsupported
	case d.Name == "rcp" || d.Name == "ex2":
		return class, report.Precision
	case want.End == view.Trapped:
		return class, report.Guess // a core need not freeze where a console does
	case class == string(impl.Console):
		return class, report.Console
	case class == string(impl.Documented):
		return class, report.Documented
	}
	return class, report.Guess
}
