package convert

import (
	"slices"
	"strings"
)

// dvleHeader lists the fields that the headers of a DVLE and a DVOJ share.
var dvleHeader = []string{"version", "type", "merge", "input_mask", "output_mask"}

// pathInDVOJ translates a path in a DVLB. A DVOJ has the tables of the DVLP and
// of one DVLE.
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
	return field, field != "end"
}

// pathInZPSH translates a path in a DVLB. Of the fields that a reader may have to
// invent for a DVLE, a ZPSH entry has the geometry parameters alone, in its info.
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
