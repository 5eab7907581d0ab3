package fingerprint

import (
	"iter"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Budget is the step budget of the jobs of a fingerprint. It is small, because a core may lack a
// budget of its own.
const Budget = 5_000

// Corpus yields the executable vectors of the corpus as portable jobs.
func Corpus(yield func(*pica.Job) bool) {
	programs, err := corpus.Programs()
	if err != nil {
		return
	}
	for i := range programs {
		job, err := pica.ParseJob(programs[i].Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		if err != nil {
			continue
		}
		if job.Budget = Budget; !yield(view.Portable(job)) {
			return
		}
	}
}

// Generated returns the first n generated jobs of each mode for a seed, in turn, as portable
// jobs. A job is valid until the next one.
func Generated(seed uint64, n int) iter.Seq[*pica.Job] {
	return func(yield func(*pica.Job) bool) {
		var g gen.Generator
		for k := range n {
			for _, mode := range gen.Modes {
				job := g.Job(gen.Seed(seed, uint64(k)), mode)
				job.Budget = min(job.Budget, Budget)
				if !yield(view.Portable(job)) {
					return
				}
			}
		}
	}
}

// Numbers of registers in the words of shaped programs.
const (
	v0, r0, c0 = pica.SourceInput, pica.SourceTemporary, pica.SourceUniform
	o0, t0     = pica.DestOutput, pica.DestTemporary
)

// shaped returns programs whose answers show behaviour that generated jobs hardly ever show.
func shaped() (list []*pica.Job) {
	add := func(j *pica.Job) { list = append(list, j) }
	// Each arithmetic opcode once, plain.
	for op := range pica.Opcode(pica.NumOpcodes) {
		info := &pica.Opcodes[op]
		switch {
		case op.Reserved():
			add(shapedJob(pica.Vertex, uint32(op)<<26, operands(pica.MOV, 0, o0, v0), endWord))
		case info.Base == op && info.Sources > 0:
			var sources [3]uint32
			for k, f := range info.Layout.Src {
				sources[k] = v0
				if f.Width == 7 {
					sources[k] = c0
				}
			}
			add(shapedJob(pica.Vertex, operands(op, 0, o0, sources[:]...), endWord))
		}
	}
	// LOOP with bit 2 of its integer id set.
	for id := range uint32(8) {
		loop := uint32(pica.LOOP)<<26 | id<<22
		loop = pica.LOOP.Layout().Dst.Put(loop, 2)
		add(shapedJob(pica.Vertex, loop, operands(pica.ADD, 0, t0, c0, r0), uint32(pica.NOP)<<26,
			operands(pica.MOV, 0, o0, r0), endWord))
	}
	// EMIT and SETEMIT, in both stages, with every slot.
	for _, stage := range []pica.Stage{pica.Vertex, pica.Geometry} {
		for slot := range uint32(4) {
			l := pica.SETEMIT.Layout()
			setemit := l.Primitive.Put(l.Vertex.Put(uint32(pica.SETEMIT)<<26, slot), 1)
			mov, emit := operands(pica.MOV, 0, o0, v0), uint32(pica.EMIT)<<26
			add(shapedJob(stage, setemit, mov, endWord))
			add(shapedJob(stage, setemit, mov, emit, endWord))
			add(shapedJob(stage, mov, emit, mov, endWord))
			add(shapedJob(stage, mov, emit, setemit, emit, setemit, emit, endWord))
		}
	}
	// State that may or may not pass to the next vertex.
	ifc := pica.IFC.Layout()
	branch := ifc.Dst.Put(ifc.CondOp.Put(uint32(pica.IFC)<<26, pica.CondX), 2)
	branch = ifc.RefX.Put(branch, 1)
	indexed := pica.MOV.Layout().Index.Put(operands(pica.MOV, 0, o0+2, c0), pica.IndexA0X)
	keep := shapedJob(pica.Vertex, branch, operands(pica.MOV, 0, o0+1, v0), indexed, operands(pica.MOVA, 0, 0, c0),
		comparing(pica.CmpNE, pica.CmpNE), endWord)
	keep.Keep = true
	keep.Vertices = append(keep.Vertices, keep.Vertices[0])
	add(keep)
	list = append(list, ofMemory()...)
	// Equal pairs of the undefined comparisons, with NaN.
	for operator := range uint32(2) {
		pair := shapedJob(pica.Vertex, comparing(6+operator, 6+operator), endWord)
		pair.Vertices[0][0][0] = view.NaN
		add(pair)
	}
	// Hazards of the console.
	add(shapedJob(pica.Vertex, operands(pica.MOVA, 0, 0, v0), operands(pica.MOVA, 0, 0, v0), endWord))
	add(shapedJob(pica.Vertex, operands(pica.ADD, 0, o0, v0, v0+1), endWord))
	add(shapedJob(pica.Vertex, uint32(pica.BREAK)<<26, operands(pica.MOV, 0, o0, v0), endWord))
	return list
}

// ofMemory returns programs at the end of program memory.
func ofMemory() (list []*pica.Job) {
	add := func(j *pica.Job) { list = append(list, j) }
	for _, last := range []int{1022, 1023, 1024, 1025, 4093, 4094, 4095} {
		code := make([]uint32, 0, last+1)
		jump := pica.JMPU.Layout()
		code = append(code, jump.Num.Put(jump.Dst.Put(uint32(pica.JMPU)<<26, uint32(last)), 1))
		for len(code) < last {
			code = append(code, endWord)
		}
		add(shapedJob(pica.Vertex, append(code, operands(pica.MOV, 0, o0, v0))...))
		add(shapedJob(pica.Vertex, code[0], operands(pica.MOV, 0, o0, v0), endWord))
	}
	// A program that begins above word 1023.
	far := shapedJob(pica.Vertex, slices.Repeat([]uint32{uint32(pica.NOP) << 26}, 1100)...)
	far.Entry, far.Code = len(far.Code), append(far.Code, operands(pica.MOV, 0, o0, v0), endWord)
	add(far)
	// All of program memory, END last.
	full := make([]uint32, pica.MaxCode)
	for k := range full {
		full[k] = endWord
	}
	toLast := pica.JMPU.Layout()
	full[0] = toLast.Num.Put(toLast.Dst.Put(uint32(pica.JMPU)<<26, pica.MaxCode-1), 1)
	add(shapedJob(pica.Vertex, full...))
	// Word 0 follows the last word; the second jump at word 0 goes to END.
	jmpc, jmpu := pica.JMPC.Layout(), pica.JMPU.Layout()
	for _, words := range []uint32{pica.MaxVertexCode, pica.MaxCode} {
		wrap := slices.Repeat([]uint32{uint32(pica.NOP) << 26}, int(words))
		wrap[0] = jmpc.RefX.Put(jmpc.CondOp.Put(jmpc.Dst.Put(uint32(pica.JMPC)<<26, 3), pica.CondX), 1)
		wrap[1] = comparing(pica.CmpNE, pica.CmpNE)
		wrap[2] = jmpu.Num.Put(jmpu.Dst.Put(uint32(pica.JMPU)<<26, words-2), 1)
		wrap[3] = endWord
		if words < pica.MaxCode {
			wrap = append(wrap, operands(pica.MOV, 0, o0, v0), endWord)
		}
		add(shapedJob(pica.Vertex, wrap...))
	}
	return list
}

// shapedJob returns a program with one descriptor and plain numbers.
func shapedJob(stage pica.Stage, code ...uint32) *pica.Job {
	one, f := pica.Float32.One(), pica.Float32
	j := &pica.Job{Stage: stage, OutMask: 0xFFFF, Budget: Budget, InputFormat: f, Program: pica.Program{
		Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
	j.Vertices = [][]pica.Vec4{{{f.Integer(3), f.Integer(2), f.Integer(5), f.Integer(7)}, {one, one, one, one}}}
	j.Floats = []pica.Upload{
		{Format: f, Values: []pica.Vec4{{f.Integer(2), f.Integer(9), f.Integer(4), f.Integer(6)}}}}
	j.Ints = [pica.NumInts][4]uint8{{2, 1, 1, 0}, {1, 2, 3, 0}, {3, 1, 2, 0}, {0, 5, 1, 0}}
	return j
}

// comparing returns a CMP with two operators.
func comparing(x, y uint32) uint32 {
	l := pica.CMP.Layout()
	return l.CmpX.Put(l.CmpY.Put(operands(pica.CMP, 0, 0, c0, v0), y), x)
}

// Candidates yields jobs that may separate two profiles: first shaped jobs, then the corpus,
// then generated jobs. A job is valid until the next one.
func Candidates(seed uint64, generated int) iter.Seq[*pica.Job] {
	return func(yield func(*pica.Job) bool) {
		for _, job := range shaped() {
			if !yield(job) {
				return
			}
		}
		stopped := false
		for _, more := range []iter.Seq[*pica.Job]{Corpus, Generated(seed, generated)} {
			more(func(job *pica.Job) bool {
				stopped = !yield(job)
				return !stopped
			})
			if stopped {
				return
			}
		}
	}
}
