package findings

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/picaproof/picaproof/internal/grouped"
	"github.com/picaproof/picaproof/pica/show"
)

// WriteJUnit writes the report as JUnit XML: a test suite for each directory, with a test case
// for each file. A file fails if the baseline does not expect one of its findings of the
// threshold or above, and is skipped if it expects all of them. Unexpected passes fail in a
// suite of their own.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junit.Testsuites{Name: "picaproof " + r.Command}
	dir := func(f *File) string { return path.Dir(filepath.ToSlash(f.Name)) }
	for id, files := range grouped.By(r.Files, dir) {
		s := junit.Testsuite{Name: dir(&files[0]), ID: id, Time: "0"}
		for i := range files {
			s.AddTestcase(r.testcase(&files[i]))
		}
		all.AddSuite(s)
	}
	if s, ok := r.Known.Suite(r.Causes()); ok {
		s.ID = len(all.Suites)
		all.AddSuite(s)
	}
	return all.WriteXML(w)
}

func (r *Report) testcase(f *File) junit.Testcase {
	c := junit.Testcase{Name: f.Name, Classname: r.Command, Time: "0"}
	if f.Kind != "" {
		c.Classname += "." + f.Kind
	}
	var failed, listed strings.Builder
	var first *Finding
	bad, known := 0, 0
	failedKnown, foundKnown := r.known(f)
	for i := range f.Findings {
		x := &f.Findings[i]
		to, mark := &listed, ""
		switch {
		case foundKnown[i]:
			mark, known = "known: ", known+1
		case x.Level.AtLeast(r.Threshold):
			to, bad = &failed, bad+1
			if first == nil {
				first = x
			}
		}
		fmt.Fprintf(to, "%s%s %s\n", mark, x.Level, x.Summary())
	}
	switch {
	case f.Error != "" && !failedKnown:
		c.Error = &junit.Result{Message: f.Error, Type: "not judged"}
	case first != nil:
		c.Failure = &junit.Result{Message: first.Summary(), Type: first.Rule, Data: failed.String()}
		if bad > 1 {
			c.Failure.Message += fmt.Sprintf("; %d more", bad-1)
		}
	case failedKnown:
		c.Skipped = &junit.Result{Message: "known: " + f.Error}
	case known > 0:
		c.Skipped = &junit.Result{Message: "known: " + show.Plural(known, "finding")}
	}
	if listed.Len() > 0 {
		c.SystemOut = &junit.Output{Data: listed.String()}
	}
	return c
}

// Summary returns the finding as one line: place, rule, path, text.
func (f *Finding) Summary() string {
	var parts []string
	for _, s := range []string{f.Place(), f.Rule, f.Path} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	line := strings.Join(parts, " ") + ": " + f.Text
	if f.More > 0 {
		line += fmt.Sprintf(" (and %d more)", f.More)
	}
	return line
}
