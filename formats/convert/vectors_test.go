package convert_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
)

// holders are the formats that hold PICA200 programs.
var holders = []string{"shbin", "zpsh", "dvoj", "csdr", "cgfx"}

// inputs returns the accepted vectors and samples of all formats that hold programs.
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
	for _, file := range samples.Glob(t, "*/*") {
		b := samples.Read(t, file)
		if format, ok := registry.Detect(file, b); ok {
			for _, name := range holders {
				if format.Name == name {
					add(path.Base(file), format, b)
				}
			}
		}
	}
	return docs
}

// formatOf returns the target to which a model is converted back.
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

// named reports whether one of the losses of the kinds for which ok is true names the field at
// a path, an item that contains it, or a part of it.
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

// thereAndBack converts a document to every target and back. The reports must name every
// difference, as lost on the way there or invented on the way back; the programs compute the
// same. With moved, a lost element excuses its list. It returns the number of targets that
// hold the document.
func thereAndBack(t *testing.T, name string, doc registry.Document, vertices int, moved bool) (held int) {
	t.Helper()
	model := doc.Model().(convert.Model)
	back, ok := convert.ByName(formatOf(t, doc))
	if !ok {
		t.Fatalf("%s: its format is no target", name)
	}
	for _, target := range convert.Targets {
		there, report, err := target.Convert(model, convert.Options{})
		if err != nil {
			var refused *convert.RefusedError
			if !errors.As(err, &refused) && !errors.Is(err, convert.ErrChoice) && !errors.Is(err, convert.ErrEmpty) {
				t.Errorf("%s to %s: %v", name, target.Name, err)
			}
			continue
		}
		held++
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
			if strings.HasSuffix(d.Path, "].symbols") && named("symbols", backReport, isLost) {
				continue // an object has them and loses them
			}
			if !named(d.Path, report, isLost) && !named(d.Path, backReport, isInvented) &&
				!(moved && shifted(d.Path, report)) {
				t.Errorf("%s to %s: %s: %q became %q and no report names it", name, target.Name, d.Path, d.A, d.B)
			}
		}
		want, got := doc.(registry.Shaders).Shaders(), there.(interface{ Shaders() []pica.Shader }).Shaders()
		if len(want) == len(got) {
			alike(t, want, got, vertices, report)
		}
	}
	return held
}

// shifted reports whether the list at a path has lost or gained an element as a whole: each
// later element is then compared with its neighbour.
func shifted(path string, report convert.Report) bool {
	list := func(path string) string {
		path = path[:strings.LastIndexByte(path, '[')+1]
		return path[strings.LastIndexByte(path, '.')+1:]
	}
	return strings.Contains(path, "[") && slices.ContainsFunc(report, func(l convert.Loss) bool {
		return strings.HasSuffix(l.Path, "]") && list(l.Path) == list(path)
	})
}

func TestEveryDifferenceIsReported(t *testing.T) {
	docs, vertices := inputs(t), 5
	if testing.Short() {
		vertices = 1
	}
	held := 0
	for name, doc := range docs {
		held += thereAndBack(t, name, doc, vertices, false)
	}
	if held < 1000 {
		t.Errorf("only %d conversions", held)
	}
}

// TestMutants does the same with damaged files that are accepted.
func TestMutants(t *testing.T) {
	const seed = 1
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	docs := inputs(t)
	tries := 8
	if testing.Short() {
		tries = 1
	}
	accepted := 0
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		b, err := docs[name].AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 4096 {
			continue
		}
		format, _ := registry.Detect("a.csdr", b)
		for range tries {
			c := bytes.Clone(b)
			for range 1 + random.IntN(3) {
				c[random.IntN(len(c))] = byte(random.Uint32())
			}
			if doc, err := format.Parse(c, "hash-mismatch"); err == nil {
				accepted++
				thereAndBack(t, fmt.Sprintf("%s, damaged: %x", name, c), doc, 1, true)
			}
		}
	}
	if accepted == 0 {
		t.Error("no mutant was accepted")
	}
	t.Logf("%d mutants accepted", accepted)
}
