package report

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/internal/jsonstream"
	"github.com/picaproof/picaproof/pica/show"
)

// Summary is the first screen of a report. Every form shows its words and numbers.
type Summary struct {
	Verdict string  `json:"verdict"` // one sentence
	Lines   []Line  `json:"lines"`
	Entries []Entry `json:"entries"`
}

// Line counts the deviations of one kind, or something that was not judged.
type Line struct {
	Name   string `json:"name"` // "crashes"
	Count  int    `json:"count"`
	Jobs   int    `json:"jobs,omitempty"` // jobs, files or sources that failed
	Bad    bool   `json:"bad,omitempty"`  // it counts against the judged program
	Detail string `json:"detail,omitempty"`
}

// Entry is a deviation in the list of the first screen, or several that are not executed.
type Entry struct {
	Number int    `json:"number"`
	Level  Level  `json:"level"`
	Name   string `json:"name"`
	// Parts says that the names are parts of the instruction set that the core does not execute. Last is the
	// number of the last of them.
	Parts bool `json:"parts,omitempty"`
	Last  int  `json:"last,omitempty"`
	Jobs  int  `json:"jobs,omitempty"`
	Bad   bool `json:"bad,omitempty"`
	Known bool `json:"known,omitempty"` // the baseline expects it
}

// Names of lines of a core's summary.
const (
	ownFaults    = "faults by its own standards"
	notExecute   = "does not execute"
	skips        = "skips"
	notExplained = "failed groups not explained"
)

// modelLines names the differences of a core's model by their levels.
var modelLines = map[Level]string{Console: "differences from the console",
	Documented: "differences from the documentation", Guess: "differences from guesses",
	Unsupported: "unsupported"}

// levelLines names the other deviations of a core by their levels.
var levelLines = map[Level]string{Crash: "crashes", Hang: "hangs", Console: ownFaults, Documented: ownFaults,
	Own: ownFaults, Asked: "differences from PROFILE", Other: "differences from the other core",
	Flaky: "flaky programs", Precision: "limited precision"}

// line returns the name of the line that counts a deviation.
func (r *Report) line(d *Deviation) string {
	switch {
	case r.Kind != "":
		return string(d.Verdict)
	case r.Folded(*d) && slices.Contains(valuesOfSkips, d.Value):
		return skips
	case r.Folded(*d):
		return notExecute
	case r.ofModel(d) && modelLines[d.Verdict] != "":
		return modelLines[d.Verdict]
	}
	return cmp.Or(levelLines[d.Verdict], string(d.Verdict))
}

// FoldedParts lists the deviations that are parts of the instruction set.
func (r *Report) FoldedParts() (list []Deviation) {
	for _, d := range r.Deviations {
		if r.Folded(d) {
			list = append(list, d)
		}
	}
	return list
}

// Folded reports whether a deviation is a part of the instruction set that the core does not execute.
// People want the names of these, not their programs.
func (r *Report) Folded(d Deviation) bool {
	return r.ofModel(&d) && d.Verdict == Unsupported && (d.Knob == ofStages || strings.HasPrefix(d.Knob, ofOpcode))
}

// Questions of a model about parts of the instruction set.
const (
	ofOpcode = "op."
	ofStages = "stages"
)

// valuesOfSkips are the answers of cores that skip an opcode.
var valuesOfSkips = []string{"skip", "fetch"}

// Part returns the name of a part of the instruction set that the core does not execute.
func (d Deviation) Part() string {
	if d.Knob == ofStages {
		return "geometry stage"
	}
	return strings.TrimPrefix(d.Knob, ofOpcode)
}

// Partial reports whether the run left something out.
func (r *Report) Partial() bool { return r.Interrupted || r.TimeOver || len(r.Cut) > 0 }

// Ended says in a report why its run ended, if the context of the run is over.
func (r *Report) Ended(ctx context.Context) {
	r.TimeOver = errors.Is(ctx.Err(), context.DeadlineExceeded)
	r.Interrupted = ctx.Err() != nil && !r.TimeOver
}

// Judged reports whether a job of a suite was run, or a cause is known.
func (r *Report) Judged() bool {
	return len(r.Deviations) > 0 || slices.ContainsFunc(r.Suites, func(s Suite) bool { return s.Run > 0 })
}

