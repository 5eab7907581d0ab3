package compare

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Grants is the oracle for an engine whose results of some opcodes are known only within a
// [pica.Tolerance]: where a run executes such an opcode, it takes the engine's own result, if that
// is within the tolerance. What is computed from these results can then be compared to the bit.
// It asks the engine for each result with a program of one instruction.
type Grants struct {
	engine  pica.Engine
	oracle  pica.Engine
	profile pica.Profile
	results map[operation]uint32
	out     pica.Outcome
}

// operation is an opcode with its operand, in the format of the registers.
type operation struct {
	op      pica.Opcode
	operand uint32
}

// NewGrants returns the oracle for an engine. It is not safe for concurrent use.
func NewGrants(engine pica.Engine) *Grants {
	return NewGrantsOf(engine, func(change func(r *oracle.Rules)) pica.Engine { return impl.NewWith(change, nil) })
}

// NewGrantsOf is NewGrants for an oracle with other rules: newOracle returns it with a further change of its rules.
func NewGrantsOf(engine pica.Engine, newOracle func(change func(r *oracle.Rules)) pica.Engine) *Grants {
	g := &Grants{engine: engine, results: map[operation]uint32{}}
	g.oracle = newOracle(g.replace)
	return g
}

// Run runs a job on the oracle.
func (g *Grants) Run(job *pica.Job, out *pica.Outcome) error {
	if job.Profile != g.profile {
		clear(g.results)
		g.profile = job.Profile
	}
	return g.oracle.Run(job, out)
}

func (g *Grants) replace(r *oracle.Rules) {
	scalar := r.Unit.Ops.Scalar
	r.Unit.Ops.Scalar = func(c *oracle.Control, f func(u *oracle.Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4 {
		result := scalar(c, f, a)
		if t := g.profile.Tolerance(c.Op); t != (pica.Tolerance{}) {
			x := g.granted(operation{c.Op, a[0]}, result[0], t)
			return pica.Vec4{x, x, x, x}
		}
		return result
	}
}

// granted returns the engine's result of an operation if it is within the tolerance, else the
// oracle's.
func (g *Grants) granted(o operation, want uint32, t pica.Tolerance) uint32 {
	result, known := g.results[o]
	if known {
		return result
	}
	result = want
	f := g.profile.Storage
	x := f.Widen(o.operand)
	job := &pica.Job{Profile: g.profile, OutMask: 1, InputFormat: pica.Float32, Budget: 2,
		Vertices: [][]pica.Vec4{{{x, x, x, x}}}, Program: pica.Program{
			Code:        []uint32{uint32(o.op)<<26 | pica.SourceInput, uint32(pica.END) << 26},
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
	if g.engine.Run(job, &g.out) == nil && len(g.out.Vertices) == 1 && !g.out.Trapped() {
		got := g.out.Vertices[0].O[0][0]
		if t.Allows(f.Widen(want), g.out.Storage.Widen(got)) {
			result = f.Narrow(g.out.Storage.Widen(got))
		}
	}
	g.results[o] = result
	return result
}

// grant compares an answer again if the profile leaves the last bits of some results open.
func (p *Pair) grant(job *pica.Job, d Difference) (Verdict, Difference, error) {
	if !estimates(job) {
		return Differ, d, nil
	}
	if p.grants == nil {
		p.grants = NewGrants(p.Got)
	}
	if err := p.grants.Run(job, &p.wantOut); err != nil {
		return Differ, d, err
	}
	v, d := Outcomes(&p.wantOut, &p.gotOut)
	return v, d, nil
}

// estimates reports whether a program has an opcode with a tolerance under its profile.
func estimates(job *pica.Job) bool {
	for _, w := range job.Code {
		if job.Profile.Tolerance(pica.OpcodeOf(w)) != (pica.Tolerance{}) {
			return true
		}
	}
	return false
}
