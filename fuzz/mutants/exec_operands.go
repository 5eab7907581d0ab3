package mutants

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// operandFaults break how sources are read and results written.
var operandFaults = []fault[oracle.Rules]{
	{"swizzle-is-reversed", "the x slot has the high bits of a selector byte (1.4)",
		swizzled(func(s int) int { return s>>6&3 | s>>2&12 | s<<2&48 | s<<6&192 })},
	{"swizzle-is-ignored", "selectors choose components (1.4)",
		swizzled(func(int) int { return pica.IdentitySwizzle })},
	{"swizzle-repeats-the-first", "each slot has a selector (1.4)",
		swizzled(func(s int) int { return s >> 6 * 0x55 })},
	{"selector-w-is-z", "selector 3 is w (1.4)", swizzled(func(s int) int { return s &^ (s >> 1 & 0x55) })},
	{"selector-y-is-x", "selector 1 is y (1.4)", swizzled(func(s int) int { return s & (s>>1&0x55 | 0xAA) })},
	{"z-slot-is-never-swizzled", "each slot has a selector (1.4)", swizzled(func(s int) int { return s&^12 | 2<<2 })},

	{"mask-is-reversed", "bit 3 of a mask is x (1.4)",
		masked(func(_ pica.Opcode, m uint8) uint8 { return m>>3 | m>>1&2 | m<<1&4 | m<<3&8 })},
	{"mask-is-ignored", "only components in the mask are written (1.4)",
		masked(func(pica.Opcode, uint8) uint8 { return 15 })},
	{"mask-0-writes-all", "a mask of 0 makes an instruction do nothing (1.4)",
		masked(func(_ pica.Opcode, m uint8) uint8 {
			if m == 0 {
				return 15
			}
			return m
		})},
	{"x-is-always-written", "bit 3 of a mask is x (1.4)", always(8)},
	{"y-is-always-written", "bit 2 of a mask is y (1.4)", always(4)},
	{"z-is-always-written", "bit 1 of a mask is z (1.4)", always(2)},
	{"w-is-always-written", "bit 0 of a mask is w (1.4)", always(1)},
	{"x-is-never-written", "bit 3 of a mask is x (1.4)", never(8)},
	{"y-is-never-written", "bit 2 of a mask is y (1.4)", never(4)},
	{"z-is-never-written", "bit 1 of a mask is z (1.4)", never(2)},
	{"w-is-never-written", "bit 0 of a mask is w (1.4)", never(1)},
	{"dp3-leaves-w", "DP3 writes every component of the mask (1.1)", masked(func(op pica.Opcode, m uint8) uint8 {
		if op == pica.DP3 {
			return m &^ 1
		}
		return m
	})},
	{"components-not-in-the-mask-are-cleared", "components outside the mask are kept (1.4)", func(r *oracle.Rules) {
		write := r.Operands.Write
		r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) {
			*to = pica.Vec4{}
			write(op, to, v, mask)
		}
	}},

	{"output-numbers-of-3-bits", "o0-o15 are destinations 0 to 15 (1.5)", destined(func(n int) int {
		if n < pica.DestTemporary {
			return n & 7
		}
		return n
	})},
	{"temporary-numbers-of-3-bits", "r0-r15 are destinations 16 to 31 (1.5)", destined(func(n int) int {
		if n >= pica.DestTemporary {
			return n &^ 8
		}
		return n
	})},
	{"outputs-and-temporaries-exchanged", "outputs come before temporaries (1.5)",
		destined(func(n int) int { return n ^ pica.DestTemporary })},

	{"scalar-reads-w", "RCP, RSQ, EX2 and LG2 read x (3.1 A16)", func(r *oracle.Rules) {
		scalar := r.Unit.Ops.Scalar
		r.Unit.Ops.Scalar = func(c *oracle.Control, f func(*oracle.Unit, uint32) uint32, a *pica.Vec4) pica.Vec4 {
			return scalar(c, f, &pica.Vec4{a[3]})
		}
	}},
	{"scalar-goes-lane-by-lane", "RCP, RSQ, EX2 and LG2 broadcast (3.1 A16)", func(r *oracle.Rules) {
		r.Unit.Ops.Scalar = func(c *oracle.Control, f func(*oracle.Unit, uint32) uint32, a *pica.Vec4) (v pica.Vec4) {
			for i := range v {
				v[i] = f(&c.Rules.Unit, a[i])
			}
			return v
		}
	}},
	{"scalar-sets-the-others-to-one", "RCP, RSQ, EX2 and LG2 broadcast (3.1 A16)", func(r *oracle.Rules) {
		r.Unit.Ops.Scalar = func(c *oracle.Control, f func(*oracle.Unit, uint32) uint32, a *pica.Vec4) pica.Vec4 {
			u := &c.Rules.Unit
			return pica.Vec4{f(u, a[0]), u.One, u.One, u.One}
		}
	}},
	{"dph-reads-w", "DPH takes w of source 1 for 1 (3.1 A17)", func(r *oracle.Rules) {
		r.Unit.Ops.DPH = func(u *oracle.Unit, a, b pica.Vec4) uint32 { return u.Ops.Dot(u, a, b, 4) }
	}},
	{"dph-sets-w-of-src2", "DPH takes w of source 1 for 1 (3.1 A17)", func(r *oracle.Rules) {
		dph := r.Unit.Ops.DPH
		r.Unit.Ops.DPH = func(u *oracle.Unit, a, b pica.Vec4) uint32 { return dph(u, b, a) }
	}},
	{"dph-forgets-w", "DPH adds w of source 2 (3.2)", func(r *oracle.Rules) {
		r.Unit.Ops.DPH = func(u *oracle.Unit, a, b pica.Vec4) uint32 { return u.Ops.Dot(u, a, b, 3) }
	}},

	{"compare-y-uses-x", "cc.y compares the y components (3.2)", func(r *oracle.Rules) { r.Operands.Compared[1] = 0 }},
	{"compare-x-uses-y", "cc.x compares the x components (3.2)", func(r *oracle.Rules) { r.Operands.Compared[0] = 1 }},
	{"compare-exchanges-lanes", "cc.x compares the x components (3.2)",
		func(r *oracle.Rules) { r.Operands.Compared = [2]int{1, 0} }},
	{"compare-uses-z-and-w", "CMP compares x and y (3.2)",
		func(r *oracle.Rules) { r.Operands.Compared = [2]int{2, 3} }},
	{"cmp-honours-the-mask", "CMP ignores the mask (1.4)", func(r *oracle.Rules) {
		r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
			for i := range cc {
				if op != pica.CMP || mask&(8>>i) != 0 {
					cc[i] = v[i]
				}
			}
		}
	}},
	{"litp-honours-the-mask-in-its-flags", "LITP sets both flags, whatever the mask (3.10)", func(r *oracle.Rules) {
		r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
			for i := range cc {
				if op != pica.LITP || mask&(8>>i) != 0 {
					cc[i] = v[i]
				}
			}
		}
	}},
	{"litp-leaves-the-flags", "LITP sets the flags (3.10)", func(r *oracle.Rules) {
		flags := r.Operands.Flags
		r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
			if op != pica.LITP {
				flags(op, cc, v, mask)
			}
		}
	}},
	{"cmp-leaves-cc.y", "CMP sets both flags (3.2)", func(r *oracle.Rules) {
		r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, _ uint8) {
			cc[0] = v[0]
			if op != pica.CMP {
				cc[1] = v[1]
			}
		}
	}},

	{"mova-ignores-the-mask", "MOVA writes what the mask names (1.4)", func(r *oracle.Rules) {
		r.Operands.MOVA = func(address *[2]int32, v [2]int32, _ uint8) { *address = v }
	}},
	{"mova-writes-a0.x-only", "MOVA writes a0.x and a0.y (1.1)", func(r *oracle.Rules) {
		mova := r.Operands.MOVA
		r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) { mova(address, v, mask&^4) }
	}},
	{"mova-broadcasts", "a0.y is made from the y component (3.2)", func(r *oracle.Rules) {
		mova := r.Operands.MOVA
		r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) { mova(address, [2]int32{v[0], v[0]}, mask) }
	}},
	{"mova-has-8-bits", "an address register has 32 bits (1.5)", func(r *oracle.Rules) {
		mova := r.Operands.MOVA
		r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
			mova(address, [2]int32{int32(int8(v[0])), int32(int8(v[1]))}, mask)
		}
	}},
}

// swizzled misreads selector bytes.
func swizzled(misread func(selectors int) int) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		swizzle := r.Operands.Swizzle
		r.Operands.Swizzle = func(c *oracle.Control, k int, v *pica.Vec4, selectors int) pica.Vec4 {
			return swizzle(c, k, v, misread(selectors))
		}
	}
}

// masked misreads masks; the four bits of a mask are 8, 4, 2, 1 for x, y, z, w.
func masked(misread func(op pica.Opcode, mask uint8) uint8) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		write := r.Operands.Write
		r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) { write(op, to, v, misread(op, mask)) }
	}
}

func always(lane uint8) func(*oracle.Rules) {
	return masked(func(_ pica.Opcode, m uint8) uint8 { return m | lane })
}

func never(lane uint8) func(*oracle.Rules) {
	return masked(func(_ pica.Opcode, m uint8) uint8 { return m &^ lane })
}

// destined misreads destination numbers.
func destined(misread func(n int) int) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		dest := r.Operands.Dest
		r.Operands.Dest = func(s *pica.State, n int) *pica.Vec4 { return dest(s, misread(n)) }
	}
}
