package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/hunt"
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
	w := newWatcher()
	tries := 0
	for _, b := range buckets {
		member := report.Member{Key: b.Key, Suite: b.Target, Number: s.number(r, b.Number), Count: b.Count}
		reduced := member
		switch {
		case !r.core:
			reduced.Key += ", avoiding known causes"
		case r.number > 0:
			reduced.Key += fmt.Sprintf(", avoiding the causes of round %d", r.number-1)
		}
		makeJob, _ := source(b.Target, s.Seed)
		job := s.jobOf(r, makeJob, w, b.Number)
		known := r.masks
		if r.core {
			known = newMasks(triggersOf(s.causes))
		}
		if gravity(b.Key) == gravityOfCrash {
			known = s.crashing(known)
		}
		if c := s.attributed(job, w, known); c != nil {
			if first := c.Buckets[0]; r.core {
				first.also = append(first.also, member)
			}
			continue
		}
		if ctx.Err() != nil || tries >= maxBuckets {
			s.notReduced = append(s.notReduced, reduced)
			continue
		}
		s.Progress(fmt.Sprintf("round %d: reducing %s", r.number, b.Key))
		f, ok := s.reduced(ctx, job, b.Target, known)
		tries++
		if ok {
			s.record(&bucket{Member: reduced, finding: f})
		}
	}
	return nil
}

// gravity orders the buckets of a suite: wrong values, which explain themselves best, then
// crashes, then failures that cost a time limit.
func gravity(key string) int {
	_, rest, _ := strings.Cut(key, ": ")
	class, _, _ := strings.Cut(rest, ":")
	return slices.Index([]string{Crash, Hang}, class)
}

// gravityOfCrash is the gravity of crashes, which a wrong value does not explain.
const gravityOfCrash = 0

// attributed returns the cause whose trigger a job brings about.
func (s *session) attributed(job *pica.Job, w *watcher, known masks) *cause {
	if len(known) == 0 {
		return nil
	}
	uses := w.uses(job)
	for i, m := range known {
		if m.hitsJob(job) || len(m.hits(job, uses)) > 0 {
			return s.causes[i]
		}
	}
	return nil
}

// crashing returns the masks of a list whose causes are crashes: a wrong value does not explain
// a crash.
func (s *session) crashing(known masks) masks {
	list := slices.Clone(known)
	for i := range list {
		if s.causes[i].Buckets[0].outcome != Crash {
			list[i] = newMask(trigger{})
		}
	}
	return list
}
