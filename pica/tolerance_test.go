package pica_test

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// TestTolerance: a library's results may be off by one unit in the last place, estimates by their
// relative or absolute errors, and no class of numbers passes for another.
func TestTolerance(t *testing.T) {
	const one, inf, largest, nan = 0x3F800000, 0x7F800000, 0x7F7FFFFF, 0x7FC00000
	single := pica.Knobs{Storage: pica.Float32}
	with := func(k pica.Knobs, change func(k *pica.Knobs)) pica.Knobs { change(&k); return k }
	library := with(single, func(k *pica.Knobs) { k.Exponential = pica.ExponentialLibm })
	short := with(library, func(k *pica.Knobs) { k.Exponential = pica.ExponentialLibm; k.Storage = pica.Float24 })
	cut := with(library, func(k *pica.Knobs) { k.Round = pica.RoundCut })
	estimate := with(single, func(k *pica.Knobs) {
		k.Exponential, k.Reciprocal = pica.ExponentialEstimate, pica.ReciprocalEstimate
	})
	polynomial := with(single, func(k *pica.Knobs) { k.Exponential = pica.ExponentialPolynomial })
	for _, x := range []struct {
		knobs     pica.Knobs
		op        pica.Opcode
		want, got uint32
		allowed   bool
	}{
		{library, pica.EX2, 0x3F80B5A3, 0x3F80B5A4, true},
		{library, pica.EX2, one, one - 1, true},
		{library, pica.EX2, one, one + 2, false},
		{library, pica.LG2, one, one + 1, true},
		{library, pica.EX2, inf, largest, false},
		{library, pica.LG2, 0, 0x80000000, false},
		{library, pica.EX2, nan, one, false},
		{library, pica.RCP, one, one + 1, false},
		{library, pica.MUL, one, one + 1, false},
		{short, pica.EX2, one, one + 1<<7, true},
		{short, pica.EX2, one, one + 1<<7 + 1, false},
		{cut, pica.LG2, one, one + 1<<7, true},
		{single, pica.EX2, one, one + 1, true},
		{single, pica.EX2, one, one + 2, false},
		{pica.Knobs{}, pica.EX2, one, one + 1, false},
		{polynomial, pica.EX2, one, one + 1, false},
		{estimate, pica.RCP, one, one + 1<<13, true},
		{estimate, pica.RCP, one, one + 1<<13 + 1, false},
		{estimate, pica.RSQ, one, one + 1<<13 + 1, false},
		{estimate, pica.EX2, one, one + 1<<15, true},
		{estimate, pica.EX2, one, one + 1<<15 + 1, false},
		{estimate, pica.LG2, 0x37000000, 0xB7000000, true},
		{estimate, pica.LG2, one, one + 1<<15 + 1, false},
		{estimate, pica.LG2, inf, 0x43000000, true},
		{estimate, pica.EX2, inf, 0x43000000, false},
	} {
		if got := x.knobs.Tolerance(x.op).Allows(x.want, x.got); got != x.allowed {
			t.Errorf("%v, %+v: %#x for %#x: %v, want %v", x.op, x.knobs.Tolerance(x.op), x.got, x.want, got, x.allowed)
		}
	}
}
