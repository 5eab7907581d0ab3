package writer

import (
	"bytes"
	"context"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/report"
)

// repeats is how often a tool that is not deterministic is given an input before what it
// made of it is believed.
const repeats = 8

// differs reports whether a tool made something else of an input than before.
func (a *Answer) differs(b *Answer) bool { return a.Fate != b.Fate || !bytes.Equal(a.Data, b.Data) }

// steady reports whether the answers to one input are the same, and those of before. An
// error, which says nothing about the tool, is no difference.
func steady(before *Answer, ask func() (Answer, error)) bool {
	for range repeats {
		again, err := ask()
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

// unsteady returns the finding of a tool that does not show a finding each time.
func unsteady(f *finding) *finding {
	switch f.level {
	case report.NotDeterministic:
		return f
	case report.Hang: // on a loaded machine
		again := *f
		again.level = report.Flaky
		return &again
	}
	return &finding{level: report.NotDeterministic, what: twoResults, where: f.where, expected: "the same each time",
		observed: f.key() + " now and then: " + f.observed, stderr: f.stderr}
}

// twoResults names the cause of a tool that is not deterministic.
const twoResults = "two runs, two results"

// steady reports whether a finding about a source can be believed.
func (s *session) steady(ctx context.Context, t *source.Text, f *finding) bool {
	return !s.unsteady || steady(f.answer, func() (Answer, error) { return s.tool.Assemble(ctx, t) })
}

// shownAgain reports whether the tool shows what it showed of a source each time, whatever
// else of its answers differs.
func (s *session) shownAgain(ctx context.Context, x *sighting) bool {
	if !s.unsteady || x.in == nil {
		return s.steady(ctx, x.text, x.finding)
	}
	first := x.in(x.answer)
	for range repeats {
		a, err := s.tool.Assemble(ctx, x.text)
		if err != nil {
			return true // which says nothing about the tool
		}
		if f := x.in(&a); f == nil || f.key() != first.key() {
			return false
		}
	}
	return true
}

// steadied returns what sources show, where the tool does something else each time as what
// shows that.
func (s *session) steadied(ctx context.Context, list []sighting) []sighting {
	for i := range list {
		if x := &list[i]; !s.shownAgain(ctx, x) {
			x.finding, x.alone = unsteady(x.finding), false
			x.title = x.finding.title()
		}
	}
	return list
}

// steady reports whether what the tool makes of a file can be believed.
func (x *conversion) steady(ctx context.Context, data []byte) bool {
	return !x.unsteady || steady(nil, func() (Answer, error) { return x.tool.Convert(ctx, data) })
}
