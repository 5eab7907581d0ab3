package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// demoJobs is the usual number of generated programs of each mode that the demo compares, and
// demoVertices the number of vertices of each shader of the corpus. With fewer programs there are
// fewer vertices.
const (
	demoJobs     = 20_000
	demoVertices = 50
)

// demoReport is the JSON report of demo.
type demoReport struct {
	Formats []*expect.Files    `json:"formats"`
	Vectors []*expect.Programs `json:"vectors"`
	Engines []demoEngine       `json:"engines"`
	Passed  bool               `json:"passed"`
}

type demoEngine struct {
	Programs string `json:"programs"`
	*hunt.Report
}

func (a *app) demoCommand() *cobra.Command {
	var matrix bool
	var opts mutants.Options
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Judge the embedded corpus: a tour in under a minute",
		Long: `demo runs picaproof on the files that are built into the program. It checks, parses
and rewrites every file of the corpus. It runs every program with a known result on
the oracle in all named profiles and on the VM. It runs every shader and thousands of
generated programs on both and compares the results bit for bit. It ends with a page
of results.

--mutants shows that these comparisons can fail. Mutants, executors with one fault
each, run generated programs; the kill matrix shows which suites distinguish which
mutant from the oracle, and after how many cases. It takes a few minutes.

Exit status: 0 all results are as expected; 1 one is not, or a mutant survives.`,
		Example: `  picaproof demo
  picaproof demo --format json
  picaproof demo --mutants --format html -o matrix.html`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text,json,html"},
		RunE: func(*cobra.Command, []string) error {
			if opts.Cases < 0 {
				return fmt.Errorf("--cases %d: want a number of programs", opts.Cases)
			}
			if matrix {
				return a.killMatrix(opts)
			}
			if a.format == "html" {
				return fmt.Errorf("--format html: only with --mutants")
			}
			ctx, stop := a.interruptible()
			defer stop()
			r, err := a.demo(ctx, cmp.Or(opts.Cases, demoJobs))
			if err != nil {
				return err
			}
			return a.result(r, !r.Passed, func(w io.Writer, p palette) { demoText(w, p, r) })
		},
	}
	cmd.Flags().BoolVar(&matrix, "mutants", false,
		"run the mutants and show which suite kills which, e.g. demo --mutants")
	cmd.Flags().Uint64Var(&opts.Seed, "seed", 1, "seed of the mutants' programs, e.g. --seed 7")
	cmd.Flags().IntVar(&opts.Cases, "cases", 0, fmt.Sprintf(
		"generated programs of each kind; 0 means %s, with --mutants %d for each mutant, e.g. --cases 500",
		thousands(demoJobs), mutants.DefaultCases))
	return cmd
}

// demo judges the corpus, and compares the engines on a number of programs of each mode.
func (a *app) demo(ctx context.Context, jobs int) (r demoReport, err error) {
	r.Passed = true
	var shaders []pica.Shader
	for f := range registry.All() {
		d, err := expect.JudgeFiles(f)
		if err != nil {
			return r, err
		}
		shaders = append(shaders, d.Shaders...)
		r.Formats = append(r.Formats, d)
		r.Passed = r.Passed && len(d.Wrong) == 0
	}
	for _, e := range []struct {
		pica.Engine
		profiles []string
	}{{impl.New(), profile.Names()}, {vm.New(), []string{"f24", "hw", "f32"}}} {
		d, err := expect.JudgePrograms(e.Engine, e.profiles, profile.Parse)
		if err != nil {
			return r, err
		}
		r.Vectors = append(r.Vectors, d)
		r.Passed = r.Passed && len(d.Wrong) == 0
	}
	f24, err := profile.Parse("f24")
	if err != nil {
		return r, err
	}
	engines := hunt.Engines{Want: impl.New, Got: vm.New}
	held := hunt.Comparison{Engines: engines, Name: "corpus shaders"}
	held.Cases, held.Source = hunt.ShaderJobs(shaders, f24, max(1, min(demoVertices, demoVertices*jobs/demoJobs)))
	comparisons := []hunt.Comparison{held}
	for _, mode := range gen.Modes {
		comparisons = append(comparisons, hunt.Comparison{
			Engines: engines, Name: "generated, " + string(mode), Cases: uint64(jobs), Source: hunt.Generated(mode, f24)})
	}
	line := a.statusLine()
	defer line.clear()
	for _, c := range comparisons {
		report, err := c.Run(ctx, 1, func(jobs int) {
			line.show("oracle against vm: %s: %s of %s jobs", c.Name, thousands(jobs), thousands(int(c.Cases)))
		})
		if err != nil {
			return r, err
		}
		if ctx.Err() != nil {
			return r, failure{"interrupted: the demo is not complete"}
		}
		r.Engines = append(r.Engines, demoEngine{c.Name, report})
		r.Passed = r.Passed && report.Differences == 0
	}
	return r, nil
}

func demoText(w io.Writer, p palette, r demoReport) {
	fmt.Fprintf(w, "%s\n\n", p.bold("picaproof judges shader files and shader cores. This is its own corpus:"))
	files := []string{"format\tfiles\taccepted\trefused\twritten back\trules seen"}
	vectors := []string{"engine\tknown\tlocks\tprofiles\truns\tas expected"}
	programs := []string{"programs\tjobs\tdifferences\tjobs/s"}
	var wrong []string
	for _, f := range r.Formats {
		files = append(files, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d of %d", f.Format, f.Vectors, f.Accepted, f.Refused,
			f.RoundTrips, f.Triggered, f.Rules))
		wrong = append(wrong, f.Wrong...)
	}
	for _, v := range r.Vectors {
		vectors = append(vectors, fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s",
			v.Engine, v.Evidence, v.Locks, len(v.Profiles), thousands(v.Runs), thousands(v.Runs-len(v.Wrong))))
		for _, d := range v.Wrong {
			wrong = append(wrong, v.Engine+": "+d)
		}
	}
	for _, e := range r.Engines {
		programs = append(programs,
			fmt.Sprintf("%s\t%s\t%s\t%s", e.Programs, thousands(e.Jobs), thousands(e.Differences),
				thousands(int(e.JobsPerSecond))))
	}
	for _, t := range []struct {
		about string
		rows  []string
	}{
		{"Files: every file is checked; an accepted file must be written back byte for byte.", files},
		{"Vectors: programs with known results, most of which were executed wrongly somewhere,\n" +
			"and locks: programs that only record the oracle's present answer.", vectors},
		{"Programs: the slow oracle and the fast VM share no code and must agree on every bit.", programs},
	} {
		fmt.Fprintln(w, t.about)
		table(w, tabwriter.AlignRight, t.rows...)
		fmt.Fprintln(w)
	}
	for _, what := range wrong {
		fmt.Fprintln(w, p.bad("wrong: "+what))
	}
	for _, e := range r.Engines {
		for _, b := range e.Buckets {
			fmt.Fprintf(w, "%s: %s: %s\n", p.bad(b.Key), plural(b.Count, "difference"), b.Text)
		}
	}
	if r.Passed {
		fmt.Fprintf(w, "%s Now try your own file:\n", p.good("Everything is as expected."))
	} else {
		fmt.Fprintf(w, "\n%s\n", p.bad("Something is not as expected."))
	}
	fmt.Fprint(w, "  picaproof check shader.shbin     what is wrong with it, byte by byte\n"+
		"  picaproof dump shader.shbin      who owns every byte\n"+
		"  picaproof run shader.shbin --in v0=1,2,3,4\n"+
		"  picaproof compare shader.shbin   oracle against vm on its programs\n")
}
