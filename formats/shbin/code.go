package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica"
)

// target says which limit a flow instruction's target word has.
type target uint8

const (
	noTarget  target = iota
	inCode           // target < code length
	inCodeEnd        // target <= code length
	inCodeRun        // target < code length, and target + count <= code length
)

var targets = [pica.NumOpcodes]target{
	pica.CALL: inCodeRun, pica.CALLC: inCodeRun, pica.CALLU: inCodeRun,
	pica.IFU: inCodeEnd, pica.IFC: inCodeEnd,
	pica.LOOP: inCode, pica.JMPC: inCode, pica.JMPU: inCode,
}

// unusedFlowBits lie between the count and the target of a flow instruction.
var unusedFlowBits = pica.Field{Lo: 8, Width: 2}

// CheckCode checks what a container can say about code words: CODE001 to
// CODE004. off is the offset of the first word in the file, prefix starts the
// paths.
func CheckCode(r *diag.Reporter, prefix string, off uint64, code []uint32, descriptors int) {
	for i, word := range code {
		at := func() diag.Place {
			return WordFields.At(off+4*uint64(i), diag.Path{Prefix: prefix, Table: "code", Index: i})
		}
		op := pica.OpcodeOf(word)
		if op.Reserved() {
			r.Report("CODE001", at(), diag.Text("a known opcode"), diag.Hex(uint64(op)))
			continue
		}
		f := pica.Opcodes[op].Format.Layout()
		if k := f.Desc.Get(word); f.Desc.Width > 0 && int(k) >= descriptors {
			r.Report("CODE002", at(), diag.Below(uint64(descriptors)), diag.Dec(uint64(k)))
		}
		if targets[op] == noTarget {
			continue
		}
		if want, found, ok := targets[op].check(f.Dst.Get(word), f.Num.Get(word), uint32(len(code))); !ok {
			r.Report("CODE003", at(), want, found)
		}
		if n := unusedFlowBits.Get(word); n != 0 {
			r.Report("CODE004", at(), diag.Text("bits 8 and 9 clear"), diag.Hex(uint64(word)))
		}
	}
}

// check compares a target word and a count with the code length.
func (t target) check(dst, num, length uint32) (want, found diag.Value, ok bool) {
	switch {
	case t == inCodeEnd && dst > length:
		return diag.AtMost(uint64(length)), diag.Dec(uint64(dst)), false
	case t != inCodeEnd && dst >= length:
		return diag.Below(uint64(length)), diag.Dec(uint64(dst)), false
	case t == inCodeRun && dst+num > length:
		return diag.Value{Format: "end <= %d", N: uint64(length)}, diag.Value{Format: "end %d", N: uint64(dst + num)}, false
	}
	return diag.Value{}, diag.Value{}, true
}
