package diff

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// byName holds the types of lists whose elements are compared by name, not by index.
var byName = []reflect.Type{
	reflect.TypeFor[[]uniform](), reflect.TypeFor[[]gx2.UniformBlock](), reflect.TypeFor[[]gx2.UniformVar](),
	reflect.TypeFor[[]gx2.SamplerVar](), reflect.TypeFor[[]gx2.AttribVar](), reflect.TypeFor[[]sharcfb.Symbol](),
}

// maxNameBytes bounds the names of a list that is compared by name: names of a hostile file share their bytes.
const maxNameBytes = 1 << 20

// nameIndices returns the index of each name of a list; ok is false if two elements have one name, or if the names
// are too long.
func nameIndices(list reflect.Value) (indices map[string]int, ok bool) {
	indices = make(map[string]int, list.Len())
	size := 0
	for i := range list.Len() {
		if size += len(nameOf(list, i)); size > maxNameBytes {
			return nil, false
		}
		indices[nameOf(list, i)] = i
	}
	return indices, len(indices) == list.Len()
}

func nameOf(list reflect.Value, i int) string { return list.Index(i).FieldByName("Name").String() }

// named compares two lists by name. The index in a path is that in a, or in b for an element that only b has. Lists in
// which a name is twice are compared by index.
func (w *walker) named(path string, a, b reflect.Value) {
	inA, okA := nameIndices(a)
	inB, okB := nameIndices(b)
	if !okA || !okB {
		w.lists(path, a, b)
		return
	}
	last, moved := -1, false
	for i := range a.Len() {
		name := nameOf(a, i)
		j, both := inB[name]
		if !both {
			w.leaf(index(path, i), show(a.Index(i)), "")
			continue
		}
		moved = moved || j < last
		last = j
		before := len(w.found)
		w.values(index(path, i), a.Index(i), b.Index(j))
		for _, d := range w.found[before:] {
			if w.names == nil {
				w.names = make(map[string]string)
			}
			w.names[d.Path] = cut(name, 0)
		}
	}
	for j := range b.Len() {
		if name := nameOf(b, j); !has(inA, name) {
			w.leaf(index(path, j), "", show(b.Index(j)))
		}
	}
	if moved {
		w.leaf(join(path, "order"), order(a), order(b))
	}
}

func has(indices map[string]int, name string) bool {
	_, ok := indices[name]
	return ok
}

// order lists the names of a list.
func order(elements reflect.Value) string {
	list := make([]string, min(elements.Len(), maxShown))
	for i := range list {
		list[i] = strconv.Quote(nameOf(elements, i))
	}
	return strings.Join(list, " ")
}

var wordsType, hexType = reflect.TypeFor[[]uint32](), reflect.TypeFor[wire.Hex]()

// gx2Field compares the registers of a GX2 shader by name, and its code by instruction or, if it cannot be taken apart,
// by offset. It reports whether the field is one of these.
func (w *walker) gx2Field(path, field string, kind gx2.Type, a, b reflect.Value) bool {
	switch {
	case field == "registers" && a.Type() == wordsType && kind.Known():
		return w.gx2Registers(path, kind, a.Interface().([]uint32), b.Interface().([]uint32))
	case (field == "code" || field == "copy_code") && a.Type() == hexType:
		path := join(path, field)
		return w.microcode(path, a.Bytes(), b.Bytes()) || w.opaqueCode(path, a.Bytes(), b.Bytes())
	}
	return false
}

func (w *walker) gx2Registers(path string, kind gx2.Type, a, b []uint32) bool {
	names := kind.RegisterNames()
	if len(a) != len(names) || len(b) != len(names) {
		return false
	}
	value := func(i int, word uint32) string {
		if text := kind.Register(i).Text(word); text != "" {
			return fmt.Sprintf("0x%x: %s", word, text)
		}
		return fmt.Sprintf("0x%x", word)
	}
	for i := range names {
		if a[i] != b[i] {
			w.leaf(join(path, names[i]), value(i, a[i]), value(i, b[i]))
		}
	}
	return true
}

// codeRow is the number of bytes of opaque code that are compared as one.
const codeRow = 8

// opaqueCode compares code of one length in rows of bytes.
func (w *walker) opaqueCode(path string, a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for at := 0; at < len(a); at += codeRow {
		end := min(at+codeRow, len(a))
		if x, y := a[at:end], b[at:end]; string(x) != string(y) {
			w.leaf(fmt.Sprintf("%s[0x%x]", path, at), fmt.Sprintf("% x", x), fmt.Sprintf("% x", y))
		}
	}
	return true
}

// gx2Type returns the type of two GX2 shaders of one type.
func gx2Type(a, b reflect.Value) (kind gx2.Type, ok bool) {
	if field := a.FieldByName("Type"); field.IsValid() && field.CanInterface() {
		if kind, ok = field.Interface().(gx2.Type); ok {
			return kind, b.FieldByName("Type").Interface() == field.Interface()
		}
	}
	return 0, false
}
