package report

import (
	_ "embed"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/internal/markup"
	"github.com/picaproof/picaproof/pica/show"
)

//go:embed page.html
var frame string

// Schema is the JSON Schema of a report.
//
//go:embed schema.json
var Schema []byte

// WriteHTML writes the report as one page without other files.
func (r *Report) WriteHTML(w io.Writer) error {
	r = r.summarised()
	return markup.Page(w, frame, r.Title(), func(p *markup.Writer) {
		r.head(p)
		for i := range r.Deviations {
			if !r.Folded(r.Deviations[i]) {
				r.deviation(p, &r.Deviations[i])
			}
		}
		if len(r.Deviations) == 0 {
			p.Put("<p>None.</p>\n")
		}
		r.folded(p)
		r.model(p)
		r.results(p)
		r.coverage(p)
	})
}

// head writes the verdict, what was found, and the contents.
func (r *Report) head(p *markup.Writer) {
	p.Put("<h1>%s %s</h1></header>\n<main id=\"main\">\n", r.What(), r.Title())
	p.Put("<p class=\"verdict %s\">%s</p>\n", pick(r.Bad() > 0, "bad", "good"), r.Summary.Verdict)
	p.Put("<table class=\"plain\"><caption class=\"note\">What was found")
	if r.Shard != "" {
		p.Put(" in shard %s", r.Shard)
	}
	p.Put(", seed %d</caption><tbody>\n", r.Seed)
	for _, l := range r.Summary.Lines {
		p.Put(`<tr><th scope="row">%s</th><td class="n%s">%s</td><td>`, l.Name, markup.If(l.Bad && l.Count > 0, " bad"),
			show.Thousands(l.Count))
		if l.Jobs > 0 {
			p.Put("%s ", show.Plural(l.Jobs, r.CaseNoun()))
		}
		p.Put("%s</td></tr>\n", l.Detail)
	}
	p.Put("</tbody></table>\n")
	items(p, "<ul>", r.Headlines())
	p.Put("<nav aria-label=\"Contents\">\n")
	if len(r.Summary.Entries) > 0 {
		p.Put(`<ol class="entries">`)
		for _, e := range r.Summary.Entries {
			p.Put(`<li><a href="#%s">%s</a> <span class="level%s">%s</span>`, pick(e.Parts, "parts", fmt.Sprint("e", e.Number)),
				e.Numbers(), markup.If(e.Bad && !e.Known, " bad"), e.Level)
			p.Put("%s %s", markup.If(e.Known, ` <span class="level">known</span>`), e.Name)
			if e.Jobs > 0 {
				p.Put(", %s", show.Plural(e.Jobs, r.CaseNoun()))
			}
			p.Put("</li>\n")
		}
		p.Put("</ol>\n")
	}
	p.Put("<p>%s%s", markup.If(r.Profile.Nearest != "", `<a href="#model">Model</a>`),
		markup.If(len(r.Messages) > 0, `<a href="#messages">Messages</a>`))
	for i, t := range r.AllTables() {
		p.Put(`<a href="#table%d">%s</a>`, i, t.Title)
	}
	p.Put("%s%s</p>\n</nav>\n\n", markup.If(len(r.Suites) > 0, `<a href="#suites">Suites</a>`),
		markup.If(r.HasCoverpoints(), `<a href="#coverage">Coverage</a>`))
	if passed := r.Passed(); len(passed) > 0 {
		p.Put(`<h2>Unexpected passes</h2><ul class="bad">`)
		for _, e := range passed {
			p.Put("<li>%s (%s)</li>", e.Name, e.Outcome)
		}
		p.Put("</ul>\n")
	}
	p.Put("<h2 id=\"causes\">Causes</h2>\n")
}

