package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
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

// TestNotReduced: the text counts the groups without an explanation, also if there is one only.
func TestNotReduced(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "1 further group of 3 jobs that failed: ",
		2: "2 further groups of 6 jobs that failed: "} {
		r := new(report.Report)
		for range n {
			r.NotReduced = append(r.NotReduced, report.Member{Key: "key", Count: 3})
		}
		var text bytes.Buffer
		if err := r.WriteText(&text, report.Paint{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) || n == 0 && strings.Contains(text.String(), "further") {
			t.Errorf("%d groups: want %q in\n%s", n, want, &text)
		}
	}
}

// TestSuitesWithoutFailure: JUnit has a test case for each suite in which nothing failed.
func TestSuitesWithoutFailure(t *testing.T) {
	r := &report.Report{Suites: []report.Suite{{Name: "clean", Counts: report.Counts{Run: 2, Equal: 2}},
		{Name: "spoiled", Counts: report.Counts{Run: 2, Equal: 1, Differ: 1}}}}
	var b bytes.Buffer
	if err := r.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	if want := `<testcase name="clean" classname="suite">`; !strings.Contains(b.String(), want) ||
		strings.Contains(b.String(), "spoiled") {
		t.Errorf("want %s and no other suite in\n%s", want, &b)
	}
}

// TestContradicted: an entry says how many answers contradict its cause.
func TestContradicted(t *testing.T) {
	for n, want := range []string{"contradicts none; ", "contradicts 1; ", "contradicts 2; "} {
		d := report.Deviation{Proof: &report.Proof{Fits: 3, Contradictions: n}}
		if got := strings.Join(d.Why(), "\n"); !strings.Contains(got, want) {
			t.Errorf("want %q in %q", want, got)
		}
	}
}
