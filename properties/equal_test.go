package properties_test

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/internal/long"
)

// ofLayout reports whether a field describes where bytes were or which bytes have no owner, or
// chooses among canonical forms. Equal of no format compares these.
func ofLayout(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "."),
		func(name string) bool { return slices.Contains([]string{"Layout", "Slack", "Style"}, name) })
}

// noticesChanges changes each scalar and string of drawn models, and drops the last element of
// each slice, one after the other. Equal must notice each change, unless the field belongs to
// the layout or the canonical form stays the same.
func noticesChanges[F judge.File[F]](t *testing.T, model func(c *gen.Choices) F) {
	const seed = 1
	unnoticed, noticed := map[string]bool{}, map[string]bool{}
	for n := range long.Numbers(t, 40, long.Few(12, 8)) {
		m := model(gen.From(gen.Seed(seed, uint64(n))))
		twin := model(gen.From(gen.Seed(seed, uint64(n))))
		if !m.Equal(twin) {
			t.Fatalf("model %d of seed %d is not equal to itself", n, seed)
		}
		eachLeaf(reflect.ValueOf(twin).Elem(), "", func(path string, leaf reflect.Value) {
			old := reflect.New(leaf.Type()).Elem()
			old.Set(leaf)
			change(leaf)
			if !m.Equal(twin) {
				noticed[path] = true
			} else if !slices.Equal(written(m.Canonical()), written(twin.Canonical())) {
				unnoticed[path] = true
			}
			leaf.Set(old)
		})
	}
	for path := range unnoticed {
		if !ofLayout(path) {
			t.Errorf("Equal does not notice another %s (noticed elsewhere: %t)", path, noticed[path])
		}
	}
	if len(noticed) == 0 {
		t.Error("Equal notices nothing")
	}
}

// written returns the bytes of a model, nil when it cannot be written.
func written(m encoding.BinaryAppender) []byte {
	b, _ := m.AppendBinary(nil)
	return b
}

// eachLeaf visits the exported scalars, strings and slices of a value; path
// names the fields, without indices.
func eachLeaf(v reflect.Value, path string, visit func(path string, leaf reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachLeaf(v.Elem(), path, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachLeaf(v.Field(i), strings.TrimPrefix(path+"."+f.Name, "."), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Len() > 0 && v.CanSet() {
			visit(path, v)
		}
		for i := range min(v.Len(), 4) {
			eachLeaf(v.Index(i), path, visit)
		}
	default:
		if v.CanSet() {
			visit(path, v)
		}
	}
}

// change sets a scalar or string to another value and shortens a slice.
func change(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Slice:
		v.Set(v.Slice(0, v.Len()-1))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() ^ 1)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	}
}
