package gen

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// FieldRules are the rules about single fields that the record tables of a format hold.
type FieldRules struct {
	records     []diag.Struct
	all, errors []wire.FieldRule
	rows        map[*diag.Field]recordRules // of a record, by its first field
	fields      *sync.Map                   // of each type that was drawn
}

// recordRules are the rules about the fields of a record, and their ids.
type recordRules struct {
	wire.Ruled
	ids []string
}

// NewFieldRules returns the rules of record tables that a format has; rules holds its rules.
// A record of two formats may have rules that only the other one has.
func NewFieldRules(rules []diag.Rule, records ...wire.Documented) FieldRules {
	return AliasedFieldRules(rules, diag.NewRuleSet(rules), records...)
}

// AliasedFieldRules is NewFieldRules for a format that knows rules of another one by ids of its own.
func AliasedFieldRules(rules []diag.Rule, set diag.RuleSet, records ...wire.Documented) FieldRules {
	r := FieldRules{fields: new(sync.Map), rows: map[*diag.Field]recordRules{}}
	for _, record := range records {
		fields, rows := record.Fields(), recordRules{Ruled: record.Rows().Of(set, rules)}
		r.records = append(r.records, fields)
		for _, of := range rows.FieldRules(fields) {
			rule := set[of.ID]
			rows.ids = append(rows.ids, rule.ID)
			if of.ID = rule.ID; of.Milder {
				rule = &diag.Rule{Severity: rule.Also[0]}
			}
			if r.all = append(r.all, of); rule.Severity == diag.Error {
				r.errors = append(r.errors, of)
			}
		}
		r.rows[&fields[0]] = rows
	}
	return r
}

