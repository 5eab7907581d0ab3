package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/corpus/internal/archive"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// TestVectorsAreReproducible builds everything again and demands exactly the files of the
// repository, byte for byte.
func TestVectorsAreReproducible(t *testing.T) {
	for folder, build := range folders() {
		t.Run(folder, func(t *testing.T) {
			vectors, err := build()
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join("..", "vectors", folder)
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) != len(vectors) {
				t.Errorf("got %d files, want %d: run go run ./corpus/build", len(entries), len(vectors))
			}
			for name, v := range vectors {
				want, err := v.AppendText(nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(dir, path.Base(name)+".vec"))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: the file is not what the builder makes (%v): run go run ./corpus/build", name, err)
				}
			}
		})
	}
}

// TestArchivesAreCurrent packs the files of the folder again and demands the same content in each
// embedded archive, and no other archive.
func TestArchivesAreCurrent(t *testing.T) {
	list := archives()
	for name, c := range list {
		want, err := archive.Zip(os.DirFS(filepath.Join("..", c.folder)), c.patterns...)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := archive.Plain(bytes.NewReader(packed)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the files of %s (%v): run go run ./corpus/build", name, c.folder, err)
		}
	}
	found, err := filepath.Glob(filepath.Join("..", "zvectors", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if _, ok := list["zvectors/"+filepath.Base(name)]; !ok {
			t.Errorf("%s is the archive of no folder", name)
		}
	}
}

// TestEveryRuleHasVectors demands a triggering vector and a near miss of every rule of every
// catalogue, each with an offset in its data.
func TestEveryRuleHasVectors(t *testing.T) {
	for _, f := range expect.Catalogues() {
		vectors, err := corpus.Vectors(f.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		trigger, miss := map[string]bool{}, map[string]bool{}
		for _, v := range vectors {
			if v.Offset > len(v.Data) {
				t.Errorf("%s: offset %#x in %d bytes", v.Name, v.Offset, len(v.Data))
			}
			if v.NearMiss {
				miss[v.Rule] = true
			} else {
				trigger[v.Rule] = true
			}
		}
		var missing []string
		for _, r := range f.Rules {
			if !r.Retired && (!trigger[r.ID] || !miss[r.ID]) {
				missing = append(missing, r.ID)
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s: no trigger or no near miss for %s", f.Name, strings.Join(missing, " "))
		}
	}
}
