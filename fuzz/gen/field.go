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

// allowed returns values that all rules about a field of a record allow, nil without a rule.
func allowed(rules []wire.FieldRule, record diag.Struct, f field) func(n uint64) uint64 {
	rules = slices.DeleteFunc(slices.Clone(rules), func(rule wire.FieldRule) bool {
		return &rule.Record[0] != &record[0] || !f.matches(record[rule.Field])
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
		if !slices.ContainsFunc(list, func(f Fault) bool { return f.Rule == rule.ID }) {
			list = append(list, Fault{Rule: rule.ID, Also: x.Also,
				Spoil: func(c *Choices) ([]byte, Place) { return x.spoil(c, rule) }})
		}
	}
	return list
}

func (x FieldFaults[O]) spoil(c *Choices, rule wire.FieldRule) ([]byte, Place) {
	d := x.draft(c)
	places := fieldsIn(d.Regions, rule)
	for n := uint64(0); len(places) == 0; n++ { // the file lacks the record
		if n == maxDraws {
			panic(fmt.Sprintf("gen: no file has the record of %s", rule.ID))
		}
		d = x.draft(From(Seed(c.Bits(16), n)))
		places = fieldsIn(d.Regions, rule)
	}
	c.Valid(func() []byte { return slices.Clone(d.Bytes) })
	field := Pick(c, places)
	d.Set(field.Path, nearMiss(c, rule, forbidden(c, rule, field.Len), d.Get(field.Path)))
	return d.Bytes, d.Place(field.Path)
}

// nearMiss returns wrong. In a near miss it returns the end of the allowed range, or another allowed value if the field
// has that one or the rule has no range.
func nearMiss(c *Choices, rule wire.FieldRule, wrong, old uint64) uint64 {
	right := rule.Expected.N
	if rule.Nth != nil && (!rule.Allows(right) || right == old) {
		right = rule.Nth(wrong)
	}
	if !rule.Allows(right) || rule.Nth != nil && rule.Nth(0) == rule.Nth(1) {
		return Only(c, wrong, old)
	}
	return Breach(c, wrong, right)
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

// Largest returns the largest integer of size bytes.
func Largest(size int) uint64 { return 1<<(8*size-1)<<1 - 1 }

// forbidden draws a value of size bytes that a rule forbids. It passes over a run of
// allowed values in growing steps, because the run may be long; if that finds none, a
// value at the end of the range or beside the allowed one must be forbidden.
func forbidden(c *Choices, rule wire.FieldRule, size int) uint64 {
	most := Largest(size)
	v := c.Within(0, most)
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
