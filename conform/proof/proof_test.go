package proof_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

const seed = 1

// job returns a function that makes job n of a sequence of all modes.
func job() func(n uint64) *pica.Job {
	var g gen.Generator
	modes := []gen.Mode{gen.Alu, gen.Flow, gen.Mixed, gen.Geometry}
	return func(n uint64) *pica.Job {
		j := g.Job(gen.Seed(seed, n/4), modes[n%4])
		j.Budget = min(j.Budget, 20_000)
		return view.Portable(j)
	}
}

// explain explains an engine under a profile.
func explain(engine pica.Engine, p pica.Profile, more ...*pica.Job) (causes []proof.Cause, rest []proof.Case) {
	return explainSome(1200, engine, p, more...)
}

// explainSome explains the answers to some jobs.
func explainSome(some uint64, engine pica.Engine, p pica.Profile,
	more ...*pica.Job) (causes []proof.Cause, rest []proof.Case) {
	const far = 1 << 30
	predict := fingerprint.PredictorOf(engine)
	ask := func(_ context.Context, j *pica.Job) *view.View {
		v := new(view.View)
		predict.View(j, &p, v)
		return v
	}
	var cases []proof.Case
	make := job()
	for n := range some {
		j := reduce.Clone(make(n))
		cases = append(cases, proof.Case{Job: j, Got: ask(context.Background(), j)})
	}
	for _, j := range more {
		cases = append(cases, proof.Case{Job: j, Got: ask(context.Background(), j)})
	}
	s := &proof.Search{Profile: p, Ask: ask, Job: func(n uint64) *pica.Job { return make(far + n) },
		Reduce: smaller}
	causes, rest, _ = s.Explain(context.Background(), cases)
	return causes, rest
}

// smaller reduces a job while fails holds.
func smaller(ctx context.Context, j *pica.Job, tries int, fails func(j *pica.Job) bool) *pica.Job {
	key := func(j *pica.Job) string {
		if adapter.AsksB15(j) || !fails(j) {
			return ""
		}
		return "differs"
	}
	r, err := reduce.Job(ctx, j, reduce.Jobs{NewKey: func() reduce.Key { return key }},
		reduce.Options{Workers: 1, MaxTries: tries})
	if err != nil {
		return nil
	}
	return r.Job
}

// names lists the hypothesis of a cause and its rivals, without scopes.
func names(c proof.Cause) []string {
	list := []string{c.Name}
	for _, r := range c.Rivals {
		list = append(list, r.Name)
	}
	return list
}

func texts(causes []proof.Cause) string {
	var list []string
	for _, c := range causes {
		list = append(list, c.String())
	}
	return strings.Join(list, "; ")
}

// TestMutants: one hypothesis predicts every answer of an executor with one fault, and it is the fault or cannot be
// told from it.
func TestMutants(t *testing.T) {
	var list []mutants.Mutant
	for _, m := range mutants.Executors() {
		if m.Equivalent == "" {
			list = append(list, m)
		}
	}
	found, unseen := 0, 0
	for _, m := range long.Items(t, list, long.Few(16, 6)) {
		p := profile.HW()
		if len(m.Profiles) > 0 {
			p, _ = profile.ByName(m.Profiles[0])
		}
		causes, rest := explain(m.New(), p)
		switch {
		case len(causes) == 0 && len(rest) == 0:
			unseen++
		case len(causes) == 1 && len(rest) == 0 && slices.Contains(names(causes[0]), m.Name):
			found++
		case len(causes) == 1 && len(rest) == 0: // another rule with the same effect on every job
			t.Logf("%s: %s", m.Name, texts(causes))
			found++
		default:
			t.Errorf("%s: %d answers are left: %s", m.Name, len(rest), texts(causes))
		}
	}
	if t.Logf("%d proved, %d without effect", found, unseen); unseen*8 > found {
		t.Errorf("%d of %d faults have no effect in the jobs", unseen, found+unseen)
	}
}

