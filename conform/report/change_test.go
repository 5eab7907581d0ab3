package report_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestChanges: causes that are new, gone, of another level, and of another difference. What is gone, or is a guess
// now, counts against no program.
func TestChanges(t *testing.T) {
	cause := func(bucket string, level report.Level, observed string) report.Deviation {
		return report.Deviation{Bucket: bucket, Verdict: level, Where: "o0.x", Expected: "1", Observed: observed}
	}
	before := &report.Report{Deviations: []report.Deviation{cause("same", report.Own, "2"), cause("goes", report.Own, "2"),
		cause("level", report.Own, "2"), cause("value", report.Own, "2"), cause("program", report.Own, "2")}}
	after := &report.Report{Deviations: []report.Deviation{cause("same", report.Own, "2"),
		cause("level", report.Guess, "2"), cause("value", report.Own, "3"), cause("comes", report.Crash, "2"),
		cause("program", report.Own, "2")}}
	after.Deviations[4].Job = []byte("{}")
	for _, c := range report.Changes(before, after) {
		if want := c.Bucket == "comes" || c.Bucket == "value" || c.Bucket == "program"; c.Bad() != want {
			t.Errorf("%s: %s counts %v", c.Change, c.Bucket, c.Bad())
		}
	}
	var text bytes.Buffer
	report.WriteChanges(&text, report.Changes(before, after))
	want := `new: comes (crash)
  ` + after.Deviations[3].Summary() + `
gone: goes (` + string(report.Own) + `)
  ` + before.Deviations[1].Summary() + `
changed: level (` + string(report.Guess) + `, before ` + string(report.Own) + `)
  o0.x: observed 2, before 2
changed: value (` + string(report.Own) + `)
  o0.x: observed 3, before 2
changed: program (` + string(report.Own) + `)
  another program shows it; o0.x: expected 1, observed 2
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", &text, want)
	}
}
