package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/pica/show"
)

// WriteJUnit writes the report as JUnit XML. It has a test suite for the causes: a cause that
// counts against the core fails, one that the baseline expects is skipped, and any other passes
// with a text; what was not tested or not read is skipped. Groups without a cause are one more failure. The
// suite's output is the summary, and its properties are the lines of the summary. Two more suites have the
// unexpected passes and the questions of the fingerprint.
func (r *Report) WriteJUnit(w io.Writer) error {
	causes := junit.Testsuite{Name: r.Command + " " + r.Core}
	r = r.summarised()
	for _, l := range r.Summary.Lines {
		causes.AddProperty(l.Name, strconv.Itoa(l.Count))
	}
	causes.SystemOut = &junit.Output{Data: r.screen()}
	for i := range r.Deviations {
		causes.AddTestcase(r.testcase(&r.Deviations[i]))
	}
	if n := len(r.NotReduced); n > 0 {
		causes.AddTestcase(junit.Testcase{Name: notExplained, Classname: "groups",
			Failure: &junit.Result{Message: fmt.Sprintf("%s of %s, the first: %s", show.Plural(n, "group"),
				show.Plural(r.NotReducedJobs(), "job"), r.NotReduced[0].Key)}})
	}
	for _, s := range r.Suites {
		if r.Partial() && s.Run == 0 && s.NotTested == 0 {
			causes.AddTestcase(junit.Testcase{Name: s.Name, Classname: "suite",
				Skipped: &junit.Result{Message: "no job was run"}})
			continue
		}
		if s.Differ+s.Crash+s.Hang == 0 && (s.Equal > 0 || s.NotTested == 0) {
			causes.AddTestcase(junit.Testcase{Name: s.Name, Classname: "suite"})
		}
	}
	for _, u := range r.NotTested {
		causes.AddTestcase(junit.Testcase{Name: u.Name, Classname: u.Suite,
			Skipped: &junit.Result{Message: "not tested: " + u.Reason}})
	}
	for _, u := range r.NotRead {
		for _, table := range u.Tables {
			causes.AddTestcase(junit.Testcase{Name: table, Classname: u.Suite,
				Skipped: &junit.Result{Message: "not read"}})
		}
	}
	var all junit.Testsuites
	all.AddSuite(causes)
	if s, ok := r.Known.Suite(r.Causes()); ok {
		s.ID = len(all.Suites)
		all.AddSuite(s)
	}
	if r.Profile.Nearest == "" {
		return all.WriteXML(w)
	}
	model := junit.Testsuite{Name: "model " + r.Profile.Nearest, ID: len(all.Suites)}
	for i := range r.Profile.Knobs {
		k := &r.Profile.Knobs[i]
		model.AddTestcase(junit.Testcase{Name: k.Knob + "=" + k.Value, Classname: k.State})
	}
	all.AddSuite(model)
	return all.WriteXML(w)
}

// testcase returns a cause as a test, which fails if the cause counts against the subject and is not known.
func (r *Report) testcase(d *Deviation) junit.Testcase {
	c := junit.Testcase{Name: d.Bucket, Classname: string(d.Verdict)}
	result := &junit.Result{Message: fmt.Sprintf("#%d %s", d.Number, d.difference()), Type: string(d.Verdict),
		Data: strings.Join(d.details(), "\n")}
	known := r.Knows(*d)
	switch {
	case known != nil:
		c.Skipped = &junit.Result{Message: "known: " + known.Reason}
	case d.Verdict.Bad():
		c.Failure = result
	}
	if c.Failure == nil {
		c.SystemOut = &junit.Output{Data: result.Message + "\n" + result.Data}
	}
	return c
}

// details lists the program of a deviation, its inputs, where it goes wrong, and what repeats it.
func (d *Deviation) details() []string {
	var list []string
	if d.Note != "" {
		list = append(list, d.Note)
	}
	list = append(list, d.Why()...)
	if d.Provenance != "" {
		list = append(list, fmt.Sprintf("the expectation is %s: %s", d.Provenance, d.Source))
	}
	list = append(list, d.Assembly+strings.Join(d.Inputs, "\n"))
	if words := d.Hex(); words != "" {
		list = append(list, words)
	}
	if d.Trace != nil {
		list = append(list, d.Trace.Lines()...)
	}
	for _, part := range d.Parts {
		list = append(list, d.alike()+" "+part.Bucket+": "+part.Summary())
	}
	if d.Stderr != "" {
		list = append(list, "it wrote: "+strings.TrimSpace(d.Stderr))
	}
	return append(append(list, d.Repeat()), d.Files...)
}

// screen returns the summary as text.
func (r *Report) screen() string {
	var text strings.Builder
	b := bufio.NewWriter(&text)
	safetext.OneLine(r.Summary).writeText(b, Paint{}, r.CaseNoun(), safetext.OneLine(r.Headlines()))
	b.Flush() // a strings.Builder fails no write
	return text.String()
}
