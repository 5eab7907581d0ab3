package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// checkedFile is one entry of the JSON report of check.
type checkedFile struct {
	File     string           `json:"file"`
	Format   string           `json:"format"`
	Accepted bool             `json:"accepted"`
	Outcome  registry.Outcome `json:"outcome"` // of a strict parse: ok, malformed, unsupported, over limit
	Findings []diag.Finding   `json:"findings"`
	Error    string           `json:"error,omitempty"`
}

func (a *app) checkCommand() *cobra.Command {
	var src source
	var only, ignore []string
	var failOn string
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Report everything that is wrong with shader files",
		Long: `check reads files, and directories with all below them, and prints every
finding: file, format, byte offset, rule, place, what is wrong, what was expected
and found. The format is that of --as, else of the magic, else of the extension;
files of no known format are counted in directories and an error when named.

Exit status: 0 no finding as grave as --fail-on; 1 there is one; 2 bad arguments
or a file that cannot be read.`,
		Example: `  picaproof check shader.shbin
  picaproof check --ignore DVLE003 --fail-on warning build/
  picaproof check --format json - < shader.shbin`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			threshold, err := parseSeverity(failOn)
			if err != nil {
				return err
			}
			for _, id := range slices.Concat(only, ignore) {
				if !registry.KnownRule(id) {
					return fmt.Errorf("%q is no rule; 'picaproof rules' lists them", id)
				}
			}
			keep := func(f diag.Finding) bool {
				return (len(only) == 0 || slices.Contains(only, f.Rule)) && !slices.Contains(ignore, f.Rule)
			}
			return a.check(&src, args, keep, threshold)
		},
	}
	src.flags(cmd)
	cmd.Flags().StringSliceVar(&only, "only", nil, "report these rules only, e.g. --only DVLE007,DVLE021")
	cmd.Flags().StringSliceVar(&ignore, "ignore", nil, "leave these rules out, e.g. --ignore DVLE003")
	cmd.Flags().StringVar(&failOn, "fail-on", "error", "fail on findings of this severity or a graver one, e.g. --fail-on warning")
	must(cmd.RegisterFlagCompletionFunc("only", completeRules))
	must(cmd.RegisterFlagCompletionFunc("ignore", completeRules))
	must(cmd.RegisterFlagCompletionFunc("fail-on", words("error", "warning", "info")))
	return cmd
}

func parseSeverity(s string) (sev diag.Severity, err error) {
	if err := sev.UnmarshalText([]byte(s)); err != nil {
		return sev, fmt.Errorf("--fail-on %q: want error, warning or info", s)
	}
	return sev, nil
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	formats := slices.DeleteFunc(expect.Catalogues(), func(c expect.Catalogue) bool { return c.Text })
	return ruleIDs(formats), cobra.ShellCompDirectiveNoFileComp
}

// ruleIDs lists the rules of catalogues as completions.
func ruleIDs(catalogues []expect.Catalogue) (ids []string) {
	for _, c := range catalogues {
		for _, r := range c.Rules {
			ids = append(ids, r.ID+"\t"+r.Title)
		}
	}
	return ids
}

func (a *app) check(src *source, args []string, keep func(diag.Finding) bool, threshold diag.Severity) error {
	list := []checkedFile{}
	failed := false
	return a.overFiles(src, args, func(f file) {
		c := checkFile(src, f, keep)
		list = append(list, c)
		failed = failed || c.Error != "" ||
			slices.ContainsFunc(c.Findings, func(f diag.Finding) bool { return f.Severity >= threshold })
	}, func(unknown int) error {
		report := map[string]any{"files": list, "unknown": unknown}
		return a.result(report, failed, func(w io.Writer, p palette) { a.checkText(w, p, list, unknown) })
	})
}

func checkFile(src *source, f file, keep func(diag.Finding) bool) checkedFile {
	if !f.known {
		return checkedFile{File: f.name, Outcome: registry.Unsupported, Findings: []diag.Finding{}, Error: unsupported}
	}
	all := f.format.Check(f.data, src.opts(f.format)...)
	c := checkedFile{File: f.name, Format: f.format.Name, Outcome: f.format.Outcome(all), Findings: []diag.Finding{}}
	c.Accepted = c.Outcome == registry.OK
	for _, finding := range all {
		if keep(finding) {
			c.Findings = append(c.Findings, finding)
		}
	}
	diag.SortByOffset(c.Findings)
	return c
}

func (a *app) checkText(w io.Writer, p palette, files []checkedFile, unknown int) {
	var counts [diag.Error + 1]int
	accepted, others := 0, map[registry.Outcome]int{}
	for _, c := range files {
		if c.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", shown(c.File), c.Error)
		}
		if c.Accepted {
			accepted++
		}
		if c.Outcome == registry.Unsupported || c.Outcome == registry.OverLimit {
			others[c.Outcome]++
		}
		for _, f := range c.Findings {
			counts[f.Severity] += 1 + f.More
			fmt.Fprintf(w, "%s: %s: %s %s\n", shown(c.File), c.Format, f, p.severity(f.Severity))
			if f.More > 0 {
				fmt.Fprintf(w, "%s: %s: %d more findings of %s\n", shown(c.File), c.Format, f.More, f.Rule)
			}
		}
	}
	if a.quiet {
		return
	}
	fmt.Fprintf(w, "%s: %d accepted; %s, %s, %s", plural(len(files), "file"), accepted,
		plural(counts[diag.Error], "error"), plural(counts[diag.Warning], "warning"), plural(counts[diag.Info], "info"))
	for _, outcome := range slices.Sorted(maps.Keys(others)) {
		fmt.Fprintf(w, "; %d %s", others[outcome], outcome)
	}
	fmt.Fprintln(w, passedOver(unknown))
}
