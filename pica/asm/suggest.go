package asm

import "github.com/antzucaro/matchr"

// What nearest compares is bounded, so that a hundred errors take no time.
const (
	maxSuggestion = 32  // length of a name
	maxCandidates = 256 // number of names
)

// nearest returns the key that is spelled most like a name; "" when none is
// near. Of equally near ones it is the first in the order of the alphabet.
func nearest[V any](name string, candidates map[string]V) (best string) {
	if len(name) > maxSuggestion || len(candidates) > maxCandidates {
		return ""
	}
	least := min(2, max(1, len(name)/3)) + 1
	for c := range candidates {
		if len(c) > len(name)+least || len(c)+least < len(name) {
			continue
		}
		if d := matchr.OSA(name, c); d < least || d == least && best != "" && c < best {
			best, least = c, d
		}
	}
	return best
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
