package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/report"
)

// TestWords: text and HTML show the number of words of a program only if it has more words than
// instructions.
func TestWords(t *testing.T) {
	for words, want := range map[int]string{0: "", 515: "515 words"} {
		d := report.Deviation{Bucket: "jmpu", Verdict: report.Own, Instructions: 4, Words: words}
		r := report.Report{Deviations: []report.Deviation{d}}
		var text, page bytes.Buffer
		if err := errors.Join(r.WriteText(&text, report.Paint{}), r.WriteHTML(&page)); err != nil {
			t.Fatal(err)
		}
		for form, b := range map[string]*bytes.Buffer{"text": &text, "html": &page} {
			if !strings.Contains(b.String(), want) || want == "" && strings.Contains(b.String(), " words") {
				t.Errorf("%s of a program with %d words: want %q in\n%s", form, words, want, b)
			}
		}
	}
}
