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
	fields      *sync.Map // of each type that was drawn
}

// NewFieldRules returns the rules of record tables that a format has; rules holds its rules.
// A record of two formats may have rules that only the other one has.
func NewFieldRules(rules []diag.Rule, records ...wire.Documented) FieldRules {
	r, set := FieldRules{fields: new(sync.Map)}, diag.NewRuleSet(rules)
	for _, record := range records {
		r.records = append(r.records, record.Fields())
		for _, of := range record.FieldRules() {
			rule := set[of.ID]
			if rule == nil {
				continue
			}
			of.Rules = of.Rules.Of(set)
			if r.all = append(r.all, of); rule.Severity == diag.Error {
				r.errors = append(r.errors, of)
			}
		}
	}
	return r
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

// allowed returns values that all rules without conditions about a field of a record allow, nil without a rule.
func allowed(rules []wire.FieldRule, record diag.Struct, f field) func(n uint64) uint64 {
	rules = slices.DeleteFunc(slices.Clone(rules), func(rule wire.FieldRule) bool {
		return rule.If || &rule.Record[0] != &record[0] || !f.matches(record[rule.Field])
	})
	if len(rules) == 0 {
		return nil
	}
	return func(n uint64) uint64 {
		for k := range uint64(maxDraws) {
			for _, rule := range rules { // the narrowest one has values that the others allow, too
				v := (n + k) & Largest(f.size)
				if rule.Nth != nil {
					v = rule.Nth(n + k)
				}
				if !slices.ContainsFunc(rules, func(r wire.FieldRule) bool { return !r.Allows(v) }) {
					return v
				}
			}
		}
		panic(fmt.Sprintf("gen: no value found that %s and the other rules about %s allow", rules[0].ID, f.name))
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
}

// With adds a fault to known for each rule that known does not break: the field of a
// valid file gets a value that the rule forbids. The rule then needs no fault of its own,
// unless another rule cannot stay silent.
func (x FieldFaults[O]) With(known []Fault) []Fault {
	list := slices.Clip(known)
	for _, rule := range x.Rules.all {
		if !slices.ContainsFunc(known, func(f Fault) bool { return f.Rule == rule.ID }) {
			list = append(list, Fault{Rule: rule.ID, Also: x.Also,
				Spoil: func(c *Choices) ([]byte, Place) { return x.spoil(c, rule) }})
		}
	}
	return list
}

func (x FieldFaults[O]) spoil(c *Choices, rule wire.FieldRule) ([]byte, Place) {
	d := x.draft(c)
	for n := uint64(0); ; n++ {
		if records := recordsIn(d.Regions, rule.Record); len(records) > 0 {
			first := c.Below(len(records))
			for i := range records {
				if at, ok := x.breakField(c, d, records[(first+i)%len(records)], rule); ok {
					return d.Bytes, at
				}
			}
		}
		if n == maxDraws { // all files lack the record, or the conditions of the rule
			panic(fmt.Sprintf("gen: no file has a record that can break %s", rule.ID))
		}
		d = x.draft(From(Seed(c.Bits(16), n)))
	}
}

// breakField gives the field of a rule a forbidden value, or the right value of a near miss. Neither changes whether the
// record breaks other rules about its fields; ok is false if no such value is found.
func (x FieldFaults[O]) breakField(c *Choices, d *Draft, record []Place, rule wire.FieldRule) (at Place, ok bool) {
	at = record[rule.Field]
	draw := func(int) (Place, uint64) { return at, forbidden(c, rule, d.Number(at), at.Len) }
	if rule.Place {
		count, next := rule.Field+1, rule.Field+3
		if d.Number(record[count]) == 0 || next < len(record) && d.Number(record[next]) == 0 {
			return at, false // the offset of the table means nothing, or the offset of the next one would have to follow
		}
		draw = func(try int) (Place, uint64) { return misplaced(c, d, record, rule, try%2 == 0) }
	}
	valid := slices.Clone(d.Bytes)
	broken := func() []string { return rule.Rules.BrokenIn(wire.In(d.order, d.Bytes), uint64(record[0].Off)) }
	others := slices.DeleteFunc(broken(), func(id string) bool { return id == rule.ID })
	breaks := func(at Place, v uint64, wanted bool) bool {
		d.Store(at, v)
		now := broken()
		rest := slices.DeleteFunc(slices.Clone(now), func(id string) bool { return id == rule.ID })
		return len(now) > len(rest) == wanted && slices.Equal(rest, others)
	}
	for try := range maxDraws {
		field, wrong := draw(try)
		old := d.Number(field)
		if !breaks(field, wrong, true) {
			d.Store(field, old)
			continue
		}
		c.Valid(func() []byte { return valid })
		var near []uint64
		switch {
		case rule.Place:
		case rule.Nth == nil:
			near = append(near, rule.Expected.N)
		case rule.Nth(0) != rule.Nth(1):
			near = slices.DeleteFunc([]uint64{rule.Expected.N, rule.Nth(wrong)}, func(v uint64) bool { return v == old })
		}
		if i := slices.IndexFunc(near, func(v uint64) bool { return breaks(field, v, false) }); i >= 0 {
			d.Store(field, Breach(c, wrong, near[i]))
		} else {
			d.Store(field, Only(c, wrong, old))
		}
		return at, true
	}
	return at, false
}

// misplaced draws a forbidden value for the offset of a table. If long is set, it may be a number of entries, which is in
// the next field.
func misplaced(c *Choices, d *Draft, record []Place, rule wire.FieldRule, long bool) (field Place, v uint64) {
	at, count := record[rule.Field], record[rule.Field+1]
	old, room := d.Number(at), uint64(len(d.Bytes)-record[0].Off)
	switch {
	case rule.Entry == 0 && rule.Allows(old+1): // must not be inside the header
		return at, c.Within(0, rule.Edges()[0])
	case rule.Entry == 0: // must be aligned
		return at, old + c.Within(1, 3)
	case long && c.Bits(1) == 1:
		least := (room-old)/rule.Entry + 1
		return count, Pick(c, []uint64{least, least + c.Bits(3), least + c.Bits(20), 1<<32/rule.Entry + c.Bits(2)})
	}
	beyond := (room-rule.Entry*d.Number(count))/4*4 + 4
	return at, Pick(c, []uint64{beyond, beyond - c.Bits(2), beyond + 4*c.Bits(6), beyond + 4*c.Bits(28)})
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

// maxDraws bounds the search for a file with a record.
const maxDraws = 100

// recordsIn returns the places of the fields of each record with given fields: consecutive regions have their names and
// sizes. A field may also be several regions, as the payload of a constant is; its place is the place of the first one.
func recordsIn(regions []diag.Region, fields diag.Struct) (list [][]Place) {
	for i := range regions {
		rest, record := regions[i:], []Place(nil)
		for _, f := range fields {
			n, size := 0, 0
			for n < len(rest) && size < f.Size && isPart(rest[n], f) {
				size += rest[n].Len
				n++
			}
			if size != f.Size {
				break
			}
			record = append(record, placeOf(rest[0]))
			rest = rest[n:]
		}
		if len(record) == len(fields) {
			list = append(list, record)
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

// Largest returns the largest integer of size bytes.
func Largest(size int) uint64 { return wire.Largest(size) }

// forbidden draws a value of size bytes that a rule forbids: one beside the allowed range, the old value with another
// bit, or any. It passes over a run of allowed values in growing steps, because the run may be long; if that finds none,
// a value at the end of the range or beside the allowed one must be forbidden.
func forbidden(c *Choices, rule wire.FieldRule, old uint64, size int) uint64 {
	most, edges := Largest(size), rule.Edges()
	next := edges[1] & most
	if !rule.Allows(old + 1) {
		next = (old + 1) & most
	}
	v := Pick(c, []uint64{next, edges[0] & most, old ^ 1<<c.Below(8*size), c.Within(0, most)})
	for step := uint64(1); step <= most && rule.Allows(v); step *= 2 {
		v = (v + step) & most
	}
	for _, edge := range [...]uint64{most, 0, rule.Expected.N + 1, rule.Expected.N - 1} {
		if rule.Allows(v) {
			v = edge & most
		}
	}
	if rule.Allows(v) {
		panic(fmt.Sprintf("gen: %s seems to allow every value", rule.ID))
	}
	return v
}
