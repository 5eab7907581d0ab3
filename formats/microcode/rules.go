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
			list[n-1].Text += strings.TrimPrefix(r.Text, r.Title()+".") // the title is the same
			continue
		}
		list = append(list, diag.Rule{ID: r.ID, Severity: severity, Title: lower(r.Title()), Text: r.Text,
			Source: r.Evidence.Source, Class: classOf(r.Evidence.Class)})
	}
	slices.SortFunc(list, func(a, b diag.Rule) int { return strings.Compare(a.ID, b.ID) })
	return list
}()

// lower makes the first word of a sentence lower case, unless it is a name.
func lower(s string) string {
	if s[1] >= 'A' && s[1] <= 'Z' || s[1] == '_' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
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
