package view

import (
	"math"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
)

// Precise is the error of a finite result, in steps of float32, that counts as precision when an
// answer is compared with the console: two steps of float24 (pica200.md 7.8).
const Precise = 2 * stepOfFloat24

// Deviates reports whether an answer differs from the console where another prediction, which
// differs from the core's model in one rule, shows the console's result. d receives the first such
// difference. Finite results differ if they are more than least steps of float32 apart. The
// console must define the run to its end, under both predictions.
func Deviates(console, other, got *View, least int64, d *Difference) bool {
	if console.End != Ended || other.End != Ended || len(console.Vertices) != len(other.Vertices) {
		return false
	}
	if got.End != Ended || len(got.Vertices) != len(console.Vertices) {
		return Compare(console, got, d) == Differs
	}
	want := console.Clone()
	for i := range want.Vertices {
		want.Vertices[i].spare(&other.Vertices[i], &got.Vertices[i], least)
	}
	return Compare(want, got, d) == Differs
}

// spare takes over the values of an answer where they do not deviate.
func (v *Vertex) spare(other, got *Vertex, least int64) {
	spareBank(&v.O, &other.O, &got.O, least)
	spareBank(&v.R, &other.R, &got.R, least)
	for k := range v.Address {
		if v.Address[k] != other.Address[k] {
			v.Address[k] = got.Address[k]
		}
		if v.CC[k] != other.CC[k] {
			v.CC[k] = got.CC[k]
		}
	}
	if v.AL != other.AL {
		v.AL = got.AL
	}
	if len(v.Primitives) != len(other.Primitives) {
		v.Primitives = got.Primitives
	}
	if len(v.Primitives) != len(got.Primitives) {
		return
	}
	for k := range min(len(v.Primitives), len(other.Primitives)) {
		p := &v.Primitives[k]
		if p.Inverted != other.Primitives[k].Inverted {
			p.Inverted = got.Primitives[k].Inverted
		}
		for slot := range p.Vertices {
			spareBank(&p.Vertices[slot], &other.Primitives[k].Vertices[slot], &got.Primitives[k].Vertices[slot], least)
		}
	}
}

func spareBank(v, other, got *[pica.NumOutputs]pica.Vec4, least int64) {
	for n := range v {
		for c, x := range v[n] {
			if g, o := got[n][c], other[n][c]; apart(o, g, 0) && apart(x, g, least) && !apart(x, o, Precise) {
				continue
			}
			v[n][c] = got[n][c]
		}
	}
}

// apart reports whether two float32 patterns have different classes, or values more than some steps
// apart. Where float24 has subnormals, its steps are larger.
func apart(x, y uint32, steps int64) bool {
	if class := compare.Classify(pica.Float32, x, y); class != compare.ClassValue && class != compare.ClassOneStep {
		return class != compare.ClassNone
	}
	d := pica.Float32.Ordinal(x) - pica.Float32.Ordinal(y)
	return (d < -steps || d > steps) && (steps == 0 || difference(x, y) > 2*smallest24)
}

// smallest24 is the smallest subnormal of float24, 2^-78.
const smallest24 = 0x1p-78

func difference(x, y uint32) float64 {
	return math.Abs(float64(math.Float32frombits(x)) - float64(math.Float32frombits(y)))
}
