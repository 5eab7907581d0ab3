package mutants

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// suite is a kind of generated cases, held against a run of rows of the matrix.
type suite struct {
	name  string
	first int // row of its first mutant
	count int
	chunk int // mutants in one trial
	// begin starts a trial of the mutants from number first up; they are numbered
	// from 0 in the trial.
	begin func(first int) (trial, error)
}

// trial holds mutants against the cases of a suite, one case a call.
type trial interface {
	// run makes case number n of a seed and returns which of the mutants alive it
	// kills.
	run(seed, n uint64, alive []int) (killed []int, err error)
}

// jobs is a trial of executors on generated jobs.
type jobs struct {
	mode           gen.Mode
	profile        pica.Profile
	gen            gen.Generator
	oracle         pica.Engine
	mutants        []pica.Engine
	want, observed pica.Outcome
}

func (t *jobs) run(seed, n uint64, alive []int) (killed []int, err error) {
	job := t.gen.Job(gen.Seed(seed, n), t.mode)
	job.Profile = t.profile
	if err := t.oracle.Run(job, &t.want); err != nil {
		return nil, fmt.Errorf("%s job %d of seed %d: %w", t.mode, n, seed, err)
	}
	for _, i := range alive {
		if err := t.mutants[i].Run(job, &t.observed); err != nil {
			return nil, fmt.Errorf("mutant %d, %s job %d of seed %d: %w", i, t.mode, n, seed, err)
		}
		if verdict, _ := compare.Outcomes(&t.want, &t.observed); verdict == compare.Differ {
			killed = append(killed, i)
		}
	}
	return killed, nil
}

// profiles are those that the VM implements, too.
var profiles = []string{"f24", "hw", "f32"}

// executorsInTrial keeps the states of the engines of a trial in the cache.
const executorsInTrial = 12

// jobSuites returns a suite for each mode and profile, for executors that begin
// at row first.
func jobSuites(first int, list []Mutant) []suite {
	var suites []suite
	for _, mode := range gen.Modes {
		for _, name := range profiles {
			suites = append(suites, suite{string(mode) + " " + name, first, len(list), executorsInTrial, func(from int) (trial, error) {
				p, err := profile.Parse(name)
				t := &jobs{mode: mode, profile: p, oracle: oracle.New()}
				for _, m := range list[from:min(from+executorsInTrial, len(list))] {
					t.mutants = append(t.mutants, m.New())
				}
				return t, err
			}})
		}
	}
	return suites
}

// readings is a trial of formats on generated files.
type readings struct {
	format  registry.Format
	mutants []FileMutant
	draw    func(n uint64, c *gen.Choices) files.Case
}

func (t *readings) run(seed, n uint64, alive []int) (killed []int, err error) {
	x := t.draw(n, gen.From(gen.Seed(seed, n)))
	r := read(t.format, x.Data)
	if d := x.Judge(&r.Reading); d != nil {
		return nil, fmt.Errorf("%s file %d of seed %d: %w", t.format.Name, n, seed, d)
	}
	for _, i := range alive {
		spoiled := r
		if t.mutants[i].spoil(&spoiled, x.Data) && x.Judge(&spoiled.Reading) != nil {
			killed = append(killed, i)
		}
	}
	return killed, nil
}

// fileSuites returns the suites of a format, for mutants that begin at row
// first: valid files, odd ones, and files with one fault.
func fileSuites(first int, format registry.Format, from gen.Format, list []FileMutant) []suite {
	named := func(kind string, draw func(n uint64, c *gen.Choices) files.Case) suite {
		return suite{format.Name + " " + kind, first, len(list), len(list), func(int) (trial, error) {
			return &readings{format, list, draw}, nil
		}}
	}
	return []suite{
		named("files", func(_ uint64, c *gen.Choices) files.Case { return files.Valid(from, c) }),
		named("odd", func(_ uint64, c *gen.Choices) files.Case { return files.Odd(from, c) }),
		named("faults", func(n uint64, c *gen.Choices) files.Case {
			return files.Faulty(from, from.Faults[n%uint64(len(from.Faults))], c)
		}),
	}
}

// formatSuites returns the file mutants of all formats that have a generator,
// and their suites.
func formatSuites(first int) (list []FileMutant, suites []suite, err error) {
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		mutants, err := FileMutants(format)
		if err != nil {
			return nil, nil, err
		}
		suites = append(suites, fileSuites(first+len(list), format, from, mutants)...)
		list = append(list, mutants...)
	}
	return list, suites, nil
}