// summary makes the summary of a report whose deviations have numbers.
func (r *Report) summary() Summary {
	s := Summary{Verdict: r.verdict(), Lines: r.alwaysCounted(), Entries: []Entry{}}
	alsoWrong := map[Level]int{}
	for i := range r.Deviations {
		d := &r.Deviations[i]
		name := r.line(d)
		k := slices.IndexFunc(s.Lines, func(l Line) bool { return l.Name == name })
		if k < 0 {
			k = len(s.Lines)
			s.Lines = append(s.Lines, Line{Name: name})
		}
		l := &s.Lines[k]
		l.Count++
		l.Bad = l.Bad || d.Verdict.Bad()
		if name == ownFaults && d.Verdict != Own { // a fault of which the console's answer is known
			alsoWrong[d.Verdict]++
		}
		if len(d.Members) > 0 {
			l.Jobs += d.Count
		}
		if !r.Folded(*d) {
			s.Entries = append(s.Entries, r.entry(d))
			continue
		}
		l.Detail = strings.TrimSpace(l.Detail + " " + d.Part())
		if n := len(s.Entries); n > 0 && i > 0 && r.Folded(r.Deviations[i-1]) {
			e := &s.Entries[n-1]
			e.Last, e.Name = d.Number, e.Name+" "+d.Part()
		} else {
			s.Entries = append(s.Entries, Entry{Number: d.Number, Level: d.Verdict, Name: d.Part(), Parts: true, Last: d.Number})
		}
	}
	var parts []string
	for _, level := range Levels {
		if n := alsoWrong[level]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", show.Thousands(n), level))
		}
	}
	if len(parts) > 0 {
		l := &s.Lines[slices.IndexFunc(s.Lines, func(l Line) bool { return l.Name == ownFaults })]
		l.Detail = "among them " + strings.Join(parts, ", ")
	}
	for _, l := range []Line{
		{Name: notExplained, Count: len(r.NotReduced), Jobs: r.NotReducedJobs(), Bad: true},
		{Name: "unexpected passes", Count: len(r.Passed()), Bad: true},
		{Name: "late answers", Count: r.Late, Detail: "used up their processor time, but not when asked again"},
	} {
		if l.Count > 0 {
			s.Lines = append(s.Lines, l)
		}
	}
	return s
}

// summarised returns the report with its summary, and with numbers for its deviations.
func (r *Report) summarised() *Report {
	with := *r
	with.Deviations = slices.Clone(r.Deviations)
	for i := range with.Deviations {
		d := &with.Deviations[i]
		d.Number = i + 1
		d.short = d.byNumber(r.File)
	}
	summary := with.summary()
	with.Summary = &summary
	return &with
}

// WriteJSON writes the report as JSON, which [Read] reads.
func (r *Report) WriteJSON(w io.Writer) error { return jsonstream.Encode(w, r.summarised()) }

// alwaysCounted returns the lines that are shown although they count nothing.
func (r *Report) alwaysCounted() []Line {
	switch {
	case r.Kind != "":
		return []Line{{Name: string(Crash)}, {Name: string(Hang)}}
	case r.Against != "" || r.Profile.Asked != "" && r.Profile.Asked != "auto":
		return []Line{{Name: levelLines[Crash]}, {Name: levelLines[Hang]}}
	}
	return []Line{{Name: levelLines[Crash]}, {Name: levelLines[Hang]}, {Name: ownFaults}}
}

// entry returns the entry of a deviation that is not folded.
func (r *Report) entry(d *Deviation) Entry {
	e := Entry{Number: d.Number, Level: d.Verdict, Name: d.Name(), Bad: d.Verdict.Bad(), Known: r.Knows(*d) != nil}
	if len(d.Members) > 0 {
		e.Jobs = d.Count
	}
	return e
}

// Name returns the name of a deviation without its level, which stands beside it.
func (d Deviation) Name() string {
	return strings.TrimSuffix(strings.TrimPrefix(d.Bucket, string(d.Verdict)+": "), ": "+string(d.Verdict))
}

// verdict returns the verdict in one sentence.
func (r *Report) verdict() string {
	text := "nothing speaks against the " + r.What()
	if r.Partial() {
		text = "no cause so far"
	}
	switch n := r.Bad(); {
	case n == 1:
		text = "1 cause speaks against the " + r.What()
	case n > 1:
		text = show.Plural(n, "cause") + " speak against the " + r.What()
	}
	if known := r.NumKnown(); known > 0 {
		text += fmt.Sprintf(", %s known", show.Thousands(known))
	}
	if n := len(r.NotTested); n > 0 {
		text += fmt.Sprintf(", %s not tested", show.Plural(n, "check"))
	}
	text += ", " + show.Plural(r.Requests, "request")
	if r.Shard != "" {
		text = "shard " + r.Shard + " of the run: " + text
	}
	if r.Pending != "" {
		text = r.Pending + "; " + text
	}
	if r.TimeOver {
		text = "ended by --max-time: " + text
	}
	if r.Interrupted {
		text = "interrupted: " + text
	}
	if len(r.Cut) > 0 {
		text += "; cut: " + strings.Join(r.Cut, "; ")
	}
	return text
}

