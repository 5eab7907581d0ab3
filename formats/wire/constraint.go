package wire

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Constraint is a set of allowed values of an integer field. It compares the value, or a sum with the value, with a
// bound: a constant, another field of the record, or a number from elsewhere in the file.
type Constraint struct {
	Relation
	Limit  Value    // the bound
	Plus   []Value  // added to the value before it is compared
	Ranges []uint64 // of InRanges: first and last of each range
	Guards []Guard  // without all of them the constraint allows every value
	// Layout says that the layout of the file gives the field its value, so that no other allowed value is right.
	Layout bool

	text string // the expected value in findings, with a verb for the bound or without; "": the usual text
}

// Relation is the comparison of a value with a bound.
type Relation uint8

// The relations.
const (
	NotAbove   Relation = iota // at most the bound
	NotBelow                   // at least the bound
	Less                       // below the bound
	Greater                    // above the bound
	Equal                      // the bound
	EqualOrNil                 // the bound or 0
	Multiple                   // a multiple of the bound
	NoBit                      // no bit of the bound
	SomeBit                    // a bit of the bound
	InRanges                   // in one of the Ranges
)

// Guard is a constraint of another field of the record.
type Guard struct {
	Of Value // the field
	Constraint
}

// AtMost allows values up to limit.
func AtMost(limit uint64) Constraint { return AtMostOf(Num(limit)) }

// AtMostOf is AtMost with a bound that is no constant, as the other functions that end with Of are.
func AtMostOf(limit Value) Constraint { return Constraint{Relation: NotAbove, Limit: limit} }

// AtLeast allows values from limit on.
func AtLeast(limit uint64) Constraint { return AtLeastOf(Num(limit)) }

// AtLeastOf allows values from a bound on.
func AtLeastOf(limit Value) Constraint { return Constraint{Relation: NotBelow, Limit: limit} }

// NotZero allows all values but 0.
func NotZero() Constraint { return AtLeast(1) }

// Below allows values below limit.
func Below(limit uint64) Constraint { return BelowOf(Num(limit)) }

// BelowOf allows values below a bound: an index of a table of so many entries.
func BelowOf(limit Value) Constraint { return Constraint{Relation: Less, Limit: limit} }

// AboveOf allows values above a bound.
func AboveOf(limit Value) Constraint { return Constraint{Relation: Greater, Limit: limit} }

// Is allows value only.
func Is(value uint64) Constraint { return EqualTo(Num(value)) }

// EqualTo allows the bound only.
func EqualTo(bound Value) Constraint { return Constraint{Relation: Equal, Limit: bound} }

// IsHex is Is, and prints the value in hexadecimal.
func IsHex(value uint64) Constraint { return Is(value).Says("0x%x") }

// ZeroOr allows 0 and the bound.
func ZeroOr(bound Value) Constraint {
	return Constraint{Relation: EqualOrNil, Limit: bound, text: "0 or 0x%x"}
}

// MultipleOf allows the multiples of n, which is not 0.
func MultipleOf(n uint64) Constraint {
	return Constraint{Relation: Multiple, Limit: Num(n), text: "multiple of %d"}
}

// Clear allows values without any bit of a mask; expected says so in findings.
func Clear(expected string, mask uint64) Constraint {
	return Constraint{Relation: NoBit, Limit: Num(mask), text: expected}
}

// AnyOf allows values with a bit of a mask; expected says so in findings.
func AnyOf(expected string, mask uint64) Constraint {
	return Constraint{Relation: SomeBit, Limit: Num(mask), text: expected}
}

// OneOf allows the given values; expected is their list in findings.
func OneOf(expected string, values ...uint64) Constraint {
	c := Constraint{Relation: InRanges, text: expected}
	for _, v := range values {
		c.Ranges = append(c.Ranges, v, v)
	}
	return c
}

// Between allows the values of ranges, each given by its first and its last; expected is their list in findings.
func Between(expected string, ends ...uint64) Constraint {
	return Constraint{Relation: InRanges, Ranges: ends, text: expected}
}

