package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
)

// checkedFile is one entry of the JSON report of check.
type checkedFile struct {
	File     string           `json:"file"`
	Format   string           `json:"format"`
	Accepted bool             `json:"accepted"`
	Outcome  registry.Outcome `json:"outcome"` // of a strict parse: ok, malformed, unsupported, over limit
	Findings []checkedFinding `json:"findings"`
	Expected int              `json:"expected,omitempty"` // findings that --expect left out
	Writer   string           `json:"writer,omitempty"`   // if the bytes tell
	Error    string           `json:"error,omitempty"`
	Known    bool             `json:"known,omitempty"` // the baseline expects the error
}

// checkedFinding is a finding, and whether the baseline expects it.
type checkedFinding struct {
	diag.Finding
	Known bool `json:"known,omitempty"`
}

// checkFlags are the flags of check.
type checkFlags struct {
	src          source
	only, ignore []string
	failOn       string
	expect       string
	verbose      bool
	code         bool
	known        baselineFlags

	threshold diag.Severity
	writer    registry.Writer // the writer that expect names
}

// findingFormats are the formats of reports about many files.
const findingFormats = "text,json,sarif,junit,html,github"

func (a *app) checkCommand() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check shader files and report every finding",
		Long: `check reads files, and directories with their subdirectories, and prints every
finding: file, format, byte offset, rule, field, title, expected and found value.
--as names the format; without it the magic decides, then the extension. Files of
unknown formats are counted in directories; a named one is an error. So is a file
with an extension of a known format and an unknown magic. --allow-unknown passes over
both, and --allow-empty accepts a directory in which no file has a known format.

A finding that one writer causes in nearly every file of a directory is summed up
in one line; --verbose lists it, and --expect leaves it out.

--code also checks the programs in a GSH or SHARCFB: each by itself, and with what its
shader says about it (rules LATTE001 to LATTE096). Their errors fail as others do, but no
reader has to refuse the file for them.

Exit status: 0 no finding of severity --fail-on or above, or --write-baseline wrote
them; 1 such a finding; 2 bad arguments, an unreadable file, or a directory without
files of known formats.

` + settingsHelp,
		Example: `  picaproof check shader.shbin
  picaproof check --ignore DVLE003 --fail-on warning build/
  picaproof check --code shader.gsh
  picaproof check --expect picasso-2.0 --format html -o check.html build/
  picaproof check --format sarif -o check.sarif build/
  picaproof check --format json - < shader.shbin`,
		Args:        arguments(1, anyNumber),
		Annotations: map[string]string{formatsAnnotation: findingFormats},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := flags.resolve(); err != nil {
				return err
			}
			return a.check(&flags, args)
		},
	}
	flags.src.flags(cmd)
	flags.src.gate.flags(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&flags.only, "only", nil, "report these rules only, e.g. --only DVLE007,DVLE021")
	f.StringSliceVar(&flags.ignore, "ignore", nil, "leave these rules out, e.g. --ignore DVLE003")
	f.StringVar(&flags.failOn, "fail-on", "error",
		"lowest severity that fails: info, warning or error, e.g. --fail-on warning")
	f.StringVar(&flags.expect, "expect", "", "leave out the known findings of this writer, e.g. --expect picasso-2.0")
	f.BoolVarP(&flags.verbose, "verbose", "v", false,
		"list the findings that are summed up for each directory, e.g. check -v dir")
	f.BoolVar(&flags.code, "code", false, "check the programs of GSH and SHARCFB files, too, e.g. check --code shader.gsh")
	flags.known.flags(cmd)
	must(cmd.RegisterFlagCompletionFunc("only", completeRules))
	must(cmd.RegisterFlagCompletionFunc("ignore", completeRules))
	closedList(cmd, "expect", writerNames()...)
	closedList(cmd, "fail-on", severities...)
	return cmd
}

// resolve sets what severities, rules and writer the words of the flags mean.
func (f *checkFlags) resolve() (err error) {
	if f.threshold, err = parseSeverity(f.failOn); err != nil {
		return err
	}
	for _, id := range slices.Concat(f.only, f.ignore) {
		if microcode.KnownRule(id) && !f.code {
			return fmt.Errorf("rule %s is about programs: add --code", id)
		}
		if !registry.KnownRule(id) && !microcode.KnownRule(id) {
			return unknownRule(id)
		}
	}
	if f.expect != "" {
		f.writer, _ = registry.WriterNamed(f.expect)
	}
	return nil
}

func writerNames() (names []string) {
	for _, w := range registry.Writers {
		names = append(names, w.Name)
	}
	return names
}

// keep reports whether a finding is reported.
func (flags *checkFlags) keep(f *diag.Finding) bool {
	return (len(flags.only) == 0 || slices.Contains(flags.only, f.Rule)) && !slices.Contains(flags.ignore, f.Rule)
}

// expected reports whether the writer of --expect causes a finding.
func (flags *checkFlags) expected(f *diag.Finding) bool {
	return f.Severity != diag.Error && slices.Contains(flags.writer.Rules, f.Rule)
}

// severities are the values of --fail-on.
var severities = []string{"error", "warning", "info"}

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

