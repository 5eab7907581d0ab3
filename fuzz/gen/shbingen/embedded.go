package shbingen

import (
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Embedded draws a DVLB for a container; an odd DVLB may have warnings.
func Embedded(c *gen.Choices, odd bool) []byte {
	if odd && c.Chance(8) {
		if b, err := Model(c).AppendBinary(nil); err == nil {
			return b
		}
	}
	return File(c)
}

// EmbeddedFaults are the faults of a DVLB of severity error. A container reports an error of its own, too.
var EmbeddedFaults = sync.OnceValue(func() (list []EmbeddedFault) {
	rules := diag.NewRuleSet(shbin.Rules)
	for _, f := range Faults() {
		if rules[f.Rule].Severity == diag.Error {
			list = append(list, EmbeddedFault{append(slices.Clone(f.Also), f.Rule), f.MissBreaks, func(c *gen.Choices) []byte {
				if b := c.Inner(f); len(b) > 0 {
					return b
				}
				return []byte{0}
			}})
		}
	}
	return list
})

// EmbeddedFault is a fault of a DVLB in a container.
type EmbeddedFault struct {
	Also, MissBreaks []string                    // Also has the rules of the DVLB
	Bytes            func(c *gen.Choices) []byte // draws the DVLB, which is not empty
}
