package asm

import (
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

func appendFlag(b []byte, name string, ref bool) []byte {
	if !ref {
		b = append(b, '!')
	}
	return append(b, name...)
}

// appendCondition appends the condition of a format 2 instruction.
func appendCondition(b []byte, i *decode.Inst) []byte {
	const x, y = "cmp.x", "cmp.y"
	switch i.CondOp {
	case pica.CondX:
		return appendUnread(appendFlag(b, x, i.RefX), y, i.RefY)
	case pica.CondY:
		return appendUnread(appendFlag(b, y, i.RefY), x, i.RefX)
	}
	joint := " || "
	if i.CondOp == pica.CondAnd {
		joint = " && "
	}
	b = append(appendFlag(b, x, i.RefX), joint...)
	return appendFlag(b, y, i.RefY)
}

// appendUnread appends the reference value of the flag that the condition does not
// test, if it is clear: assemblers set it.
func appendUnread(b []byte, name string, ref bool) []byte {
	if ref {
		return b
	}
	return append(appendFlag(append(b, " ("...), name, ref), ')')
}
