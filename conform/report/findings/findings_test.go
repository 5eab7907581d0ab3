package findings_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/internal/golden"
)

func example() *findings.Report {
	return &findings.Report{
		Command: "check", Subject: "build/ <&>", Version: "v1.2.3", Threshold: findings.Error,
		Rules: []findings.Rule{{ID: "AAA001", Title: "wrong magic", Text: "The magic is wrong", Level: findings.Error,
			Evidence: "document: x", URL: "https://example.org/a"}},
		Files: []findings.File{
			{Name: "build/a b#1.shbin", Kind: "shbin", Outcome: "malformed", Findings: []findings.Finding{
				{Rule: "AAA001", Level: findings.Error, Bytes: &findings.Range{Off: 0, Len: 4}, Path: "a.magic",
					Text:    "wrong magic <\"&'>\x01",
					Related: []findings.Related{{Bytes: &findings.Range{Off: 8, Len: 0}, Path: "a.end"}}},
				{Rule: "BBB002", Level: findings.Info, Bytes: &findings.Range{Off: 12, Len: 0}, Path: "a.x",
					Text: "odd", More: 7},
				{Rule: "BBB002", Level: findings.Info, Path: "a.x", Text: "odd, in decoded bytes"},
			}},
			{Name: "build/clean.shbin", Kind: "shbin", Outcome: "ok"},
			{Name: "src/x.v.pica", Findings: []findings.Finding{
				{Rule: "CCC003", Level: findings.Warning, Line: 7, Text: "hazard"},
			}},
			{Name: "/abs/none", Error: "cannot be judged"},
		},
	}
}

// TestSARIF checks a report against the schema of SARIF 2.1.0, and against its findings.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := example().WriteSARIF(&b); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(b.Bytes(), sarif.WithStrictValidation())
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Validate(); err != nil {
		t.Error(err)
	}
	run := log.Runs[0]
	var got []string
	for _, r := range run.Results {
		where := r.Locations[0].PhysicalLocation
		line := *r.RuleID + " " + r.Level + " " + *where.ArtifactLocation.URI
		if run.Tool.Driver.Rules[r.RuleIndex].ID == nil || *run.Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID {
			t.Errorf("rule index %d is not %s", r.RuleIndex, *r.RuleID)
		}
		if region := where.Region; region != nil {
			place, err := json.Marshal([]any{region.ByteOffset, region.ByteLength, region.StartLine})
			if err != nil {
				t.Fatal(err)
			}
			line += " " + string(place)
		}
		got = append(got, line)
	}
	want := []string{
		"AAA001 error build/a%20b%231.shbin [0,4,1]",
		"BBB002 note build/a%20b%231.shbin [12,0,1]",
		"BBB002 note build/a%20b%231.shbin [-1,null,1]",
		"CCC003 warning src/x.v.pica [-1,null,7]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(run.Invocations[0].ToolExecutionNotifications); n != 1 {
		t.Errorf("%d notifications for one file that cannot be judged", n)
	}
	if *run.Results[1].OccurrenceCount != 8 {
		t.Error("further findings are not counted")
	}
}

// TestFingerprints: a finding keeps its fingerprint when it moves, and two findings of one
// file never share one.
func TestFingerprints(t *testing.T) {
	prints := func(change func(f *findings.File)) (list []string) {
		r := example()
		change(&r.Files[0])
		var b bytes.Buffer
		if err := r.WriteSARIF(&b); err != nil {
			t.Fatal(err)
		}
		log, err := sarif.FromBytes(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range log.Runs[0].Results[:len(r.Files[0].Findings)] {
			for _, print := range x.PartialFingerprints {
				list = append(list, print)
			}
		}
		return list
	}
	before := prints(func(*findings.File) {})
	moved := prints(func(f *findings.File) {
		for i := range f.Findings {
			if f.Findings[i].Bytes != nil {
				f.Findings[i].Bytes.Off += 64
			}
			f.Findings[i].Text += " and more"
		}
		f.Findings[0].Path = "a.other"
	})
	if before[0] == moved[0] || before[1] != moved[1] || before[2] != moved[2] || before[1] == before[2] {
		t.Errorf("before %v, moved %v", before, moved)
	}
	if renamed := prints(func(f *findings.File) { f.Name = "another.shbin" }); !slices.Equal(before, renamed) {
		t.Errorf("before %v, in a file of another name %v", before, renamed)
	}
}

func TestJUnit(t *testing.T) {
	r := example()
	r.Files[0].Findings[0].Text = "wrong magic"
	var b bytes.Buffer
	if err := r.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var all junit.Testsuites
	if err := xml.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Suites) != 3 || all.Tests != 4 || all.Failures != 1 || all.Errors != 1 {
		t.Errorf("%d suites, %d tests, %d failures, %d errors", len(all.Suites), all.Tests, all.Failures, all.Errors)
	}
	c := all.Suites[0].Testcases[0]
	if c.Failure.Message != "0x0000 AAA001 a.magic: wrong magic" || !strings.Contains(c.SystemOut.Data, "and 7 more") {
		t.Errorf("got %+v, %+v", c.Failure, c.SystemOut)
	}
}

