package cli

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/fatih/color"
	"golang.org/x/term"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

// terminal reports whether w is a terminal for a person.
func terminal(w io.Writer) bool {
	if safe, ok := w.(*safetext.Writer); ok {
		w = safe.Unwrap()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// shown returns the name of a file for one line.
func shown(name string) string { return safetext.Name(name) }

// palette colours words of a report.
type palette struct{ on bool }

func (a *app) palette() palette {
	person := a.output == "" && terminal(a.stdout) && os.Getenv("NO_COLOR") == ""
	return palette{a.color == "always" || a.color == "auto" && person}
}

func (p palette) paint(s string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if p.on {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(s)
}

func (p palette) severity(s diag.Severity) string {
	return p.paint("["+s.String()+"]", map[diag.Severity]color.Attribute{
		diag.Error: color.FgRed, diag.Warning: color.FgYellow, diag.Info: color.FgCyan}[s])
}

func (p palette) good(s string) string { return p.paint(s, color.FgGreen) }
func (p palette) bad(s string) string  { return p.paint(s, color.FgRed, color.Bold) }
func (p palette) dim(s string) string  { return p.paint(s, color.Faint) }
func (p palette) bold(s string) string { return p.paint(s, color.Bold) }

// Counts in the words of reports.
var (
	plural    = show.Plural
	thousands = show.Thousands
)

// table prints rows of tab-separated cells in aligned columns, with the heading in the first
// row. Cells are aligned to the left unless flags say otherwise.
func table(w io.Writer, flags uint, rows ...string) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', flags)
	end := "\n"
	if flags&tabwriter.AlignRight != 0 {
		end = "\t\n" // the last cell is also a column
	}
	for _, row := range rows {
		fmt.Fprint(t, row, end)
	}
	t.Flush() // t stores a failed write
}