// TestSeveral: several faults at once are proved one after the other.
func TestSeveral(t *testing.T) {
	for _, want := range long.Items(t, [][]string{
		{"dp3-reads-w", "condition-or-is-and", "x-is-never-written"},
		{"sge-is-sgt", "one-pass-less", "uploads-flush"},
		{"min-prefers-src1", "refx-is-ignored", "mova-broadcasts", "emitter-is-cleared"},
		// Each makes some answers right by chance that another one alone would make wrong: no cause gets a condition.
		{"al-is-restored-only-on-break", "al-is-not-stepped-after-the-last-pass", "if-backward-is-ignored"},
	}, long.Few(4, 1)) {
		p := profile.F24()
		engine := impl.NewWith(func(r *oracle.Rules) {
			for _, m := range mutants.Executors() {
				if slices.Contains(want, m.Name) {
					m.Change(r)
				}
			}
		}, nil)
		causes, rest := explain(engine, p)
		if len(rest) > 0 || len(causes) != len(want) {
			t.Errorf("%v: %d answers are left: %s", want, len(rest), texts(causes))
		}
		for _, c := range causes {
			if !slices.ContainsFunc(names(c), func(name string) bool { return slices.Contains(want, name) }) {
				t.Errorf("%v: %s", want, c.String())
			}
		}
	}
}

// TestFarTarget: one program with a far target is enough to find how many bits of it a core takes.
func TestFarTarget(t *testing.T) {
	l := pica.JMPU.Layout()
	for _, width := range []uint8{9, 10} {
		far := &pica.Job{OutMask: 0xFFFF, Budget: fingerprint.Budget, InputFormat: pica.Float32, Profile: profile.F24(),
			Vertices: [][]pica.Vec4{{{0x3F800000}}}}
		target := 3 << (width - 1) // one and a half times as far as such a target reaches
		far.Code = append(far.Code, l.Num.Put(l.Dst.Put(uint32(pica.JMPU)<<26, uint32(target)), 1), uint32(pica.END)<<26)
		for len(far.Code) < target {
			far.Code = append(far.Code, uint32(pica.NOP)<<26)
		}
		far.Code = append(far.Code, uint32(pica.MOV)<<26, uint32(pica.END)<<26)
		far.Descriptors = []uint32{uint32(pica.IdentityDescriptor)}
		core := impl.NewWith(func(r *oracle.Rules) { r.Encoding.Target.Width = width }, nil)
		causes, rest := explain(core, profile.F24(), far)
		if want := fmt.Sprintf("targets have %d bits", width); len(rest) > 0 || len(causes) != 1 || causes[0].Name != want {
			t.Errorf("%s: %d answers are left: %s", want, len(rest), texts(causes))
		}
	}
}

// TestScope: a fault in a part of the instructions is proved with its scope.
func TestScope(t *testing.T) {
	p := profile.F24()
	for _, x := range []struct {
		fault, scope string
		within       func(c *oracle.Control) bool
	}{
		{"zero-times-inf-is-nan", "mul", func(c *oracle.Control) bool { return c.Op == pica.MUL }},
		{"condition-x-is-y", "jmpc", func(c *oracle.Control) bool { return c.Op == pica.JMPC }},
		{"swizzle-is-reversed", "max and min", func(c *oracle.Control) bool { return c.Op == pica.MAX || c.Op == pica.MIN }},
	} {
		i := slices.IndexFunc(mutants.Executors(), func(m mutants.Mutant) bool { return m.Name == x.fault })
		engine := impl.NewWith(func(r *oracle.Rules) {
			other := *r
			mutants.Executors()[i].Change(&other)
			r.Choose = func(c *oracle.Control) *oracle.Rules {
				if x.within(c) {
					return &other
				}
				return r
			}
		}, nil)
		causes, rest := explain(engine, p)
		want := x.scope + ": " + x.fault
		if len(rest) > 0 || len(causes) != 1 || causes[0].String() != want &&
			!slices.ContainsFunc(causes[0].Rivals, func(h *hypothesis.Hypothesis) bool { return h.String() == want }) {
			t.Errorf("%s: %d answers are left: %s", want, len(rest), texts(causes))
		}
	}
}

