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

// TestKey names the causes of faults in programs that differ in everything but the cause; the
// second program of a pair is one before reduction.
func TestKey(t *testing.T) {
	const (
		identity = uint32(pica.IdentityDescriptor)
		nop, end = uint32(pica.NOP) << 26, uint32(pica.END) << 26
		negated  = identity | 1<<4
		swizzled = identity&^(0xFF<<5) | 0x4E<<5 // zwxy
		onlyX    = identity&^15 | 8
		inf      = 0x7F0000
		nan      = 0x7F8000
		two      = 0x400000
	)
	input := []pica.Vec4{{0x3F0000, two, inf, nan}, {two, two, 0, 0}}
	descs := []uint32{identity, negated, swizzled, onlyX}
	noise := data(pica.MAX, 0x15, 0, 1, 1)
	for _, c := range []struct {
		key    string
		change func(job *pica.Job)
		code   []uint32
	}{
		{"mul: value", becomes(pica.MUL, pica.ADD), []uint32{data(pica.MUL, 0x10, 3, 0, 0), end}},
		{"mul: value", becomes(pica.MUL, pica.ADD), []uint32{noise, data(pica.MUL, 0x02, 3, 0, 0), noise, end}},
		{"sge: other class, want finite, got zero", becomes(pica.SGE, pica.SLT),
			[]uint32{data(pica.SGE, 0x10, 3, 0, 0), end}},
		{"destination", descriptors(func(d uint32) uint32 { return d | 15 }),
			[]uint32{data(pica.ADD, 0x10, 3, 1, 1), end}},
		{"destination", dest(pica.MIN, 0x13), []uint32{noise, data(pica.MIN, 0x11, 0, 1, 1), end}},
		{"negation of operand", descriptors(func(d uint32) uint32 { return d &^ (1 << 4) }),
			[]uint32{data(pica.ADD, 0x10, 1, 1, 1), end}},
		{"negation of operand", descriptors(func(d uint32) uint32 { return d &^ (1 << 4) }),
			[]uint32{noise, data(pica.MOV, 0x10, 1, 1, 0), end}},
		{"swizzle of operand", descriptors(func(d uint32) uint32 { return d&^(0xFF<<5) | pica.IdentitySwizzle<<5 }),
			[]uint32{data(pica.MAX, 0x10, 2, 0, 1), end}},
		{"cmp eq: condition flag",
			func(job *pica.Job) { job.Code[0] ^= 1 << 24 }, []uint32{0x2E<<26 | 1<<12 | 1<<7, end}},
		{"ifu: pc", func(job *pica.Job) { job.Code[0] ^= 1 << 22 }, []uint32{flow(pica.IFU, 2, 0, 0), nop, end}},
		{"ifu: if stack else", func(job *pica.Job) { job.Code[0] += 1 << 10 },
			[]uint32{flow(pica.IFU, 2, 1, 1), nop, nop, end}},
		{"ifu: if stack end", func(job *pica.Job) { job.Code[1]++ },
			[]uint32{noise, flow(pica.IFU, 3, 1, 1), nop, nop, end}},
		{"call: call stack end", func(job *pica.Job) { job.Code[0]++ },
			[]uint32{flow(pica.CALL, 2, 1, 0), end, nop, nop, nop, end}},
		{"loop: loop stack end", func(job *pica.Job) { job.Code[0] += 1 << 10 },
			[]uint32{flow(pica.LOOP, 1, 0, 0), nop, nop, nop, end}},
		{"callu end of if: call stack depth", func(job *pica.Job) { job.Code[1] ^= 1 << 22 },
			[]uint32{flow(pica.IFU, 2, 0, 1), flow(pica.CALLU, 3, 0, 1), nop, end}},
		{"end: end", func(job *pica.Job) { job.Code[1] = nop }, []uint32{noise, end, end}},
		{"break: trap, want hang, got none", becomes(pica.BREAK, pica.END), []uint32{uint32(pica.BREAK) << 26, end}},
	} {
		job := &pica.Job{Program: pica.Program{Code: c.code, Descriptors: slices.Clone(descs)},
			Vertices: [][]pica.Vec4{input}, InputFormat: pica.Float24, Bools: 2, Budget: 100,
			Ints: [pica.NumInts][4]uint8{{1, 0, 1}}}
		j := compare.Pair{Want: impl.New(), Got: rewriting{impl.New(), c.change}}
		at, found, err := j.Find(job)
		if err != nil || !found {
			t.Errorf("%s: found %t, %v", c.key, found, err)
			continue
		}
		if got := at.Key(); got != c.key {
			t.Errorf("got %q, want %q (%v after %08x at %d)", got, c.key, at.Difference, at.Word, at.PC)
		}
	}
}
