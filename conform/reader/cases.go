package reader

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// Kind is the way a file was made.
type Kind string

// The kinds.
const (
	Trigger  Kind = "trigger" // breaks one rule
	NearMiss Kind = "near miss"
	Valid    Kind = "valid"
	Odd      Kind = "odd" // accepted, with warnings
	Damaged  Kind = "damaged"
	Extreme  Kind = "extreme"       // valid except for one field
	Small    Kind = "small numbers" // fields and lists with no element, one element, and powers of two
	Pages    Kind = "whole pages"   // reading beyond the last byte is a fault
	Empty    Kind = "empty"
)

// kinds lists the kinds in the order in which files are shown.
var kinds = []Kind{Trigger, NearMiss, Valid, Odd, Damaged, Extreme, Small, Pages, Empty}

// Case is a file with the required outcome.
type Case struct {
	Format string
	Kind   Kind
	Rule   string // for a trigger or near miss
	Number uint64
	Data   []byte
	Class  diag.ReaderClass
	// Because is the rule for which the file must be refused.
	Because string
}

// cases returns the files of a format: every fault and near miss repeats times, the first of
// each without any choices, n valid and n odd files, and three times as many damaged files.
func cases(from gen.Format, seed, repeats, n uint64) (list []Case) {
	format, _ := registry.ByName(from.Name)
	add := func(kind Kind, rule string, number uint64, data []byte) {
		class, because := files.ClassOf(format, data)
		list = append(list, Case{from.Name, kind, rule, number, data, class, because})
	}
	for i, fault := range from.Faults {
		for k := range repeats {
			number := uint64(i)*repeats + k
			choices := func() *gen.Choices {
				if k == 0 {
					return gen.From(gen.NewBytes(nil))
				}
				return gen.From(gen.Seed(seed, number))
			}
			b, _ := fault.File(choices())
			add(Trigger, fault.Rule, number, b)
			add(NearMiss, fault.Rule, number, fault.NearMiss(choices()))
		}
	}
	add(Empty, "", 0, []byte{})
	for k, b := range extremes(from, seed) {
		add(Extreme, "", uint64(k), b)
	}
	for k, b := range slices.Concat(smalls(from, seed), sizes(from, seed)) {
		add(Small, "", uint64(k), b)
	}
	for k, b := range pages(from, seed) {
		add(Pages, "", uint64(k), b)
	}
	for k := range n {
		add(Valid, "", k, from.File(gen.From(gen.Seed(seed, k))))
		add(Odd, "", k, from.Odd(gen.From(gen.Seed(seed, k))))
	}
	for k := range 3 * n {
		add(Damaged, "", k, files.Damaged(from, gen.From(gen.Seed(seed, k))))
	}
	return list
}
