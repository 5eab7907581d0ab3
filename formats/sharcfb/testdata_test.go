package sharcfb_test

import (
	"encoding/hex"
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

// mutation is one entry of mutations.json.
type mutation struct {
	ID         string   `json:"id"`
	Base       string   `json:"base"`
	Patch      []patch  `json:"patch"`
	MustReport []string `json:"must_report"`
	MayReport  []string `json:"may_report"`
	Reject     bool     `json:"reject"`
}

type patch struct {
	At       *int   `json:"at"`
	Hex      string `json:"hex"`
	Truncate *int   `json:"truncate"`
	Append   string `json:"append"`
}

func (p patch) apply(t testing.TB, b []byte) []byte {
	t.Helper()
	if p.Truncate != nil {
		return b[:*p.Truncate]
	}
	bytes, err := hex.DecodeString(p.Hex + p.Append)
	if err != nil {
		t.Fatal(err)
	}
	if p.At == nil {
		return append(b, bytes...)
	}
	copy(b[*p.At:], bytes)
	return b
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
