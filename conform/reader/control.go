package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/nearest"
)

// ErrNoValid reports a reader that refuses every valid file: it proves nothing that it refuses
// the others.
var ErrNoValid = errors.New("the reader accepts no valid file")

// ErrEarly reports a run that ended before the reader accepted a valid file: it says nothing.
var ErrEarly = errors.New("the run ended before the reader accepted a file")

// acceptsNone returns ErrNoValid if the reader refused every valid file. A reader that crashes or
// hangs has causes instead.
func (x *run) acceptsNone(from gen.Format, all []shownCase) error {
	var refused *shownCase
	for i := range all {
		c := &all[i]
		switch {
		case c.Outcome == Crashed, c.Outcome == Hung, c.Class == diag.MustAccept && c.Outcome == Accepted:
			return nil
		case c.Class == diag.MustAccept && (refused == nil || len(c.Data) < len(refused.Data)):
			refused = c
		}
	}
	if refused == nil {
		return nil
	}
	line := x.Name
	if s, ok := x.inner().(starter); ok {
		line = s.Started(from.Name)
	}
	message := string(refused.Outcome)
	if refused.Message != "" {
		message += ": " + refused.Message
	}
	return fmt.Errorf("%s: %w: %s: %s", from.Name, ErrNoValid, line, message)
}

// starter is a reader that knows the command line of a run, wrapper one that passes files on to another.
type (
	starter interface {
		Started(format string) string
		Named(format, name string) string
	}
	wrapper interface{ Unwrap() Reader }
)

// inner returns the reader itself.
func (x *run) inner() Reader {
	if w, ok := x.reader.(wrapper); ok {
		return w.Unwrap()
	}
	return x.reader
}

// Limits of the further draws of a way to break a rule.
const (
	furtherRounds = 16
	// furtherShare bounds the further files of a format: as many as all files.
	furtherShare = 1
)

// further draws more files for the ways to break a rule whose near misses were all refused, until
// one is accepted: half of them from the choices of near misses that were accepted, because the
// reader is known to accept such a base.
func (x *run) further(ctx context.Context, from gen.Format, all []shownCase, base *Reply) ([]shownCase, error) {
	accepted := acceptedFiles(all)
	var open []int
	var good []func() *gen.Choices
	for i := range all {
		switch c := &all[i]; {
		case c.Kind == Trigger && c.Class == diag.MustRefuse && !slices.Contains(open, c.way):
			open = append(open, c.way)
		case c.Kind == NearMiss && accepted[string(c.Data)] && c.Number%x.Repeats > 0:
			good = append(good, c.draw)
		}
	}
	closeAccepted := func(list []shownCase) {
		for i := range list {
			if c := &list[i]; c.Kind == NearMiss && c.Outcome == Accepted {
				open = slices.DeleteFunc(open, func(way int) bool { return way == c.way })
			}
		}
	}
	closeAccepted(all)
	budget := furtherShare * len(all)
	for round := range uint64(furtherRounds) {
		if len(open) == 0 || len(open) > budget || x.hung.Load() >= mostHung {
			break
		}
		budget -= len(open)
		var triggers, misses []Case
		for _, way := range open {
			number := uint64(len(from.Faults()))*(x.Repeats+round) + uint64(way)
			draw := drawOf(x.Seed, number, 1+round/2)
			if len(good) > 0 && round%2 == 0 {
				draw = good[(way+int(round)*5)%len(good)]
			}
			trigger, near := x.standards.pair(from, way, number, draw)
			triggers, misses = append(triggers, trigger), append(misses, near)
		}
		shown, err := x.show(ctx, from, misses, base)
		if err != nil {
			return all, err
		}
		closeAccepted(shown)
		triggers = slices.DeleteFunc(triggers, func(c Case) bool { return slices.Contains(open, c.way) })
		answered, err := x.show(ctx, from, triggers, base)
		if err != nil {
			return all, err
		}
		all = slices.Concat(all, shown, answered)
	}
	return all, nil
}

// notTested returns the rules, in the order of the format, of which no near miss was accepted, or no
// file of the list was shown. A rule of which the reader accepts a file has a cause.
func (s *standards) notTested(list []Case, all []shownCase) (rules []report.Untested) {
	accepted := acceptedFiles(all)
	reasons := map[string]string{} // of the rules that are judged
	for i := range list {
		if c := &list[i]; c.Kind == Trigger && c.Class == diag.MustRefuse {
			if class, because := s.judged(c.breaches); class == diag.MustRefuse {
				reasons[because] = "no file was shown to the reader"
			}
		}
	}
	tested := map[string]bool{}
	for i := range all {
		if c := &all[i]; c.Kind == Trigger && c.Class == diag.MustRefuse {
			reasons[c.Because] = "no near miss was accepted"
			tested[c.Because] = tested[c.Because] || accepted[string(c.control)] || c.wrong != nil
		}
	}
	for _, r := range s.format.Rules {
		if reason := reasons[r.ID]; reason != "" && !tested[r.ID] {
			rules = append(rules, report.Untested{Suite: s.format.Name, Name: r.ID, Reason: reason})
		}
	}
	return rules
}

// controls compares the tables that the reader reads with those that it must read, judges all
// files by those, and notes what was not tested and not read.
func (x *run) controls(list []Case, all []shownCase, base *Reply) {
	s := x.standards
	var names []string
	if !refusesNothing(all) {
		names = slices.DeleteFunc(s.notRead(all), func(name string) bool { return slices.Contains(x.MustRead, name) })
	}
	for _, name := range names {
		s.unread[name] = true
	}
	for i := range all {
		if c := &all[i]; len(names) > 0 && c.Class == diag.MustRefuse {
			c.Class, c.Because = s.judged(c.breaches)
			c.wrong = judge(&c.Case, &c.Reply, base)
		}
	}
	if len(names) > 0 {
		x.report.NotRead = append(x.report.NotRead, report.Unread{Suite: s.format.Name, Tables: names})
	}
	x.report.NotTested = append(x.report.NotTested, s.notTested(list, all)...)
}

// checkTables returns an error if no format has a table that must be read.
func (o *Options) checkTables() error {
	known := Tables(o.Formats...)
	for _, name := range o.MustRead {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%q: %w; there are: %s%s", name, ErrTable, strings.Join(known, ", "),
				nearest.Hint(name, known))
		}
	}
	return nil
}
