package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/internal/buildinfo"
)

// rulesPage is the address of the catalogue of rules.
const rulesPage = "https://github.com/picaproof/picaproof/blob/main/docs/rules.md"

// findings returns an empty report of a command, with all rules.
func (a *app) findings(command string, args []string, threshold diag.Severity, unknown int) *findings.Report {
	r := &findings.Report{Command: command, Subject: strings.Join(args, " "), Version: buildinfo.Version(),
		Threshold: findings.Level(threshold.String()), PassedOver: unknown}
	seen := map[string]bool{}
	for _, c := range expect.Catalogues() {
		for _, rule := range c.Rules {
			if seen[rule.ID] {
				continue
			}
			seen[rule.ID] = true
			r.Rules = append(r.Rules,
				findings.Rule{ID: rule.ID, Title: rule.Title, Text: rule.Text,
					Level:    findings.Level(rule.Severity.String()),
					Evidence: fmt.Sprintf("%s: %s", rule.Class, rule.Source), URL: rulesPage + "#" + c.Name})
		}
	}
	return r
}

// showFindings compares a report with the baseline and writes it: as the command's own JSON or
// text, or in a format for tools or browsers. Before, it tells mark which errors and findings of
// each file the baseline expects.
func (a *app) showFindings(r *findings.Report, known *baselineFlags, mark func(i int, failed bool, found []bool),
	document any, text func(w io.Writer, p palette)) error {
	return against(a, known, r.Causes(), findings.Levels, func(known report.Known) error {
		r.Known = known
		for i := range r.Files {
			mark(i, r.FailsAsKnown(r.Files[i]), r.Marks(r.Files[i]))
		}
		if a.format == "text" || a.json() {
			return a.result(document, r.Bad() > 0, text)
		}
		return a.forms(r.Bad() > 0, map[string]func(w io.Writer) error{
			"sarif": r.WriteSARIF, "junit": r.WriteJUnit, "html": r.WriteHTML, "github": r.WriteAnnotations})
	})
}

// knownText ends a summary with the number of findings that the baseline expects.
func knownText(known int) string {
	if known == 0 {
		return ""
	}
	return fmt.Sprintf("; %s known", plural(known, "finding"))
}

// knownMark marks the line of a finding or error that the baseline expects.
func knownMark(known bool) string {
	if known {
		return " [known]"
	}
	return ""
}
