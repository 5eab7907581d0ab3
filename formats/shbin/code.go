package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica"
)

// targetLimit is the limit of the target word of a flow instruction.
type targetLimit uint8

const (
	noTarget  targetLimit = iota // the instruction has no target
	inCode                       // target < code length
	inCodeEnd                    // target <= code length
	inCodeRun                    // target < code length, and target + count <= code length
)

var targetLimits = [pica.NumFlows]targetLimit{
	pica.FlowCall: inCodeRun, pica.FlowIf: inCodeEnd, pica.FlowLoop: inCode, pica.FlowJump: inCode,
}

// opcodeCheck has the properties of an opcode that CheckCode needs.
type opcodeCheck struct {
	reserved   bool
	target     targetLimit
	descriptor uint32 // mask of the descriptor index, which is in the low bits of a word; 0 for none
}

var opcodeChecks = func() (checks [pica.NumOpcodes]opcodeCheck) {
	for i := range checks {
		if checks[i].reserved = pica.Opcode(i).Reserved(); !checks[i].reserved {
			checks[i].target = targetLimits[pica.Opcodes[i].Flow]
			checks[i].descriptor = pica.Opcodes[i].Format.Layout().Desc.Mask()
		}
	}
	return checks
}()

// unusedFlowBits are the bits between the count and the target of a flow
// instruction.
var unusedFlowBits = pica.Field{Lo: 8, Width: 2}

// CheckCode checks code words against the code length and the number of
// descriptors of their container: CODE001 to CODE004. off is the offset of the
// first word in the file; all paths start with prefix.
func CheckCode(r *diag.Reporter, prefix string, off uint64, code []uint32, descriptors int) {
	for i, word := range code {
		at := func() diag.Place {
			return WordRecord.At(off+4*uint64(i), diag.Path{Prefix: prefix, Table: "code", Index: i})
		}
		op := pica.OpcodeOf(word)
		check := &opcodeChecks[op]
		if k := word & check.descriptor; check.descriptor != 0 && int(k) >= descriptors {
			r.Report("CODE002", at(), diag.Below(uint64(descriptors)), diag.Dec(uint64(k)))
		}
		if check.reserved {
			r.Report("CODE001", at(), diag.Text("a known opcode"), diag.Hex(uint64(op)))
			continue
		}
		if check.target == noTarget {
			continue
		}
		f := pica.Opcodes[op].Format.Layout()
		if want, found, ok := check.target.check(f.Dst.Get(word), f.Num.Get(word), uint32(len(code))); !ok {
			r.Report("CODE003", at(), want, found)
		}
		if n := unusedFlowBits.Get(word); n != 0 {
			r.Report("CODE004", at(), diag.Text("bits 8 and 9 clear"), diag.Hex(uint64(word)))
		}
	}
}

// check compares a target word and a count with the code length.
func (t targetLimit) check(dst, num, length uint32) (want, found diag.Value, ok bool) {
	switch {
	case t == inCodeEnd && dst > length:
		return diag.AtMost(uint64(length)), diag.Dec(uint64(dst)), false
	case t != inCodeEnd && dst >= length:
		return diag.Below(uint64(length)), diag.Dec(uint64(dst)), false
	case t == inCodeRun && dst+num > length:
		return diag.Value{Format: "end <= %d", N: uint64(length)},
			diag.Value{Format: "end %d", N: uint64(dst + num)}, false
	}
	return diag.Value{}, diag.Value{}, true
}
