package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// demoJobs is how many generated programs of each mode the demo compares, and
// demoVertices how many vertices of each shader of the corpus.
const (
	demoJobs     = 20_000
	demoVertices = 50
)

// The JSON report of demo.
type (
	demoReport struct {
		Formats []demoFormat  `json:"formats"`
		Vectors []demoVectors `json:"vectors"`
		Engines []demoEngine  `json:"engines"`
		Passed  bool          `json:"passed"`
	}
	demoFormat struct {
		Format      string   `json:"format"`
		Rules       int      `json:"rules"`
		Triggered   int      `json:"rules_triggered"`
		Vectors     int      `json:"vectors"`
		Accepted    int      `json:"accepted"`
		Refused     int      `json:"refused"`
		RoundTrips  int      `json:"round_trips"`
		Differences []string `json:"wrong"`
	}
	demoVectors struct {
		Engine      string   `json:"engine"`
		Vectors     int      `json:"vectors"`
		Profiles    []string `json:"profiles"`
		Runs        int      `json:"runs"`
		Differences []string `json:"wrong"`
	}
	demoEngine struct {
		Programs string `json:"programs"`
		comparisonReport
	}
)

func (a *app) demoCommand() *cobra.Command {
	var mutants bool
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Judge the embedded corpus: a tour in under a minute",
		Long: `demo runs the main job on data inside the program: every file of the corpus is
checked, parsed and written back; every program with a known result runs on the
oracle in all named profiles and on the VM; every shader and thousands of generated
programs run on both, bit for bit. It ends with a page of results.

--mutants asks the opposite question: can any of this fail? Executors, parsers and
writers with one fault each are held against generated programs and files; the
kill matrix says which suite tells which mutant from the real one, and how many
cases it needs. It takes a few minutes.

Exit status: 0 everything is as expected; 1 something is not, or a mutant survives.`,
		Example: `  picaproof demo
  picaproof demo --format json
  picaproof demo --mutants --format html -o matrix.html`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{formatsAnnotation: "text,json,html"},
		RunE: func(*cobra.Command, []string) error {
			if mutants {
				return a.killMatrix(seed)
			}
			if a.format == "html" {
				return fmt.Errorf("--format html: only with --mutants")
			}
			ctx, stop := interruptible()
			defer stop()
			r, err := a.demo(ctx)
			if err != nil {
				return err
			}
			if a.json() {
				err = a.reportJSON(r)
			} else {
				err = a.report(func(w io.Writer) error { return a.demoText(w, r) })
			}
			if err == nil && !r.Passed {
				return errFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&mutants, "mutants", false, "make the kill matrix, e.g. demo --mutants")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the cases that mutants are held against, e.g. --seed 7")
	return cmd
}

func (a *app) demo(ctx context.Context) (r demoReport, err error) {
	r.Passed = true
	var shaders []pica.Shader
	for f := range registry.All() {
		d, held, err := demoCorpus(f)
		if err != nil {
			return r, err
		}
		shaders = append(shaders, held...)
		r.Formats = append(r.Formats, d)
		r.Passed = r.Passed && len(d.Differences) == 0
	}
	if r.Vectors, err = demoPrograms(); err != nil {
		return r, err
	}
	for _, d := range r.Vectors {
		r.Passed = r.Passed && len(d.Differences) == 0
	}
	f24, err := profile.Parse("f24")
	if err != nil {
		return r, err
	}
	comparisons := []struct {
		programs string
		comparison
	}{{"corpus shaders", shaderComparison(shaders, f24, 1, demoVertices)}}
	for _, mode := range gen.Modes {
		comparisons = append(comparisons, struct {
			programs string
			comparison
		}{"generated, " + string(mode), comparison{jobs: demoJobs, job: func(g *gen.Generator, n int) *pica.Job {
			return g.Job(gen.Seed(1, uint64(n)), mode)
		}}})
	}
	total := 0
	for _, c := range comparisons {
		total += c.jobs
	}
	bar := a.progress(total, "oracle against vm")
	for _, c := range comparisons {
		c.tick = func(n int) { _ = bar.Add(n) }
		report, err := c.run(ctx)
		if err != nil {
			return r, err
		}
		r.Engines = append(r.Engines, demoEngine{c.programs, report})
		r.Passed = r.Passed && report.Differences == 0
	}
	_ = bar.Finish()
	return r, nil
}

// demoCorpus judges the vectors of one format and returns the shaders they
// hold.
func demoCorpus(f registry.Format) (d demoFormat, shaders []pica.Shader, err error) {
	vectors, err := corpus.Vectors(f.Name)
	if err != nil {
		return d, nil, err
	}
	d = demoFormat{Format: f.Name, Vectors: len(vectors), Differences: []string{}}
	for _, r := range f.Rules {
		if !r.Retired {
			d.Rules++
		}
	}
	triggered := map[string]bool{}
	for _, v := range vectors {
		findings := f.Check(v.Data)
		reported := slices.ContainsFunc(findings, func(x diag.Finding) bool { return x.Rule == v.Rule })
		if v.Rule != "" && reported == v.NearMiss {
			d.Differences = append(d.Differences, fmt.Sprintf("%s: rule %s", v.Name, v.Rule))
		}
		if reported {
			triggered[v.Rule] = true
		}
		doc, err := f.Parse(v.Data)
		if accepted := v.Expect == corpus.OK || v.Expect == corpus.Finding; accepted != (err == nil) {
			d.Differences = append(d.Differences, fmt.Sprintf("%s: expected %s, got %v", v.Name, v.Expect, err))
		}
		if err != nil {
			d.Refused++
			continue
		}
		d.Accepted++
		r := roundtrip(&source{}, file{name: v.Name, data: v.Data, format: f, known: true})
		if r.Identical && r.Stable {
			d.RoundTrips++
		} else {
			d.Differences = append(d.Differences, fmt.Sprintf("%s: %s", v.Name, r.Error))
		}
		if holder, ok := doc.(registry.Shaders); ok {
			shaders = append(shaders, holder.Shaders()...)
		}
	}
	d.Triggered = len(triggered)
	return d, shaders, nil
}

// demoPrograms runs the executable vectors on the oracle in every named profile,
// and on the VM in those it is made for.
func demoPrograms() ([]demoVectors, error) {
	cases, err := expect.Cases()
	if err != nil {
		return nil, err
	}
	engines := []struct {
		pica.Engine
		profiles []string
	}{{oracle.New(), profile.Names()}, {vm.New(), []string{"f24", "hw", "f32"}}}
	var list []demoVectors
	for _, e := range engines {
		d := demoVectors{Engine: e.Name(), Vectors: len(cases), Profiles: e.profiles, Differences: []string{}}
		for _, name := range e.profiles {
			p, err := profile.Parse(name)
			if err != nil {
				return nil, err
			}
			var out pica.Outcome
			for _, c := range cases {
				job := c.Job(p)
				if err := e.Run(&job, &out); err != nil {
					return nil, fmt.Errorf("%s: %w", c.Name, err)
				}
				d.Runs++
				if err := c.Judge(name, &out); err != nil {
					d.Differences = append(d.Differences, err.Error())
				}
			}
		}
		list = append(list, d)
	}
	return list, nil
}

func (a *app) demoText(w io.Writer, r demoReport) error {
	p := a.palette(w)
	fmt.Fprintf(w, "%s\n\n", p.bold("picaproof judges shader files and shader cores. This is its own corpus:"))
	var files, vectors, programs, wrong []string
	for _, f := range r.Formats {
		files = append(files, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d of %d", f.Format, f.Vectors, f.Accepted, f.Refused, f.RoundTrips, f.Triggered, f.Rules))
		wrong = append(wrong, f.Differences...)
	}
	for _, v := range r.Vectors {
		vectors = append(vectors, fmt.Sprintf("%s\t%d\t%d\t%s\t%s", v.Engine, v.Vectors, len(v.Profiles), thousands(v.Runs), thousands(v.Runs-len(v.Differences))))
		for _, d := range v.Differences {
			wrong = append(wrong, v.Engine+": "+d)
		}
	}
	for _, e := range r.Engines {
		programs = append(programs, fmt.Sprintf("%s\t%s\t%s\t%s", e.Programs, thousands(e.Jobs), thousands(e.Differences), thousands(int(e.JobsPerSecond))))
	}
	for _, t := range []struct {
		about, columns string
		rows           []string
	}{
		{"Files: every file is checked; what is accepted must be written back byte for byte.",
			"format\tfiles\taccepted\trefused\twritten back\trules seen", files},
		{"Vectors: programs with known results; most have been executed wrongly somewhere.",
			"engine\tvectors\tprofiles\truns\tas expected", vectors},
		{"Programs: the slow oracle and the fast VM share no code and must agree on every bit.",
			"programs\tjobs\tdifferences\tjobs/s", programs},
	} {
		fmt.Fprintln(w, t.about)
		columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range append([]string{t.columns}, t.rows...) {
			fmt.Fprintf(columns, "%s\t\n", row)
		}
		if err := columns.Flush(); err != nil {
			return err
		}
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
	_, err := fmt.Fprint(w, "  picaproof check shader.shbin     what is wrong with it, byte by byte\n"+
		"  picaproof dump shader.shbin      who owns every byte\n"+
		"  picaproof run shader.shbin --in v0=1,2,3,4\n"+
		"  picaproof compare shader.shbin   oracle against vm on its programs\n")
	return err
}
