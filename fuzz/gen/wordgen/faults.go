package wordgen

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// MaxWords and MaxDescriptors bound a program into which every rule can be
// broken: a target has 12 bits and a count 8, a descriptor number has 7, that
// of MAD 5.
const (
	MaxWords       = 1<<12 - 2
	MaxDescriptors = 1<<7 - 1
)

// Fault draws words that break one rule about code.
type Fault struct {
	Rule string
	// Word draws a word for a program of n words, at most MaxWords, with so many
	// descriptors, at most MaxDescriptors.
	Word func(c *gen.Choices, n, descriptors int) uint32
}

// Faults breaks every rule about code in every known way.
var Faults = []Fault{
	{"CODE001", func(c *gen.Choices, _, _ int) uint32 {
		return uint32(gen.Breach(c, gen.Pick(c, reserved), pica.BREAK))<<26 | uint32(c.Bits(26))
	}},
	{"CODE002", func(c *gen.Choices, n, descriptors int) uint32 {
		op := gen.Pick(c, withDescriptor(descriptors))
		field := op.Layout().Desc
		if descriptors == 0 {
			wrong := field.Put(Word(c, op, n, 1), uint32(c.Within(0, 1<<field.Width-1)))
			return gen.Breach(c, wrong, uint32(pica.END)<<26) // without descriptors no number is right
		}
		return field.Put(Word(c, op, n, 1),
			uint32(c.Wrong(uint64(descriptors), 1<<field.Width-1, uint64(descriptors)-1)))
	}},
	{"CODE003", func(c *gen.Choices, n, descriptors int) uint32 {
		op := gen.Pick(c, flow)
		last, _ := LastTarget(op, n)
		layout := op.Layout()
		w := Word(c, op, n, descriptors)
		if HasBody(op) {
			w = layout.Num.Put(w, uint32(c.Wrong(0, 1<<layout.Num.Width-1, 1)))
		}
		return layout.Dst.Put(w, uint32(c.Wrong(uint64(last)+1, 1<<layout.Dst.Width-1, uint64(last))))
	}},
	{"CODE003", func(c *gen.Choices, n, descriptors int) uint32 { // a body that leaves the code
		op := gen.Pick(c, bodied)
		layout := op.Layout()
		longest := uint64(1)<<layout.Num.Width - 1
		to := c.Within(uint64(max(n-int(longest)+1, 0)), uint64(n)-1)
		w := layout.Dst.Put(Word(c, op, n, descriptors), uint32(to))
		return layout.Num.Put(w, uint32(c.Wrong(uint64(n)-to+1, longest, uint64(n)-to)))
	}},
	{"CODE004", func(c *gen.Choices, n, descriptors int) uint32 {
		return Unused.Put(Word(c, gen.Pick(c, flow), n, descriptors), uint32(c.Wrong(1, 3, 0)))
	}},
}

// flow are the instructions with a target, bodied the instructions with a body.
var (
	flow   = Opcodes(func(op pica.Opcode) bool { return pica.Opcodes[op].Flow.HasTarget() })
	bodied = Opcodes(HasBody)
)

// withDescriptor lists the instructions that can name descriptor n.
func withDescriptor(n int) []pica.Opcode {
	return Opcodes(func(op pica.Opcode) bool {
		width := op.Layout().Desc.Width
		return n < 1<<width && width > 0
	})
}

// Opcodes lists the known opcodes for which holds is true, from END on.
func Opcodes(holds func(op pica.Opcode) bool) []pica.Opcode {
	return slices.DeleteFunc(slices.Clone(opcodes), func(op pica.Opcode) bool { return !holds(op) })
}
