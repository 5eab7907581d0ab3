package reader

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
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

	breaches []breach // for which it must be refused
	besides  []breach // for which it may be refused
	// control is the nearest right file; nil if there is none. A refusal of Data is right only
	// if the reader accepts it.
	control []byte
	way     int                 // for a trigger or near miss: the index of the fault
	draw    func() *gen.Choices // as well: what the file is drawn from
}

// cases returns the files of a format: n valid and n odd files, every fault and near miss repeats
// times, and three times as many damaged files as valid ones.
func (s *standards) cases(from gen.Format, seed, repeats, n uint64) (list []Case) {
	add := func(kind Kind, number uint64, data, control []byte) {
		list = append(list, s.newCase(Case{Kind: kind, Number: number, Data: data, control: control}))
	}
	for k := range n {
		add(Valid, k, from.File(gen.From(gen.Seed(seed, k))), nil)
	}
	for way := range from.Faults() {
		for k := range repeats {
			number := uint64(way)*repeats + k
			trigger, near := s.pair(from, way, number, drawOf(seed, number, k))
			list = append(list, trigger, near)
		}
	}
	add(Empty, 0, []byte{}, nil)
	number, swept := uint64(0), sweeps(from, seed)
	for i, x := range swept {
		if x.number >= n {
			add(Valid, x.number, x.base, nil)
		}
		for _, b := range x.extremes() {
			add(Extreme, number, b, x.base)
			number++
		}
		if i > 0 {
			continue
		}
		for _, b := range endless(x.base) { // which may change several fields
			add(Extreme, number, b, nil)
			number++
		}
	}
	for k, b := range slices.Concat(swept[0].smalls(s.format), sizes(from, seed)) {
		add(Small, uint64(k), b, nil)
	}
	for k, b := range pages(from, seed) {
		add(Pages, uint64(k), b, nil)
	}
	for k := range n {
		add(Odd, k, from.Odd(gen.From(gen.Seed(seed, k))), nil)
	}
	for k := range 3 * n {
		add(Damaged, k, files.Damaged(from, gen.From(gen.Seed(seed, k))), nil)
	}
	return list
}

// newCase adds the requirements to a case.
func (s *standards) newCase(c Case) Case {
	c.Format = s.format.Name
	findings := s.format.Check(c.Data)
	if c.Class, c.Because = files.ClassIn(s.format, findings); c.Class == diag.MustRefuse {
		c.breaches, c.besides = s.breaches(c.Data, findings)
	}
	return c
}

// drawOf returns the choices of draw k of a fault: the first has none, so that its base is the
// smallest file; the bases of every other one have few features, and those of the rest many. A
// reader that refuses one peculiar base has others.
func drawOf(seed, number, k uint64) func() *gen.Choices {
	return func() *gen.Choices {
		switch {
		case k == 0:
			return gen.From(gen.NewBytes(nil))
		case k%2 == 1:
			return gen.From(gen.Sparse(gen.Seed(seed, number), 3))
		}
		return gen.From(gen.Seed(seed, number))
	}
}

// pair returns a file that breaks a rule, and the near miss drawn from the same choices.
func (s *standards) pair(from gen.Format, way int, number uint64, draw func() *gen.Choices) (trigger, near Case) {
	fault := from.Faults()[way]
	b, _ := fault.File(draw())
	miss := fault.NearMiss(draw())
	of := Case{Rule: fault.Rule, Number: number, way: way, draw: draw}
	trigger, near = of, of
	trigger.Kind, trigger.Data, trigger.control = Trigger, b, miss
	near.Kind, near.Data = NearMiss, miss
	return s.newCase(trigger), s.newCase(near)
}