// TestUnexplained: a fault that no hypothesis describes is left, and nothing is blamed for it.
func TestUnexplained(t *testing.T) {
	for name, change := range map[string]func(r *oracle.Rules){
		"sums": func(r *oracle.Rules) {
			before := r.Unit.Ops.Add
			r.Unit.Ops.Add = func(u *oracle.Unit, a, b uint32) uint32 {
				x := before(u, a, b)
				if h := (a*0x9E3779B1 ^ b*0x85EBCA6B) >> 28; h == 0 && !u.IsZero(a) && !u.IsZero(b) && !u.IsNaN(x) && !u.IsInf(x) {
					x ^= 1 << (a & 7)
				}
				return x
			}
		},
		"uploads": func(r *oracle.Rules) { // almost every program shows it
			before := r.Unit.Ops.FromRaw24
			r.Unit.Ops.FromRaw24 = func(u *oracle.Unit, x uint32) uint32 {
				return u.Ops.Mul(u, before(u, x), u.One+1<<(u.Mantissa-2))
			}
		},
	} {
		causes, rest := explain(impl.NewWith(change, nil), profile.F24())
		if len(causes) > 0 || len(rest) == 0 {
			t.Errorf("%s: %d answers are left: %s", name, len(rest), texts(causes))
		}
	}
}

// TestNoOpcode: END copies an output, so that no opcode has a part in it, though "lg2: o3 is written to o4, too" predicts
// many answers.
func TestNoOpcode(t *testing.T) {
	causes, rest := explain(impl.NewWith(func(r *oracle.Rules) {
		end := r.Flow.END
		r.Flow.END = func(c *oracle.Control) bool {
			ended := end(c)
			if ended && c.Vertex > 0 {
				c.O[4] = c.O[3]
			}
			return ended
		}
	}, nil), profile.F24())
	for _, c := range causes {
		if slices.ContainsFunc(c.Scope, hypothesis.Condition.OfOpcodes) {
			t.Errorf("not true: %s", c)
		}
	}
	if len(rest) == 0 {
		t.Errorf("all is explained: %s", texts(causes))
	}
}

// TestOpcodesOfAnswers: a change of opcodes that are not akin is one cause, which names them.
func TestOpcodesOfAnswers(t *testing.T) {
	dots := func(c *oracle.Control) bool { return c.Op == pica.DP3 || c.Op == pica.DP4 || c.Op == pica.DPH }
	for _, x := range []struct {
		model pica.ZeroInfRule
		where func(c *oracle.Control) bool
		want  string
	}{
		{pica.ZeroInfZero, dots, "dp3, dp4 and dph: zero-times-inf-is-nan"},
		{pica.ZeroInfNaN, func(c *oracle.Control) bool { return !dots(c) }, "mul, dphi, madi and mad: zeroinf=zero"},
	} {
		p := profile.F32()
		p.ZeroInf = x.model
		causes, rest := explain(impl.NewWith(within(x.where, func(r *oracle.Rules) {
			mul := r.Unit.Ops.Mul
			r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
				switch {
				case !u.IsZero(a) && !u.IsZero(b) || !u.IsInf(a) && !u.IsInf(b):
					return mul(u, a, b)
				case x.model == pica.ZeroInfZero:
					return u.Quiet
				}
				return 0
			}
		}), nil), p)
		if len(causes) != 1 || len(rest) > 0 || causes[0].String() != x.want {
			t.Errorf("%d answers are left: %s; want %s", len(rest), texts(causes), x.want)
		}
	}
}

