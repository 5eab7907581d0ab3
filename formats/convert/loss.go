package convert

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Kind says how a conversion treated a field.
type Kind string

// The kinds.
const (
	Dropped  Kind = "dropped"  // the target has no place for the source's field
	Changed  Kind = "changed"  // the target holds another value
	Invented Kind = "invented" // the target needs a value, and the source has none
)

// Loss is one field that a conversion dropped, changed or invented. Path is a
// path in the source; the path of an invented field is one in the target.
type Loss struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	Was  string `json:"was,omitempty"`
	Now  string `json:"now,omitempty"`
	Why  string `json:"why"`
}

// String returns "dvle[0].version: dropped 0x1002: ZPSH has no versions".
func (l Loss) String() string {
	s := l.Path + ": " + string(l.Kind)
	if l.Was != "" {
		s += " " + l.Was
	}
	if l.Kind == Changed && l.Now != "" {
		s += " to"
	}
	if l.Now != "" {
		s += " " + l.Now
	}
	return s + ": " + l.Why
}

// Report lists the fields that a conversion dropped, changed or invented.
type Report []Loss

// Lost reports whether a field of the source was dropped or changed.
func (r Report) Lost() bool {
	return slices.ContainsFunc(r, func(l Loss) bool { return l.Kind != Invented })
}

// Inventions returns a function that reports whether the field at a path in the
// target, or an item that contains the field, was invented.
func (r Report) Inventions() func(path string) bool {
	set := make(map[string]bool)
	for _, l := range r {
		if l.Kind == Invented {
			set[l.Path] = true
		}
	}
	return func(path string) bool {
		_, ok := enclosing(set, path)
		return ok
	}
}

func (r *Report) dropped(path, was, why string) {
	*r = append(*r, Loss{Path: path, Kind: Dropped, Was: was, Why: why})
}

func (r *Report) changed(path, was, now, why string) {
	*r = append(*r, Loss{Path: path, Kind: Changed, Was: was, Now: now, Why: why})
}

func (r *Report) invented(path, now, why string) {
	*r = append(*r, Loss{Path: path, Kind: Invented, Now: now, Why: why})
}

// reasons has the reasons of losses by the names of fields, under "" the reason of all other
// fields.
type reasons map[string]string

// droppedFields reports each number and text of the struct v that differs from kept as dropped.
// kept has the fields for which the target has a place, the fields that are reported elsewhere,
// and the usual values of others. So a field that is added to the struct is lost unless it is 0
// or "".
func (r *Report) droppedFields(path string, v, kept any, why reasons) {
	list := reflect.ValueOf(kept)
	for f, x := range reflect.ValueOf(v).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at, same := strings.Trim(path+"."+name, "."), list.FieldByIndex(f.Index)
		lost := func(was string) { r.dropped(at, was, cmp.Or(why[name], why[""])) }
		switch {
		case x.Kind() == reflect.Struct:
			r.droppedFields(at, x.Interface(), same.Interface(), why)
		case x.Kind() == reflect.Pointer || !x.Comparable() || x.Equal(same):
		case x.CanUint():
			lost(fmt.Sprintf("0x%x", x.Uint()))
		case x.Kind() == reflect.String:
			lost(quote(x.String()))
		default:
			lost(fmt.Sprint(x))
		}
	}
}

// maxQuoted bounds the length of a name in a report: many references may share
// one long name.
const maxQuoted = 64

func quote[T string | []byte](name T) string {
	if len(name) > maxQuoted {
		return strconv.Quote(string(name[:maxQuoted])) + "..."
	}
	return strconv.Quote(string(name))
}

// enclosing returns the longest path in the set that equals or contains path.
func enclosing(set map[string]bool, path string) (string, bool) {
	for path != "" {
		if set[path] {
			return path, true
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return "", false
}

func item(path string, i int, field string) string {
	s := path + "[" + strconv.Itoa(i) + "]"
	if field != "" {
		s += "." + field
	}
	return s
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
