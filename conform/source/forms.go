package source

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Form is a mnemonic, an operand form or a construct of a dialect.
type Form struct {
	Name    string
	pattern func() *regexp.Regexp // compiled at the first use: a program that judges no writer needs none of them
	second  bool                  // only in the second source
	since   int                   // the version of the dialect that has it first, 0 for any
}

// In reports whether a text contains the form.
func (f *Form) In(t *Text) bool {
	for i, file := range t.Files {
		if f.second && i == 0 {
			continue
		}
		if f.pattern().MatchString(file) {
			return true
		}
	}
	return false
}

// The forms of the dialects.
var (
	//go:embed forms/picasso.txt
	picassoForms string
	//go:embed forms/nihstro.txt
	nihstroForms string
	//go:embed forms/aemstro.txt
	aemstroForms string

	PicassoForms, NihstroForms, AemstroForms = forms(picassoForms), forms(nihstroForms), forms(aemstroForms)
)

// forms returns a form for each line: a name, a tab and a pattern. In the pattern, ~ is the
// beginning of a line with its blanks and % any text within one line; the prefix {in2} means the
// second source. A line without a tab is a mnemonic. The line {2.6} begins the forms that are new
// in version 2.6.
func forms(table string) (list []Form) {
	since := 0
	signs := strings.NewReplacer("~", `^[ \t]*`, "%", `[^\r\n]*`)
	for line := range strings.Lines(table) {
		line = strings.Trim(line, "\n")
		if line == "" {
			continue
		}
		var major, minor int
		if strings.HasPrefix(line, "{") {
			fmt.Sscanf(line, "{%d.%d}", &major, &minor)
			since = 10*major + minor
			continue
		}
		name, pattern, ok := strings.Cut(line, "\t")
		if !ok {
			pattern = `~` + regexp.QuoteMeta(name) + `\b`
		}
		pattern, second := strings.CutPrefix(strings.TrimSpace(pattern), "{in2}")
		list = append(list, Form{Name: name, second: second, since: since, pattern: sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(`(?mi)` + signs.Replace(pattern))
		})})
	}
	return list
}
