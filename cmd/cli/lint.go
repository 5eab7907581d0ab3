package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/listing"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// The JSON report of lint.
type (
	lintedFile struct {
		File     string        `json:"file"`
		Findings []lintFinding `json:"findings"`
		Error    string        `json:"error,omitempty"`
		Known    bool          `json:"known,omitempty"` // the baseline expects the error
		errors   asm.Errors    // of a source; Error is their text
	}
	lintFinding struct {
		Rule       string        `json:"rule"`
		Severity   diag.Severity `json:"severity"`
		Entry      string        `json:"entry,omitempty"`
		EntryPoint *int          `json:"entry_point,omitempty"` // its number in a file with several
		Word       *int          `json:"word,omitempty"`
		Offset     *int          `json:"offset,omitempty"` // of the instruction in a binary file
		Length     int           `json:"length,omitempty"`
		// Instruction is the disassembled word.
		Instruction string `json:"instruction,omitempty"`
		Source      string `json:"source,omitempty"` // the file and line of assembly text
		Message     string `json:"message"`
		More        int    `json:"more,omitempty"`  // further entry points of the program
		Reason      string `json:"reason"`          // the rule's title and source
		Known       bool   `json:"known,omitempty"` // the baseline expects it
		line        int    // the line of Source; 0 if unknown
	}
)

func (a *app) lintCommand() *cobra.Command {
	src := source{also: isAssembly}
	var failOn, dialect string
	var ignore []string
	var known baselineFlags
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Report hazards and likely mistakes in programs",
		Long: `lint follows every path of the programs in a container, or in assembly sources
(.pica, or standard input), with the console's stacks. Hazards of the console are
warnings; likely mistakes of the author are infos. Each source is linted alone. A finding
about an instruction has its word, its offset in the file, its text and, if the file has a
table of source lines, its line. A file that cannot be read counts as an error.

Of a GSH or SHARCFB lint evaluates the rules of check --code. They have errors, too.

Exit status: 0 no finding of severity --fail-on or above, or --write-baseline wrote
them; 1 such a finding, or a file without a program; 2 bad arguments, an unreadable
file, or a directory without programs.

` + settingsHelp,
		Example: `  picaproof lint shader.shbin
  picaproof lint --fail-on warning shader.v.pica
  picaproof lint --dialect picasso vertex.v.pica
  picaproof lint --format json build/`,
		Args:        arguments(1, anyNumber),
		Annotations: map[string]string{formatsAnnotation: findingFormats},
		RunE: func(_ *cobra.Command, args []string) error {
			threshold, err := parseSeverity(failOn)
			if err != nil {
				return err
			}
			for _, id := range ignore {
				if !isLint(id) {
					return unknownRule(id)
				}
			}
			lintOne := func(f file) lintedFile { return lintFile(&src, f, dialects[dialect], ignore) }
			return a.lint(&src, args, lintOne, threshold, &known)
		},
	}
	src.flags(cmd)
	src.gate.flags(cmd)
	cmd.Flags().StringSliceVar(&ignore, "ignore", nil, "leave these rules out, e.g. --ignore PICA004")
	cmd.Flags().StringVar(&failOn, "fail-on", "error",
		"lowest severity that fails: info, warning or error, e.g. --fail-on warning")
	cmd.Flags().StringVar(&dialect, "dialect", "default",
		"dialect of the sources: default or picasso, e.g. --dialect picasso")
	known.flags(cmd)
	must(cmd.RegisterFlagCompletionFunc("ignore", completeLintRules))
	closedList(cmd, "dialect", "default", "picasso")
	closedList(cmd, "fail-on", severities...)
	return cmd
}

