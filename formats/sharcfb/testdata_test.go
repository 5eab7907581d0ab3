package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// sample returns one of the sample files.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	return samples.Read(t, "sharcfb/"+name)
}

// ruleOf spells a finding as the sample lists do: "SHARC009/W".
func ruleOf(f diag.Finding) string { return f.Rule + "/" + f.Severity.Letter() }

// mustParse parses bytes that are known to be good.
func mustParse(t testing.TB, b []byte) *sharcfb.File {
	t.Helper()
	f, err := sharcfb.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mustAppend writes a file that is known to be good.
func mustAppend(t testing.TB, f *sharcfb.File) []byte {
	t.Helper()
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
