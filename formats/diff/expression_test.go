package diff

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestExpressions holds the functions about lines to the expressions in their comments.
func TestExpressions(t *testing.T) {
	lineNumber := regexp.MustCompile(`^ *\d+ +`)
	groupNumber := regexp.MustCompile(`\b(PV|PS)\d+`)
	address := regexp.MustCompile(`ADDR\(\d+\)`)
	const seed = 5
	random := rand.New(rand.NewPCG(seed, seed))
	parts := []string{" ", "1", "23", "PV", "PS", "ADDR(", ")", "_", "x", "PV7", "ADDR(4)", "  ", "(", "\t", "é"}
	changed := 0
	for range 50_000 {
		line := ""
		for range random.IntN(9) {
			line += parts[random.IntN(len(parts))]
		}
		rest, numbered := cutLineNumber(line)
		if want := lineNumber.ReplaceAllString(line, ""); rest != want || numbered != lineNumber.MatchString(line) {
			t.Fatalf("seed %d: cutLineNumber(%q) = %q, want %q", seed, line, rest, want)
		}
		if got, want := cutGroupNumbers(line), groupNumber.ReplaceAllString(line, "$1"); got != want {
			t.Fatalf("seed %d: cutGroupNumbers(%q) = %q, want %q", seed, line, got, want)
		}
		got, want := cutAddresses(line), address.ReplaceAllString(line, "")
		if got != want {
			t.Fatalf("seed %d: cutAddresses(%q) = %q, want %q", seed, line, got, want)
		}
		if got != line {
			changed++
		}
	}
	if changed < 1000 {
		t.Errorf("only %d lines had an address", changed)
	}
}
