package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Citra's interpreter, some shared with related emulators. Its control flow is
// in unified.go.

// hiddenOnes: a raw24 subnormal has a hidden bit too (Citra, Panda3DS, Borked3DS).
func hiddenOnes(r *oracle.Rules, _ *pica.Profile) {
	unpack24(r, func(e int, m uint32) bool { return e == 0 && m != 0 }, hidden)
}

// unpack24 unpacks with replacement those raw24 patterns whose exponent and mantissa
// match.
func unpack24(r *oracle.Rules, match func(e int, m uint32) bool, replacement func(x uint32) oracle.Number) {
	before := r.Unit.Ops.Unpack24
	r.Unit.Ops.Unpack24 = func(x uint32) oracle.Number {
		if match(oracle.Float24.Exponent(x), x&0xFFFF) {
			return replacement(x)
		}
		return before(x)
	}
}

// hidden unpacks a pattern as (1 + m/65536) * 2^(e-63), whatever e is.
func hidden(x uint32) oracle.Number {
	e, m := oracle.Float24.Exponent(x), uint64(x&0xFFFF)
	return oracle.Number{Class: oracle.Finite, Neg: x&oracle.Float24.Sign != 0, Sig: m | 1<<16, Exp: e - 63 - 16}
}

// plusZero unpacks any pattern as +0.
func plusZero(uint32) oracle.Number { return oracle.Number{Class: oracle.Zero} }

// flat: an address register displaces every wide source, and v, r and c are one array.
// An index outside reads other memory (Citra, Mikage).
func flat(r *oracle.Rules, _ *pica.Profile) { flatWith(r, oracle.Nothing) }

// flatWith makes addressing flat; an index outside reads the source number outside.
func flatWith(r *oracle.Rules, outside int) {
	r.Operands.Relative = 0
	r.Operands.Displace = func(n int, offset int32) int {
		if n += int(offset); n >= 0 && n < pica.SourceUniform+pica.NumFloats {
			return n
		}
		return outside
	}
}

// resetsCC: every run starts with cc.x and cc.y false.
func resetsCC(r *oracle.Rules, _ *pica.Profile) {
	reset(r, func(regs *oracle.Registers) { regs.CC = [2]bool{} })
}

// reset clears registers before every vertex, even if registers are kept.
func reset(r *oracle.Rules, clear func(regs *oracle.Registers)) {
	begin := r.Carry.Begin
	r.Carry.Begin = func(regs *oracle.Registers, initial *pica.State, vertex int, keep bool) {
		begin(regs, initial, vertex, keep)
		clear(regs)
	}
}

// abortsAt4096 (Citra), abortsAt4095 (Panda3DS) and abortsAt1024 (Mikage): program
// memory has this many words. A longer program is refused, on Mikage without a
// predictable ending. A run beyond the last word is not predictable.
func abortsAt4096(r *oracle.Rules, p *pica.Profile) { abortsAt(r, 4096, p.Refusal) }
func abortsAt4095(r *oracle.Rules, p *pica.Profile) { abortsAt(r, 4095, p.Refusal) }
func abortsAt1024(r *oracle.Rules, _ *pica.Profile) { abortsAt(r, 1024, pica.RefusalUnknown) }

// abortsAt limits program memory to size words; how is the ending for a longer program.
func abortsAt(r *oracle.Rules, size int, how pica.Refusal) {
	load, fetch := r.Flow.Load, r.Flow.Fetch
	r.Flow.Load = func(c *oracle.Control) {
		if load != nil {
			load(c)
		}
		if len(c.Job.Code) > size {
			c.Doom(how)
		}
	}
	r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
		if c.PC >= size {
			c.Refuse(pica.RefusalUnknown)
			return 0
		}
		return fetch(c, memory)
	}
}

// oneBank: EMIT does not toggle the outputs (Citra, Borked3DS).
func oneBank(r *oracle.Rules, _ *pica.Profile) {
	r.Emission.Toggle = func(_, _ *[pica.NumOutputs]pica.Vec4) {}
}
