package conform

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// A death is a program outside the suites that killed or hung the core.
type death struct {
	part    string // of the run, as a suite
	number  uint64
	job     *pica.Job
	outcome string
}

// witness notes an answer of some part of the run if a crash or a hang took its place.
func (s *session) witness(part string, number int, job *pica.Job, outcome string) {
	if outcome != Crash && outcome != Hang {
		return
	}
	d := death{part, uint64(number), reduce.Clone(job), outcome}
	d.job.Initial = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deaths = append(s.deaths, d)
}

// witnessAll notes the answers of a part of the run.
func (s *session) witnessAll(part string, answers []fingerprint.Answer) {
	for i := range answers {
		s.witness(part, i, answers[i].Job, fatalEnds[answers[i].Got.End])
	}
}

// fatalEnds are the outcomes of a crash and a hang.
var fatalEnds = map[view.End]string{view.Crashed: Crash, view.Hung: Hang}

// seen returns how an entry shows a crash or a hang, with what is known of it: "crash exit 1".
func seen(outcome, kind, message string) string {
	return strings.Join(strings.Fields(outcome+" "+kind+" "+message), " ")
}

// endOf returns how a program ended, Missing if nobody knows.
func endOf(a adapter.Answer) view.End {
	if a.Kind == adapter.KindInterrupted {
		return view.Missing
	}
	return view.OfAnswer(a).End
}

// explainDeaths explains the deaths outside the suites. Each program counts once, and a program of a
// suite counts there.
func (s *session) explainDeaths(ctx context.Context) {
	j, watch, shape, m := s.newJudge(ctx), s.newWatcher(), newShaper(), s.newMortal()
	var fatal []aFatal
	var others []aFatal
	for _, d := range s.ownDeaths() {
		job := under(d.job, s.model)
		j.expect(job, false)
		foreseen := fatalEnds[j.want.End] == d.outcome
		if foreseen && j.proved(job) || m.explains(job, d.outcome) {
			continue
		}
		shapes := shape.of(job)
		switch {
		case d.outcome == Hang && (j.hangsOnConsole(job) || foreseen && j.lacking(job)): // the core need not end, either
		case foreseen && len(shapes) > 0 && (d.outcome == Hang || !s.diesOf(job)):
			key := bucketKey{suite: d.part, class: d.outcome, foreseen: true, parts: shapes}
			fatal = grouped(fatal, key.String(), d, shapes)
		default:
			parts := flowKinds(watch.uses(job))
			if last := lastComputing(watch.uses(job)); last != "" {
				parts = append(parts, last)
			}
			others = grouped(others, bucketKey{suite: d.part, class: d.outcome, parts: parts}.String(), d, nil)
		}
	}
	s.explainFatal(ctx, fatal, true)
	for _, g := range others {
		known := s.ending(g.outcome, triggersOf(s.causes))
		if c := s.killer(under(g.job, s.model), watch, known); c != nil {
			c.Buckets[0].also = append(c.Buckets[0].also, g.Member)
			continue
		}
		uses := watch.uses(under(g.job, s.model))
		beyond := func(c *cause) bool { return c.trigger.beyond != limit{} && c.trigger.hit(g.job, uses) }
		if i := slices.IndexFunc(s.causes, beyond); i >= 0 {
			s.causes[i].Buckets[0].also = append(s.causes[i].Buckets[0].also, g.Member)
			continue
		}
		if g.outcome == Crash && s.diesOf(g.job) {
			continue // the cause of that opcode says so
		}
		if ctx.Err() != nil {
			s.record(&bucket{Member: g.Member, finding: notReduced(g.job, g.outcome)})
			continue
		}
		s.Progress("reducing a " + g.outcome)
		f, ok := s.reduced(ctx, g.job, g.Suite, known)
		if ctx.Err() != nil {
			f, ok = notReduced(g.job, g.outcome), true
		}
		if ok {
			s.record(&bucket{Member: g.Member, finding: f.failedAs(g.outcome, "")})
		}
	}
}

// grouped adds a death to the group of its key.
func grouped(groups []aFatal, key string, d death, shapes []string) []aFatal {
	if i := slices.IndexFunc(groups, func(g aFatal) bool { return g.Key == key }); i >= 0 {
		groups[i].Count++
		return groups
	}
	return append(groups, aFatal{report.Member{Key: key, Suite: d.part, Number: d.number, Count: 1}, d.outcome, shapes,
		d.job})
}

// ownDeaths returns the deaths, in a fixed order, without programs that a suite has and without
// programs that occur again.
func (s *session) ownDeaths() (list []death) {
	if len(s.deaths) == 0 {
		return nil
	}
	slices.SortFunc(s.deaths, func(a, b death) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.number, b.number),
			bytes.Compare(encode(a.job), encode(b.job)))
	})
	seen := map[string]bool{}
	code := func(job *pica.Job) string { return fmt.Sprint(job.Code) }
	codes := map[string]bool{}
	for _, d := range s.deaths {
		codes[code(d.job)] = true
	}
	for _, suite := range s.suites {
		job, _ := source(suite.Name, s.Seed)
		for n := range s.cases(suite.Name, round{core: true}) {
			if x := job(n); codes[code(x)] {
				seen[string(encode(x))] = true
			}
		}
	}
	explained := func(d death) bool {
		return slices.ContainsFunc(s.buckets, func(b *bucket) bool { return b.Suite == d.part && b.Number == d.number })
	}
	for _, d := range s.deaths {
		if key := string(encode(d.job)); !seen[key] && !explained(d) {
			seen[key] = true
			list = append(list, d)
		}
	}
	return list
}
