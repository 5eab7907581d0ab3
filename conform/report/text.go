package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

// Paint colours bad news, good news and headings of a text report. The zero Paint colours
// nothing.
type Paint struct{ Bad, Good, Bold func(s string) string }

func plain(f func(string) string, s string) string {
	if f == nil {
		return s
	}
	return f(s)
}

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer, p Paint) error {
	given := r.summarised() // the baseline knows causes by the names that they were given
	r = safetext.OneLine(given)
	b := bufio.NewWriter(w)
	summary := r.Summary
	fmt.Fprintf(b, "%s\n", plain(p.Bold, r.What()+" "+r.Title()))
	summary.writeText(b, p, r.CaseNoun(), r.Headlines())
	fmt.Fprintln(b)
	heading := ""
	for i := range r.Deviations {
		d := &r.Deviations[i]
		if r.Folded(*d) {
			continue
		}
		if next := r.heading(d); next != heading {
			fmt.Fprintf(b, "%s\n\n", plain(p.Bold, next+":"))
			heading = next
		}
		d.writeText(b, p, r, given.Knows(given.Deviations[i]))
	}
	for _, e := range summary.Entries {
		if e.Parts {
			fmt.Fprintf(b, "%s: %s\n\n", plain(p.Bold, e.Numbers()+" "+string(e.Level)), e.Name)
		}
	}
	if n := len(r.NotReduced); n > 0 {
		fmt.Fprintf(b,
			"%s of %s that failed: not explained, because there are too many or the time was over; the first: %s\n",
			show.Plural(n, "further group"), show.Plural(r.NotReducedJobs(), "job"), r.NotReduced[0].Key)
	}
	for _, e := range given.Passed() {
		fmt.Fprintf(b, "%s: %s (%s)\n", plain(p.Bad, "unexpected pass"), e.Name, e.Outcome)
	}
	if r.Profile.Nearest != "" {
		r.writeModel(b, p)
	}
	if len(r.Messages) > 0 {
		r.writeMessages(b)
	}
	for _, t := range r.AllTables() {
		t.writeText(b)
	}
	if len(r.Suites) > 0 {
		r.writeSuites(b)
	}
	r.writeOpcodes(b)
	if c := &r.Coverpoints; r.HasCoverpoints() {
		fmt.Fprintf(b, "coverpoints: %s judged, %s only with a known fault beside them, %s not judged\n",
			show.Thousands(len(c.Judged)), show.Thousands(len(c.Masked)), show.Thousands(len(c.NotJudged)))
	}
	fmt.Fprintln(b, plain(summary.paint(p), summary.Verdict))
	return b.Flush()
}

// heading returns the heading above a deviation, "" for a fault.
func (r *Report) heading(d *Deviation) string {
	switch {
	case d.Verdict == Unsupported:
		return "programs that the core refuses"
	case r.choice(d):
		return "where the core's model differs from the console"
	}
	return ""
}

// Headlines returns the lines of the first screen about how the program was judged.
func (r *Report) Headlines() []string {
	list := slices.Concat(r.Notes, r.Untested())
	for _, u := range r.NotRead {
		list = append(list, u.String())
	}
	return list
}

// writeModel writes the answers that differ from the nearest named set or from the console, and
// uncertain answers.
func (r *Report) writeModel(b *bufio.Writer, p Paint) {
	f := &r.Profile
	fmt.Fprintf(b, "model: %s", cmp.Or(f.Nearest, "not found"))
	if len(f.Names) > 1 {
		fmt.Fprintf(b, " (no job tells it from %s)", strings.Join(f.Names, ", "))
	}
	if r.Claimed != "" {
		fmt.Fprintf(b, "; the core calls itself %s", r.Claimed)
	}
	fmt.Fprintln(b)
	if f.Asked != "auto" {
		fmt.Fprintf(b, "held to: %s\n", f.Model)
	}
	if r.Against != "" {
		fmt.Fprintf(b, "compared with: %s\n", r.Against)
	}
	if len(f.Unexplained) > 0 {
		fmt.Fprintln(b, plain(p.Bad, fitting(len(f.Unexplained))))
	}
	fmt.Fprintln(b)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "question\tcore\tconsole\tevidence\t")
	for i := range f.Knobs {
		k := &f.Knobs[i]
		if k.Value == k.Console && k.State == "known" || r.lists(k) {
			continue
		}
		note := ""
		switch {
		case k.State == "several":
			note = "or " + strings.Join(k.Others, ", ")
		case k.State != "known":
			note = k.State
		}
		if k.State == "no effect" && k.Value == k.Console {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", k.Knob, k.Value, k.Console, k.Class, note)
	}
	t.Flush() // b stores a failed write
	fmt.Fprintln(b)
}