// IDs lists the rules.
func (r FieldRules) IDs() (list []string) {
	for _, rule := range r.all {
		list = append(list, rule.ID)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// of returns the fields of a type with the values that they may have.
func (r FieldRules) of(t reflect.Type) []field {
	list, known := r.fields.Load(t)
	if !known {
		fields := appendFields(nil, t, field{})
		for i, f := range fields {
			if record := r.recordOf(f, fields); record != nil {
				fields[i].valid, fields[i].odd = allowed(r.all, record, f), allowed(r.errors, record, f)
			}
		}
		list, _ = r.fields.LoadOrStore(t, fields)
	}
	return list.([]field)
}

// recordOf returns the record of a model field. Several records may have a field of the same name and size, as "type";
// the record that shares most fields with the model's type is the right one.
func (r FieldRules) recordOf(f field, fields []field) (record diag.Struct) {
	most := 0
	for _, of := range r.records {
		common := 0
		for _, x := range of {
			if slices.ContainsFunc(fields, func(f field) bool { return f.matches(x) }) {
				common++
			}
		}
		if common > most && slices.ContainsFunc(of, f.matches) {
			record, most = of, common
		}
	}
	return record
}

// allowed returns values that all rules about a field of a record allow whatever is around it, nil without such a rule.
func allowed(rules []wire.FieldRule, record diag.Struct, f field) func(n uint64) uint64 {
	rules = slices.DeleteFunc(slices.Clone(rules), func(rule wire.FieldRule) bool {
		return &rule.Record[0] != &record[0] || !f.matches(record[rule.Field]) || !rule.Static()
	})
	if len(rules) == 0 {
		return nil
	}
	return func(n uint64) uint64 {
		for k := range uint64(maxDraws) {
			for _, rule := range rules { // the narrowest one has values that the others allow, too
				v := nth(rule.Constraint, rule.Limit.In(nil), (n+k)&largest(f.size))
				if !slices.ContainsFunc(rules, func(r wire.FieldRule) bool { return !r.Allows(v, r.Limit.In(nil)) }) {
					return v
				}
			}
		}
		panic(fmt.Sprintf("gen: no value found that %s and the other rules about %s allow", rules[0].ID, f.name))
	}
}

// nth returns an allowed value for any n.
func nth(c wire.Constraint, bound, n uint64) uint64 {
	if c.Allows(n, bound) {
		return n
	}
	switch c.Relation {
	case wire.NotAbove:
		return n % (bound + 1) // cannot wrap, because n > bound
	case wire.Less:
		return n % max(bound, 1)
	case wire.NotBelow, wire.Equal:
		return bound
	case wire.EqualOrNil:
		return n % 2 * bound
	case wire.Greater:
		return bound + 1
	case wire.Multiple:
		return n - n%bound
	case wire.NoBit:
		return n &^ bound
	case wire.SomeBit:
		return n | bound&-bound
	}
	span := uint64(0)
	for i := 0; i < len(c.Ranges); i += 2 {
		span += c.Ranges[i+1] - c.Ranges[i] + 1
	}
	n %= span
	for i := 0; ; i += 2 {
		if size := c.Ranges[i+1] - c.Ranges[i] + 1; n >= size {
			n -= size
		} else {
			return c.Ranges[i] + n
		}
	}
}

// FieldFaults makes faults from the rules about single fields.
type FieldFaults[O ~string] struct {
	Rules   FieldRules
	File    func(c *Choices) []byte // draws a valid file
	Outline func(b []byte, opts ...O) diag.Outline
	Big     func(b []byte) bool // reports whether a file is big endian; nil: none is
	// Also names the rules that may speak, too, of any file with another value.
	Also []string
	// Others names, for some rules, further ones that may speak, too, and Instead rules that a near miss may break.
	Others, Instead map[string][]string
	// Besides names the rules that other faults break, too.
	Besides []string
	// Mend sets fields that follow from other fields. It reports whether that is possible. nil: there are none.
	Mend func(d *Draft) bool
}

// With adds a fault to known for each rule that known does not break: the field of a
// valid file gets a value that the rule forbids. The rule then needs no fault of its own,
// unless another rule cannot stay silent.
func (x FieldFaults[O]) With(known []Fault) []Fault {
	list := slices.Clip(known)
	for _, rule := range x.Rules.all {
		if slices.Contains(x.Besides, rule.ID) ||
			!slices.ContainsFunc(known, func(f Fault) bool { return f.Rule == rule.ID }) {
			list = append(list, Fault{Rule: rule.ID, Milder: rule.Milder,
				Also: slices.Concat(x.Also, x.Others[rule.ID]), Instead: x.Instead[rule.ID],
				Spoil: func(c *Choices) ([]byte, Place) { return x.spoil(c, rule) }})
		}
	}
	return list
}

// spoil draws a valid file and gives the field of a rule in it a forbidden value. It draws again as long as no record of
// the file has a value that breaks this rule alone among the rules about the record.
func (x FieldFaults[O]) spoil(c *Choices, rule wire.FieldRule) ([]byte, Place) {
	for n := uint64(0); n <= maxDraws; n++ {
		from := c
		if n > 0 {
			from = From(Seed(c.Bits(16), n))
		}
		d := x.draft(from)
		if places := fieldsIn(d.regions, rule); len(places) > 0 {
			if b, at, ok := x.spoilField(c, d, rule, Pick(c, places)); ok {
				return b, at
			}
		}
	}
	panic(fmt.Sprintf("gen: no file has a record in which %s alone can be broken", rule.ID))
}

// spoilField gives one field a forbidden value. ok is false if it found none that breaks the rule alone.
func (x FieldFaults[O]) spoilField(c *Choices, d *Draft, rule wire.FieldRule, field diag.Region) (b []byte, at Place,
	ok bool) {
	y, valid := x.around(d, rule, field), slices.Clone(d.Bytes)
	c.Valid(func() []byte { return valid })
	for n := range uint64(maxTries) {
		from := c
		if n > 0 {
			from = From(Seed(c.Bits(16), n))
		}
		path, wrong, right := breach(from, rule, y, d, field)
		mask := largest(d.field(path).Len)
		if wrong&mask != wrong || !x.alone(d, y, path, wrong, rule) {
			continue
		}
		old := d.Get(path)
		if rule.Layout || right&mask != right || right == old || !x.fits(d, y, path, right, rule) {
			right = old
		}
		if !rule.Layout && right == old && rule.Relation != wire.Equal && rule.Relation != wire.NoBit {
			right = x.another(from, d, y, path, rule)
		}
		if right == old {
			d.Set(path, Only(c, wrong, old))
		} else {
			d.Set(path, Breach(c, wrong, right))
		}
		if x.Mend != nil && !x.Mend(d) {
			copy(d.Bytes, valid)
			continue
		}
		if rule.AtRecord {
			return d.Bytes, d.Place(recordPath(rule, field)), true
		}
		return d.Bytes, d.Place(field.Path), true
	}
	return nil, Place{}, false
}

// alone reports whether a record breaks a rule if a field has a value, and else only rules that may speak, too.
func (x FieldFaults[O]) alone(d *Draft, y *wire.Around, path string, v uint64, rule wire.FieldRule) bool {
	broken, others := x.broken(d, y, path, v, rule)
	return slices.Contains(broken, rule.Row) && len(broken) == 1+others
}

// fits reports whether a record breaks no rule if a field has a value, except rules that the near miss may break.
func (x FieldFaults[O]) fits(d *Draft, y *wire.Around, path string, v uint64, rule wire.FieldRule) bool {
	broken, others := x.broken(d, y, path, v, rule)
	return !slices.Contains(broken, rule.Row) && len(broken) == others
}

// broken returns the rules that a record breaks if a field has a value, and how many of them are listed as Others or
// Instead.
func (x FieldFaults[O]) broken(d *Draft, y *wire.Around, path string, v uint64, rule wire.FieldRule) (rows []int,
	listed int) {
	old, all := d.Get(path), x.Rules.rows[&rule.Record[0]]
	d.Set(path, v)
	rows = all.BrokenIn(y)
	d.Set(path, old)
	for _, row := range rows {
		if id := all.ids[row]; slices.Contains(x.Others[rule.ID], id) || slices.Contains(x.Instead[rule.ID], id) {
			listed++
		}
	}
	return rows, listed
}

// recordPath returns the path of the record of a field.
func recordPath(rule wire.FieldRule, field diag.Region) string {
	return strings.TrimSuffix(field.Path, "."+rule.Record[rule.Field].Name)
}

// another draws an allowed value for the field of a rule other than the present one, or returns that.
func (x FieldFaults[O]) another(c *Choices, d *Draft, y *wire.Around, path string, rule wire.FieldRule) uint64 {
	old := d.Get(path)
	if len(rule.Plus) > 0 {
		return old
	}
	n, mask := c.Within(0, largest(d.field(path).Len)), largest(d.field(path).Len)
	for k := range uint64(4) {
		if v := nth(rule.Constraint, rule.Limit.In(y), (n+k)&mask) & mask; v != old &&
			x.fits(d, y, path, v, rule) {
			return v
		}
	}
	return old
}

// breach draws a value that a rule forbids, and returns the field that gets it and the nearest allowed value. The field
// has the rule, or is added to the field with the rule.
func breach(c *Choices, rule wire.FieldRule, y *wire.Around, d *Draft, field diag.Region) (path string,
	wrong, right uint64) {
	path = field.Path
	old, bound, most := d.Get(path), rule.Limit.In(y), largest(field.Len)
	if i := slices.IndexFunc(rule.Guards, func(g wire.Guard) bool {
		name, _ := g.Of.Field()
		return name == rule.Record[rule.Field].Name
	}); i >= 0 && c.Bits(1) == 0 {
		g := &rule.Guards[i]
		return path, nth(g.Constraint, g.Limit.In(y), c.Within(0, most)), bound
	}
	others := rule.Sum(0, y) // what is added
	if k := c.Below(1 + len(rule.Plus)); k > 0 {
		if name, factor := rule.Plus[k-1].Field(); name != "" && rule.Layout {
			path = strings.TrimSuffix(field.Path, rule.Record[rule.Field].Name) + name
			count := d.Get(path)
			room := (bound - (old + others - factor*count)) / factor
			return path, c.Within(room+1, max(room+1, largest(d.field(path).Len)/factor)), room
		}
	}
	switch rule.Relation {
	case wire.NotAbove, wire.Less:
		last := bound - others // may wrap
		if rule.Relation == wire.Less {
			last--
		}
		if rule.Layout && c.Bits(3) == 0 { // the table begins where the file ends
			return path, bound - start(rule, y), old
		}
		if last+1 == 0 {
			return path, c.Within(0, most), old
		}
		return path, c.Within(last+1, max(last+1, most)), last
	case wire.NotBelow, wire.Greater:
		first := bound
		if rule.Relation == wire.Greater {
			first++
		}
		return path, c.Within(0, first-1), first
	case wire.Multiple:
		at := c.Within(0, most/bound-1)
		if rule.Layout && c.Chance(12) { // near the present value
			at = old / bound
		}
		return path, at*bound + c.Within(1, bound-1), old
	case wire.NoBit:
		return path, old | c.Some(bound&most), old &^ bound
	case wire.SomeBit:
		return path, old &^ bound, old & bound & -(old & bound)
	case wire.InRanges:
		wrong = forbidden(c, rule, most)
		return path, wrong, nearest(rule.Ranges, wrong)
	}
	wrong = c.Within(0, most)
	for rule.Allows(wrong, bound) {
		wrong = (wrong + 1) & most
	}
	return path, wrong, bound
}

// start returns what is added to the field of a rule apart from fields: the offset from which a table counts.
func start(rule wire.FieldRule, y *wire.Around) (n uint64) {
	for _, v := range rule.Plus {
		if name, _ := v.Field(); name == "" {
			n += v.In(y)
		}
	}
	return n
}

// nearest returns the end of a range that is nearest to a value.
func nearest(ends []uint64, v uint64) (near uint64) {
	near = ends[0]
	for _, end := range ends {
		if max(end, v)-min(end, v) < max(near, v)-min(near, v) {
			near = end
		}
	}
	return near
}

// draft draws a valid file.
func (x FieldFaults[O]) draft(c *Choices) *Draft {
	b := x.File(c)
	order := binary.ByteOrder(binary.LittleEndian)
	if x.Big != nil && x.Big(b) {
		order = binary.BigEndian
	}
	return NewDraft(b, order, x.Outline(b).Regions)
}

// around returns what is around a field: its record, and the numbers from elsewhere in the file.
func (x FieldFaults[O]) around(d *Draft, rule wire.FieldRule, field diag.Region) *wire.Around {
	y := &wire.Around{View: wire.In(d.order, d.Bytes), Base: uint64(field.Off)}
	for _, f := range rule.Record[:rule.Field] {
		y.Base -= uint64(f.Size)
	}
	record := recordPath(rule, field)
	if _, index, ok := strings.Cut(record[strings.LastIndexByte(record, '.')+1:], "["); ok {
		fmt.Sscanf(index, "%d]", &y.Index)
	}
	for _, o := range x.Rules.outers(rule.Record) {
		y.Outer[o.Slot] = outer(d, o, record)
	}
	return y
}

// outer returns a number from elsewhere in the file of a record.
func outer(d *Draft, o *wire.Outer, record string) uint64 {
	owner := "" // of the table that has the record, or the record itself
	if i := strings.LastIndexByte(record, '.'); i >= 0 {
		owner = record[:i]
	} else if !strings.HasSuffix(record, "]") || o.Of == nil {
		owner = record
	}
	for _, path := range o.Paths {
		if strings.HasPrefix(path, ".") {
			path = strings.TrimPrefix(owner+path, ".")
		}
		if r, ok := d.fields[path]; ok && o.Of == nil {
			return d.Get(r.Path)
		} else if at := d.Place(path); at.Len > 0 && o.Of != nil {
			return o.Of(d.Bytes[at.Off:][:at.Len])
		}
	}
	return 0
}

// outers returns the numbers from elsewhere with which the rules about a record compare.
func (r FieldRules) outers(record diag.Struct) (list []*wire.Outer) {
	var add func(c wire.Constraint)
	add = func(c wire.Constraint) {
		for _, v := range append(slices.Clip(c.Plus), c.Limit) {
			if o := v.Outer(); o != nil {
				list = append(list, o)
			}
		}
		for _, g := range c.Guards {
			if o := g.Of.Outer(); o != nil {
				list = append(list, o)
			}
			add(g.Constraint)
		}
	}
	for _, rule := range r.all {
		if &rule.Record[0] == &record[0] {
			add(rule.Constraint)
		}
	}
	return list
}

const (
	maxDraws = 100 // bounds the search for a file with a record
	maxTries = 40  // bounds the search for a value
)

// fieldsIn returns the regions of the field of a rule: consecutive regions have the names and
// the sizes of the fields of its record. A field may also be several regions, as the payload of
// a constant is.
func fieldsIn(regions []diag.Region, rule wire.FieldRule) (list []diag.Region) {
	for i := range regions {
		rest, found := regions[i:], diag.Region{}
		for k, f := range rule.Record {
			n, size := 0, 0
			for n < len(rest) && size < f.Size && isPart(rest[n], f) {
				size += rest[n].Len
				n++
			}
			if size != f.Size {
				found.Len = 0
				break
			}
			if k == rule.Field {
				found = rest[0]
			}
			rest = rest[n:]
		}
		if found.Len > 0 {
			list = append(list, found)
		}
	}
	return list
}

// isPart reports whether a region may be a field or a part of it: the path has its name.
func isPart(r diag.Region, f diag.Field) bool {
	table, _, _ := strings.Cut(r.Path[strings.LastIndexByte(r.Path, '.')+1:], "[")
	return table == f.Table || strings.HasSuffix(r.Path, "."+f.Name) ||
		strings.Contains(r.Path, "."+f.Name+".")
}

// largest returns the largest integer of size bytes.
func largest(size int) uint64 { return 1<<(8*size-1)<<1 - 1 }

// forbidden draws a value up to most that is in none of the ranges of a rule.
func forbidden(c *Choices, rule wire.FieldRule, most uint64) uint64 {
	v := c.Within(0, most)
	if c.Bits(2) == 0 {
		v = (Pick(c, rule.Ranges) + c.Within(0, 2) - 1) & most
	}
	for range len(rule.Ranges) + 1 {
		i := 0
		for ; i < len(rule.Ranges) && (v < rule.Ranges[i] || v > rule.Ranges[i+1]); i += 2 {
		}
		if i == len(rule.Ranges) {
			return v
		}
		v = (rule.Ranges[i+1] + 1) & most
	}
	panic(fmt.Sprintf("gen: %s seems to allow every value", rule.ID))
}
