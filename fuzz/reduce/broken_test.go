package reduce_test

import (
	"math/rand/v2"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// broken is an engine with one fault: it runs another program than it was
// given, or its registers and stacks are tampered with after each instruction.
type broken struct {
	machine oracle.Machine
	rewrite func(job *pica.Job)
	tamper  func(step *pica.Step, before, s *pica.State)
}

func (*broken) Name() string { return "broken" }

func (b *broken) Run(job *pica.Job, out *pica.Outcome) error {
	if b.rewrite != nil {
		c := *job
		c.Code = append([]uint32(nil), job.Code...)
		c.Descriptors = append([]uint32(nil), job.Descriptors...)
		b.rewrite(&c)
		job = &c
	}
	*out = pica.Outcome{Storage: job.Profile.Knobs[pica.KnobStorage], Bools: job.Bools,
		Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
	for k := range out.Vertices {
		if err := b.machine.Load(job, k); err != nil {
			return err
		}
		v := &out.Vertices[k]
		before := *b.machine.State()
		for step := b.machine.Step(); step != nil; step = b.machine.Step() {
			if v.Trap = step.Trap; step.Trap.Cause == pica.TrapNone {
				v.Steps++
				if b.tamper != nil {
					b.tamper(step, &before, b.machine.State())
				}
			}
			before = *b.machine.State()
		}
		v.State = before
	}
	return nil
}

// opOf is the instruction of a step.
func opOf(s *pica.Step) pica.Opcode { return pica.OpcodeOf(s.Word).Base() }

// results calls do with every component that an instruction wrote.
func results(step *pica.Step, s *pica.State, do func(v *uint32, k int)) {
	op := opOf(step)
	if pica.Opcodes[op].Writes&pica.WritesDest == 0 {
		return
	}
	dest := op.Layout().Dest.Get(step.Word)
	r := &s.O[dest&15]
	if dest >= pica.DestTemporary {
		r = &s.R[dest&15]
	}
	mask := pica.Descriptor(step.Descriptor).Mask()
	for k := range r {
		if mask&(8>>k) != 0 {
			do(&r[k], k)
		}
	}
}

func nan(v uint32) bool  { return v&0x7F0000 == 0x7F0000 && v&0xFFFF != 0 }
func zero(v uint32) bool { return v&0x7FFFFF == 0 }

// arithmetic makes a fault that changes results of one instruction.
func arithmetic(op pica.Opcode, fault func(v *uint32, a, b uint32)) *broken {
	return &broken{tamper: func(step *pica.Step, _, s *pica.State) {
		if opOf(step) == op {
			results(step, s, func(v *uint32, k int) {
				if pica.Opcodes[op].Scalar {
					k = 0
				}
				fault(v, step.Sources[0][k], step.Sources[1][k])
			})
		}
	}}
}

// words makes a fault that misreads words of some instructions.
func words(fault func(op pica.Opcode, l *pica.Layout, w uint32) uint32) *broken {
	return &broken{rewrite: func(job *pica.Job) {
		for k, w := range job.Code {
			job.Code[k] = fault(pica.OpcodeOf(w).Base(), pica.OpcodeOf(w).Layout(), w)
		}
	}}
}

func descriptorFault(fault func(d pica.Descriptor) pica.Descriptor) *broken {
	return &broken{rewrite: func(job *pica.Job) {
		for k, d := range job.Descriptors {
			job.Descriptors[k] = uint32(fault(pica.Descriptor(d)))
		}
	}}
}

// faulty is a fault, the largest reduced program in words, and the jobs that
// show it.
type faulty struct {
	name  string
	limit int
	jobs  func(g *gen.Generator, n uint64) *pica.Job
	make  func() *broken
}

var zoo = []faulty{
	{"mul rounds wrongly", 2, mixed, func() *broken {
		return arithmetic(pica.MUL, func(v *uint32, _, _ uint32) {
			if *v&0x7F0000 != 0x7F0000 && *v&7 == 5 {
				*v++
			}
		})
	}},
	{"add loses the sign of zero", 2, mixed, func() *broken {
		return arithmetic(pica.ADD, func(v *uint32, _, _ uint32) {
			if *v == 1<<23 {
				*v = 0
			}
		})
	}},
	{"mul: 0 * inf is NaN", 2, mixed, func() *broken {
		return arithmetic(pica.MUL, func(v *uint32, a, b uint32) {
			if zero(a) && b&0x7FFFFF == 0x7F0000 || zero(b) && a&0x7FFFFF == 0x7F0000 {
				*v = 0x7F8000
			}
		})
	}},
	{"mad keeps a payload", 2, mixed, func() *broken {
		return arithmetic(pica.MAD, func(v *uint32, _, _ uint32) {
			if nan(*v) {
				*v |= 1
			}
		})
	}},
	{"rcp of negative values", 2, mixed, func() *broken {
		return arithmetic(pica.RCP, func(v *uint32, a, _ uint32) {
			if a>>23 != 0 && !nan(a) {
				*v ^= 1 << 23
			}
		})
	}},
	{"max of NaN", 2, mixed, func() *broken {
		return arithmetic(pica.MAX, func(v *uint32, a, b uint32) {
			if nan(b) {
				*v = a
			}
		})
	}},
	{"slt of equal values", 2, mixed, func() *broken {
		return arithmetic(pica.SLT, func(v *uint32, a, b uint32) {
			if a == b && !nan(a) {
				*v = 0x3F0000
			}
		})
	}},
	{"dp4 forgets w", 2, mixed, func() *broken {
		return words(func(op pica.Opcode, _ *pica.Layout, w uint32) uint32 {
			if op == pica.DP4 {
				return w&^(63<<26) | uint32(pica.DP3)<<26
			}
			return w
		})
	}},
	{"le is lt", 2, mixed, func() *broken {
		return words(func(op pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if op == pica.CMP && l.CmpX.Get(w) == pica.CmpLE {
				return l.CmpX.Put(w, pica.CmpLT)
			}
			return w
		})
	}},
	{"mova rounds down", 2, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if opOf(step) == pica.MOVA && s.Address[0] < 0 {
				s.Address[0]--
			}
		}}
	}},
	{"mask .xyz writes w", 2, mixed, func() *broken {
		return descriptorFault(func(d pica.Descriptor) pica.Descriptor {
			if d.Mask() == 14 {
				return d | 15
			}
			return d
		})
	}},
	{"negation of source 1 is ignored", 2, mixed, func() *broken {
		return descriptorFault(func(d pica.Descriptor) pica.Descriptor { return d &^ (1 << 4) })
	}},
	{"selector w of source 1 reads z", 2, mixed, func() *broken {
		return descriptorFault(func(d pica.Descriptor) pica.Descriptor {
			if d.Selector(0, 0) == 3 {
				return d &^ (1 << 11)
			}
			return d
		})
	}},
	{"a0.y is read as a0.x", 3, mixed, func() *broken {
		return words(func(_ pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if l.Index.Get(w) == pica.IndexA0Y {
				return l.Index.Put(w, pica.IndexA0X)
			}
			return w
		})
	}},

	{"jmpu ignores its inversion", 8, mixed, func() *broken {
		return words(func(op pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if op == pica.JMPU {
				return l.Num.Put(w, 0)
			}
			return w
		})
	}},
	{"else part starts one word late", 8, mixed, func() *broken {
		return words(func(op pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if op == pica.IFU || op == pica.IFC {
				return l.Dst.Put(w, l.Dst.Get(w)+1)
			}
			return w
		})
	}},
	{"both conditions instead of either", 8, mixed, func() *broken {
		return words(func(op pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if l.CondOp.Width != 0 && l.CondOp.Get(w) == pica.CondOr {
				return l.CondOp.Put(w, pica.CondAnd)
			}
			return w
		})
	}},
	{"callu reads the next boolean", 8, mixed, func() *broken {
		return words(func(op pica.Opcode, l *pica.Layout, w uint32) uint32 {
			if op == pica.CALLU {
				return l.Bool.Put(w, l.Bool.Get(w)^1)
			}
			return w
		})
	}},
	{"loop runs once too often", 8, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if opOf(step) == pica.LOOP && s.Stacks.LoopDepth > before.Stacks.LoopDepth {
				s.Stacks.Loop[s.Stacks.LoopDepth-1].Count++
			}
		}}
	}},
	{"aL after a nested loop", 8, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if d := before.Stacks.LoopDepth; d > 1 && s.Stacks.LoopDepth < d {
				s.AL = before.AL
			}
		}}
	}},
	{"call returns one word late", 8, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if d := s.Stacks.CallDepth; d > before.Stacks.CallDepth {
				s.Stacks.Call[d-1].Return++
			}
		}}
	}},
	{"a taken jump clears the if stack", 8, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if (opOf(step) == pica.JMPC || opOf(step) == pica.JMPU) && step.Next != step.PC+1 {
				s.Stacks.If, s.Stacks.IfDepth = [pica.IfDepth]pica.IfEntry{}, 0
			}
		}}
	}},
	{"break ends the outer loop too", 8, mixed, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if opOf(step) == pica.BREAKC && s.Stacks.LoopDepth < before.Stacks.LoopDepth {
				s.Stacks.Loop, s.Stacks.LoopDepth = [pica.LoopDepth]pica.LoopEntry{}, 0
			}
		}}
	}},
	{"seven ifs", 12, nested, func() *broken {
		return &broken{tamper: func(_ *pica.Step, _, s *pica.State) {
			if s.Stacks.IfDepth == 8 {
				copy(s.Stacks.If[:], s.Stacks.If[1:])
				s.Stacks.If[7], s.Stacks.IfDepth = pica.IfEntry{}, 7
			}
		}}
	}},
	{"a full if stack keeps its oldest entry", 12, nested, func() *broken {
		return &broken{tamper: func(step *pica.Step, before, s *pica.State) {
			if opOf(step) == pica.IFU && before.Stacks.IfDepth == 8 && s.Stacks.IfDepth == 8 && step.Next == step.PC+1 {
				s.Stacks.If = before.Stacks.If
			}
		}}
	}},
	{"three loops", 12, nested, func() *broken {
		return &broken{tamper: func(_ *pica.Step, _, s *pica.State) {
			if s.Stacks.LoopDepth == 4 {
				copy(s.Stacks.Loop[:], s.Stacks.Loop[1:])
				s.Stacks.Loop[3], s.Stacks.LoopDepth = pica.LoopEntry{}, 3
			}
		}}
	}},
	{"three calls", 12, nested, func() *broken {
		return &broken{tamper: func(_ *pica.Step, _, s *pica.State) {
			if s.Stacks.CallDepth == 4 {
				copy(s.Stacks.Call[:], s.Stacks.Call[1:])
				s.Stacks.Call[3], s.Stacks.CallDepth = pica.CallEntry{}, 3
			}
		}}
	}},
}

