package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Azahar, some shared with the related emulators Citra and Borked3DS.

// exactUploads: an upload keeps every bit of a float32 (every mainstream emulator).
func exactUploads(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.FromFloat32 = func(_ *oracle.Unit, x uint32) uint32 { return x }
}

// seeded: a dot product starts with +0 (interpreters of Azahar, Citra, Mikage).
func seeded(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
		var s uint32
		for i := range terms {
			s = u.Ops.Add(u, s, u.Ops.Mul(u, a[i], b[i]))
		}
		return s
	}
}

// mixed: DP3 adds from the left, DP4 and DPH pairwise (the compiler).
func mixed(r *oracle.Rules, p *pica.Profile) {
	left := r.Unit.Ops.Dot
	pairwise(r, p)
	pairs := r.Unit.Ops.Dot
	r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
		if terms < 4 {
			return left(u, a, b, terms)
		}
		return pairs(u, a, b, terms)
	}
}

// signedInverses: RCP and RSQ of -0 are -inf (all but Panda3DS's interpreter).
func signedInverses(r *oracle.Rules, _ *pica.Profile) {
	ops := &r.Unit.Ops
	for _, inverse := range []*func(u *oracle.Unit, a uint32) uint32{&ops.Reciprocal, &ops.ReciprocalRoot} {
		before := *inverse
		*inverse = func(u *oracle.Unit, a uint32) uint32 {
			if n := u.Operand(a); n.Class == oracle.Zero && n.Neg {
				return u.Signed(u.Infinity, true)
			}
			return before(u, a)
		}
	}
}

// roundedRoots: RSQ rounds the root, then its reciprocal (all interpreters).
func roundedRoots(r *oracle.Rules, _ *pica.Profile) {
	before := r.Unit.Ops.ReciprocalRoot
	r.Unit.Ops.ReciprocalRoot = func(u *oracle.Unit, a uint32) uint32 {
		n := u.Operand(a)
		if n.Class != oracle.Finite || n.Neg {
			return before(u, a)
		}
		root := u.Round(oracle.SquareRoot(n), oracle.Nearest, false)
		return u.Pack(oracle.Inverse(u.Unpack(root)), oracle.Nearest)
	}
}

// firstUndefined is the first of the two operators of CMP without a known meaning.
const firstUndefined = 6

// undefined replaces the operators 6 and 7 of CMP: answer returns the flag cc.x (k = 0)
// or cc.y (k = 1).
func undefined(r *oracle.Rules, answer func(c *oracle.Control, operators [2]uint32, k int, a, b uint32) bool) {
	before := r.Operands.CMP
	r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
		flags := before(c, operators, a, b)
		for k, op := range operators {
			if op >= firstUndefined {
				i := c.Rules.Operands.Compared[k]
				flags[k] = answer(c, operators, k, a[i], b[i])
			}
		}
		return flags
	}
}

// compareKeeps: operators 6 and 7 keep the flag (interpreters of Azahar, Citra, Mikage).
func compareKeeps(r *oracle.Rules, _ *pica.Profile) {
	undefined(r, func(c *oracle.Control, _ [2]uint32, k int, _, _ uint32) bool {
		c.Skip()
		return c.CC[k]
	})
}

// compareAborts: for operators 6 and 7 the compiler reads outside a table.
func compareAborts(r *oracle.Rules, _ *pica.Profile) {
	undefined(r, func(c *oracle.Control, _ [2]uint32, _ int, _, _ uint32) bool {
		c.Refuse(pica.RefusalUnknown)
		return false
	})
}

// innerStart: LOOP sets aL before it saves aL, so that a nested loop restores its own
// first value (the interpreter).
func innerStart(r *oracle.Rules, _ *pica.Profile) {
	r.Flow.SavedAL = func(_ *oracle.Control, p oracle.Passes) int32 { return int32(p.First) }
}

// breakStepsNot: BREAK does not add the step to aL (the compiler).
func breakStepsNot(r *oracle.Rules, _ *pica.Profile) {
	step := r.Flow.StepAL
	r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
		if !c.Break {
			step(c, e)
		}
	}
}

// breakOutsideIgnored: BREAK outside a loop does nothing. Other models of control flow than
// the console's keep their own BREAK.
func breakOutsideIgnored(r *oracle.Rules, p *pica.Profile) {
	if p.Flow != pica.FlowRings {
		return
	}
	leave := r.Flow.BREAK
	r.Flow.BREAK = func(c *oracle.Control) {
		if c.Stacks.LoopDepth > 0 {
			leave(c)
		}
	}
}

// emitAborts: EMIT and SETEMIT in a vertex program are refused (interpreters of
// Azahar and Citra).
func emitAborts(r *oracle.Rules, p *pica.Profile) { emitInVertex(r, refusing(p)) }

// emitSkips: EMIT and SETEMIT in a vertex program are ignored with a message (the
// compilers, Mikage).
func emitSkips(r *oracle.Rules, _ *pica.Profile) { emitInVertex(r, (*oracle.Control).Skip) }

// emitInVertex calls answer for EMIT and SETEMIT in a vertex program and does not execute
// them.
func emitInVertex(r *oracle.Rules, answer func(c *oracle.Control)) {
	for _, op := range []pica.Opcode{pica.EMIT, pica.SETEMIT} {
		r.Admit[op] = func(c *oracle.Control) bool {
			if c.Job.Stage != pica.Vertex {
				return true
			}
			answer(c)
			return false
		}
	}
}

// vertex3Aborts: EMIT with vertex id 3 is refused (Azahar, Citra).
func vertex3Aborts(r *oracle.Rules, p *pica.Profile) { r.Emission.NoSlot = refusing(p) }

// temporariesW1: every run starts with r0 to r15 at (0, 0, 0, 1) (shaders that Azahar generates
// for its host).
func temporariesW1(r *oracle.Rules, _ *pica.Profile) {
	reset(r, func(regs *oracle.RegisterFile) {
		for i := range regs.R {
			regs.R[i] = pica.Vec4{3: r.Unit.One}
		}
	})
}
