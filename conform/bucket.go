package conform

import (
	"slices"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/report"
)

// bucket is a group of findings that look alike, with its first job reduced.
type bucket struct {
	report.Member
	also []report.Member // of the core set: buckets that a known trigger explains
	*finding
	known []*hypothesis.Hypothesis // proved changes of the model that the finding takes for granted
}

// cause is the common fault of several buckets.
type cause struct {
	Key     string
	Opcodes []string
	trigger trigger
	Buckets []*bucket // the bucket with the smallest program first
	// hangs says that no suite runs into the cause, because each time costs a time limit.
	hangs bool
	// kills says that the core dies of every program that brings the cause about: suites ask for one in oneCrash.
	kills bool
}

// record adds a bucket to its cause, or makes a new cause.
func (s *session) record(b *bucket) {
	s.buckets = append(s.buckets, b)
	s.causes = merge(s.causes, b)
}

// settleFlaky gives each flaky bucket to the cause with random answers whose trigger its job brings about. The core
// answered right when that job was made smaller.
func (s *session) settleFlaky(w *watcher) {
	random := triggersOf(s.random())
	settled := map[*bucket]bool{}
	for _, b := range s.buckets {
		if b.outcome != Flaky {
			continue
		}
		if c := s.attributed(b.job, w, random); c != nil {
			c.Buckets[0].also = append(c.Buckets[0].also, b.Member)
			settled[b] = true
		}
	}
	isSettled := func(b *bucket) bool { return settled[b] }
	s.buckets = slices.DeleteFunc(s.buckets, isSettled)
	for _, c := range s.causes {
		c.Buckets = slices.DeleteFunc(c.Buckets, isSettled)
	}
	s.causes = slices.DeleteFunc(s.causes, func(c *cause) bool { return len(c.Buckets) == 0 })
}

// merge adds a bucket to a list of causes.
func merge(causes []*cause, b *bucket) []*cause {
	i := slices.IndexFunc(causes, func(c *cause) bool { return c.Key == b.subject })
	if i < 0 {
		return append(causes, &cause{Key: b.subject, Opcodes: []string{b.opcode}, trigger: b.trigger,
			Buckets: []*bucket{b}})
	}
	c := causes[i]
	if !slices.Contains(c.Opcodes, b.opcode) {
		c.Opcodes = append(c.Opcodes, b.opcode)
	}
	c.trigger.present = c.trigger.present.with(b.trigger.present)
	c.trigger.beyond.ops = c.trigger.beyond.ops.with(b.trigger.beyond.ops)
	c.Buckets = append(c.Buckets, b)
	slices.SortStableFunc(c.Buckets, func(a, b *bucket) int { return len(a.job.Code) - len(b.job.Code) })
	return causes
}

// random lists the causes whose programs fail only sometimes, or in several ways.
func (s *session) random() (list []*cause) {
	for _, c := range s.causes {
		if slices.ContainsFunc(c.Buckets, func(b *bucket) bool { return b.random != "" }) {
			list = append(list, c)
		}
	}
	return list
}

// triggersOf lists the triggers of causes, in their order.
func triggersOf(causes []*cause) (list triggers) {
	for _, c := range causes {
		list = append(list, &c.trigger)
	}
	return list
}
