package asm

import (
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Format returns the text of one instruction, targets as word numbers. A word that
// no instruction's text can express becomes ".word", with its reading in a comment.
func Format(word uint32, descriptors []uint32) string {
	p := printer{descriptors: descriptors}
	b, comment := p.instruction(nil, 0, word)
	if comment != "" {
		b = append(append(b, " ; "...), comment...)
	}
	return string(b)
}

// printer turns words into text.
type printer struct {
	descriptors []uint32
	label       func(word int) string // name of a word, "" when it has none; may be nil
	// scope reports whether the word at pc opens a scope of the text; procedure
	// returns the name of the procedure of a range of words, or "". Both may be nil.
	scope     func(pc int) bool
	procedure func(start, end int) string
	// name returns the declared name of a register, or "", and the position of the
	// register in an array, or -1. It may be nil.
	name func(class byte, number uint8) (string, int)
	// noDescriptors leaves out the numbers of operand descriptors.
	noDescriptors bool
}

// instruction appends the text of the word at pc and returns a remark about it.
func (p *printer) instruction(b []byte, pc int, word uint32) ([]byte, string) {
	i := decode.Decode(word)
	if i.Op.Reserved() {
		return fmt.Appendf(b, ".word 0x%08x", word), i.Op.String()
	}
	opens := p.scope != nil && p.scope(pc)
	lost := unsayable(word, &i)
	if lost != 0 && !opens && p.called(&i) == "" {
		reading := p.operands(append(append([]byte{}, i.Op.String()...), ' '), &i, false)
		return fmt.Appendf(b, ".word 0x%08x", word), fmt.Sprintf("%s, ignored bits 0x%08x", trim(reading), lost)
	}
	name := i.Op.String()
	if opens && pica.Opcodes[i.Op].Flow == pica.FlowLoop {
		name = "for"
	}
	b = trim(p.operands(append(append(b, name...), ' '), &i, opens))
	if lost != 0 {
		b = fmt.Appendf(b, ", bits 0x%x", lost)
	}
	return b, ""
}

// called returns the name of the procedure that an instruction calls, or "".
func (p *printer) called(i *decode.Inst) string {
	if p.procedure == nil || pica.Opcodes[i.Op].Flow != pica.FlowCall {
		return ""
	}
	return p.procedure(int(i.Dst), int(i.Dst)+int(i.Num))
}

func trim(b []byte) []byte {
	if b[len(b)-1] == ' ' {
		return b[:len(b)-1]
	}
	return b
}

// unsayable returns the unread bits of a word that its text cannot express.
func unsayable(word uint32, i *decode.Inst) uint32 {
	lost := word & decode.Ignored(word)
	if pica.Opcodes[i.Op].Condition == pica.OnFlags {
		l := i.Op.Layout()
		lost &^= l.RefX.Mask() | l.RefY.Mask()
	}
	return lost
}

// operands appends the operands of an instruction; opens says that it opens a scope
// of the text.
func (p *printer) operands(b []byte, i *decode.Inst, opens bool) []byte {
	switch i.Format {
	case pica.Format2, pica.Format3:
		return p.flow(b, i, opens)
	case pica.Format4:
		return appendEmit(b, i)
	case pica.Format0:
		return b
	}
	var d pica.Descriptor
	if int(i.Desc) < len(p.descriptors) {
		d = pica.Descriptor(p.descriptors[i.Desc])
	}
	info := &pica.Opcodes[i.Op]
	switch {
	case info.Writes&pica.WritesAddress != 0:
		b = append(appendMask(append(b, "a0"...), d.Mask()), ", "...)
	case info.Writes&pica.WritesDest != 0:
		b = append(appendDest(b, i.Dest, d.Mask()), ", "...)
	}
	for k := range info.Sources {
		if k > 0 {
			b = append(b, ", "...)
		}
		index := uint8(pica.IndexNone)
		if k == int(i.IndexedSource) {
			index = i.Index
		}
		b = p.appendSource(b, i.Src[k], index, d, k)
		if k == 0 && i.Format == pica.Format1c {
			b = appendComparison(append(b, ", "...), i.CmpX)
			b = appendComparison(append(b, ", "...), i.CmpY)
		}
	}
	if !p.noDescriptors && firstMatch(i.Op, d, p.descriptors) != int(i.Desc) {
		b = strconv.AppendUint(append(b, ", desc "...), uint64(i.Desc), 10)
	}
	return b
}

// flow appends the condition and the target of a flow instruction.
func (p *printer) flow(b []byte, i *decode.Inst, opens bool) []byte {
	start, info := len(b), &pica.Opcodes[i.Op]
	b = p.appendDecision(b, i)
	if opens || !info.Flow.HasTarget() {
		return b
	}
	if len(b) > start {
		b = append(b, ", "...)
	}
	if name := p.called(i); name != "" {
		return append(b, name...)
	}
	b = p.target(b, target(i))
	if info.Flow.HasLength() {
		b = strconv.AppendUint(append(b, ", "...), uint64(i.Num), 10)
	}
	return b
}

// appendDecision appends the uniform or the condition of a flow instruction, if it
// has one.
func (p *printer) appendDecision(b []byte, i *decode.Inst) []byte {
	info := &pica.Opcodes[i.Op]
	switch {
	case info.Flow == pica.FlowLoop:
		return p.appendNamed(b, 'i', i.Int, pica.IndexNone)
	case info.Condition == pica.Always:
		return b
	case info.Condition == pica.OnFlags:
		return appendCondition(b, i)
	case info.Condition == pica.OnUniformInverse && pica.InverseBit.Get(uint32(i.Num)) != 0:
		b = append(b, '!')
	}
	return p.appendNamed(b, 'b', i.Bool, pica.IndexNone)
}

// target returns the word that a flow instruction names: for LOOP, the word behind
// its body.
func target(i *decode.Inst) int {
	if pica.Opcodes[i.Op].Flow == pica.FlowLoop {
		return int(i.Dst) + 1
	}
	return int(i.Dst)
}

func (p *printer) target(b []byte, word int) []byte {
	if p.label != nil {
		if name := p.label(word); name != "" {
			return append(b, name...)
		}
	}
	return strconv.AppendInt(b, int64(word), 10)
}

func appendEmit(b []byte, i *decode.Inst) []byte {
	b = strconv.AppendUint(b, uint64(i.Vertex), 10)
	flags := ", "
	if i.Primitive {
		b = append(append(b, flags...), "prim"...)
		flags = " "
	}
	if i.Winding {
		b = append(append(b, flags...), "inv"...)
	}
	return b
}
