package cli

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// ruleEntry is one entry of the JSON report of rules.
type ruleEntry struct {
	Format string `json:"format"`
	diag.Rule
	Triggering *ruleExample `json:"triggering,omitempty"`
	NearMiss   *ruleExample `json:"near_miss,omitempty"`
}

// ruleExample is a file of the corpus that shows a rule.
type ruleExample struct {
	Vector  string `json:"vector"`
	Comment string `json:"comment"`
	Offset  int    `json:"offset"`
	Bytes   string `json:"bytes"` // hex of what stands at the offset
	Finding string `json:"finding,omitempty"`
}

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one with examples",
		Long: `rules lists every rule with its severities and the kind of evidence it rests on.
With an id it prints the full statement, the source, a file that triggers the
rule and a near miss that does not.`,
		Example: `  picaproof rules
  picaproof rules DVLE007
  picaproof rules --format json`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			return completeRules(cmd, args, word)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.explainRule(strings.ToUpper(args[0]))
			}
			return a.listRules()
		},
	}
}

func (a *app) listRules() error {
	var rules []ruleEntry
	for f := range registry.All() {
		for _, r := range f.Rules {
			rules = append(rules, ruleEntry{Format: f.Name, Rule: r})
		}
	}
	if a.json() {
		return a.reportJSON(rules)
	}
	return a.report(func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "RULE\tSEVERITY\tEVIDENCE\tWHAT IS WRONG")
		for _, r := range rules {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, r.Severities(), r.Class, r.Title)
		}
		return t.Flush()
	})
}

func (a *app) explainRule(id string) error {
	rule, format, ok := registry.Rule(id)
	if !ok {
		return fmt.Errorf("%q is no rule; 'picaproof rules' lists them", id)
	}
	trigger, miss, err := ruleExamples(format, id)
	if err != nil {
		return err
	}
	if a.json() {
		return a.reportJSON(ruleEntry{format.Name, rule, trigger, miss})
	}
	return a.report(func(w io.Writer) error {
		p := a.palette(w)
		fmt.Fprintf(w, "%s  %s  [%s]\n\n  %s\n\n", p.bold(rule.ID), rule.Title, rule.Severities(), rule.Text)
		fmt.Fprintf(w, "format    %s\nevidence  %s: %s\n", format.Title, rule.Class, rule.Source)
		for _, e := range []struct {
			label   string
			example *ruleExample
		}{{"triggered by", trigger}, {"near miss", miss}} {
			if e.example == nil {
				continue
			}
			fmt.Fprintf(w, "\n%s  %s: %s\n", e.label, e.example.Vector, e.example.Comment)
			if e.example.Bytes != "" {
				fmt.Fprintf(w, "  0x%04x: %s\n", e.example.Offset, e.example.Bytes)
			}
			if e.example.Finding != "" {
				fmt.Fprintf(w, "  %s\n", e.example.Finding)
			}
		}
		return nil
	})
}

// ruleExamples finds the corpus vectors that show the rule and its near miss.
func ruleExamples(format registry.Format, id string) (trigger, miss *ruleExample, err error) {
	vectors, err := corpus.Vectors(format.Name)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range vectors {
		if v.Rule != id {
			continue
		}
		e := &ruleExample{Vector: v.Name, Comment: v.Comment, Offset: v.Offset}
		end := min(v.Offset+16, len(v.Data))
		if v.Offset < end {
			e.Bytes = spaced(v.Data[v.Offset:end])
		}
		if v.NearMiss {
			miss = e
			continue
		}
		findings := format.Check(v.Data)
		if i := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == id }); i >= 0 {
			e.Finding = format.Name + ": " + findings[i].String()
		}
		trigger = e
	}
	return trigger, miss, nil
}

// spaced returns bytes as hex pairs separated by spaces.
func spaced(b []byte) string {
	pairs := make([]string, len(b))
	for i := range b {
		pairs[i] = hex.EncodeToString(b[i : i+1])
	}
	return strings.Join(pairs, " ")
}
