package mutants

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// suite is the sequence of generated jobs of a mode under a profile.
type suite struct {
	name string
	jobs func(seed uint64) func(n uint64) *pica.Job
}

// suites returns a suite for each mode and each profile that the VM, too, implements.
func suites() (list []suite, err error) {
	for _, mode := range gen.Modes {
		for _, name := range []string{"f24", "hw", "f32"} {
			p, err := profile.Parse(name)
			if err != nil {
				return nil, err
			}
			list = append(list, suite{string(mode) + " " + name, hunt.Generated(mode, p)})
		}
	}
	return list, nil
}

// maxInTrial is small enough to keep the engines of a trial in the cache.
const maxInTrial = 12

// trial runs a few mutants on the jobs of a suite.
type trial struct {
	suite
	rows []int // of the matrix, at most maxInTrial
}

// run returns the number of the job, from 1, that killed each mutant, by row.
func (t *trial) run(ctx context.Context, executors []Mutant, seed uint64, cases int) (map[int]int, error) {
	kills := map[int]int{}
	job, reference := t.jobs(seed), impl.New()
	alive, engines := slices.Clone(t.rows), map[int]pica.Engine{}
	for _, row := range alive {
		engines[row] = executors[row].New()
	}
	var want, got pica.Outcome
	for n := 0; n < cases && len(alive) > 0 && ctx.Err() == nil; n++ {
		j := job(uint64(n))
		if err := reference.Run(j, &want); err != nil {
			return kills, fmt.Errorf("%s job %d of seed %d: %w", t.name, n, seed, err)
		}
		var failed error
		alive = slices.DeleteFunc(alive, func(row int) bool {
			if err := engines[row].Run(j, &got); err != nil {
				failed = fmt.Errorf("%s, %s job %d of seed %d: %w", executors[row].Name, t.name, n, seed, err)
			}
			verdict, _ := compare.Outcomes(&want, &got)
			if verdict == compare.Differ {
				kills[row] = n + 1
			}
			return verdict == compare.Differ
		})
		if failed != nil {
			return kills, failed
		}
	}
	return kills, nil
}
