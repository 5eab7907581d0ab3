package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Borked3DS's truncating interpreter.

// cutResults: every rounded result is cut.
func cutResults(r *oracle.Rules, _ *pica.Profile) {
	round := r.Unit.Ops.Round
	r.Unit.Ops.Round = func(f *oracle.NumberFormat, n oracle.Number, direction oracle.Direction, flush bool) uint32 {
		return cut(round(f, n, direction, flush))
	}
}

// cutUploads: every uploaded float32 is cut.
func cutUploads(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.FromFloat32 = func(_ *oracle.Unit, x uint32) uint32 { return cut(x) }
}

// cut truncates a float32 to 16 mantissa bits: below 2^-62 it becomes zero, above 2^64
// infinity. It keeps the sign, but makes every NaN the quiet one (guess).
func cut(x uint32) uint32 {
	const smallest, largest = 0x20800000, 0x5F800000 // 2^-62, 2^64
	f := &oracle.Binary32
	sign, magnitude := x&f.Sign, x&^f.Sign&^0x7F
	switch {
	case f.IsNaN(x):
		return f.Quiet
	case magnitude < smallest:
		return sign
	case magnitude > largest:
		return sign | f.Infinity
	}
	return sign | magnitude
}