func mixed(g *gen.Generator, n uint64) *pica.Job { return g.Job(gen.Seed(1, n), gen.Mixed) }

// nested makes programs of scopes deeper than the stacks, with NOPs at their
// ends and adds in between.
func nested(_ *gen.Generator, n uint64) *pica.Job {
	r := rand.New(rand.NewPCG(2, n))
	job := &pica.Job{OutMask: 0xFFFF, Budget: gen.Budget, InputForm: pica.Raw24, Bools: 0x8001, Vertices: [][]pica.Vec4{{{0x3F0000}}}}
	job.Profile.Name = "f24"
	for k := range job.Ints {
		job.Ints[k] = [4]uint8{uint8(r.IntN(2)), uint8(r.IntN(3)), uint8(r.IntN(3))}
	}
	job.Descriptors = []uint32{uint32(pica.IdentityDescriptor)}
	add := func() {
		job.Code = append(job.Code, pica.ADD.Layout().Src[0].Put(uint32(pica.ADD)<<26|uint32(0x10+r.IntN(4))<<21, uint32(r.IntN(20))))
	}
	var scope func(depth int)
	scope = func(depth int) {
		for range r.IntN(3) {
			add()
		}
		if depth > 0 {
			at := len(job.Code)
			op := []pica.Opcode{pica.IFU, pica.IFU, pica.IFU, pica.LOOP}[r.IntN(4)]
			job.Code = append(job.Code, uint32(op)<<26)
			scope(depth - 1)
			job.Code = append(job.Code, uint32(pica.NOP)<<26)
			l, end := op.Layout(), uint32(len(job.Code))
			if op == pica.LOOP {
				job.Code[at] = l.Int.Put(l.Dst.Put(job.Code[at], end-1), uint32(r.IntN(4)))
			} else {
				length := r.IntN(3)
				for range length {
					add()
				}
				job.Code[at] = l.Num.Put(l.Bool.Put(l.Dst.Put(job.Code[at], end), uint32(r.IntN(2)*15)), uint32(length))
			}
		}
		for range r.IntN(3) {
			add()
		}
	}
	scope(8 + r.IntN(6))
	var calls []int
	depth := r.IntN(7)
	for range depth {
		calls = append(calls, len(job.Code))
		job.Code = append(job.Code, uint32(pica.CALL)<<26, uint32(pica.END)<<26)
		l := pica.CALL.Layout()
		at := calls[len(calls)-1]
		job.Code[at] = l.Num.Put(l.Dst.Put(job.Code[at], uint32(len(job.Code))), 2)
	}
	for k := range calls { // each body is its CALL and the NOP in the place of END
		if k > 0 {
			job.Code[calls[k]+1] = uint32(pica.NOP) << 26
		}
	}
	add()
	job.Code = append(job.Code, uint32(pica.NOP)<<26, uint32(pica.END)<<26)
	return job
}
