package ancestry

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// maxDepth is the number of trials in trials.
const maxDepth = 5

// indifferent tries the other outcomes of the decision of step k, whose effects are undone but for what decided it.
// It reports whether each brings the run to the join with the same values of what is wanted there. If so, it adds
// what these values came from.
func (s *slice) indifferent(k, taken int, join arrival) bool {
	r := &s.records[k]
	n := &s.nodes[r.node]
	if s.limits == nil || join.state == nil || s.depth == maxDepth || taken < 0 || r.Trap.Cause != pica.TrapNone {
		return false
	}
	tried := attempt{slice: s, wanted: s.wanted, found: s.found}
	var turns []trace
	for i, e := range n.next {
		if i == taken {
			continue
		}
		if e.trap || e.to == n.next[taken].to {
			return false
		}
		t, err := s.run(append(slices.Clip(s.choices), choice{r.Index, e.outcome}), r.Index, n.join)
		switch {
		case err != nil || t.states == nil:
			return false
		case t.last == r.node:
			turns = append(turns, t)
		case t.last != n.join || !tried.way(newSlice(s.runner, t, join.wanted), join.state):
			return false
		}
	}
	if !tried.turns(turns, s.trace.at(k), join, n.join) {
		return false
	}
	s.wanted, s.found, s.needed = tried.wanted, tried.found, append(s.needed, tried.needed...)
	return true
}

// An attempt collects what the ways that a run did not take come from.
type attempt struct {
	*slice
	wanted live
	found  Ancestry
	needed []int
}

// limits bound what the values of a trial may come from.
type limits struct {
	others  map[int]bool // the words that the run executed and that are no members
	sources *Ancestry    // the only inputs and uniforms
}

// way undoes a trial. It reports whether the trial ends with the values of a state in all that is wanted there, and
// whether these come from nothing beyond the limits.
func (a *attempt) way(s *slice, with *state) bool {
	a.work -= len(s.records)
	if a.work < 0 || !s.states[len(s.records)].same(with, s.wanted) {
		return false
	}
	s.depth, s.limits = a.depth+1, a.limits
	s.over()
	for pc := range s.words {
		s.needed = append(s.needed, pc)
	}
	for _, pc := range s.needed {
		if a.limits.others[pc] {
			return false
		}
	}
	a.wanted = a.wanted.with(s.wanted)
	if a.found.add(&s.found); !a.limits.sources.holds(&a.found) {
		return false
	}
	a.needed = append(a.needed, s.needed...)
	return true
}

// turns undoes the trials that come back to the decision. If each leaves all that is wanted there as it was, and that
// from what is wanted there alone, any number of them does.
func (a *attempt) turns(list []trace, with *state, join arrival, node int) bool {
	for known := false; !known; {
		before := a.wanted
		for _, t := range list {
			s := newSlice(a.runner, t, a.wanted)
			s.at[node] = join
			if !a.way(s, with) {
				return false
			}
		}
		known = before == a.wanted
	}
	return true
}

// holds reports whether an ancestry has all sources of another one.
func (a *Ancestry) holds(b *Ancestry) bool {
	union := *a
	union.add(b)
	return union.Inputs == a.Inputs && union.Floats == a.Floats && union.Ints == a.Ints && union.Bools == a.Bools
}

// add adds the sources of another ancestry.
func (a *Ancestry) add(b *Ancestry) {
	or := func(to, from []uint8) {
		for k := range to {
			to[k] |= from[k]
		}
	}
	or(a.Inputs[:], b.Inputs[:])
	or(a.Floats[:], b.Floats[:])
	or(a.Ints[:], b.Ints[:])
	for k, member := range b.Bools {
		a.Bools[k] = a.Bools[k] || member
	}
}

// same reports whether two states at one place have the same values of a set of parts.
func (s *state) same(t *state, parts live) bool {
	return equal(&s.O, &t.O, parts.o) && equal(&s.other, &t.other, parts.other) && equal(&s.R, &t.R, parts.r) &&
		s.rest(parts.rest) == t.rest(parts.rest)
}

// equal compares the parts of registers that a set contains.
func equal(a, b *[16]pica.Vec4, set uint64) bool {
	for n := 0; set != 0; n, set = n+1, set>>4 {
		for lane := range 4 {
			if set&(slotX>>lane) != 0 && a[n][lane] != b[n][lane] {
				return false
			}
		}
	}
	return true
}

// rest returns the values of a set of other parts; parts that are not in the set are 0.
func (s *state) rest(parts uint32) (values struct {
	address [2]int32
	al      int32
	cc      [2]bool
	emitter uint32
	loops   [pica.LoopDepth]pica.LoopEntry
}) {
	if parts&liveA0X != 0 {
		values.address[0] = s.Address[0]
	}
	if parts&liveA0Y != 0 {
		values.address[1] = s.Address[1]
	}
	if parts&liveAL != 0 {
		values.al = s.AL
	}
	values.cc[0] = parts&liveCCX != 0 && s.CC[0]
	values.cc[1] = parts&liveCCY != 0 && s.CC[1]
	if parts&liveEmitter != 0 {
		values.emitter = s.emitter
	}
	for k, e := range s.Stacks.Loop {
		if parts&(liveCount<<k) != 0 {
			values.loops[k].Count = e.Count
		}
		if parts&(liveStep<<k) != 0 {
			values.loops[k].Step = e.Step
		}
		if parts&(liveOuter<<k) != 0 {
			values.loops[k].OuterAL = e.OuterAL
		}
	}
	return values
}
