package gen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Expected is the finding that Check must report of a file.
type Expected struct {
	Rule     string // "" when there must be no finding
	Severity diag.Severity
	Place
	Also []string // rules that may be reported besides
}

// Expect returns the finding that Check must report of a file with the fault. rules are the rules of the format.
func (f Fault) Expect(rules []diag.Rule, at Place) Expected {
	x := Expected{Rule: f.Rule, Place: at, Also: f.Also}
	i := slices.IndexFunc(rules, func(r diag.Rule) bool { return r.ID == f.Rule })
	switch {
	case i < 0:
		panic(fmt.Sprintf("gen: no rule %s", f.Rule))
	case f.Milder:
		x.Severity = rules[i].Also[0]
	default:
		x.Severity = rules[i].Severity
	}
	return x
}

// Differs returns how findings differ from the expected one, and a key for the kind of difference: "silent DVLB004".
// Both are empty when nothing differs.
func (x Expected) Differs(findings []diag.Finding) (key, text string) {
	found := x.Rule == ""
	for _, f := range findings {
		switch {
		case !found && f.Rule == x.Rule && f.Severity == x.Severity && x.Place == Place{f.Off, f.Len, f.Path}:
			found = true
		case !slices.Contains(x.Also, f.Rule):
			return "reported " + f.Rule,
				fmt.Sprintf("also reported: %v, %v, length %d; expected: %v", f.Severity, f, f.Len, x)
		}
	}
	if !found {
		return "silent " + x.Rule, fmt.Sprintf("not reported: %v", x)
	}
	return "", ""
}

// String names rule, severity and place.
func (x Expected) String() string {
	return fmt.Sprintf("%s, %v, %#x, length %d, %s", x.Rule, x.Severity, x.Off, x.Len, x.Path)
}
