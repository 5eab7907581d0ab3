package gen

import (
	"reflect"
	"slices"

	gofuzz "github.com/google/gofuzz"
)

// Scalars draws new values for some of the scalar fields of a model, which m
// points to, by reflection: a field that a model gains is drawn without
// anybody's remembering it. Lengths, strings and what pointers point at stay.
// Most results break a rule, so that a writer must refuse them; it must never
// write another model than this one.
func (c *Choices) Scalars(m any) {
	fuzzer := gofuzz.NewWithSeed(0).RandSource(words{c}).NilChance(0).Funcs(
		// Values at the ends of the range break bounds that random ones do not reach.
		func(v *uint32, _ gofuzz.Continue) { *v = uint32(c.Within(0, 1<<32-1)) },
		func(v *uint64, _ gofuzz.Continue) { *v = c.Within(0, 1<<64-1) },
	)
	var list []any
	scalars(reflect.ValueOf(m), &list)
	for range 1 + c.Below(4) {
		if len(list) > 0 {
			fuzzer.Fuzz(Pick(c, list))
		}
	}
}

// Free sets the integers of a struct, which m points to, to what draw returns, in
// the order of the fields, but for the named fields. It serves records whose other
// fields may have any value: a field that is added is drawn too.
func Free(m any, draw func() uint32, but ...string) {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		if !slices.Contains(but, v.Type().Field(i).Name) {
			v.Field(i).Set(reflect.ValueOf(draw()).Convert(v.Field(i).Type()))
		}
	}
}

// words is the choices as a math/rand source, which gofuzz takes.
type words struct{ *Choices }

func (w words) Uint64() uint64 { return w.Bits(64) }
func (w words) Int63() int64   { return int64(w.Bits(63)) }
func (w words) Seed(int64)     {}

// scalars appends pointers to the integers and booleans that v holds.
func scalars(v reflect.Value, list *[]any) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scalars(v.Elem(), list)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scalars(v.Field(i), list)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			scalars(v.Index(i), list)
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.CanAddr() {
			*list = append(*list, v.Addr().Interface())
		}
	}
}
