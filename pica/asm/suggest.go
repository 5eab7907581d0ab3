package asm

import (
	"cmp"
	"strings"

	"github.com/antzucaro/matchr"
)

// What nearest compares is bounded, so that a hundred errors take no time.
const (
	maxSuggestion = 32  // length of a name
	maxCandidates = 256 // number of names
)

// nearest returns the key that is spelled most like a name; "" when none is
// near. Of equally near ones it is the first that the name begins, else the first
// in the order of the alphabet.
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

// stranger returns 0 for a candidate that a name begins, else 1.
func stranger(name, candidate string) int {
	if strings.HasPrefix(candidate, name) {
		return 0
	}
	return 1
}

// nearestWord returns the mnemonic or directive that is spelled most like a
// word.
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
