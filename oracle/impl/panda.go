package impl

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Rules of Panda3DS: of its interpreter, then of its compiler, whose control flow is in
// structured.go.

// maxInfinite: MAX returns an infinite second operand (the interpreter, after the
// 3dbrew table of 2015).
func maxInfinite(r *oracle.Rules, _ *pica.Profile) {
	before := r.Unit.Ops.Max
	r.Unit.Ops.Max = func(u *oracle.Unit, a, b uint32) uint32 {
		if u.IsInf(b) {
			return b
		}
		return before(u, a, b)
	}
}

// orderedZeros: -0 is below +0 in MAX and MIN (the arm64 compiler).
func orderedZeros(r *oracle.Rules, _ *pica.Profile) {
	ops := &r.Unit.Ops
	largest, smallest := ops.Max, ops.Min
	ops.Max = func(u *oracle.Unit, a, b uint32) uint32 {
		if u.IsZero(a) && u.IsZero(b) {
			return a & b
		}
		return largest(u, a, b)
	}
	ops.Min = func(u *oracle.Unit, a, b uint32) uint32 {
		if u.IsZero(a) && u.IsZero(b) {
			return a | b
		}
		return smallest(u, a, b)
	}
}

// litpPasses: LITP returns NaN and -0 unchanged (the interpreter).
func litpPasses(r *oracle.Rules, _ *pica.Profile) {
	before := r.Unit.Ops.Light
	r.Unit.Ops.Light = func(u *oracle.Unit, a pica.Vec4) (pica.Vec4, [2]bool) {
		_, flags := before(u, a)
		limit := u.LITPLimit()
		if u.NumberFormat == oracle.Binary32 {
			limit++ // the source says 127.9961
		}
		x, y, w := between(u, a[0], 0, u.Infinity), between(u, a[1], u.Sign|limit, limit),
			between(u, a[3], 0, u.Infinity)
		return pica.Vec4{x, y, 0, w}, flags
	}
}

// between clamps x to low and high. NaN stays, and so does -0 at the limit 0.
func between(u *oracle.Unit, x, low, high uint32) uint32 {
	switch {
	case u.Relate(x, low) == oracle.Below:
		return low
	case u.Relate(x, high) == oracle.Above:
		return high
	}
	return x
}

// indexAborts: MAX, MIN, RCP, RSQ and CMP with an address register are refused (the
// interpreter).
func indexAborts(r *oracle.Rules, p *pica.Profile) {
	refused := []pica.Opcode{pica.MAX, pica.MIN, pica.RCP, pica.RSQ, pica.CMP}
	for field := range r.Admit { // CMP owns two values of the opcode field
		if !slices.Contains(refused, r.Encoding.Opcode(uint32(field)<<26)) {
			continue
		}
		r.Admit[field] = func(c *oracle.Control) bool {
			if l := c.Rules.Encoding.Shapes[c.Op].Layout; l != nil && l.Index.Of(c.Word) != pica.IndexNone {
				c.Refuse(p.Refusal)
			}
			return true
		}
	}
}

// pandaFlow is the interpreter's control flow: three stacks, whose scopes end at the
// address of the next instruction: after a jump, at its target. An overflow is refused.
func pandaFlow(r *oracle.Rules, p *pica.Profile) {
	f, refuse := &r.Flow, refusing(p)
	branch, call, loop := f.IF, f.CALL, f.LOOP
	f.IF = func(c *oracle.Control, holds bool, target, num int) {
		if holds && c.Stacks.IfDepth == pica.IfDepth {
			refuse(c)
			return
		}
		branch(c, holds, target, num)
	}
	f.CALL = func(c *oracle.Control, target, num int) {
		if c.Stacks.CallDepth == pica.CallDepth {
			refuse(c)
			return
		}
		call(c, target, num)
	}
	f.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
		if c.Stacks.LoopDepth == pica.LoopDepth {
			refuse(c)
			return
		}
		loop(c, target, p)
	}
	f.BREAK = refuse
	f.Finish = pandaFinish
}

// pandaFinish closes a LOOP, then an IF, then a CALL scope; each may end at the address
// that the step before it set. A loop repeats even when its entry is popped, which makes
// one pass more. After END no scope closes.
func pandaFinish(c *oracle.Control) {
	if c.Ended {
		return
	}
	s, next := &c.Stacks, uint16(c.Next)
	if s.LoopDepth > 0 && s.Loop[s.LoopDepth-1].End == next {
		top := &s.Loop[s.LoopDepth-1]
		c.AL += int32(top.Step)
		next = top.Entry
		if top.Count == 0 {
			oracle.Pop(s.Loop[:], &s.LoopDepth)
		} else {
			top.Count--
		}
	}
	if s.IfDepth > 0 && s.If[s.IfDepth-1].Else == next {
		next = s.If[s.IfDepth-1].End
		oracle.Pop(s.If[:], &s.IfDepth)
	}
	if s.CallDepth > 0 && s.Call[s.CallDepth-1].End == next {
		next = s.Call[s.CallDepth-1].Return
		oracle.Pop(s.Call[:], &s.CallDepth)
	}
	c.Next = int(next)
}

// innerKept: aL keeps its value after a nested loop (Citra, Mikage, Panda3DS).
func innerKept(r *oracle.Rules, _ *pica.Profile) {
	r.Flow.RestoreAL = func(*oracle.Control, *pica.LoopEntry) {}
}

// zeroTimesInfinity: 0 * inf is NaN, as in IEEE 754 (the compiler).
func zeroTimesInfinity(r *oracle.Rules, _ *pica.Profile) {
	mul := r.Unit.Ops.Mul
	r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
		x, y := u.Operand(a).Class, u.Operand(b).Class
		if x == oracle.Zero && y == oracle.Infinite || x == oracle.Infinite && y == oracle.Zero {
			return u.Quiet
		}
		return mul(u, a, b)
	}
}

// pairwise: a dot product is (p0+p1)+(p2+p3), with +0 for p3 in DP3 (the compiler).
func pairwise(r *oracle.Rules, _ *pica.Profile) {
	r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
		var p pica.Vec4
		for i := range terms {
			p[i] = u.Ops.Mul(u, a[i], b[i])
		}
		return u.Ops.Add(u, u.Ops.Add(u, p[0], p[1]), u.Ops.Add(u, p[2], p[3]))
	}
}

// compareOrdered: the operators 6 and 7 are true, but if both operators are equal, the
// flag is false if an operand is NaN (the compiler).
func compareOrdered(r *oracle.Rules, _ *pica.Profile) {
	undefined(r, func(c *oracle.Control, operators [2]uint32, _ int, a, b uint32) bool {
		return operators[0] != operators[1] || c.Rules.Unit.Relate(a, b) != oracle.Unordered
	})
}

// flatZero: addressing is flat, and an index outside reads zeros (the compiler).
func flatZero(r *oracle.Rules, _ *pica.Profile) {
	flatWith(r, func(*oracle.Control) int { return oracle.Zeros })
}