// lists reports whether the report lists the answer to a question among what the core does not execute.
func (r *Report) lists(k *Knob) bool {
	return slices.ContainsFunc(r.Deviations,
		func(d Deviation) bool { return r.Folded(d) && d.Knob == k.Knob })
}

func (r *Report) writeSuites(b *bufio.Writer) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	untested := ""
	if len(r.NotTested) > 0 {
		untested = "not tested\t"
	}
	fmt.Fprintln(t, "suite\tjobs\tequal\tdiffer\tcrash\thang\tflaky\tunsupported\tnot comparable\t"+untested)
	for _, s := range r.Suites {
		c := s.Counts
		fmt.Fprintf(t, "%s", s.Name)
		for _, n := range []int{c.Run, c.Equal, c.Differ, c.Crash, c.Hang, c.Flaky, c.Unsupported, c.NotComparable} {
			fmt.Fprintf(t, "\t%s", show.Thousands(n))
		}
		if untested != "" {
			fmt.Fprintf(t, "\t%s", show.Thousands(c.NotTested))
		}
		fmt.Fprint(t, "\t\n")
	}
	t.Flush()
	fmt.Fprintln(b)
}

func (r *Report) writeMessages(b *bufio.Writer) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "jobs\tequal\tdiffer\tnot comparable\t message of the core")
	for i := range r.Messages {
		m := &r.Messages[i]
		for _, n := range []int{m.Run, m.Equal, m.Differ, m.NotComparable} {
			fmt.Fprintf(t, "%s\t", show.Thousands(n))
		}
		fmt.Fprintf(t, " %q, which %s\n", m.Text, m.Meaning())
	}
	t.Flush()
	fmt.Fprintln(b)
}

// HasCoverpoints reports whether the report has coverpoints.
func (r *Report) HasCoverpoints() bool {
	c := &r.Coverpoints
	return len(c.Judged)+len(c.Masked)+len(c.NotJudged) > 0
}

// writeText writes a table.
func (x *Table) writeText(b *bufio.Writer) {
	fmt.Fprintln(b, x.Title)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(x.Columns, "\t"))
	for _, row := range x.Rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush()
	fmt.Fprintln(b)
}

// writeOpcodes writes the instructions that are not fully judged and right: the number of judged
// coverpoints, and the number of failed jobs of each suite. Then it writes the other subjects of
// causes.
func (r *Report) writeOpcodes(b *bufio.Writer) {
	failed := map[string]map[string]int{}
	var suites []string
	for i := range r.Deviations {
		d := &r.Deviations[i]
		for _, m := range d.Members {
			for _, name := range d.Opcodes {
				if failed[name] == nil {
					failed[name] = map[string]int{}
				}
				failed[name][m.Suite] += m.Count
			}
			if !slices.Contains(suites, m.Suite) {
				suites = append(suites, m.Suite)
			}
		}
	}
	judged, known := map[string]int{}, map[string]int{}
	for k, list := range [][]string{r.Coverpoints.Judged, r.Coverpoints.Masked, r.Coverpoints.NotJudged} {
		for _, point := range list {
			name, _, _ := strings.Cut(point, "/")
			known[name]++
			if k == 0 {
				judged[name]++
			}
		}
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "not right, or not wholly judged\tpoints judged\t%s\n",
		strings.Join(append(suites, ""), " failed\t"))
	names := map[string]bool{}
	for name := range known {
		names[name] = judged[name] < known[name]
	}
	for name := range failed {
		names[name] = true
	}
	if len(names) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !names[name] {
			continue
		}
		points := "-"
		if known[name] > 0 {
			points = fmt.Sprintf("%s/%s", show.Thousands(judged[name]), show.Thousands(known[name]))
		}
		fmt.Fprintf(t, "%s\t%s", name, points)
		for _, s := range suites {
			fmt.Fprintf(t, "\t%s", show.Thousands(failed[name][s]))
		}
		fmt.Fprint(t, "\t\n")
	}
	t.Flush()
	fmt.Fprintln(b)
}

