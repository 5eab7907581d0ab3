package formattest

import (
	"runtime/debug"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
)

// Faults breaks every rule of the format in every way that its generator knows,
// several times each, a hundred times in a long run: the rule is reported with the severity, offset, length and
// path that the fault says, nothing else is, and the near miss is accepted and the
// rule silent in it. All that holds for any bytes holds for these.
func (x Format[F]) Faults(t *testing.T, from gen.Format) {
	t.Helper()
	RuleTable(t, x.Rules)
	few := long.Few(8, 3)
	defer debug.SetGCPercent(debug.SetGCPercent(wasteful))
	for k, fault := range from.Faults() {
		t.Run(fault.Rule, func(t *testing.T) {
			for n := range long.Numbers(t, 100, few) {
				source := func() *gen.Choices { return gen.From(gen.Seed(*seed, uint64(n))) }
				b, at := fault.File(source())
				if _, text := fault.Expect(x.Rules, at).Differs(x.Check(b)); text != "" {
					t.Fatalf("-seed=%d, fault %d, file %d, %d bytes: %s", *seed, k, n, len(b), text)
				}
				x.Agree(t, b)
				if n%4 == 0 {
					x.nearMiss(t, fault, source())
				}
				if t.Failed() {
					t.Fatalf("-seed=%d, fault %d, file %d", *seed, k, n)
				}
			}
		})
	}
}

// nearMiss checks a near miss of a fault.
func (x Format[F]) nearMiss(t *testing.T, fault gen.Fault, c *gen.Choices) {
	t.Helper()
	b := fault.NearMiss(c)
	for _, f := range x.Check(b) {
		if !slices.Contains(fault.Also, f.Rule) && !slices.Contains(fault.MissBreaks, f.Rule) || f.Rule == fault.Rule ||
			f.Severity == diag.Error {
			t.Errorf("the near miss of %s: %v", fault.Rule, f)
		}
	}
	x.Agree(t, b)
}
