package writer

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// wrapper is a tool around another one.
type wrapper interface{ Unwrap() Tool }

// behindOthers returns crashes of processes after earlier answers that a fresh process does not
// show: each with the earlier sources that it needs or, if these do not repeat it, as flaky.
func (s *session) behindOthers(ctx context.Context) (list []report.Deviation) {
	tool := s.tool
	for w, ok := tool.(wrapper); ok; w, ok = tool.(wrapper) {
		tool = w.Unwrap()
	}
	p, ok := tool.(*Protocol)
	if !ok {
		return nil
	}
	for _, d := range p.damages() {
		s.Progress("replaying " + d.Fault)
		shows := func(earlier []*Text) bool {
			a, err := p.sequence(ctx, append(slices.Clone(earlier), d.Text))
			return err == nil && ctx.Err() == nil && a.Fate == Crashed && a.Fault == d.Fault
		}
		earlier, level := d.Earlier, report.Flaky
		if shows(earlier) {
			earlier, level = reduce.Fewer(earlier, shows), report.Crash
		}
		what := "behind other sources: " + d.Fault
		x := s.entry(what, &finding{level: level, what: what, where: "the tool",
			expected: "as in a process of its own: no crash",
			observed: fmt.Sprintf("%s, behind %d other sources", d.Message, len(earlier)), stderr: d.Stderr}, d.Text)
		x.Count = d.count
		x.Note =
			fmt.Sprintf("the process keeps state from source to source: the failure needs %d sources before this one",
				len(earlier))
		if level == report.Flaky {
			x.Note = "the same sources in a fresh process do not show it again"
		}
		x.Reproduce = p.reproduceSequence(append(slices.Clone(earlier), d.Text))
		list = append(list, x)
	}
	return list
}
