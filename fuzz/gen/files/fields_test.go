package files_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// Why a field has one value only.
const (
	constant = "a rule of severity error allows one value"
	parsed   = "a parse sets it"
	onlyOne  = "the format has one leniency"
)

// fixed lists the scalar fields of models that have one value in all files that
// are accepted, with the reason.
var fixed = map[string]string{
	"bnsh bnsh.Version.Major":              constant,
	"dvoj shbin.Constant.Reserved1":        constant,
	"dvoj shbin.Constant.Reserved3":        constant,
	"gsh gsh.Shader.Slack?":                parsed,
	"sharcfb gx2.Shader.InitialValues.len": constant,
	"gsh gsh.File.Leniencies[]":            onlyOne,
	"shbin shbin.File.Leniencies[]":        onlyOne,
	"shbin shbin.Constant.Reserved1":       constant,
	"shbin shbin.Constant.Reserved3":       constant,
}

// TestEveryFieldIsDrawn: every scalar field of every model is drawn with more
// than one value, so that a new field cannot be forgotten. A rare field, such as the length of a
// gap, which only one warning makes, needs more files than the others.
func TestEveryFieldIsDrawn(t *testing.T) {
	const runs, most = uint64(400), uint64(4000)
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		values := map[string]map[string]bool{}
		for _, l := range leniences {
			for n := range runs / 10 {
				if l.format != format.Name {
					break
				}
				if doc, err := known.Parse(l.file(n).Data, l.option); err == nil {
					scalars(values, reflect.TypeOf(doc.Model()).Elem().String(), reflect.ValueOf(doc.Model()))
				}
			}
		}
		n := uint64(0)
		for ; n < runs || n < most && len(wrongCounts(format.Name, values)) > 0; n++ {
			for _, draw := range []func(gen.Format, *gen.Choices) files.Case{files.Valid, files.Odd} {
				if doc, err := known.Parse(draw(format, gen.From(gen.Seed(seed, n))).Data); err == nil {
					scalars(values, reflect.TypeOf(doc.Model()).Elem().String(), reflect.ValueOf(doc.Model()))
				}
			}
		}
		for _, text := range wrongCounts(format.Name, values) {
			t.Errorf("seed %d, %d files: %s", seed, 2*n, text)
		}
		if len(values) == 0 {
			t.Errorf("%s: no model has a scalar", format.Name)
		}
	}
}

// wrongCounts lists the fields that have one value without a known reason, and those that have several in spite of one.
func wrongCounts(format string, values map[string]map[string]bool) (list []string) {
	for path, seen := range values {
		switch reason, known := fixed[format+" "+path]; {
		case len(seen) < 2 && !known:
			list = append(list, fmt.Sprintf("%s %s has one value only: %v", format, path, seen))
		case len(seen) > 1 && known:
			list = append(list, fmt.Sprintf("%s %s has several values; it is listed because %s", format, path, reason))
		}
	}
	slices.Sort(list)
	return list
}

// scalars notes the values of all scalars in v by type and name of the field. A type may be
// at several places, of which not all use all of its fields: each form of a program has
// its own. Elements of a list are all one field.
func scalars(values map[string]map[string]bool, path string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !strings.HasSuffix(path, "File") && !strings.HasSuffix(path, "Layout") { // a parse sets both
			note(values, path+"?", v.IsNil())
		}
		if !v.IsNil() {
			scalars(values, path, v.Elem())
		}
	case reflect.Struct:
		if v.Type().Name() != "" {
			path = v.Type().String()
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				scalars(values, path+"."+f.Name, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			note(values, path+".len", v.Len())
		}
		for i := range min(v.Len(), 64) {
			scalars(values, path+"[]", v.Index(i))
		}
	default:
		note(values, path, v.Interface())
	}
}

// note keeps the first values of a field.
func note(values map[string]map[string]bool, path string, value any) {
	if values[path] == nil {
		values[path] = map[string]bool{}
	}
	if len(values[path]) < 2 {
		values[path][fmt.Sprint(value)] = true
	}
}
