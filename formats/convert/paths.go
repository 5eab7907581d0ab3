package convert

import (
	"slices"
	"strings"
)

// dvleHeader are the fields that a DVLE's header shares with that of an object.
var dvleHeader = []string{"version", "type", "merge", "input_mask", "output_mask"}

// pathInDVOJ: an object has the tables of a program and of one entry point.
func pathInDVOJ(_ int, path string) (string, bool) {
	if path == "dvlp.version" {
		return "header.version", false
	}
	if rest, ok := strings.CutPrefix(path, "dvlp."); ok {
		return rest, true
	}
	_, field, _ := strings.Cut(path, "].")
	if slices.Contains(dvleHeader, field) {
		return "header." + field, true
	}
	return field, field != "end" && !strings.HasPrefix(field, "geometry")
}

// pathInZPSH: an entry has an info for the geometry parameters. What else a
// DVLE has and an entry might have to invent, it does not have.
func pathInZPSH(_ int, path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "dvle[")
	if !ok {
		return strings.TrimPrefix(path, "dvlp."), false
	}
	index, field, _ := strings.Cut(rest, "].")
	entry := "entries[" + strings.TrimSuffix(index, "]") + "]"
	switch {
	case strings.HasPrefix(field, "geometry"):
		return entry + ".info", true
	case field == "":
		return entry, false
	case field == "entry":
		return entry + ".instruction", false
	}
	return entry + "." + field, false
}
