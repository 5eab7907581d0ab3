// Package nearest serves this module: it finds the name that somebody probably meant.
package nearest

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Limits of a search, so that each candidate takes little time.
const (
	maxLength   = 32 // of a name
	maxDistance = 2  // edits
	shortest    = 3  // of a name that is the start of another
)

// Of returns the candidate whose spelling is nearest to a name. Of equally near ones it returns the first that the name
// begins, else the first in alphabetical order. If none is near it returns the only candidate that the name begins, or
// "".
func Of(name string, candidates iter.Seq[string]) (best string) {
	if len(name) > maxLength {
		return ""
	}
	most := min(maxDistance, max(1, len(name)/3))
	least := 0
	longer, begun := "", 0 // candidates that the name begins
	for c := range candidates {
		if len(name) >= shortest && strings.HasPrefix(c, name) {
			longer, begun = c, begun+1
		}
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
	if best == "" && begun == 1 {
		return longer
	}
	return best
}

// Hint returns `, did you mean "check"?` with the candidate that is nearest to a name, or "".
func Hint(name string, candidates []string) string {
	if best := Of(name, slices.Values(candidates)); best != "" {
		return fmt.Sprintf(", did you mean %q?", best)
	}
	return ""
}

// distance returns the least number of edits that turn one name into another: a character more,
// less or changed, or two neighbours exchanged, where no edit touches another. The lengths are at
// most those of Of.
func distance(from, to string) int {
	x, y := []rune(from), []rune(to)
	var d [maxLength + 1][maxLength + maxDistance + 1]int // d[i][j] of x[:i] and y[:j]
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
