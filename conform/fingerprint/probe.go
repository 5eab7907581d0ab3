package fingerprint

import (
	"slices"
	"sync"

	"github.com/picaproof/picaproof/pica"
)

// A probe is a program about one opcode. It reaches the opcode, or has it behind END.
type probe struct {
	dim     *Dimension
	reached bool
	helpers []pica.Opcode // the other opcodes that it has, but for END
	job     *pica.Job
}

// probes returns the programs that tell whether a core refuses an opcode, or dies of it, when it reaches
// the opcode or by its presence. Each opcode is reached in two forms, so that a core that refuses one form
// is not taken for one that refuses the opcode. Geometry programs ask for EMIT and SETEMIT, and a program
// without an opcode for the stage.
var probes = sync.OnceValue(func() (list []probe) {
	for d := range Dimensions {
		dim := &Dimensions[d]
		switch {
		case dim.Name == "stages":
			list = append(list, probe{dim: dim, reached: true, job: probeJob(pica.Geometry, endWord)})
			continue
		case dim.opcodes == nil:
			continue
		}
		op := dim.opcodes[0]
		stages := stagesOf(op)
		for _, stage := range stages {
			programs := reaching(op)
			list = append(list, newProbe(dim, false, stage, behindEND(programs[0])))
			for _, code := range programs {
				list = append(list, newProbe(dim, true, stage, code))
			}
		}
	}
	return list
})

// newProbe returns a probe for the opcodes of a question.
func newProbe(dim *Dimension, reached bool, stage pica.Stage, code []uint32) probe {
	p := probe{dim: dim, reached: reached, job: probeJob(stage, code...)}
	for _, w := range code {
		if op := pica.OpcodeOf(w); op != dim.opcodes[0] && op != pica.END {
			p.helpers = append(p.helpers, op)
		}
	}
	return p
}

// longestProbe is the number of words of the longest probe.
const longestProbe = 6

const endWord = uint32(pica.END) << 26

// stagesOf lists the stages in which probes have an opcode.
func stagesOf(op pica.Opcode) []pica.Stage {
	if pica.Opcodes[op].Writes&(pica.WritesEmit|pica.Emits) != 0 {
		return []pica.Stage{pica.Geometry, pica.Vertex}
	}
	return []pica.Stage{pica.Vertex}
}

// probeJob returns a job with one vertex, whose only input is 1.
func probeJob(stage pica.Stage, code ...uint32) *pica.Job {
	one := pica.Float32.One()
	return &pica.Job{Stage: stage, OutMask: 0xFFFF, Budget: Budget, InputFormat: pica.Float32,
		Program:  pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
		Vertices: [][]pica.Vec4{{{one, one, one, one}}}}
}

// reaching returns programs that reach an opcode, in two forms if it has two.
func reaching(op pica.Opcode) (programs [][]uint32) {
	l := op.Layout()
	for form := range uint32(2) {
		w := operands(op, 0, pica.DestOutput, pica.SourceInput, pica.SourceInput, pica.SourceInput)
		if form == 1 {
			w = operands(op, 0, pica.DestTemporary+1, pica.SourceTemporary, pica.SourceTemporary, pica.SourceTemporary)
		}
		// No flag is set, so that no condition holds.
		w = l.RefX.Put(l.RefY.Put(l.CondOp.Put(w, pica.CondOr+form*(pica.CondX-pica.CondOr)), 1), 1)
		w = l.Vertex.Put(l.Bool.Put(l.Int.Put(w, 2*form), 5*form), form)
		mov := operands(pica.MOV, 0, pica.DestOutput+1, pica.SourceInput)
		var code []uint32
		switch pica.Opcodes[op].Flow {
		case pica.FlowIf, pica.FlowJump:
			code = []uint32{l.Dst.Put(w, 2), mov, endWord}
		case pica.FlowCall:
			code = []uint32{l.Num.Put(l.Dst.Put(w, 3), 1), endWord, mov, mov, endWord}
		case pica.FlowLoop:
			code = []uint32{l.Dst.Put(w, 1), mov, endWord}
		case pica.FlowBreak:
			code = []uint32{w, endWord}
			if op == pica.BREAK && form == 0 { // it has no condition, so that it hangs outside a loop
				loop := pica.LOOP.Layout().Dst.Put(uint32(pica.LOOP)<<26, 2)
				code = []uint32{loop, w, mov, endWord}
			}
		default:
			code = []uint32{w, endWord}
		}
		if form == 0 || !slices.Equal(code, programs[0]) {
			programs = append(programs, code)
		}
	}
	return programs
}

// behindEND returns a program that ends before its first word.
func behindEND(code []uint32) []uint32 {
	moved := []uint32{endWord}
	for _, w := range code {
		if op := pica.OpcodeOf(w); pica.Opcodes[op].Flow.HasTarget() {
			dst := op.Layout().Dst
			w = dst.Put(w, dst.Get(w)+1)
		}
		moved = append(moved, w)
	}
	return moved
}

// operands returns the word of an instruction with operands; an instruction takes as many as it has.
func operands(op pica.Opcode, desc, dest uint32, sources ...uint32) uint32 {
	l := op.Layout()
	w := l.Dest.Put(l.Desc.Put(uint32(op)<<26, desc), dest)
	for k, s := range sources {
		w = l.Src[k].Put(w, s)
	}
	return w
}
