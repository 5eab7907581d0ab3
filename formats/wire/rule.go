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
	apart bool // Check leaves it out
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
			n %= limit + 1 // cannot wrap, because n > limit
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

// OneOf allows the given values, of which there are at least two. show prints one of them in findings.
func OneOf(show func(uint64) diag.Value, values ...uint64) Constraint {
	last := len(values) - 1
	list := show(values[0]).String()
	for _, v := range values[1:last] {
		list += ", " + show(v).String()
	}
	return Constraint{
		diag.Text(list + " or " + show(values[last]).String()),
		func(n uint64) bool { return slices.Contains(values, n) },
		func(n uint64) uint64 { return values[n%uint64(len(values))] },
	}
}

// Must returns the field with one more rule, which Record.Check evaluates: the
// value must satisfy c. found prints a forbidden value. The size of the field is 1, 2,
// 4 or 8.
func (f Field[T]) Must(rule string, c Constraint, found func(uint64) diag.Value) Field[T] {
	f.rules = append(slices.Clip(f.rules), fieldRule{rule, found, false, c})
	return f
}

// Apart returns the field with its last rule set apart: Record.Check leaves the rule
// out, because the walk needs its result earlier or evaluates it under a condition, with
// Record.CheckRule.
func (f Field[T]) Apart() Field[T] {
	f.rules = slices.Clone(f.rules)
	f.rules[len(f.rules)-1].apart = true
	return f
}

// Ruled has the rules about single fields of a record, in the order of the fields.
type Ruled struct {
	rules  []*placedRule
	stride uint64 // bytes of one record
}

// placedRule is a rule about the field at offset off of the record.
type placedRule struct {
	off   uint64
	size  int
	field string
	fieldRule
}

// Of returns the rules that are in the rule set of a format. It serves a format that
// uses a record of another format: the record may have rules for the other one only.
func (r Ruled) Of(set diag.RuleSet) Ruled {
	r.rules = slices.DeleteFunc(slices.Clone(r.rules), func(p *placedRule) bool { return set[p.id] == nil })
	return r
}

// Check evaluates the rules that are not set apart for the record at offset base of v,
// and reports each broken rule. at returns the place of a field for the finding.
func (r *Ruled) Check(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) {
	for _, p := range r.rules {
		if !p.apart {
			p.check(to, v, base, at)
		}
	}
}

// CheckRule evaluates one rule like Check, also if it is set apart. It panics when the
// record has no such rule.
func (r *Ruled) CheckRule(id string, to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) {
	i := slices.IndexFunc(r.rules, func(p *placedRule) bool { return p.id == id })
	r.rules[i].check(to, v, base, at)
}

// CheckTable is Check for each record of a table. at returns the place of a field of
// record i.
func (r *Ruled) CheckTable(to *diag.Reporter, table View, at func(i int, field string) diag.Place) {
	if len(r.rules) == 0 {
		return
	}
	for i := range int(table.Size() / r.stride) {
		r.Check(to, table, uint64(i)*r.stride, func(field string) diag.Place { return at(i, field) })
	}
}

func (p *placedRule) check(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) {
	if n := v.Uint(base+p.off, p.size); !p.Allows(n) {
		to.Report(p.id, at(p.field), p.Expected, p.found(n))
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
