package convert_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
)

// holders are the formats that hold PICA200 programs.
var holders = []string{"shbin", "zpsh", "dvoj", "csdr", "cgfx"}

// inputs returns vectors and samples of all formats that hold programs, as far
// as they are accepted.
func inputs(t *testing.T) map[string]registry.Document {
	t.Helper()
	docs := make(map[string]registry.Document)
	add := func(name string, format registry.Format, b []byte) {
		if doc, err := format.Parse(b); err == nil {
			docs[name] = doc
		}
	}
	for _, name := range holders {
		format, ok := registry.ByName(name)
		if !ok {
			t.Fatalf("no format %s", name)
		}
		vectors, err := corpus.Vectors(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			add(v.Name, format, v.Data)
		}
	}
	files, err := filepath.Glob(filepath.Join(data, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if format, ok := registry.Detect(file, b); ok {
			for _, name := range holders {
				if format.Name == name {
					add(filepath.Base(file), format, b)
				}
			}
		}
	}
	return docs
}

// formatOf returns the target that a model is converted back to.
func formatOf(t *testing.T, doc registry.Document) string {
	t.Helper()
	b, err := doc.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	format, ok := registry.Detect("a.csdr", b)
	if !ok {
		t.Fatalf("no format has %x", b[:min(len(b), 16)])
	}
	if format.Name == "zpsh" {
		return map[byte]string{3: "zpsh@3", 4: "zpsh@4"}[b[0x0B]]
	}
	return format.Name
}

// named reports whether one of the losses of a kind that ok says names the field
// at a path, what it is part of, or a part of it.
func named(path string, report convert.Report, ok func(convert.Kind) bool) bool {
	within := func(path, in string) bool {
		rest, is := strings.CutPrefix(path, in)
		return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	for _, l := range report {
		if ok(l.Kind) && (within(path, l.Path) || within(l.Path, path)) {
			return true
		}
	}
	return false
}

func isLost(k convert.Kind) bool     { return k != convert.Invented }
func isInvented(k convert.Kind) bool { return k == convert.Invented }

// TestEveryDifferenceIsReported converts whatever is accepted to every target
// and back. What differs then was lost on the way there or invented on the way
// back, and the reports say so; the programs run alike.
func TestEveryDifferenceIsReported(t *testing.T) {
	converted, refused := 0, 0
	for name, doc := range inputs(t) {
		source := formatOf(t, doc)
		model := doc.Model().(convert.Model)
		for _, target := range convert.Targets {
			there, report, err := target.Convert(model, convert.Options{})
			if err != nil {
				var r *convert.RefusedError
				if !errors.As(err, &r) && !errors.Is(err, convert.ErrChoice) && !errors.Is(err, diag.ErrInvalid) {
					t.Errorf("%s to %s: %v", name, target.Name, err)
				}
				refused++
				continue
			}
			converted++
			back, ok := convert.ByName(source)
			if !ok {
				t.Fatalf("no target %s", source)
			}
			again, backReport, err := back.Convert(there, convert.Options{})
			if err != nil {
				t.Errorf("%s to %s: the way back: %v", name, target.Name, err)
				continue
			}
			result, err := diff.Models(model, again, convert.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range result.Differences {
				if !named(d.Path, report, isLost) && !named(d.Path, backReport, isInvented) {
					t.Errorf("%s to %s: %s: %q became %q and no report names it", name, target.Name, d.Path, d.A, d.B)
				}
			}
			want, got := doc.(registry.Shaders).Shaders(), there.(interface{ Shaders() []pica.Shader }).Shaders()
			if len(want) == len(got) {
				alike(t, want, got, 5)
			}
		}
	}
	t.Logf("%d conversions, %d refused", converted, refused)
}
