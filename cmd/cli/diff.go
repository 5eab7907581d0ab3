package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
)

// diffReport is the JSON report of diff.
type diffReport struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Same bool   `json:"same"`
	diff.Result
}

func (a *app) diffCommand() *cobra.Command {
	var src source
	var choice convert.Options
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two files by what they hold",
		Long: `diff compares two files field by field, wherever the bytes are: names instead of
offsets, and instructions by what they do, so that operand descriptors may be
numbered differently. Files of two formats that hold PICA200 programs are compared
as the one that holds less; what it cannot hold is listed and not compared. Bytes
that belong to nothing are compared unless they are zero. With --shader nothing but
that shader of either container is compared. What a GSH says of its layout is listed
as layout, and makes no difference.

Exit status: 0 no difference; 1 a difference, or files that cannot be compared;
2 bad arguments or a file that cannot be read.`,
		Example: `  picaproof diff old.shbin new.shbin
  picaproof diff shader.shbin shader.zpsh
  picaproof diff --format json a.bnsh b.bnsh`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var models [2]convert.Model
			for i, name := range args {
				_, doc, err := a.parse(&src, name)
				if err != nil {
					return err
				}
				models[i] = doc.Model().(convert.Model)
			}
			result, err := diff.Models(models[0], models[1], choice)
			if err != nil {
				return a.refusal(args[0]+" and "+args[1], err)
			}
			report := diffReport{args[0], args[1], result.Same(), result}
			return a.result(report, !report.Same, func(w io.Writer, p palette) { a.diffText(w, p, &report) })
		},
	}
	src.flags(cmd)
	choiceFlags(cmd, &choice)
	return cmd
}

func (a *app) diffText(w io.Writer, p palette, r *diffReport) {
	for _, d := range r.Differences {
		fmt.Fprintf(w, "%s\n", p.bold(d.Path))
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
	fmt.Fprintf(w, "%s, %s: %s\n", r.A, r.B, verdict)
}
