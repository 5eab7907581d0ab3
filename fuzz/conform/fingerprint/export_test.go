package fingerprint

import "github.com/picaproof/picaproof/pica"

// Concerns reports whether the answer to a question may change the run of a job.
func Concerns(d *Dimension, job *pica.Job) bool {
	e := extentOf(job)
	return d.concerns(&e)
}
