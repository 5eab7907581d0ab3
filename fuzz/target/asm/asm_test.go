// Package asm_test asks of the assembler: does any text result in words or in errors, and
// does the text of any words assemble to the same words?
package asm_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/target/parts"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// maxInput keeps inputs small: go test minimises a failing input in time quadratic in its
// length.
const maxInput = 512

// FuzzAsm assembles any text in both dialects. The text of an accepted program assembles to
// the same words; every error has a place.
func FuzzAsm(f *testing.F) {
	for _, name := range samples.Glob(f, "picasso/*.pica") {
		if text := samples.Read(f, name); len(text) <= 2*maxInput {
			f.Add(text[:min(len(text), maxInput)])
		}
	}
	f.Add([]byte(".opdesc 0x0d86c36f\n.pad off\n.limit 600\n.fvec a[2] c4\nifc cmp.x (!cmp.y), 3, 1\n.word 0x5c000000\n" +
		"loop i0, L\nL: mov r0._, a[1].wx, desc 3"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		text := string(b)
		for _, dialect := range []asm.Dialect{asm.Default, asm.Picasso} {
			sources := []asm.Source{{Name: "text", Text: text}}
			a, err := asm.Assemble(sources, asm.AssembleOptions{Dialect: dialect})
			var list asm.Errors
			switch {
			case err == nil:
				for k := range a.Entries {
					s := a.Shader(k)
					survives(t, &s)
				}
			case !errors.As(err, &list) || len(list) == 0 || a != nil:
				t.Fatalf("refused without errors: %v", err)
			}
			for _, e := range list {
				if e.Column < 0 || e.Length < 0 || e.Line > 1+strings.Count(text, "\n") || e.Message == "" {
					t.Fatalf("impossible place: %+v", e)
				}
				_ = e.Excerpt()
			}
		}
	})
}

// survives demands that the text of a program, flat and structured, assembles to
// its words and descriptors.
func survives(t *testing.T, s *pica.Shader) {
	t.Helper()
	for _, o := range []asm.Options{{}, {Structured: true}} {
		var text strings.Builder
		if err := asm.Disassemble(&text, s, o); err != nil {
			t.Fatal(err)
		}
		a, err := asm.Assemble([]asm.Source{{Name: path.Base(t.Name()), Text: text.String()}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatalf("%+v: %v\n%s", o, err, text.String())
		}
		if !slices.Equal(a.Code, s.Code) || !slices.Equal(a.Descriptors, s.Descriptors) {
			t.Fatalf("%+v: got words %08x, descriptors %08x; want %08x, %08x\n%s", o, a.Code, a.Descriptors, s.Code,
				s.Descriptors, text.String())
		}
	}
}

// FuzzDisassemble: any words with any names have a text, always the same, with one line for
// every word and no line that a name has added.
func FuzzDisassemble(f *testing.F) {
	var g gen.Generator
	for n := range uint64(32) {
		job := g.Job(gen.Seed(1, n), gen.Modes[n%uint64(len(gen.Modes))])
		var code []byte
		for _, w := range job.Code {
			code = binary.LittleEndian.AppendUint32(code, w)
		}
		f.Add(parts.Join([]byte{byte(n)}, []byte("main"), code))
	}
	f.Add(parts.Join([]byte{0}, []byte("a\nb;"), []byte{0, 0, 0, 0x4C}))
	var texts [2]bytes.Buffer
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > maxInput {
			return
		}
		list := parts.Split(input, 3)
		word, name, code := slices.Concat(list[0], []byte{0})[0], string(list[1]), list[2]
		var words []uint32
		for ; len(code) >= 4; code = code[4:] {
			words = append(words, binary.LittleEndian.Uint32(code))
		}
		s := &pica.Shader{
			Program: pica.Program{Code: words, Descriptors: words[:len(words)/2]}, Name: name, Entry: int(word),
			Labels: []pica.Label{{Name: name, Word: int(word) - 1, Length: -1}},
			Inputs: []pica.Symbol{{Name: name, Class: 'v', First: 0, Last: int(word)}},
			Uniforms: []pica.Symbol{{Name: name, Class: 'c', First: int(word), Last: 95},
				{Name: name, Class: word, First: -1}},
			Outputs: []pica.Output{{Semantic: name, Register: int(word), Mask: word}},
		}
		for k := range texts {
			texts[k].Reset()
			if err := asm.Disassemble(&texts[k], s, asm.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		text := texts[0].String()
		if text != texts[1].String() {
			t.Fatalf("two texts:\n%s\n%s", text, &texts[1])
		}
		lines := 0
		for line := range strings.Lines(text[strings.Index(text, "\n\n")+2:]) {
			switch {
			case line[0] == '\t':
				lines++
			case !strings.HasSuffix(line, ":\n"):
				t.Fatalf("%q is neither instruction nor label of\n%s", line, text)
			}
		}
		if lines != len(words) {
			t.Fatalf("%d lines for %d words:\n%s", lines, len(words), text)
		}
		survives(t, s)
	})
}
