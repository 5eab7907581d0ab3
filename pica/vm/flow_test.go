package vm_test

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// run executes a program over one vertex without inputs. c[k] is (k, k, k, k).
func run(t testing.TB, p pica.Profile, b *builder, change ...func(*pica.Job)) (*pica.VertexOutcome, *pica.Outcome) {
	t.Helper()
	job := &pica.Job{Program: b.program(t), Profile: p, Vertices: [][]pica.Vec4{nil}}
	u := pica.Upload{Format: pica.Float32}
	for k := range pica.NumFloats {
		n := pica.Float32.Integer(int64(k))
		u.Values = append(u.Values, pica.Vec4{n, n, n, n})
	}
	job.Floats = []pica.Upload{u}
	for _, f := range change {
		f(job)
	}
	out := new(pica.Outcome)
	if err := vm.New().Run(job, out); err != nil {
		t.Fatal(err)
	}
	return &out.Vertices[0], out
}

func ints(values ...[4]uint8) func(*pica.Job) {
	return func(j *pica.Job) { copy(j.Ints[:], values) }
}

// flowVectors were run on emulator cores. The expectations follow the console's model, and in alt an
// emulator's executable form of it where that differs.
var flowVectors = []struct {
	name    string
	ints    [][4]uint8
	program func(b *builder)
	want    [3]int // o0.x, o1.x, final aL
	alt     *[3]int
}{
	{"F1 one pass", [][4]uint8{{0, 0, 0}}, onePass, [3]int{1}, nil},
	{"F1 two passes", [][4]uint8{{1, 0, 0}}, onePass, [3]int{2}, nil},
	{"F1 four passes", [][4]uint8{{3, 0, 0}}, onePass, [3]int{4}, nil},
	{"F1 256 passes", [][4]uint8{{255, 0, 0}}, onePass, [3]int{256}, nil},
	{"F2, F3 aL as an index and afterwards", [][4]uint8{{3, 5, 2}}, func(b *builder) {
		b.loop(0, "end")
		b.op(decode.Inst{Op: pica.ADD, Dest: r0, Src: [3]uint8{c0, r0}, Index: pica.IndexAL})
		b.label("end").finish()
	}, [3]int{32, 0, 13}, nil},
	{"F4 aL comes back to the outer loop", [][4]uint8{{2, 1, 1}, {1, 10, 10}}, func(b *builder) {
		b.loop(0, "outer").loop(1, "inner").nop().label("inner")
		b.op(decode.Inst{Op: pica.ADD, Dest: r0 + 1, Src: [3]uint8{c0, r0 + 1}, Index: pica.IndexAL})
		b.label("outer").finish()
	}, [3]int{0, 6, 4}, &[3]int{0, 30, 11}},
	{"F5 nested loops", [][4]uint8{{2, 0, 0}, {1, 0, 0}}, func(b *builder) {
		b.loop(0, "outer").loop(1, "inner").add(0, 1).label("inner").nop().label("outer").finish()
	}, [3]int{6}, nil},
	{"F6 nested loops with one end", [][4]uint8{{2, 0, 0}, {1, 0, 0}}, func(b *builder) {
		b.loop(0, "end").loop(1, "end").add(0, 1).label("end").finish()
	}, [3]int{2}, nil},
	{"F7 five nested loops", [][4]uint8{{1, 0, 0}}, func(b *builder) {
		ends := []string{"a", "b", "c", "d", "e"}
		for _, end := range ends {
			b.loop(0, end)
		}
		b.add(0, 1)
		for k := range ends {
			b.nop().label(ends[len(ends)-1-k])
		}
		b.finish()
	}, [3]int{16}, nil},
	{"F8 breakc adds the step", [][4]uint8{{9, 0, 3}}, func(b *builder) {
		b.loop(0, "end").add(0, 1).equal(c0+2, r0).breakTrue().add(1, 1).label("end").finish()
	}, [3]int{2, 1, 6}, nil},
	{"F9 break", [][4]uint8{{3, 0, 3}}, func(b *builder) {
		b.loop(0, "end").add(0, 1).op(decode.Inst{Op: pica.BREAK}).add(0, 1).label("end").finish()
	}, [3]int{1, 0, 3}, nil},
	{"F11 breakc ends the body", [][4]uint8{{3, 0, 3}}, func(b *builder) {
		b.true().loop(0, "end").add(0, 1).breakTrue().label("end").finish()
	}, [3]int{1, 0, 3}, nil},
	{"F12 an if ends with its procedure", nil, func(b *builder) {
		b.true().call("p", "q").add(0, 2).finish()
		b.label("p").add(0, 10).ifTrue("q", "q").add(0, 20)
		b.label("q").add(0, 40).finish()
	}, [3]int{70}, nil},
	{"F13 a call ends a then part", nil, func(b *builder) {
		b.true().ifTrue("else", "end").add(0, 1).call("p", "q")
		b.label("else").add(0, 2).label("end").finish()
		b.label("p").add(0, 10).label("q")
	}, [3]int{1}, nil},
	{"F14 a call ends a loop", [][4]uint8{{2, 0, 0}}, func(b *builder) {
		b.loop(0, "end").add(0, 1).call("p", "q").label("end").finish()
		b.label("p").add(0, 10).label("q")
	}, [3]int{3}, nil},
	{"F15 a call ends a procedure", nil, func(b *builder) {
		b.call("p", "q").add(0, 1).finish()
		b.label("p").add(0, 10).call("q", "r")
		b.label("q").add(0, 20)
		b.label("r").add(0, 40).finish()
	}, [3]int{31}, nil},
	{"F16 the fourth return at once is lost", nil, func(b *builder) {
		b.call("p1", "p2").add(1, 10).finish()
		b.label("p1").add(0, 1).call("p2", "p3")
		b.label("p2").add(0, 1).call("p3", "p4")
		b.label("p3").add(0, 1).call("p4", "p5")
		b.label("p4").add(0, 1)
		b.label("p5").add(1, 40).finish()
	}, [3]int{10, 40}, nil},
	{"F17 a jump ends a then part", nil, func(b *builder) {
		b.true().ifTrue("end", "end").add(0, 1).jump("far").label("end").finish()
		b.label("far").add(0, 40).finish()
	}, [3]int{1}, nil},
	{"F18 a jump ends a loop", [][4]uint8{{2, 0, 0}}, func(b *builder) {
		b.true().loop(0, "end").add(0, 1).jump("far").label("end").finish()
		b.label("far").add(0, 40).finish()
	}, [3]int{3}, nil},
	{"F19 a jump ends a procedure", nil, func(b *builder) {
		b.true().call("p", "q").add(0, 1).finish()
		b.label("p").add(0, 10).jump("far")
		b.label("q").nop()
		b.label("far").add(0, 40).finish()
	}, [3]int{11}, nil},
	{"F20 a jump to a procedure's end does not return", nil, func(b *builder) {
		b.true().call("p", "q").add(0, 1).finish()
		b.label("p").add(0, 10).jump("q").add(0, 20)
		b.label("q").add(0, 40).finish()
	}, [3]int{50}, nil},
	{"F21 a jump out of a loop", [][4]uint8{{2, 0, 0}}, func(b *builder) {
		b.true().loop(0, "end").add(0, 1).jump("end").add(0, 20).label("end").add(0, 40).finish()
	}, [3]int{41}, nil},
	{"F22 a jump to the else part", nil, func(b *builder) {
		b.true().ifTrue("else", "end").add(0, 1).jump("else").add(0, 20)
		b.label("else").add(0, 2).label("end").finish()
	}, [3]int{3}, nil},
	{"F23 an if ends with its loop", [][4]uint8{{2, 0, 0}}, ifInLoop, [3]int{3, 3}, nil},
	{"F24 an if ends with its loop, ten times", [][4]uint8{{9, 0, 0}}, ifInLoop, [3]int{10, 10}, nil},
	{"F25 an if left by a jump shadows the outer one", nil, func(b *builder) {
		b.true().ifTrue("else", "end").ifTrue("out", "out").jump("out").nop().label("out").add(0, 1)
		b.label("else").add(0, 40).label("end").finish()
	}, [3]int{41}, nil},
	{"F26 an if left by breakc shadows the outer one", [][4]uint8{{2, 0, 0}}, func(b *builder) {
		b.true().ifTrue("else", "end").loop(0, "out").ifTrue("in", "in").breakTrue().nop()
		b.label("in").nop().label("out").add(0, 1)
		b.label("else").add(0, 40).label("end").finish()
	}, [3]int{41}, nil},
	{"F27 four calls", nil, func(b *builder) { calls(b, 4) }, [3]int{4, 4}, nil},
	{"F29 nine ifs", nil, func(b *builder) {
		b.true()
		for k := range 9 {
			b.ifTrue("else"+string(rune('0'+k)), "end"+string(rune('0'+k))).add(0, 1)
		}
		for k := range 9 {
			n := string(rune('8' - k))
			b.nop().label("else"+n).add(1, 1).label("end" + n)
		}
		b.finish()
	}, [3]int{9, 1}, nil},
	{"F30 a call of no words runs on", nil, func(b *builder) {
		b.call("p", "p").add(0, 1).finish()
		b.label("p").add(0, 10).finish()
	}, [3]int{10}, nil},
	{"F31 end inside a procedure", nil, func(b *builder) {
		b.call("p", "q").add(0, 1).finish()
		b.label("p").add(0, 10).mov(o0, r0).stop().label("q")
	}, [3]int{10}, nil},
	{"F32 end inside a loop", [][4]uint8{{2, 0, 1}}, func(b *builder) {
		b.loop(0, "end").add(0, 10).mov(o0, r0).stop().nop().label("end").finish()
	}, [3]int{10}, nil},
	{"F33 end inside nested loops", [][4]uint8{{2, 0, 0}}, func(b *builder) {
		b.loop(0, "end").loop(0, "in").add(0, 10).mov(o0, r0).stop().nop().label("in").nop().label("end").finish()
	}, [3]int{10}, nil},
	{"end as the last word of a loop adds the step", [][4]uint8{{2, 0, 1}}, func(b *builder) {
		b.loop(0, "end").add(0, 10).mov(o0, r0).stop().label("end").finish()
	}, [3]int{10, 0, 1}, nil},
	{"F34 a loop of no words", [][4]uint8{{2, 0, 1}}, func(b *builder) {
		b.loop(0, "end").label("end").finish()
	}, [3]int{0, 0, 1}, nil},
	{"F35 a backward if", nil, func(b *builder) {
		b.true().jump("if")
		b.label("back").add(0, 40).finish()
		b.label("if").flow(when(pica.IFC, false), "back", "back").add(0, 2).finish()
	}, [3]int{40}, nil},
	{"F36 jmpu looks at bit 0 of NUM only", nil, func(b *builder) {
		b.flow(decode.Inst{Op: pica.JMPU, Num: 2}, "far", "").add(0, 1).finish()
		b.label("far").add(0, 40).finish()
	}, [3]int{1}, nil},
	{"an empty then part", nil, func(b *builder) {
		b.true().ifTrue("else", "end").label("else").add(0, 2).label("end").finish()
	}, [3]int{}, nil},
	{"two loops left open, the outer aL comes back", [][4]uint8{{0, 7, 1}, {0, 20, 2}}, func(b *builder) {
		b.loop(0, "outer").loop(1, "inner").nop().label("inner").nop().label("outer").finish()
	}, [3]int{0, 0, 8}, &[3]int{0, 0, 21}},
}

