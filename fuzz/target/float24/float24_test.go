// Package float24_test asks whether the fast float24 arithmetic gives the results of the
// oracle's integer arithmetic.
package float24_test

import (
	"math"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// operations computes the result of instructions from the operands of one component, for each
// model: correctly rounded for f24, truncating for hw. The oracle leaves the result of
// operation k in ok; an instruction that reads only x leaves it in every component.
var operations = []struct {
	op    pica.Opcode
	apply [2]func(a, b float64) float64
}{
	{pica.ADD,
		[2]func(a, b float64) float64{func(a, b float64) float64 { return float24.RoundNearest(a + b) },
			float24.AddTruncated}},
	{pica.MUL, [2]func(a, b float64) float64{float24.MulNearest, float24.MulTruncated}},
	{pica.FLR, unary(float24.Floor)},
	{pica.RCP, unary(float24.Reciprocal)},
	{pica.RSQ, unary(float24.ReciprocalRoot)},
	{pica.EX2, unary(float24.Exp2)},
	{pica.LG2, unary(float24.Log2)},
}

// unary gives both models of a function that rounds to nearest.
func unary(f func(float64) float64) [2]func(a, b float64) float64 {
	return [2]func(a, b float64) float64{
		func(a, _ float64) float64 { return f(a) },
		func(a, _ float64) float64 { return float24.Flush(f(a)) },
	}
}

// compute applies operation k of a model to patterns.
func compute(k, model int, a, b uint32) uint32 {
	x, y := value(a), value(b)
	if model == 1 {
		x, y = float24.Flush(x), float24.Flush(y)
	}
	return pica.Float24.Narrow(math.Float32bits(float32(operations[k].apply[model](x, y))))
}

func value(x uint32) float64 { return float64(math.Float32frombits(pica.Float24.Widen(x))) }

// program leaves operation k of v0 and v1 in ok.
func program() []uint32 {
	var code []uint32
	for k, o := range operations {
		layout := o.op.Layout()
		word := uint32(o.op) << 26
		word = layout.Dest.Put(word, uint32(pica.DestOutput+k))
		word = layout.Src[1].Put(word, pica.SourceInput+1)
		code = append(code, word)
	}
	return append(code, uint32(pica.END)<<26)
}

// FuzzFloat24 compares every operation under both models.
func FuzzFloat24(f *testing.F) {
	var g gen.Generator
	for n := range uint64(200) {
		var b []byte
		for _, v := range g.Vertex(gen.Seed(1, n))[0][:2] {
			for _, c := range v {
				b = append(b, byte(c), byte(c>>8), byte(c>>16))
			}
		}
		f.Add(b)
	}
	engine := impl.New()
	var jobs [2]pica.Job
	hw, err := profile.Parse("hw,hazards=off")
	if err != nil {
		f.Fatal(err)
	}
	for i, p := range []pica.Profile{profile.F24(), hw} {
		jobs[i] = pica.Job{
			Program:     pica.Program{Code: program(), Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
			InputFormat: pica.Float24, Vertices: [][]pica.Vec4{make([]pica.Vec4, 2)}, Profile: p,
		}
	}
	var out pica.Outcome
	f.Fuzz(func(t *testing.T, b []byte) {
		var v [2]pica.Vec4
		for i := range v {
			for k := range v[i] {
				var x [3]byte
				b = b[copy(x[:], b):]
				v[i][k] = uint32(x[0]) | uint32(x[1])<<8 | uint32(x[2])<<16
			}
		}
		for i := range jobs {
			job := &jobs[i]
			copy(job.Vertices[0], v[:])
			if err := engine.Run(job, &out); err != nil || out.Vertices[0].Trap.Cause != pica.TrapNone {
				t.Fatal(err, out.Vertices[0].Trap)
			}
			for k, o := range operations {
				for c := range 4 {
					lane := c
					if pica.Opcodes[o.op].Scalar {
						lane = 0
					}
					got, want := compute(k, i, v[0][lane], v[1][lane]), out.Vertices[0].O[k][c]
					if got != want {
						t.Fatalf("%s: %v of %06x, component %d: got %06x, the oracle says %06x", job.Profile.Name,
							o.op, v, c, got, want)
					}
				}
			}
		}
	})
}
