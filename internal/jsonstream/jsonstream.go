// Package jsonstream serves this module: it writes large values as JSON piece by piece. The bytes are
// those of encoding/json, which needs several times the length of its text in memory.
package jsonstream

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Encode writes a value with a line feed behind it, as a json.Encoder does that does not escape
// characters of HTML and indents by two blanks. Lists, objects and maps are written while they are
// walked through; a value with a method of its own for JSON or text is one piece.
func Encode(w io.Writer, v any) error {
	s := &stream{w: w, kinds: map[reflect.Type]kind{}}
	s.encoder = json.NewEncoder(&s.piece)
	s.encoder.SetEscapeHTML(false)
	s.value(reflect.ValueOf(v), 0)
	s.text("\n")
	return s.err
}

type stream struct {
	w       io.Writer
	err     error
	piece   bytes.Buffer
	encoder *json.Encoder
	kinds   map[reflect.Type]kind
}

// kind says how values of a type are written.
type kind uint8

const (
	unknown kind = iota
	onePiece
	byParts
)

const indent = "  "

func (s *stream) text(t string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, t)
	}
}

// line begins a line at a depth.
func (s *stream) line(depth int) {
	s.text("\n")
	for range depth {
		s.text(indent)
	}
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// value writes a value.
func (s *stream) value(v reflect.Value, depth int) {
	if s.err != nil {
		return
	}
	if !v.IsValid() || s.kindOf(v.Type()) == onePiece {
		s.whole(v, depth)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			s.value(v.Elem(), depth)
			return
		}
	case reflect.Slice, reflect.Array:
		isNil := v.Kind() == reflect.Slice && v.IsNil()
		if !isNil && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8 {
			s.list(v, depth)
			return
		}
	case reflect.Map:
		if v.Len() > 0 {
			s.object(depth, func(member func(name string, v reflect.Value)) {
				keys := v.MapKeys()
				slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
				for _, k := range keys {
					member(k.String(), v.MapIndex(k))
				}
			})
			return
		}
	case reflect.Struct:
		s.object(depth, func(member func(name string, v reflect.Value)) { fields(v, member) })
		return
	}
	s.whole(v, depth)
}

// kindOf returns the kind of a type.
func (s *stream) kindOf(t reflect.Type) kind {
	k := s.kinds[t]
	if k == unknown {
		k = byParts
		switch {
		case own(t):
			k = onePiece
		case t.Kind() == reflect.Map && (t.Key().Kind() != reflect.String || own(t.Key())):
			k = onePiece
		case t.Kind() == reflect.Struct && (!plain(t) || small(t)):
			k = onePiece
		}
		s.kinds[t] = k
	}
	return k
}

// small reports whether a type of structures has numbers and texts only.
func small(t reflect.Type) bool {
	for i := range t.NumField() {
		switch f := t.Field(i).Type; f.Kind() {
		case reflect.Array, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Struct:
			return false
		case reflect.Slice:
			if f.Elem().Kind() != reflect.String {
				return false
			}
		}
	}
	return true
}

// own reports whether a type, or a pointer to it, has a method of its own for JSON or text.
func own(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(marshaler) || p.Implements(textMarshaler)
}

// whole writes a value in one piece.
func (s *stream) whole(v reflect.Value, depth int) {
	s.piece.Reset()
	s.encoder.SetIndent(strings.Repeat(indent, depth), indent)
	var err error
	if v.IsValid() {
		err = s.encoder.Encode(v.Interface())
	} else {
		err = s.encoder.Encode(nil)
	}
	if s.err = err; err == nil {
		_, s.err = s.w.Write(bytes.TrimSuffix(s.piece.Bytes(), []byte("\n")))
	}
	const most = 1 << 20
	if s.piece.Cap() > most {
		s.piece = bytes.Buffer{}
	}
}

func (s *stream) list(v reflect.Value, depth int) {
	s.text("[")
	for i := range v.Len() {
		if i > 0 {
			s.text(",")
		}
		s.line(depth + 1)
		s.value(v.Index(i), depth+1)
	}
	s.line(depth)
	s.text("]")
}

// object writes the members that a function lists.
func (s *stream) object(depth int, list func(member func(name string, v reflect.Value))) {
	empty := true
	list(func(name string, v reflect.Value) {
		if empty {
			s.text("{")
		} else {
			s.text(",")
		}
		empty = false
		s.line(depth + 1)
		s.whole(reflect.ValueOf(name), depth)
		s.text(": ")
		s.value(v, depth+1)
	})
	if empty {
		s.text("{}")
		return
	}
	s.line(depth)
	s.text("}")
}

// plain reports whether fields yields the members of a type of structures as encoding/json does: no
// option other than omitempty, no embedded pointer, no name twice.
func plain(t reflect.Type) bool {
	names := map[string]bool{}
	var check func(t reflect.Type) bool
	check = func(t reflect.Type) bool {
		for i := range t.NumField() {
			f := t.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				if f.Type.Kind() != reflect.Struct || own(f.Type) || !check(f.Type) {
					return false
				}
				continue
			case !f.IsExported(), f.Tag.Get("json") == "-":
				continue
			case name == "":
				name = f.Name
			}
			if options != "" && options != "omitempty" || names[name] {
				return false
			}
			names[name] = true
		}
		return true
	}
	return check(t)
}

// fields yields the members of a plain structure.
func fields(v reflect.Value, member func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			fields(v.Field(i), member)
			continue
		case !f.IsExported(), f.Tag.Get("json") == "-", options == "omitempty" && empty(v.Field(i)):
			continue
		case name == "":
			name = f.Name
		}
		member(name, v.Field(i))
	}
}

// empty reports whether omitempty omits a value.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
