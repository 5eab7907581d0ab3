package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Mikage: of its interpreter, whose control flow is in unified.go, then of its
// micro-op engine.

// subnormalsAreZero: raw24 subnormals are +0.
func subnormalsAreZero(r *oracle.Rules, _ *pica.Profile) {
	fromRaw24(r, func(e int, m uint32) bool { return e == 0 && m != 0 }, plusZero)
}

// allFinite: raw24 -0 is +0, and exponent 127 is a normal exponent.
func allFinite(r *oracle.Rules, _ *pica.Profile) {
	fromRaw24(r, func(e int, m uint32) bool { return e == 0 && m == 0 }, plusZero)
	fromRaw24(r, func(e int, _ uint32) bool { return e == 127 }, hidden)
}

// positiveZeros: every product with a zero is +0.
func positiveZeros(r *oracle.Rules, _ *pica.Profile) {
	mul := r.Unit.Ops.Mul
	r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
		x := mul(u, a, b)
		if u.IsZero(x) && (u.Operand(a).Class == oracle.Zero || u.Operand(b).Class == oracle.Zero) {
			return 0
		}
		return x
	}
}

// multipliedSigns: the negate bit multiplies by -1.
func multipliedSigns(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.Negate = func(u *oracle.Unit, a uint32) uint32 { return u.Ops.Mul(u, a, u.Signed(u.One, true)) }
}

// resetsIndex: every run starts with cc.x and cc.y false, a0 and aL zero.
func resetsIndex(r *oracle.Rules, _ *pica.Profile) {
	reset(r, func(regs *oracle.RegisterFile) { regs.CC, regs.Address, regs.AL = [2]bool{}, [2]int32{}, 0 })
}

// zeroTemporaries: every run starts with r0 to r15 zero (the micro-op engine).
func zeroTemporaries(r *oracle.Rules, _ *pica.Profile) {
	reset(r, func(regs *oracle.RegisterFile) { clear(regs.R[:]) })
}
