package compare_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// library returns an engine whose EX2 is off by some steps of float32.
func library(steps uint32) pica.Engine {
	return impl.NewWith(func(r *oracle.Rules) {
		exp2 := r.Unit.Ops.Exp2
		r.Unit.Ops.Exp2 = func(u *oracle.Unit, a uint32) uint32 { return exp2(u, a) + steps }
	}, nil)
}

// TestGrants: EX2 of a library may be off by one unit, and so may everything that is computed from
// it, however large its error becomes; nothing else is forgiven.
func TestGrants(t *testing.T) {
	const end = uint32(pica.END) << 26
	ex2 := data(pica.EX2, pica.DestTemporary, 0, pica.SourceInput, 0)
	// r1 = 2^v0 - c0 has few correct bits.
	sum := data(pica.ADD, pica.DestOutput, 0, pica.SourceUniform, pica.SourceTemporary)
	for _, x := range []struct {
		ex2   pica.ExponentialRule
		steps uint32
		code  []uint32
		want  compare.Verdict
	}{
		{pica.ExponentialLibm, 1, []uint32{ex2, end}, compare.Equal},
		{pica.ExponentialLibm, 1, []uint32{ex2, sum, end}, compare.Equal},
		{pica.ExponentialLibm, 2, []uint32{ex2, end}, compare.Differ},
		{pica.ExponentialLibm, 2, []uint32{ex2, sum, end}, compare.Differ},
		{pica.ExponentialPolynomial, 1, []uint32{ex2, end}, compare.Differ},
		{pica.ExponentialEstimate, 1 << 14, []uint32{ex2, sum, end}, compare.Equal},
		{pica.ExponentialEstimate, 1 << 16, []uint32{ex2, sum, end}, compare.Differ},
	} {
		job := &pica.Job{OutMask: 0xFFFF, Budget: 100, InputFormat: pica.Float32,
			Floats:   []pica.Upload{{Format: pica.Float32, Values: []pica.Vec4{{0xBF80B5A2}}}},
			Vertices: [][]pica.Vec4{{{0x3C02A9AD}}},
			Program:  pica.Program{Code: x.code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
		job.Profile.Storage, job.Profile.Upload = pica.Float32, pica.UploadExact
		job.Profile.Exponential = x.ex2
		p := compare.Pair{Want: impl.New(), Got: library(x.steps), Foreign: true}
		if v, d, err := p.Run(job); err != nil || v != x.want {
			t.Errorf("%d steps, ex2 %d, %d words: got %v, %v, %v, want %v", x.steps, x.ex2, len(x.code), v, d, err, x.want)
		}
	}
}
