package arb

import (
	"fmt"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// Job is a generated job.
type Job struct {
	*pica.Job

	position reduce.Position // where the shrinker continues
}

// Format writes the size of the job; its whole text is its JSON form.
func (j Job) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "%v job of %d words, %d descriptors, %d uploads, %d vertices in %s",
		j.Stage, len(j.Code), len(j.Descriptors), len(j.Floats), len(j.Vertices), j.Profile.Name)
}

// Jobs draws jobs of one of the modes for one of the profiles.
func Jobs(modes []gen.Mode, profiles ...pica.Profile) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		var g gen.Generator
		c := gen.From(p.Rng)
		profile := gen.Pick(c, profiles)
		job := reduce.Clone(g.Job(p.Rng, gen.Pick(c, modes)))
		job.Profile = profile
		return gopter.NewGenResult(Job{Job: job}, shrinkJob)
	}
}

func shrinkJob(v any) gopter.Shrink {
	j := v.(Job)
	next := reduce.JobSteps(j.Job, j.position)
	return func() (any, bool) {
		job, position, ok := next()
		return Job{job, position}, ok
	}
}
