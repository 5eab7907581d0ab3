// Package findings serves this module: it has the findings of a command about many files, rule by
// rule and place by place, and writes them as SARIF, as JUnit and as a page of HTML.
package findings

//go:generate go test -run ^TestForms$ -update .

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
)

// Level is the severity of a finding.
type Level string

// The levels, the gravest first.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Info    Level = "info"
)

// Levels lists the levels, the gravest first.
var Levels = []Level{Error, Warning, Info}

// AtLeast reports whether the level is m or graver.
func (l Level) AtLeast(m Level) bool { return slices.Index(Levels, l) <= slices.Index(Levels, m) }

// Report is the result of a command for files.
type Report struct {
	Command string // "check"
	Subject string // its arguments: "build/"
	Version string // of picaproof
	// Threshold is the mildest level of a finding that fails the command.
	Threshold Level
	Files     []File
	// Rules are the rules that findings can have.
	Rules      []Rule
	PassedOver int // files of directories without any finding
	// Known is the baseline of the report.
	Known report.Known
}

// Rule describes a rule that findings refer to.
type Rule struct {
	ID, Title, Text string
	Level           Level
	Evidence        string // the source of the rule
	URL             string // the address of a page that explains the rule
}

// File is a file, or another thing that is judged separately.
type File struct {
	Name    string
	Kind    string // its format
	Outcome string // such as "ok"
	// Error is the reason why the file could not be judged; else it is empty.
	Error    string
	Findings []Finding
}

// Finding is one breach of one rule.
type Finding struct {
	Rule  string
	Level Level
	// Bytes is the place in the file; nil if there is none.
	Bytes *Range
	Line  int    // in a source, from 1; 0 if there is none
	Path  string // in the model of the file: "dvle[0].entry"
	Text  string
	More  int // further findings of this rule, which are not listed
	// Related are further places.
	Related []Related
}

// Range is a range of bytes.
type Range struct{ Off, Len int }

// Related is another place of a finding.
type Related struct {
	Bytes *Range
	Path  string
}

// Place returns the place of a finding as text: "0x0040", "line 7".
func (f *Finding) Place() string {
	switch {
	case f.Bytes != nil:
		return fmt.Sprintf("0x%04x", f.Bytes.Off)
	case f.Line > 0:
		return fmt.Sprintf("line %d", f.Line)
	}
	return ""
}

// Keys returns a name for each finding of a file: its rule, its path, and its number among the
// findings with both. Edits elsewhere in the file do not change it.
func (f *File) Keys() []string {
	seen := map[string]int{}
	keys := make([]string, len(f.Findings))
	for i := range f.Findings {
		name := f.Findings[i].Rule + ":" + f.Findings[i].Path
		seen[name]++
		if keys[i] = name; seen[name] > 1 {
			keys[i] = fmt.Sprintf("%s@%d", name, seen[name])
		}
	}
	return keys
}

// fails reports whether the command fails because of the file.
func (r *Report) fails(f *File) bool {
	return f.Error != "" || slices.ContainsFunc(f.Findings,
		func(x Finding) bool { return x.Level.AtLeast(r.Threshold) })
}

// Bad returns the number of files that make the command fail.
func (r *Report) Bad() (n int) {
	for i := range r.Files {
		if r.fails(&r.Files[i]) {
			n++
		}
	}
	return n
}

// Causes returns the findings for a baseline, each as FILE:RULE:PATH with its level.
func (r *Report) Causes() (list []report.Cause) {
	for i := range r.Files {
		list = append(list, r.causesOf(&r.Files[i])...)
	}
	return list
}

// causesOf returns the causes of a file: the error, if it has one, and each finding.
func (r *Report) causesOf(f *File) (list []report.Cause) {
	if f.Error != "" {
		list = append(list, report.Cause{Name: f.Name, Outcome: string(Error), Text: f.Error, Bad: true})
	}
	for k, key := range f.Keys() {
		x := &f.Findings[k]
		list = append(list, report.Cause{Name: f.Name + ":" + key, Outcome: string(x.Level), Text: x.Text,
			Bad: x.Level.AtLeast(r.Threshold)})
	}
	return list
}

// known reports for the error of a file and for each of its findings whether the baseline
// expects it.
func (r *Report) known(f *File) (failed bool, found []bool) {
	found = make([]bool, len(f.Findings))
	if len(r.Known.Baseline) == 0 {
		return false, found
	}
	list := r.causesOf(f)
	if f.Error != "" {
		failed, list = r.Known.Knows(&list[0]) != nil, list[1:]
	}
	for k := range list {
		found[k] = r.Known.Knows(&list[k]) != nil
	}
	return failed, found
}

// NumKnown counts the findings and errors that the baseline expects.
func (r *Report) NumKnown() (n int) {
	for i := range r.Files {
		failed, found := r.known(&r.Files[i])
		for _, is := range append(found, failed) {
			if is {
				n++
			}
		}
	}
	return n
}

// Count is the number of findings of a rule.
type Count struct {
	Rule
	Findings int
	Files    []string // with at least one
}

// ByRule returns the rules that were found, the gravest and most frequent first.
func (r *Report) ByRule() (list []Count) {
	at := map[string]int{}
	for i := range r.Files {
		for k := range r.Files[i].Findings {
			f := &r.Files[i].Findings[k]
			n, ok := at[f.Rule]
			if !ok {
				n = len(list)
				at[f.Rule] = n
				list = append(list, Count{Rule: r.rule(f.Rule, f.Level)})
			}
			c := &list[n]
			c.Findings += 1 + f.More
			if len(c.Files) == 0 || c.Files[len(c.Files)-1] != r.Files[i].Name {
				c.Files = append(c.Files, r.Files[i].Name)
			}
			if f.Level.AtLeast(c.Level) {
				c.Level = f.Level
			}
		}
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(slices.Index(Levels, a.Level), slices.Index(Levels, b.Level)),
			cmp.Compare(b.Findings, a.Findings), strings.Compare(a.ID, b.ID))
	})
	return list
}

// rule returns a rule with the level of a finding.
func (r *Report) rule(id string, found Level) Rule {
	i := slices.IndexFunc(r.Rules, func(x Rule) bool { return x.ID == id })
	if i < 0 {
		return Rule{ID: id, Level: found}
	}
	rule := r.Rules[i]
	rule.Level = found
	return rule
}

// ByLevel returns the number of findings of each level.
func (r *Report) ByLevel() map[Level]int {
	n := map[Level]int{}
	for i := range r.Files {
		for k := range r.Files[i].Findings {
			n[r.Files[i].Findings[k].Level] += 1 + r.Files[i].Findings[k].More
		}
	}
	return n
}
