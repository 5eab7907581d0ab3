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

// differs reports whether two answers to one input differ.
func (a *Answer) differs(b *Answer) bool { return a.Fate != b.Fate || !bytes.Equal(a.Data, b.Data) }

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

// steady reports whether a finding about an input can be trusted: all answers to the input equal the one
// before. An error says nothing about the tool and counts as equal.
func (s *run[T]) steady(ctx context.Context, t *source.Text, before *Answer) bool {
	if !s.unsteady {
		return true
	}
	for range repeats {
		again, err := s.tool.Assemble(ctx, t)
		if err != nil {
			return true
		}
		if before != nil && before.differs(&again) {
			return false
		}
		before = &again
	}
	return true
}

// shownAgain reports whether the tool shows the finding about a source each time, whatever else
// in its answers differs.
func (s *session) shownAgain(ctx context.Context, x *sighting) bool {
	if !s.unsteady || x.in == nil {
		return s.steady(ctx, x.text, x.answer)
	}
	first := x.in(x.answer)
	for range repeats {
		a, err := s.tool.Assemble(ctx, x.text)
		if err != nil {
			return true // an error says nothing about the tool
		}
		if f := x.in(&a); f == nil || f.key() != first.key() || f.observed != first.observed {
			return false
		}
	}
	return true
}

// steadied returns the sightings, each replaced by the finding unsteady if the tool does not
// always show it.
func (s *session) steadied(ctx context.Context, list []sighting) []sighting {
	for i := range list {
		if x := &list[i]; !s.shownAgain(ctx, x) {
			x.finding, x.alone = unsteady(x.finding), false
			x.title = x.finding.title()
		}
	}
	return list
}
