package diff

import (
	"cmp"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// Difference is one field that differs. A or B is empty when only the other
// model has it.
type Difference struct {
	Path string `json:"path"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// maxDifferences bounds the list of differences; further ones are counted.
const maxDifferences = 1000

// maxShown bounds the text of a value.
const maxShown = 120

// walker compares two values of one type, field by field.
type walker struct {
	skip  func(path string) bool
	found []Difference
	more  int
	names map[string]string // of elements that are compared by name, by the path of a difference
	form  []Difference      // in layout, not in content
}

func (w *walker) leaf(path, a, b string) {
	switch {
	case w.skip(path):
	case len(w.found) == maxDifferences:
		w.more++
	default:
		skip := 0
		if len(a) > maxShown && len(b) > maxShown {
			skip = common(a, b)
		}
		w.found = append(w.found, Difference{path, cut(a, skip), cut(b, skip)})
	}
}

// common returns the number of equal bytes to leave out at the start of two texts, so that the
// first difference is visible.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n < maxShown/2 {
		return 0
	}
	n -= 16
	for n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// cut returns a part of a text, without its beginning.
func cut(s string, skip int) string {
	if skip > 0 {
		s = "..." + s[skip:]
	}
	if len(s) > maxShown {
		return s[:maxShown] + "..."
	}
	return s
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

var (
	codeType     = reflect.TypeFor[code]()
	constantType = reflect.TypeFor[constant]()
	formType     = reflect.TypeFor[gshForm]()
	textType     = reflect.TypeFor[encoding.TextMarshaler]()
	// byRegister holds the types of lists in ascending order of registers.
	// Elements are compared by register, not by index.
	byRegister = []reflect.Type{reflect.TypeFor[[]zpsh.Int](), reflect.TypeFor[[]zpshFloat](),
		reflect.TypeFor[[]zpsh.Output]()}
)

// values compares two values of one type.
func (w *walker) values(path string, a, b reflect.Value) {
	t := a.Type()
	switch {
	case t == codeType:
		a.Interface().(code).compare(w, path, b.Interface().(code))
	case t == constantType:
		a.Interface().(constant).compare(w, path, b.Interface().(constant))
	case t == formType:
		form := walker{skip: w.skip}
		form.structs(join(path, "layout"), a, b)
		w.form = append(w.form, form.found...)
	case t == restType:
		a.Interface().(Rest).compare(w, path, b.Interface().(Rest))
	case isLeaf(t):
		if !equal(a, b) {
			w.leaf(path, show(a), show(b))
		}
	case t.Kind() == reflect.Struct:
		w.structs(path, a, b)
	case slices.Contains(byRegister, t):
		w.registers(path, a, b)
	case slices.Contains(byName, t):
		w.named(path, a, b)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		w.lists(path, a, b)
	case a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type():
		if !a.IsNil() || !b.IsNil() {
			w.leaf(path, show(a), show(b))
		}
	default:
		w.values(path, a.Elem(), b.Elem())
	}
}

// isLeaf reports whether values of a type are compared as a whole: bytes, texts and
// numbers are.
func isLeaf(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return t.Elem().Kind() == reflect.Uint8
	case reflect.Struct:
		return t.Implements(textType)
	case reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

func equal(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice {
		return string(a.Bytes()) == string(b.Bytes())
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// noContent lists fields of models that describe the writing and reading of a file.
var noContent = []string{"-", "layout", "leniencies", "slack"}

// structs compares two structs field by field.
func (w *walker) structs(path string, a, b reflect.Value) {
	kind, isGX2 := gx2Type(a, b)
	for _, f := range members(a.Type()) {
		name, tagged := jsonName(f)
		switch {
		case isGX2 && w.gx2Field(path, name, kind, a.FieldByIndex(f.Index), b.FieldByIndex(f.Index)):
		case !f.IsExported() && !f.Anonymous || slices.Contains(noContent, name):
		case name == "" && (f.Anonymous || tagged):
			w.values(path, a.FieldByIndex(f.Index), b.FieldByIndex(f.Index))
		default:
			w.values(join(path, cmp.Or(name, f.Name)), a.FieldByIndex(f.Index), b.FieldByIndex(f.Index))
		}
	}
}

func jsonName(f reflect.StructField) (name string, tagged bool) {
	tag, tagged := f.Tag.Lookup("json")
	name, _, _ = strings.Cut(tag, ",")
	return name, tagged
}

// members returns the fields of a struct. If it embeds a part of a model first, the fields of that part are members
// too; a field of the struct replaces the field of the part with the same name.
func members(t reflect.Type) (list []reflect.StructField) {
	part := t.Field(0)
	if !part.Anonymous || part.Type.Kind() != reflect.Struct {
		return slices.Collect(t.Fields())
	}
	for f := range part.Type.Fields() {
		f.Index = append(part.Index, f.Index...)
		if own, _ := t.FieldByName(f.Name); len(own.Index) == 1 && !own.Anonymous {
			f = own
		}
		list = append(list, f)
	}
	for f := range t.Fields() {
		if _, replaces := part.Type.FieldByName(f.Name); !replaces && f.Name != part.Name {
			list = append(list, f)
		}
	}
	return list
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// trim returns the range in which two lists differ: elements before first are the
// same, and so are elements from lastA and lastB on.
func trim(a, b int, same func(i, j int) bool) (first, lastA, lastB int) {
	for first < min(a, b) && same(first, first) {
		first++
	}
	for a > first && b > first && same(a-1, b-1) {
		a, b = a-1, b-1
	}
	return first, a, b
}

// lists compares lists by index. Lists of different lengths are compared between
// their common start and their common end.
func (w *walker) lists(path string, a, b reflect.Value) {
	same := func(i, j int) bool {
		probe := walker{skip: func(string) bool { return false }}
		probe.values("", a.Index(i), b.Index(j))
		return len(probe.found) == 0
	}
	if a.Len() == b.Len() {
		for i := range a.Len() {
			w.values(index(path, i), a.Index(i), b.Index(i))
		}
		return
	}
	first, lastA, lastB := trim(a.Len(), b.Len(), same)
	for i := first; i < max(lastA, lastB); i++ {
		switch {
		case i >= lastB:
			w.leaf(index(path, i), show(a.Index(i)), "")
		case i >= lastA:
			w.leaf(index(path, i), "", show(b.Index(i)))
		default:
			w.values(index(path, i), a.Index(i), b.Index(i))
		}
	}
}

// registers compares two lists by ascending register.
func (w *walker) registers(path string, a, b reflect.Value) {
	register := func(list reflect.Value, i int) int {
		if i == list.Len() {
			return math.MaxInt
		}
		return int(list.Index(i).FieldByName("Register").Uint())
	}
	for i, j := 0, 0; i < a.Len() || j < b.Len(); {
		switch m, n := register(a, i), register(b, j); {
		case m < n:
			w.leaf(index(path, m), show(a.Index(i)), "")
			i++
		case m > n:
			w.leaf(index(path, n), "", show(b.Index(j)))
			j++
		default:
			w.values(index(path, m), a.Index(i), b.Index(j))
			i, j = i+1, j+1
		}
	}
}

// show formats a value; a nil value gives "".
func show(v reflect.Value) string {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return ""
	}
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case fmt.Stringer:
			return x.String()
		case encoding.TextMarshaler:
			b, err := x.MarshalText()
			if err == nil {
				return strconv.Quote(string(b))
			}
		}
	}
	var parts []string
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Pointer, reflect.Interface:
		return show(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && i < maxShown; i++ {
			parts = append(parts, show(v.Index(i)))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case reflect.Struct:
		for _, f := range members(v.Type()) {
			if name, _ := jsonName(f); f.IsExported() && name != "-" {
				parts = append(parts, strings.TrimSpace(name+" "+show(v.FieldByIndex(f.Index))))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v.Interface())
}