// screenLines and screenColumns are the size of the first screen.
const (
	screenLines   = 24
	screenColumns = 100
)

// writeText writes the summary. The list of entries ends with the first screen, of which the lines above
// the summary are used; it has five entries at least.
func (s *Summary) writeText(b *bufio.Writer, p Paint, unit string, notes []string) {
	used := 0
	line := func(indent int, text string) {
		for _, row := range wrapped(text, screenColumns, indent) {
			fmt.Fprintln(b, row)
			used++
		}
	}
	for _, row := range wrapped(s.Verdict, screenColumns, 2) {
		fmt.Fprintln(b, plain(s.paint(p), row))
		used++
	}
	line(0, "")
	wide := 0
	for _, l := range s.Lines {
		wide = max(wide, len(l.Name))
	}
	for _, l := range s.Lines {
		text := fmt.Sprintf("  %-*s  %5s", wide, l.Name, show.Thousands(l.Count))
		if l.Jobs > 0 {
			text += "  " + show.Plural(l.Jobs, unit)
		}
		if l.Detail != "" {
			text += "  " + l.Detail
		}
		line(wide+11, text)
	}
	for _, note := range notes {
		line(2, note)
	}
	if len(s.Entries) == 0 {
		return
	}
	line(0, "")
	const least, heading = 5, 1 // heading is the line with the name of the judged program
	most := max(least, screenLines-heading-used)
	if len(s.Entries) > most {
		most--
	}
	numbers, levels, jobs := 0, 0, 0
	for _, e := range s.Entries[:min(len(s.Entries), most)] {
		numbers = max(numbers, len(e.Numbers()))
		levels, jobs = max(levels, len(e.Level)), max(jobs, len(e.jobs(unit)))
	}
	for _, e := range s.Entries[:min(len(s.Entries), most)] {
		text := fmt.Sprintf("%*s  %-*s  %*s  %s", numbers, e.Numbers(), levels, e.Level, jobs, e.jobs(unit), e.Name)
		if e.Known {
			text += " (known)"
		}
		fmt.Fprintln(b, strings.TrimRight(shortened(text, screenColumns), " "))
	}
	if len(s.Entries) <= most {
		return
	}
	first, last := s.Entries[most].Number, s.Entries[len(s.Entries)-1].last() // a line can stand for several entries
	if first == last {
		fmt.Fprintf(b, "and one more entry, #%d\n", last)
	} else {
		fmt.Fprintf(b, "and %s more entries, #%d to #%d\n", show.Thousands(last-first+1), first, last)
	}
}

// paint returns the colour of the verdict.
func (s *Summary) paint(p Paint) func(string) string {
	if slices.ContainsFunc(s.Lines, func(l Line) bool { return l.Bad }) {
		return p.Bad
	}
	return p.Good
}

// last returns the last number of an entry.
func (e *Entry) last() int { return max(e.Number, e.Last) }

// Numbers returns the numbers of an entry as text: "#3", "#15-60".
func (e Entry) Numbers() string {
	if e.last() == e.Number {
		return fmt.Sprint("#", e.Number)
	}
	return fmt.Sprintf("#%d-%d", e.Number, e.Last)
}

// jobs returns the number of jobs of an entry as text.
func (e *Entry) jobs(unit string) string {
	if e.Jobs == 0 {
		return ""
	}
	return show.Plural(e.Jobs, unit)
}

// shortened cuts a line of text at a number of characters.
func shortened(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-3]) + "..."
}

// wrapped breaks a text into lines at blanks, as far as it has any. Lines after the first are indented.
func wrapped(text string, most, indent int) (rows []string) {
	for len(text) > most {
		at := strings.LastIndexByte(text[:most+1], ' ')
		if at <= indent {
			break
		}
		rows = append(rows, text[:at])
		text = strings.Repeat(" ", indent) + text[at+1:]
	}
	return append(rows, text)
}
