package shbin_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// format is this package under test, with some leniencies.
func format(opts ...shbin.Option) formattest.Format[*shbin.File] {
	return formattest.Format[*shbin.File]{
		Name:    "shbin",
		Rules:   shbin.Rules,
		Parse:   func(b []byte) (*shbin.File, error) { return shbin.Parse(b, opts...) },
		Check:   func(b []byte) []diag.Finding { return shbin.Check(b, opts...) },
		Outline: func(b []byte) diag.Outline { return shbin.Outline(b, opts...) },
	}
}

// TestAgreement mutates every sample at random: whatever the bytes are, Parse
// and Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	bases := [][]byte{mustAppend(t, cleanModel()), edited(t, twins(3))}
	for _, name := range samples.Glob(t, "*/*.shbin") {
		if b := samples.Read(t, name); len(b) < 600 { // the longer ones have more of the same
			bases = append(bases, b)
		}
	}
	format().Random(t, bases, 100_000, 20)
}

func mustParse(t testing.TB, b []byte, opts ...shbin.Option) *shbin.File {
	t.Helper()
	return format(opts...).MustParse(t, b)
}

var mustAppend = format().MustAppend
