package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Baseline lists the causes that are known, a line each: NAME OUTCOME # reason. The
// outcome is a level, with hyphens in the place of spaces, or "skip". Causes that are
// expected to be "flaky" may be there or not, whatever their outcome, and so may those
// to "skip": the first come and go by themselves, the others are of no interest. Names
// have underscores in the place of spaces.
type Baseline []Expected

// Cause is what a baseline can expect: an entry of a report of any kind.
type Cause struct {
	Name, Outcome string
	Text          string // the reason that a new baseline gives
	Bad           bool   // it counts against what is judged
}

// Expected is a line of a baseline.
type Expected struct {
	Name, Outcome, Reason string
}

// Skip is the outcome of a cause that is of no interest.
const Skip = "skip"

// comesAndGoes reports whether the cause may be there or not.
func (e *Expected) comesAndGoes() bool { return e.Outcome == Skip || e.Outcome == string(Flaky) }

// ReadBaseline reads a baseline. A line without a reason, or with an outcome that is
// none of those given, is an error.
func ReadBaseline[L ~string](r io.Reader, outcomes []L) (b Baseline, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		entry, reason, _ := strings.Cut(line, " #")
		fields := strings.Fields(entry)
		if len(fields) != 2 || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("line %d: %q: want NAME OUTCOME # reason", n, line)
		}
		outcome := fields[1]
		if outcome != Skip && !slices.ContainsFunc(outcomes, func(l L) bool { return hyphenated(string(l)) == outcome }) {
			return nil, fmt.Errorf("line %d: unknown outcome %q", n, outcome)
		}
		b = append(b, Expected{fields[0], outcome, strings.TrimSpace(reason)})
	}
	return b, lines.Err()
}

func hyphenated(s string) string { return strings.ReplaceAll(s, " ", "-") }

func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

// WriteBaseline writes the causes that count against what is judged as a baseline. It
// keeps the reasons that before has, and what before lets come and go.
func WriteBaseline(w io.Writer, causes []Cause, before Baseline) error {
	b := bufio.NewWriter(w)
	line := func(e Expected) { fmt.Fprintf(b, "%s %s # %s\n", e.Name, e.Outcome, e.Reason) }
	for _, e := range before {
		if e.comesAndGoes() {
			line(e)
		}
	}
	for _, c := range causes {
		e := Expected{underscored(c.Name), hyphenated(c.Outcome), strings.Join(strings.Fields(c.Text), " ")}
		i := slices.IndexFunc(before, func(x Expected) bool { return x.Name == e.Name })
		if !c.Bad || i >= 0 && before[i].comesAndGoes() {
			continue
		}
		if i >= 0 {
			e.Reason = before[i].Reason
		}
		line(e)
	}
	return b.Flush()
}

// Against compares causes with the baseline: those that it does not list, those whose
// outcome is another one, and those that it lists and that are gone, which is an
// unexpected pass. The list is empty when everything is as expected.
func (b Baseline) Against(causes []Cause) (unexpected []string) {
	at := make(map[string]int, len(b))
	for i, e := range b {
		at[e.Name] = i
	}
	seen := map[string]bool{}
	for _, c := range causes {
		name := underscored(c.Name)
		i, known := at[name]
		switch {
		case !known && c.Bad:
			unexpected = append(unexpected, fmt.Sprintf("new: %s (%s)", c.Name, c.Outcome))
		case known && !b[i].comesAndGoes() && b[i].Outcome != hyphenated(c.Outcome):
			unexpected = append(unexpected, fmt.Sprintf("changed: %s (%s, expected %s)", c.Name, c.Outcome, b[i].Outcome))
		}
		seen[name] = true
	}
	for _, e := range b {
		if !seen[e.Name] && !e.comesAndGoes() {
			unexpected = append(unexpected, fmt.Sprintf("unexpected pass: %s (%s)", e.Name, e.Outcome))
		}
	}
	return unexpected
}

// Causes returns the deviations for a baseline.
func (r *Report) Causes() []Cause {
	list := make([]Cause, len(r.Deviations))
	for i := range r.Deviations {
		d := &r.Deviations[i]
		list[i] = Cause{d.Bucket, string(d.Verdict), fmt.Sprintf("%s: expected %s, observed %s", d.Where, d.Expected, d.Observed), d.Verdict.Bad()}
	}
	return list
}