// TestHTML: the page names each rule and file, and escapes them.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := example().WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"build/ &lt;&amp;&gt;", "a b#1.shbin", "AAA001", "1 warning", "9 infos",
		"2 files of 4", "cannot be judged", "line 7"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(b.String(), "<&>") {
		t.Error("text is not escaped")
	}
}

// TestBaseline: a new baseline expects all failures; a later finding is new, and a missing one
// is an unexpected pass.
func TestBaseline(t *testing.T) {
	r := example()
	var b bytes.Buffer
	if err := report.WriteBaseline(&b, r.Causes(), nil); err != nil {
		t.Fatal(err)
	}
	known, err := report.ReadBaseline(&b, findings.Levels)
	if err != nil {
		t.Fatal(err)
	}
	if got := known.Against(r.Causes()); len(known) != 2 || len(got) > 0 {
		t.Errorf("%d entries; %v", len(known), got)
	}
	r.Files[0].Findings[0].Path = "b.magic"
	got := strings.Join(known.Against(r.Causes()), "\n")
	want := "new: build/a b#1.shbin:AAA001:b.magic (error)\nunexpected pass: build/a_b#1.shbin:AAA001:a.magic (error)"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBaselineAgain: a rewritten baseline keeps its reasons, and its findings that come and go.
func TestBaselineAgain(t *testing.T) {
	before := report.Baseline{{Name: "a_b", Outcome: "crash", Reason: "mine"},
		{Name: "c", Outcome: "flaky", Reason: "now and then"}, {Name: "d", Outcome: "skip", Reason: "nobody uses it"},
		{Name: "e", Outcome: "hang", Reason: "mended"}}
	causes := []report.Cause{{Name: "a b", Outcome: "hang", Text: "new text", Bad: true},
		{Name: "c", Outcome: "crash", Bad: true}, {Name: "f", Outcome: "wrong model", Text: "o0:  x", Bad: true},
		{Name: "g", Outcome: "flaky"}}
	var b strings.Builder
	if err := report.WriteBaseline(&b, causes, before); err != nil {
		t.Fatal(err)
	}
	want := "c flaky # now and then\nd skip # nobody uses it\na_b hang # mine\nf wrong-model # o0: x\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestKnown: expected findings are skipped, unexpected passes fail, and the page marks both.
func TestKnown(t *testing.T) {
	r := example()
	var b bytes.Buffer
	if err := report.WriteBaseline(&b, r.Causes(), nil); err != nil {
		t.Fatal(err)
	}
	b.WriteString("gone:AAA001:x error # mended\n")
	baseline, err := report.ReadBaseline(&b, findings.Levels)
	if err != nil {
		t.Fatal(err)
	}
	r.Known = baseline.Index()
	r.Files[0].Findings[0].Text = "wrong magic"
	var text, page bytes.Buffer
	if err := errors.Join(r.WriteJUnit(&text), r.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	var all junit.Testsuites
	if err := xml.Unmarshal(text.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if all.Tests != 5 || all.Skipped != 2 || all.Failures != 1 || all.Errors != 0 || r.NumKnown() != 2 {
		t.Errorf("%d tests, %d skipped, %d failures, %d errors, %d known", all.Tests, all.Skipped, all.Failures,
			all.Errors, r.NumKnown())
	}
	for _, want := range []string{">known<", "Known: cannot be judged", "gone:AAA001:x", "; 2 known"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// TestBaselineState: SARIF marks each finding that a baseline can list as unchanged or new.
func TestBaselineState(t *testing.T) {
	for lines, want := range map[string]string{
		"":                               "",
		"gone:AAA001:x error # mended\n": `"baselineState": "new"`,
		"build/a_b#1.shbin:AAA001:a.magic error # known\n": `"baselineState": "unchanged"`,
	} {
		baseline, err := report.ReadBaseline(strings.NewReader(lines), findings.Levels)
		if err != nil {
			t.Fatal(err)
		}
		r := example()
		r.Known = baseline.Index()
		var b bytes.Buffer
		if err := r.WriteSARIF(&b); err != nil {
			t.Fatal(err)
		}
		n := strings.Count(b.String(), "baselineState")
		if !strings.Contains(b.String(), want) || n != min(len(want), 1) {
			t.Errorf("%q: %d states, want one if any, %s", lines, n, want)
		}
	}
}

// TestNames: a page is text whatever the names of files are.
func TestNames(t *testing.T) {
	r := example()
	r.Files[0].Name, r.Subject = "non\xffutf", "non\xffutf"
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil || !utf8.Valid(b.Bytes()) || !strings.Contains(b.String(), `non\xffutf`) {
		t.Errorf("%v, or the page is no text or without the name", err)
	}
}

// TestBaselineNames: a written baseline can be read, whatever the names are, and keeps different
// names apart.
func TestBaselineNames(t *testing.T) {
	names := []string{"a b", "a_b", "a\tb", "a\nb", "#a", "a #b", "%20", "a\xffb", "a\uFFFDb", "ä\u2028b", "a%09b"}
	var causes []report.Cause
	for _, name := range names {
		causes = append(causes,
			report.Cause{Name: name, Outcome: "error", Text: strings.Repeat("x ", 1<<17), Bad: true},
			report.Cause{Name: name + "2", Outcome: "error", Bad: true})
	}
	var b bytes.Buffer
	if err := report.WriteBaseline(&b, causes, nil); err != nil {
		t.Fatal(err)
	}
	known, err := report.ReadBaseline(&b, findings.Levels)
	if got := known.Against(causes); err != nil || len(got) > 0 || len(known) != len(causes) {
		t.Fatalf("%v, %d of %d, %v", err, len(known), len(causes), got)
	}
	for i := range causes {
		others := slices.Delete(slices.Clone(known), i, i+1)
		if got := others.Against(causes); len(got) != 1 {
			t.Errorf("%q is excused by the line of another", causes[i].Name)
		}
	}
}

// TestForms: each form of reports is recorded: with and without a baseline, of files in other places, of
// several versions.
func TestForms(t *testing.T) {
	baseline := func(expected ...report.Expected) *findings.Report {
		r := example()
		r.Known = report.Baseline(expected).Index()
		return r
	}
	elsewhere := example()
	elsewhere.Version = "devel"
	elsewhere.Rules[0].Text, elsewhere.Rules[0].Evidence = "It ends.", "so does this."
	for i, name := range []string{"../x.shbin", "./a//b.shbin", "a/../../b/x.pica", "/abs/x"} {
		elsewhere.Files[i].Name = name
	}
	elsewhere.Files[2].Findings = append(elsewhere.Files[2].Findings,
		findings.Finding{Rule: "BBB002", Level: findings.Error, Line: 1, Path: "p", Text: "twice", More: 1},
		findings.Finding{Rule: "BBB002", Level: findings.Info, Line: 1, Path: "p", Text: "twice"})
	elsewhere.Files[0].Findings[0].Related = append(elsewhere.Files[0].Findings[0].Related, findings.Related{Path: "q"})
	unversioned := &findings.Report{Command: "lint"}
	for name, r := range map[string]*findings.Report{"example": example(), "elsewhere": elsewhere,
		"unversioned": unversioned,
		"error known": baseline(report.Expected{Name: "/abs/none", Outcome: "error", Reason: "x"}),
		"findings known": baseline(
			report.Expected{Name: "build/a_b#1.shbin:AAA001:a.magic", Outcome: "error", Reason: "y"},
			report.Expected{Name: "gone:AAA001:a", Outcome: "error", Reason: "z"}),
	} {
		var sarif, page, suites, annotations bytes.Buffer
		if err := errors.Join(r.WriteSARIF(&sarif), r.WriteHTML(&page), r.WriteJUnit(&suites),
			r.WriteAnnotations(&annotations)); err != nil {
			t.Fatal(err)
		}
		name = strings.ReplaceAll(name, " ", "-")
		_, body, _ := strings.Cut(page.String(), "</head>") // the head is the same for all
		golden.Text(t, name+".sarif", sarif.String())
		golden.Text(t, name+".html", body)
		golden.Text(t, name+".junit", suites.String())
		golden.Text(t, name+".github", annotations.String())
		var counts strings.Builder
		for _, c := range r.Causes() {
			fmt.Fprintf(&counts, "%+v\n", c)
		}
		for _, rule := range r.ByRule() {
			fmt.Fprintf(&counts, "%+v\n", rule)
		}
		fmt.Fprintf(&counts, "bad %v, known %v, levels %v, clean %v, passed %v\n", r.Bad(), r.NumKnown(), r.ByLevel(),
			r.Clean(), r.Passed())
		golden.Text(t, name+".counts", counts.String())
	}
}
