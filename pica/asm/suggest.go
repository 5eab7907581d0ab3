package asm

import (
	"cmp"
	"strings"

	"github.com/antzucaro/matchr"
)

// Limits of nearest, so that even a hundred errors take little time.
const (
	maxSuggestion = 32  // length of a name
	maxCandidates = 256 // number of names
)

// nearest returns the key whose spelling is nearest to a name, or "" if none is near.
// Of equally near keys it returns the first that the name begins, else the first in
// alphabetical order.
func nearest[V any](name string, candidates map[string]V) (best string) {
	if len(name) > maxSuggestion || len(candidates) > maxCandidates {
		return ""
	}
	most := min(2, max(1, len(name)/3))
	least := 0
	for c := range candidates {
		if len(c) > len(name)+most || len(c)+most < len(name) {
			continue
		}
		d := matchr.OSA(name, c)
		if d > most || d >= len(name) && !strings.EqualFold(name, c) {
			continue
		}
		if best == "" || cmp.Or(d-least, stranger(name, c)-stranger(name, best), cmp.Compare(c, best)) < 0 {
			best, least = c, d
		}
	}
	return best
}

// stranger returns 0 for a candidate that begins with the name, else 1.
func stranger(name, candidate string) int {
	if strings.HasPrefix(candidate, name) {
		return 0
	}
	return 1
}

// nearestWord returns the mnemonic or directive whose spelling is nearest to a word.
func nearestWord(word string) string {
	words := make(map[string]struct{}, len(instructions)+len(directives))
	for name := range instructions {
		words[name] = struct{}{}
	}
	for name := range directives {
		words[name] = struct{}{}
	}
	return nearest(word, words)
}
