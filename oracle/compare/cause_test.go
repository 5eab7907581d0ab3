package compare_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// rewriting is the oracle on a changed program.
type rewriting struct {
	pica.Engine
	change func(job *pica.Job)
}

func (r rewriting) Run(job *pica.Job, out *pica.Outcome) error {
	c := *job
	c.Code, c.Descriptors = slices.Clone(job.Code), slices.Clone(job.Descriptors)
	r.change(&c)
	return r.Engine.Run(&c, out)
}

// data returns an instruction with a destination, a descriptor and two sources.
func data(op pica.Opcode, dest, desc, a, b uint32) uint32 {
	l := op.Layout()
	w := l.Dest.Put(uint32(op)<<26, dest)
	return l.Desc.Put(l.Src[1].Put(l.Src[0].Put(w, a), b), desc)
}

// flow returns a flow instruction.
func flow(op pica.Opcode, target, num, uniform uint32) uint32 {
	l := op.Layout()
	return l.Bool.Put(l.Num.Put(l.Dst.Put(uint32(op)<<26, target), num), uniform)
}

// becomes replaces one instruction by another.
func becomes(op, other pica.Opcode) func(job *pica.Job) {
	return func(job *pica.Job) {
		for k, w := range job.Code {
			if pica.OpcodeOf(w) == op {
				job.Code[k] = w&^(63<<26) | uint32(other)<<26
			}
		}
	}
}

// descriptors changes every descriptor.
func descriptors(change func(d uint32) uint32) func(job *pica.Job) {
	return func(job *pica.Job) {
		for k, d := range job.Descriptors {
			job.Descriptors[k] = change(d)
		}
	}
}

// dest changes the destination of instructions of one opcode.
func dest(op pica.Opcode, to uint32) func(job *pica.Job) {
	return func(job *pica.Job) {
		for k, w := range job.Code {
			if pica.OpcodeOf(w) == op {
				job.Code[k] = op.Layout().Dest.Put(w, to)
			}
		}
	}
}

// indexes changes the address register of instructions that have one.
func indexes(to uint32) func(job *pica.Job) {
	return func(job *pica.Job) {
		for k, w := range job.Code {
			if l := pica.OpcodeOf(w).Layout(); l.Index.Get(w) != 0 {
				job.Code[k] = l.Index.Put(w, to)
			}
		}
	}
}

// foreign is an engine whose outcomes are those of a core in another process.
type foreign struct{ pica.Engine }

func (e foreign) Run(job *pica.Job, out *pica.Outcome) error {
	err := e.Engine.Run(job, out)
	out.Reply = &pica.Reply{}
	return err
}

