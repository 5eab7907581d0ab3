package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
)

// sample returns one of the sample files.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	return samples.Read(t, "sharcfb/"+name)
}

// ruleOf spells a finding as the sample lists do: "SHARC009/W".
func ruleOf(f diag.Finding) string { return f.Rule + "/" + f.Severity.Letter() }

var mustParse, mustAppend = format.MustParse, format.MustAppend
