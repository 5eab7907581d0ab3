package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/pica"
)

// A conditional is an instruction with a condition, and the code that shows its decision.
type conditional struct {
	op     pica.Opcode
	name   string
	invert uint32 // the bit that inverts the condition
	piece  func(c condition) piece
}

// conditionals lists all conditional instructions.
func conditionals() (list []conditional) {
	pieces := [pica.NumFlows]func(c condition) piece{
		pica.FlowBreak: condition.leave, pica.FlowCall: condition.call, pica.FlowIf: condition.skip,
		pica.FlowJump: condition.skip,
	}
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Condition != pica.Always }) {
		info := &pica.Opcodes[op]
		list = append(list, conditional{op, info.Name, 0, pieces[info.Flow]})
		if info.Condition == pica.OnUniformInverse {
			list = append(list, conditional{op, info.Name + "-inverted", pica.InverseBit.Mask(), pieces[info.Flow]})
		}
	}
	return list
}

// condition is one of 16 uses of a conditional instruction.
type condition struct {
	word      uint32 // without a target
	add       uint32 // the instruction that is executed or skipped
	at        int    // the address of the piece
	procedure int    // the address of a procedure with add only
}

// A piece is a condition and the code that depends on it, with NOPs before the next piece.
type piece [5]uint32

// to returns the word with a target.
func (c condition) to(target int) uint32 { return pica.JMPC.Layout().Dst.Put(c.word, uint32(target)) }

func (c condition) skip() piece { return piece{c.to(c.at + 2), c.add, wordNop, wordNop, wordNop} }

func (c condition) call() piece {
	return piece{pica.CALLC.Layout().Num.Put(c.to(c.procedure), 1), wordNop, wordNop, wordNop, wordNop}
}

// leave is a loop of one pass.
func (c condition) leave() piece {
	loop := pica.LOOP.Layout().Dst.Put(uint32(pica.LOOP)<<26, uint32(c.at+3))
	return piece{loop, c.word, c.add, wordNop, wordNop}
}

// conditions makes a vector for each conditional instruction: all conditions under all flags, a
// vertex for each state of the two flags, or all booleans. Piece k adds 2^k to r0.x.
func conditions() (list []program) {
	const (
		uses   = 16
		first  = 1 // after CMP
		behind = first + uses*len(piece{}) + 2
		r0     = pica.NumInputs
	)
	job := pica.Job{OutMask: 1, Bools: 0xA5C3, InputFormat: pica.Float32, Floats: []pica.Upload{{Format: pica.Float32}}}
	job.Descriptors = []uint32{movMask}
	for k := range uses {
		job.Floats[0].Values = append(job.Floats[0].Values, pica.Vec4{pica.Float32.Integer(1 << k)})
	}
	one := pica.Float32.One()
	for state := range uint32(4) {
		job.Vertices = append(job.Vertices, []pica.Vec4{{state & 1 * one, state >> 1 * one}})
	}
	cmp, add, mov := pica.CMP.Layout(), pica.ADD.Layout(), pica.MOV.Layout()
	notZero := cmp.CmpX.Put(cmp.CmpY.Put(cmp.Src[0].Put(uint32(pica.CMP)<<26, pica.SourceUniform+uses), 1), 1)
	toR0 := add.Dest.Put(add.Src[1].Put(uint32(pica.ADD)<<26, r0), r0)
	fromR0 := mov.Src[0].Put(uint32(pica.MOV)<<26, r0)
	for _, i := range conditionals() {
		layout := i.op.Layout()
		code, procedures := []uint32{notZero}, []uint32(nil)
		for k := range uint32(uses) {
			c := condition{at: len(code), procedure: behind + int(k), add: add.Src[0].Put(toR0, pica.SourceUniform+k)}
			c.word = layout.RefX.Put(layout.RefY.Put(uint32(i.op)<<26|i.invert, k), k>>1)
			c.word = layout.CondOp.Put(layout.Bool.Put(c.word, k), k>>2)
			p := i.piece(c)
			code, procedures = append(code, p[:]...), append(procedures, c.add)
		}
		job.Code = slices.Concat(code, []uint32{fromR0, wordEnd}, procedures)
		list = append(list, program{file: []string{"o0"}, Program: corpus.Program{
			Name:       fmt.Sprintf("pica/C%02x-%s", uint8(i.op), i.name),
			Symptom:    i.name + " goes the wrong way on some condition",
			Provenance: corpus.Oracle,
			Source:     "the rules of each profile, as the oracle has them",
			Job:        must(json.Marshal(&job)),
		}})
	}
	return list
}
