// Package float24_test asks whether the fast float24 arithmetic computes what
// the oracle does in integers.
package float24_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// operations computes the result of each instruction of program from three
// operand vectors; the oracle leaves it in the output register of the same
// number. Broadcast results stand in all components.
var operations = []struct {
	op    pica.Opcode
	apply func(m float24.Arithmetic, a, b, c float24.Vec) float24.Vec
}{
	{pica.ADD, each2(float24.Arithmetic.Add)},
	{pica.MUL, each2(float24.Arithmetic.Mul)},
	{pica.MAD, func(m float24.Arithmetic, a, b, c float24.Vec) (r float24.Vec) {
		for k := range r {
			r[k] = m.Mad(a[k], b[k], c[k])
		}
		return r
	}},
	{pica.DP3, func(m float24.Arithmetic, a, b, _ float24.Vec) float24.Vec { return all(m.Dp3(a, b)) }},
	{pica.DP4, func(m float24.Arithmetic, a, b, _ float24.Vec) float24.Vec { return all(m.Dp4(a, b)) }},
	{pica.DPH, func(m float24.Arithmetic, a, b, _ float24.Vec) float24.Vec { return all(m.Dph(a, b)) }},
	{pica.DST, func(m float24.Arithmetic, a, b, _ float24.Vec) float24.Vec { return m.Dst(a, b) }},
	{pica.FLR, func(m float24.Arithmetic, a, _, _ float24.Vec) (r float24.Vec) {
		for k := range r {
			r[k] = m.Flr(a[k])
		}
		return r
	}},
	{pica.RCP, scalar(float24.Arithmetic.Rcp)},
	{pica.RSQ, scalar(float24.Arithmetic.Rsq)},
	{pica.EX2, scalar(float24.Arithmetic.Ex2)},
	{pica.LG2, scalar(float24.Arithmetic.Lg2)},
}

func all(x float24.Bits) float24.Vec { return float24.Vec{x, x, x, x} }

func each2(f func(m float24.Arithmetic, a, b float24.Bits) float24.Bits) func(float24.Arithmetic, float24.Vec, float24.Vec, float24.Vec) float24.Vec {
	return func(m float24.Arithmetic, a, b, _ float24.Vec) (r float24.Vec) {
		for k := range r {
			r[k] = f(m, a[k], b[k])
		}
		return r
	}
}

func scalar(f func(m float24.Arithmetic, a float24.Bits) float24.Bits) func(float24.Arithmetic, float24.Vec, float24.Vec, float24.Vec) float24.Vec {
	return func(m float24.Arithmetic, a, _, _ float24.Vec) float24.Vec { return all(f(m, a[0])) }
}

// program leaves operation k of v0, v1, v2 in ok.
func program() []uint32 {
	var code []uint32
	for k, o := range operations {
		layout := o.op.Layout()
		word := uint32(o.op) << 26
		word = layout.Dest.Put(word, uint32(pica.DestOutput+k))
		for n, field := range layout.Src {
			word = field.Put(word, uint32(pica.SourceInput+n))
		}
		code = append(code, word)
	}
	return append(code, uint32(pica.END)<<26)
}

// FuzzFloat24 compares every operation under both rounding models, and the
// conversions with themselves.
func FuzzFloat24(f *testing.F) {
	var g gen.Generator
	for n := range uint64(200) {
		var b []byte
		for _, v := range g.Vertex(gen.Seed(1, n))[0][:3] {
			for _, c := range v {
				b = append(b, byte(c), byte(c>>8), byte(c>>16))
			}
		}
		f.Add(b)
	}
	engine := oracle.New()
	models := []struct {
		arithmetic float24.Arithmetic
		job        pica.Job
	}{{arithmetic: float24.Nearest}, {arithmetic: float24.Truncating}}
	hw, err := profile.Parse("hw,hazards=off")
	if err != nil {
		f.Fatal(err)
	}
	for i, p := range []pica.Profile{profile.F24(), hw} {
		models[i].job = pica.Job{
			Program:   pica.Program{Code: program(), Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
			InputForm: pica.Raw24, Vertices: [][]pica.Vec4{make([]pica.Vec4, 3)}, Profile: p,
		}
	}
	var out pica.Outcome
	f.Fuzz(func(t *testing.T, b []byte) {
		var v [3]float24.Vec
		for i := range v {
			for k := range v[i] {
				var x [3]byte
				b = b[copy(x[:], b):]
				v[i][k] = float24.Bits(x[0]) | float24.Bits(x[1])<<8 | float24.Bits(x[2])<<16
				for _, rounding := range []float24.Rounding{float24.NearestEven, float24.TowardZero} {
					if got := float24.Encode(float24.Decode(v[i][k]), rounding); got != v[i][k] {
						t.Fatalf("encode(decode(%06x)) with rounding %d: got %06x", v[i][k], rounding, got)
					}
				}
			}
		}
		for i := range models {
			job := &models[i].job
			for n := range v {
				for k, x := range v[n] {
					job.Vertices[0][n][k] = uint32(x)
				}
			}
			if err := engine.Run(job, &out); err != nil || out.Vertices[0].Trap.Cause != pica.TrapNone {
				t.Fatal(err, out.Vertices[0].Trap)
			}
			for k, o := range operations {
				for c, got := range o.apply(models[i].arithmetic, v[0], v[1], v[2]) {
					if want := out.Vertices[0].O[k][c]; uint32(got) != want {
						t.Fatalf("%s: %v of %06x, component %d: got %06x, the oracle says %06x", job.Profile.Name, o.op, v, c, got, want)
					}
				}
			}
		}
	})
}
