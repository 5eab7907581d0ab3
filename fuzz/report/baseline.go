package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Baseline lists the causes that are known, a line each: NAME OUTCOME # reason. The
// outcome is a level, with hyphens in the place of spaces, or "skip", which lets the
// cause come and go. Names have underscores in the place of spaces.
type Baseline []Expected

// Expected is a line of a baseline.
type Expected struct {
	Name, Outcome, Reason string
}

// Skip is the outcome of a cause that may be there or not.
const Skip = "skip"

// ReadBaseline reads a baseline. A line without a reason, or with an outcome that is
// none, is an error.
func ReadBaseline(r io.Reader) (b Baseline, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		entry, reason, _ := strings.Cut(line, "#")
		fields := strings.Fields(entry)
		if len(fields) != 2 || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("line %d: %q: want NAME OUTCOME # reason", n, line)
		}
		outcome := fields[1]
		if outcome != Skip && !slices.ContainsFunc(Levels, func(l Level) bool { return hyphenated(l) == outcome }) {
			return nil, fmt.Errorf("line %d: unknown outcome %q", n, outcome)
		}
		b = append(b, Expected{fields[0], outcome, strings.TrimSpace(reason)})
	}
	return b, lines.Err()
}

func hyphenated(l Level) string { return strings.ReplaceAll(string(l), " ", "-") }

func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

// WriteBaseline writes the causes of a report that count against the core as a
// baseline. Reasons that before has are kept.
func (r *Report) WriteBaseline(w io.Writer, before Baseline) error {
	b := bufio.NewWriter(w)
	for i := range r.Deviations {
		d := &r.Deviations[i]
		if !d.Verdict.Bad() {
			continue
		}
		reason := fmt.Sprintf("%s: expected %s, observed %s", d.Where, d.Expected, d.Observed)
		for _, e := range before {
			if e.Name == underscored(d.Bucket) {
				reason = e.Reason
			}
		}
		fmt.Fprintf(b, "%s %s # %s\n", underscored(d.Bucket), hyphenated(d.Verdict), reason)
	}
	return b.Flush()
}

// Against compares the report with a baseline: causes that it does not list, causes
// whose level is another one, and causes that it lists and that are gone, which is an
// unexpected pass. The list is empty when everything is as expected.
func (r *Report) Against(b Baseline) (unexpected []string) {
	seen := map[string]bool{}
	for i := range r.Deviations {
		d := &r.Deviations[i]
		name := underscored(d.Bucket)
		at := slices.IndexFunc(b, func(e Expected) bool { return e.Name == name })
		switch {
		case at < 0 && d.Verdict.Bad():
			unexpected = append(unexpected, fmt.Sprintf("new: %s (%s)", d.Bucket, d.Verdict))
		case at >= 0 && b[at].Outcome != Skip && b[at].Outcome != hyphenated(d.Verdict):
			unexpected = append(unexpected, fmt.Sprintf("changed: %s (%s, expected %s)", d.Bucket, d.Verdict, b[at].Outcome))
		}
		seen[name] = true
	}
	for _, e := range b {
		if !seen[e.Name] && e.Outcome != Skip {
			unexpected = append(unexpected, fmt.Sprintf("unexpected pass: %s (%s)", e.Name, e.Outcome))
		}
	}
	return unexpected
}