// TestTrueAlone: each of several causes is true of the core, also without the others.
func TestTrueAlone(t *testing.T) {
	causes, rest := explain(impl.NewWith(within(is(pica.JMPC), func(r *oracle.Rules) {
		r.Flow.Condition = func(_ int, cc, ref [2]bool) bool { return cc[0] == ref[0] }
	}), nil), profile.F24())
	for _, c := range causes {
		if !strings.HasSuffix(c.Name, "acts as 2") && c.Name != "the condition is x" {
			t.Errorf("not true: %s", c)
		}
	}
	if len(causes) == 0 || len(rest) > 0 {
		t.Errorf("%d answers are left: %s", len(rest), texts(causes))
	}
}

// TestOrderOfDots: the order of a dot product is found whatever the model says of it.
func TestOrderOfDots(t *testing.T) {
	for dot := range pica.DotMixed + 1 {
		p := profile.F24()
		p.Dot = dot
		causes, rest := explain(impl.NewWith(func(r *oracle.Rules) {
			r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
				sum := u.Ops.Mul(u, a[terms-1], b[terms-1])
				for i := terms - 2; i >= 0; i-- {
					sum = u.Ops.Add(u, sum, u.Ops.Mul(u, a[i], b[i]))
				}
				return sum
			}
		}, nil), p)
		if got := texts(causes); len(rest) > 0 || got != "dot products are summed from the last lane" {
			t.Errorf("dot %d: %d answers are left: %s", dot, len(rest), got)
		}
	}
}

// TestDeaths: a crash or a hang of some instructions is proved with its conditions, beside a wrong value.
func TestDeaths(t *testing.T) {
	crash := func(c *oracle.Control) { c.Refuse(pica.RefusalCrash) }
	for _, x := range []struct {
		want string
		die  func(c *oracle.Control)
		when func(c *oracle.Control) bool
	}{
		{"lg2: the core crashes", crash, func(c *oracle.Control) bool { return c.Op == pica.LG2 }},
		{"callc: the core crashes, in 1 or more open loops", crash,
			func(c *oracle.Control) bool { return c.Op == pica.CALLC && c.Stacks.LoopDepth > 0 }},
		{"jmpc and jmpu: the core crashes where it goes to its target, a target behind the loop", crash,
			func(c *oracle.Control) bool {
				n, target := c.Stacks.LoopDepth, c.Rules.Encoding.Target.Of(c.Word)
				if c.Op != pica.JMPC && c.Op != pica.JMPU || n == 0 || target < int(c.Stacks.Loop[n-1].End) {
					return false
				}
				condition := c.Rules.Flow.Condition(c.Rules.Encoding.Condition.Of(c.Word), c.CC,
					[2]bool{c.Rules.Encoding.RefX.Of(c.Word) != 0, c.Rules.Encoding.RefY.Of(c.Word) != 0})
				if c.Op == pica.JMPU {
					condition = c.Rules.Flow.JMPU(c.Rules.Flow.Bool(c.Job.Bools, c.Rules.Encoding.Bool.Of(c.Word)),
						c.Rules.Encoding.Num.Of(c.Word))
				}
				return condition || target == c.PC+1
			}},
		{"rcp, rsq, ex2, lg2 and mova: the core crashes, bits in the place of a second source", crash,
			func(c *oracle.Control) bool {
				return slices.Contains([]pica.Opcode{pica.RCP, pica.RSQ, pica.EX2, pica.LG2, pica.MOVA}, c.Op) && c.Word>>7&31 != 0
			}},
		{"the core crashes, descriptors from 5 on", crash, func(c *oracle.Control) bool {
			s := &c.Rules.Encoding.Shapes[c.Op]
			return s.Layout != nil && s.Layout.Desc.Of(c.Word) >= 5
		}},
		{"the core crashes, an index that leads before v0", crash, func(c *oracle.Control) bool {
			l := c.Rules.Encoding.Shapes[c.Op].Layout
			if l == nil || l.Index.Of(c.Word) == pica.IndexNone {
				return false
			}
			offset := [...]int32{c.Address[0], c.Address[1], c.AL}[l.Index.Of(c.Word)-pica.IndexNone-1]
			return l.Sources[l.Wide].Of(c.Word)+int(offset) < 0
		}},
		{"loop: the core refuses to go on, in 1 or more open loops", func(c *oracle.Control) { c.Refuse(pica.RefusalAssert) },
			func(c *oracle.Control) bool { return c.Op == pica.LOOP && c.Stacks.LoopDepth > 0 }},
		{"nop: the core never ends", func(c *oracle.Control) { c.Trap(pica.TrapBudget) },
			func(c *oracle.Control) bool { return c.Op == pica.NOP }},
	} {
		engine := impl.NewWith(func(r *oracle.Rules) {
			for op, admits := range r.Admit {
				r.Admit[op] = func(c *oracle.Control) bool {
					if admits != nil && !admits(c) {
						return false
					}
					if x.when(c) {
						x.die(c)
					}
					return true
				}
			}
			dp3 := r.Unit.Ops.Dot
			r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, _ int) uint32 { return dp3(u, a, b, 4) }
		}, nil)
		causes, rest := explain(engine, profile.F24())
		if got := texts(causes); len(rest) > 0 || got != "dp3-reads-w; "+x.want {
			t.Errorf("%s: %d answers are left: %s", x.want, len(rest), got)
		}
	}
}

