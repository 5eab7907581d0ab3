package wire

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Constraint is a set of allowed values: the values whose bits of a mask, as a number, are in a range, and further
// ones. Nearly every value is compared with the range only.
type Constraint struct {
	Expected diag.Value            // the set, as a finding prints it
	Nth      func(n uint64) uint64 // returns an allowed value for any n, for generators; nil: none is known

	mask, first, span uint64              // the range is from first to first+span
	further           func(n uint64) bool // nil: no further values

	Other string // field with which the value is compared: see EqualTo and Inside
	Entry uint64 // of Inside: bytes of an entry
}

// Allows reports whether the constraint allows a value.
func (c *Constraint) Allows(n uint64) bool {
	return n&c.mask-c.first <= c.span || c.further != nil && c.further(n)
}

// Edges returns the values beside the range.
func (c *Constraint) Edges() [2]uint64 { return [...]uint64{c.first - 1, c.first + c.span + 1} }

// between allows the values of a range.
func between(expected diag.Value, first, last uint64) Constraint {
	c := Constraint{Expected: expected, mask: math.MaxUint64, first: first, span: last - first}
	c.Nth = func(n uint64) uint64 {
		if n-first > c.span {
			n = first + n%(c.span+1) // cannot wrap, because a value is not allowed
		}
		return n
	}
	return c
}

// AtMost allows values up to limit.
func AtMost(limit uint64) Constraint { return between(diag.AtMost(limit), 0, limit) }

// Below allows values below limit, which is not 0.
func Below(limit uint64) Constraint { return between(diag.Below(limit), 0, limit-1) }

// From allows offsets from one on.
func From(offset uint64) Constraint {
	return between(diag.Value{Format: ">= 0x%x", N: offset}, offset, math.MaxUint64)
}

// NotZero allows all values but 0.
func NotZero() Constraint { return between(diag.AtLeast(1), 1, math.MaxUint64) }

// Not allows all values but one.
func Not(value uint64) Constraint { return between(diag.Text("another value"), value+1, value-1) }

// Is allows value only.
func Is(value uint64) Constraint { return between(diag.Dec(value), value, value) }

// IsHex is Is, and prints the value in hexadecimal.
func IsHex(value uint64) Constraint { return between(diag.Hex(value), value, value) }

// MultipleOf allows the multiples of a power of two.
func MultipleOf(n uint64) Constraint {
	return Constraint{
		Expected: diag.Value{Format: "multiple of %d", N: n}, mask: n - 1,
		Nth: func(k uint64) uint64 { return k &^ (n - 1) },
	}
}

// OneOf allows the given values, of which there are at least two. show prints one of them in findings.
func OneOf(show func(uint64) diag.Value, values ...uint64) Constraint {
	last := len(values) - 1
	list := show(values[0]).String()
	for _, v := range values[1:last] {
		list += ", " + show(v).String()
	}
	c := Where(list+" or "+show(values[last]).String(), func(n uint64) bool { return slices.Contains(values, n) })
	c.mask, c.first = math.MaxUint64, values[0]
	c.Nth = func(n uint64) uint64 { return values[n%uint64(len(values))] }
	return c
}

// Where allows the values for which a function returns true; expected says which ones in findings.
func Where(expected string, allows func(n uint64) bool) Constraint {
	return Constraint{Expected: diag.Text(expected), first: 1, further: allows} // no value is in the range
}

// EqualTo allows the value of another field of the record.
func EqualTo(field string) Constraint { return Constraint{Other: field, first: 1} }

// Inside allows the offset of a table, counted from the record, that ends inside the file. count is the field with the
// number of its entries, which has four bytes, and size the bytes of an entry.
func Inside(count string, size uint64) Constraint {
	return Constraint{Other: count, first: 1, Entry: size}
}

// Condition is a constraint of another field of a record. It decides whether a rule looks at the record.
type Condition struct {
	Field string
	Constraint
}

// If is the condition that a constraint allows the value of a field.
func If(field string, c Constraint) Condition { return Condition{field, c} }
