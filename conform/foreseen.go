package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// A crash or a hang that the core's model predicts is one all the same. Programs with one are grouped
// by the shape of their control flow. They need no trigger: the model says which programs to leave out.

// A fatal is a shape, or several together, of which a program that kills or hangs the core is known.
type fatal struct {
	shapes []string
	*finding
}

// explains reports whether a program with some shapes has those of the fatal one.
func (f *fatal) explains(outcome string, shapes []string) bool {
	return f.outcome == outcome && within(f.shapes, shapes)
}

// within reports whether a list has all of some names.
func within(some, list []string) bool {
	return !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(list, name) })
}

// Limits of the reductions of foreseen crashes and hangs: their number in a round, and the tries of each.
const (
	maxFatal   = 60
	fatalTries = 1000
)

// fatalBudgets are the steps in which a smaller program must end on the console. A program that only takes
// longer than the first is no hang of the core: the second tells.
var fatalBudgets = []int{2000, 60_000}

// aFatal is a group of programs with a foreseen crash or hang, of which the first is job.
type aFatal struct {
	report.Member
	outcome string
	shapes  []string
	job     *pica.Job
}

// explainFatal names the shape of each group of foreseen crashes and hangs. Groups with few shapes come
// first: a group that has the shapes of a known one belongs to it. In a round of the core set the
// groups become known; behind it each shard must explain a group alike.
func (s *session) explainFatal(ctx context.Context, groups []aFatal, learn bool) {
	slices.SortStableFunc(groups, func(a, b aFatal) int { return len(a.shapes) - len(b.shapes) })
	known, tries := s.fatal, 0
	for _, g := range groups {
		if g.outcome == Crash && s.diesOf(g.job) {
			continue // the cause of the opcode says so
		}
		if i := slices.IndexFunc(known, func(f fatal) bool { return f.explains(g.outcome, g.shapes) }); i >= 0 {
			s.record(&bucket{Member: g.Member, finding: known[i].finding})
			continue
		}
		if tries++; tries > maxFatal || ctx.Err() != nil {
			s.record(&bucket{Member: g.Member, finding: notReduced(g.job, g.outcome)})
			continue
		}
		s.Progress("reducing a " + g.outcome + ": " + strings.Join(g.shapes, ", "))
		f, shapes, ok := s.reducedFatal(ctx, g)
		if ctx.Err() != nil {
			s.record(&bucket{Member: g.Member, finding: notReduced(g.job, g.outcome)})
			continue
		}
		if !ok {
			continue
		}
		s.record(&bucket{Member: g.Member, finding: f})
		if learn {
			known = append(known, fatal{shapes, f})
		}
	}
	s.fatal = known
}

// unreduced stands for the opcode of programs that were not reduced.
const unreduced = "not reduced"

// notReduced is the finding of a program that kills or hangs the core, and was not made smaller.
func notReduced(job *pica.Job, outcome string) *finding {
	return &finding{outcome: outcome, subject: unreduced + ": " + outcome, opcode: unreduced, job: reduce.Clone(job),
		report: reduce.Report{End: reduce.Interrupted}, where: "end", class: "trap", expected: "an answer", observed: outcome}
}