// TestDeathsBesideValues: crashes are proved even if the search for a wrong value, which comes first, is dear and in
// vain.
func TestDeathsBesideValues(t *testing.T) {
	engine := impl.NewWith(func(r *oracle.Rules) {
		for op, admits := range r.Admit {
			r.Admit[op] = func(c *oracle.Control) bool {
				if admits != nil && !admits(c) {
					return false
				}
				back := (c.Op == pica.JMPC || c.Op == pica.JMPU) && c.Rules.Encoding.Target.Of(c.Word) <= c.PC
				if back || c.Op == pica.LOOP && c.Stacks.LoopDepth > 0 {
					c.Refuse(pica.RefusalAssert)
				}
				return true
			}
		}
		r.Operands.Result = func(c *oracle.Control, sources *[3]pica.Vec4, v *pica.Vec4) {
			for i, x := range sources[0] {
				if pica.Opcodes[c.Op].Sources > 1 && x>>7&1 != sources[1][i]>>9&1 { // as no hypothesis has it
					v[i] ^= 4
				}
			}
		}
	}, nil)
	causes, rest := explain(engine, profile.F24())
	loops := []string{"the core refuses to go on, in 2 or more open loops", "loop: the core refuses to go on, in 1 or more open loops"}
	const jumps = "jmpc and jmpu: the core refuses to go on, a target not behind it"
	found := slices.Sorted(strings.SplitSeq(texts(causes), "; "))
	if len(found) != 2 || !slices.Contains(found, jumps) || !slices.ContainsFunc(loops, func(text string) bool {
		return slices.Contains(found, text)
	}) || len(rest) == 0 {
		t.Errorf("%d answers are left: %s", len(rest), texts(causes))
	}
}

// TestPresence: a program that has an instruction crashes, executed or not.
func TestPresence(t *testing.T) {
	engine := impl.NewWith(func(r *oracle.Rules) {
		r.Program = func(c *oracle.Control) {
			for _, w := range c.Job.Code {
				if pica.OpcodeOf(w).Base() == pica.DST {
					c.Refuse(pica.RefusalCrash)
				}
			}
		}
	}, nil)
	causes, rest := explain(engine, profile.F24())
	if got := texts(causes); len(rest) > 0 || got != "dst: the core crashes, executed or not" {
		t.Errorf("%d answers are left: %s", len(rest), got)
	}
}