// completeLintRules lists the rules of lint with their titles.
func completeLintRules(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
	for _, r := range lint.Rules {
		ids = append(ids, r.ID+"\t"+r.Title)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// isLint reports whether a rule is one of lint.
func isLint(id string) bool {
	return slices.ContainsFunc(lint.Rules, func(r lint.Rule) bool { return r.ID == id })
}

func (a *app) lint(src *source, args []string, lintOne func(f file) lintedFile, threshold diag.Severity,
	known *baselineFlags) error {
	return overFiles(a, src, args, lintOne, func(list []lintedFile, unknown int) error {
		r := a.findings("lint", args, threshold, unknown)
		for i := range list {
			r.Files = append(r.Files, list[i].shown())
		}
		mark := func(i int, failed bool, found []bool) {
			list[i].Known = failed
			for k := range found {
				list[i].Findings[k].Known = found[k]
			}
		}
		return a.showFindings(r, known, mark, map[string]any{"files": list, "unknown": unknown},
			func(w io.Writer, p palette) { a.lintText(w, p, list, unknown, r.NumKnown()) })
	})
}

// shown returns the findings in the form of reports for tools. Their path is the entry point,
// because words move when a program changes.
func (l *lintedFile) shown() findings.File {
	f := findings.File{Name: l.File, Error: l.Error}
	for i := range l.Findings {
		x := &l.Findings[i]
		out := findings.Finding{Rule: x.Rule, Level: findings.Level(x.Severity.String()), Path: x.Entry, Line: x.line,
			Text: x.Message, More: x.More}
		if x.Offset != nil {
			out.Bytes = &findings.Range{Off: *x.Offset, Len: x.Length}
		}
		if x.Word != nil {
			out.Text = fmt.Sprintf("word %d: %s", *x.Word, x.Message)
		}
		f.Findings = append(f.Findings, out)
	}
	return f
}

// lintFile lints the programs of one file by all rules but the ignored ones.
func lintFile(src *source, f file, dialect asm.Dialect, ignore []string) lintedFile {
	l := lintedFile{File: f.name, Findings: []lintFinding{}}
	shaders, places, doc, err := programs(src, f, dialect)
	if err == errOtherPrograms {
		l.Findings = append(l.Findings, lintMicrocode(doc)...)
		return l
	}
	if err != nil {
		l.Error = err.Error()
		errors.As(err, &l.errors)
		return l
	}
	list := lint.Check(shaders)
	var code listing.Places
	if doc != nil && len(list) > 0 {
		code = listing.NewPlaces(doc, shaders)
	}
	for _, finding := range list {
		rule := lint.RuleOf(finding.Rule)
		if slices.Contains(ignore, rule.ID) {
			continue
		}
		x := lintFinding{Rule: rule.ID, Severity: diag.Info, Message: finding.Message, More: finding.More,
			Reason: rule.Title + " (" + rule.Source + ")"}
		if finding.Hazard {
			x.Severity = diag.Warning
		}
		if finding.Entry >= 0 {
			if len(shaders) > 1 {
				x.EntryPoint = &finding.Entry
			}
			x.Entry = shaders[finding.Entry].Name
			const most = 64 // bytes; many names may share the end of one long string
			if len(x.Entry) > most {
				x.Entry = x.Entry[:most] + "..."
			}
		}
		if pc := finding.PC; pc >= 0 {
			x.Word = &pc
			x.Instruction = instructionAt(&shaders[max(finding.Entry, 0)], pc)
			x.Source = listing.LineOf(doc, pc)
			if pc < len(places) {
				x.line = places[pc].Line
				x.Source = fmt.Sprintf("%s:%d", places[pc].File, x.line)
			}
		}
		if doc != nil {
			shader, word := max(finding.Entry, 0), finding.PC
			if word < 0 {
				word = shaders[shader].Entry
			}
			if at := code.Bytes(shader, word); at != nil {
				x.Offset, x.Length = &at.Off, at.Len
			}
		}
		l.Findings = append(l.Findings, x)
	}
	return l
}

// errOtherPrograms says that a container has programs of GX2 shaders.
var errOtherPrograms = errors.New("the programs are those of GX2 shaders")

// isAssembly reports whether a file of unknown format is read as assembly text.
func isAssembly(f file) bool { return f.name == "-" || strings.HasSuffix(f.name, ".pica") }

// programs returns the shaders of a container or a source. For a source it also returns the line
// of each word, for a container its document.
func programs(src *source, f file, dialect asm.Dialect) ([]pica.Shader, []asm.Place, registry.Document, error) {
	switch {
	case f.known:
		doc, err := f.format.Parse(f.data, src.opts(f.format)...)
		if err != nil {
			return nil, nil, nil, err
		}
		holder, ok := doc.(registry.Shaders)
		if _, gx2 := microcode.Of(doc.Model()); gx2 {
			return nil, nil, doc, errOtherPrograms
		}
		if !ok {
			return nil, nil, nil, errors.New("this format holds no PICA200 program")
		}
		return holder.Shaders(), nil, doc, nil
	case !isAssembly(f):
		return nil, nil, nil, errors.New(unsupported)
	}
	assembly, err := asm.Assemble([]asm.Source{{Name: f.name, Text: string(f.data)}},
		asm.AssembleOptions{Dialect: dialect})
	if err != nil {
		return nil, nil, nil, err
	}
	return assembly.Shaders(), assembly.Places, nil, nil
}

func (a *app) lintText(w io.Writer, p palette, files []lintedFile, unknown, known int) {
	var counts [diag.Error + 1]int
	for _, l := range files {
		switch {
		case l.errors != nil:
			counts[diag.Error] += len(l.errors)
			printErrors(w, l.errors)
		case l.Error != "":
			counts[diag.Error]++
			fmt.Fprintf(w, "%s: %s %s%s\n", shown(l.File), l.Error, p.severity(diag.Error), knownMark(l.Known))
		}
		for _, f := range l.Findings {
			counts[f.Severity] += 1 + f.More
			place := shown(l.File)
			if f.line > 0 {
				place = shown(f.Source)
			}
			switch {
			case f.Entry != "":
				place += ": " + shown(f.Entry)
			case f.EntryPoint != nil:
				place += fmt.Sprintf(": entry point %d", *f.EntryPoint)
			}
			if f.Word != nil {
				place += ": " + f.wordText()
			}
			also := ""
			if f.More > 0 {
				also = "; so do " + plural(f.More, "more entry point")
			}
			fmt.Fprintf(w, "%s: %s %s: %s%s %s%s\n", place, f.Rule, f.Message, f.Reason, also, p.severity(f.Severity),
				knownMark(f.Known))
		}
	}
	if !a.quiet {
		fmt.Fprintf(w, "%s: %s, %s, %s%s%s\n", plural(len(files), "file"), plural(counts[diag.Error], "error"),
			plural(counts[diag.Warning], "warning"), plural(counts[diag.Info], "info"), knownText(known),
			passedOver(unknown)+a.settingsText())
	}
}