// Named allows the offsets in a string table at which a NUL-terminated name begins; limit is the NameLimit of the table.
func Named(limit Value) Constraint { return BelowOf(limit).Says("offset of a NUL-terminated name") }

// Inside allows the offset of a table that ends inside the file: the sum of the offset and the added values is at
// most the size of the file, in which the record is.
func Inside(plus ...Value) Constraint {
	c := AtMostOf(Room(0, 1)).Says("end <= 0x%x").And(plus...)
	c.Layout = true
	return c
}

// Says returns the constraint with another text for findings; a verb in it stands for the bound.
func (c Constraint) Says(text string) Constraint {
	c.text = text
	return c
}

// And returns the constraint of a sum: of the value and others.
func (c Constraint) And(plus ...Value) Constraint {
	c.Plus = slices.Concat(c.Plus, plus)
	return c
}

// When returns the constraint for those records only in which another constraint holds for a field.
func (c Constraint) When(field string, other Constraint) Constraint {
	c.Guards = append(slices.Clip(c.Guards), Guard{Sibling(field), other})
	return c
}

// WhenOuter is When for a number from elsewhere in the file.
func (c Constraint) WhenOuter(o *Outer, other Constraint) Constraint {
	c.Guards = append(slices.Clip(c.Guards), Guard{Elsewhere(o), other})
	return c
}

// ByLayout returns the constraint of a field to which the layout of the file gives its value.
func (c Constraint) ByLayout() Constraint {
	c.Layout = true
	return c
}

// Static reports whether the allowed values do not depend on what is around the field.
func (c *Constraint) Static() bool {
	return c.Limit.source == constant && len(c.Plus) == 0 && len(c.Guards) == 0
}

// Allows reports whether a bound allows a value, or a sum with it.
func (c *Constraint) Allows(n, bound uint64) bool {
	switch c.Relation {
	case NotAbove:
		return n <= bound
	case NotBelow:
		return n >= bound
	case Less:
		return n < bound
	case Greater:
		return n > bound
	case Equal:
		return n == bound
	case EqualOrNil:
		return n == 0 || n == bound
	case Multiple:
		return n%bound == 0
	case NoBit:
		return n&bound == 0
	case SomeBit:
		return n&bound != 0
	}
	for i := 0; i < len(c.Ranges); i += 2 {
		if c.Ranges[i] <= n && n <= c.Ranges[i+1] {
			return true
		}
	}
	return false
}

// Applies reports whether the guards hold for the record at x.
func (c *Constraint) Applies(x *Around) bool {
	if c.Limit.source == fromPrevious && x.Index == 0 {
		return false
	}
	for i := range c.Guards {
		g := &c.Guards[i]
		if len(g.Guards) == 0 || g.Applies(x) {
			if !g.Allows(g.Sum(g.Of.In(x), x), g.Limit.In(x)) {
				return false
			}
		}
	}
	return true
}

// Sum returns the value of the field with what is added to it.
func (c *Constraint) Sum(n uint64, x *Around) uint64 {
	for i := range c.Plus {
		n += c.Plus[i].In(x)
	}
	return n
}

// Expected returns the allowed values as a finding prints them.
func (c *Constraint) Expected(bound uint64) diag.Value {
	switch {
	case c.text != "":
		return diag.Value{Format: c.text, N: bound}
	case c.Relation == NotAbove:
		return diag.AtMost(bound)
	case c.Relation == NotBelow:
		return diag.AtLeast(bound)
	case c.Relation == Less:
		return diag.Below(bound)
	case c.Relation == Greater:
		return diag.Value{Format: "> %d", N: bound}
	}
	return diag.Dec(bound)
}

// Value is a number in a constraint.
type Value struct {
	source
	n     uint64 // the constant, or a factor
	field string // of fromField
	off   uint64 // of the field in the record
	size  int
	outer *Outer
}

// source says where a Value comes from.
type source uint8

