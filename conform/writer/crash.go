package writer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/grouped"
)

// nameless reports whether a crash is known by a signal or an exit status alone, so that only its smallest
// input tells it from another one.
func (f *finding) nameless() bool {
	return f.level == report.Crash && (strings.HasPrefix(f.what, "SIG") || strings.HasPrefix(f.what, "exit status"))
}

// mostCrashes is the number of nameless crashes of wrong sources that are told apart. A tool with more
// crashes on whatever it should refuse, which is one cause.
const mostCrashes = 12

// shrunk gives nameless crashes their smallest sources, by which they are told apart.
func (s *session) shrunk(ctx context.Context, lists ...[]sighting) {
	crashes := map[string][]*sighting{} // by the mistake
	for _, list := range lists {
		for i := range list {
			if x := &list[i]; x.nameless() {
				crashes[x.note] = append(crashes[x.note], x)
			}
		}
	}
	if len(crashes) > mostCrashes {
		return
	}
	for _, same := range crashes {
		small := slices.MinFunc(same, func(a, b *sighting) int { return cmp.Compare(size(a.text), size(b.text)) })
		f := *small.finding
		text := s.shrink(ctx, small.text, &f)
		for _, x := range same {
			x.finding, x.text, x.title, x.alone, x.in = &f, text, f.title()+" ("+f.needs()+")", false, nil
		}
	}
}

// shrink returns the lines of a source that a nameless crash needs, and notes their words.
func (s *session) shrink(ctx context.Context, t *source.Text, f *finding) *source.Text {
	with := func(lines []string) *source.Text {
		small := *t
		small.Files = append([]string{strings.Join(lines, "")}, t.Files[1:]...)
		return &small
	}
	lines := reduce.Fewer(strings.SplitAfter(t.Files[0], "\n"), func(lines []string) bool {
		small := with(lines)
		a, err := s.tool.Assemble(ctx, small)
		g := fated(&a, small)
		return err == nil && g != nil && g.key() == f.key()
	})
	f.words = []string{}
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 0 {
			f.words = append(f.words, words[0])
		}
	}
	f.words = unique(f.words)
	return with(lines)
}

// needs returns the words of the lines that a nameless crash needs.
func (f *finding) needs() string { return cmp.Or(strings.Join(f.words, " "), "an empty source") }

// within reports whether a list has all the words of another one.
func within(words, list []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(list, w) })
}

// nameless merges the nameless crashes of programs: the source of one cause has no line that the other
// sources lack.
func nameless(list []cause) (causes []cause) {
	slices.SortStableFunc(list, func(a, b cause) int { return cmp.Compare(len(a.words), len(b.words)) })
	first := func(c *cause) string {
		i := slices.IndexFunc(list, func(of cause) bool { return within(of.words, c.words) })
		return list[i].shown
	}
	for _, same := range grouped.By(list, first) {
		causes = append(causes, joined(same, same[0].ops))
	}
	return causes
}
