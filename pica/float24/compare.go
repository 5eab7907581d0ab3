package float24

import (
	"math"

	"github.com/picaproof/picaproof/pica"
)

// The operations below are the same in both models: they compare values, so
// that -0 equals +0 and every comparison with a NaN but "not equal" is false,
// and they do not flush subnormals.

// Less reports whether a < b.
func Less(a, b Bits) bool { return a.Float64() < b.Float64() }

// Max returns the pattern of a if a > b, else that of b.
func Max(a, b Bits) Bits {
	if Less(b, a) {
		return a
	}
	return b
}

// Min returns the pattern of a if a < b, else that of b.
func Min(a, b Bits) Bits {
	if Less(a, b) {
		return a
	}
	return b
}

func flag(b bool) Bits {
	if b {
		return One
	}
	return Zero
}

// Sge returns One if a >= b, else Zero.
func Sge(a, b Bits) Bits { return flag(a.Float64() >= b.Float64()) }

// Slt returns One if a < b, else Zero.
func Slt(a, b Bits) Bits { return flag(Less(a, b)) }

// Cmp applies an operator of CMP; those without a meaning hold.
func Cmp(op uint8, a, b Bits) bool {
	x, y := a.Float64(), b.Float64()
	switch op {
	case pica.CmpEQ:
		return x == y
	case pica.CmpNE:
		return x != y
	case pica.CmpLT:
		return x < y
	case pica.CmpLE:
		return x <= y
	case pica.CmpGT:
		return x > y
	case pica.CmpGE:
		return x >= y
	}
	return true
}

// Mova returns the integer part of x, and the lowest integer for a NaN and for
// everything out of range, as x86 hosts do.
func Mova(x Bits) int32 {
	if v := math.Trunc(x.Float64()); math.Abs(v) < 1<<31 {
		return int32(v)
	}
	return math.MinInt32
}

// Litp returns the lighting vector (max(x,0), y clamped, 0, max(w,0)) and the
// flags x >= 0 and w >= 0.
func Litp(v Vec) (r Vec, cc [2]bool) {
	r = Vec{Max(v[0], Zero), Min(Max(v[1], LitpMin), LitpMax), Zero, Max(v[3], Zero)}
	return r, [2]bool{v[0].Float64() >= 0, v[3].Float64() >= 0}
}
