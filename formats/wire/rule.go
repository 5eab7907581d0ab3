package wire

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// fieldRule is a rule about the value of one integer field: the id of its row in
// the rule table of the format, the values it allows, and the printer of a
// forbidden value in a finding.
type fieldRule struct {
	id    string
	found func(uint64) diag.Value
	Constraint
}

// Constraint is a set of allowed values.
type Constraint struct {
	Expected diag.Value // the set, as a finding prints it
	Allows   func(n uint64) bool
	Nth      func(n uint64) uint64 // returns an allowed value for any n, for generators; nil: none is known
}

// AtMost allows values up to limit.
func AtMost(limit uint64) Constraint {
	return Constraint{diag.AtMost(limit), func(n uint64) bool { return n <= limit }, func(n uint64) uint64 {
		if n > limit {
			n %= limit + 1 // limit is not the largest integer
		}
		return n
	}}
}

// Is allows value only.
func Is(value uint64) Constraint {
	return Constraint{diag.Dec(value), func(n uint64) bool { return n == value }, func(uint64) uint64 { return value }}
}

// IsHex is Is, and prints the value in hexadecimal.
func IsHex(value uint64) Constraint {
	c := Is(value)
	c.Expected = diag.Hex(value)
	return c
}

// OneOf allows the given values; expected is their list in findings.
func OneOf(expected string, values ...uint64) Constraint {
	return Constraint{
		diag.Text(expected), func(n uint64) bool { return slices.Contains(values, n) },
		func(n uint64) uint64 { return values[n%uint64(len(values))] },
	}
}

// Must returns the field with one more rule, which Record.Check evaluates: the
// value must satisfy c. found prints a forbidden value. The size of the field is 1, 2,
// 4 or 8.
func (f Field[T]) Must(rule string, c Constraint, found func(uint64) diag.Value) Field[T] {
	f.rules = append(slices.Clip(f.rules), fieldRule{rule, found, c})
	return f
}

// Ruled has the fields of a record that have rules, in the order of the record.
// Records of two formats may be one; a walk then evaluates the rules of its own format.
type Ruled struct {
	fields []ruledField
	stride uint64 // bytes of one record
}

type ruledField struct {
	off   uint64 // from the start of the record
	size  int
	name  string
	rules []fieldRule
}

// Check evaluates the rules of the named fields, or of all fields, for the record
// at offset base of v, and reports each broken rule. at returns the place of a
// field for the finding.
func (r *Ruled) Check(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place,
	fields ...string) {
	for i := range r.fields {
		f := &r.fields[i]
		if len(fields) == 0 || slices.Contains(fields, f.name) {
			f.check(to, v.Uint(base+f.off, f.size), at)
		}
	}
}

// CheckRest evaluates the rules of all fields but the named ones, which a walk checks at
// another place.
func (r *Ruled) CheckRest(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place,
	named ...string) {
	for i := range r.fields {
		if f := &r.fields[i]; !slices.Contains(named, f.name) {
			f.check(to, v.Uint(base+f.off, f.size), at)
		}
	}
}

// CheckTable evaluates the rules of all fields for the records of a table, and
// reports each broken rule. at returns the place of a field of record i.
func (r *Ruled) CheckTable(to *diag.Reporter, table View, at func(i int, field string) diag.Place) {
	if len(r.fields) == 0 {
		return
	}
	for i := range int(table.Size() / r.stride) {
		r.Check(to, table, uint64(i)*r.stride, func(field string) diag.Place { return at(i, field) })
	}
}

func (f *ruledField) check(to *diag.Reporter, n uint64, at func(field string) diag.Place) {
	for _, rule := range f.rules {
		if !rule.Allows(n) && to.Knows(rule.id) {
			to.Report(rule.id, at(f.name), rule.Expected, rule.found(n))
		}
	}
}

// FieldRule is a rule about the value of one field of a record.
type FieldRule struct {
	ID     string
	Record diag.Struct // the fields of the record
	Field  int         // index of the field among them
	Constraint
}

// Fields returns the fields of the record.
func (r *Record[T]) Fields() diag.Struct { return r.Struct }

// FieldRules lists the rules about one field of the record.
func (r *Record[T]) FieldRules() (list []FieldRule) {
	for i := range r.fields {
		for _, rule := range r.fields[i].rules {
			list = append(list, FieldRule{rule.id, r.Struct, i, rule.Constraint})
		}
	}
	return list
}