// deviation writes a cause: why it is one, the smallest program, and how to repeat it.
func (r *Report) deviation(p *markup.Writer, d *Deviation) {
	known := r.Knows(*d)
	bad := d.Verdict.Bad() && known == nil
	p.Put(`<details id="e%d"%s><summary><h3>#%d %s</h3> <span class="level%s">%s</span>%s`, d.Number,
		markup.If(bad, " open"), d.Number, d.Bucket, markup.If(bad, " bad"), d.Verdict,
		markup.If(known != nil, ` <span class="level">known</span>`))
	if len(d.Members) > 0 {
		p.Put(" %s", show.Plural(d.Count, r.CaseNoun()))
	}
	p.Put("</summary>\n")
	if known != nil {
		p.Put("<p>Known: %s</p>\n", known.Reason)
	}
	if d.Note != "" {
		p.Put("<p>%s.</p>\n", d.Note)
	}
	for _, why := range d.Why() {
		p.Put("<p>%s.</p>\n", why)
	}
	if d.Provenance != "" {
		p.Put("<p>The expectation is %s", d.Provenance)
		if d.Source != "" {
			p.Put(": %s", d.Source)
		}
		p.Put(".</p>\n")
	}
	p.Put("<p>%s.</p>\n", d.difference())
	if rows := bitView(d.Expected, d.Observed); rows != nil {
		p.Put("<p class=\"bits\" role=\"img\" aria-label=\"Bits expected and observed\">sign exponent significand\n")
		for _, row := range rows {
			p.Put("%s ", row.Name)
			for _, run := range row.Runs {
				p.Put("%s%s%s", markup.If(run.Differs, "<mark>"), run.Text, markup.If(run.Differs, "</mark>"))
			}
			p.Put("\n")
		}
		p.Put("</p>\n")
	}
	if d.Words > 0 {
		p.Put("<p>The program has %s.</p>\n", show.Plural(d.Words, "word"))
	}
	p.Put(`<pre tabindex="0" data-copy="program">%s%s</pre>`+"\n", d.Assembly, lines(d.Inputs))
	if hex := d.Hex(); hex != "" {
		p.Put(`<pre tabindex="0" class="command" data-copy="words">%s</pre>`+"\n", hex)
	}
	if t := d.Trace; t != nil && len(t.Steps) > 0 {
		p.Put(`<p>The first different step:</p><pre tabindex="0">%s</pre>`+"\n", lines(t.Lines()))
	} else if t != nil {
		for _, line := range t.Lines() {
			p.Put("<p>%s.</p>\n", line)
		}
	}
	if isAddress(d.Page) {
		p.Put("<p><a href=\"%s\">Step through it</a></p>\n", d.Page)
	}
	p.Put(`<p>To repeat it:</p><pre tabindex="0" class="command" data-copy="command">%s</pre>`, d.Repeat())
	if len(d.Files) > 0 {
		p.Put("<p>Its files:</p>")
		items(p, "<ul>", d.Files)
	}
	p.Put("\n")
	if d.Stderr != "" {
		p.Put(`<p>The %s wrote:</p><pre tabindex="0">%s</pre>`+"\n", r.What(), d.Stderr)
	}
	if len(d.Parts) > 0 {
		p.Put("<p>%s:</p><ul>", pick(d.Unexplained, "Alike", "The same fault shows as"))
		for _, part := range d.Parts {
			p.Put("<li>%s: %s</li>", part.Bucket, part.Summary())
		}
		p.Put("</ul>\n")
	}
	p.Put("</details>\n")
}

// folded writes the causes that are only named: parts that are not executed, and groups without a cause.
func (r *Report) folded(p *markup.Writer) {
	if parts := r.FoldedParts(); len(parts) > 0 {
		p.Put(`<details id="parts"><summary><h3>What the core does not execute</h3> %s of the instruction set</summary>`+"\n",
			show.Plural(len(parts), "part"))
		table(p, "What the core does not execute", "", "n:number", "part", "observed", "note")
		for _, d := range parts {
			p.Put(`<tr><td class="n">#%d</td><th scope="row">%s</th><td>%s</td><td>%s</td></tr>`+"\n", d.Number, d.Part(),
				d.Observed, d.Note)
		}
		p.Put("%s</details>\n", tableEnd)
	}
	if len(r.NotReduced) > 0 {
		p.Put("<details><summary>%s of %s that failed: not explained, because there are too many or the time was over"+
			"</summary><ul class=\"points\">", show.Plural(len(r.NotReduced), "further group"),
			show.Plural(r.NotReducedJobs(), "job"))
		for _, m := range r.NotReduced {
			p.Put("<li>%s: %s, the first is number %d</li>", m.Key, show.Plural(m.Count, "job"), m.Number)
		}
		p.Put("</ul></details>")
	}
	p.Put("\n")
}

