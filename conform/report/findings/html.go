package findings

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

//go:embed page.html
var pageTemplate string

// listed is the number of files, or findings of a file, that a page lists. It counts the rest.
const listed = 1000

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"plural": show.Plural, "thousands": show.Thousands, "name": safetext.Name,
		"listed": func() int { return listed }, "anchor": func(id string) string { return "rule-" + id },
	}).Parse(pageTemplate))
})

// view is the data of the page.
type view struct {
	*Report
	Count  []Count
	Levels []levelCount
}

type levelCount struct {
	Level Level
	N     int
}

// WriteHTML writes the report as one page without other files: by rule, and by file.
func (r *Report) WriteHTML(w io.Writer) error {
	v := view{Report: r, Count: r.ByRule()}
	n := r.ByLevel()
	for _, l := range Levels {
		v.Levels = append(v.Levels, levelCount{l, n[l]})
	}
	return page().Execute(w, v)
}

// Title names the report.
func (r *Report) Title() string { return fmt.Sprintf("%s %s", r.Command, safetext.Name(r.Subject)) }

// Fails reports whether a file makes the command fail.
func (r *Report) Fails(f File) bool { return r.fails(&f) }

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
