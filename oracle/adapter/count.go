package adapter

import (
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// maxCount is the largest number of instructions that are counted: it takes milliseconds.
const maxCount = 1 << 14

// count returns the number of instructions that the job of a request executes, for all vertices, on the first known core
// on which it ends; 0 if it ends on none, or may execute more than most.
func count(q *request, most int) (steps int) {
	job, err := q.job()
	if err != nil || q.info || len(job.Vertices) == 0 {
		return 0
	}
	if job.Budget = most / len(job.Vertices); job.Budget == 0 { // which would mean the default
		return 0
	}
	engine := impl.New()
	for _, name := range profile.Names() {
		job.Profile, _ = profile.ByName(name)
		var out pica.Outcome
		if engine.Run(job, &out) != nil {
			continue
		}
		for i := range out.Vertices {
			if out.Vertices[i].Trap.Cause == pica.TrapBudget {
				return 0 // and long on other cores, too
			}
			steps += out.Vertices[i].Steps
		}
		if !out.Trapped() {
			return steps
		}
		steps = 0
	}
	return 0
}
