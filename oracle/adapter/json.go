package adapter

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// requestFields are the names of the fields that are read.
var requestFields = namesOf(reflect.TypeFor[Request]())

// namesOf lists the JSON names of a struct's fields, embedded ones included.
func namesOf(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// exactNames overwrites the names in an object that differ from a field only in the case
// of letters: the JSON library would take them for the field. Text that is no JSON stays
// as it is.
func exactNames(object []byte, fields []string) {
	depth, start := 0, -1
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ':':
			if depth == 1 && start >= 0 {
				overwriteMisspelt(object[start:i], fields)
			}
			start = -1
		case ',':
			start = -1
		case '"':
			first := i
			for i++; i < len(object) && object[i] != '"'; i++ {
				if object[i] == '\\' {
					i++
				}
			}
			if depth == 1 {
				start = first
			}
		}
	}
}

// overwriteMisspelt blanks a name, given with its quotes.
func overwriteMisspelt(quoted []byte, fields []string) {
	var name string
	if json.Unmarshal(quoted, &name) != nil || slices.Contains(fields, name) {
		return
	}
	if slices.ContainsFunc(fields, func(f string) bool { return strings.EqualFold(f, name) }) {
		for k := 1; quoted[k] != '"'; k++ {
			quoted[k] = '_'
		}
	}
}
