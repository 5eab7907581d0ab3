package properties_test

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestPicassoSamples assembles the sources of picasso's samples and compares with the files
// that picasso made of them.
func TestPicassoSamples(t *testing.T) {
	for _, name := range samples.Glob(t, "picasso/*.shbin") {
		sample, _, _ := strings.Cut(path.Base(name), "_")
		t.Run(sample, func(t *testing.T) {
			var sources []asm.Source
			for _, source := range samples.Glob(t, "picasso/"+sample+"*.pica") {
				sources = append(sources, asm.Source{Name: source, Text: string(samples.Read(t, source))})
			}
			a, err := asm.Assemble(sources, asm.AssembleOptions{Dialect: asm.Picasso, NoPadding: sample == "p19"})
			if err != nil {
				t.Fatal(err)
			}
			f, err := shbin.FromModule(&a.Module)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.AppendBinary(nil)
			if want := samples.Read(t, name); err != nil || !bytes.Equal(got, want) {
				t.Errorf("got %d bytes, %v; want %d:\n%x\n%x", len(got), err, len(want), got, want)
			}
		})
	}
}

// TestContainersSurviveAsText prints every program of the corpus and the
// samples, flat and structured, and demands that the text assembles to its
// words and descriptors.
func TestContainersSurviveAsText(t *testing.T) {
	count := 0
	try := func(name string, b []byte) {
		format, ok := registry.Detect(name, b)
		if !ok {
			return
		}
		doc, err := format.Parse(b)
		if err != nil {
			return
		}
		holder, ok := doc.(registry.Shaders)
		if !ok {
			return
		}
		for _, s := range holder.Shaders() {
			count++
			for _, o := range []asm.Options{{}, {Structured: true}} {
				survivesAsText(t, name, &s, o)
			}
		}
	}
	for format := range registry.All() {
		vectors, err := corpus.Vectors(format.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			try(v.Name, v.Data)
		}
	}
	for _, name := range samples.Glob(t, "*/*") {
		try(name, samples.Read(t, name))
	}
	if count < 100 {
		t.Errorf("only %d programs were tried", count)
	}
}

func survivesAsText(t *testing.T, name string, s *pica.Shader, o asm.Options) {
	t.Helper()
	var text strings.Builder
	if err := asm.Disassemble(&text, s, o); err != nil {
		t.Fatal(err)
	}
	a, err := asm.Assemble([]asm.Source{{Name: name, Text: text.String()}}, asm.AssembleOptions{})
	if err != nil {
		t.Errorf("%s, %+v: %v\n%s", name, o, err, text.String()[:min(3000, text.Len())])
		return
	}
	if !slices.Equal(a.Code, s.Code) || !slices.Equal(a.Descriptors, s.Descriptors) {
		t.Errorf("%s, %+v: got words %08x, descriptors %08x; want %08x, %08x", name, o, a.Code, a.Descriptors,
			s.Code, s.Descriptors)
	}
}
