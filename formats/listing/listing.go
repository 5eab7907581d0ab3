// Package listing serves this module: it says how the programs of a file are printed, what a text does not carry of the
// file, and where the file has the bytes of an instruction.
package listing

import (
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// Programs returns for each shader the first shader of its program: entry points of one program
// share their code.
func Programs(shaders []pica.Shader) []int {
	firsts := make([]int, len(shaders))
	for i := range shaders {
		firsts[i] = i
		if i == 0 {
			continue
		}
		before, code := shaders[i-1].Code, shaders[i].Code
		if len(before) == len(code) && len(code) > 0 && &before[0] == &code[0] {
			firsts[i] = firsts[i-1]
		}
	}
	return firsts
}

// maxParts is the largest number of entry points of a program that are printed apart.
const maxParts = 64

// Listing is how one entry point is printed.
type Listing struct {
	Shader *pica.Shader
	Part   *asm.Part // nil for a whole program
	CodeOf int       // an earlier entry point of the whole program, or -1
	Entry  int       // the number of the entry point in the file, or -1
	Lost   []string  // what the text does not carry; see [Listing.FindLoss]
}

// New returns the part of a program that a shader reaches, or the whole program if it has one entry point, or
// too many, or a path that is too long to follow.
func New(s *pica.Shader, entries int) Listing {
	all := Listing{Shader: s, CodeOf: -1}
	if entries < 2 || entries > maxParts {
		return all
	}
	free := *s // an application may replace the constants that decide branches
	free.Floats, free.Ints, free.Bools = nil, nil, nil
	reached := lint.NewGraph(&free).Reached()
	if reached == nil || s.Entry >= len(reached) {
		return all
	}
	part := asm.NewPart(s, reached)
	return Listing{Shader: &part.Shader, Part: &part, CodeOf: -1}
}

// Entries returns the number of shaders that have the program of s.
func Entries(shaders []pica.Shader, s *pica.Shader) (n int) {
	for i := range shaders {
		if code := shaders[i].Code; len(code) == len(s.Code) && len(code) > 0 && &code[0] == &s.Code[0] {
			n++
		}
	}
	return n
}

// Of returns how the entry points of a file are printed.
func Of(shaders []pica.Shader) []Listing {
	firsts := Programs(shaders)
	entries := map[int]int{}
	for _, first := range firsts {
		entries[first]++
	}
	var list []Listing
	for i, first := range firsts {
		l := Listing{Shader: &shaders[i], CodeOf: first}
		if first == i || list[first].Part != nil {
			l = New(&shaders[i], entries[first])
		}
		l.Entry = i
		list = append(list, l)
	}
	return list
}
