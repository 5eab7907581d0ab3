package conform

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// estimated are the instructions whose precision on the console is unknown.
var estimated = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Precision != pica.PrecisionExact })

// precisionJobs is the number of programs that measure the precision of an instruction, and
// precisionOutputs the number of results of each.
const (
	precisionJobs    = 24
	precisionOutputs = 4
)

// estimateBits is the largest error that counts as limited precision if the instruction is at
// fault anyway.
const estimateBits = 16

// precision measures how far the results of RCP, RSQ, EX2 and LG2 are from the exact value, and
// shows the largest error of each instruction. Special results, and errors that rounding alone
// explains, count as exact.
func (s *session) precision(ctx context.Context) (list []report.Deviation) {
	exact := s.model
	exact.Reciprocal, exact.Exponential = pica.ReciprocalRounded, pica.ExponentialRounded
	for _, op := range estimated {
		j := s.newJudgeOf(ctx, exact)
		j.predict = fingerprint.PredictorOf(s.engine()) // a proved cause says what else differs
		worst, bits := (*pica.Job)(nil), 0.0
		var expected, observed string
		for n := range uint64(precisionJobs) {
			job := precisionJob(op, s.Seed, n)
			j.predict.View(job, &exact, &j.want)
			j.answer = s.core.Ask(ctx, job)
			j.got.SetAnswer(&j.answer)
			if j.want.End != view.Ended || j.got.End != view.Ended {
				continue
			}
			for v := range j.want.Vertices {
				want, got := j.want.Vertices[v].O[0][0], j.got.Vertices[v].O[0][0]
				if k := pica.Float32.Class(want); k != pica.ClassPosNormal && k != pica.ClassNegNormal {
					continue
				}
				if e := view.ErrorBits(want, got); e > bits && s.steady(ctx, job, &j.got) {
					one := *job
					one.Vertices = job.Vertices[v : v+1]
					worst, bits = reduce.Clone(&one), e
					expected, observed = pica.Float32.Show(want), pica.Float32.Show(got)
				}
			}
		}
		if worst == nil || slices.ContainsFunc(s.buckets, func(b *bucket) bool {
			return b.opcode == op.String() && (bits > estimateBits || b.class == compare.ClassValue.String() ||
				b.class == compare.ClassOneStep.String())
		}) {
			continue // a cause says it
		}
		d := report.Deviation{
			Bucket: "precision: " + op.String(), Verdict: report.Precision, Provenance: "guess",
			Source: "the console's tables are unknown; the rounded value stands in their place",
			Opcode: op.String(), Count: 1, Expected: expected, Observed: observed, Where: "o0.x", Class: "value",
			ErrorBits: bits,
			Note:      fmt.Sprintf("the largest error is %.1f of 24 bits", bits),
		}
		s.show(&d, worst, &exact, reduce.Report{})
		list = append(list, d)
	}
	return list
}

// steady reports whether a job has the same answer each time.
func (s *session) steady(ctx context.Context, job *pica.Job, answer *view.View) bool {
	var again view.View
	for range repeats {
		a := s.core.Ask(ctx, job)
		if again.SetAnswer(&a); view.Compare(answer, &again, nil) != view.Same {
			return false
		}
	}
	return true
}

// precisionJob applies an instruction to ordinary numbers, one a vertex.
func precisionJob(op pica.Opcode, seed, n uint64) *pica.Job {
	c := gen.From(gen.Seed(seed, n))
	f := pica.Float32
	layout := op.Layout()
	job := newJob(pica.Program{
		Code:        []uint32{layout.Src[0].Put(uint32(op)<<26, pica.SourceInput), uint32(pica.END) << 26},
		Descriptors: []uint32{uint32(pica.IdentityDescriptor)}})
	job.Vertices = nil
	for range precisionOutputs {
		x := uint32(f.Bias()-4+c.Below(8))<<23 | uint32(c.Bits(16))<<7
		if op == pica.EX2 {
			x |= uint32(c.Bits(1)) << 31
		}
		job.Vertices = append(job.Vertices, []pica.Vec4{{x, x, x, x}})
	}
	return job
}
