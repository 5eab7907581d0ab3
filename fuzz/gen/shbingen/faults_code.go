package shbingen

import (
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// codeFaults are those of single words.
var codeFaults = []fault{
	{rule: "CODE001", spoil: wrongWord(reservedOps, func(c *gen.Choices, w uint32, _ int) uint32 { return w })},
	{rule: "CODE002", spoil: func(d *draft) place {
		p := &d.m.DVLP
		if len(p.Descriptors) == pica.MaxDescriptors { // all can be reached
			p.Descriptors = descriptors(d.c, 2)
			p.Code = code(d.c, len(p.Code), 2)
		}
		n := uint32(len(p.Descriptors))
		reach := opcodes(func(op pica.Opcode) bool { return !op.Reserved() && 1<<op.Layout().Desc.Width > max(n, 1) })
		return wrongWord(reach, func(c *gen.Choices, w uint32, _ int) uint32 {
			f := pica.OpcodeOf(w).Layout().Desc
			return f.Put(w, within(c, n, 1<<f.Width-1))
		})(d)
	}},
	{rule: "CODE003", spoil: wrongWord(flowOps, func(c *gen.Choices, w uint32, words int) uint32 {
		op := pica.OpcodeOf(w)
		last, _ := wordgen.LastTarget(op, reachable(op, words))
		return op.Layout().Dst.Put(w, within(c, uint32(last+1), 1<<op.Layout().Dst.Width-1))
	})},
	{rule: "CODE003", spoil: wrongWord(runOps, func(c *gen.Choices, w uint32, words int) uint32 {
		layout := pica.OpcodeOf(w).Layout()
		target := within(c, uint32(max(words-254, 0)), uint32(words-1))
		return layout.Num.Put(layout.Dst.Put(w, target), within(c, uint32(words)-target+1, 255))
	})},
	{rule: "CODE004", spoil: wrongWord(flowOps, func(c *gen.Choices, w uint32, _ int) uint32 {
		return wordgen.Unused.Put(w, within[uint32](c, 1, 3))
	})},
}

// Opcodes of one kind.
var (
	reservedOps = opcodes(pica.Opcode.Reserved)
	flowOps     = opcodes(func(op pica.Opcode) bool { return pica.Opcodes[op].Flow.HasTarget() })
	runOps      = opcodes(wordgen.HasBody)
)

// wrongWord puts a word of one of the opcodes somewhere, spoilt.
func wrongWord(ops []pica.Opcode, spoil func(c *gen.Choices, w uint32, words int) uint32) func(d *draft) place {
	return func(d *draft) place {
		p := &d.m.DVLP
		i := d.c.Below(len(p.Code))
		w := word(d.c, gen.Pick(d.c, ops), len(p.Code), len(p.Descriptors))
		p.Code[i] = spoil(d.c, w, len(p.Code))
		return at("dvlp.code[%d]", i)
	}
}