// TestKey names the causes of faults in programs that differ in everything but the cause; the
// second program of a pair is one before reduction. A core in another process shows no stacks
// and no traps, and no instruction of it can be tried alone: its causes are coarser, some are
// located later, and others are not found.
func TestKey(t *testing.T) {
	const (
		identity = uint32(pica.IdentityDescriptor)
		nop, end = uint32(pica.NOP) << 26, uint32(pica.END) << 26
		negated  = identity | 1<<4
		swizzled = identity&^(0xFF<<5) | 0x4E<<5 // zwxy
		onlyX    = identity&^15 | 8
		onlyY    = identity&^15 | 4
		onlyZ    = identity&^15 | 2
		onlyW    = identity&^15 | 1
		inf      = 0x7F0000
		nan      = 0x7F8000
		two      = 0x400000
		sign     = 0x800000
	)
	input := []pica.Vec4{{0x3F0000, two, inf, nan}, {two, two, 0, 0}, {two | sign, 0x3F0001, inf | sign, sign},
		{two, two, two, two}}
	descs := []uint32{identity, negated, swizzled, onlyX, onlyW, onlyY, onlyZ}
	noise := data(pica.MAX, 0x15, 0, 1, 1)
	cmp := uint32(pica.CMP)<<26 | 1<<12 | 1<<7
	// nested returns n equal instructions that open scopes, and room for the ends of the scopes.
	nested := func(n int, word uint32) []uint32 {
		return append(slices.Repeat([]uint32{word}, n), nop, nop, nop, nop, end)
	}
	add := func(k int, n uint32) func(job *pica.Job) { return func(job *pica.Job) { job.Code[k] += n } }
	flip := func(k int, bit uint32) func(job *pica.Job) { return func(job *pica.Job) { job.Code[k] ^= 1 << bit } }
	for _, c := range []struct {
		key         string
		step        int
		foreign     string
		foreignStep int
		change      func(job *pica.Job)
		code        []uint32
	}{
		{"mul: value", 0, "mul: value", 0, becomes(pica.MUL, pica.ADD), []uint32{data(pica.MUL, 0x10, 3, 0, 0), end}},
		{"mul: value", 1, "mul: value", 1, becomes(pica.MUL, pica.ADD),
			[]uint32{noise, data(pica.MUL, 0x02, 3, 0, 0), noise, end}},
		{"mul: value", 0, "mul: value", 0, becomes(pica.MUL, pica.ADD),
			[]uint32{data(pica.MUL, 0x12, 3, 0, 0), data(pica.MUL, 0x10, 3, 0, 0), end}},
		{"sge: other class, want finite, got zero", 0, "sge: other class, want finite, got zero", 0,
			becomes(pica.SGE, pica.SLT), []uint32{data(pica.SGE, 0x10, 3, 0, 0), end}},
		{"max: value, sign", 0, "max: value, sign", 0, becomes(pica.MAX, pica.MIN),
			[]uint32{data(pica.MAX, 0x10, 3, 1, 2), end}},
		{"max: other class, sign of infinity", 0, "max: other class, sign of infinity", 0, becomes(pica.MAX, pica.MIN),
			[]uint32{data(pica.MAX, 0x10, 6, 0, 2), end}},
		{"min: value, infinite operand", 0, "min: value, infinite operand", 0, becomes(pica.MIN, pica.SGE),
			[]uint32{data(pica.MIN, 0x10, 6, 0, 3), end}},
		{"max: value", 0, "max: value", 0, becomes(pica.MAX, pica.MIN),
			[]uint32{data(pica.MAX, 0x10, 5, 2, 0), end}},
		{"destination", 0, "add: other class, want zero, got finite", 0,
			descriptors(func(d uint32) uint32 { return d | 15 }), []uint32{data(pica.ADD, 0x10, 3, 1, 1), end}},
		{"destination", 0, "add: other class, want zero, got finite", 0,
			descriptors(func(d uint32) uint32 { return d | 8 }), []uint32{data(pica.ADD, 0x10, 4, 1, 1), end}},
		{"destination", 1, "min: other class, want finite, got zero", 1, dest(pica.MIN, 0x13),
			[]uint32{noise, data(pica.MIN, 0x11, 0, 1, 1), end}},
		{"destination", 1, "min: other class, want finite, got zero", 1, dest(pica.MIN, 0x03),
			[]uint32{noise, data(pica.MIN, 0x01, 0, 1, 1), end}},
		{"destination", 0, "mova: other class, want zero, got finite", 0, becomes(pica.MOVA, pica.MOV),
			[]uint32{data(pica.MOVA, 0, 3, 1, 0), end}},
		{"negation of operand", 0, "add: other class, want zero, got finite", 0,
			descriptors(func(d uint32) uint32 { return d &^ (1 << 4) }),
			[]uint32{data(pica.ADD, 0x10, 1, 1, 1), end}},
		{"negation of operand", 1, "mov: value, sign", 1, descriptors(func(d uint32) uint32 { return d &^ (1 << 4) }),
			[]uint32{noise, data(pica.MOV, 0x10, 1, 1, 0), end}},
		{"swizzle of operand", 0, "max: other class, want zero, got infinite", 0,
			descriptors(func(d uint32) uint32 { return d&^(0xFF<<5) | pica.IdentitySwizzle<<5 }),
			[]uint32{data(pica.MAX, 0x10, 2, 0, 1), end}},
		{"index of operand", 1, "max: value", 1, indexes(2),
			[]uint32{data(pica.MOVA, 0, 0, 0, 0), data(pica.MAX, 0x10, 0, 0x22, 3) | 1<<19, end}},
		{"cmp eq: condition flag", 0, "cmp: condition flag", 0, flip(0, 24), []uint32{cmp, end}},
		{"cmp le: condition flag", 0, "cmp: condition flag", 0, flip(0, 21), []uint32{cmp | 3<<21 | 4<<24, end}},
		{"ifu: pc", 0, "", 0, flip(0, 22), []uint32{flow(pica.IFU, 2, 0, 0), nop, end}},
		{"ifu: pc, empty body", 0, "", 0, flip(0, 22), []uint32{flow(pica.IFU, 1, 1, 0), nop, end}},
		{"ifu: pc", 1, "ifu: other class", 1, flip(1, 22),
			[]uint32{noise, flow(pica.IFU, 3, 1, 0), data(pica.MOV, 0x11, 0, 1, 0), nop, end}},
		{"ifu: if stack else", 0, "nop: other class, want zero, got finite", 1, add(0, 1<<10),
			[]uint32{flow(pica.IFU, 2, 1, 1), nop, nop, end}},
		{"ifu: if stack end", 1, "nop: other class, want zero, got finite", 2, add(1, 1),
			[]uint32{noise, flow(pica.IFU, 3, 1, 1), nop, nop, end}},
		{"ifu: if stack end, full", 8, "", 0, add(8, 1), nested(9, flow(pica.IFU, 10, 1, 1))},
		{"call: call stack end", 0, "", 0, add(0, 1), []uint32{flow(pica.CALL, 2, 1, 0), end, nop, nop, nop, end}},
		{"call: call stack end, full", 4, "", 0, add(4, 1), []uint32{flow(pica.CALL, 1, 9, 0), flow(pica.CALL, 2, 8, 0),
			flow(pica.CALL, 3, 7, 0), flow(pica.CALL, 4, 6, 0), flow(pica.CALL, 5, 4, 0),
			nop, nop, nop, nop, nop, end}},
		{"callu end of if: call stack depth", 1, "", 0, flip(1, 22),
			[]uint32{flow(pica.IFU, 2, 0, 1), flow(pica.CALLU, 3, 0, 1), nop, end}},
		{"callu end of call: pc", 1, "", 0, flip(3, 22),
			[]uint32{flow(pica.CALL, 3, 1, 1), end, nop, flow(pica.CALLU, 2, 1, 1), end}},
		{"callu end of loop: call stack depth", 1, "", 0, flip(1, 22),
			[]uint32{flow(pica.LOOP, 1, 0, 0), flow(pica.CALLU, 3, 1, 1), end, nop, end}},
		{"loop: loop stack end", 0, "", 0, add(0, 1<<10), []uint32{flow(pica.LOOP, 1, 0, 0), nop, nop, nop, end}},
		{"loop: aL, empty body", 0, "nop: aL", 1, add(0, 1<<10),
			[]uint32{flow(pica.LOOP, 0, 0, 0), nop, nop, nop, end}},
		{"loop: loop stack step", 0, "loop: aL", 0, func(job *pica.Job) { job.Ints[0][2] = 3 },
			[]uint32{flow(pica.LOOP, 1, 0, 0), nop, end}},
		{"loop: loop stack end, full", 4, "", 0, add(4, 1<<10), nested(5, flow(pica.LOOP, 7, 0, 0))},
		{"end: end", 1, "", 0, func(job *pica.Job) { job.Code[1] = nop }, []uint32{noise, end, end}},
		{"end: other class", 0, "end: other class", 0, func(job *pica.Job) {
			job.Code = []uint32{data(pica.MOV, 0x11, 0, 1, 0), end}
		}, []uint32{end}},
		{"break: trap, want hang, got none", 0, "", 0, becomes(pica.BREAK, pica.END),
			[]uint32{uint32(pica.BREAK) << 26, end}},
	} {
		floats := []pica.Vec4{{two}, {two}, {two}, {two}, {two | 1<<12}}
		job := &pica.Job{Program: pica.Program{Code: c.code, Descriptors: slices.Clone(descs)},
			Vertices: [][]pica.Vec4{input}, InputFormat: pica.Float24, Bools: 2, Budget: 100,
			Floats: []pica.Upload{{Format: pica.Float24, Values: floats}}, Ints: [pica.NumInts][4]uint8{{1, 0, 1}}}
		j := compare.Pair{Want: impl.New(), Got: rewriting{impl.New(), c.change}}
		located(t, &j, job, c.key, c.step)
		j = compare.Pair{Want: impl.New(), Got: foreign{rewriting{impl.New(), c.change}}, Foreign: true}
		located(t, &j, job, c.foreign, c.foreignStep)
	}
}

