package convert

import (
	"slices"
	"strconv"
	"strings"
)

// Kind says what became of a field.
type Kind string

// The kinds.
const (
	Dropped  Kind = "dropped"  // the target has no place for what the source says
	Changed  Kind = "changed"  // the target says something else
	Invented Kind = "invented" // the source does not say what the target has to
)

// Loss is one field that did not come through a conversion as it was. Path is
// a path in the source, or, of what was invented, in the target.
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

// Report lists what a conversion lost and invented.
type Report []Loss

// Lost reports whether something the source says was dropped or changed.
func (r Report) Lost() bool {
	return slices.ContainsFunc(r, func(l Loss) bool { return l.Kind != Invented })
}

// Inventions returns a function that reports whether the field at a path of the
// target, or what it is part of, was invented.
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

// maxQuoted bounds a name in a report: many references may share a long one.
const maxQuoted = 64

func quote[T string | []byte](name T) string {
	if len(name) > maxQuoted {
		return strconv.Quote(string(name[:maxQuoted])) + "..."
	}
	return strconv.Quote(string(name))
}

// enclosing returns the path in a set that is path or contains it.
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
