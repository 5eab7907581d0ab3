package gen

import (
	"encoding"
	"fmt"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/diag"
)

// Format makes files of one container.
type Format struct {
	Name string // as in formats/registry
	// File draws a valid file, one about which Check has nothing to say.
	File func(c *Choices) []byte
	// Odd draws a file that is accepted; Check may warn about it.
	Odd func(c *Choices) []byte
	// Twins draws content once and writes it twice: in a layout without an error, and as the canonical form of that
	// file. It is nil for a format whose files have one layout only.
	Twins func(c *Choices) (file, canonical []byte)
	// Faults has at least one entry for every rule of the format. The list is made when it is first asked for, so that
	// the many short runs of the program that break no file start faster.
	Faults func() []Fault
}

// Odd makes files of models and, one time in four, of faults of severity warning or info, so that some odd file breaks
// each such rule, also a new one. rules are the rules of the format. Odd skips the few models that the writer refuses.
func Odd[M encoding.BinaryAppender](
	model func(c *Choices) M, rules []diag.Rule, faults func() []Fault,
) func(*Choices) []byte {
	mild := sync.OnceValue(func() []Fault {
		return slices.DeleteFunc(slices.Clone(faults()), func(f Fault) bool {
			return f.Expect(rules, Place{}).Severity == diag.Error || !Mild(rules, f.Also...)
		})
	})
	return func(c *Choices) []byte {
		if faults := mild(); len(faults) > 0 && !c.Chance(12) {
			b, _ := Pick(c, faults).File(c)
			return b
		}
		const tries = 16
		for range tries {
			if b, err := model(c).AppendBinary(nil); err == nil {
				return b
			}
		}
		return nil
	}
}

// Mild reports that none of the rules with some ids is of severity error.
func Mild(rules []diag.Rule, ids ...string) bool {
	return !slices.ContainsFunc(rules, func(r diag.Rule) bool {
		return r.Severity == diag.Error && slices.Contains(ids, r.ID)
	})
}

// Unchecked returns the bytes of a model whatever rules they break. The model is
// one that a generator made: it panics when it cannot be written at all.
func Unchecked(m interface {
	AppendUnchecked(b []byte) ([]byte, error)
}) []byte {
	b, err := m.AppendUnchecked(nil)
	if err != nil {
		panic(fmt.Sprintf("gen: %v", err))
	}
	return b
}