func onePass(b *builder) { b.loop(0, "end").add(0, 1).label("end").finish() }

func ifInLoop(b *builder) {
	b.true().loop(0, "end").add(1, 1).ifTrue("end", "end").add(0, 1).label("end").finish()
}

// calls nests depth procedures that count on the way down and on the way up.
func calls(b *builder, depth int) {
	name := func(k int) string { return "p" + string(rune('0'+k)) }
	b.call(name(1), name(2)).finish()
	for k := 1; k <= depth; k++ {
		b.label(name(k)).add(0, 1)
		if k < depth {
			b.call(name(k+1), name(k+2))
		}
		b.add(1, 1)
	}
	b.label(name(depth + 1))
}

func TestFlowVectors(t *testing.T) {
	for _, p := range profiles {
		for _, v := range flowVectors {
			t.Run(v.name+"/"+p.Name, func(t *testing.T) {
				want := v.want
				if v.alt != nil && p.Name == "f32" {
					want = *v.alt
				}
				b := newBuilder()
				v.program(b)
				out, _ := run(t, *p, b, ints(v.ints...))
				if out.Trap.Cause != pica.TrapNone {
					t.Fatalf("trap %v", out.Trap)
				}
				for k, n := range want[:2] {
					if got := out.O[k][0]; got != number(p, n) {
						t.Errorf("o%d.x: got 0x%06x, want 0x%06x", k, got, number(p, n))
					}
				}
				if out.AL != int32(want[2]) {
					t.Errorf("aL: got %d, want %d", out.AL, want[2])
				}
			})
		}
	}
}

