package ancestry

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// settled takes from the slots of the sources of an instruction those that cannot change the result while the others
// are as they are: NaN settles sums, products and comparisons, and some results of MAX, MIN and CMP do not depend on
// a source at all.
func settled(u *oracle.Unit, r *record, slots [3]uint8) [3]uint8 {
	op := pica.OpcodeOf(r.Word)
	plain := pica.Opcodes[op].Plain
	if pica.Opcodes[op].Scalar {
		return settledDot(u, r, slots)
	}
	for lane := range 4 {
		bit := uint8(slotX >> lane)
		a, b, c := r.Sources[0][lane], r.Sources[1][lane], r.Sources[2][lane]
		drop := func(sources ...int) {
			for _, k := range sources {
				slots[k] &^= bit
			}
		}
		switch plain {
		case pica.ADD, pica.MUL, pica.SGE, pica.SLT, pica.DST:
			if plain == pica.DST && bit != slotY {
				continue // a copy, or 1
			}
			if u.IsNaN(a) {
				drop(1)
			} else if u.IsNaN(b) {
				drop(0)
			}
		case pica.MAD:
			switch {
			case u.IsNaN(c):
				drop(0, 1)
			case u.IsNaN(a):
				drop(1, 2)
			case u.IsNaN(b):
				drop(0, 2)
			}
		case pica.MAX: // a > b ? a : b
			if u.IsNaN(b) || b == u.Infinity {
				drop(0)
			}
		case pica.MIN:
			if u.IsNaN(b) || b == u.Sign|u.Infinity {
				drop(0)
			}
		case pica.CMP:
			operator := op.Layout().CmpX.Get(r.Word)
			if bit == slotY {
				operator = op.Layout().CmpY.Get(r.Word)
			}
			switch {
			case operator > pica.CmpGE:
				drop(0, 1)
			case u.IsNaN(a):
				drop(1)
			case u.IsNaN(b):
				drop(0)
			}
		}
	}
	return slots
}

// settledDot takes the factors behind a sum that is NaN from the slots of a dot product. It keeps one factor that is
// NaN, if there is one.
func settledDot(u *oracle.Unit, r *record, slots [3]uint8) [3]uint8 {
	sum := uint32(0)
	for lane := range 4 {
		bit := uint8(slotX >> lane)
		var factors [2]uint32
		for k := range factors {
			factors[k] = r.Sources[k][lane]
			if slots[k]&bit == 0 {
				factors[k] = u.One // DPH
			} else if u.IsNaN(factors[k]) {
				slots = [3]uint8{}
				slots[k] = bit
				return slots
			}
		}
		if u.IsNaN(sum) {
			slots[0], slots[1] = slots[0]&^bit, slots[1]&^bit
		}
		sum = u.Ops.Add(u, sum, u.Ops.Mul(u, factors[0], factors[1]))
	}
	return slots
}
