package wire

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

// fieldRule is a rule about the value of one integer field: the id of its row in
// the rule table of the format, the values it allows, and the printer of a
// forbidden value in a finding.
type fieldRule struct {
	id    string
	found func(uint64) diag.Value
	apart bool // Check leaves it out
	once  bool // not reported if an earlier row of the record has broken the rule
	first bool // reported for the first record of a table that breaks it
	ends  bool // no further row is evaluated for a record that breaks it
	whole bool // the finding is at the record
	mild  bool // the finding has the other severity of the rule
	text  bool // the field is characters
	Constraint
}

// Must returns the field with one more rule, which Record.Check evaluates: the
// value must satisfy c. found prints a forbidden value. The size of the field is 1, 2,
// 4 or 8.
func (f Field[T]) Must(rule string, c Constraint, found func(uint64) diag.Value) Field[T] {
	f.rules = append(slices.Clip(f.rules), fieldRule{id: rule, found: found, Constraint: c})
	return f
}

// Apart returns the field with its last rule set apart: Record.Check leaves the rule
// out, because the walk needs its result earlier or evaluates it under a condition, with
// Record.CheckRule.
func (f Field[T]) Apart() Field[T] { return f.with(func(r *fieldRule) { r.apart = true }) }

// Once returns the field with its last rule reported only if the record does not break it in
// an earlier row.
func (f Field[T]) Once() Field[T] { return f.with(func(r *fieldRule) { r.once = true }) }

// OnceInTable returns the field with its last rule reported for one record of a table only.
func (f Field[T]) OnceInTable() Field[T] { return f.with(func(r *fieldRule) { r.first = true }) }

// AtRecord returns the field with its last rule reported at the record instead of the field.
func (f Field[T]) AtRecord() Field[T] { return f.with(func(r *fieldRule) { r.whole = true }) }

// Milder returns the field with its last rule reported with the other severity of the rule.
func (f Field[T]) Milder() Field[T] { return f.with(func(r *fieldRule) { r.mild = true }) }

// Match returns a field of characters with a rule: it holds its text. The check of a record that breaks the rule ends.
func (f Field[T]) Match(rule string) Field[T] {
	text, _ := strconv.Unquote(f.Doc)
	n := LE([]byte(text)).Uint(0, len(text))
	f = f.Must(rule, Is(n).Says(f.Doc), func(n uint64) diag.Value {
		return diag.Quoted(binary.LittleEndian.AppendUint64(nil, n)[:len(text)])
	}).Ends()
	return f.with(func(r *fieldRule) { r.text = true })
}

// Ends returns the field with its last rule ending the check of a record that breaks it.
func (f Field[T]) Ends() Field[T] { return f.with(func(r *fieldRule) { r.ends = true }) }

// with returns the field with a change of its last rule.
func (f Field[T]) with(change func(*fieldRule)) Field[T] {
	f.rules = slices.Clone(f.rules)
	change(&f.rules[len(f.rules)-1])
	return f
}

// Ruled has the rules about single fields of a record, in the order of the fields; Of brings them into the order of a
// rule table.
type Ruled struct {
	rules      []*placedRule
	all, grave []quickRule // of the rules that Check evaluates, and of the errors among them
	stride     uint64      // bytes of one record
}

// placedRule is a rule about the field at offset off of the record.
type placedRule struct {
	off    uint64
	stride uint64 // bytes of the record
	size   int
	field  string
	minor  bool          // the finding is no error
	as     diag.Severity // of the finding, if it is milder
	fieldRule
}

// Of returns the rules that are in the rule set of a format, in the order of its rule table. It serves also a format
// that uses a record of another format: the record may have rules for the other one only.
func (r Ruled) Of(set diag.RuleSet, rules []diag.Rule) Ruled {
	order := map[string]int{}
	for i := range rules {
		order[rules[i].ID] = i
	}
	var list []*placedRule
	for _, p := range r.rules {
		if rule := set[p.id]; rule != nil {
			bound := *p
			bound.minor = p.mild || rule.Severity != diag.Error
			if p.mild {
				bound.as = rule.Also[0]
			}
			list = append(list, &bound)
		}
	}
	slices.SortStableFunc(list, func(p, q *placedRule) int { return order[set[p.id].ID] - order[set[q.id].ID] })
	r.rules = list
	r.quicken()
	return r
}

