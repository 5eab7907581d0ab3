package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/nearest"
)

// The modes of gen file. Any other mode is the id of a rule.
const (
	validFiles  = "valid"
	oddFiles    = "odd"
	faultyFiles = "fault"
)

// generatedFile is the JSON form of a generated file.
type generatedFile struct {
	Format string `json:"format"`
	Seed   uint64 `json:"seed"`
	Number uint64 `json:"number"`
	Rule   string `json:"rule,omitempty"` // the rule that the file breaks
	Offset int    `json:"offset"`
	Data   []byte `json:"data"`
}

// genFileFlags are the flags of gen file.
type genFileFlags struct {
	seed, number uint64
	as, mode     string
	count        int
}

func (a *app) genFileCommand() *cobra.Command {
	var flags genFileFlags
	cmd := &cobra.Command{
		Use:   "file",
		Short: "Write generated shader files, valid or with one named fault",
		Long: `gen file writes files of a format: file number n of a seed is the same file
everywhere. With --mode valid, check reports no finding in it. With --mode odd,
parsers accept it, and check may report warnings. With --mode fault it breaks exactly
one rule, which standard error names; with --mode RULE it breaks that rule.

Several files go into the directory that -o names; their names have format, seed,
number and rule. --format json prints each file as an object, one a line, with the
bytes in base64.

Exit status: 0 the files were written; 2 bad arguments, or a file that cannot be written.`,
		Example: `  picaproof gen file --as shbin --seed 1 -o valid.shbin
  picaproof gen file --as bnsh --mode BNSH017 -o bad.bnsh
  picaproof gen file --as zpsh --mode fault --count 100 -o faults/`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text,json"},
		RunE:        func(*cobra.Command, []string) error { return a.genFile(&flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.as, "as", "", "format of the files, e.g. --as shbin")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.Uint64Var(&flags.number, "number", 0, "number of the first file, e.g. --number 4711")
	f.IntVar(&flags.count, "count", 1, "how many files, e.g. --count 10")
	f.StringVar(&flags.mode, "mode", validFiles, "valid, odd, fault, or the rule to break, e.g. --mode DVLB004")
	must(cmd.MarkFlagRequired("as"))
	must(cmd.RegisterFlagCompletionFunc("as", words(generated()...)))
	must(cmd.RegisterFlagCompletionFunc("mode", words(validFiles, oddFiles, faultyFiles)))
	return cmd
}

func (a *app) genFile(flags *genFileFlags) error {
	from, ok := a.generator(flags.as)
	if !ok {
		return fmt.Errorf("--as %q: want one of %s%s", flags.as, strings.Join(generated(), ", "),
			nearest.Hint(flags.as, generated()))
	}
	draw, err := drawing(from, flags.mode)
	if err != nil {
		return err
	}
	list := make([]generatedFile, max(flags.count, 0))
	for i := range list {
		n := flags.number + uint64(i)
		x := draw(n, gen.From(gen.Seed(flags.seed, n)))
		list[i] = generatedFile{flags.as, flags.seed, n, x.Rule, x.Off, x.Data}
	}
	if a.json() {
		return a.report(func(w io.Writer) error {
			e := json.NewEncoder(w)
			for _, f := range list {
				if err := e.Encode(f); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return a.writeGenerated(list)
}

// generated lists the formats that have a generator.
func generated() []string {
	names := make([]string, len(files.Formats))
	for i, f := range files.Formats {
		names[i] = f.Name
	}
	return names
}

// drawing returns the function that makes file number n of a mode.
func drawing(from gen.Format, mode string) (func(n uint64, c *gen.Choices) files.Case, error) {
	faults := from.Faults()
	switch mode {
	case validFiles:
		return func(_ uint64, c *gen.Choices) files.Case { return files.Valid(from, c) }, nil
	case oddFiles:
		return func(_ uint64, c *gen.Choices) files.Case { return files.Odd(from, c) }, nil
	case faultyFiles:
	default:
		faults = slices.DeleteFunc(slices.Clone(faults), func(f gen.Fault) bool { return f.Rule != mode })
		if len(faults) == 0 {
			return nil, fmt.Errorf("--mode %q: want %s, %s, %s or a rule of %s%s", mode, validFiles, oddFiles,
				faultyFiles, from.Name, nearest.Hint(mode, modesOf(from)))
		}
	}
	return func(n uint64, c *gen.Choices) files.Case { return files.Faulty(from, faults[n%uint64(len(faults))], c) },
		nil
}

// writeGenerated writes one file to the output, several into a directory.
func (a *app) writeGenerated(list []generatedFile) error {
	if len(list) != 1 {
		if a.output == "" || a.output == "-" {
			return errors.New("several files need a directory, e.g. -o files/")
		}
		if err := os.MkdirAll(a.output, 0o777); err != nil {
			return err
		}
		for _, f := range list {
			if err := atomicfile.WriteBytes(filepath.Join(a.output, f.name(a)), f.Data); err != nil {
				return err
			}
		}
		return nil
	}
	if err := a.notToTerminal(); err != nil {
		return err
	}
	f := list[0]
	if f.Rule != "" && !a.quiet {
		fmt.Fprintf(a.stderr, "breaks %s at %#x\n", f.Rule, f.Offset)
	}
	return a.report(bytesOf(f.Data))
}

// name is the file's name in a directory.
func (f *generatedFile) name(a *app) string {
	name := fmt.Sprintf("%s-%d-%d", f.Format, f.Seed, f.Number)
	if f.Rule != "" {
		name += "-" + f.Rule
	}
	format, _ := a.formatNamed(f.Format)
	return name + format.Extensions[0]
}

// modesOf lists the values of --mode for a format.
func modesOf(from gen.Format) []string {
	modes := []string{validFiles, oddFiles, faultyFiles}
	for _, f := range from.Faults() {
		modes = append(modes, f.Rule)
	}
	return modes
}
