package bnshgen

import (
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Faults has an entry for every way to break a rule.
var Faults = sync.OnceValue(func() []gen.Fault {
	return gen.FieldFaults[bnsh.Option]{Rules: fields, File: File, Outline: bnsh.Outline}.With(generators(
		headerFaults, programFaults, otherCodeFaults, poolFaults, reflectionFaults, dictionaryFaults,
		stringFaults, relocationFaults, layoutFaults, controlFaults,
	))
})

func generators(groups ...[]fault) (all []gen.Fault) {
	for _, x := range slices.Concat(groups...) {
		all = append(all, x.generator())
	}
	return all
}

// missBreaks lists by rule the rules that a near miss may break: a container may be smaller than its contents, code
// may begin later or end with the pool, and the file name may be another string.
var missBreaks = map[string][]string{
	"BNSH012": {"BNSH018", "BNSH081"},
	"BNSH032": {"BNSH035", "BNSH081", "BNSH092"},
	"BNSH033": {"BNSH035", "BNSH080", "BNSH081", "BNSH097"},
	"BNSH063": {"BNSH065", "BNSH066", "BNSH081"},
}

// Rules that cannot stay silent when others are broken.
var (
	// Some rules say how the canonical writer lays out a file.
	notCanonical = []string{"BNSH081"}
	// Of the forms of programs, only one was ever seen.
	neverSeen = []string{"BNSH028"}
	// Nor was packed code.
	packed = []string{"BNSH038"}
)
