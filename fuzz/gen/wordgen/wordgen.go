// Package wordgen draws code words about which no container has anything to
// say, and words that break a rule about code.
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

// unused are the bits of a flow instruction between its count and its target.
var unused = pica.Field{Lo: 8, Width: 2}

// target says what the target of a flow instruction may be.
type target uint8

const (
	none   target = iota
	inside        // a word
	atEnd         // a word, or the end of the code
	body          // a word with which as many words begin as the count says
)

var targets = [pica.NumOpcodes]target{
	pica.CALL: body, pica.CALLC: body, pica.CALLU: body,
	pica.IFU: atEnd, pica.IFC: atEnd,
	pica.LOOP: inside, pica.JMPC: inside, pica.JMPU: inside,
}

// Code draws n words of a program with so many descriptors: known opcodes with
// any operands, descriptors that exist, targets and bodies inside the code.
func Code(c *gen.Choices, n, descriptors int) []uint32 {
	code := make([]uint32, n)
	for i := range code {
		code[i] = Word(c, gen.Pick(c, opcodes), n, descriptors)
	}
	return code
}

// Word draws one word of a program of n words: op, or END if op needs a
// descriptor and there is none.
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
	if targets[op] == none {
		return w
	}
	w = unused.Put(w, 0)
	last := uint64(n) - 1
	if targets[op] == atEnd {
		last++
	}
	to := c.Within(0, last)
	if targets[op] == body {
		w = layout.Num.Put(w, uint32(c.Within(0, min(uint64(n)-to, 1<<layout.Num.Width-1))))
	}
	return layout.Dst.Put(w, uint32(to))
}
