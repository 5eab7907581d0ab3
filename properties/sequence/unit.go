package sequence

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// ShaderUnit is a shader unit with everything that its host has set. It may be copied.
type ShaderUnit struct {
	job   pica.Job // Initial holds the registers
	saved *ShaderUnit
	run   Runner
}

// Runner runs a job. The outcome is valid until the next one.
type Runner func(job *pica.Job) (*pica.Outcome, error)

// New returns a unit without a program, in profile f24.
func New(run Runner) ShaderUnit {
	job := pica.Job{OutMask: 0xFFFF, Profile: profile.F24(), InputFormat: pica.Float24, Budget: budget(16)}
	return ShaderUnit{job: job, run: run}
}

// Do carries out a command. The outcome is nil for all commands but "run". After "run
// keep" the registers keep their values from the last vertex.
func (u *ShaderUnit) Do(x Command) (*pica.Outcome, error) {
	if do := kinds[x.kind].do; do != nil {
		do(u, x.args)
		return nil, nil
	}
	u.job.Keep = x.args[0] == 1
	out, err := u.run(&u.job)
	if err != nil {
		return nil, err
	}
	u.job.Bools = out.Bools
	if n := len(out.Vertices); u.job.Keep && n > 0 {
		registers := out.Vertices[n-1].State
		registers.Stacks = pica.Stacks{}
		u.job.Initial = &registers
	}
	return out, nil
}

// Held runs everything on one engine, with the program always in the same memory.
func Held(engine pica.Engine) Runner {
	out := new(pica.Outcome)
	var code, descriptors []uint32
	return func(job *pica.Job) (*pica.Outcome, error) {
		own := *job
		code, descriptors = append(code[:0], job.Code...), append(descriptors[:0], job.Descriptors...)
		own.Program = pica.Program{Code: code, Descriptors: descriptors}
		return out, engine.Run(&own, out)
	}
}

// Fresh runs every vertex on a new engine, which starts with the state that the vertex
// before left and with one upload of all uniforms of a number format. An engine cannot be
// given the other output bank of a geometry program: where the program keeps it, its
// vertices run on one engine.
func Fresh(engine func() pica.Engine) Runner {
	return func(job *pica.Job) (*pica.Outcome, error) {
		one := *job
		one.Floats = merged(job.Floats)
		if len(job.Vertices) == 0 || job.Keep && job.Stage == pica.Geometry {
			out := new(pica.Outcome)
			return out, engine().Run(&one, out)
		}
		all := new(pica.Outcome)
		one.Keep = false
		for k := range job.Vertices {
			one.Vertices = job.Vertices[k : k+1]
			out := new(pica.Outcome)
			if err := engine().Run(&one, out); err != nil {
				return nil, err
			}
			all.Storage, all.Bools, all.Vertices = out.Storage, out.Bools, append(all.Vertices, out.Vertices[0])
			if one.Bools = out.Bools; job.Keep {
				one.Initial = &out.Vertices[0].State
			}
		}
		return all, nil
	}
}

// merged returns uploads that write each register once, in the number format in which it
// was written last.
func merged(uploads []pica.Upload) (list []pica.Upload) {
	var last [pica.NumFloats]*pica.Upload
	for k := range uploads {
		if r := uploads[k].Register; r < pica.NumFloats {
			last[r] = &uploads[k]
		}
	}
	for r, u := range last {
		if u == nil {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Format == u.Format && list[n-1].Register+len(list[n-1].Values) == r {
			list[n-1].Values = append(list[n-1].Values, u.Values[0])
		} else {
			list = append(list, pica.Upload{Register: r, Format: u.Format, Values: []pica.Vec4{u.Values[0]}})
		}
	}
	return list
}

// Play gives commands to units. The error names the command at which a unit first
// differs from want.
func Play(commands []Command, want ShaderUnit, others ...ShaderUnit) error {
	for k, x := range commands {
		w, err := want.Do(x)
		for i := 0; err == nil && i < len(others); i++ {
			var got *pica.Outcome
			if got, err = others[i].Do(x); err != nil || w == nil {
				continue
			}
			if verdict, d := compare.Outcomes(w, got); verdict == compare.Differ {
				err = fmt.Errorf("unit %d: %v", i+1, d)
			}
		}
		if err != nil {
			return fmt.Errorf("command %d, %v %w", k+1, x, err)
		}
	}
	return nil
}
