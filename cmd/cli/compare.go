package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// fileVertices is how many generated vertices compare runs for each entry point
// of a file unless --random says otherwise.
const fileVertices = 1000

// compareFlags are the flags of compare.
type compareFlags struct {
	source
	random             int
	seed               uint64
	mode, profile, job string
}

func (a *app) compareCommand() *cobra.Command {
	var flags compareFlags
	cmd := &cobra.Command{
		Use:   "compare [FILE]",
		Short: "Run the oracle against the VM",
		Long: `compare executes the same jobs on the oracle and on the VM and reports every
difference, grouped by cause: how many there are, and the smallest program that
still shows it, with its inputs and the command that repeats it. Without a file
it generates programs; with one it runs every entry point of the file on
generated vertices. Job number n of a seed is the same job everywhere. --job
runs one job, as gen job prints it.

Exit status: 0 no difference; 1 differences; 2 bad arguments or a file that
cannot be read. An interrupted run reports what it has.`,
		Example: `  picaproof compare --random 100000 --seed 1
  picaproof compare --random 5000 --mode words --format json
  picaproof compare shader.shbin
  picaproof compare --job job.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.job == "" && len(args) == 0 && !cmd.Flags().Changed("random") {
				return fmt.Errorf("name a file, or say how many programs to generate, e.g. --random 100000")
			}
			if len(args) == 1 && cmd.Flags().Changed("mode") {
				return fmt.Errorf("--mode is for generated programs; the file has its own")
			}
			c, err := a.comparison(&flags, args)
			if err != nil {
				return err
			}
			err = a.compare(c)
			if errors.Is(err, pica.ErrUnsupportedProfile) {
				return fmt.Errorf("--profile %s: the vm does not implement it", flags.profile)
			}
			return err
		},
	}
	flags.source.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&flags.random, "random", fileVertices, "how many programs, or with a file vertices of each entry point, to generate, e.g. --random 100000")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of the generator, e.g. --seed 7")
	f.StringVar(&flags.job, "job", "", "run this job: a file, - for standard input, or the JSON itself, e.g. --job job.json")
	f.StringVar(&flags.mode, "mode", string(gen.Mixed), "kind of programs, e.g. --mode alu")
	f.StringVar(&flags.profile, "profile", "f24", "numeric profile, e.g. --profile f24")
	must(cmd.RegisterFlagCompletionFunc("mode", words(modeNames()...)))
	must(cmd.RegisterFlagCompletionFunc("profile", words(profile.Names()...)))
	return cmd
}

// comparison makes the comparison that the arguments ask for.
func (a *app) comparison(flags *compareFlags, args []string) (comparison, error) {
	p, err := profile.Parse(flags.profile)
	if err != nil {
		return comparison{}, fmt.Errorf("--profile: %w", err)
	}
	mode, err := gen.ParseMode(flags.mode)
	if err != nil {
		return comparison{}, fmt.Errorf("--mode: %w", err)
	}
	if flags.random < 1 || flags.random > maxJobs {
		return comparison{}, fmt.Errorf("--random %d: want from 1 to %d", flags.random, maxJobs)
	}
	switch {
	case flags.job != "" && len(args) == 1:
		return comparison{}, fmt.Errorf("name a file or a job, not both")
	case flags.job != "":
		job, err := a.readJob(flags.job)
		return comparison{jobs: 1, job: func(*gen.Generator, int) *pica.Job { return job }}, err
	case len(args) == 1:
		_, doc, err := a.parse(&flags.source, args[0])
		if err != nil {
			return comparison{}, err
		}
		holder, ok := doc.(registry.Shaders)
		if !ok {
			return comparison{}, failure{shown(args[0]) + ": this format holds no PICA200 program"}
		}
		return shaderComparison(holder.Shaders(), p, flags.seed, flags.random), nil
	}
	return comparison{jobs: flags.random, job: func(g *gen.Generator, n int) *pica.Job {
		job := g.Job(gen.Seed(flags.seed, uint64(n)), mode)
		job.Profile = p
		return job
	}}, nil
}

// maxJobs is the longest comparison; with as many vertices for each entry point
// of a file the number of jobs still fits an int.
const maxJobs = 1 << 30

// compare runs a comparison and reports it.
func (a *app) compare(c comparison) error {
	ctx, stop := interruptible()
	defer stop()
	bar := a.progress(c.jobs, "comparing")
	c.tick = func(n int) { _ = bar.Add(n) }
	report, err := c.run(ctx)
	_ = bar.Finish()
	if err != nil {
		return err
	}
	if a.json() {
		err = a.reportJSON(report)
	} else {
		err = a.report(func(w io.Writer) error { return a.compareText(w, report) })
	}
	if err == nil && report.Differences > 0 {
		return errFindings
	}
	return err
}

func modeNames() []string {
	names := make([]string, len(gen.Modes))
	for i, m := range gen.Modes {
		names[i] = string(m)
	}
	return names
}

// shaderComparison runs each shader over generated vertices, one a job, so that a
// difference names its vertex.
func shaderComparison(shaders []pica.Shader, p pica.Profile, seed uint64, vertices int) comparison {
	jobs := make([]pica.Job, len(shaders))
	for i, s := range shaders {
		jobs[i] = JobOf(s, p)
		jobs[i].InputForm = pica.Raw24
	}
	return comparison{jobs: len(jobs) * vertices, job: func(g *gen.Generator, n int) *pica.Job {
		job := jobs[n/vertices]
		job.Vertices = g.Vertex(gen.Seed(seed, uint64(n)))
		return &job
	}}
}

func (a *app) compareText(w io.Writer, r comparisonReport) error {
	p := a.palette(w)
	for _, b := range r.Buckets {
		fmt.Fprintf(w, "%s: %s, first in job %d\n", p.bad(b.Key), plural(b.Count, "difference"), b.Number)
		b.text(w)
	}
	if r.Interrupted {
		fmt.Fprint(w, "interrupted: ")
	}
	verdict := p.good("no difference")
	if r.Differences > 0 {
		verdict = p.bad(plural(r.Differences, "difference"))
	}
	fmt.Fprintf(w, "%s on oracle and vm: %s, %s jobs/s\n", plural(r.Jobs, "job"), verdict, thousands(int(r.JobsPerSecond)))
	if r.Undefined > 0 {
		fmt.Fprintf(w, "%s had no defined outcome\n", plural(r.Undefined, "job"))
	}
	return nil
}
