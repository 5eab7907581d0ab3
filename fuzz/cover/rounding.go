package cover

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// A direction says how a finite, nonzero result differs from the exact result.
type direction uint8

const (
	exact     direction = iota
	down                // toward zero
	up                  // away from zero
	tieDown             // toward zero, from the middle of two neighbours
	tieUp               //
	overflow            // to infinity
	underflow           // inexact below the normal range
)

var directionNames = []string{"exact", "down", "up", "tie down", "tie up", "overflow", "underflow"}

// An integer is a number of float24: (-1)^neg * sig * 2^(pos-78).
type integer struct {
	neg bool
	sig uint64
	pos int
}

// Positions and sizes of float24.
const (
	hidden  = 1 << 16
	highest = 126 - 1 + 16 // position of the leading bit of the largest finite number
)

// infinite reports whether x is an infinity or a NaN.
func infinite(x uint32) bool { return pica.Float24.Exponent(x) == 127 }

// finite returns a finite pattern as an integer; ok is false for zeros, infinities, NaN.
func finite(x uint32) (n integer, ok bool) {
	n = integer{neg: x&pica.Float24.Sign() != 0, sig: uint64(pica.Float24.Significand(x))}
	if e := pica.Float24.Exponent(x); e != 0 {
		n.sig, n.pos = n.sig|hidden, e-1
	}
	return n, n.sig != 0 && !infinite(x)
}

// justified returns the same number with the leading bit of sig at the position of the
// hidden bit; sig must not have more bits.
func (n integer) justified() integer {
	s := 17 - bits.Len64(n.sig)
	n.sig, n.pos = n.sig<<s, n.pos-s
	return n
}

// guard is the number of bits below the last bit of the larger operand that a sum keeps
// exactly; lower bits become the sticky bit.
const guard = 40

// sumDirection compares a+b with the result.
func sumDirection(a, b integer, result uint32) direction {
	if infinite(result) {
		return overflow
	}
	a, b = a.justified(), b.justified()
	if a.pos < b.pos {
		a, b = b, a
	}
	shift := min(a.pos-b.pos, 63)
	whole := b.sig << guard
	sum, low := a.sig<<guard, whole>>shift
	if low<<shift != whole {
		low |= 1 // cut off, but neither zero nor a tie
	}
	if a.neg == b.neg {
		sum += low
	} else {
		sum = max(sum, low) - min(sum, low)
	}
	if sum == 0 {
		return exact
	}
	r, _ := finite(result)
	r = r.justified()
	return compared(sum, r.sig, guard+r.pos-a.pos)
}

// productDirection compares a*b with the result.
func productDirection(a, b integer, result uint32) direction {
	if infinite(result) {
		return overflow
	}
	product := a.sig * b.sig
	r, _ := finite(result)
	// Beyond 40 places any result but zero exceeds the product's 34 bits.
	d := compared(product, r.sig, min(r.pos-(a.pos+b.pos-78), guard))
	if r.sig < hidden && d != exact {
		return underflow
	}
	return d
}

// compared compares a magnitude with its rounded value sig * 2^shift.
func compared(magnitude, sig uint64, shift int) direction {
	r, half := sig<<max(shift, 0), uint64(1)<<max(shift, 0)>>1
	switch {
	case shift < 0:
		return down // no engine that rounds gets here
	case magnitude == r:
		return exact
	case magnitude-r == half:
		return tieDown
	case magnitude > r:
		return down
	// Below a power of two the distance of neighbours is half as large.
	case r-magnitude == half, sig == hidden && r-magnitude == half>>1:
		return tieUp
	}
	return up
}

// Results of the product of a MAD before the sum: the columns of productPoints.
const (
	productExact = iota
	productRounded
	productOverflow
	productUnderflow
)

// product multiplies; p is valid only if the product is exact.
func product(a, b integer) (p integer, kind int) {
	p = integer{neg: a.neg != b.neg, sig: a.sig * b.sig, pos: a.pos + b.pos - 78}
	zeros := bits.TrailingZeros64(p.sig)
	p.sig, p.pos = p.sig>>zeros, p.pos+zeros
	leading := p.pos + bits.Len64(p.sig) - 1
	switch {
	case leading > highest:
		return p, productOverflow
	case p.pos >= 0 && p.sig < 2*hidden:
		return p, productExact
	case leading < 16:
		return p, productUnderflow
	}
	return p, productRounded
}

// rounding records the direction of rounding of one component of a sum or product.
func (r *Recorder) rounding(op pica.Opcode, s *pica.Step, lane int) {
	a, okA := finite(s.Sources[0][lane])
	b, okB := finite(s.Sources[1][lane])
	if !okA || !okB {
		return
	}
	result := s.Result[lane]
	switch pica.Opcodes[op].Rounds {
	case pica.RoundsSum:
		r.hit(roundingPoints.at(int(op), int(sumDirection(a, b, result)), 0))
	case pica.RoundsProduct:
		r.hit(roundingPoints.at(int(op), int(productDirection(a, b, result)), 0))
	case pica.RoundsProductSum:
		p, kind := product(a, b)
		r.hit(productPoints.at(int(op), kind, 0))
		if c, ok := finite(s.Sources[2][lane]); ok && kind == productExact {
			r.hit(roundingPoints.at(int(op), int(sumDirection(p, c, result)), 0))
		}
	}
}
