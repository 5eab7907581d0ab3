package asm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// reassemble prints a shader and assembles the text.
func reassemble(t *testing.T, s *pica.Shader, o asm.Options) (text string, a *asm.Assembly) {
	t.Helper()
	var b strings.Builder
	if err := asm.Disassemble(&b, s, o); err != nil {
		t.Fatal(err)
	}
	a, err := asm.Assemble([]asm.Source{{Name: "text", Text: b.String()}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return b.String(), a
}

// survives demands that the text of a shader, flat and structured, assembles to
// its words, descriptors and entry point.
func survives(t *testing.T, s *pica.Shader) {
	t.Helper()
	for _, o := range []asm.Options{{}, {Structured: true}, {Structured: true, Words: true}, {Fold: true}} {
		text, a := reassemble(t, s, o)
		switch e := a.Entries[0]; {
		case !slices.Equal(a.Code, s.Code):
			t.Fatalf("%+v: words: got %08x, want %08x\n%s", o, a.Code, s.Code, text)
		case !slices.Equal(a.Descriptors, s.Descriptors):
			t.Fatalf("%+v: descriptors: got %08x, want %08x\n%s", o, a.Descriptors, s.Descriptors, text)
		case e.First != s.Entry || e.Stage != s.Stage && !emits(s.Code):
			t.Fatalf("%+v: entry %d of %v, want %d of %v\n%s", o, e.First, e.Stage, s.Entry, s.Stage, text)
		}
	}
}

// emits reports whether a program has a SETEMIT, which makes it a geometry
// program.
func emits(code []uint32) bool {
	return slices.ContainsFunc(code, func(word uint32) bool { return pica.OpcodeOf(word) == pica.SETEMIT })
}

// TestAnyWordsSurvive draws words, in long runs a million, half of them with targets near by,
// and descriptors, half of them usual, in programs of 1 to 4096 words.
func TestAnyWordsSurvive(t *testing.T) {
	const seed = 1
	for n := range long.Numbers(t, 1600, long.Few(160, 30)) {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		s := &pica.Shader{Stage: pica.Stage(r.IntN(2))}
		words := 1 + r.IntN(pica.MaxCode>>r.IntN(13))
		for range words {
			word := r.Uint32()
			if r.IntN(2) == 0 { // a flow instruction of few words
				word = 0x23<<26 + uint32(r.IntN(11))<<26 | uint32(r.IntN(60))<<10 | uint32(r.IntN(6))
			}
			s.Code = append(s.Code, word)
		}
		for range r.IntN(pica.MaxDescriptors + 1) {
			s.Descriptors = append(s.Descriptors, []uint32{r.Uint32(), uint32(pica.IdentityDescriptor)}[r.IntN(2)])
		}
		s.Entry = r.IntN(len(s.Code))
		t.Run(fmt.Sprintf("seed %d, program %d", seed, n), func(t *testing.T) { survives(t, s) })
	}
}

// TestGeneratedProgramsSurvive does the same with generated programs of every mode.
func TestGeneratedProgramsSurvive(t *testing.T) {
	const seed = 1
	var g gen.Generator
	for _, mode := range gen.Modes {
		for n := range long.Numbers(t, 500, long.Few(100, 20)) {
			job := g.Job(gen.Seed(seed, uint64(n)), mode)
			s := &pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			t.Run(fmt.Sprintf("%s, case %d of seed %d", mode, n, seed), func(t *testing.T) { survives(t, s) })
		}
	}
}
