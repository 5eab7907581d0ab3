package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/pica/show"
)

//go:embed page.html
var pageTemplate string

// Schema is the JSON Schema of a report.
//
//go:embed schema.json
var Schema []byte

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"plural": show.Plural, "fitting": fitting, "thousands": show.Thousands, "bits": bitView, "brief": brief,
	}).Parse(pageTemplate))
})

// WriteHTML writes the report as one page without other files.
func (r *Report) WriteHTML(w io.Writer) error { return page().Execute(w, r.summarised()) }

// Instructions returns the instructions of a listing.
func Instructions(listing string) (list []string) {
	for line := range strings.Lines(listing) {
		if strings.HasPrefix(line, "\t") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

func brief(listing string) string { return strings.Join(Instructions(listing), "\n") + "\n" }

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

// bitView shows two patterns bit by bit: sign, exponent, significand. It is empty
// unless both texts end in a float32 pattern, "1 (0x3f800000)".
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