// Five calls deep, the oldest return address is lost: the program runs through all procedures and then
// through zero words, which write o0.
func TestFiveCalls(t *testing.T) {
	for _, p := range profiles {
		b := newBuilder()
		calls(b, 5)
		out, _ := run(t, *p, b)
		want := pica.Trap{Cause: pica.TrapPCRange, PC: 4096}
		if p.Name == "f32" {
			want = pica.Trap{}
		}
		if out.Trap != want {
			t.Errorf("%s: trap %v, want %v", p.Name, out.Trap, want)
		}
		if n := number(p, 15); out.R[0][0] != n || out.R[1][0] != n || out.O[0][0] != 0 {
			t.Errorf("%s: r0.x 0x%06x, r1.x 0x%06x, o0.x 0x%06x, want 0x%06x twice and 0",
				p.Name, out.R[0][0], out.R[1][0], out.O[0][0], n)
		}
	}
}

func TestBreakOutside(t *testing.T) {
	for _, op := range []pica.Opcode{pica.BREAK, pica.BREAKC} {
		b := newBuilder().true().op(when(op, true))
		if op == pica.BREAK {
			b = newBuilder().true().op(decode.Inst{Op: op})
		}
		b.add(0, 1).finish()
		out, _ := run(t, profileF24, b)
		if want := (pica.Trap{Cause: pica.TrapHang, PC: 1}); out.Trap != want || out.Steps != 1 {
			t.Errorf("%v: trap %v after %d steps, want %v after 1", op, out.Trap, out.Steps, want)
		}
		out, _ = run(t, profileF32, b)
		if out.Trap.Cause != pica.TrapNone || out.O[0][0] != number(&profileF32, 1) {
			t.Errorf("%v in f32: trap %v, o0.x 0x%08x", op, out.Trap, out.O[0][0])
		}
	}
	b := newBuilder().op(when(pica.BREAKC, true)).add(0, 1).finish()
	if out, _ := run(t, profileF24, b); out.Trap.Cause != pica.TrapNone {
		t.Errorf("breakc that does not hold: trap %v", out.Trap)
	}
}

