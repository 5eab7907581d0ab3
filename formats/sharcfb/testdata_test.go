package sharcfb_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// dataDir holds the sample files of the format; it is not part of the module.
const dataDir = "../../../shared/data/sharcfb"

// readData returns a sample, or skips the test when there are none.
func readData(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dataDir, name))
	if os.IsNotExist(err) {
		t.Skipf("no sample files: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readJSON(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(readData(t, name), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// samples returns every sample by its name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	var m map[string]json.RawMessage
	readJSON(t, "manifest.json", &m)
	all := make(map[string][]byte)
	for name := range m {
		all[name] = readData(t, name)
	}
	return all
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
