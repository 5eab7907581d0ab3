package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Finding is one breach of one rule at one place.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// Off is the byte offset of the field, or of the structure when the rule is about no
	// single field. It is relative to the outermost file.
	Off      int    `json:"offset"`
	Len      int    `json:"length"` // bytes of the field or structure; 0 at the end of the file
	Path     string `json:"path"`   // "dvle[1].outputs[3].mask"
	Msg      string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	// More counts further findings of the same rule that were not kept; it is
	// set on the last one kept.
	More    int       `json:"more,omitempty"`
	Related []Related `json:"related,omitempty"`
}

// String returns the finding as one line, without its severity.
func (f Finding) String() string {
	s := fmt.Sprintf("0x%04x: %s ", f.Off, f.Rule)
	if f.Path != "" {
		s += f.Path + ": "
	}
	return s + f.Text()
}

// Text returns the message with the expected and the found value, without the place.
func (f Finding) Text() string {
	switch {
	case f.Expected != "" && f.Found != "":
		return fmt.Sprintf("%s (expected %s, found %s)", f.Msg, f.Expected, f.Found)
	case f.Expected != "":
		return fmt.Sprintf("%s (expected %s)", f.Msg, f.Expected)
	case f.Found != "":
		return fmt.Sprintf("%s (found %s)", f.Msg, f.Found)
	}
	return f.Msg
}

// Related is a further place of a finding.
type Related struct {
	Off  int    `json:"offset"`
	Len  int    `json:"length"`
	Path string `json:"path"`
}

// MaxPerRule is the number of findings of one rule that a collecting reporter keeps.
const MaxPerRule = 100

// list keeps at most MaxPerRule findings of each rule.
type list struct {
	findings []Finding
	seen     map[string]*tally
	errors   bool // a finding of severity Error was added
}

// tally has the number of findings of one rule, and the index of the last one kept.
type tally struct{ count, last int }

// full reports whether further findings of the rule are only counted. A caller can then
// avoid the cost of making one.
func (l *list) full(rule string) bool {
	t := l.seen[rule]
	return t != nil && t.count >= MaxPerRule
}

// drop counts n findings of a rule that is full. It returns false, and does nothing, when
// the rule is not full.
func (l *list) drop(rule string, sev Severity, n int) bool {
	t := l.seen[rule]
	if t == nil || t.count < MaxPerRule {
		return false
	}
	t.count += n
	l.findings[t.last].More += n
	l.errors = l.errors || sev == Error
	return true
}

// add appends a finding of a rule that is not full.
func (l *list) add(f Finding) {
	if l.seen == nil {
		l.seen = make(map[string]*tally)
	}
	t := l.seen[f.Rule]
	if t == nil {
		t = new(tally)
		l.seen[f.Rule] = t
	}
	t.count++
	t.last = len(l.findings)
	l.errors = l.errors || f.Severity == Error
	l.findings = append(l.findings, f)
}

// FirstError returns the first finding of severity Error, or nil.
func FirstError(findings []Finding) *Finding {
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.Severity == Error })
	if i < 0 {
		return nil
	}
	return &findings[i]
}

// SortByOffset orders findings for reading: by offset, then rule, then path.
func SortByOffset(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path))
	})
}
