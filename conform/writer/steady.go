package writer

import (
	"bytes"
	"context"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
)

// repeats is the number of times that a nondeterministic tool gets an input before its answer
// counts.
const repeats = 8

// equals reports whether two answers to one input are equal.
func (a *Answer) equals(b *Answer) bool { return a.Fate == b.Fate && bytes.Equal(a.Data, b.Data) }

// unsteady returns the finding about a tool that shows a finding only sometimes.
func unsteady(f *finding) *finding {
	switch f.level {
	case report.NotDeterministic:
		return f
	case report.Hang: // the machine may be busy
		again := *f
		again.level = report.Flaky
		return &again
	}
	return &finding{level: report.NotDeterministic, what: twoResults, where: f.where, expected: "the same each time",
		observed: f.key() + " now and then: " + f.observed, stderr: f.stderr}
}

// twoResults names the cause of a tool that is not deterministic.
const twoResults = "two runs, two results"

// steady reports whether the tool can be trusted with an input: it always gives the same answer. An error says nothing
// about the tool and counts as the same.
func (s *run[T]) steady(ctx context.Context, t *source.Text, same func(a *Answer) bool) bool {
	if !s.unsteady {
		return true
	}
	for range repeats {
		if a, err := s.tool.Assemble(ctx, t); err != nil {
			return true
		} else if !same(&a) {
			return false
		}
	}
	return true
}

// steadied returns the sightings, each replaced by the finding unsteady if the tool does not show it each time. If that
// can be told, it does not matter what else in its answers differs.
func (s *session) steadied(ctx context.Context, list []sighting) []sighting {
	for i := range list {
		x := &list[i]
		same := x.answer.equals
		if x.in != nil {
			first := x.in(x.answer)
			same = func(a *Answer) bool {
				f := x.in(a)
				return f != nil && f.key() == first.key() && f.observed == first.observed
			}
		}
		if !s.steady(ctx, x.text, same) {
			x.finding, x.alone = unsteady(x.finding), false
			x.title = x.finding.title()
		}
	}
	return list
}