func TestConditions(t *testing.T) {
	for op := range uint8(4) {
		for bits := range 16 {
			x, y, refX, refY := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0
			cx, cy := x == refX, y == refY
			want := [...]bool{cx || cy, cx && cy, cx, cy}[op]
			b := newBuilder()
			b.flow(decode.Inst{Op: pica.JMPC, CondOp: op, RefX: refX, RefY: refY}, "far", "").add(0, 1).finish()
			b.label("far").add(0, 2).finish()
			out, _ := run(t, profileF24, b, func(j *pica.Job) { j.Initial = &pica.State{CC: [2]bool{x, y}} })
			n := 1
			if want {
				n = 2
			}
			if out.O[0][0] != number(&profileF24, n) {
				t.Errorf("operator %d, flags %t %t, references %t %t: want %t", op, x, y, refX, refY, want)
			}
		}
	}
}

// The contents of the rings when a run stops.
func TestStacks(t *testing.T) {
	b := newBuilder().true()
	for k := range 9 {
		b.flow(when(pica.IFC, true), "else", "").insts[2*k+1].Num = uint8(k)
		b.nop()
	}
	for range 5 {
		b.loop(1, "else").nop()
	}
	for k := range 5 {
		next := "c" + string(rune('0'+k))
		b.call(next, "else").nop().label(next)
	}
	b.stop().nop().label("else").finish()
	out, _ := run(t, profileF24, b, ints([4]uint8{}, [4]uint8{7, 3, 2}))
	s := out.Stacks
	if s.IfDepth != 8 || s.LoopDepth != 4 || s.CallDepth != 4 {
		t.Fatalf("depths %d, %d, %d, want 8, 4, 4", s.IfDepth, s.LoopDepth, s.CallDepth)
	}
	els := uint16(b.labels["else"])
	for k, e := range s.If {
		if want := (pica.IfEntry{Else: els, End: els + uint16(k) + 1}); e != want {
			t.Errorf("IF %d: got %+v, want %+v", k, e, want)
		}
	}
	for k, e := range s.Loop {
		// Loop words stand at 19, 21, ...; the oldest of five is gone.
		if want := (pica.LoopEntry{Entry: uint16(22 + 2*k), End: els, Count: 7, Step: 2, OuterAL: 3}); e != want {
			t.Errorf("LOOP %d: got %+v, want %+v", k, e, want)
		}
	}
	for k, e := range s.Call {
		if want := (pica.CallEntry{End: els, Return: uint16(32 + 2*k)}); e != want {
			t.Errorf("CALL %d: got %+v, want %+v", k, e, want)
		}
	}
}

