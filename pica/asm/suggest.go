package asm

import (
	"cmp"
	"strings"
)

// Limits of nearest, so that even a hundred errors take little time.
const (
	maxSuggestion = 32  // length of a name
	maxCandidates = 256 // number of names
	maxDistance   = 2   // edits
)

// nearest returns the key whose spelling is nearest to a name, or "" if none is near.
// Of equally near keys it returns the first that the name begins, else the first in
// alphabetical order.
func nearest[V any](name string, candidates map[string]V) (best string) {
	if len(name) > maxSuggestion || len(candidates) > maxCandidates {
		return ""
	}
	most := min(maxDistance, max(1, len(name)/3))
	least := 0
	for c := range candidates {
		if len(c) > len(name)+most || len(c)+most < len(name) {
			continue
		}
		d := distance(name, c)
		if d > most || d >= len(name) && !strings.EqualFold(name, c) {
			continue
		}
		if best == "" || cmp.Or(d-least, stranger(name, c)-stranger(name, best), cmp.Compare(c, best)) < 0 {
			best, least = c, d
		}
	}
	return best
}

// distance returns the least number of edits that turn one name into another: a character more,
// less or changed, or two neighbours exchanged, where no edit touches another. The lengths are at
// most those of nearest.
func distance(from, to string) int {
	x, y := []rune(from), []rune(to)
	var d [maxSuggestion + 1][maxSuggestion + maxDistance + 1]int // d[i][j] of x[:i] and y[:j]
	for i := range len(x) + 1 {
		for j := range len(y) + 1 {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			change := d[i-1][j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
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
