package oracle_test

import (
	"math"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

func bitsOf(x float32) uint32 { return math.Float32bits(x) }

// value reads register bits as a number.
func value(storage pica.NumberFormat, x uint32) float64 {
	if storage == pica.Float32 {
		return float64(math.Float32frombits(x))
	}
	return value24(x)
}

// value24 is the strict meaning of a raw 1/7/16 pattern.
func value24(x uint32) float64 {
	e, m := int(x>>16&0x7F), float64(x&0xFFFF)
	var v float64
	switch {
	case e == 127 && m != 0:
		return math.NaN()
	case e == 127:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(m, -78)
	default:
		v = math.Ldexp(m+65536, e-63-16)
	}
	if x>>23&1 != 0 {
		return math.Copysign(v, -1)
	}
	return v
}

// unitOf returns the arithmetic of a profile.
func unitOf(p pica.Profile) *oracle.Unit {
	r, err := impl.Rules(&p)
	if err != nil {
		panic(err)
	}
	return &r.Unit
}

// A product of zero is a zero by class, not a finite number that rounds to zero: sums ask
// for the class.
func TestProductOfZero(t *testing.T) {
	zero, five := oracle.Number{Class: oracle.Zero}, oracle.Number{Class: oracle.Finite, Sig: 5, Neg: true}
	want := oracle.Number{Class: oracle.Zero, Neg: true}
	for _, got := range []oracle.Number{oracle.Product(zero, five), oracle.Product(five, zero)} {
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
