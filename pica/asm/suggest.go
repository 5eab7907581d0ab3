package asm

import (
	"maps"

	"github.com/picaproof/picaproof/internal/nearest"
)

// maxCandidates is the number of names above which none is suggested, so that even a hundred errors
// take little time.
const maxCandidates = 256

// similar returns the key whose spelling is nearest to a name, or "" if none is near.
func similar[V any](name string, candidates map[string]V) string {
	if len(candidates) > maxCandidates {
		return ""
	}
	return nearest.Of(name, maps.Keys(candidates))
}

// similarWord returns the mnemonic or directive whose spelling is nearest to a word.
func similarWord(word string) string {
	words := make(map[string]struct{}, len(instructions)+len(directives))
	for name := range instructions {
		words[name] = struct{}{}
	}
	for name := range directives {
		words[name] = struct{}{}
	}
	return similar(word, words)
}