// model writes the model that the core follows, and its answers.
func (r *Report) model(p *markup.Writer) {
	f := &r.Profile
	if f.Nearest == "" {
		return
	}
	const longest = 60
	p.Put(`<details id="model"><summary><h2>Model</h2> %s</summary>`+"\n", pick(len(f.Nearest) < longest, f.Nearest, ""))
	p.Put("<p>The core follows %s. ", f.Nearest)
	if len(f.Names) > 1 {
		p.Put("No job tells it from %s. ", strings.Join(f.Names, ", "))
	}
	if r.Claimed != "" {
		p.Put("The core calls itself %s. ", r.Claimed)
	}
	if f.Asked != "auto" {
		p.Put("It is held to %s. ", f.Model)
	}
	if r.Against != "" {
		p.Put("It is compared with %s. ", r.Against)
	}
	if len(f.Unexplained) > 0 {
		p.Put(`<span class="bad">%s.</span>`, fitting(len(f.Unexplained)))
	}
	p.Put("</p>\n")
	table(p, "Fingerprint", "The core's answer to each question, and the console's", "question", "core", "console",
		"evidence", "decided by")
	for _, k := range f.Knobs {
		other := k.Value != k.Console
		p.Put(`<tr%s><th scope="row">%s<div class="note">%s</div></th>`+"\n", markup.If(other, ` class="other"`), k.Knob,
			k.Question)
		p.Put("<td>%s%s", k.Value, markup.If(other, " (differs)"))
		if k.State != "known" {
			p.Put(`<div class="note">%s%s%s</div>`, k.State, markup.If(len(k.Others) > 0, ": "), strings.Join(k.Others, ", "))
		}
		p.Put("</td><td>%s</td><td>%s</td>\n", k.Console, k.Class)
		if k.Assembly != "" {
			p.Put(`<td><details><summary>program</summary><pre tabindex="0">%s</pre></details></td></tr>`+"\n",
				strings.Join(Instructions(k.Assembly), "\n")+"\n")
		} else {
			p.Put("<td>none</td></tr>\n")
		}
	}
	p.Put("%s</details>\n", tableEnd)
}

// results writes the tables: messages, further results, and suites.
func (r *Report) results(p *markup.Writer) {
	if len(r.Messages) > 0 {
		p.Put(`<h2 id="messages">Messages of the core</h2>` + "\n")
		table(p, "Messages of the core", "Messages of the core, with the outcomes of their jobs", "message", "meaning", "n:jobs",
			"n:equal", "n:differ", "n:not comparable")
		for _, m := range r.Messages {
			p.Put(`<tr><th scope="row">%s</th><td>%s</td>`, m.Text, m.Meaning())
			numbers(p, m.Run, m.Equal, m.Differ, m.NotComparable)
			p.Put("</tr>\n")
		}
		p.Put("%s\n", tableEnd)
	}
	for i, t := range r.AllTables() {
		p.Put(`<h2 id="table%d">%s</h2>`+"\n", i, t.Title)
		table(p, t.Title, "", t.Columns...)
		for _, row := range t.Rows {
			p.Put("<tr>")
			for k, cell := range row {
				p.Put(pick(k == 0, `<th scope="row">%s</th>`, "<td>%s</td>"), cell)
			}
			p.Put("</tr>\n")
		}
		p.Put("%s\n", tableEnd)
	}
	if len(r.Suites) == 0 {
		return
	}
	p.Put(`<h2 id="suites">Suites</h2>` + "\n")
	columns := []string{"suite", "n:jobs", "n:equal", "n:differ", "n:crash", "n:hang", "n:flaky", "n:unsupported",
		"n:not comparable"}
	if len(r.NotTested) > 0 {
		columns = append(columns, "n:not tested")
	}
	table(p, "Suites", "What became of the jobs", columns...)
	for _, s := range r.Suites {
		p.Put(`<tr><th scope="row">%s</th>`, s.Name)
		numbers(p, s.Run, s.Equal, s.Differ, s.Crash, s.Hang, s.Flaky, s.Unsupported, s.NotComparable)
		if len(r.NotTested) > 0 {
			numbers(p, s.NotTested)
		}
		p.Put("</tr>\n")
	}
	p.Put("%s\n", tableEnd)
}

