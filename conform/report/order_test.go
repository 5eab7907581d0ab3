package report_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestOrder: faults by the core's own standards come before differences of its model, whatever
// their gravity, and both before what the core refuses.
func TestOrder(t *testing.T) {
	r := report.Report{Deviations: []report.Deviation{
		{Bucket: "model: storage", Knob: "storage", Verdict: report.Documented},
		{Bucket: "model: round", Knob: "round", Verdict: report.Guess},
		{Bucket: "mul", Verdict: report.Own},
		{Bucket: "add: crash", Verdict: report.Crash}, {Bucket: "model: inneral", Knob: "inneral", Verdict: report.Console},
		{Bucket: "precision: rcp", Verdict: report.Precision},
		{Bucket: "model: op.dp3", Knob: "op.dp3", Verdict: report.Unsupported, Count: 1},
		{Bucket: "mov: refused", Verdict: report.Unsupported, Count: 1, Members: []report.Member{{Key: "r", Count: 1}}},
	}}
	r.Findings = r.Deviations[len(r.Deviations)-1:]
	r.Regroup()
	want := []string{"add: crash", "mul", "model: inneral", "model: storage", "model: round", "precision: rcp", "mov: refused",
		"model: op.dp3"}
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
	model, refused, _ := strings.Cut(model, "programs that the core refuses:\n")
	if strings.Contains(model, "mov") || !strings.HasPrefix(refused, "\n#7 unsupported: mov: refused, 1 job\n") {
		t.Errorf("the refused program is in another place:\n%s", text.String())
	}
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

// TestPlace: text, HTML and JUnit name the place of a difference with its class, if it has one, and the end of a
// run without it.
func TestPlace(t *testing.T) {
	for _, x := range []struct{ where, class, want string }{
		{"o0.x", "sign of zero", "o0.x (sign of zero): expected 0, observed -0"},
		{"o0.x", "", "o0.x: expected 0, observed -0"},
		{"end", "trap", "end: expected 0, observed -0"},
	} {
		r := report.Report{Deviations: []report.Deviation{
			{Bucket: "mul", Verdict: report.Own, Where: x.where, Class: x.class, Expected: "0", Observed: "-0"}}}
		for name, write := range map[string]func(io.Writer) error{"html": r.WriteHTML, "junit": r.WriteJUnit,
			"text": func(w io.Writer) error { return r.WriteText(w, report.Paint{}) }} {
			var form bytes.Buffer
			if err := write(&form); err != nil || !strings.Contains(form.String(), x.want) {
				t.Errorf("%s: got %v and %s, want %s", name, err, &form, x.want)
			}
		}
	}
}

// TestAlike: no form says of causes that nothing explains that they are one fault.
func TestAlike(t *testing.T) {
	for _, x := range []struct {
		unexplained bool
		want, not   string
	}{{true, "alike:", "same fault"}, {false, "the same fault shows as", "alike"}} {
		d := report.Deviation{Bucket: "mul", Verdict: report.Own, Unexplained: x.unexplained,
			Parts: []report.Deviation{{Bucket: "add"}}}
		r := report.Report{Deviations: []report.Deviation{d}}
		for name, write := range map[string]func(io.Writer) error{"html": r.WriteHTML, "junit": r.WriteJUnit,
			"text": func(w io.Writer) error { return r.WriteText(w, report.Paint{}) }} {
			var form bytes.Buffer
			if err := write(&form); err != nil {
				t.Fatal(err)
			}
			text := strings.ToLower(form.String())
			if !strings.Contains(text, x.want) || strings.Contains(text, x.not) {
				t.Errorf("%s: got %s, want %q", name, text, x.want)
			}
		}
	}
}
