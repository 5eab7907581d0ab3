package microcode

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/latte"
)

// Rules are the rules of package latte. None of them makes a file refused.
var Rules = func() (list []diag.Rule) {
	for _, r := range latte.Rules {
		severity := diag.Severity(r.Severity)
		if n := len(list); n > 0 && list[n-1].ID == r.ID {
			list[n-1].Also = append(list[n-1].Also, severity)
			list[n-1].Text += " " + r.Text
			continue
		}
		list = append(list, diag.Rule{ID: r.ID, Severity: severity, Title: title(r.Text), Text: r.Text,
			Source: r.Evidence.Source, Class: classOf(r.Evidence.Class)})
	}
	slices.SortFunc(list, func(a, b diag.Rule) int { return strings.Compare(a.ID, b.ID) })
	return list
}()

// title makes a heading of a sentence.
func title(sentence string) string {
	rest := strings.TrimSuffix(sentence[1:], ".")
	if rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] == '_' { // a name
		return sentence[:1] + rest
	}
	return strings.ToLower(sentence[:1]) + rest
}

func classOf(name string) diag.SourceClass {
	for c := diag.Hardware; c < diag.Guess; c++ {
		if c.String() == name {
			return c
		}
	}
	return diag.Guess
}

// Reason returns the source of a rule.
func Reason(id string) string { return ruleSet[id].Source }

// KnownRule reports whether there is a rule with an id.
func KnownRule(id string) bool {
	return slices.ContainsFunc(Rules, func(r diag.Rule) bool { return r.ID == id })
}

var ruleSet = diag.NewRuleSet(Rules)