func (a *app) check(flags *checkFlags, args []string) error {
	return overFiles(a, &flags.src, args, flags.file, func(list []checkedFile, unknown int) error {
		r := a.findings("check", args, flags.threshold, unknown)
		for i := range list {
			r.Files = append(r.Files, list[i].shown())
		}
		mark := func(i int, failed bool, found []bool) {
			list[i].Known = failed
			for k := range found {
				list[i].Findings[k].Known = found[k]
			}
		}
		return a.showFindings(r, &flags.known, mark, map[string]any{"files": list, "unknown": unknown},
			func(w io.Writer, p palette) { a.checkText(w, p, flags, list, unknown, r.NumKnown()) })
	})
}

// file checks a file.
func (flags *checkFlags) file(f file) checkedFile {
	if !f.known {
		return checkedFile{File: f.name, Outcome: registry.Unsupported, Findings: []checkedFinding{},
			Error: unsupported}
	}
	all, author := f.format.Judge(f.data, flags.src.opts(f.format)...)
	c := checkedFile{File: f.name, Format: f.format.Name, Outcome: f.format.Outcome(all), Findings: []checkedFinding{},
		Writer: author.Title}
	c.Accepted = c.Outcome == registry.OK
	if flags.code && c.Accepted {
		if doc, err := f.parse(&flags.src); err == nil {
			all = append(all, microcode.Check(doc.Model(), doc.Regions())...)
		}
	}
	diag.SortByOffset(all)
	for i := range all {
		switch {
		case !flags.keep(&all[i]):
		case author.Explains(&all[i]) && !flags.verbose && len(flags.only) == 0:
		case flags.expected(&all[i]):
			c.Expected += 1 + all[i].More
		default:
			c.Findings = append(c.Findings, checkedFinding{Finding: all[i]})
		}
	}
	return c
}

// shown returns the findings in the form of reports for tools.
func (c *checkedFile) shown() findings.File {
	f := findings.File{Name: c.File, Kind: c.Format, Outcome: string(c.Outcome), Error: c.Error}
	for i := range c.Findings {
		x := &c.Findings[i]
		bytes := func(off, n int) *findings.Range {
			if decodedPath(c.Format, x.Path) {
				return nil
			}
			return &findings.Range{Off: off, Len: n}
		}
		out := findings.Finding{Rule: x.Rule, Level: findings.Level(x.Severity.String()), Bytes: bytes(x.Off, x.Len),
			Path: x.Path, Text: x.Text(), More: x.More}
		for _, r := range x.Related {
			out.Related = append(out.Related, findings.Related{Bytes: bytes(r.Off, r.Len), Path: r.Path})
		}
		f.Findings = append(f.Findings, out)
	}
	return f
}

// decodedPath reports whether a path leads into bytes that the file has only in encoded form.
func decodedPath(format, path string) bool {
	return format == "csdr" && strings.Contains(path, ".decoded.")
}

func (a *app) checkText(w io.Writer, p palette, flags *checkFlags, files []checkedFile, unknown, known int) {
	var counts [diag.Error + 1]int
	accepted, expected, others := 0, 0, map[registry.Outcome]int{}
	var usual []usualFinding
	if !flags.verbose {
		usual = usualFindings(files)
	}
	for i := range files {
		c := &files[i]
		if c.Error != "" {
			fmt.Fprintf(w, "%s: %s%s\n", shown(c.File), c.Error, knownMark(c.Known))
		}
		if c.Accepted {
			accepted++
		}
		expected += c.Expected
		if c.Outcome == registry.Unsupported || c.Outcome == registry.OverLimit {
			others[c.Outcome]++
		}
		for _, f := range c.Findings {
			counts[f.Severity] += 1 + f.More
			if slices.ContainsFunc(usual, func(u usualFinding) bool { return u.covers(c, &f.Finding) }) {
				continue
			}
			fmt.Fprintf(w, "%s: %s: %s %s%s\n", shown(c.File), c.Format, f.Finding, p.severity(f.Severity),
				knownMark(f.Known))
			if f.More > 0 {
				fmt.Fprintf(w, "%s: %s: %d more findings of %s\n", shown(c.File), c.Format, f.More, f.Rule)
			}
		}
	}
	if !a.quiet {
		writersText(w, files)
	}
	for _, u := range usual {
		fmt.Fprintf(w, "%s: %s: %s %s: %d of %d files, usual for %s; --verbose lists them %s\n",
			shown(u.dir), u.format, u.rule, u.text, u.files, u.of, u.writers, p.severity(u.severity))
	}
	if a.quiet {
		return
	}
	fmt.Fprintf(w, "%s: %d accepted; %s, %s, %s", plural(len(files), "file"), accepted,
		plural(counts[diag.Error], "error"), plural(counts[diag.Warning], "warning"), plural(counts[diag.Info], "info"))
	if flags.expect != "" {
		fmt.Fprintf(w, "; %s expected of %s", plural(expected, "finding"), flags.expect)
	}
	if known > 0 {
		fmt.Fprintf(w, "; %s known", plural(known, "finding"))
	}
	for _, outcome := range slices.Sorted(maps.Keys(others)) {
		fmt.Fprintf(w, "; %d %s", others[outcome], outcome)
	}
	fmt.Fprintln(w, passedOver(unknown)+a.settingsText())
}
