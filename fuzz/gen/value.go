package gen

import "slices"

// Value draws a number for a field of a draft: a wrong one, or the right one of a near miss. It may read other fields of
// the draft.
type Value func(c *Choices, d *Draft, r Place) uint64

// Break gives a field a wrong number and returns its place. In a near miss it gives the field the right number, or, if
// right is nil, leaves the field as it is.
func (d *Draft) Break(c *Choices, r Place, wrong, right Value) Place {
	old, v := d.Number(r), wrong(c, d, r)
	if right == nil {
		v = Only(c, v, old)
	} else {
		v = Breach(c, v, right(c, d, r))
	}
	d.Store(r, v)
	return r
}

// OneOf draws one of some numbers.
func OneOf(numbers ...uint64) Value {
	return func(c *Choices, _ *Draft, _ Place) uint64 { return Pick(c, numbers) }
}

// Either draws from one of some values.
func Either(values ...Value) Value {
	return func(c *Choices, d *Draft, r Place) uint64 { return Pick(c, values)(c, d, r) }
}

// Between draws a number from low to high other than the number in the field.
func Between(low, high uint64) Value {
	return func(c *Choices, d *Draft, r Place) uint64 {
		v := c.Within(low, high)
		if v == d.Number(r) {
			v = low + (v-low+1)%(high-low+1)
		}
		return v
	}
}

// Above draws a number above a limit: the next one, a near one, any, the highest, or one with all lower bits set.
func Above(limit uint64) Value {
	return func(c *Choices, _ *Draft, r Place) uint64 {
		next, high := limit+1, Largest(r.Len)
		return Pick(c, []uint64{next, min(next+c.Bits(8), high), next + c.Bits(63)%(high-limit), high, high>>1 | next})
	}
}

// Beyond draws a number above another value.
func Beyond(limit Value) Value {
	return func(c *Choices, d *Draft, r Place) uint64 { return Above(limit(c, d, r))(c, d, r) }
}

// Below draws a number below another value, which is not 0.
func Below(limit Value) Value {
	return func(c *Choices, d *Draft, r Place) uint64 { return Between(0, limit(c, d, r)-1)(c, d, r) }
}

// Same returns the number in the field.
func Same(_ *Choices, d *Draft, r Place) uint64 { return d.Number(r) }

// Other draws a number other than the number in the field.
func Other(c *Choices, d *Draft, r Place) uint64 { return OtherThan()(c, d, r) }

// OtherThan draws a number other than some numbers and the number in the field: a neighbour of one of them, one of them
// with one changed bit, or any.
func OtherThan(right ...uint64) Value {
	return func(c *Choices, d *Draft, r Place) uint64 {
		right, most := append(slices.Clip(right), d.Number(r)), Largest(r.Len)
		v, bit := Pick(c, right), uint64(1)<<c.Below(8*r.Len)
		v = Pick(c, []uint64{v + 1, v - 1, v ^ bit, v ^ (c.Bits(63)&(most>>1) | bit)}) & most
		for slices.Contains(right, v) {
			v = (v + 1) & most
		}
		return v
	}
}

// Flags draws the number in the field with some more bits of a mask.
func Flags(mask uint64) Value {
	return func(c *Choices, d *Draft, r Place) uint64 { return d.Number(r) | c.Some(mask) }
}

// Added draws the number in the field plus a number that v draws.
func (v Value) Added(c *Choices, d *Draft, r Place) uint64 { return d.Number(r) + v(c, d, r) }

// Times draws a multiple of n.
func (v Value) Times(n uint64) Value {
	return func(c *Choices, d *Draft, r Place) uint64 { return n * v(c, d, r) }
}
