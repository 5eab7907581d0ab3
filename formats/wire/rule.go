package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// fieldRule is a rule about the value of one integer field: the id of its row in
// the rule table of the format, the values it allows, and the printer of a
// forbidden value in a finding.
type fieldRule struct {
	Constraint
	conditions []Condition
	id         string
	found      func(uint64) diag.Value
	apart      bool // Check leaves it out
	ends       bool // a record that breaks the rule is not checked further
	once       bool // a record that breaks the rule in several fields is reported for the first of them
}

// fieldRules are the rules about one field.
type fieldRules []*fieldRule

// Must returns the field with one more rule, which Record.Check evaluates: the
// value must satisfy c, in records that fulfil the conditions. found prints a forbidden
// value. The size of the field is 1, 2, 4 or 8.
func (f Field[T]) Must(rule string, c Constraint, found func(uint64) diag.Value, when ...Condition) Field[T] {
	f.rules = f.rules.must(rule, c, found, when...)
	return f
}

func (r fieldRules) must(rule string, c Constraint, found func(uint64) diag.Value, when ...Condition) fieldRules {
	return append(slices.Clip(r), &fieldRule{Constraint: c, conditions: when, id: rule, found: found})
}

// Apart returns the field with its last rule set apart: Record.Check leaves the rule
// out, because the walk needs its result earlier or evaluates it elsewhere, with Only.
func (f Field[T]) Apart() Field[T] {
	f.rules = f.rules.last(func(r *fieldRule) { r.apart = true })
	return f
}

// Ends returns the field with its last rule ending the check of a record that breaks it.
func (f Field[T]) Ends() Field[T] {
	f.rules = f.rules.last(func(r *fieldRule) { r.ends = true })
	return f
}

// Once returns the field with its last rule reported for one field of a record only.
func (f Field[T]) Once() Field[T] {
	f.rules = f.rules.last(func(r *fieldRule) { r.once = true })
	return f
}

// last returns the rules with a change of the last one.
func (r fieldRules) last(change func(*fieldRule)) fieldRules {
	r = slices.Clone(r)
	changed := *r[len(r)-1]
	change(&changed)
	r[len(r)-1] = &changed
	return r
}

// Bounds of a record with rules.
const (
	longer   = 7   // bytes behind the record that are read with its last field
	maxRuled = 512 // largest size of the record with these bytes
	maxRules = 64
)

// Ruled has the rules about single fields of a record, in the order of the fields.
type Ruled struct {
	rules  []ruleTest // that Check evaluates
	apart  []ruleTest // the others
	stride uint64     // bytes of one record
}

// ruleTest is the range of a rule, which nearly every record keeps. It is small, so that a check of
// a record touches little memory.
type ruleTest struct {
	off               uint64 // of the field
	shift             int8   // of eight big-endian bytes, to get the field
	text              bool   // the field has no byte order
	mask, first, span uint64
	rule              *placedRule
}

// declare adds the rules about a field of a record.
func (r *Ruled) declare(record diag.Struct, field string, rules fieldRules) {
	for _, rule := range rules {
		p := &placedRule{fieldPlace: placeIn(record, field), fieldRule: rule, field: field}
		for _, c := range rule.conditions {
			p.when = append(p.when, placeIn(record, c.Field))
		}
		if rule.Other != "" {
			p.other = placeIn(record, rule.Other)
		}
		r.add(p)
	}
}

// add adds a rule.
func (r *Ruled) add(p *placedRule) {
	if r.stride+longer > maxRuled || len(r.rules) == maxRules {
		panic("wire: a record with rules is too large, or has too many")
	}
	t := ruleTest{p.off, int8(64 - 8*p.size), p.text, p.mask & Largest(p.size), p.first, p.span, p}
	if p.apart {
		r.apart = append(r.apart, t)
	} else {
		r.rules = append(r.rules, t)
	}
}

// placedRule is a rule about a field at its place in the record.
type placedRule struct {
	fieldPlace
	*fieldRule
	field string
	when  []fieldPlace // of the fields of the conditions
	other fieldPlace   // of the field of the constraint
}

// fieldPlace is the place of a field in its record.
type fieldPlace struct {
	off  uint64
	size int
	text bool // characters, which have no byte order: read as a little-endian integer
}

// placeIn returns the place of a field in a record. It panics when the record has no such field.
func placeIn(record diag.Struct, field string) fieldPlace {
	at := record.At(0, diag.Path{Field: field})
	text := slices.ContainsFunc(record, func(f diag.Field) bool { return f.Name == field && f.Text })
	return fieldPlace{at.Off, int(at.Len), text}
}

// in returns the integer at the place, in the bytes of a record.
func (p *fieldPlace) in(b []byte, big bool) uint64 {
	big = big && !p.text
	switch b = b[p.off:]; p.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(u16(b, big))
	case 4:
		return uint64(u32(b, big))
	}
	return u64(b, big)
}

// Of returns the rules that are in the rule set of a format. It serves a format that
// uses a record of another format: the record may have rules for the other one only.
func (r Ruled) Of(set diag.RuleSet) Ruled {
	foreign := func(t ruleTest) bool { return set[t.rule.id] == nil }
	r.rules = slices.DeleteFunc(slices.Clone(r.rules), foreign)
	r.apart = slices.DeleteFunc(slices.Clone(r.apart), foreign)
	return r
}

// Only returns the rules with some ids, in the order of the ids. It panics when the record lacks one.
func (r Ruled) Only(ids ...string) Ruled {
	only := Ruled{stride: r.stride}
	for _, id := range ids {
		n := len(only.rules)
		for _, t := range slices.Concat(r.rules, r.apart) {
			if t.rule.id == id {
				only.rules = append(only.rules, t)
			}
		}
		if len(only.rules) == n {
			panic("wire: the record has no rule " + id)
		}
	}
	return only
}

