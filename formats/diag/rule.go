package diag

import (
	"fmt"
	"strings"
)

// Severity is the weight of a finding.
type Severity uint8

// The severities. A strict parse refuses a file exactly when it has a finding
// of severity Error.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"info", "warning", "error"}

// String returns "info", "warning" or "error".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// Letter returns "I", "W" or "E", as the rule tables write it.
func (s Severity) Letter() string { return string("IWE"[s]) }

// MarshalText implements encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Severity) UnmarshalText(b []byte) error {
	for i, name := range severityNames {
		if name == string(b) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("unknown severity %q", b)
}

// SourceClass is the kind of evidence for a rule.
type SourceClass uint8

// The source classes, strongest first.
const (
	Hardware       SourceClass = iota // observed on a console
	Implementation                    // a public writer guarantees it, or a public reader fails without it
	Document                          // a document states it
	Guess                             // our own strictness
)

var sourceClassNames = [...]string{"hardware", "implementation", "document", "guess"}

// String returns the class in lower case.
func (c SourceClass) String() string {
	if int(c) < len(sourceClassNames) {
		return sourceClassNames[c]
	}
	return fmt.Sprintf("SourceClass(%d)", uint8(c))
}

// MarshalText implements encoding.TextMarshaler.
func (c SourceClass) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ReaderClass is the duty of any reader with a file that breaks a rule.
type ReaderClass uint8

// The classes. A rule sets only MustRefuse (Rule.Reader); [Rule.Readers] gives all three.
const (
	Either     ReaderClass = iota // accept or refuse
	MustRefuse                    // magic, bounds, counts, overflow: accepting it means reading other memory
	MustAccept                    // the file is valid
)

var readerClassNames = [...]string{"either", "must refuse", "must accept"}

// String returns "either", "must refuse" or "must accept".
func (c ReaderClass) String() string {
	if int(c) < len(readerClassNames) {
		return readerClassNames[c]
	}
	return fmt.Sprintf("ReaderClass(%d)", uint8(c))
}

// MarshalText implements encoding.TextMarshaler.
func (c ReaderClass) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Rule is one row of a format's rule table. Ids are permanent: a retired rule
// keeps its row, and no id is used twice.
type Rule struct {
	ID string `json:"id"`
	// Severity is the severity of a finding of this rule. A rule that also reports milder
	// cases lists their severities in Also.
	Severity Severity    `json:"severity"`
	Also     []Severity  `json:"also,omitempty"`
	Title    string      `json:"title"`     // a few words for a heading
	Text     string      `json:"statement"` // the condition, in full
	Source   string      `json:"source"`    // who states the condition
	Class    SourceClass `json:"class"`
	// Reader is MustRefuse if no reader may accept a file for which this rule is an error.
	Reader ReaderClass `json:"-"`
	// Kind is the reason for which a parse refuses a file if the rule is the first error; nil
	// means ErrMalformed.
	Kind    error `json:"-"`
	Retired bool  `json:"retired,omitempty"`
}

// Severities returns every severity the rule can have, written "W" or "W/I".
func (r Rule) Severities() string {
	s := r.Severity.Letter()
	for _, a := range r.Also {
		s += "/" + a.Letter()
	}
	return s
}

// Readers returns the duty of readers with a file whose only findings are of this rule and the given severity. A file
// with findings of severity info alone is valid.
func (r Rule) Readers(sev Severity) ReaderClass {
	switch sev {
	case Info:
		return MustAccept
	case Error:
		return r.Reader
	}
	return Either
}

// Select returns the rules whose id begins with prefix, for a format that shares rules with
// another.
func Select(rules []Rule, prefix string) []Rule {
	var list []Rule
	for _, r := range rules {
		if strings.HasPrefix(r.ID, prefix) {
			list = append(list, r)
		}
	}
	return list
}

// RuleSet finds the rules of a format by id.
type RuleSet map[string]*Rule

// NewRuleSet indexes a rule table.
func NewRuleSet(rules []Rule) RuleSet {
	set := make(RuleSet, len(rules))
	for i := range rules {
		set[rules[i].ID] = &rules[i]
	}
	return set
}

// Alias makes the rules whose id begins with own also answer to the id that begins with other,
// and returns the set. A format with the records of another format thus reports them under its
// own ids: after Alias("DVLE0", "DVOJ1"), "DVLE030" is the rule DVOJ130.
func (s RuleSet) Alias(other, own string) RuleSet {
	for id, rule := range s {
		if rest, ok := strings.CutPrefix(id, own); ok {
			s[other+rest] = rule
		}
	}
	return s
}