// coverage writes the matrix of operand classes and the coverpoints that were not judged.
func (r *Report) coverage(p *markup.Writer) {
	if !r.HasCoverpoints() {
		return
	}
	p.Put(`<details id="coverage"><summary><h2>Coverage</h2> %s judged</summary>`+"\n",
		show.Plural(len(r.Coverpoints.Judged), "coverpoint"))
	table(p, "Operand classes", "How many coverpoints of an instruction with an operand of a class were judged; an exclamation "+
		"mark where a cause speaks of them", append([]string{"opcode"}, r.Classes...)...)
	for _, row := range r.Matrix {
		p.Put(`<tr><th scope="row">%s</th>`, row.Opcode)
		for _, c := range row.Cells {
			p.Put(`<td class="cell %s">%s`, c.State(), markup.If(c.Wrong, "! "))
			if c.Known > 0 {
				p.Put("%d/%d</td>", c.Judged, c.Known)
			} else {
				p.Put(`<span role="img" aria-label="none">-</span></td>`)
			}
		}
		p.Put("</tr>\n")
	}
	p.Put("%s", tableEnd)
	for _, part := range []struct {
		list []string
		what string
	}{{r.Coverpoints.Masked, "only with a known fault beside them"}, {r.Coverpoints.NotJudged, "not at all"}} {
		p.Put("<details><summary>%s %s</summary>", show.Plural(len(part.list), "coverpoint"), part.what)
		items(p, `<ul class="points">`, part.list)
		p.Put("</details>\n")
	}
	p.Put("</details>\n")
}

// table begins a table that scrolls by itself. A column of numbers has the prefix "n:".
func table(p *markup.Writer, label, caption string, columns ...string) {
	p.Put(`<div class="scroll" tabindex="0" role="region" aria-label="%s">`+"\n<table>", label)
	if caption != "" {
		p.Put("<caption>%s</caption>\n", caption)
	}
	p.Put("<thead><tr>")
	for _, c := range columns {
		name, number := strings.CutPrefix(c, "n:")
		p.Put(`<th scope="col"%s>%s</th>`, markup.If(number, ` class="n"`), name)
	}
	p.Put("</tr></thead>\n<tbody>")
}

const tableEnd markup.Raw = "</tbody></table></div>\n"

// numbers writes cells of numbers.
func numbers(p *markup.Writer, list ...int) {
	for _, n := range list {
		p.Put(`<td class="n">%s</td>`, show.Thousands(n))
	}
}

// items writes a list with texts, if there are any.
func items(p *markup.Writer, begin markup.Raw, list []string) {
	if len(list) == 0 {
		return
	}
	p.Put("%s", begin)
	for _, text := range list {
		p.Put("<li>%s</li>", text)
	}
	p.Put("</ul>\n")
}

// lines ends each text with a new line.
func lines(list []string) string {
	var b strings.Builder
	for _, line := range list {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// pick returns one of two texts.
func pick(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// isAddress reports whether a link may be followed: a report that somebody sends could have the address of a script.
func isAddress(page string) bool {
	u, err := url.Parse(page)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http")
}

// Instructions returns the instructions of a listing.
func Instructions(listing string) (list []string) {
	for line := range strings.Lines(listing) {
		if strings.HasPrefix(line, "\t") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// bitRow is a float32 pattern as runs of bits.
type bitRow struct {
	Name string
	Runs []bitRun
}

// bitRun is a run of bits that all equal the bits of the other row, or all differ.
type bitRun struct {
	Text    string
	Differs bool
}

// bitView shows two patterns bit by bit: sign, exponent, significand. It is
// empty unless both texts end in a float32 pattern, "1 (0x3f800000)".
func bitView(expected, observed string) []bitRow {
	want, ok := patternOf(expected)
	got, also := patternOf(observed)
	if !ok || !also {
		return nil
	}
	return []bitRow{{"expected", runs(want, want^got)}, {"observed", runs(got, want^got)}}
}

func patternOf(text string) (uint32, bool) {
	_, hex, ok := strings.Cut(text, "(0x")
	if !ok || len(hex) != 9 {
		return 0, false
	}
	x, err := strconv.ParseUint(hex[:8], 16, 32)
	return uint32(x), err == nil
}

func runs(x, differs uint32) (list []bitRun) {
	digits, marks := fmt.Sprintf("%032b", x), fmt.Sprintf("%032b", differs)
	for k := range digits {
		if n := len(list); n > 0 && list[n-1].Differs == (marks[k] == '1') {
			list[n-1].Text += digits[k : k+1]
		} else {
			list = append(list, bitRun{digits[k : k+1], marks[k] == '1'})
		}
		if k == 0 || k == 8 {
			list[len(list)-1].Text += " "
		}
	}
	return list
}
