package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/picaproof/picaproof/conform/report"
)

// TestKnown: an expected cause is skipped in JUnit and marked elsewhere; another outcome and an
// unexpected pass fail.
func TestKnown(t *testing.T) {
	known,
		err := report.ReadBaseline(
		strings.NewReader("crash:_a crash # seen\ncrash:_b hang # other\ngone crash # mended\nnever flaky # now and "+
			"then\n"), report.Levels)
	if err != nil {
		t.Fatal(err)
	}
	r := report.Report{Command: "conform reader", Kind: "reader", Known: known.Index(),
		Deviations: []report.Deviation{{Bucket: "crash: a", Verdict: report.Crash},
			{Bucket: "crash: b", Verdict: report.Crash}, {Bucket: "c", Verdict: report.Cost}}}
	var suites, text, page bytes.Buffer
	if err := errors.Join(r.WriteJUnit(&suites), r.WriteText(&text, report.Paint{}), r.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	var all junit.Testsuites
	if err := xml.Unmarshal(suites.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if all.Tests != 4 || all.Skipped != 1 || all.Failures != 3 {
		t.Errorf("%d tests, %d skipped, %d failures", all.Tests, all.Skipped, all.Failures)
	}
	for _, want := range []string{"known: seen", "unexpected pass: gone (crash)",
		"3 causes speak against the reader, 1 known"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
	for _, want := range []string{">known<", "Known: seen", "gone (crash)", ", 1 known"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is missing in the page", want)
		}
	}
}
