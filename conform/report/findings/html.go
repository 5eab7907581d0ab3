package findings

import (
	_ "embed"
	"fmt"
	"io"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/markup"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

//go:embed page.html
var frame string

// A page lists so many files, or findings of a file, and counts the rest; it shows so many files.
const (
	listed = 1000
	shown  = 20_000
)

// WriteHTML writes the report as one page without other files: by rule, and by file.
func (r *Report) WriteHTML(w io.Writer) error {
	return markup.Page(w, frame, r.Title(), func(p *markup.Writer) {
		r.head(p)
		p.Put("<h2 id=\"rules\">By rule</h2>\n")
		r.rules(p)
		p.Put("\n<h2 id=\"files\">By file</h2>\n")
		for i, f := range r.Files {
			if i < shown && (f.Error != "" || len(f.Findings) > 0) {
				r.file(p, &f)
			}
		}
		if len(r.Files) == 0 {
			p.Put("<p>No files.</p>\n")
		}
	})
}

// head writes how many findings and files there are.
func (r *Report) head(p *markup.Writer) {
	p.Put("<h1>%s</h1></header>\n<nav aria-label=\"Parts of the report\"><a href=\"#rules\">By rule</a>"+
		"<a href=\"#files\">By file</a></nav>\n<main id=\"main\">\n<p>", r.Title())
	if bad := r.Bad(); bad > 0 {
		p.Put(`<span class="bad">%s of %s with findings of severity %s or graver</span>`, show.Plural(bad, "file"),
			show.Thousands(len(r.Files)), r.Threshold)
	} else {
		p.Put(`<span class="good">No finding of severity %s or graver</span> in %s`, r.Threshold,
			show.Plural(len(r.Files), "file"))
	}
	p.Put(".\n")
	n := r.ByLevel()
	for i, l := range Levels {
		p.Put("%s%s", markup.If(i > 0, ", "), show.Plural(n[l], string(l)))
	}
	p.Put("; %s without findings", show.Plural(r.Clean(), "file"))
	if r.PassedOver > 0 {
		p.Put("; %s of unknown format passed over", show.Plural(r.PassedOver, "file"))
	}
	if known := r.NumKnown(); known > 0 {
		p.Put("; %s known", show.Thousands(known))
	}
	p.Put(".</p>\n")
	if passed := r.Passed(); len(passed) > 0 {
		p.Put(`<p class="bad">Unexpected passes:</p><ul>`)
		for _, e := range passed {
			p.Put("<li><code>%s</code> (%s)</li>", e.Name, e.Outcome)
		}
		p.Put("</ul>\n")
	}
}

// rules writes how often each rule is broken, and where.
func (r *Report) rules(p *markup.Writer) {
	count := r.ByRule()
	if len(count) == 0 {
		p.Put("<p>None was broken.</p>\n")
		return
	}
	p.Put(`<div class="scroll" tabindex="0" role="region" aria-label="Rules">
<table><caption>How often each rule is broken, the gravest first</caption>
<thead><tr><th scope="col">rule</th><th scope="col">severity</th><th scope="col">what is wrong</th>` +
		`<th scope="col" class="n">findings</th><th scope="col" class="n">files</th></tr></thead>
<tbody>`)
	for _, c := range count {
		p.Put(`<tr><th scope="row"><a href="#%s">%s</a></th><td class="%s">%s</td><td>%s</td>`, anchor(c.ID), c.ID, c.Level,
			c.Level, c.Title)
		p.Put(`<td class="n">%s</td><td class="n">%s</td></tr>`+"\n", show.Thousands(c.Findings),
			show.Thousands(len(c.Files)))
	}
	p.Put("</tbody></table></div>\n")
	for _, c := range count {
		p.Put(`<details id="%s"><summary><h3>%s</h3> %s <span class="note">%s</span></summary>`+"\n<p>%s</p>", anchor(c.ID),
			c.ID, c.Title, show.Plural(len(c.Files), "file"), c.Text)
		if c.Evidence != "" {
			p.Put(`<p class="note">Evidence: %s</p>`, c.Evidence)
		}
		p.Put("\n<ul>")
		for _, f := range c.Files[:min(len(c.Files), listed)] {
			p.Put("<li><code>%s</code></li>", safetext.Name(f))
		}
		p.Put("%s</ul></details>\n", markup.If(len(c.Files) > listed, "<li>and others</li>"))
	}
}

// file writes the findings of a file.
func (r *Report) file(p *markup.Writer, f *File) {
	p.Put(`<details%s><summary><h3>%s</h3> <span class="note">%s`, markup.If(r.fails(f), " open"), safetext.Name(f.Name),
		f.Kind)
	if f.Outcome != "" {
		p.Put(", %s", f.Outcome)
	}
	p.Put("; %s</span></summary>\n", show.Plural(len(f.Findings), "finding"))
	failsAsKnown, marks := r.known(f)
	if f.Error != "" {
		p.Put(`<p class="bad">%s%s</p>`, markup.If(failsAsKnown, "Known: "), f.Error)
	}
	if len(f.Findings) > 0 {
		p.Put("<ul>")
		for k, x := range f.Findings[:min(len(f.Findings), listed)] {
			p.Put(`<li><span class="%s">%s</span> %s`, x.Level, x.Level, markup.If(marks[k], `<span class="note">known</span> `))
			if place := x.Place(); place != "" {
				p.Put("<code>%s</code> ", place)
			}
			p.Put(`<a href="#%s">%s</a> `, anchor(x.Rule), x.Rule)
			if x.Path != "" {
				p.Put("<code>%s</code>: ", x.Path)
			}
			p.Put("%s", x.Text)
			if x.More > 0 {
				p.Put(" and %s more", show.Thousands(x.More))
			}
			p.Put("</li>\n")
		}
		p.Put("%s</ul>", markup.If(len(f.Findings) > listed, "<li>and others</li>"))
	}
	p.Put("</details>\n")
}

func anchor(rule string) string { return "rule-" + rule }

// Title names the report.
func (r *Report) Title() string { return fmt.Sprintf("%s %s", r.Command, safetext.Name(r.Subject)) }

// Marks returns for each finding of a file whether the baseline expects it.
func (r *Report) Marks(f File) []bool {
	_, found := r.known(&f)
	return found
}

// FailsAsKnown reports whether the baseline expects the error of a file.
func (r *Report) FailsAsKnown(f File) bool {
	failed, _ := r.known(&f)
	return failed
}

// Passed returns the lines of the baseline whose findings are gone.
func (r *Report) Passed() []report.Expected { return r.Known.Passed(r.Causes()) }

// Clean returns the number of files without findings and errors.
func (r *Report) Clean() (n int) {
	for i := range r.Files {
		if len(r.Files[i].Findings) == 0 && r.Files[i].Error == "" {
			n++
		}
	}
	return n
}
