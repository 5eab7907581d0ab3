package fingerprint

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// An extent is the part of a job that decides which questions the job concerns: a run under
// any profile reaches no rule of another question.
type extent struct {
	opcodes  uint64 // bit n: a word of the program has opcode n
	geometry bool
	indexed  bool // an operand has an address register
	negated  bool // a descriptor negates an operand
	carried  bool // a vertex may start with registers other than zero
}

// extentOf returns the extent of a job.
func extentOf(job *pica.Job) (e extent) {
	for _, w := range job.Code {
		op := pica.OpcodeOf(w)
		e.opcodes |= 1 << op
		e.indexed = e.indexed || op.Layout().Index.Get(w) != pica.IndexNone
	}
	for _, d := range job.Descriptors {
		for k := range 3 {
			e.negated = e.negated || pica.Descriptor(d).Negate(k)
		}
	}
	e.geometry = job.Stage == pica.Geometry
	e.carried = job.Initial != nil || job.Keep && len(job.Vertices) > 1
	return e
}

// extents returns the extents of the jobs of answers.
func extents(answers []Answer) []extent {
	list := make([]extent, len(answers))
	for i := range answers {
		list[i] = extentOf(answers[i].Job)
	}
	return list
}

// behind is the opcode of the words behind a program, which are 0.
const behind = pica.ADD

// executes returns a condition: a run may execute one of the instructions.
func executes(instructions ...pica.Opcode) func(e *extent) bool {
	var set uint64
	for op := range pica.Opcode(pica.NumOpcodes) {
		if slices.Contains(instructions, op) || slices.Contains(instructions, op.Base()) {
			set |= 1 << op
		}
	}
	return func(e *extent) bool { return (e.opcodes|1<<behind)&set != 0 }
}

// needs maps knobs to the condition for their rules to matter to a job. A knob without a
// condition concerns every job.
var needs = map[string]func(e *extent) bool{
	"zeroinf":      multiplies,
	"nan0":         multiplies,
	"negate":       func(e *extent) bool { return e.negated },
	"mad":          executes(pica.MAD, pica.MADI),
	"dp":           executes(pica.DP3, pica.DP4, pica.DPH, pica.DPHI),
	"flushmov":     executes(pica.MOV),
	"flushsge":     executes(pica.SGE, pica.SGEI, pica.SLT, pica.SLTI, pica.LITP),
	"maxinf":       executes(pica.MAX, pica.LITP),
	"maxzero":      executes(pica.MAX, pica.MIN, pica.LITP),
	"rcp0":         executes(pica.RCP, pica.RSQ),
	"rcp":          executes(pica.RCP, pica.RSQ),
	"ex2":          executes(pica.EX2, pica.LG2),
	"cmp":          executes(pica.CMP),
	"index":        func(e *extent) bool { return e.indexed },
	"fourthcall":   executes(pica.CALL, pica.CALLC, pica.CALLU),
	"inneral":      executes(pica.LOOP),
	"breakstep":    executes(pica.BREAK, pica.BREAKC),
	"breakoutside": executes(pica.BREAK, pica.BREAKC),
	"reset":        func(e *extent) bool { return e.carried },
	"emitvs":       emits,
	"banks":        executes(pica.EMIT),
	"litp":         executes(pica.LITP),
	"flushlitp":    executes(pica.LITP),
	"indexedops":   func(e *extent) bool { return e.indexed },
	"vertex3":      executes(pica.EMIT),
	"mova":         executes(pica.MOVA),
	"movarange":    executes(pica.MOVA),
	"loopid":       executes(pica.LOOP),
	"alwidth":      executes(pica.LOOP),
}

var (
	emits    = executes(pica.EMIT, pica.SETEMIT)
	products = executes(pica.MUL, pica.MAD, pica.MADI, pica.DP3, pica.DP4, pica.DPH, pica.DPHI, pica.DST, pica.DSTI)
)

// multiplies reports whether a job may multiply: a negated operand may be multiplied by -1.
func multiplies(e *extent) bool { return e.negated || products(e) }

// concerns reports whether the answer may change the run of a job with this extent.
func (d *Dimension) concerns(e *extent) bool { return d.needs == nil || d.needs(e) }

// Concerns reports whether the answer to the question may change the run of a job.
func (d *Dimension) Concerns(job *pica.Job) bool {
	e := extentOf(job)
	return d.concerns(&e)
}

// isIn reports whether a program with this extent has a word with one of the question's opcodes.
func (d *Dimension) isIn(e *extent) bool {
	return slices.ContainsFunc(d.opcodes, func(op pica.Opcode) bool { return e.opcodes>>op&1 != 0 })
}
