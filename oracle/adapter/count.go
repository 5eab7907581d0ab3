package adapter

import (
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// maxCount is the largest number of instructions that are counted: it takes milliseconds. A job that executes more may
// have no end.
const maxCount = 1 << 17

// endless stands for the number of instructions of a job that executes more than maxCount.
const endless = -1

// count returns the number of instructions that the job of a request executes, for all vertices, on the first known core
// on which it ends, or which executes more than most; 0 if there is none.
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
				return endless // and on other cores, too
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
