package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/registry"
)

// TestVectorsAreReproducible builds everything again and demands the files of
// the repository, byte for byte and no others.
func TestVectorsAreReproducible(t *testing.T) {
	for format := range builders {
		t.Run(format, func(t *testing.T) {
			vectors, err := build(format)
			if err != nil {
				t.Fatal(err)
			}
			folder := filepath.Join("..", "vectors", format)
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) != len(vectors) {
				t.Errorf("got %d files, want %d: run go run ./corpus/build", len(entries), len(vectors))
			}
			for _, v := range vectors {
				want, err := v.AppendText(nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(folder, filepath.Base(v.Name)+".vec"))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: the file is not what the builder makes (%v): run go run ./corpus/build", v.Name, err)
				}
			}
		})
	}
}

// TestEveryRuleHasVectors demands a triggering vector and a near miss of every
// rule of every format.
func TestEveryRuleHasVectors(t *testing.T) {
	for f := range registry.All() {
		vectors, err := corpus.Vectors(f.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		trigger, miss := map[string]bool{}, map[string]bool{}
		for _, v := range vectors {
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
