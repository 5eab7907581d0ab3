package reader

import (
	"context"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// bounds limit the reduction of a file by numbers, not by a time: a report does not depend on the
// load of the machine.
type bounds struct {
	tries, bytes int // candidates, and their bytes in all
	asked        int // candidates that are shown to the reader
}

// The bounds of a reduction, and those for a file that costs too much. Its candidates get a part of
// the time limit, and the result is shown again with all of it.
var (
	usualBounds = bounds{20_000, 256 << 20, 300}
	slowBounds  = bounds{20_000, 256 << 20, 50}
)

const shortLimit = 100 * time.Millisecond

// readShort reads a file on which the reader may hang.
func (x *run) readShort(ctx context.Context, format string, data []byte) (Reply, error) {
	x.requests.Add(1)
	return x.reader.Read(ctx, format, data, min(x.Limit, max(shortLimit, 10*x.usual)))
}

// reducedCause makes a cause of a case that fails alone.
func (x *run) reducedCause(ctx context.Context, from gen.Format, c *shownCase, members []*shownCase,
	base *Reply) report.Deviation {
	w, data := *c.wrong, c.Data
	if reduced, ok := x.reduced(ctx, from, c, base); ok {
		data = reduced
	}
	format, _ := registry.ByName(from.Name)
	if rule := ruleOf(format, data); rule != "" && unnamed(c) {
		w.name += " (" + rule + ")"
	}
	if w.slow() {
		w.name = kindOf(w.name) + ": " + x.with(c, data).costly()
	}
	return x.deviation(from, w, data, &c.Reply, members)
}

// unnamed reports whether only the end of the reader names the cause.
func unnamed(c *shownCase) bool {
	return c.Outcome == Crashed && !strings.Contains(c.Fault, " in ") && !strings.Contains(c.Fault, " at ")
}

// reduced returns the smallest file with the same failure that breaks no other rule.
func (x *run) reduced(ctx context.Context, from gen.Format, c *shownCase, base *Reply) ([]byte, bool) {
	most, read := usualBounds, x.read
	if c.wrong.slow() {
		most, read = slowBounds, x.readShort
	}
	return x.within(ctx, most, from, c, base, read)
}

// within is reduced within bounds.
func (x *run) within(ctx context.Context, most bounds, from gen.Format, c *shownCase, base *Reply,
	read func(ctx context.Context, format string, data []byte) (Reply, error)) ([]byte, bool) {
	format, _ := registry.ByName(from.Name)
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	asked, size, faithful := 0, 0, faithful(format, &c.Case)
	r, err := reduce.File(bounded, c.Data, func() reduce.Interesting {
		return func(b []byte) bool {
			if size += len(b); size > most.bytes && asked > 0 {
				cancel()
				return false
			}
			if !faithful(b) {
				return false
			}
			if asked++; asked > most.asked {
				cancel()
				return false
			}
			reply, err := read(ctx, from.Name, b)
			return err == nil && x.shows(x.with(c, b), &reply, base)
		}
	}, reduce.Options{Workers: 1, MaxTries: most.tries})
	if err != nil {
		return nil, false
	}
	// The tries in one process may have changed it.
	again, err := x.alone(ctx, &Shown{from.Name, r.Data})
	return r.Data, err == nil && x.shows(x.with(c, r.Data), &again, base)
}

// with returns the case with another file.
func (x *run) with(c *shownCase, b []byte) *shownCase {
	other := *c
	other.Data = b
	other.Class, other.Because = x.standards.class(b)
	return &other
}

// faithful returns a function, for one goroutine, that reports whether a smaller file has the same
// fault as the file of a case. It must break no other rule, and no rule in another way. It must
// break the rule for which the file was made, and some rule if the file breaks any.
func faithful(format registry.Format, c *Case) func(b []byte) bool {
	list := complaints(format, c.Data)
	before, waysBefore := rulesOf(list), map[string]bool{}
	for _, f := range list {
		waysBefore[wayOf(&f)] = true
	}
	kept := map[string]bool{} // whether a way was there before, by rule and expectation: wayOf is slow
	return func(b []byte) bool {
		list := complaints(format, b)
		rules := rulesOf(list)
		for rule := range rules {
			if !before[rule] {
				return false
			}
		}
		for _, f := range list {
			text := f.Rule + " " + f.Expected
			ok, known := kept[text]
			if !known {
				ok = waysBefore[wayOf(&f)]
				kept[text] = ok
			}
			if !ok {
				return false
			}
		}
		return len(rules) > 0 == (len(before) > 0) && (c.Kind != Trigger || rules[c.Rule] == before[c.Rule])
	}
}

// rulesOf returns the rules of findings.
func rulesOf(list []diag.Finding) map[string]bool {
	rules := map[string]bool{}
	for _, f := range list {
		rules[f.Rule] = true
	}
	return rules
}

// wayOf returns the rule of a finding with its expectation without numbers: XML can be malformed in
// many ways.
func wayOf(f *diag.Finding) string { return f.Rule + " " + command.Generic(f.Expected, nil) }
