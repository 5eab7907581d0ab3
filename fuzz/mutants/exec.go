package mutants

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Mutant is an executor with one fault: the oracle with one of its rules
// replaced.
type Mutant struct {
	Name  string // stable, in kebab case
	Group string
	Rule  string // the broken sentence, with its section of the ISA page
	// Profiles names the profiles, among f24, hw and f32, in which the fault shows; nil means
	// all three.
	Profiles []string
	// Equivalent says why no job can show the fault; empty where one can.
	Equivalent string
	change     func(r *oracle.Rules)
}

// New returns the executor, which is not safe for concurrent use.
func (m Mutant) New() pica.Engine { return impl.NewWith(m.change, nil) }

// Change replaces the rule. Rules that are changed several times belong to one machine.
func (m Mutant) Change(r *oracle.Rules) { m.change(r) }

// Watched returns the executor; the observer receives its runs.
func (m Mutant) Watched(o oracle.Observer) pica.Engine { return impl.NewWith(m.change, o) }

// Executors returns the mutants, those of a group together.
func Executors() []Mutant {
	return slices.Concat(
		mutantsOf("arithmetic", arithmeticOf, arithmeticFaults),
		mutantsOf("rounding", func(r *oracle.Rules) *oracle.Arithmetic { return &r.Unit.Ops }, roundingFaults),
		mutantsOf("decoding", func(r *oracle.Rules) *oracle.Encoding { return &r.Encoding }, decodingFaults()),
		mutantsOf("operands", func(r *oracle.Rules) *oracle.Rules { return r }, operandFaults),
		mutantsOf("addressing", func(r *oracle.Rules) *oracle.Rules { return r }, addressingFaults),
		mutantsOf("control flow", func(r *oracle.Rules) *oracle.Flow { return &r.Flow }, flowFaults()),
		mutantsOf("geometry", func(r *oracle.Rules) *oracle.Rules { return r }, geometryFaults),
		mutantsOf("state", func(r *oracle.Rules) *oracle.Carry { return &r.Carry }, stateFaults),
	)
}

// fault changes a part of the oracle's rules. Variables in the closure of change belong to one
// executor.
type fault[T any] struct {
	name, rule string
	change     func(part *T)
}

func mutantsOf[T any](group string, part func(r *oracle.Rules) *T, faults []fault[T]) (list []Mutant) {
	for _, f := range faults {
		list = append(list, Mutant{Name: f.name, Group: group, Rule: f.rule, Profiles: visible[f.name],
			change: func(r *oracle.Rules) { f.change(part(r)) }})
	}
	return list
}

// visible lists the profiles of the faults that do not show in all three: hw truncates and
// flushes; f24 rounds to nearest and has subnormals; f32 has subnormals, too, in another
// format, a signed inverse of zero, no DST and LITP, and no prediction for vertex id 3.
var visible = profilesByName([]struct{ profiles, names []string }{
	{[]string{"hw"}, []string{
		"add-does-not-flush",
		"mul-does-not-flush",
		"truncation-rounds",
		"underflow-is-gradual",
		"uploads-round",
	}},
	{[]string{"f24", "f32"}, []string{
		"add-flushes-always",
		"flr-flushes-always",
		"flr-loses-the-sign-of-zero",
		"sum-of-minus-zeros-is-plus-zero",
		"underflow-is-abrupt",
		"underflow-loses-the-sign",
		"zero-products-are-positive",
		"rcp-of-inf-loses-the-sign",
	}},
	{[]string{"f24"}, []string{
		"dot-products-start-from-plus-zero",
		"rcp-of-minus-zero-is-minus-inf",
		"rsq-of-minus-zero-is-minus-inf",
		"uploads-truncate",
	}},
	{[]string{"f24", "hw"}, []string{
		"al-restored-is-the-inner-start",
		"cmp-6-and-7-are-false",
		"dst-exchanges-z-and-w",
		"dst-multiplies-x",
		"dsti-has-its-sources-exchanged",
		"litp-clamps-to-128",
		"litp-does-not-clamp-w",
		"litp-flags-need-positive-operands",
		"litp-honours-the-mask-in-its-flags",
		"litp-leaves-the-flags",
		"litp-lets-nan-pass",
		"rounds-twice-through-float32",
		"rsq-rounds-the-root",
		"vertex-id-3-is-slot-0",
	}},
	{[]string{"hw", "f32"}, []string{
		"float32-uploads-are-rounded",
	}},
	{[]string{"f32"}, []string{
		"raw24-has-a-hidden-one-in-subnormals",
		"rsq-rounds-once-in-float32",
	}},
})

func profilesByName(list []struct{ profiles, names []string }) map[string][]string {
	m := map[string][]string{}
	for _, l := range list {
		for _, name := range l.names {
			m[name] = l.profiles
		}
	}
	return m
}
