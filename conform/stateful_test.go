package conform_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// stateful is an engine with a fault that no rule of the oracle has: each fault of statefulCores
// wraps the oracle.
type stateful struct {
	pica.Engine
	run func(e pica.Engine, job *pica.Job, out *pica.Outcome) error
}

func (e *stateful) Run(job *pica.Job, out *pica.Outcome) error { return e.run(e.Engine, job, out) }

// statefulCores are faults that no rule of the oracle has: a state from job to job, deaths, hangs.
// Each makes the run of a new engine.
var statefulCores = map[string]func() func(e pica.Engine, job *pica.Job, out *pica.Outcome) error{
	"keeps flags": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		var kept pica.State
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			again := *job
			again.Initial = &kept
			err := e.Run(&again, out)
			if n := len(out.Vertices); err == nil && n > 0 {
				kept.CC = out.Vertices[n-1].CC
			}
			return err
		}
	},
	"dies of old age": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		jobs := 0
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if jobs++; jobs > 300 {
				panic("old age")
			}
			return e.Run(job, out)
		}
	},
	"dies behind a callc": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		left := -1
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if left == 0 {
				panic("the stack is damaged")
			}
			if left--; has(job, pica.CALLC) {
				left = 2
			}
			return e.Run(job, out)
		}
	},
	"dies at an entry point": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if job.Entry > 0 {
				panic("no way in")
			}
			return e.Run(job, out)
		}
	},
	"hangs on flr": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if has(job, pica.FLR) {
				return pica.ErrInterrupted
			}
			return e.Run(job, out)
		}
	},
	"is random": func() func(pica.Engine, *pica.Job, *pica.Outcome) error {
		return func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			err := e.Run(job, out)
			for i := range out.Vertices {
				for c := range out.Vertices[i].O[0] {
					out.Vertices[i].O[0][c] = rand.Uint32() >> 8
				}
			}
			return err
		}
	},
}

// has reports whether a job has an instruction with an opcode.
func has(job *pica.Job, op pica.Opcode) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w) == op })
}

// statefulCore returns a core with a fault of statefulCores.
func statefulCore(fault string) adapter.Core {
	return adapter.InProcess(fault, profile.HW(), func() pica.Engine {
		return &stateful{impl.New(), statefulCores[fault]()}
	})
}

// cachingCore returns a core that keeps the first job with a key, and runs later jobs with that
// key with the parts of the first job that reuse copies.
func cachingCore(key func(job *pica.Job) string, reuse func(job, first *pica.Job)) adapter.Core {
	return adapter.InProcess("caching", profile.HW(), func() pica.Engine {
		first := map[string]*pica.Job{}
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			k := key(job)
			if first[k] == nil {
				first[k] = clone(job)
			}
			again := clone(job)
			reuse(again, first[k])
			return e.Run(again, out)
		}}
	})
}

// clone returns a copy of a job whose program and uniforms nobody else changes.
func clone(job *pica.Job) *pica.Job {
	c := *job
	c.Code, c.Descriptors = slices.Clone(job.Code), slices.Clone(job.Descriptors)
	c.Floats = slices.Clone(job.Floats)
	for i := range c.Floats {
		c.Floats[i].Values = slices.Clone(c.Floats[i].Values)
	}
	return &c
}

// allCode is the key of a cache of whole programs.
func allCode(job *pica.Job) string { return fmt.Sprint(job.Code) }

// mutant returns an executor of the fault dictionary, and the profile whose rules it breaks.
func mutant(name string) (m mutants.Mutant, p pica.Profile) {
	all := mutants.Executors()
	i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })
	if i < 0 {
		panic("no executor is called " + name)
	}
	m, p = all[i], profile.F24()
	if m.Profiles != nil {
		p, _ = profile.ByName(m.Profiles[0])
	}
	return m, p
}

// executor returns an executor of the fault dictionary as a core.
func executor(name string) adapter.Core {
	m, p := mutant(name)
	return adapter.InProcess(name, p, m.New)
}
