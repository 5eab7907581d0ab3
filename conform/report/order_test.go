package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestOrder: faults by the core's own standards come before differences of its model, whatever
// their gravity.
func TestOrder(t *testing.T) {
	r := report.Report{Deviations: []report.Deviation{
		{Bucket: "model: storage", Knob: "storage", Verdict: report.Documented},
		{Bucket: "model: round", Knob: "round", Verdict: report.Guess},
		{Bucket: "mul", Verdict: report.Own},
		{Bucket: "add: crash", Verdict: report.Crash}, {Bucket: "model: inneral", Knob: "inneral", Verdict: report.Console},
		{Bucket: "precision: rcp", Verdict: report.Precision},
	}}
	r.Regroup()
	want := []string{"add: crash", "mul", "model: inneral", "model: storage", "model: round", "precision: rcp"}
	var got []string
	for _, d := range r.Deviations {
		got = append(got, d.Bucket)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text, report.Paint{}); err != nil {
		t.Fatal(err)
	}
	_, model, _ := strings.Cut(text.String(), "where the core's model differs from the console:\n")
	if strings.Contains(model, ": mul") || !strings.Contains(model, "model: inneral") ||
		strings.Count(text.String(), "where the core's model") != 1 {
		t.Errorf("the heading is in another place:\n%s", text.String())
	}
}

// TestStateOfRequestsAndVertices: a difference of the model and a cause of one name become one cause.
func TestStateOfRequestsAndVertices(t *testing.T) {
	r := report.New("conform core", "", "core", 1)
	r.Findings = []report.Deviation{cause("add", report.Own, "add", report.Member{Key: "key", Count: 1})}
	r.Deviations = []report.Deviation{cause("add", report.Guess, "add")}
	r.Regroup()
	if len(r.Deviations) != 1 || len(r.Deviations[0].Parts) != 2 {
		t.Errorf("got %+v, want one cause of two parts", r.Deviations)
	}
}
