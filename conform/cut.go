package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica/show"
)

// ended notes that a part of the run is not complete, if the context has ended.
func (s *session) ended(ctx context.Context, part string) {
	if ctx.Err() != nil && !slices.Contains(s.incomplete, part) {
		s.incomplete = append(s.incomplete, part)
	}
}

// cut lists what the end of the context, answers that change, and the limits of a run left out.
func (s *session) cut(ctx context.Context) (list []string) {
	if s.unknown {
		list = append(list, "the core's model")
	}
	if names, jobs := s.notAsked(); (ctx.Err() != nil || s.unknown) && jobs > 0 {
		noun, last := "suite ", len(names)-1
		if last > 0 {
			noun, names = "suites ", []string{strings.Join(names[:last], ", "), names[last]}
		}
		list = append(list, noun+strings.Join(names, " and ")+", "+show.Plural(int(jobs), "job"))
	}
	list = append(list, s.incomplete...)
	if n := len(s.notReduced); n > 0 {
		list = append(list, show.Plural(n, "group")+" of failures not explained")
	}
	dead := 0
	for _, b := range s.buckets {
		if b.opcode == unreduced {
			dead += b.Count
		}
	}
	if dead > 0 {
		list = append(list, "the reduction of "+show.Plural(dead, "program")+" in which the core dies or hangs")
	}
	return list
}

// notAsked returns the suites with jobs that were not asked for, and the number of these jobs.
func (s *session) notAsked() (names []string, jobs uint64) {
	for _, name := range s.Suites {
		all := s.cases(name, round{core: true}) + s.cases(name, round{})
		for _, suite := range s.suites {
			if suite.Name == name {
				all -= min(suite.asked, all)
			}
		}
		if all > 0 {
			names, jobs = append(names, name), jobs+all
		}
	}
	return names, jobs
}