// Without returns the rules but one.
func (r Ruled) Without(id string) Ruled {
	r.rules = slices.DeleteFunc(slices.Clone(r.rules), func(p *placedRule) bool { return p.id == id })
	r.quicken()
	return r
}

// Broken is a set of rules that a record breaks.
type Broken []string

// Any reports whether the record breaks one of some rules.
func (b Broken) Any(rules ...string) bool {
	return slices.ContainsFunc(b, func(id string) bool { return slices.Contains(rules, id) })
}

// Check evaluates the rules that are not set apart for the record at offset base of v,
// and reports each broken rule. at returns the place of a field for the finding.
func (r *Ruled) Check(to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) Broken {
	return r.CheckIn(to, &Around{View: v, Base: base}, at)
}

// CheckIn is Check for rules that look at more than the record.
func (r *Ruled) CheckIn(to *diag.Reporter, x *Around, at func(field string) diag.Place) (broken Broken) {
	quick := r.all
	if to.Strict() {
		quick = r.grave
	}
	for i := range quick {
		q := &quick[i]
		if q.form == ranged && load(x, q.off, q.size)-q.first <= q.span || q.kept(x) {
			continue
		}
		p := q.rule
		if p.once && broken.Any(p.id) || p.first && x.told.Any(p.id) {
			continue
		}
		if broken = append(broken, p.id); p.first {
			x.told = append(x.told, p.id)
		}
		if p.report(to, x, at); p.ends {
			break
		}
	}
	return broken
}

// CheckRule evaluates one rule like Check, also if it is set apart. It panics when the
// record has no such rule.
func (r *Ruled) CheckRule(id string, to *diag.Reporter, v View, base uint64, at func(field string) diag.Place) {
	r.CheckRuleIn(id, to, &Around{View: v, Base: base}, at)
}

// CheckRuleIn is CheckRule for a rule that looks at more than the record. It reports whether the record keeps
// the rule.
func (r *Ruled) CheckRuleIn(id string, to *diag.Reporter, x *Around, at func(field string) diag.Place) bool {
	found, kept := false, true
	for _, p := range r.rules {
		if p.id != id {
			continue
		}
		if found = true; !p.kept(x) && (kept || !p.once) {
			kept = false
			p.report(to, x, at)
		}
	}
	if !found {
		panic("wire: the record has no rule " + id)
	}
	return kept
}

// CheckTable is Check for each record of a table, and reports whether nothing was found. at returns the place of a field
// of record i.
func (r *Ruled) CheckTable(to *diag.Reporter, table View, at func(i int, field string) diag.Place) bool {
	return r.CheckTableIn(to, &Around{View: table}, at)
}

// CheckTableIn is CheckTable for rules that look at more than a record. x has the table.
func (r *Ruled) CheckTableIn(to *diag.Reporter, x *Around, at func(i int, field string) diag.Place) bool {
	if r.Sound(to, x) {
		return true
	}
	x.told = nil
	for i := range x.Size() / r.stride {
		x.Index, x.Base = i, i*r.stride
		r.CheckIn(to, x, func(field string) diag.Place { return at(int(i), field) })
	}
	return false
}

// Sound reports whether CheckIn would find nothing in any record of the table x: it looks at one field of all records
// after the other, which is faster.
func (r *Ruled) Sound(to *diag.Reporter, x *Around) bool {
	if len(x.B) == 0 {
		return true
	}
	quick := r.all
	if to.Strict() {
		quick = r.grave
	}
	for i := range quick {
		if !quick[i].sound(x, r.stride) {
			return false
		}
	}
	return true
}

// sound reports whether all records keep the rule.
func (q *quickRule) sound(x *Around, stride uint64) bool {
	first, last, ok := q.first, q.first+q.span, q.form == ranged
	switch {
	case q.form == atMostOuter:
		last, ok = x.Outer[q.slot], true
	case q.form == belowOuter && x.Outer[q.slot] > 0:
		last, ok = x.Outer[q.slot]-1, true
	}
	if ok && within(x.B, int(stride), int(q.off), int(q.size), x.Big, first, last) {
		return true
	}
	for x.Index, x.Base = 0, 0; x.Base+stride <= uint64(len(x.B)); x.Index, x.Base = x.Index+1, x.Base+stride {
		if !q.kept(x) {
			return false
		}
	}
	return true
}