const (
	constant     source = iota
	fromField           // a field of the record
	fromPrevious        // the field itself in the record before
	fromIndex           // the index of the record in its table
	fromStart           // the offset of the record in the file
	fromSize            // the size of the file without a header, divided by the size of an entry
	fromOuter
	recordSize // until the record places it
)

// Num is a constant.
func Num(n uint64) Value { return Value{n: n} }

// Sibling is another field of the record.
func Sibling(name string) Value { return Value{source: fromField, n: 1, field: name} }

// Previous is the same field in the record before, in a table. The first record has none, and is not checked.
func Previous() Value { return Value{source: fromPrevious, n: 1} }

// Index is the index of the record in its table.
func Index() Value { return Value{source: fromIndex, n: 1} }

// Start is the offset of the record in the file.
func Start() Value { return Value{source: fromStart, n: 1} }

// Room is the number of entries of a size for which a file has room behind a header.
func Room(header, entry uint64) Value { return Value{source: fromSize, n: entry, off: header} }

// RecordSize is the size of the record.
func RecordSize() Value { return Value{source: recordSize} }

// Elsewhere is a number from elsewhere in the file.
func Elsewhere(o *Outer) Value { return Value{source: fromOuter, n: 1, outer: o} }

// Times returns the value times a constant.
func (v Value) Times(n uint64) Value {
	v.n *= n
	return v
}

// Field returns the name of the field that the value is, and the factor; "" if it is none.
func (v Value) Field() (name string, factor uint64) { return v.field, v.n }

// Outer returns the number from elsewhere that the value is, or nil.
func (v Value) Outer() *Outer { return v.outer }

// Outer is a number from elsewhere in the file with which constraints compare. The walk stores it in a slot of
// [Around]; a generator finds it by the path of its field, or of the table from which Of computes it. The first path
// counts that the file has. A path that begins with a dot follows the path of the structure that has the record.
type Outer struct {
	Slot  int
	Paths []string
	Of    func(table []byte) uint64 // nil: the integer in the field
}

// Around has a record and numbers from elsewhere in the file: all that a rule about one field may look at.
type Around struct {
	View         // has the record
	Base  uint64 // its offset in the view
	Index uint64 // in its table
	Outer [4]uint64

	told Broken // rules that are reported once in a table, and were
}

// In returns the number.
func (v *Value) In(x *Around) uint64 {
	switch v.source {
	case fromField:
		return v.n * x.Uint(x.Base+v.off, v.size)
	case fromPrevious:
		return v.n * x.Uint(x.Base+v.off, v.size) // off wraps to before the record
	case fromIndex:
		return v.n * x.Index
	case fromStart:
		return v.n * x.Base
	case fromSize:
		return (x.Size() - min(v.off, x.Size())) / v.n
	case fromOuter:
		return v.n * x.Outer[v.outer.Slot]
	}
	return v.n
}

// place returns the constraint of the field at offset off with the places of all fields that it names. ok is false if
// the record has none of such a name.
func (c Constraint) place(at map[string]placedField, off, stride uint64, size int) (placed Constraint, ok bool) {
	ok = true
	place := func(v Value) Value {
		switch v.source {
		case fromField:
			f, found := at[v.field]
			v.off, v.size, ok = f.off, f.size, ok && found
		case fromPrevious:
			v.off, v.size = off-stride, size
		case recordSize:
			v = Num(stride)
		}
		return v
	}
	c.Limit, c.Plus, c.Guards = place(c.Limit), slices.Clone(c.Plus), slices.Clone(c.Guards)
	for i := range c.Plus {
		c.Plus[i] = place(c.Plus[i])
	}
	for i, g := range c.Guards {
		var found bool
		g.Of = place(g.Of)
		g.Constraint, found = g.Constraint.place(at, off, stride, size)
		c.Guards[i], ok = g, ok && found
	}
	return c, ok
}

// placedField is the place of a field in its record.
type placedField struct {
	off  uint64
	size int
}
