package shbin_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// dataDir holds the sample files of the formats; it is not part of the module.
const dataDir = "../../../shared/data"

// collections are the folders with DVLB samples.
var collections = []string{"picasso", "nihstro", "aemstro", "dvlb-synthetic"}

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

// samples returns every sample by its name, "picasso/p01_minimal.shbin" say.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, c := range collections {
		var m map[string]sampleInfo
		readJSON(t, c+"/manifest.json", &m)
		for name := range m {
			all[c+"/"+name] = readData(t, c+"/"+name)
		}
	}
	return all
}

// sampleInfo is what the manifest says about a sample.
type sampleInfo struct {
	Size      uint64         `json:"size"`
	Version   uint32         `json:"dvlp_version"`
	Short     bool           `json:"short_dvlp"`
	Code      int            `json:"code"`
	Opdesc    int            `json:"opdesc"`
	Line      int            `json:"line"`
	FileNames int            `json:"filename_size"`
	Canonical bool           `json:"canonical"`
	Findings  map[string]int `json:"findings"`
	DVLE      []struct {
		Offset    uint32   `json:"offset"`
		Version   uint16   `json:"version"`
		Type      string   `json:"type"`
		Merge     uint8    `json:"merge"`
		Main      uint32   `json:"main"`
		Endmain   uint32   `json:"endmain"`
		InMask    uint16   `json:"inmask"`
		OutMask   uint16   `json:"outmask"`
		GS        [4]int   `json:"gs"`
		Constants int      `json:"constants"`
		Labels    int      `json:"labels"`
		Outputs   int      `json:"outputs"`
		Uniforms  int      `json:"uniforms"`
		Symbols   int      `json:"symbol_bytes"`
		Names     []string `json:"names"`
	} `json:"dvle"`
}

// mutation is one entry of a mutations.json.
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
	text := p.Hex + p.Append
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if p.At == nil {
		return append(b, bytes...)
	}
	copy(b[*p.At:], bytes)
	return b
}

// count counts findings by rule and severity, "DVLE003/I" say.
func count(findings []diag.Finding) map[string]int {
	counts := make(map[string]int)
	for _, f := range findings {
		counts[f.Rule+"/"+f.Severity.Letter()] += 1 + f.More
	}
	return counts
}

// mustParse parses bytes that are known to be good.
func mustParse(t testing.TB, b []byte, opts ...shbin.Option) *shbin.File {
	t.Helper()
	f, err := shbin.Parse(b, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// mustAppend writes a file that is known to be good.
func mustAppend(t testing.TB, f *shbin.File) []byte {
	t.Helper()
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// mustBuild writes a file without checking it.
func mustBuild(t testing.TB, f *shbin.File) []byte {
	t.Helper()
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
