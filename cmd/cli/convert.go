package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/internal/safetext"
)

func (a *app) convertCommand() *cobra.Command {
	var src source
	var to string
	var strict bool
	var choice convert.Options
	cmd := &cobra.Command{
		Use:   "convert --to FORMAT FILE -o OUT",
		Short: "Convert a program into another container, with a list of losses",
		Long: `convert writes the program of a container as another container: SHBIN, ZPSH, DVOJ,
CSDR or BCSDR. It also writes the GX2 shaders of a GSH as a SHARCFB, and one variation
of a SHARCFB (--shader PROGRAM --entry VARIATION) as a GSH. The converted program
computes the same outputs. Standard error lists each field that does not come through:
dropped (the target has no place for it), changed (the target holds another value) or
invented (the source has no value). A file that the target cannot hold is refused; with
--format json standard output then has an object with "refused".

Exit status: 0 the file was written; 1 the file was refused, or a field would be
dropped or changed with --strict; 2 bad arguments, or a file that cannot be read or
written.`,
		Example: `  picaproof convert --to zpsh shader.shbin -o shader.zpsh
  picaproof convert --to shbin --shader DefaultShader game.bcsdr -o shader.shbin
  picaproof convert --to csdr --strict shader.shbin -o shader.csdr`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			target, _ := convert.To(to) // a name of the closed list
			if err := a.notToTerminal(); err != nil {
				return err
			}
			_, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			result, report, err := target(doc.Model().(convert.Model), choice)
			if err != nil {
				return a.refusal(args[0], err)
			}
			if err := a.lossReport(report); err != nil {
				return err
			}
			if strict && report.Lost() {
				return a.refusal(args[0], &convert.RefusedError{Why: "something would be lost"})
			}
			b, err := result.AppendBinary(nil)
			if err != nil {
				return fmt.Errorf("%s: %w", shown(args[0]), err)
			}
			return a.report(bytesOf(b))
		},
	}
	src.flags(cmd)
	choiceFlags(cmd, &choice)
	f := cmd.Flags()
	f.StringVar(&to, "to", "", "format to write, e.g. --to zpsh, --to zpsh@3")
	f.BoolVar(&strict, "strict", false,
		"write no file and exit 1 if a field would be dropped or changed, e.g. convert --strict --to zpsh ...")
	must(cmd.MarkFlagRequired("to"))
	closedList(cmd, "to", targetNames()...)
	return cmd
}

// choiceFlags adds the flags that select one of several contents of a file.
func choiceFlags(cmd *cobra.Command, choice *convert.Options) {
	cmd.Flags().StringVar(&choice.Shader, "shader", "",
		"name of a shader in a container, or of a program in a SHARCFB, that holds several, e.g. "+
			"--shader DefaultShader")
	cmd.Flags().StringVar(&choice.Entry, "entry", "",
		"label or number of the entry point for a target with one, or number of a variation of a SHARCFB, e.g. "+
			"--entry main")
}

func targetNames() (names []string) {
	for _, t := range convert.Targets {
		names = append(names, t.Name)
	}
	for _, t := range convert.GX2Targets {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// refusal turns an error about the file into a failure. With --format json it writes the error
// to standard output.
func (a *app) refusal(name string, err error) error {
	var refused *convert.RefusedError
	why := "cannot be converted: "
	switch {
	case errors.Is(err, convert.ErrEmpty):
		refused = &convert.RefusedError{Why: "the file holds no PICA200 program"}
		why = ""
	case errors.Is(err, convert.ErrSource):
		refused = &convert.RefusedError{Why: "this format holds no PICA200 program"}
		why = ""
	case errors.Is(err, convert.ErrNoGX2):
		refused = &convert.RefusedError{Why: "this format holds no GX2 shaders"}
		why = ""
	case errors.As(err, &refused):
	case errors.Is(err, convert.ErrChoice):
		return fmt.Errorf("%s: %w; name it with --shader or --entry", shown(name), err)
	default:
		return fmt.Errorf("%s: %w", shown(name), err)
	}
	if a.json() {
		if err := encoder(a.stdout, "  ").Encode(map[string]any{"file": name, "refused": refused}); err != nil {
			return err
		}
	}
	return failure{shown(name) + ": " + why + refused.Error()}
}

// lossReport prints the losses of a conversion on standard error.
func (a *app) lossReport(report convert.Report) error {
	if a.json() {
		return encoder(a.stderr, "  ").Encode(map[string]any{"losses": append(convert.Report{}, report...)})
	}
	counts := map[convert.Kind]int{}
	for _, l := range report {
		counts[l.Kind]++
		fmt.Fprintln(a.stderr, safetext.Line(l.String()))
	}
	if !a.quiet && len(report) > 0 {
		fmt.Fprintf(a.stderr, "%d dropped, %d changed, %d invented\n", counts[convert.Dropped], counts[convert.Changed],
			counts[convert.Invented])
	}
	return nil
}