// TestEnded: wherever the context ends, a search soon does, too. Causes that it could not hold against all answers do not
// count.
func TestEnded(t *testing.T) {
	p, make := profile.F24(), job()
	predict := fingerprint.PredictorOf(impl.NewWith(func(r *oracle.Rules) {
		for _, op := range []pica.Opcode{pica.DP3, pica.FLR, pica.MAX} {
			r.Admit[op] = func(c *oracle.Control) bool { c.Refuse(pica.RefusalCrash); return true }
		}
	}, nil))
	predicted := func(job *pica.Job) *view.View {
		v := new(view.View)
		predict.View(job, &p, v)
		return v
	}
	var few []proof.Case
	for n := range uint64(600) {
		job := reduce.Clone(make(n))
		few = append(few, proof.Case{Job: job, Got: predicted(job)})
	}
	many := slices.Repeat(few, 100)
	for _, end := range []int{0, 1, 40, 100} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		s := &proof.Search{Profile: p, Reduce: smaller, Ask: func(_ context.Context, job *pica.Job) *view.View {
			if asked++; asked == end {
				cancel()
			} else if ctx.Err() != nil {
				return &view.View{End: view.Missing}
			}
			return predicted(job)
		}}
		cases, want := few, true
		if end == 0 {
			cancel()
			cases, want = many, false
		}
		causes, _, ok := s.Explain(ctx, cases)
		if cancel(); ok != want || !ok && len(causes) > 0 || asked > end+10 {
			t.Errorf("ended at request %d of %d: %s, in time: %v", end, asked, texts(causes), ok)
		}
	}
}

// TestHangOfNumber: hangs that no hypothesis explains, of programs that execute an opcode often, are blamed on nothing
// else.
func TestHangOfNumber(t *testing.T) {
	for _, op := range []pica.Opcode{pica.ADD, pica.MOVA, pica.FLR} {
		for _, times := range []int{3, 4} {
			for _, some := range []uint64{20, 40} { // few answers, as in a search for hangs
				n := 0
				causes, _ := explainSome(some, impl.NewWith(func(r *oracle.Rules) {
					r.Program = func(*oracle.Control) { n = 0 }
					r.Admit[op] = func(c *oracle.Control) bool {
						if n++; n >= times {
							c.Trap(pica.TrapBudget)
						}
						return true
					}
				}, nil), profile.F24())
				if len(causes) > 0 {
					t.Errorf("%v, %d times, %d answers: %s", op, times, some, texts(causes))
				}
			}
		}
	}
}

// TestTogether: a program that has two instructions crashes, or one that executes both.
func TestTogether(t *testing.T) {
	both := hypothesis.Opcodes([]uint32{uint32(pica.MOVA) << 26, uint32(pica.RCP) << 26})
	for want, change := range map[string]func(r *oracle.Rules){
		"rcp: the core crashes beside mova, executed or not": func(r *oracle.Rules) {
			r.Program = func(c *oracle.Control) {
				if hypothesis.Opcodes(c.Job.Code)&both == both {
					c.Refuse(pica.RefusalCrash)
				}
			}
		},
		"the core crashes once rcp and mova are executed": func(r *oracle.Rules) {
			done := uint64(0)
			r.Program = func(*oracle.Control) { done = 0 }
			for _, op := range []pica.Opcode{pica.MOVA, pica.RCP} {
				r.Admit[op] = func(c *oracle.Control) bool {
					if done |= 1 << op; done == both {
						c.Refuse(pica.RefusalCrash)
					}
					return true
				}
			}
		},
		"the core crashes in rcp once mova is executed": func(r *oracle.Rules) {
			done := false
			r.Program = func(*oracle.Control) { done = false }
			r.Admit[pica.MOVA] = func(*oracle.Control) bool { done = true; return true }
			r.Admit[pica.RCP] = func(c *oracle.Control) bool {
				if done {
					c.Refuse(pica.RefusalCrash)
				}
				return true
			}
		},
	} {
		causes, rest := explain(impl.NewWith(change, nil), profile.F24())
		if got := texts(causes); len(rest) > 0 || got != want {
			t.Errorf("%s: %d answers are left: %s", want, len(rest), got)
		}
	}
}