// span returns a range of allowed values, the same for each record of a table. Further values may be allowed.
func (p *placedRule) span(x *Around) (first, last uint64, ok bool) {
	if len(p.Plus) > 0 || p.Limit.source != constant && (x == nil || p.Limit.source != fromOuter) {
		return 0, 0, false
	}
	switch bound := p.Limit.In(x); p.Relation {
	case NotAbove:
		return 0, bound, true
	case Less:
		return 0, bound - 1, bound > 0
	case NotBelow:
		return bound, ^uint64(0), true
	case Equal:
		return bound, bound, true
	case NoBit:
		return 0, bound&-bound - 1, true
	case SomeBit:
		return 1, bound, bound&(bound+1) == 0
	case InRanges:
		return p.Ranges[0], p.Ranges[1], true
	}
	return 0, 0, false
}

// within reports whether the field at offset off of each record has a value from first to last.
func within(b []byte, stride, off, size int, big bool, first, last uint64) bool {
	span := last - first
	switch {
	case size == 1:
		for at := off; at < len(b); at += stride {
			if uint64(b[at])-first > span {
				return false
			}
		}
	case size == 2:
		for at := off; at+2 <= len(b); at += stride {
			if uint64(u16(b[at:], big))-first > span {
				return false
			}
		}
	case size == 4:
		for at := off; at+4 <= len(b); at += stride {
			if uint64(u32(b[at:], big))-first > span {
				return false
			}
		}
	default:
		for at := off; at+size <= len(b); at += stride {
			if (View{b, big}).Uint(uint64(at), size)-first > span {
				return false
			}
		}
	}
	return true
}

// kept reports whether the record at x keeps the rule.
func (p *placedRule) kept(x *Around) bool {
	n := p.value(x)
	if len(p.Plus) > 0 {
		n = p.Sum(n, x)
	}
	return p.Allows(n, p.Limit.In(x)) || !p.Applies(x)
}

// value returns the value of the field; characters are little endian.
func (p *placedRule) value(x *Around) uint64 {
	if p.text {
		return LE(x.B).Uint(x.Base+p.off, p.size)
	}
	return x.Uint(x.Base+p.off, p.size)
}

func (p *placedRule) report(to *diag.Reporter, x *Around, at func(field string) diag.Place) {
	field := p.field
	if p.whole {
		field = ""
	}
	expected, found := p.Expected(p.Limit.In(x)), p.found(p.Sum(p.value(x), x))
	if p.mild {
		to.ReportAs(p.as, p.id, at(field), expected, found)
	} else {
		to.Report(p.id, at(field), expected, found)
	}
}

// End prints a sum that is the end of a table.
func End(n uint64) diag.Value { return diag.Value{Format: "end 0x%x", N: n} }

// FieldRule is a rule about the value of one field of a record.
type FieldRule struct {
	ID       string
	Row      int         // number of the rule among the rules of the record
	Record   diag.Struct // the fields of the record
	Field    int         // index of the field among them
	AtRecord bool        // the finding is at the record
	Milder   bool        // the finding has the other severity of the rule
	Constraint
}

// Fields returns the fields of the record.
func (r *Record[T]) Fields() diag.Struct { return r.Struct }

// Rows returns the rules about single fields of the record.
func (r *Record[T]) Rows() Ruled { return r.Ruled }

// BrokenIn returns the numbers of the rules that the record at x breaks, in the order of the evaluation. Those that are
// set apart count, too.
func (r *Ruled) BrokenIn(x *Around) (rows []int) {
	for i, p := range r.rules {
		if p.kept(x) {
			continue
		}
		if rows = append(rows, i); p.ends {
			break
		}
	}
	return rows
}

// FieldRules lists the rules; fields are the fields of the record.
func (r *Ruled) FieldRules(fields diag.Struct) (list []FieldRule) {
	for row, p := range r.rules {
		i := slices.IndexFunc(fields, func(f diag.Field) bool { return f.Name == p.field })
		list = append(list, FieldRule{p.id, row, fields, i, p.whole, p.mild, p.Constraint})
	}
	return list
}