// located demands that the engines differ first at a step of the first vertex, for this cause;
// or that they do not differ, if the key is empty.
func located(t *testing.T, j *compare.Pair, job *pica.Job, key string, step int) {
	t.Helper()
	at, found, err := j.Find(job)
	if err != nil || found != (key != "") {
		t.Errorf("%s: found %t, %v", key, found, err)
		return
	}
	if !found {
		return
	}
	if got := at.Key(); got != key || at.Step != step {
		t.Errorf("got %q at step %d, want %q at step %d (%v after %08x at %d)",
			got, at.Step, key, step, at.Difference, at.Word, at.PC)
		return
	}
	steps, err := impl.Trace(job, 0)
	if err != nil {
		t.Fatal(err)
	}
	var before pica.State
	for s := range steps {
		if s.Index < step {
			before = *s.State
			continue
		}
		if at.PC != s.PC || at.Word != s.Word || at.Before != before || at.Storage != pica.Float24 {
			t.Errorf("%s: got %08x at %d, before %v; want %08x at %d, before %v",
				key, at.Word, at.PC, at.Before, s.Word, s.PC, before)
		}
		if at.Sources != s.Sources && at.Sources != [3]pica.Vec4{} {
			t.Errorf("%s: got sources %06x, want %06x", key, at.Sources, s.Sources)
		}
		break
	}
}
