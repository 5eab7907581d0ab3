package fingerprint

import (
	"maps"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Conditions returns the names of the knobs that have a condition.
func Conditions() []string { return slices.Collect(maps.Keys(needs)) }

// Concerns reports whether the answer to a question may change the run of a job.
func Concerns(d *Dimension, job *pica.Job) bool {
	e := extentOf(job)
	return d.concerns(&e)
}