// TestBehind: the instruction that is executed behind MOVA is told from the word that stands behind it.
func TestBehind(t *testing.T) {
	l := pica.MOV.Layout()
	indexed := l.Index.Put(l.Src[0].Put(uint32(pica.MOV)<<26, pica.SourceUniform), pica.IndexA0X)
	j := &pica.Job{Budget: 64, Vertices: [][]pica.Vec4{{{}}}, Program: pica.Program{
		Code:        []uint32{uint32(pica.MOVA) << 26, indexed, uint32(pica.END) << 26},
		Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
	for _, want := range []string{"the instruction behind mova has the index of before",
		"the word behind mova has the index of before"} {
		list := hypothesis.See(j).Families
		n := slices.IndexFunc(list, func(h *hypothesis.Hypothesis) bool { return h.Name == want })
		causes, rest := explain(hypothesis.Engine(list[n]), profile.F24())
		if got := texts(causes); len(rest) > 0 || got != want || len(causes[0].Rivals) > 0 {
			t.Errorf("%s: %d answers are left: %s", want, len(rest), got)
		}
	}
}

// TestRivalsTogether: a program with two faults at once tells a cause from its rivals.
func TestRivalsTogether(t *testing.T) {
	change := within(is(pica.BREAKC), func(r *oracle.Rules) {
		left := false
		leave, step, finish := r.Flow.BREAK, r.Flow.StepAL, r.Flow.Finish
		r.Flow.BREAK = func(c *oracle.Control) {
			left = true
			if n := c.Stacks.IfDepth; n > 0 {
				c.Next = int(c.Stacks.If[n-1].Else)
				oracle.Pop(c.Stacks.If[:], &c.Stacks.IfDepth)
				return
			}
			leave(c)
		}
		r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
			if !left {
				step(c, e)
			}
		}
		r.Flow.Finish = func(c *oracle.Control) {
			finish(c)
			left = false
		}
	})
	both := &pica.Job{OutMask: 0xFFFF, Budget: 64, InputFormat: pica.Float32, Vertices: [][]pica.Vec4{{}}, Bools: 1,
		Ints: [pica.NumInts][4]uint8{{0, 0, 1}}}
	both.Code = []uint32{0x9C000C00, 0xA4000800, 0x8C000000, 0x88000000} // ifu b0; loop i0; breakc; end
	causes, rest := explain(impl.NewWith(change, nil), profile.F24(), both)
	if len(rest) > 0 || len(causes) != 2 {
		t.Errorf("%d answers are left: %s", len(rest), texts(causes))
	}
	for _, c := range causes {
		if c.Fits < 16 {
			t.Errorf("%s: %d answers", c.String(), c.Fits)
		}
	}
}

// TestBreaksIF: BREAKC leaves an IF, in a loop or everywhere. Outside of loops it has no effect else.
func TestBreaksIF(t *testing.T) {
	p, _ := profile.ByName("azahar-interp")
	engine := impl.NewWith(within(is(pica.BREAKC), func(r *oracle.Rules) {
		leave := r.Flow.BREAK
		r.Flow.BREAK = func(c *oracle.Control) {
			if n := c.Stacks.IfDepth; n > 0 && c.Stacks.LoopDepth > 0 {
				c.Next = int(c.Stacks.If[n-1].Else)
				oracle.Pop(c.Stacks.If[:], &c.Stacks.IfDepth)
				return
			}
			leave(c)
		}
	}), nil)
	outside := &pica.Job{OutMask: 0xFFFF, Budget: 64, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{{0x3F800000}}}, Program: pica.Program{
			Code:        []uint32{0xA0000C00, 0x8C000000, 0x4C000000, 0x88000000}, // ifc; breakc; mov; end
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}}
	causes, rest := explain(engine, p, outside)
	if len(rest) > 0 || texts(causes) != "breakc: leaves the newest IF instead" {
		t.Errorf("%d answers are left: %s", len(rest), texts(causes))
	}
}

