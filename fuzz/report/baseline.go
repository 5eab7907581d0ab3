package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// A Baseline lists the causes that are known, a line each: NAME OUTCOME # reason. The
// outcome is a level, with hyphens in the place of spaces, or "skip". Causes that are
// expected to be "flaky" may be there or not, whatever their outcome, and so may those
// to "skip": the first come and go by themselves, the others are of no interest. Names
// have an underscore in the place of a space, and other bytes that a word cannot have,
// underscores and percent signs as a percent sign and two hexadecimal digits.
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
	const longest = 1 << 20
	lines.Buffer(nil, longest)
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

// word returns a name as a word; names that differ have words that differ.
func word(name string) string {
	var b strings.Builder
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == ' ':
			b.WriteByte('_')
		case r == '_', r == '%', r == '#' && i == 0, r == utf8.RuneError && size == 1, !unicode.IsPrint(r):
			for _, c := range []byte(name[i : i+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// reason returns a text as the reason of a line.
func reason(text string) string {
	const most = 500
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return cmp.Or(text, "no reason is known")
}

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
		e := Expected{word(c.Name), hyphenated(c.Outcome), reason(c.Text)}
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
	for _, c := range causes {
		name := word(c.Name)
		i, known := at[name]
		switch {
		case !known && c.Bad:
			unexpected = append(unexpected, fmt.Sprintf("new: %s (%s)", c.Name, c.Outcome))
		case known && !b[i].comesAndGoes() && b[i].Outcome != hyphenated(c.Outcome):
			unexpected = append(unexpected, fmt.Sprintf("changed: %s (%s, expected %s)", c.Name, c.Outcome, b[i].Outcome))
		}
	}
	for _, e := range b.Passed(causes) {
		unexpected = append(unexpected, fmt.Sprintf("unexpected pass: %s (%s)", e.Name, e.Outcome))
	}
	return unexpected
}

// Known is a baseline in which causes are looked up; the zero Known expects none.
type Known struct {
	Baseline
	at map[string]int
}

// Index makes a baseline ready to be asked.
func (b Baseline) Index() Known {
	k := Known{b, make(map[string]int, len(b))}
	for i, e := range b {
		k.at[e.Name] = i
	}
	return k
}

// Knows returns the line that expects a cause as it is; nil if there is none.
func (k Known) Knows(c *Cause) *Expected {
	if len(k.at) == 0 {
		return nil
	}
	i, ok := k.at[word(c.Name)]
	if e := &k.Baseline[i]; ok && (e.comesAndGoes() || e.Outcome == hyphenated(c.Outcome)) {
		return e
	}
	return nil
}

// Passed returns the lines whose causes are gone.
func (b Baseline) Passed(causes []Cause) (list []Expected) {
	seen := map[string]bool{}
	for _, c := range causes {
		seen[word(c.Name)] = true
	}
	for _, e := range b {
		if !seen[e.Name] && !e.comesAndGoes() {
			list = append(list, e)
		}
	}
	return list
}

// Suite returns the lines whose causes are gone as failures of JUnit.
func (b Baseline) Suite(causes []Cause) (s junit.Testsuite, ok bool) {
	s = junit.Testsuite{Name: "baseline", Time: "0"}
	for _, e := range b.Passed(causes) {
		s.AddTestcase(junit.Testcase{Name: e.Name, Classname: "baseline", Time: "0",
			Failure: &junit.Result{Message: "unexpected pass: expected " + e.Outcome, Type: "unexpected pass", Data: e.Reason}})
	}
	return s, s.Tests > 0
}

// Within returns the lines whose causes were found: what an interrupted run did not find
// has not passed.
func (b Baseline) Within(causes []Cause) Baseline {
	return slices.DeleteFunc(slices.Clone(b), func(e Expected) bool {
		return !slices.ContainsFunc(causes, func(c Cause) bool { return word(c.Name) == e.Name })
	})
}

// Causes returns the deviations for a baseline.
func (r *Report) Causes() []Cause {
	list := make([]Cause, len(r.Deviations))
	for i := range r.Deviations {
		list[i] = r.Deviations[i].cause()
	}
	return list
}

func (d *Deviation) cause() Cause {
	return Cause{d.Bucket, string(d.Verdict), d.Summary(), d.Verdict.Bad()}
}

// Knows returns the line of the baseline that expects a deviation; nil if there is none.
func (r *Report) Knows(d Deviation) *Expected {
	c := d.cause()
	return r.Known.Knows(&c)
}

// NumKnown counts the deviations that count against what is judged and are expected.
func (r *Report) NumKnown() (n int) {
	for _, d := range r.Deviations {
		if d.Verdict.Bad() && r.Knows(d) != nil {
			n++
		}
	}
	return n
}

// Passed returns the lines of the baseline whose causes are gone.
func (r *Report) Passed() []Expected { return r.Known.Passed(r.Causes()) }
