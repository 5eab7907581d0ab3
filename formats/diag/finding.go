package diag

import (
	"cmp"
	"slices"
)

// Finding is one breach of one rule at one place.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// byte offset in the outermost file, of the wrong field or else of the record
	Off      int    `json:"offset"`
	Len      int    `json:"length"` // size of the field or record; 0 at the end of the file
	Path     string `json:"path"`   // "dvle[1].outputs[3].mask"
	Msg      string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	// More counts further findings of the same rule that were not kept; it is
	// set on the last one kept.
	More    int       `json:"more,omitempty"`
	Related []Related `json:"related,omitempty"`
}

// Related is a further place of a finding.
type Related struct {
	Off  int    `json:"offset"`
	Len  int    `json:"length"`
	Path string `json:"path"`
}

// MaxPerRule is the number of findings of one rule that Check keeps.
const MaxPerRule = 100

// List collects findings, at most MaxPerRule of each rule. The zero List is
// ready to use.
type List struct {
	findings []Finding
	seen     map[string]*tally
	errors   bool
}

type tally struct{ count, last int }

// Full reports whether further findings of the rule would only be counted. A caller can
// then avoid the cost of making one.
func (l *List) Full(rule string) bool {
	t := l.seen[rule]
	return t != nil && t.count >= MaxPerRule
}

// Drop counts a finding of a rule that is full and reports true; otherwise it
// does nothing.
func (l *List) Drop(rule string, sev Severity) bool {
	t := l.seen[rule]
	if t == nil || t.count < MaxPerRule {
		return false
	}
	l.errors = l.errors || sev == Error
	l.count(t, 1)
	return true
}

func (l *List) count(t *tally, n int) {
	t.count += n
	l.findings[t.last].More += n
}

// Count counts n further findings of a rule that is full; otherwise it does
// nothing.
func (l *List) Count(rule string, n int) {
	if l.Full(rule) {
		l.count(l.seen[rule], n)
	}
}

// Add appends a finding, or counts it if the rule already has MaxPerRule.
func (l *List) Add(f Finding) {
	if l.Drop(f.Rule, f.Severity) {
		return
	}
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

// HasErrors reports whether a finding of severity Error was added.
func (l *List) HasErrors() bool { return l.errors }

// Findings returns the kept findings, in the order of the calls to Add.
func (l *List) Findings() []Finding { return l.findings }

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
