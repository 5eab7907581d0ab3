package conform

import (
	"context"
	"maps"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// undefined are the questions about runs that the console does not define: no program shows them
// otherwise.
var undefined = []string{"hazards", "breakoutside", "emitvs", "vertex3", "end", "op.reserved"}

// Limits of the search for examples: the number of generated programs of each mode, the words of a
// program that is small enough, or too large for a reduction, and the tries of a reduction.
const (
	candidatesOfContrast  = 60
	smallExample          = 4
	largeExample          = 500
	maxTriesOfPredictions = 400
)

// search looks for a program that shows the question if no answer does, and makes long examples
// smaller.
func (c *contrast) search(ctx context.Context) {
	least := strengthPrecision
	switch c.Dimension.Values[c.Dimension.Get(&c.hw)].Class {
	case impl.Console, impl.Documented:
		least = strengthResult
	}
	tries := func(job *pica.Job) bool {
		way, e := c.predicted(job)
		return e != nil && e.strength >= least && c.asks(ctx, reduce.Clone(job), way, e)
	}
	if c.precision() {
		tries(newSpecial())
	}
	if !c.shown(least) && !slices.Contains(undefined, c.Dimension.Name) && !c.covered() {
		if e := c.ways[""]; e == nil || !tries(apart(e.Job)) {
			for job := range fingerprint.Candidates(1, candidatesOfContrast) {
				if tries(job) {
					break
				}
			}
		}
	}
	for _, way := range slices.Sorted(maps.Keys(c.ways)) {
		if e := c.ways[way]; len(e.Job.Code) <= largeExample && large(e.Job) {
			c.asks(ctx, c.smaller(ctx, way, e), way, e)
		}
	}
}

// large reports whether a job has too many words for an example, several vertices, or descriptors that no word needs.
func large(job *pica.Job) bool {
	return len(job.Code) > smallExample || len(job.Vertices) > 1 || len(job.Descriptors) > len(job.Code)
}

// newSpecial applies EX2 to minus infinity: fp-tests saw the result.
func newSpecial() *pica.Job {
	job := newJob(pica.Program{Code: []uint32{uint32(pica.EX2) << 26, uint32(pica.END) << 26},
		Descriptors: []uint32{uint32(pica.IdentityDescriptor)}})
	job.Vertices[0] = []pica.Vec4{{pica.Float32.Sign() | pica.Float32.Infinity()}}
	return job
}

// apart returns a job without control flow whose instructions read at most one input register:
// it moves every input but v0 to a temporary first. The console is not defined otherwise.
func apart(job *pica.Job) *pica.Job {
	flows := func(w uint32) bool { return pica.Opcodes[pica.OpcodeOf(w)].Flow.HasTarget() }
	if job.Entry != 0 || slices.ContainsFunc(job.Code, flows) {
		return job
	}
	a := reduce.Clone(job)
	a.Initial = nil
	identity := uint32(len(a.Descriptors))
	a.Descriptors = append(a.Descriptors, uint32(pica.IdentityDescriptor))
	mov := pica.MOV.Layout()
	var moves []uint32
	for n := uint32(1); n < pica.NumInputs; n++ {
		used := false
		for k, w := range a.Code {
			op := pica.OpcodeOf(w)
			for i := range pica.Opcodes[op].Sources {
				if src := op.Layout().Src[i]; src.Get(w) == pica.SourceInput+n {
					w, used = src.Put(w, pica.SourceTemporary+n), true
				}
			}
			a.Code[k] = w
		}
		if used {
			w := mov.Src[0].Put(mov.Dest.Put(uint32(pica.MOV)<<26, pica.DestTemporary+n), pica.SourceInput+n)
			moves = append(moves, mov.Desc.Put(w, identity))
		}
	}
	a.Code = append(moves, a.Code...)
	return a
}

// predicted returns what the answer to a job would show if the core follows its model.
func (c *contrast) predicted(job *pica.Job) (way string, e *example) {
	begun := *job
	begun.Initial = c.initial
	return c.example(&begun, nil)
}

// smaller reduces the job of an example, for a core that follows its model.
func (c *contrast) smaller(ctx context.Context, way string, e *example) *pica.Job {
	begun := *e.Job
	begun.Initial = nil
	r, err := reduce.Job(ctx, &begun, reduce.Jobs{NewKey: func() reduce.Key {
		c := c.session.newContrast(c.Decision, &c.hw)
		return func(job *pica.Job) string {
			if job.Initial != nil {
				return ""
			}
			if now, f := c.predicted(job); f != nil && now == way && f.strength == e.strength && f.level == e.level {
				return way + "."
			}
			return ""
		}
	}}, reduce.Options{Workers: 1, MaxTries: maxTriesOfPredictions})
	if err != nil {
		return &begun
	}
	return r.Job
}

// asks reports whether the core's answer to a job shows the question as predicted. It is then the
// example for the way.
func (c *contrast) asks(ctx context.Context, job *pica.Job, way string, like *example) bool {
	begun := *job
	begun.Initial = c.initial
	now, e := c.example(&begun, view.OfAnswer(c.core.Ask(ctx, job)))
	if e == nil || now != way || e.strength != like.strength || e.level != like.level {
		return false
	}
	c.ways[way] = e
	return true
}
