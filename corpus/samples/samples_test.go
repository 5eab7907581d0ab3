package samples_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
)

// listed returns the hashes of SHA256SUMS by file name.
func listed(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(samples.Read(t, "SHA256SUMS"))); lines.Scan(); {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			t.Fatalf("SHA256SUMS: %q", lines.Text())
		}
		sums[name] = sum
	}
	return sums
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// TestHashes compares the files of the folder with SHA256SUMS, both ways.
func TestHashes(t *testing.T) {
	got := map[string]string{}
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.IsDir() || path.Ext(name) == ".go" || name == "SHA256SUMS" ||
				name == "zsamples.zip.gz" {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got[filepath.ToSlash(name)] = sum(b)
		}
	}
	want := listed(t)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s: got hash %q, listed is %q", name, got[name], want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] == "" {
			t.Errorf("%s is listed and not in the folder", name)
		}
	}
}

// TestManifests demands that each manifest names the samples of its folder with
// their hashes and sizes, and that each mutation changes one of them.
func TestManifests(t *testing.T) {
	for _, file := range samples.Glob(t, "*/manifest.json") {
		folder := path.Dir(file)
		var manifest map[string]struct {
			SHA256 string
			Size   int
		}
		if err := json.Unmarshal(samples.Read(t, file), &manifest); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, want := range manifest {
			b := samples.Read(t, path.Join(folder, name))
			if got := sum(b); got != want.SHA256 || len(b) != want.Size {
				t.Errorf("%s/%s: got %s, %d bytes; want %s, %d", folder, name, got, len(b), want.SHA256, want.Size)
			}
		}
		for _, name := range samples.Glob(t, folder+"/*") {
			switch path.Ext(name) {
			case ".json", ".md", ".pica", ".vsh":
			default:
				if _, ok := manifest[path.Base(name)]; !ok {
					t.Errorf("%s is not in the manifest", name)
				}
			}
		}
	}
	for _, file := range samples.Glob(t, "*/mutations.json") {
		var mutations []struct{ ID, Base string }
		if err := json.Unmarshal(samples.Read(t, file), &mutations); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		seen := map[string]bool{}
		for _, m := range mutations {
			if seen[m.ID] {
				t.Errorf("%s: two mutations %s", file, m.ID)
			}
			seen[m.ID] = true
			samples.Read(t, path.Join(path.Dir(file), m.Base))
		}
	}
}

// TestSources demands the sources of each file of an assembler. Several sources of one file have
// a letter behind the number.
func TestSources(t *testing.T) {
	for _, folder := range []string{"picasso", "nihstro", "aemstro"} {
		for _, name := range samples.Glob(t, folder+"/*.shbin") {
			number, _, _ := strings.Cut(name, "_")
			files := samples.Glob(t, number+"*")
			if !slices.ContainsFunc(files, func(f string) bool { return path.Ext(f) != ".shbin" }) {
				t.Errorf("%s has no source", name)
			}
		}
	}
}
