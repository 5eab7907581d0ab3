package oracle

import (
	"math"
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// Compute returns the result of one component of an arithmetic instruction.
func (u *Unit) Compute(op pica.Opcode, a, b, c uint32) uint32 {
	switch op {
	case pica.ADD:
		return u.Ops.Add(u, a, b)
	case pica.MUL:
		return u.Ops.Mul(u, a, b)
	case pica.MAD:
		return u.Ops.MAD(u, a, b, c)
	case pica.RCP:
		return u.Ops.Reciprocal(u, a)
	case pica.RSQ:
		return u.Ops.ReciprocalRoot(u, a)
	case pica.EX2:
		return u.Ops.Exp2(u, a)
	case pica.LG2:
		return u.Ops.Log2(u, a)
	case pica.FLR:
		return u.Ops.Floor(u, a)
	}
	panic("not computed here")
}

// Closest computes op for the float32 operands from first to last and returns
// how close an inexact result comes to a midpoint between two float32, in units
// of 2^-40 of its last place, and the operand that does.
func Closest(op pica.Opcode, first, last uint32) (distance uint64, operand uint32) {
	u := &Console(&pica.Profile{Knobs: pica.Knobs{Storage: pica.Float32}}).Unit
	distance = math.MaxUint64
	now := first
	u.Ops.Round = func(f *NumberFormat, n Number, _ Direction, _ bool) uint32 {
		cut := max(n.Exp+bits.Len64(n.Sig)-1-f.Mantissa, f.minExp) - n.Exp // bits below the last place
		if cut < 1 || cut > 63 || n.Sig&1 == 0 {
			return 0
		}
		half := uint64(1) << (cut - 1)
		d := n.Sig & (2*half - 1)
		if d -= half; int64(d) < 0 {
			d = -d
		}
		if d = shift(d, cut-40) &^ sticky(cut > 40); d < distance {
			distance, operand = d, now
		}
		return 0
	}
	for ; ; now++ {
		u.Compute(op, now, 0, 0)
		if now == last {
			return distance, operand
		}
	}
}

// Times returns the product of two numbers of 128 bits with 127 fraction bits, high
// half first.
func Times(a, b [2]uint64) [2]uint64 {
	c := fixed{a[0], a[1]}.times(fixed{b[0], b[1]})
	return [2]uint64{c.hi, c.lo}
}

// Squared returns the square of such a number, and whether it is halved.
func Squared(a [2]uint64) (square [2]uint64, halved bool) {
	c, halved := fixed{a[0], a[1]}.squared()
	return [2]uint64{c.hi, c.lo}, halved
}

// Powers returns 2^(2^-i) for each i from 1.
func Powers() (list [][2]uint64) {
	for _, p := range powers[1:] {
		list = append(list, [2]uint64{p.hi, p.lo})
	}
	return list
}
