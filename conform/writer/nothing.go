package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// ErrAcceptsNothing says that a tool refuses whatever is right, so that no answer says anything about it.
// The text of the error has the tool's own message and its command line.
var ErrAcceptsNothing = errors.New("the tool accepts nothing")

// ErrEarly reports a run that ended before a tool accepted anything: it says nothing.
var ErrEarly = errors.New("the run ended before the tool accepted an input")

// saysSomething returns ErrEarly for the report of a run that ended too early.
func saysSomething(r *report.Report) error {
	if !r.Partial() || r.Bad() > 0 || slices.ContainsFunc(r.Suites, func(s report.Suite) bool { return s.Equal > 0 }) {
		return nil
	}
	return ErrEarly
}

// refusals counts the answers of a tool to right inputs.
type refusals struct {
	asked, refused int
	message        string // of the first refusal
	line           string // its command line
}

// offer gives the tool a right input before all others, and counts its answer.
func (s *run[T]) offer(ctx context.Context, t *source.Text) (Answer, error) {
	a, err := s.tool.Assemble(ctx, t)
	if err != nil {
		return a, err
	}
	s.first.asked++
	if a.Fate == Refused {
		if s.first.refused++; s.first.refused == 1 {
			s.first.message, s.first.line = a.Message, s.line(t)
		}
	}
	return a, nil
}

// err returns the error about a tool that refused everything, nil for another one.
func (r *refusals) err() error {
	if r.asked == 0 || r.refused < r.asked {
		return nil
	}
	message := "no message"
	if r.message != "" {
		message = fmt.Sprintf("%q", r.message)
	}
	return fmt.Errorf("%w: it refuses all of %d right inputs, with %s: %s", ErrAcceptsNothing, r.asked, message,
		cmp.Or(r.line, "function"))
}

// line returns the command line of the tool for an input.
func (s *run[T]) line(t *source.Text) string {
	var names []string
	for _, f := range s.tool.Files(t) {
		names = append(names, f.Name)
	}
	line, _ := s.tool.Named(t, names...)
	return line
}

// fit finds the frame in which the tool accepts the smallest programs, unless the user names one.
func (s *session) fit(ctx context.Context) {
	accepts := func(t *source.Text) bool {
		if s.tool.Lacks(t) != "" {
			return true // it says nothing
		}
		a, err := s.offer(ctx, t)
		s.fail(err)
		return err == nil && a.Fate == Wrote
	}
	if slices.Contains(source.Dialects, s.Dialect) {
		s.Dialect = s.Dialect.In(s.Dialect.Frame(accepts))
		if about := s.Dialect.About(); about != "" {
			s.about = about + ": the tool refuses others"
		}
		return
	}
	s.about = s.Dialect.About()
	for _, p := range s.Dialect.Probes {
		if s.Dialect.Says(p) {
			accepts(s.Dialect.Print(p))
		}
	}
}

// probed is the number of generated programs that a tool may refuse, after all that is fixed, before it counts
// as one that accepts nothing.
const probed = 20

// nothing returns the error about a tool that refuses every right source so far, and generated programs, too.
func (s *session) nothing(ctx context.Context) error {
	for n := uint64(0); n < probed && s.first.refused == s.first.asked; n++ {
		if p := s.draw(n); p != nil {
			if _, err := s.offer(ctx, s.Dialect.Print(p)); err != nil {
				return err
			}
		}
	}
	return s.first.err()
}

// probes is the number of valid files that a converter may refuse before it counts as one that accepts
// nothing.
const probes = 100

// probe asks for valid files until one is accepted, and notes the format that the tool writes.
func (x *conversion) probe(ctx context.Context, generator gen.Format) error {
	for n := uint64(0); n < probes && x.first.refused == x.first.asked; n++ {
		a, err := x.offer(ctx, asText(files.Valid(generator, gen.From(gen.Seed(x.Seed, n))).Data))
		if err != nil {
			return err
		}
		if to, ok := registry.Detect("", a.Data); ok && a.Fate == Wrote {
			x.target = to.Name
		}
	}
	return x.first.err()
}