// Popped entries are zero.
func TestStacksAreZeroBeyondTheirDepth(t *testing.T) {
	b := newBuilder().true().ifTrue("end", "end").call("p", "q").loop(0,
		"l").nop().label("l").nop().label("end").finish()
	b.label("p").nop().label("q")
	out, _ := run(t, profileF24, b)
	if out.Stacks != (pica.Stacks{}) {
		t.Errorf("got %+v", out.Stacks)
	}
}

// Scopes may end beyond the program memory. Such an end is never reached in f24; in f32 the END at word
// 4095 finds it.
func TestProgramEnd(t *testing.T) {
	full := func() *builder {
		b := newBuilder().true()
		b.flow(decode.Inst{Op: pica.JMPC, CondOp: pica.CondX, RefX: true, Dst: 4094}, "", "")
		for len(b.insts) < 4094 {
			b.nop()
		}
		return b
	}
	for _, c := range []struct {
		name     string
		profile  *pica.Profile
		last     decode.Inst // at 4094, then END at 4095
		trap     pica.Trap
		steps    int
		ifDepths uint8
	}{
		{"f24 runs word 4095", &profileF24, decode.Inst{Op: pica.NOP}, pica.Trap{}, 4, 0},
		{"an if that ends at 4400 goes there", &profileF24,
			decode.Inst{Op: pica.IFC, CondOp: pica.CondX, RefX: true, Dst: 4095, Num: 255},
			pica.Trap{Cause: pica.TrapPCRange, PC: 4350}, 3, 0},
		{"f32 ends there", &profileF32,
			decode.Inst{Op: pica.IFC, CondOp: pica.CondX, RefX: true, Dst: 4095, Num: 255}, pica.Trap{}, 4, 0},
		{"f32 ends at 4095", &profileF32, decode.Inst{Op: pica.NOP}, pica.Trap{}, 4, 0},
	} {
		b := full().op(c.last).stop()
		out, _ := run(t, *c.profile, b)
		if out.Trap != c.trap || out.Steps != c.steps || out.Stacks.IfDepth != c.ifDepths {
			t.Errorf("%s: trap %v after %d steps, %d IF entries; want %v after %d, %d",
				c.name, out.Trap, out.Steps, out.Stacks.IfDepth, c.trap, c.steps, c.ifDepths)
		}
	}
	// The word at 4095 is replaced, whatever it is.
	b := full().nop().op(decode.Inst{Op: pica.MOV, Dest: o0, Src: [3]uint8{c0 + 1}})
	if out, _ := run(t, profileF32, b); out.O[0][0] != 0 || out.Steps != 4 {
		t.Errorf("word 4095 ran: o0.x 0x%08x after %d steps", out.O[0][0], out.Steps)
	}
	if out, _ := run(t, profileF24, b); out.O[0][0] != number(&profileF24, 1) ||
		out.Trap != (pica.Trap{Cause: pica.TrapPCRange, PC: 4096}) {
		t.Errorf("f24: o0.x 0x%06x, trap %v", out.O[0][0], out.Trap)
	}
}

// Words behind the program use descriptor 0.
func TestZeroWords(t *testing.T) {
	b := newBuilder().nop()
	out, _ := run(t, profileF24, b, func(j *pica.Job) {
		j.Vertices = [][]pica.Vec4{{{0x3F0000, 0x400000, 0x410000, 0x420000}}}
		j.InputFormat = pica.Float24
	})
	if want := (pica.Vec4{0x400000, 0x410000, 0x420000, 0x430000}); out.O[0] != want {
		t.Errorf("o0 %06x, want %06x", out.O[0], want)
	}
	if want := (pica.Trap{Cause: pica.TrapPCRange, PC: 4096}); out.Trap != want || out.Steps != 4096 {
		t.Errorf("trap %v after %d steps", out.Trap, out.Steps)
	}
	out, _ = run(t, profileF24, b, func(j *pica.Job) { j.Entry, j.Budget = 4000, 10 })
	if want := (pica.Trap{Cause: pica.TrapBudget, PC: 4010}); out.Trap != want || out.Steps != 10 {
		t.Errorf("trap %v after %d steps, want %v after 10", out.Trap, out.Steps, want)
	}
}
