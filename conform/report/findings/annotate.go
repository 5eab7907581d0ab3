package findings

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/picaproof/picaproof/internal/annotation"
)

// annotated maps levels to those of annotations.
var annotated = map[Level]annotation.Level{
	Error: annotation.Error, Warning: annotation.Warning, Info: annotation.Notice,
}

// WriteAnnotations writes the report as commands of GitHub's runner: an annotation for each finding and
// for each file that could not be judged, but for those that the baseline expects, and one for each
// unexpected pass.
func (r *Report) WriteAnnotations(w io.Writer) error {
	var list []annotation.Annotation
	for i := range r.Files {
		f := &r.Files[i]
		name := filepath.ToSlash(f.Name)
		failedKnown, known := r.known(f)
		if f.Error != "" && !failedKnown {
			list = append(list, annotation.Annotation{Level: annotation.Error, File: name, Title: r.Command + ": not judged",
				Text: f.Error})
		}
		for k := range f.Findings {
			x := &f.Findings[k]
			if known[k] {
				continue
			}
			list = append(list, annotation.Annotation{Level: annotated[x.Level], File: name, Line: x.Line,
				Title: x.Rule, Text: x.placed() + x.more()})
		}
	}
	return annotation.Write(w, append(list, r.Known.Annotations(r.Command, r.Causes())...))
}

// placed returns the text of the finding behind its offset and its path, which consumers that know only
// lines do not show. They show the line themselves.
func (f *Finding) placed() string {
	text := f.Text
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Bytes != nil {
		text = fmt.Sprintf("%s: %s", f.Place(), text)
	}
	return text
}

// more says how many findings are not listed.
func (f *Finding) more() string {
	if f.More == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more findings of %s", f.More, f.Rule)
}
