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

// A Baseline lists the known causes, a line each: NAME OUTCOME # reason. The outcome is a level,
// with hyphens in the place of spaces, or "skip". A cause that is listed as "flaky" or "skip"
// may be absent, and may have any outcome: the first comes and goes by itself, the second is
// ignored. In names an underscore stands for a space; other bytes that a word cannot have,
// underscores and percent signs are a percent sign and two hexadecimal digits.
type Baseline []Expected

// Cause is an entry of a report of any kind, which a baseline can expect.
type Cause struct {
	Name, Outcome string
	Text          string // the reason that a new baseline gives
	Bad           bool   // it counts against the judged program
}

// Expected is a line of a baseline.
type Expected struct {
	Name, Outcome, Reason string
}

// Skip is the outcome of an ignored cause.
const Skip = "skip"

// comesAndGoes reports whether the cause may be absent.
func (e *Expected) comesAndGoes() bool { return e.Outcome == Skip || e.Outcome == string(Flaky) }

// ReadBaseline reads a baseline. A line without a reason, or with another outcome than the given
// ones, is an error, and so is a name that is listed twice.
func ReadBaseline[L ~string](r io.Reader, outcomes []L) (b Baseline, err error) {
	lines := bufio.NewScanner(r)
	const longest = 1 << 20
	lines.Buffer(nil, longest)
	listed := map[string]bool{}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !utf8.ValidString(line) || strings.ContainsFunc(line, notText) {
			return nil, fmt.Errorf("line %d: %.100q: want text without control characters", n, line)
		}
		entry, reason, _ := strings.Cut(line, " #")
		fields := strings.Fields(entry)
		if len(fields) != 2 || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("line %d: %q: want NAME OUTCOME # reason", n, line)
		}
		outcome := fields[1]
		if outcome != Skip && !slices.ContainsFunc(outcomes,
			func(l L) bool { return hyphenated(string(l)) == outcome }) {
			return nil, fmt.Errorf("line %d: unknown outcome %q", n, outcome)
		}
		if listed[fields[0]] {
			return nil, fmt.Errorf("line %d: %s is listed twice", n, fields[0])
		}
		listed[fields[0]] = true
		b = append(b, Expected{fields[0], outcome, strings.TrimSpace(reason)})
	}
	return b, lines.Err()
}

// notText reports whether a character does not belong in a line.
func notText(r rune) bool { return r != '\t' && unicode.IsControl(r) }

func hyphenated(s string) string { return strings.ReplaceAll(s, " ", "-") }

// word returns a name as a word; different names have different words. That of no name is "%".
func word(name string) string {
	if name == "" {
		return "%"
	}
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
	text = strings.Map(func(r rune) rune {
		if notText(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return cmp.Or(text, "no reason is known")
}

// WriteBaseline writes a baseline of the causes that count against the judged program. It keeps
// the reasons of before, and its causes that may be absent.
func WriteBaseline(w io.Writer, causes []Cause, before Baseline) error {
	b := bufio.NewWriter(w)
	written := map[string]bool{}
	line := func(e Expected) {
		if !written[e.Name] {
			written[e.Name] = true
			fmt.Fprintf(b, "%s %s # %s\n", e.Name, e.Outcome, e.Reason)
		}
	}
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

// Against compares causes with the baseline. It returns unlisted causes, causes with another
// outcome, and listed causes that are gone, which are unexpected passes. The list is empty if
// there are none.
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
			unexpected = append(unexpected,
				fmt.Sprintf("changed: %s (%s, expected %s)", c.Name, c.Outcome, b[i].Outcome))
		}
	}
	for _, e := range b.Passed(causes) {
		unexpected = append(unexpected, fmt.Sprintf("unexpected pass: %s (%s)", e.Name, e.Outcome))
	}
	return unexpected
}

// Known is a baseline with an index of causes; the zero Known expects none.
type Known struct {
	Baseline
	at map[string]int
}

// Index returns the baseline with an index.
func (b Baseline) Index() Known {
	k := Known{b, make(map[string]int, len(b))}
	for i, e := range b {
		k.at[e.Name] = i
	}
	return k
}

// Knows returns the line that expects a cause with its outcome; nil if there is none.
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
			Failure: &junit.Result{Message: "unexpected pass: expected " + e.Outcome, Type: "unexpected pass",
				Data: e.Reason}})
	}
	return s, s.Tests > 0
}

// Within returns the lines whose causes were found: a cause that an interrupted run did not find
// has not passed.
func (b Baseline) Within(causes []Cause) Baseline {
	return slices.DeleteFunc(slices.Clone(b), func(e Expected) bool {
		return !slices.ContainsFunc(causes, func(c Cause) bool { return word(c.Name) == e.Name })
	})
}

// Tested returns the lines without those of checks that were not tested: their causes have not passed.
func (b Baseline) Tested(untested []Untested) Baseline {
	return slices.DeleteFunc(slices.Clone(b), func(e Expected) bool {
		return slices.ContainsFunc(untested, func(u Untested) bool { return word(u.Name) == e.Name })
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

// NumKnown counts the expected deviations that count against the judged program.
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