// fitting says how many answers fit no model.
func fitting(n int) string {
	if n == 1 {
		return "1 answer of the fingerprint fits no model"
	}
	return show.Thousands(n) + " answers of the fingerprint fit no model"
}

// writeSome writes the first lines of a program or of its inputs, indented.
func writeSome(b *bufio.Writer, lines []string) {
	for _, line := range lines[:min(len(lines), mostLines)] {
		fmt.Fprint(b, strings.TrimRight("    "+line, " \n"), "\n")
	}
	if n := len(lines) - mostLines; n > 0 {
		fmt.Fprintf(b, "    ... %s more\n", show.Plural(n, "line"))
	}
}

// writeText writes a deviation with its program, and the line of the baseline
// that expects it, if there is one.
func (d *Deviation) writeText(b *bufio.Writer, p Paint, r *Report, known *Expected) {
	heading := fmt.Sprintf("#%d %s: %s", d.Number, d.Verdict, d.Name())
	if d.Verdict.Bad() && known == nil {
		heading = plain(p.Bad, heading)
	} else {
		heading = plain(p.Bold, heading)
	}
	fmt.Fprintf(b, "%s", heading)
	if len(d.Members) > 0 {
		fmt.Fprintf(b, ", %s", show.Plural(d.Count, r.CaseNoun()))
	}
	if d.Words > 0 {
		fmt.Fprintf(b, ", program of %s", show.Plural(d.Words, "word"))
	}
	fmt.Fprintln(b)
	if known != nil {
		fmt.Fprintf(b, "  known: %s\n", known.Reason)
	}
	if d.Note != "" {
		fmt.Fprintf(b, "  %s\n", d.Note)
	}
	for _, line := range d.Why() {
		for _, row := range wrapped("  "+line, screenColumns, 4) {
			fmt.Fprintln(b, row)
		}
	}
	fmt.Fprintf(b, "  %s\n", d.difference())
	if d.Provenance != "" {
		fmt.Fprintf(b, "  the expectation is %s: %s\n", d.Provenance, d.Source)
	}
	writeSome(b, slices.Collect(strings.Lines(d.Assembly)))
	writeSome(b, d.Inputs)
	if words := d.Hex(); words != "" {
		for _, row := range wrapped("  "+words, screenColumns, 4) {
			fmt.Fprintln(b, row)
		}
	}
	if d.Trace != nil {
		indent := "  "
		if len(d.Trace.Steps) > 0 {
			fmt.Fprintln(b, "  the first different step:")
			indent = "    "
		}
		for _, line := range d.Trace.Lines() {
			fmt.Fprintf(b, "%s%s\n", indent, line)
		}
	}
	for _, e := range d.Parts {
		fmt.Fprintf(b, "  %s %s: %s\n", d.alike(), e.Bucket, e.Summary())
	}
	if d.Stderr != "" {
		fmt.Fprintf(b, "  the %s wrote:\n", r.What())
		writeSome(b, slices.Collect(strings.Lines(d.Stderr)))
	}
	fmt.Fprintf(b, "  %s\n", d.Repeat())
	if d.Page != "" {
		fmt.Fprintf(b, "  step through it: %s\n", d.Page)
	}
	if len(d.Files) > 0 {
		fmt.Fprintf(b, "  files: %s\n", strings.Join(d.Files, " "))
	}
	fmt.Fprintln(b)
}

// mostLines is the largest number of lines of a program in the text form.
const mostLines = 40
