package sweep

import (
	"fmt"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// Job is a program with its name.
type Job struct {
	Name string
	*pica.Job
}

// Budget is the step budget of the jobs. It is small, because a core may lack a budget of its
// own.
const Budget = 20_000

// Jobs returns the programs as portable jobs. They are shared and must not be changed.
var Jobs = sync.OnceValue(func() (list []Job) {
	add := func(name string, p *program) {
		list = append(list, Job{name, view.Portable(p.finish())})
	}
	operands(add)
	ranges(add)
	pairs(add)
	comparisons(add)
	addressing(add)
	conditions(add)
	loops(add)
	branches(add)
	lengths(add)
	backwards(add)
	calls(add)
	vertices(add)
	primitives(add)
	return list
})

// adder adds a program under a name.
type adder func(name string, p *program)

// Float uniforms of the programs. The other uniforms differ from register to register.
const (
	ones    = 1
	offsets = 4 // 2, -3
	first   = 5 // operands of instructions, positive, each larger than the next in some component
	second  = 6
	third   = 7
	before  = 8 // the value of a register before the program writes it
	twos    = 9
)

// constants returns the float uniforms.
func constants() []pica.Vec4 {
	list := make([]pica.Vec4, pica.NumFloats)
	for n := range int64(len(list)) {
		list[n] = numbers(n, -n, 2*n+1, 50-n)
	}
	list[ones], list[twos], list[offsets] = numbers(1, 1, 1, 1), numbers(2, 2, 2, 2), numbers(2, -3, 0, 1)
	list[first], list[second], list[third], list[before] = numbers(2, 3, 5, 7), numbers(3, 2, 7, 5),
		numbers(11, 13, 1, 17), numbers(-20, -21, -22, -23)
	return list
}

// program is a job under construction.
type program struct {
	job     pica.Job
	pending []procedure
}

// procedure is a body behind the END of the program.
type procedure struct {
	call int // the word that calls it
	body func()
}

func newProgram() *program {
	f := pica.Float32
	p := &program{job: pica.Job{OutMask: 0xFFFF, Budget: Budget, InputFormat: f}}
	p.job.Floats = []pica.Upload{{Format: f, Values: constants()}}
	var v []pica.Vec4
	for n := range int64(pica.NumInputs) {
		v = append(v, pica.Vec4{f.Integer(3 + n), f.Integer(5 + 2*n), f.Integer(7 + n), f.Integer(11 + 3*n)})
	}
	p.job.Vertices = [][]pica.Vec4{v}
	p.job.Ints = [pica.NumInts][4]uint8{{1, 0, 1}, {2, 10, 2}, {0, 20, 3}, {1, 30, 5}}
	return p
}

// finish appends the procedures and returns the job. A run that does not return ends behind
// them.
func (p *program) finish() *pica.Job {
	p.op(pica.END)
	if len(p.pending) == 0 {
		return &p.job
	}
	for len(p.pending) > 0 {
		next := p.pending[0]
		p.pending = p.pending[1:]
		start := p.here()
		next.body()
		p.aim(next.call, start, p.here()-start)
	}
	p.mark(12)
	p.op(pica.END)
	return &p.job
}

func (p *program) here() int { return len(p.job.Code) }

// op appends an instruction and returns its address.
func (p *program) op(op pica.Opcode, fields ...func(l *pica.Layout, w uint32) uint32) int {
	w := uint32(op) << 26
	for _, f := range fields {
		w = f(op.Layout(), w)
	}
	p.job.Code = append(p.job.Code, w)
	return p.here() - 1
}

// aim sets the target of a word and the Num field.
func (p *program) aim(at, target, num int) {
	l := pica.OpcodeOf(p.job.Code[at]).Layout()
	p.job.Code[at] = l.Num.Put(l.Dst.Put(p.job.Code[at], uint32(target)), uint32(min(num, 255)))
}

// field sets a field of an instruction.
func field(of func(l *pica.Layout) pica.Field, value uint32) func(l *pica.Layout, w uint32) uint32 {
	return func(l *pica.Layout, w uint32) uint32 { return of(l).Put(w, value) }
}

// whether sets the condition of a word that decides on flags.
func whether(test, x, y uint32) func(l *pica.Layout, w uint32) uint32 {
	return func(l *pica.Layout, w uint32) uint32 { return l.RefY.Put(l.RefX.Put(l.CondOp.Put(w, test), x), y) }
}

// boolean and integer set the uniform that decides.
func boolean(n uint32) func(l *pica.Layout, w uint32) uint32 {
	return field(func(l *pica.Layout) pica.Field { return l.Bool }, n)
}

func integer(n uint32) func(l *pica.Layout, w uint32) uint32 {
	return field(func(l *pica.Layout) pica.Field { return l.Int }, n)
}

// descriptor returns the number of a descriptor, which it adds if it is new.
func (p *program) descriptor(mask uint8, negate [3]bool, selectors [3]uint8) uint32 {
	d := uint32(pica.MakeDescriptor(mask, negate, selectors))
	if n := slices.Index(p.job.Descriptors, d); n >= 0 {
		return uint32(n)
	}
	p.job.Descriptors = append(p.job.Descriptors, d)
	return uint32(len(p.job.Descriptors) - 1)
}

// plain returns the number of the identity descriptor.
func (p *program) plain() uint32 {
	const same = pica.IdentitySwizzle
	return p.descriptor(15, [3]bool{}, [3]uint8{same, same, same})
}

// compute appends an instruction with operands.
func (p *program) compute(op pica.Opcode, desc, dest uint32, sources [3]uint32,
	fields ...func(l *pica.Layout, w uint32) uint32) int {
	return p.op(op, append([]func(l *pica.Layout, w uint32) uint32{func(l *pica.Layout, w uint32) uint32 {
		w = l.Dest.Put(l.Desc.Put(w, desc), dest)
		for k, f := range l.Src {
			w = f.Put(w, sources[k])
		}
		return w
	}}, fields...)...)
}

// index sets the address register of an instruction.
func index(n uint32) func(l *pica.Layout, w uint32) uint32 {
	return field(func(l *pica.Layout) pica.Field { return l.Index }, n)
}

// mov moves a register.
func (p *program) mov(dest, source uint32) { p.compute(pica.MOV, p.plain(), dest, [3]uint32{source}) }

// mark counts in a temporary how often control reaches this word.
func (p *program) mark(n uint32) {
	p.compute(pica.ADD, p.plain(), pica.DestTemporary+n, [3]uint32{pica.SourceUniform + ones, pica.SourceTemporary + n})
}

// trace adds the uniform at index aL to a temporary.
func (p *program) trace(n uint32) {
	p.compute(pica.ADD, p.plain(), pica.DestTemporary+n, [3]uint32{pica.SourceUniform, pica.SourceTemporary + n},
		index(pica.IndexAL))
}

// mova sets the address registers to 2 and -3, and aL to 23.
func (p *program) mova() {
	p.loop(2, p.nop)
	p.compute(pica.MOVA, p.plain(), 0, [3]uint32{pica.SourceUniform + offsets})
	p.nop()
}

func (p *program) nop() { p.op(pica.NOP) }

// loop appends a LOOP. The last word of its body is the last word that body appends.
func (p *program) loop(n uint32, body func()) {
	at := p.op(pica.LOOP, integer(n))
	body()
	p.aim(at, p.here()-1, 0)
}

// branch appends an IF of either kind; otherwise may be nil.
func (p *program) branch(op pica.Opcode, condition func(l *pica.Layout, w uint32) uint32, then, otherwise func()) {
	at := p.op(op, condition)
	then()
	start := p.here()
	if otherwise != nil {
		otherwise()
	}
	p.aim(at, start, p.here()-start)
}

// either appends an IFU.
func (p *program) either(n uint32, then, otherwise func()) {
	p.branch(pica.IFU, boolean(n), then, otherwise)
}

// call appends a call of any kind with a procedure of its own.
func (p *program) call(op pica.Opcode, condition func(l *pica.Layout, w uint32) uint32, body func()) {
	at := p.op(op)
	if condition != nil {
		p.job.Code[at] = condition(op.Layout(), p.job.Code[at])
	}
	p.pending = append(p.pending, procedure{at, body})
}

// jump appends a jump over the words that skipped appends.
func (p *program) jump(op pica.Opcode, condition func(l *pica.Layout, w uint32) uint32, num int, skipped func()) {
	at := p.op(op, condition)
	skipped()
	p.aim(at, p.here(), num)
}

// flags sets the condition flags to x and y.
func (p *program) flags(x, y bool) {
	op := func(holds bool) uint32 {
		if holds {
			return pica.CmpEQ
		}
		return pica.CmpNE
	}
	p.compare(op(x), op(y), pica.SourceUniform+ones, pica.SourceUniform+ones)
}

// compare appends a CMP. Its second operand is narrow: a float uniform is first moved to r15.
func (p *program) compare(x, y, a, b uint32) {
	if b >= pica.SourceUniform {
		p.mov(pica.DestTemporary+15, b)
		b = pica.SourceTemporary + 15
	}
	p.compute(pica.CMP, p.plain(), 0, [3]uint32{a, b},
		func(l *pica.Layout, w uint32) uint32 { return l.CmpX.Put(l.CmpY.Put(w, y), x) })
}

// input replaces v0 of all vertices, one vertex for each row.
func (p *program) input(rows ...pica.Vec4) {
	p.job.Vertices = nil
	for _, v := range rows {
		p.job.Vertices = append(p.job.Vertices, []pica.Vec4{v})
	}
}

// numbers returns integers as a row.
func numbers(x, y, z, w int64) pica.Vec4 {
	f := pica.Float32
	return pica.Vec4{f.Integer(x), f.Integer(y), f.Integer(z), f.Integer(w)}
}

// named formats the name of a program.
func named(format string, a ...any) string { return fmt.Sprintf(format, a...) }
