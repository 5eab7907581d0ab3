package bnshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Faults has an entry for every way to break a rule.
var Faults = gen.FieldFaults[bnsh.Option]{Rules: fields, File: File, Outline: bnsh.Outline}.With(generators(
	headerFaults, programFaults, otherCodeFaults, poolFaults, reflectionFaults, dictionaryFaults,
	stringFaults, relocationFaults, layoutFaults, controlFaults,
))

func generators(groups ...[]fault) (all []gen.Fault) {
	for _, x := range slices.Concat(groups...) {
		all = append(all, x.generator())
	}
	return all
}

// Rules that cannot stay silent when others are broken.
var (
	// Some rules say in which one way the canonical writer does a thing.
	notCanonical = []string{"BNSH081"}
	// Of the forms of programs, only one was ever seen.
	neverSeen = []string{"BNSH028"}
	// Nor was packed code.
	packed = []string{"BNSH038"}
)
