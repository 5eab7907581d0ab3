package pica

import "math"

// Tolerance is the largest error of a result that an implementation computes on a host whose last
// bits nobody can predict. Errors are those of the float32 pattern of the result, whatever the
// format of the registers. The zero Tolerance allows none.
type Tolerance struct {
	Steps    int64   // between results of one [NumberClass]
	Absolute float64 // between any results; an error must be smaller
	// Largest allows 128 in place of infinity: some hosts take the exponent of infinity for a number.
	Largest bool
}

// Tolerance returns the tolerance of an opcode's results (pica200.md 7.8). A mathematical library
// is within one unit in the last place. Correct rounding to float32 is compared in this way, too,
// because interpreters that call a library are meant by it (7.4). Estimates are within relative
// 2^-11 for RCP and RSQ, and 2^-9 for EX2 and LG2, or absolute 6e-5 for LG2.
func (k *Knobs) Tolerance(op Opcode) Tolerance {
	switch Opcodes[op].Precision {
	case PrecisionReciprocal:
		if k.Reciprocal == ReciprocalEstimate || k.Reciprocal == ReciprocalShort {
			return Tolerance{Steps: relative(11)}
		}
	case PrecisionExponential:
		switch {
		case k.Exponential == ExponentialEstimate && op == LG2:
			return Tolerance{Steps: relative(9), Absolute: 6e-5, Largest: true}
		case k.Exponential == ExponentialEstimate:
			return Tolerance{Steps: relative(9)}
		case k.Exponential == ExponentialLibm || k.Exponential == ExponentialRounded && k.Storage == Float32:
			return Tolerance{Steps: k.unit()}
		}
	}
	return Tolerance{}
}

// relative returns the steps of float32 that a relative error of 2^-n may be.
func relative(n int) int64 { return 1 << (23 - n + 1) }

// unit returns a unit in the last place in steps of float32: one of float24 has 2^7 of them.
func (k *Knobs) unit() int64 {
	if k.Storage == Float24 || k.Round == RoundCut {
		return unitOfFloat24
	}
	return 1
}

const unitOfFloat24 = 1 << 7

// OneUnit reports whether the tolerance is one unit in the last place.
func (t Tolerance) OneUnit() bool {
	return t == Tolerance{Steps: 1} || t == Tolerance{Steps: unitOfFloat24}
}

// Allows reports whether a float32 pattern is within the tolerance of the wanted one.
func (t Tolerance) Allows(want, got uint32) bool {
	switch w, g := float64(math.Float32frombits(want)), float64(math.Float32frombits(got)); {
	case want == got:
		return true
	case math.Abs(w-g) < t.Absolute, t.Largest && math.IsInf(w, 1) && g == 128:
		return true
	}
	class, steps := Float32.Class(want), Float32.Ordinal(want)-Float32.Ordinal(got)
	return class == Float32.Class(got) && class != ClassNaN && -t.Steps <= steps && steps <= t.Steps
}
