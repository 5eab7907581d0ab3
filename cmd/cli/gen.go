package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/fuzz/gen"
)

func (a *app) genCommand() *cobra.Command {
	var seed, number uint64
	var mode string
	var count int
	job := &cobra.Command{
		Use:   "job",
		Short: "Print generated jobs, one JSON object a line",
		Long: `gen job prints the jobs that compare --random runs: job number n of a seed is the
same job everywhere.

Exit status: 0 the jobs were written; 2 bad arguments, or a file that cannot be written.`,
		Example: `  picaproof gen job --seed 1 --mode mixed
  picaproof gen job --seed 1 --number 4711 --count 10`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text,json"},
		RunE: func(*cobra.Command, []string) error {
			m, err := gen.ParseMode(mode)
			if err != nil {
				return fmt.Errorf("--mode: %w", err)
			}
			var g gen.Generator
			return a.report(func(w io.Writer) error {
				for n := range max(count, 0) {
					if err := encoder(w, "").Encode(g.Job(gen.Seed(seed, number+uint64(n)), m)); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	f := job.Flags()
	f.Uint64Var(&seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.Uint64Var(&number, "number", 0, "number of the first job, e.g. --number 4711")
	f.IntVar(&count, "count", 1, "how many jobs, e.g. --count 10")
	modeFlag(job, &mode)
	return group("gen", "Print generated programs and files",
		"  picaproof gen job --seed 1\n  picaproof gen file --as shbin -o valid.shbin", job, a.genFileCommand())
}
