package main

import (
	"encoding/json"
	"fmt"
	"math/bits"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/pica"
)

// classValues has numbers of the nine operand classes, a different one for each component: -inf,
// -normal, -subnormal, -0, +0, +subnormal, +normal, +inf, NaN.
var classValues = [9]pica.Vec4{
	{0xFF0000, 0xFF0000, 0xFF0000, 0xFF0000},
	{0xC08000, 0xBE5555, 0xFEFFFF, 0x810000}, // -3, -0.67, the largest and the smallest
	{0x808000, 0x800001, 0x80FFFF, 0x80C000},
	{0x800000, 0x800000, 0x800000, 0x800000},
	{0x000000, 0x000000, 0x000000, 0x000000},
	{0x008000, 0x000001, 0x00FFFF, 0x00C000},
	{0x3F8000, 0x3D999A, 0x7EFFFF, 0x010000}, // 1.5, 0.4, the largest and the smallest
	{0x7F0000, 0x7F0000, 0x7F0000, 0x7F0000},
	{0x7F8000, 0xFF8000, 0x7F0001, 0xFFFFFF},
}

const normalClass = 6

// classes makes for every instruction with operands a vector whose vertices run through the
// classes: all 9 of one operand, all 81 pairs of two operands. A third operand runs through all
// 9 with each of the others.
func classes() (list []program) {
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Sources > 0 }) {
		if op.Layout().CmpX.Width == 0 {
			list = append(list, classVector(op, op.String(), op.String(), 0))
			continue
		}
		for x := uint32(0); x < 8; x += 2 {
			text := fmt.Sprintf("cmp with the operators %d and %d", x, x+1)
			list = append(list, classVector(op, fmt.Sprintf("cmp-%d-%d", x, x+1), text,
				op.Layout().CmpY.Put(op.Layout().CmpX.Put(0, x), x+1)))
		}
	}
	return list
}

// classVector makes the vector of one instruction. fields are further bits of its word besides
// the operands.
func classVector(op pica.Opcode, name, text string, fields uint32) program {
	info := &pica.Opcodes[op]
	return program{file: classOutputs(info), Program: corpus.Program{
		Name:       fmt.Sprintf("pica/C%02x-%s", uint8(op), name),
		Symptom:    text + " goes wrong for operands of some class",
		Provenance: corpus.Oracle,
		Source:     "the rules of each profile, as the oracle has them",
		Job: must(json.Marshal(&pica.Job{
			Program:     pica.Program{Code: classCode(op, fields), Descriptors: []uint32{movMask}},
			OutMask:     1,
			InputFormat: pica.Float24,
			Vertices:    classVertices(op),
		})),
	}}
}

// classOutputs names the outputs that show the results of the instruction.
func classOutputs(info *pica.OpcodeInfo) (names []string) {
	for _, w := range []struct {
		effect pica.Effect
		name   string
	}{{pica.WritesDest, "o0"}, {pica.WritesAddress, "a0"}, {pica.WritesCC, "cc"}} {
		if info.Writes&w.effect != 0 {
			names = append(names, w.name)
		}
	}
	return names
}

// classCode applies the instruction to v0, r1 and r2. r1 and r2 are copies of v1 and v2, because
// a console reads two input registers at once wrongly.
func classCode(op pica.Opcode, fields uint32) (code []uint32) {
	layout := op.Layout()
	word := uint32(op)<<26 | fields
	for k := range pica.Opcodes[op].Sources {
		register := uint32(0)
		if k > 0 {
			register = pica.NumInputs + uint32(k)
			mov := pica.MOV.Layout()
			code = append(code, mov.Dest.Put(mov.Src[0].Put(uint32(pica.MOV)<<26, uint32(k)), register))
		}
		word = layout.Src[k].Put(word, register)
	}
	return append(code, word, wordEnd)
}

// A cell is a choice of classes: one for each operand, or for each component of a single operand
// that is read as a vector.
type cell [3]int

// lighting reports whether the instruction computes different results from components of one
// operand: LITP, which also sets the flags.
func lighting(op pica.Opcode) bool {
	info := &pica.Opcodes[op]
	return info.Sources == 1 && info.Writes&pica.WritesCC != 0
}

// cells lists the choices for an instruction.
func cells(op pica.Opcode) (list []cell) {
	const classes = len(classValues)
	pairs := classes
	if pica.Opcodes[op].Sources == 1 && !lighting(op) {
		pairs = len(classValues[0]) // no second class, but each value of the first
	}
	for j := range pairs {
		for i := range classes {
			list = append(list, cell{i, j, (i + 2*j) % classes})
		}
	}
	return list
}

// classVertices has a cell in every component if components are independent, otherwise a cell a
// vertex.
func classVertices(op pica.Opcode) (vertices [][]pica.Vec4) {
	info, list := &pica.Opcodes[op], cells(op)
	if info.Reads[0] == 0 {
		for n := 0; n < len(list); n += 4 {
			v := make([]pica.Vec4, info.Sources)
			for part := range 4 {
				for k := range v {
					v[k][part] = classValues[list[(n+part)%len(list)][k]][part]
				}
			}
			vertices = append(vertices, v)
		}
		return vertices
	}
	for n, c := range list {
		v := make([]pica.Vec4, info.Sources)
		for part := range 4 {
			for k := range v {
				v[k][part] = classComponent(op, n, c, k, part)
			}
		}
		vertices = append(vertices, v)
	}
	return vertices
}

// classComponent returns a component of operand k if an instruction combines components. In a
// dot product only one component has the class, so that NaN does not hide the others.
func classComponent(op pica.Opcode, n int, c cell, k, part int) uint32 {
	info := &pica.Opcodes[op]
	switch {
	case lighting(op):
		return classValues[c[[4]int{0, 1, 0, 2}[part]]][part]
	case info.Sources == 1:
		return classValues[c[0]][(part+c[1])%4]
	case info.Scalar && part != n%bits.OnesCount8(info.Reads[0]|info.Reads[1]):
		return classValues[normalClass][0]
	}
	return classValues[c[k]][part]
}
