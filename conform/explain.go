package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// maxBuckets limits the number of reduced buckets of a round. The report lists the others.
const maxBuckets = 80

// explain reduces the first job of each bucket, in the order of the suites, and merges the
// results. In a round of the core set, a bucket whose job brings about the trigger of an earlier
// cause belongs to that cause; behind the core set each bucket stays on its own, so that every
// shard explains it alike.
func (s *session) explain(ctx context.Context, state *hunt.State, r round) error {
	buckets := slices.Clone(state.Buckets)
	order := func(b *hunt.Bucket) int { return slices.Index(Suites, b.Target) }
	slices.SortStableFunc(buckets, func(a, b *hunt.Bucket) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(gravity(a.Key), gravity(b.Key)),
			cmp.Compare(a.Key, b.Key))
	})
	w, jobs, m := s.newWatcher(), s.jobsOf(r), s.newMortal()
	tries := 0
	defer func() { s.explainFatal(ctx, s.fatalBuckets(buckets, r, jobs), r.core) }()
	for _, b := range buckets {
		key := parseKey(b.Key)
		if key.foreseen {
			continue
		}
		member := report.Member{Key: b.Key, Suite: b.Target, Number: s.number(r, b.Number), Count: b.Count}
		reduced := member
		switch {
		case !r.core:
			reduced.Key += ", avoiding known causes"
		case r.number > 0:
			reduced.Key += fmt.Sprintf(", avoiding the causes of round %d", r.number-1)
		}
		job := reduce.Clone(jobs(b.Target, b.Number))
		known := r.masks
		if r.core {
			known = triggersOf(s.causes)
		}
		attributed := s.attributed
		if outcome := key.end(); outcome == Crash {
			known, attributed = s.ending(Crash, known), s.killer
		} else if outcome == Hang {
			attributed = s.killer
		}
		if c := attributed(job, w, known); c != nil {
			// A later round repeats the jobs.
			if first := c.Buckets[0]; r.core && r.number == 0 {
				first.also = append(first.also, member)
			}
			continue
		}
		if key.end() == Crash && s.lacks().Deadly(pica.ADD) && s.diesOf(job) {
			continue // the cause of ADD says so
		}
		if m.explains(job, key.end()) {
			continue // a proved cause says so
		}
		if c := s.alike(key.class); c != nil {
			c.Buckets[0].also = append(c.Buckets[0].also, reduced)
			continue
		}
		if ctx.Err() != nil || tries >= maxBuckets {
			s.leave(reduced, job)
			continue
		}
		s.Progress(fmt.Sprintf("round %d: reducing %s", r.number, b.Key))
		f, ok := s.reduced(ctx, job, b.Target, known)
		if ctx.Err() != nil {
			s.leave(reduced, job)
			continue
		}
		tries++
		if ok {
			s.record(&bucket{Member: reduced, finding: f.failedAs(key.class, b.Text)})
		}
	}
	s.settleFlaky(w)
	return nil
}

// leave lists a bucket that is not reduced. A program that kills or hangs the core is an entry all the
// same.
func (s *session) leave(m report.Member, job *pica.Job) {
	if outcome := parseKey(m.Key).end(); outcome != "" {
		s.record(&bucket{Member: m, finding: notReduced(job, outcome)})
	} else {
		s.notReduced = append(s.notReduced, m)
	}
}

// gravity orders the buckets of a suite: wrong values, which explain themselves best, then
// crashes, then failures that cost a time limit.
func gravity(key string) int { return slices.Index([]string{Crash, Hang}, parseKey(key).end()) }

// alike returns an unexplained cause with a class of difference, or an end, if so many have it that the report joins
// them: one more program would say nothing new.
func (s *session) alike(class string) (last *cause) {
	n := 0
	for _, c := range s.causes {
		if f := c.Buckets[0]; f.opcodes != nil && (f.outcome == class || f.outcome == Differ && f.class == class) {
			last, n = c, n+1
		}
	}
	if n < report.ManyAlike {
		return nil
	}
	return last
}

// killer is attributed for a job that kills or hangs the core. The model may predict nothing from some
// instruction on, which the console executes.
func (s *session) killer(job *pica.Job, w *watcher, known triggers) *cause {
	if c := s.attributed(job, w, known); c != nil {
		return c
	}
	return s.attributed(under(job, profile.HW()), w, known)
}

// attributed returns the cause whose trigger a job brings about.
func (s *session) attributed(job *pica.Job, w *watcher, known triggers) *cause {
	if len(known) == 0 {
		return nil
	}
	uses := w.uses(job)
	if i := slices.IndexFunc(known, func(t *trigger) bool { return t.hit(job, uses) }); i >= 0 {
		return s.causeOf(known[i])
	}
	return nil
}

// causeOf returns the cause of a trigger, nil for none.
func (s *session) causeOf(t *trigger) *cause {
	if i := slices.IndexFunc(s.causes, func(c *cause) bool { return &c.trigger == t }); i >= 0 {
		return s.causes[i]
	}
	return nil
}

// ending returns the masks of a list whose causes have an outcome: a wrong value does not explain a
// crash.
func (s *session) ending(outcome string, known triggers) triggers {
	list := slices.DeleteFunc(slices.Clone(known), func(t *trigger) bool {
		c := s.causeOf(t)
		return c == nil || c.Buckets[0].outcome != outcome
	})
	return list
}
