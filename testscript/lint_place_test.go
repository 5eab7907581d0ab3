package testscript_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
)

// TestLintPlaces: each finding of lint about a binary file names the bytes of its instruction.
func TestLintPlaces(t *testing.T) {
	dir := t.TempDir()
	for _, pattern := range []string{"picasso/*.shbin", "zpsh/*.zpsh", "dvoj/*obj"} {
		for _, name := range samples.Glob(t, pattern) {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), samples.Read(t, name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	for _, format := range []string{"csdr", "bcsdr"} {
		for _, name := range []string{"p14_mad_swap", "p18_gsh_700"} {
			args := []string{"convert", filepath.Join(dir, name+".shbin"), "--to", format, "-o",
				filepath.Join(dir, name+"."+format)}
			if tool().Main(args, strings.NewReader(""), &stdout, &stderr) != 0 {
				t.Fatal(stderr.String())
			}
		}
	}
	tool().Main([]string{"lint", "--format", "json", dir}, strings.NewReader(""), &stdout, &stderr)
	var report struct {
		Files []struct {
			File     string
			Findings []struct {
				Word, Offset *int
				Length       int
				Rule         string
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err, stderr.String())
	}
	seen := map[string]int{}
	for _, f := range report.Files {
		data, err := os.ReadFile(f.File)
		if err != nil {
			t.Fatal(err)
		}
		format, _ := registry.Detect(f.File, data)
		doc, err := format.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range f.Findings {
			if x.Offset == nil {
				t.Errorf("%s: %s has no offset", f.File, x.Rule)
				continue
			}
			seen[filepath.Ext(f.File)]++
			if x.Word == nil {
				continue
			}
			is := data[*x.Offset : *x.Offset+x.Length]
			if format.Name == "csdr" { // Base64: the word and some bits beside it
				is = decoded(t, data, *x.Offset, x.Length)
			}
			found := false
			for _, s := range doc.(registry.Shaders).Shaders() {
				found = found || *x.Word < len(s.Code) && bytes.Contains(is, binary.LittleEndian.AppendUint32(nil, s.Code[*x.Word]))
			}
			if !found {
				t.Errorf("%s: %s of word %d is at %#x: % x", f.File, x.Rule, *x.Word, *x.Offset, is)
			}
		}
	}
	for _, ending := range []string{".shbin", ".zpsh", ".vobj", ".csdr", ".bcsdr"} {
		if seen[ending] == 0 {
			t.Errorf("no finding about a file %s", ending)
		}
	}
}

// decoded returns the bytes of the groups of Base64 text that a part of a file touches.
func decoded(t *testing.T, data []byte, off, n int) []byte {
	t.Helper()
	start := bytes.LastIndexAny(data[:off], ">\n") + 1
	first, last := start+(off-start)/4*4, start+(off+n-start+3)/4*4
	b, err := base64.StdEncoding.DecodeString(string(data[first:last]))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
