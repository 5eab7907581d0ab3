package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// usualFinding is a rule that nearly every file of a directory breaks because of a known writer.
type usualFinding struct {
	dir, format string
	rule, text  string
	severity    diag.Severity
	writers     string
	files, of   int // files of the directory: with the finding, and of the format
}

// covers reports whether u summarises a finding.
func (u *usualFinding) covers(c *checkedFile, f *diag.Finding) bool {
	return u.rule == f.Rule && u.severity == f.Severity && u.format == c.Format && u.dir == filepath.Dir(c.File)
}

// writersText says once who wrote files, for each directory.
func writersText(w io.Writer, files []checkedFile) {
	type group struct{ dir, writer string }
	names, of := map[group][]string{}, map[string]int{}
	for i := range files {
		c := &files[i]
		dir := filepath.Dir(c.File)
		of[dir]++
		if c.Writer != "" {
			names[group{dir, c.Writer}] = append(names[group{dir, c.Writer}], c.File)
		}
	}
	groups := slices.SortedFunc(maps.Keys(names), func(a, b group) int {
		return cmp.Or(strings.Compare(a.dir, b.dir), strings.Compare(a.writer, b.writer))
	})
	for _, g := range groups {
		if list := names[g]; len(list) == 1 {
			fmt.Fprintf(w, "%s: written by %s\n", shown(list[0]), g.writer)
		} else {
			fmt.Fprintf(w, "%s: %d of %d files written by %s\n", shown(g.dir), len(list), of[g.dir], g.writer)
		}
	}
}

// Findings are summarised from this number of files on, and this share of the directory.
const (
	usualFiles           = 4
	usualNum, usualDenom = 9, 10
)

// usualFindings returns the summaries of each directory, in the order of directories, formats
// and rules.
func usualFindings(files []checkedFile) (list []usualFinding) {
	type place struct{ dir, format string }
	type kind struct {
		place
		rule     string
		severity diag.Severity
	}
	of, with, text := map[place]int{}, map[kind]int{}, map[kind]string{}
	for i := range files {
		c := &files[i]
		at := place{filepath.Dir(c.File), c.Format}
		of[at]++
		seen := map[kind]bool{}
		for _, f := range c.Findings {
			k := kind{at, f.Rule, f.Severity}
			if f.Severity != diag.Error && !seen[k] {
				seen[k] = true
				with[k]++
				text[k] = f.Msg
			}
		}
	}
	for k, n := range with {
		writers := registry.WritersOf(k.rule)
		if len(writers) > 0 && n >= usualFiles && n*usualDenom >= of[k.place]*usualNum {
			list = append(list, usualFinding{k.dir, k.format, k.rule, text[k], k.severity, strings.Join(writers, ", "),
				n, of[k.place]})
		}
	}
	slices.SortFunc(list, func(a, b usualFinding) int {
		return cmp.Or(strings.Compare(a.dir, b.dir), strings.Compare(a.format, b.format),
			strings.Compare(a.rule, b.rule), cmp.Compare(b.severity, a.severity))
	})
	return list
}