// Check evaluates the rules for the record at offset base of v, and reports each broken
// one. at returns the place of a field for the finding. Bytes behind the end of v count as zeros.
func (r *Ruled) Check(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) Broken {
	if v.Has(base, r.stride+longer) {
		return r.check(to, v.B[base:], v, base, at)
	}
	var padded [maxRuled]byte
	copy(padded[:], v.Bytes(base, r.stride))
	return r.check(to, padded[:], v, base, at)
}

// check is Check for the record at the start of b, which is longer than the record: any field is read as eight bytes.
func (r *Ruled) check(to *diag.Reporter, b []byte, v View, base uint64,
	at func(field string) diag.Place) (broken Broken) {
	var told *placedRule // the last one
	for i := range r.rules {
		t := &r.rules[i]
		n := binary.LittleEndian.Uint64(b[t.off:])
		if v.Big && !t.text {
			n = bits.ReverseBytes64(n) >> t.shift
		}
		if n&t.mask-t.first <= t.span {
			continue
		}
		p := t.rule
		if n &= Largest(p.size); !p.keeps(n, b, v, base) && (told == nil || !p.repeats(told)) {
			told, broken.rules, broken.set = p, r.rules, broken.set|1<<i
			p.report(to, n, b, v, base, at(p.field))
			if p.ends {
				break
			}
		}
	}
	return broken
}

// Broken is the rules that a record breaks.
type Broken struct {
	rules []ruleTest
	set   uint64 // bit i: rules[i]
}

// Any reports whether a rule is broken; with ids, whether one of these is.
func (b Broken) Any(ids ...string) bool {
	if b.set == 0 || len(ids) == 0 {
		return b.set != 0
	}
	return slices.ContainsFunc(b.IDs(), func(id string) bool { return slices.Contains(ids, id) })
}

// IDs lists the rules.
func (b Broken) IDs() (ids []string) {
	for i := range b.rules {
		if b.set>>i&1 != 0 {
			ids = append(ids, b.rules[i].rule.id)
		}
	}
	return ids
}

// BrokenIn returns the rules that the record at offset base of v breaks, also rules that are set apart.
func (r *Ruled) BrokenIn(v View, base uint64) (ids []string) {
	b := v.Bytes(base, r.stride)
	for _, t := range slices.Concat(r.rules, r.apart) {
		if p := t.rule; !p.keeps(p.in(b, v.Big), b, v, base) {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// keeps reports whether a record b, in which the field has the value n, keeps the rule.
func (p *placedRule) keeps(n uint64, b []byte, v View, base uint64) bool {
	switch {
	case p.Entry > 0:
		if p.end(n, b, v, base) <= v.Size() {
			return true
		}
	case p.Other != "" && n == p.other.in(b, v.Big), p.Other == "" && p.Allows(n):
		return true
	}
	for i := range p.when {
		if !p.conditions[i].Allows(p.when[i].in(b, v.Big)) {
			return true
		}
	}
	return false
}

// end returns the end of the table at offset n from the record.
func (p *placedRule) end(n uint64, b []byte, v View, base uint64) uint64 {
	return base + n + p.Entry*uint64(u32(b[p.other.off:], v.Big))
}

// repeats reports whether the finding of another rule stands for this one, too.
func (p *placedRule) repeats(o *placedRule) bool {
	return p.id == o.id && (p.once || p.field == o.field)
}

// report reports that a record b breaks the rule.
func (p *placedRule) report(to *diag.Reporter, n uint64, b []byte, v View, base uint64, at diag.Place) {
	switch {
	case p.Entry > 0:
		to.Report(p.id, at, diag.Value{Format: "end <= 0x%x", N: v.Size()},
			diag.Value{Format: "end 0x%x", N: p.end(n, b, v, base)})
	case p.Other != "":
		to.Report(p.id, at, p.found(p.other.in(b, v.Big)), p.found(n))
	default:
		to.Report(p.id, at, p.Expected, p.found(n))
	}
}

// CheckTable is Check for each record of a table. at returns the place of a field of
// record i. ok is false if a rule is broken.
func (r *Ruled) CheckTable(to *diag.Reporter, table View, at func(i int, field string) diag.Place) (ok bool) {
	ok = true
	if len(r.rules) == 0 {
		return ok
	}
	for i := range int(table.Size() / r.stride) {
		broken := r.Check(to, table, uint64(i)*r.stride, func(field string) diag.Place { return at(i, field) })
		ok = ok && !broken.Any()
	}
	return ok
}

// Largest returns the largest integer of size bytes.
func Largest(size int) uint64 { return 1<<(8*size-1)<<1 - 1 }

// FieldRule is a rule about the value of one field of a record.
type FieldRule struct {
	ID     string
	Record diag.Struct // the fields of the record
	Field  int         // index of the field among them
	If     bool        // the rule has conditions
	Rules  Ruled       // all rules about the fields of the record
	Place  bool        // the value is where a table is, so that no other one is right
	Constraint
}

// Fields returns the fields of the record.
func (r *Record[T]) Fields() diag.Struct { return r.Struct }

// FieldRules lists the rules about one field of the record.
func (r *Record[T]) FieldRules() (list []FieldRule) {
	for i := range r.fields {
		for _, rule := range r.fields[i].rules {
			list = append(list, FieldRule{rule.id, r.Struct, i, len(rule.conditions) > 0, r.Ruled, r.fields[i].place,
				rule.Constraint})
		}
	}
	return list
}