// TestForetell: hangs tell which other programs hang; one that has nothing in common with them changes nothing.
func TestForetell(t *testing.T) {
	p, make := profile.F24(), job()
	hangs := impl.NewWith(func(r *oracle.Rules) {
		before := r.Admit[pica.RCP]
		r.Admit[pica.RCP] = func(c *oracle.Control) bool {
			if c.Stacks.IfDepth > 0 {
				c.Trap(pica.TrapBudget)
			}
			return before == nil || before(c)
		}
	}, nil)
	predict, plain := fingerprint.PredictorOf(hangs), fingerprint.NewPredictor()
	var all []proof.Case
	for n := range uint64(3000) {
		c := proof.Case{Job: reduce.Clone(make(n)), Got: new(view.View)}
		if plain.View(c.Job, &p, c.Got); c.Got.End == view.Ended {
			predict.View(c.Job, &p, c.Got)
			all = append(all, c)
		}
	}
	half, count := len(all)/2, 0
	check := func(f *proof.Foreteller) {
		t.Helper()
		for _, c := range all[half:] {
			may, surely := f.Foretell(c.Job)
			if hangs := c.Got.End == view.Hung; may != hangs || surely != hangs {
				t.Errorf("foretold: %v, surely %v, want %v", may, surely, hangs)
			} else if hangs {
				count++
			}
		}
	}
	f := proof.NewForeteller(p, nil, nil)
	f.Learn(all[:half])
	if check(f); count == 0 {
		t.Error("none of the jobs hangs")
	}
	for i := range all[:half] {
		if all[i].Got.End == view.Ended {
			f.Learn([]proof.Case{{Job: all[i].Job, Got: &view.View{End: view.Hung}}})
			break
		}
	}
	check(f)
	if f.Forget(func(*pica.Job) bool { return true }); slices.ContainsFunc(all, func(c proof.Case) bool {
		may, _ := f.Foretell(c.Job)
		return may
	}) {
		t.Error("foretold from hangs that are explained")
	}
}

// TestIsolate: of a core that hangs in one opcode behind another one, somewhere in a program of many opcodes, a small
// program is found with few further hangs. What follows then from the answers is foretold.
func TestIsolate(t *testing.T) {
	p, make := profile.F24(), job()
	hangs := impl.NewWith(func(r *oracle.Rules) {
		done := false
		r.Program = func(*oracle.Control) { done = false }
		r.Admit[pica.DP4] = func(*oracle.Control) bool { done = true; return true }
		r.Admit[pica.MUL] = func(c *oracle.Control) bool {
			if done {
				c.Trap(pica.TrapBudget)
			}
			return true
		}
	}, nil)
	predict := fingerprint.PredictorOf(hangs)
	hung, smallest := 0, pica.MaxCode
	ask := func(job *pica.Job) *view.View {
		v := new(view.View)
		if predict.View(job, &p, v); v.End == view.Hung {
			hung, smallest = hung+1, min(smallest, len(job.Code))
		}
		return v
	}
	f := proof.NewForeteller(p, nil, smaller)
	for n := uint64(0); hung == 0; n++ {
		job := reduce.Clone(make(n))
		if few := 8; bits.OnesCount64(hypothesis.Opcodes(job.Code)) > few { // END among them
			f.Learn([]proof.Case{{Job: job, Got: ask(job)}})
		}
	}
	f.Isolate(t.Context(), ask)
	if hung > 4 || smallest > 3 {
		t.Errorf("%d hangs, and %d words in the smallest program", hung, smallest)
	}
	for _, ops := range [][]pica.Opcode{{pica.DP4, pica.MUL}, {pica.MUL, pica.DP4}} {
		job := &pica.Job{Budget: 64, InputFormat: pica.Float32, Vertices: [][]pica.Vec4{{}}}
		for _, op := range append(ops, pica.END) {
			job.Code = append(job.Code, uint32(op)<<26)
		}
		if _, surely := f.Foretell(job); surely != (ops[0] == pica.DP4) {
			t.Errorf("%v: a hang is foretold: %v", ops, surely)
		}
	}
}
