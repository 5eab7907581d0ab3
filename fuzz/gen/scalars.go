package gen

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	gofuzz "github.com/google/gofuzz"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Free returns a T with any values in its scalar fields, drawn by reflection, so that a new field needs no code here. A
// field with a rule gets an allowed value; in an odd T, only rules of severity error count. The caller sets lists,
// texts, pointers and fields that depend on others. With choices of zero every field is zero, or the first value that
// its rule allows.
func Free[T any](c *Choices, rules FieldRules, odd bool) (v T) {
	for _, f := range rules.of(reflect.TypeFor[T]()) {
		v := reflect.ValueOf(&v).Elem()
		for _, i := range f.index {
			v = v.Field(i)
		}
		allowed := f.valid
		if odd {
			allowed = f.odd
		}
		if allowed != nil {
			v.Set(reflect.ValueOf(allowed(c.Within(0, math.MaxUint32))).Convert(v.Type()))
		} else if f.bytes {
			copy(v.Bytes(), c.Data(v.Len()))
		} else {
			c.fuzzer().Fuzz(v.Addr().Interface())
		}
	}
	return v
}

// Change gives *p any other value; none is right.
func Change[T wire.Int](c *Choices, p *T) {
	*p ^= T(c.Nonzero(Largest(int(reflect.TypeFor[T]().Size()))))
}

// Scalars draws new values for some scalar fields of the model to which m points, and in some models makes two
// elements of a list equal. Lengths of lists, strings and the targets of pointers stay. Most results break a rule, so
// that a writer must refuse them; it must never write another model.
func (c *Choices) Scalars(m any) {
	var list []any
	var lists []reflect.Value
	scalars(reflect.ValueOf(m), &list, &lists)
	if len(lists) > 0 && c.Chance(4) {
		l := Pick(c, lists)
		l.Index(c.Below(l.Len())).Set(l.Index(c.Below(l.Len())))
	}
	for range 1 + c.Below(4) {
		if len(list) > 0 {
			c.fuzzer().Fuzz(Pick(c, list))
		}
	}
}

// fuzzer returns a gofuzz fuzzer that draws scalars of any type.
func (c *Choices) fuzzer() *gofuzz.Fuzzer {
	if c.any == nil {
		own := *anything // making one from nothing costs more than a small file
		c.any = own.RandSource(words{c})
	}
	return c.any
}

var anything = gofuzz.NewWithSeed(0).NilChance(0).Funcs(
	func(v *bool, c gofuzz.Continue) { *v = c.Uint32()&1 != 0 }, // false with choices of zero
)

// words is the choices as a math/rand source, of which gofuzz takes the upper half of each
// number. Values at the ends of the range break bounds that random ones do not reach.
type words struct{ *Choices }

func (w words) Uint64() uint64 { return uint64(w.Int63()) << 1 }
func (w words) Int63() int64   { return int64(w.Within(0, math.MaxUint32)) << 31 }
func (w words) Seed(int64)     {}

// field is a part of a type that is a scalar or an array of scalars: the type itself, or a
// field of a struct.
type field struct {
	index []int
	name  string // its path of JSON names
	size  int
	bytes bool // it is an array of bytes
	// valid and odd return an allowed value for any n: valid for a file without findings, odd for a file without
	// errors. nil: every value is allowed.
	valid, odd func(n uint64) uint64
}

// matches reports whether a record has the field under a name of its own.
func (f field) matches(of diag.Field) bool {
	return of.Size == f.size && strings.EqualFold(of.Name, f.name)
}

// appendFields appends the fields of the type t of field f.
func appendFields(list []field, t reflect.Type, f field) []field {
	f.size = int(t.Size())
	kind := t.Kind()
	if kind == reflect.Array {
		kind = t.Elem().Kind()
		f.bytes = kind == reflect.Uint8
	}
	if isScalar(kind) {
		return append(list, f)
	}
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		in, part := t.Field(i), field{index: append(slices.Clip(f.index), i), name: f.name}
		if tag, _, _ := strings.Cut(in.Tag.Get("json"), ","); !in.Anonymous {
			part.name = strings.TrimPrefix(f.name+"."+cmp.Or(tag, in.Name), ".")
		}
		if in.IsExported() {
			list = appendFields(list, in.Type, part)
		}
	}
	return list
}

func isScalar(k reflect.Kind) bool { return k >= reflect.Bool && k <= reflect.Uint64 }

// scalars appends pointers to the integers and booleans that v holds, and its lists of at least two structures.
func scalars(v reflect.Value, list *[]any, lists *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scalars(v.Elem(), list, lists)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scalars(v.Field(i), list, lists)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Len() > 1 && !isScalar(v.Type().Elem().Kind()) {
			*lists = append(*lists, v)
		}
		for i := range v.Len() {
			scalars(v.Index(i), list, lists)
		}
	default:
		if isScalar(v.Kind()) && v.CanAddr() {
			*list = append(*list, v.Addr().Interface())
		}
	}
}
