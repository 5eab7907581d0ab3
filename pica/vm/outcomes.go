package vm

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// outcomes are the vertices of a job.
type outcomes struct {
	job *pica.Job
	out *pica.Outcome
}

func (o *outcomes) input(k int, _ *[pica.NumInputs]pica.Vec4) []pica.Vec4 { return o.job.Vertices[k] }

func (o *outcomes) load(r *runner, first, n int) bool {
	m, c := &r.lanes, r.engine.code
	plain := true
	convert := c.converter(o.job.InputFormat)
	for k := range pica.NumInputs {
		if c.inputs>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*k:])
		for l := range n {
			var v pica.Vec4
			if from := o.job.Vertices[first+l]; k < len(from) {
				v = from[k]
			}
			for j := range d {
				d[j][l&63] = v[j]
			}
		}
		plain = m.finishLoad(d, convert) && plain
	}
	return plain
}

func (o *outcomes) store(r *runner, first, n int, down uint64) {
	m, e := &r.lanes, &r.engine
	for l := range n {
		if down>>l&1 != 0 {
			continue
		}
		v := &o.out.Vertices[first+l]
		v.State = e.initial
		for _, slot := range e.code.written {
			from := int(slot)
			if from >= slotOutput {
				from += laneOutput - slotOutput
			}
			var bits pica.Vec4
			for j := range bits {
				bits[j] = m.file[4*from+j][l]
			}
			e.code.model.store(register(&v.State, int(slot)), &bits)
		}
		end, steps := m.ended(l)
		v.Address = [2]int32{e.initial.Address[0], e.initial.Address[1]}
		if e.code.planOf().moves {
			v.Address = [2]int32{int32(m.address[pica.IndexA0X][l]), int32(m.address[pica.IndexA0Y][l])}
		}
		v.AL = end.address[pica.IndexAL]
		v.CC = [2]bool{m.cc[0]>>l&1 != 0, m.cc[1]>>l&1 != 0}
		v.Stacks = end.stacks
		v.Steps, v.Trap, v.Uninitialised = steps, pica.Trap{}, 0
		v.Primitives, v.Skipped, v.Hazards = v.Primitives[:0], v.Skipped[:0], v.Hazards[:0]
	}
}

func (o *outcomes) outcome(_ *runner, k int) *pica.VertexOutcome { return &o.out.Vertices[k] }

func (o *outcomes) scalar(*runner, int, *pica.VertexOutcome) {}

// minLanes is the smallest number of vertices for which the lanes are faster.
const minLanes = 8

// runJob runs a job on some tier. The vertices of the job must be independent of each
// other.
func (r *runner) runJob(job *pica.Job, out *pica.Outcome, tier Tier) error {
	out.Vertices = slices.Grow(out.Vertices[:0], len(job.Vertices))[:len(job.Vertices)]
	out.Bools = job.Bools
	r.outcomes = outcomes{job, out}
	defer func() { r.outcomes = outcomes{} }()
	return r.run(job, &r.outcomes, len(job.Vertices), tier, wanted{counts: true, remarks: true})
}
