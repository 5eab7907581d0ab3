package engine

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Limits of results. The lists of a result get room; the rest of it is small.
const (
	room    = 160 << 10 // bytes of JSON in the lists of a result
	maxText = 2 << 10   // bytes of one text
)

// Window selects a part of a long list.
type Window struct {
	From  int `json:"from,omitempty"`
	Limit int `json:"limit,omitempty"` // 0 stands for as many as fit
}

// Next says where a list goes on.
type Next struct {
	Next  int `json:"next"`  // the index of the next element, -1 at the end
	Total int `json:"total"` // the length of the whole list
}

// take returns the elements of a list in a window, as many as fit into a number of bytes.
func take[T any](w Window, total int, bytes int, element func(i int) T) ([]T, Next) {
	list, i := []T{}, max(w.From, 0)
	for ; i < total && (w.Limit <= 0 || len(list) < w.Limit); i++ {
		x := element(i)
		if bytes -= size(x); bytes < 0 {
			break
		}
		list = append(list, x)
	}
	next := Next{Next: i, Total: total}
	if i >= total {
		next.Next = -1
	}
	return list, next
}

// size returns the number of bytes of a value as an element of a JSON list.
func size(v any) int {
	b, err := json.Marshal(clipped(v)) // escapes more than encode does
	if err != nil {
		return 0 // Call meets the same error
	}
	return len(b) + 1
}

// clip shortens a text that is too long for a page.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "... (" + strconv.Itoa(len(s)) + " bytes)"
}

// Long is a text that is not shortened.
type Long string

// clipped returns v, or a deep copy of it in which every string that is too long is shortened.
func clipped(v any) any {
	x := reflect.ValueOf(v)
	if !x.IsValid() || !tooLong(x) {
		return v
	}
	to := reflect.New(x.Type()).Elem()
	clipInto(to, x)
	return to.Interface()
}

var longType = reflect.TypeFor[Long]()

func tooLong(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.String:
		return x.Len() > maxText && x.Type() != longType
	case reflect.Pointer, reflect.Interface:
		return !x.IsNil() && tooLong(x.Elem())
	case reflect.Slice, reflect.Array:
		if k := x.Type().Elem().Kind(); k <= reflect.Complex128 {
			return false
		}
		for i := range x.Len() {
			if tooLong(x.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if tooLong(x.Field(i)) {
				return true
			}
		}
	case reflect.Map:
		for i := x.MapRange(); i.Next(); {
			if tooLong(i.Key()) || tooLong(i.Value()) {
				return true
			}
		}
	}
	return false
}

// clipInto sets to, a settable value, to a copy of x.
func clipInto(to, x reflect.Value) {
	to.Set(x)
	switch x.Kind() {
	case reflect.String:
		if tooLong(x) {
			to.SetString(clip(x.String()))
		}
	case reflect.Pointer:
		if !x.IsNil() {
			to.Set(reflect.New(x.Type().Elem()))
			clipInto(to.Elem(), x.Elem())
		}
	case reflect.Interface:
		if !x.IsNil() {
			copied := reflect.New(x.Elem().Type()).Elem()
			clipInto(copied, x.Elem())
			to.Set(copied)
		}
	case reflect.Slice:
		if !x.IsNil() && tooLong(x) {
			to.Set(reflect.MakeSlice(x.Type(), x.Len(), x.Len()))
			for i := range x.Len() {
				clipInto(to.Index(i), x.Index(i))
			}
		}
	case reflect.Array:
		for i := range x.Len() {
			clipInto(to.Index(i), x.Index(i))
		}
	case reflect.Struct:
		for i := range x.NumField() {
			if x.Type().Field(i).IsExported() {
				clipInto(to.Field(i), x.Field(i))
			}
		}
	case reflect.Map:
		if !x.IsNil() && tooLong(x) {
			to.Set(reflect.MakeMap(x.Type()))
			for i := x.MapRange(); i.Next(); {
				key, value := reflect.New(x.Type().Key()).Elem(), reflect.New(x.Type().Elem()).Elem()
				clipInto(key, i.Key())
				clipInto(value, i.Value())
				to.SetMapIndex(key, value)
			}
		}
	}
}
