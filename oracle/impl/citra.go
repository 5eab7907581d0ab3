package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Citra's interpreter, some shared with related emulators. Its control flow is
// in unified.go.

// hiddenOnes: a raw24 subnormal has a hidden bit too (Citra, Panda3DS, Borked3DS).
func hiddenOnes(r *oracle.Rules, _ *pica.Profile) {
	fromRaw24(r, func(e int, m uint32) bool { return e == 0 && m != 0 }, hidden)
}

// fromRaw24 makes replacement convert a raw24 to a binary32 register if match holds for its
// exponent and mantissa.
func fromRaw24(r *oracle.Rules, match func(e int, m uint32) bool, replacement func(x uint32) uint32) {
	before := r.Unit.Ops.FromRaw24
	r.Unit.Ops.FromRaw24 = func(u *oracle.Unit, x uint32) uint32 {
		if u.NumberFormat == oracle.Binary32 && match(oracle.Float24.Exponent(x), x&0xFFFF) {
			return replacement(x)
		}
		return before(u, x)
	}
}

// hidden converts a raw24 as (1 + m/65536) * 2^(e-63) for every e.
func hidden(x uint32) uint32 {
	e, m := oracle.Float24.Exponent(x), uint64(x&0xFFFF)
	n := oracle.Number{Class: oracle.Finite, Neg: x&oracle.Float24.Sign != 0, Sig: m | 1<<16, Exp: e - 63 - 16}
	return oracle.Binary32.Round(n, oracle.Nearest, false) // exact
}

// plusZero converts any pattern to +0.
func plusZero(uint32) uint32 { return 0 }

// flat: an address register displaces every wide source, and v, r and c are one array.
// An index outside reads other memory, which nobody can predict (Citra, Mikage).
func flat(r *oracle.Rules, _ *pica.Profile) {
	flatWith(r, func(c *oracle.Control) int {
		c.Refuse(pica.RefusalUnknown)
		return oracle.Zeros
	})
}

// flatWith makes addressing flat; outside returns the source number of an index outside.
func flatWith(r *oracle.Rules, outside func(c *oracle.Control) int) {
	r.Operands.Displace = func(c *oracle.Control, n, index int) int {
		if n += int(c.Offset(index)); n >= 0 && n < pica.SourceUniform+pica.NumFloats {
			return n
		}
		return outside(c)
	}
}

// fourthReturns: all CALLs that one instruction ends return (Citra, Mikage, the compilers).
func fourthReturns(r *oracle.Rules, _ *pica.Profile) { r.Flow.MaxReturned = r.Flow.MaxClosed }

// resetsCC: every run starts with cc.x and cc.y false.
func resetsCC(r *oracle.Rules, _ *pica.Profile) {
	reset(r, func(regs *oracle.RegisterFile) { regs.CC = [2]bool{} })
}

// reset calls clear for the registers before every vertex, even if the job keeps registers.
func reset(r *oracle.Rules, clear func(regs *oracle.RegisterFile)) {
	begin := r.Carry.Begin
	r.Carry.Begin = func(regs *oracle.RegisterFile, initial *pica.State, vertex int, keep bool) {
		begin(regs, initial, vertex, keep)
		clear(regs)
	}
}

// oneBank: EMIT does not toggle the outputs (Citra, Borked3DS).
func oneBank(r *oracle.Rules, _ *pica.Profile) {
	r.Emission.Toggle = func(_, _ *[pica.NumOutputs]pica.Vec4) {}
}
