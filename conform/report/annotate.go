package report

import (
	"fmt"
	"io"

	"github.com/picaproof/picaproof/internal/annotation"
)

// WriteAnnotations writes the report as commands of GitHub's runner: an error for each cause that counts
// against the judged program and that the baseline does not expect, a warning for each flaky one, an
// error for each unexpected pass, and the verdict as a notice.
func (r *Report) WriteAnnotations(w io.Writer) error {
	r = r.summarised()
	var list []annotation.Annotation
	for i := range r.Deviations {
		d := &r.Deviations[i]
		level := annotation.Error
		switch {
		case r.Knows(*d) != nil, !d.Verdict.Bad() && d.Verdict != Flaky:
			continue
		case d.Verdict == Flaky:
			level = annotation.Warning
		}
		list = append(list, annotation.Annotation{Level: level,
			Title: fmt.Sprintf("%s: #%d %s", r.Command, d.Number, d.Verdict), Text: d.Name() + ": " + d.Summary()})
	}
	list = append(list, r.Known.Annotations(r.Command, r.Causes())...)
	list = append(list, annotation.Annotation{Level: annotation.Notice, Title: r.Command, Text: r.Summary.Verdict})
	return annotation.Write(w, list)
}

// Annotations returns the lines whose causes are gone.
func (b Baseline) Annotations(command string, causes []Cause) (list []annotation.Annotation) {
	for _, e := range b.Passed(causes) {
		list = append(list, annotation.Annotation{Level: annotation.Error, Title: command + ": unexpected pass",
			Text: fmt.Sprintf("%s (%s)", e.Name, e.Outcome)})
	}
	return list
}
