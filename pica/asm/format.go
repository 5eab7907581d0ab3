package asm

import (
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Format returns the text of one instruction, targets as word numbers. Words
// that an instruction's text cannot carry come out as ".word", with the reading
// in a comment.
func Format(word uint32, descriptors []uint32) string {
	return string(AppendFormat(nil, word, descriptors))
}

// AppendFormat appends the text that Format returns.
func AppendFormat(b []byte, word uint32, descriptors []uint32) []byte {
	p := printer{descriptors: descriptors}
	b, comment := p.instruction(b, word)
	if comment != "" {
		b = append(append(b, " ; "...), comment...)
	}
	return b
}

// printer turns words into text.
type printer struct {
	descriptors []uint32
	label       func(word int) string // name of a word, "" when it has none; may be nil
}

// instruction appends the text of a word and returns a remark about it.
func (p *printer) instruction(b []byte, word uint32) ([]byte, string) {
	i := decode.Decode(word)
	if i.Op.Reserved() {
		return fmt.Appendf(b, ".word 0x%08x", word), i.Op.String()
	}
	if lost := unsayable(word, &i); lost != 0 {
		reading := p.operands(append(append([]byte{}, i.Op.String()...), ' '), &i)
		return fmt.Appendf(b, ".word 0x%08x", word), fmt.Sprintf("%s, ignored bits 0x%08x", trim(reading), lost)
	}
	return trim(p.operands(append(append(b, i.Op.String()...), ' '), &i)), ""
}

func trim(b []byte) []byte {
	if b[len(b)-1] == ' ' {
		return b[:len(b)-1]
	}
	return b
}

// unsayable returns the bits of a word that nothing reads and that its text has
// no place for.
func unsayable(word uint32, i *decode.Inst) uint32 {
	lost := word & decode.Ignored(word)
	if i.Format == pica.Format2 && i.Op != pica.CALL {
		l := decode.Fields(i.Op)
		lost &^= l.RefX.Mask() | l.RefY.Mask()
	}
	return lost
}

// operands appends everything behind the mnemonic.
func (p *printer) operands(b []byte, i *decode.Inst) []byte {
	switch i.Format {
	case pica.Format2, pica.Format3:
		return p.flow(b, i)
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
		b = appendSource(b, i.Src[k], index, d, k)
		if k == 0 && i.Format == pica.Format1c {
			b = appendComparison(append(b, ", "...), i.CmpX)
			b = appendComparison(append(b, ", "...), i.CmpY)
		}
	}
	if firstMatch(i.Op, d, p.descriptors) != int(i.Desc) {
		b = strconv.AppendUint(append(b, ", desc "...), uint64(i.Desc), 10)
	}
	return b
}

// flow appends what a flow control instruction depends on and where it leads.
func (p *printer) flow(b []byte, i *decode.Inst) []byte {
	target, length := int(i.Dst), true
	switch i.Op {
	case pica.LOOP:
		b = append(appendRegister(b, 'i', i.Int), ", "...)
		target, length = target+1, false
	case pica.CALL:
	case pica.BREAKC:
		return appendCondition(b, i)
	case pica.JMPC:
		b = append(appendCondition(b, i), ", "...)
		length = false
	case pica.JMPU:
		if i.Num&1 != 0 {
			b = append(b, '!')
		}
		b = append(appendRegister(b, 'b', i.Bool), ", "...)
		length = false
	default:
		if i.Format == pica.Format3 {
			b = appendRegister(b, 'b', i.Bool)
		} else {
			b = appendCondition(b, i)
		}
		b = append(b, ", "...)
	}
	b = p.target(b, target)
	if length {
		b = strconv.AppendUint(append(b, ", "...), uint64(i.Num), 10)
	}
	return b
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
