package writer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/diag"
)

// telling are rules with the severity of a warning that count against a writer, because readers of such a
// file disagree about what it says, or lose a part of it.
var telling = map[string]bool{
	"DVLE005": true, // a merge flag above 1
	"DVLE033": true, // a boolean above 1
	"DVLE035": true, // a number with more than 24 bits
	"DVLE036": true, // a register with two constants
	"DVLE064": true, // a name with two uniforms
	"DVLP008": true, // more code than a vertex unit holds
}

// warnings counts the rules that files break without a change of their meaning.
type warnings struct {
	mu    sync.Mutex
	rules map[string]*warned
}

// warned is a broken rule with the smallest input that shows it.
type warned struct {
	files int
	size  int
	shown string
	about string
}

// add counts the rules that the file for an input breaks.
func (w *warnings) add(list []diag.Finding, size int, show func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[string]bool{}
	for _, f := range list {
		if seen[f.Rule] {
			continue
		}
		seen[f.Rule] = true
		x := w.rules[f.Rule]
		if x == nil {
			x = &warned{size: size + 1}
			w.rules[f.Rule] = x
		}
		x.files++
		shown := show()
		if size < x.size || size == x.size && shown < x.shown {
			x.size, x.shown, x.about = size, shown, f.Msg
		}
	}
}

// addTo adds the table of the rules to a report, unless there are none.
func (w *warnings) addTo(r *report.Report, input string) {
	t := report.Table{Title: "Warnings that change nothing", Columns: []string{"rule", "files", "warning", input}}
	for _, rule := range slices.Sorted(maps.Keys(w.rules)) {
		x := w.rules[rule]
		t.Rows = append(t.Rows, []string{rule, strconv.Itoa(x.files), x.about, x.shown})
	}
	addTable(r, t)
}

// addTable adds a table to a report, unless it is empty.
func addTable(r *report.Report, t report.Table) {
	if len(t.Rows) > 0 {
		r.Tables = append(r.Tables, t)
	}
}

// oneLine returns a source on one line, and only the beginning of a long one.
func oneLine(t *source.Text) string {
	const most = 160
	lines := strings.FieldsFunc(strings.Join(t.Files, "\n"), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	text := strings.Join(lines, " / ")
	if len(text) > most {
		return fmt.Sprintf("%s... (%d lines)", text[:most], len(lines))
	}
	return text
}
