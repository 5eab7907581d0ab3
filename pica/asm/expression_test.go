package asm

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestExpressions holds the forms of other assemblers to the expressions in their comments.
func TestExpressions(t *testing.T) {
	expressions := []*regexp.Regexp{
		regexp.MustCompile(`^\s*\.alias\s+\w+\s+(\w+\s+as\b|[a-z]\d+\s*-\s*[a-z]\d+)`),
		regexp.MustCompile(`^\s*\.(const|uniform|out)\s+[a-z]\d+\s*,`),
		regexp.MustCompile(`^\s*\w+\s[^;"]*\(0x[0-9a-fA-F]+\)\s*(;.*)?$`),
	}
	const seed = 6
	random := rand.New(rand.NewPCG(seed, seed))
	parts := [][]string{
		{" ", "  ", ".alias", " ", "pos", " ", "o0", "as", "-", "c1", " as ", "asx", "é", " c4", "7"},
		{" ", "\t", ".const", ".out", ".uniform", " c1", "c", "12", ",", " ", "x,"},
		{" ", "mov", " r0", "(0x", "1f", ")", ";", "\"", "(0x2)", " ", "; text", "add ", "(0x3) "},
	}
	for form, f := range foreignForms {
		matched := 0
		for range 100_000 {
			line := ""
			if random.IntN(2) == 0 {
				line = []string{".alias ", ".const ", "mov "}[form]
			}
			for range random.IntN(8) {
				line += parts[form][random.IntN(len(parts[form]))]
			}
			got, want := f.matches(scan(line)), expressions[form].MatchString(line)
			if got != want {
				t.Fatalf("seed %d: form %d of %q: got %t, want %t", seed, form, line, got, want)
			}
			if got {
				matched++
			}
		}
		if matched < 200 {
			t.Errorf("form %d matched %d lines only", form, matched)
		}
	}
}
