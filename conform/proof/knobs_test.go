package proof_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestKnobsOfOpcodes: some opcodes follow another value of a knob than the model, also one that replaces no rule of the
// reference or that only its number formats read. A mutant of the same effect may name it.
func TestKnobsOfOpcodes(t *testing.T) {
	for _, x := range []struct {
		model, knob, value string
		ops                []pica.Opcode
		want               string
	}{
		{"citra-2021", "dp", "left", []pica.Opcode{pica.DP4}, "dp4: dp=left"},
		{"citra-2021", "dp", "pairwise", []pica.Opcode{pica.DP4}, "dp4: dot-products-go-pairwise"},
		{"hw", "round", "rne", []pica.Opcode{pica.MUL}, "mul: truncation-rounds"},
		{"f24", "flush", "all", []pica.Opcode{pica.ADD}, "add: add-flushes-always"},
		{"citra-2021", "rcp0", "positive", []pica.Opcode{pica.RSQ}, "rsq: rcp0=positive"},
	} {
		p, _ := profile.ByName(x.model)
		k := impl.Catalogue[slices.IndexFunc(impl.Catalogue[:], func(k impl.Knob) bool { return k.Name == x.knob })]
		value := slices.IndexFunc(k.Values, func(v impl.Value) bool { return v.Name == x.value })
		fault := within(func(c *oracle.Control) bool { return slices.Contains(x.ops, c.Op) }, k.Instead(&p, value))
		causes, rest := explain(impl.NewWith(fault, nil), p)
		if len(rest) > 0 || len(causes) != 1 || causes[0].String() != x.want {
			t.Errorf("%s with %s=%s in %v: %d answers left, %s, want %s", x.model, x.knob, x.value, x.ops, len(rest),
				texts(causes), x.want)
		}
	}
}