// reducedFatal makes the first program of a group smaller, with no other shapes than it has, and names
// it by the shapes that are left. ok is false if the core neither dies nor hangs.
func (s *session) reducedFatal(ctx context.Context, g aFatal) (f *finding, shapes []string, ok bool) {
	last, soon := s.newJudge(ctx), s.newJudge(adapter.Briefly(ctx))
	last.deadly, soon.deadly = true, true
	first := last
	if g.outcome == Hang {
		first = soon // the program that is shown gets all time
	}
	if first.ask(g.job, true) != g.outcome {
		return nil, nil, false
	}
	var r reduce.JobResult
	// smaller sets r and reports whether the core dies of its program.
	smaller := func(asking context.Context, budget, most int, shows func(j *judge, c *pica.Job) bool) bool {
		var err error
		r, err = reduce.Job(ctx, g.job, reduce.Jobs{NewKey: func() reduce.Key {
			j, w := s.newJudge(asking), newShaper()
			j.deadly = true
			return func(c *pica.Job) string {
				c.Budget = min(c.Budget, budget)
				if has := w.of(c); c.Initial != nil || len(has) == 0 || !within(has, g.shapes) || !shows(j, c) {
					return ""
				}
				return g.outcome
			}
		}}, reduce.Options{Workers: 1, MaxTries: most})
		if err != nil || g.outcome == Hang && soon.ask(r.Job, true) != Hang {
			return false
		}
		return last.ask(r.Job, true) == g.outcome
	}
	// The model alone finds a small program. If the core does not die of it, the core is asked for each.
	predicted := s.predicts(first.want.End, g.job)
	small := slices.ContainsFunc(fatalBudgets, func(n int) bool { return smaller(ctx, n, maxTries, predicted) })
	byAsking := func(asking context.Context) bool {
		var hanging []*pica.Job
		return smaller(asking, fatalBudgets[0], fatalTries, func(j *judge, c *pica.Job) bool {
			if len(hanging) >= maxHangs || j.ask(c, false) != g.outcome || !j.foreseen {
				return false
			}
			if g.outcome == Hang {
				hanging = append(hanging, reduce.Clone(c))
			}
			return true
		}) || last.takesHanging(&r.Job, hanging)
	}
	if !small && !byAsking(adapter.Briefly(ctx)) && (g.outcome == Hang || !byAsking(ctx)) {
		r = reduce.JobResult{Job: reduce.Clone(g.job), Report: reduce.Report{End: reduce.Interrupted}}
		if last.ask(r.Job, true) != g.outcome {
			return nil, nil, false
		}
	}
	f = &finding{outcome: g.outcome, job: r.Job, report: r.Report, foreseen: true}
	f.show(last)
	shapes = newShaper().of(r.Job)
	f.opcode = nameOfShapes(shapes)
	f.subject = f.opcode + ": " + g.outcome
	return f, shapes, true
}

// predicts returns a function that reports whether the model predicts the crash or the hang of a job for a smaller one,
// and the console does not hang. Only a job that goes on behind its program stands for one that does: there a core may
// find anything.
func (s *session) predicts(end view.End, job *pica.Job) func(j *judge, c *pica.Job) bool {
	w := s.newWatcher()
	leaves := func(job *pica.Job) bool {
		return slices.ContainsFunc(w.uses(under(job, s.model)), func(u use) bool { return u.pc >= len(job.Code) })
	}
	may := leaves(job)
	return func(j *judge, c *pica.Job) bool {
		j.predict.View(c, &s.model, &j.want)
		return j.want.End == end && (end == view.Crashed || end == view.Hung && !j.hangsOnConsole(c)) && (may || !leaves(c))
	}
}

// nameOfShapes joins shapes: "END in a call and loop in a call", "layout of call and jump".
func nameOfShapes(shapes []string) string {
	return strings.ReplaceAll(strings.Join(shapes, " and "), " and "+layoutOf, " and ")
}

// fatalBuckets returns the buckets of a round with a foreseen crash or hang as groups; jobs returns its programs.
func (s *session) fatalBuckets(buckets []*hunt.Bucket, r round,
	jobs func(suite string, n uint64) *pica.Job) (groups []aFatal) {
	for _, b := range buckets {
		key := parseKey(b.Key)
		if !key.foreseen {
			continue
		}
		g := aFatal{report.Member{Key: b.Key, Suite: b.Target, Number: s.number(r, b.Number), Count: b.Count}, key.class,
			key.parts, reduce.Clone(jobs(b.Target, b.Number))}
		if !r.core {
			g.Key += ", avoiding known causes"
		}
		groups = append(groups, g)
	}
	return groups
}
