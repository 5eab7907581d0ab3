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

// similarWord returns the mnemonic for an alias that the dialect lacks, or else the mnemonic or directive of the
// dialect whose spelling is nearest to a word.
func (f *file) similarWord(word string) string {
	if i, ok := instructions[word]; ok && i.op.String() != word {
		return i.op.String()
	}
	words := make(map[string]struct{}, len(instructions)+len(directives))
	for name, i := range instructions {
		if !f.lax() || !i.extension {
			words[name] = struct{}{}
		}
	}
	for name, d := range directives {
		if !f.lax() || !d.extension {
			words[name] = struct{}{}
		}
	}
	return similar(word, words)
}
