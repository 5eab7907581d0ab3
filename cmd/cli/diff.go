package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/diff"
)

// diffReport is the JSON report of diff.
type diffReport struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Same bool   `json:"same"`
	// Refused says why files were refused.
	Refused []string `json:"refused,omitempty"`
	diff.Result
	// Offsets has the offsets of differences in code, by path.
	Offsets map[string]diff.CodeOffset `json:"offsets,omitempty"`
}

func (a *app) diffCommand() *cobra.Command {
	var src source
	var choice convert.Options
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare the content of two files",
		Long: `diff compares two files field by field. It compares names instead of offsets,
pairs uniforms, attributes, samplers and blocks by name, and compares
instructions by effect: operand descriptors may be numbered differently. Programs of
GX2 shaders are compared line by line of their texts, as disasm prints them. A difference
in code has its offset in the file, in both files if they differ. Of two
formats that hold PICA200 programs, the richer file is first converted to the format
with fewer fields; the fields that this loses are listed and not compared. Gaps are
compared unless they are zero. --shader compares that shader of each container alone.
Fields that describe the layout of a GSH are listed as layout; they do not count as
differences. If a file is refused, the fields that dump can decode are compared by
path, for two files of one format. --format html writes the page that compares the two
as one file.

Exit status: 0 no difference; 1 a difference, or a refused file, or files that cannot
be compared; 2 bad arguments or an unreadable file.`,
		Example: `  picaproof diff old.shbin new.shbin
  picaproof diff shader.shbin shader.zpsh
  picaproof diff --format json a.bnsh b.bnsh
  picaproof diff --format html old.shbin new.shbin -o diff.html`,
		Args:        arguments(2, 2),
		Annotations: map[string]string{formatsAnnotation: viewFormats},
		RunE:        func(_ *cobra.Command, args []string) error { return a.diff(&src, choice, args) },
	}
	src.flags(cmd)
	choiceFlags(cmd, &choice)
	return cmd
}

// diff compares two files, or writes the page that does.
func (a *app) diff(src *source, choice convert.Options, args []string) error {
	var models [2]convert.Model
	var files [2]file
	var regions [2][]diag.Region
	var refused []error
	for i, name := range args {
		f, doc, err := a.parse(src, name)
		files[i] = f
		if outline, ok := outlineOf(src, f, err); ok {
			regions[i], refused = outline.Regions, append(refused, err)
		} else if err != nil {
			return err
		} else {
			regions[i], models[i] = doc.Regions(), doc.Model().(convert.Model)
		}
	}
	if a.format == "html" {
		if choice.Shader != "" {
			return errors.New("--format html: it compares whole files, so --shader does not go with it")
		}
		links, err := linksOf(src, files)
		if err != nil {
			return err
		}
		same := len(refused) == 0
		if same {
			result, err := diff.Models(models[0], models[1], choice)
			same = err == nil && result.Same()
		}
		return a.standalone(!same, links...)
	}
	if len(refused) > 0 {
		if files[0].format.Name != files[1].format.Name || choice.Shader != "" {
			return refused[0]
		}
		report := diffReport{A: args[0], B: args[1]}
		report.Differences, report.More = diff.Regions(regions[0], files[0].data, regions[1], files[1].data)
		report.Offsets = diff.CodeOffsets(report.Differences, regions)
		for _, err := range refused {
			report.Refused = append(report.Refused, err.Error())
		}
		return a.result(report, true, func(w io.Writer, p palette) { a.diffText(w, p, &report) })
	}
	result, err := diff.Models(models[0], models[1], choice)
	if err != nil {
		return a.refusal(args[0]+" and "+args[1], err)
	}
	report := diffReport{A: args[0], B: args[1], Same: result.Same(), Result: result}
	if result.As == "" && choice.Shader == "" {
		report.Offsets = diff.CodeOffsets(result.Differences, regions)
	}
	return a.result(report, !report.Same, func(w io.Writer, p palette) { a.diffText(w, p, &report) })
}

func (a *app) diffText(w io.Writer, p palette, r *diffReport) {
	for _, why := range r.Refused {
		fmt.Fprintf(w, "refused: %s\n", why)
	}
	for _, d := range r.Differences {
		path := d.Path
		if name, ok := r.Names[path]; ok {
			path += " of " + shown(name)
		}
		if at, ok := r.Offsets[d.Path]; ok {
			path += " at " + at.String()
		}
		fmt.Fprintf(w, "%s\n", p.bold(path))
		if d.A != "" {
			fmt.Fprintf(w, "  %s %s\n", p.bad("-"), d.A)
		}
		if d.B != "" {
			fmt.Fprintf(w, "  %s %s\n", p.good("+"), d.B)
		}
	}
	for _, d := range r.Layout {
		fmt.Fprintf(w, "%s, not compared: %s, %s\n", d.Path, d.A, d.B)
	}
	if len(r.NotCompared) > 0 {
		fmt.Fprintf(w, "compared as %s, without:\n", r.As)
		for _, l := range r.NotCompared {
			fmt.Fprintf(w, "  %v\n", l)
		}
	}
	if a.quiet {
		return
	}
	verdict := p.good("no difference")
	if n := len(r.Differences) + r.More; n > 0 {
		verdict = p.bad(plural(n, "difference"))
	}
	fmt.Fprintf(w, "%s, %s: %s\n", shown(r.A), shown(r.B), verdict)
}
