package microcode_test

import (
	"io/fs"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// models are the samples of the formats that have programs.
func models(t *testing.T) map[string]any {
	t.Helper()
	all := map[string]any{}
	err := fs.WalkDir(samples.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b := samples.Read(t, name)
		if f, err := gsh.Parse(b); err == nil {
			all[name] = f
		} else if f, err := sharcfb.Parse(b); err == nil {
			all[name] = f
		}
		return nil
	})
	if err != nil || len(all) < 30 {
		t.Fatal(len(all), err)
	}
	return all
}

// TestOdd: every finding about the code of any accepted file lies inside the file.
func TestOdd(t *testing.T) {
	const seed = 41
	for _, name := range []string{"gsh", "sharcfb"} {
		format, _ := registry.ByName(name)
		generator, _ := files.ByName(name)
		findings := 0
		for n := range uint64(300) {
			b := generator.Odd(gen.From(gen.Seed(seed, n)))
			doc, err := format.Parse(b)
			if err != nil {
				t.Fatalf("%s: seed %d, file %d: %v", name, seed, n, err)
			}
			for _, f := range microcode.Check(doc.Model(), doc.Regions()) {
				findings++
				if f.Off < 0 || f.Len < 0 || f.Off+f.Len > len(b) {
					t.Fatalf("%s: seed %d, file %d: %v, %d bytes in %d", name, seed, n, f, f.Len, len(b))
				}
			}
		}
		if findings < 300 {
			t.Errorf("%s: only %d findings", name, findings)
		}
	}
}

// TestRegions: the words of a program cover its code without overlap, and nothing else changes.
func TestRegions(t *testing.T) {
	divided := 0
	for name, model := range models(t) {
		microcode.Check(model, model.(interface{ Regions() []diag.Region }).Regions()) // of any code: must not panic
		before := model.(interface{ Regions() []diag.Region }).Regions()
		after := microcode.Regions(model, before)
		if len(after) > len(before) {
			divided++
		}
		end := 0
		for _, r := range after {
			if r.Off != end || r.Len <= 0 {
				t.Fatalf("%s: %v starts behind %d", name, r, end)
			}
			end += r.Len
		}
		if last := before[len(before)-1]; end != last.Off+last.Len {
			t.Errorf("%s: the regions end at %d", name, end)
		}
	}
	if divided < 15 {
		t.Errorf("the programs of %d files are divided", divided)
	}
}
