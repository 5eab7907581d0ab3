// Package wordgen serves this module: it draws code words about which no container has a rule, and
// words that break a rule about code.
package wordgen

import (
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// opcodes are the known ones, aliases included, from END on: without choices
// every word is an END.
var opcodes, reserved = func() (known, unknown []pica.Opcode) {
	for k := range pica.Opcode(pica.NumOpcodes) {
		op := (pica.END + k) % pica.NumOpcodes
		if op.Reserved() {
			unknown = append(unknown, op)
		} else {
			known = append(known, op)
		}
	}
	return known, unknown
}()

// Unused are the bits of a flow instruction between its count and its target.
var Unused = pica.Field{Lo: 8, Width: 2}

// LastTarget returns the highest target that op may have in a program of n words; ok is
// false for an instruction without a target.
func LastTarget(op pica.Opcode, n int) (last int, ok bool) {
	flow := pica.Opcodes[op].Flow
	if flow == pica.FlowIf { // whose else part may begin at the end, which a target of 12 bits does not always reach
		return min(n, pica.MaxCode-1), true
	}
	return n - 1, flow.HasTarget()
}

// HasBody reports whether as many words as the count of op says begin at its target, in the
// code.
func HasBody(op pica.Opcode) bool { return pica.Opcodes[op].Flow == pica.FlowCall }

// Code draws n words of a program with so many descriptors: known opcodes with
// any operands, descriptors that exist, targets and bodies inside the code.
func Code(c *gen.Choices, n, descriptors int) []uint32 {
	code := make([]uint32, n)
	for i := range code {
		code[i] = Word(c, gen.Pick(c, opcodes), n, descriptors)
	}
	return code
}

// Word draws a word of a program of n words: an instruction op, or END if op needs a descriptor and the program has
// none.
func Word(c *gen.Choices, op pica.Opcode, n, descriptors int) uint32 {
	layout := op.Layout()
	w := uint32(op)<<26 | uint32(c.Bits(26))
	if layout.Desc.Width > 0 {
		if descriptors == 0 {
			return uint32(pica.END) << 26
		}
		last := min(uint64(descriptors)-1, 1<<layout.Desc.Width-1)
		return layout.Desc.Put(w, uint32(c.Within(0, last)))
	}
	last, ok := LastTarget(op, n)
	if !ok {
		return w
	}
	w = Unused.Put(w, 0)
	to := c.Within(0, uint64(last))
	if HasBody(op) {
		w = layout.Num.Put(w, uint32(c.Within(0, min(uint64(n)-to, 1<<layout.Num.Width-1))))
	}
	return layout.Dst.Put(w, uint32(to))
}
