package oracle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// An assembly is a program under construction, with labels.
type assembly struct {
	words  []uint32
	labels map[string]int
	fixes  []func()
	blocks int
}

// The descriptors of flow programs: a full mask, identity selectors.
var flowDescriptors = []uint32{identity}

func assemble(build func(a *assembly)) []uint32 {
	a := &assembly{labels: map[string]int{}}
	build(a)
	for _, fix := range a.fixes {
		fix()
	}
	return a.words
}

func (a *assembly) word(w ...uint32) { a.words = append(a.words, w...) }

func (a *assembly) label(name string) { a.labels[name] = len(a.words) }

// address returns the word of a label, or a label and an offset.
func (a *assembly) address(name string) int {
	if at, ok := a.labels[name]; ok {
		return at
	}
	panic("no label " + name)
}

// jump emits a flow instruction from the label target up to the label end;
// without an end NUM is num.
func (a *assembly) jump(op pica.Opcode, which int, target, end string, num int) {
	at := len(a.words)
	a.word(0)
	a.fixes = append(a.fixes, func() {
		t := a.address(target)
		if end != "" {
			num = a.address(end) - t
		}
		if op == pica.LOOP {
			t--
		}
		a.words[at] = flow(op, which, t, num)
	})
}

// plus adds the constant n to r0, plus1 to r1.
func (a *assembly) plus(n uint32)  { a.word(op1(pica.ADD, tmpR, regC+n, regR, 0)) }
func (a *assembly) plus1(n uint32) { a.word(op1(pica.ADD, tmpR+1, regC+n, regR+1, 0)) }

func (a *assembly) out() {
	a.word(op1(pica.MOV, outO, regR, 0, 0), op1(pica.MOV, outO+1, regR+1, 0, 0), end)
}

// truth makes cc.x and cc.y true.
func (a *assembly) truth() { a.word(opCMP(regC, regR+15, pica.CmpEQ, pica.CmpEQ)) }

// block returns a fresh label prefix.
func (a *assembly) block() string {
	a.blocks++
	return fmt.Sprint("block", a.blocks)
}

// when emits an IFC on cc.x; no else part if otherwise is nil.
func (a *assembly) when(then, otherwise func()) {
	b := a.block()
	a.jump(pica.IFC, ifX, b+"else", b+"end", 0)
	then()
	a.label(b + "else")
	if otherwise != nil {
		otherwise()
	}
	a.label(b + "end")
}

// loop emits a LOOP over i<n>.
func (a *assembly) loop(n int, body func()) {
	b := a.block()
	a.jump(pica.LOOP, n, b+"end", "", 0)
	body()
	a.label(b + "end")
}

// call emits a CALL of the procedure with that name.
func (a *assembly) call(name string) { a.jump(pica.CALL, 0, name, name+"end", 0) }

func (a *assembly) proc(name string, body func()) {
	a.label(name)
	body()
	a.label(name + "end")
}

// A flowVector is a program and what each implementation was seen to make of
// it: o0.x, r1.x and aL as far as shown; "x" is an abort, "" not observed. hw is
// given where the console's model differs from Azahar's interpreter.
type flowVector struct {
	name                             string
	ints                             [4][4]uint8
	show                             string // what the numbers are: 0 r1 L
	build                            func(a *assembly)
	azI, azX, pnI, pnX, mkI, ciI, hw string
}

var flowVectors = []flowVector{
	{name: "F1 x=0", show: "0", ints: [4][4]uint8{{0, 0, 0, 0}}, build: count, azI: "1", azX: "1", pnI: "2", pnX: "1",
		mkI: "1", ciI: "1"},
	{name: "F1 x=1", show: "0", ints: [4][4]uint8{{1, 0, 0, 0}}, build: count, azI: "2", azX: "2", pnI: "3", pnX: "2",
		mkI: "2", ciI: "2"},
	{name: "F1 x=3", show: "0", ints: [4][4]uint8{{3, 0, 0, 0}}, build: count, azI: "4", azX: "4", pnI: "5", pnX: "4",
		mkI: "4", ciI: "4"},
	{name: "F1 x=255", show: "0", ints: [4][4]uint8{{255, 0, 0, 0}}, build: count, azI: "256", azX: "256", pnI: "257",
		pnX: "256", mkI: "256", ciI: "256"},
	{name: "F2", show: "L", ints: [4][4]uint8{{3, 5, 2, 0}}, build: count, azI: "13", azX: "13", pnI: "13", pnX: "13",
		mkI: "13", ciI: "13"},
	{name: "F3", show: "0", ints: [4][4]uint8{{3, 5, 2, 0}}, azI: "32", azX: "32", pnI: "45", pnX: "32", mkI: "32",
		ciI: "32", build: func(a *assembly) {
			a.loop(0, func() { a.word(indexed(op1(pica.ADD, tmpR, regC, regR, 0), pica.IndexAL)) })
			a.out()
		}},
	{name: "F4", show: "1L", ints: [4][4]uint8{{2, 1, 1, 0}, {1, 10, 10, 0}}, azI: "30,11", azX: "6,4", pnI: "120,30",
		pnX: "90,31", mkI: "90,31", ciI: "90,31", hw: "6,4", build: func(a *assembly) {
			a.loop(0, func() {
				a.loop(1, func() { a.word(nop) })
				a.word(indexed(op1(pica.ADD, tmpR+1, regC, regR+1, 0), pica.IndexAL))
			})
			a.out()
		}},
	{name: "F5", show: "0", ints: [4][4]uint8{{2}, {1}}, azI: "6", azX: "6", pnI: "12", pnX: "6", mkI: "6", ciI: "6",
		build: func(a *assembly) {
			a.loop(0, func() { a.loop(1, func() { a.plus(1) }); a.word(nop) })
			a.out()
		}},
	{name: "F6", show: "0", ints: [4][4]uint8{{2}, {1}}, azI: "2", azX: "6", pnI: "12", pnX: "6", mkI: "6", ciI: "6",
		build: func(a *assembly) {
			a.loop(0, func() { a.loop(1, func() { a.plus(1) }) })
			a.out()
		}},
	{name: "F7", show: "0", ints: [4][4]uint8{{1}}, azI: "16", azX: "32", pnI: "x", pnX: "32", mkI: "32", ciI: "32",
		build: func(a *assembly) {
			var nest func(depth int)
			nest = func(depth int) {
				if depth == 0 {
					a.plus(1)
					return
				}
				a.loop(0, func() { nest(depth - 1); a.word(nop) })
			}
			nest(5)
			a.out()
		}},
	{name: "F8", show: "01L", ints: [4][4]uint8{{9, 0, 3, 0}}, azI: "2,1,6", azX: "2,1,3", pnI: "x", pnX: "10,10,30",
		mkI: "10,10,30", ciI: "10,10,30", build: func(a *assembly) {
			a.loop(0, func() {
				a.plus(1)
				a.word(opCMP(regC+2, regR, pica.CmpEQ, pica.CmpEQ))
				a.word(flow(pica.BREAKC, ifX, 0, 0))
				a.plus1(1)
			})
			a.out()
		}},
	{name: "F9", show: "0L", ints: [4][4]uint8{{3, 0, 3, 0}}, azI: "1,3", azX: "8,12", pnI: "x", pnX: "8,12",
		mkI: "8,12", ciI: "8,12", build: func(a *assembly) {
			a.loop(0, func() { a.plus(1); a.word(flow(pica.BREAK, 0, 0, 0)); a.plus(1) })
			a.out()
		}},
	{name: "F10", show: "0", azI: "1", azX: "1", pnI: "x", pnX: "1", mkI: "1", ciI: "1", hw: "hang",
		build: func(a *assembly) {
			a.word(flow(pica.BREAK, 0, 0, 0))
			a.plus(1)
			a.out()
		}},
	{name: "F11", show: "0L", ints: [4][4]uint8{{3, 0, 3, 0}}, azI: "1,3", azX: "1,0", pnI: "x", pnX: "4,12",
		mkI: "4,12", ciI: "4,12", build: func(a *assembly) {
			a.truth()
			a.loop(0, func() { a.plus(1); a.word(flow(pica.BREAKC, ifX, 0, 0)) })
			a.out()
		}},
	{name: "F12", show: "0", azI: "70", azX: "32", pnI: "32", pnX: "32", mkI: "32", ciI: "32",
		build: func(a *assembly) {
			a.truth()
			a.call("p")
			a.plus(2)
			a.out()
			a.proc("p", func() { a.plus(10); a.when(func() { a.plus(20) }, nil) })
			a.plus(40)
			a.out()
		}},
	{name: "F13", show: "0", azI: "1", azX: "11", pnI: "13", pnX: "11", mkI: "11", ciI: "11", build: func(a *assembly) {
		a.truth()
		a.when(func() { a.plus(1); a.call("p") }, func() { a.plus(2) })
		a.out()
		a.proc("p", func() { a.plus(10) })
		a.out()
	}},
	{name: "F14", show: "0", ints: [4][4]uint8{{2}}, azI: "3", azX: "33", pnI: "11", pnX: "33", mkI: "33", ciI: "33",
		build: func(a *assembly) {
			a.loop(0, func() { a.plus(1); a.call("p") })
			a.out()
			a.proc("p", func() { a.plus(10) })
			a.out()
		}},
	{name: "F15", show: "0", azI: "31", azX: "31", pnI: "70", pnX: "31", mkI: "31", ciI: "31",
		build: func(a *assembly) {
			a.call("p")
			a.plus(1)
			a.out()
			a.proc("q", func() { a.plus(20) }) // PN-I falls out of p: what follows p must not be q
			a.proc("p", func() { a.plus(10); a.call("q") })
			a.plus(40)
			a.out()
		}},
	{name: "F16", show: "01", azI: "10,40", azX: "4,10", pnI: "5,40", pnX: "4,10", mkI: "4,10", ciI: "4,10",
		build: func(a *assembly) {
			a.call("p1")
			a.plus1(10)
			a.out()
			for k := 1; k <= 4; k++ {
				a.proc(fmt.Sprint("p", k), func() {
					a.plus(1)
					if k < 4 {
						a.call(fmt.Sprint("p", k+1))
					}
				})
			}
			a.plus1(40)
			a.out()
		}},
	{name: "F17", show: "0", azI: "1", azX: "41", pnI: "41", pnX: "41", mkI: "41", ciI: "41", build: func(a *assembly) {
		a.truth()
		a.when(func() { a.plus(1); a.jump(pica.JMPC, ifX, "far", "", 0) }, nil)
		a.out()
		a.far()
	}},
	{name: "F18", show: "0", ints: [4][4]uint8{{2}}, azI: "3", azX: "41", pnI: "41", pnX: "x", mkI: "41", ciI: "41",
		build: func(a *assembly) {
			a.truth()
			a.loop(0, func() { a.plus(1); a.jump(pica.JMPC, ifX, "far", "", 0) })
			a.out()
			a.far()
		}},
	{name: "F19", show: "0", azI: "11", azX: "x", pnI: "50", pnX: "x", mkI: "50", ciI: "50", build: func(a *assembly) {
		a.truth()
		a.call("p")
		a.plus(1)
		a.out()
		a.proc("p", func() { a.plus(10); a.jump(pica.JMPC, ifX, "far", "", 0) })
		a.out()
		a.far()
	}},
	{name: "F20", show: "0", azI: "50", azX: "x", pnI: "11", pnX: "11", mkI: "11", ciI: "11", build: func(a *assembly) {
		a.truth()
		a.call("p")
		a.plus(1)
		a.out()
		a.proc("p", func() { a.plus(10); a.jump(pica.JMPC, ifX, "pend", "", 0); a.plus(20) })
		a.plus(40)
		a.out()
	}},
	{name: "F21", show: "0", ints: [4][4]uint8{{2}}, azI: "41", azX: "41", pnI: "44", pnX: "x", mkI: "43", ciI: "43",
		build: func(a *assembly) {
			a.truth()
			a.loop(0, func() { a.plus(1); a.jump(pica.JMPC, ifX, "after", "", 0); a.plus(20) })
			a.label("after")
			a.plus(40)
			a.out()
		}},
	{name: "F22", show: "0", azI: "3", azX: "3", pnI: "1", pnX: "3", mkI: "1", ciI: "1", build: func(a *assembly) {
		a.truth()
		a.when(func() { a.plus(1); a.jump(pica.JMPC, ifX, "else", "", 0); a.plus(20) },
			func() { a.label("else"); a.plus(2) })
		a.out()
	}},
	{name: "F23", show: "01", ints: [4][4]uint8{{2}}, azI: "3,3", azX: "3,3", pnI: "4,4", pnX: "3,3", mkI: "3,3",
		ciI: "3,3", build: loopWithIf},
	{name: "F24", show: "0", ints: [4][4]uint8{{9}}, azI: "10", azX: "10", pnI: "x", pnX: "10", mkI: "10", ciI: "10",
		build: loopWithIf},
	// A jump to the block's own end closes it where addresses jumped to are compared.
	{name: "F25 to the end", show: "0", azI: "41", azX: "1", pnX: "1", build: func(a *assembly) {
		a.truth()
		a.when(func() {
			a.when(func() { a.jump(pica.JMPC, ifX, "out", "", 0); a.word(nop) }, nil)
			a.label("out")
			a.plus(1)
		}, func() { a.plus(40) })
		a.out()
	}},
	{name: "F25 beyond the end", show: "0", azI: "41", azX: "1", pnI: "41", pnX: "1", mkI: "41", ciI: "41",
		build: func(a *assembly) {
			a.truth()
			a.when(func() {
				a.when(func() { a.jump(pica.JMPC, ifX, "out", "", 0); a.word(nop) }, nil)
				a.word(nop)
				a.label("out")
				a.plus(1)
			}, func() { a.plus(40) })
			a.out()
		}},
	{name: "F26", show: "0", ints: [4][4]uint8{{2}}, azI: "41", azX: "1", pnI: "x", pnX: "1", mkI: "1", ciI: "1",
		build: func(a *assembly) {
			a.truth()
			a.when(func() {
				a.loop(0, func() {
					a.when(func() { a.word(flow(pica.BREAKC, ifX, 0, 0), nop) }, nil)
					a.word(nop)
				})
				a.plus(1)
			}, func() { a.plus(40) })
			a.out()
		}},
	{name: "F27", show: "01", azI: "4,4", azX: "4,4", pnI: "4,4", pnX: "4,4", mkI: "4,4", ciI: "4,4",
		build: func(a *assembly) { a.chain(4) }},
	{name: "F28", show: "01", azI: "0,15", azX: "5,5", pnI: "x", pnX: "5,5", mkI: "5,5", ciI: "5,5",
		hw: "pc-out-of-range", build: func(a *assembly) { a.chain(5) }},
	{name: "F29", show: "01", azI: "9,1", azX: "9,0", pnI: "x", pnX: "9,0", mkI: "9,0", ciI: "9,0",
		build: func(a *assembly) {
			a.truth()
			var nest func(depth int)
			nest = func(depth int) {
				a.when(func() {
					a.plus(1)
					if depth > 1 {
						nest(depth - 1)
					}
					a.word(nop)
				}, func() { a.plus1(1) })
			}
			nest(9)
			a.out()
		}},
	{name: "F30", show: "0", azI: "10", azX: "x", pnI: "1", pnX: "1", mkI: "1", ciI: "1", build: func(a *assembly) {
		a.jump(pica.CALL, 0, "p", "p", 0)
		a.plus(1)
		a.out()
		a.label("p")
		a.plus(10)
		a.out()
	}},
	{name: "F31", show: "0", azI: "10", azX: "x", pnI: "10", pnX: "x", mkI: "10", ciI: "10", build: func(a *assembly) {
		a.call("p")
		a.plus(1)
		a.out()
		a.proc("p", func() { a.plus(10); a.out(); a.plus(20) })
		a.out()
	}},
	{name: "F32", show: "0", ints: [4][4]uint8{{2}}, azI: "1", azX: "1", pnI: "1", pnX: "x", mkI: "1", ciI: "1",
		build: func(a *assembly) {
			a.loop(0, func() { a.plus(1); a.out(); a.word(nop) })
			a.out()
		}},
	{name: "F33", show: "0", ints: [4][4]uint8{{2}}, azI: "1", azX: "x", pnI: "1", pnX: "x", mkI: "1", ciI: "1",
		build: func(a *assembly) {
			a.loop(0, func() { a.loop(0, func() { a.plus(1); a.out(); a.word(nop) }); a.word(nop) })
			a.out()
		}},
	{name: "F34", show: "L", ints: [4][4]uint8{{2, 0, 1, 0}}, azI: "1", azX: "3", pnI: "1", pnX: "x", mkI: "3",
		ciI: "3", build: func(a *assembly) {
			a.loop(0, func() {})
			a.out()
		}},
	{name: "F35", show: "0", azI: "40", azX: "2", pnI: "40", pnX: "2", mkI: "40", ciI: "40", build: func(a *assembly) {
		a.jump(pica.JMPU, 0, "start", "", 1) // b0 is false
		a.label("back")
		a.plus(40)
		a.out()
		a.label("start")
		a.truth()
		a.jump(pica.IFC, ifNotX, "back", "back", 0)
		a.plus(2)
		a.out()
	}},
	{name: "F36", show: "0", azI: "2", azX: "2", pnI: "2", pnX: "2", mkI: "2", ciI: "2", build: func(a *assembly) {
		a.jump(pica.JMPU, 0, "over", "", 2) // b0 is false: not taken
		a.plus(1)
		a.label("over")
		a.jump(pica.JMPU, 15, "end", "", 2) // b15 is true: taken
		a.plus(10)
		a.label("end")
		a.plus(1)
		a.out()
	}},
}

// count is a loop that adds 1.
func count(a *assembly) {
	a.loop(0, func() { a.plus(1) })
	a.out()
}

// loopWithIf is a loop whose end is that of an IF.
func loopWithIf(a *assembly) {
	a.truth()
	a.loop(0, func() { a.plus1(1); a.when(func() { a.plus(1) }, nil) })
	a.out()
}

// far is the place that jumps leave for.
func (a *assembly) far() {
	a.label("far")
	a.plus(40)
	a.out()
}

// chain is depth procedures that count in r0 on the way down, in r1 on the way up.
func (a *assembly) chain(depth int) {
	a.call("p1")
	a.out()
	for k := 1; k <= depth; k++ {
		a.proc(fmt.Sprint("p", k), func() {
			a.plus(1)
			if k < depth {
				a.call(fmt.Sprint("p", k+1))
			}
			a.plus1(1)
		})
	}
}

// run returns the vector's result under a profile, in the spelling of its table.
func (v *flowVector) run(t *testing.T, p pica.Profile) (string, pica.Trap) {
	t.Helper()
	job := pica.Job{
		Program: pica.Program{Code: assemble(v.build), Descriptors: flowDescriptors},
		Ints:    v.ints, Bools: 1 << 15, Profile: p, Budget: 100_000,
		Vertices: [][]pica.Vec4{nil},
		Floats:   []pica.Upload{{Format: pica.Float32, Values: numbers()}},
	}
	var out pica.Outcome
	if err := impl.New().Run(&job, &out); err != nil {
		t.Fatal(err)
	}
	o := &out.Vertices[0]
	if o.Trap.Cause != pica.TrapNone {
		return o.Trap.Cause.String(), o.Trap
	}
	var show []string
	for _, c := range v.show {
		switch c {
		case '0':
			show = append(show, fmt.Sprint(value(out.Storage, o.O[0][0])))
		case '1':
			show = append(show, fmt.Sprint(value(out.Storage, o.R[1][0])))
		case 'L':
			show = append(show, fmt.Sprint(o.AL))
		}
	}
	return strings.Join(show, ","), pica.Trap{}
}

// numbers returns c[k] = (k, k, k, k) as float32.
func numbers() []pica.Vec4 {
	v := make([]pica.Vec4, pica.NumFloats)
	for k := range v {
		x := bitsOf(float32(k))
		v[k] = pica.Vec4{x, x, x, x}
	}
	return v
}

// TestFlowVectors runs 36 small programs that no two implementations agree on
// through the models of the interpreters.
func TestFlowVectors(t *testing.T) {
	for _, v := range flowVectors {
		t.Run(v.name, func(t *testing.T) {
			expect := []struct{ profile, want string }{
				{"azahar-interp", v.azI}, {"panda-interp", v.pnI}, {"mikage-interp", v.mkI}, {"citra-2021", v.ciI},
				{"hw", v.azI}, {"f24", v.azI}}
			for i, e := range expect {
				if i >= 4 && v.hw != "" {
					e.want = v.hw
				}
				p, _ := profile.ByName(e.profile)
				got, trap := v.run(t, p)
				if e.want == "" || e.want == "x" && trap.Refusal != pica.RefusalUnknown {
					continue
				}
				if got != e.want {
					t.Errorf("%s: got %s, want %s", e.profile, got, e.want)
				}
			}
		})
	}
}

// TestFlowStructured runs the same programs through the models of the compilers,
// a crash or a refusal to compile included.
func TestFlowStructured(t *testing.T) {
	for _, e := range []struct {
		profile string
		want    func(v *flowVector) string
	}{
		{"azahar-x64", func(v *flowVector) string { return v.azX }},
		{"panda-x64", func(v *flowVector) string { return v.pnX }},
	} {
		p, _ := profile.ByName(e.profile)
		for i := range flowVectors {
			v := &flowVectors[i]
			got, trap := v.run(t, p)
			if trap.Refusal != pica.RefusalUnknown {
				got = "x"
			}
			if want := e.want(v); got != want {
				t.Errorf("%s: %s: got %s, want %s", v.name, e.profile, got, want)
			}
		}
		t.Logf("%s: %d predicted", e.profile, len(flowVectors))
	}
}

// TestFlowStructuredLoops: a loop in a procedure that a loop calls takes Azahar's
// loop registers away, so that the outer loop finds its count used up and does
// not end; Panda3DS keeps each loop on the stack. 100 nested scopes are no limit.
func TestFlowStructuredLoops(t *testing.T) {
	inCall := flowVector{name: "loop in a procedure", show: "0L", ints: [4][4]uint8{{2, 1, 1, 0}, {1, 10, 10, 0}},
		build: func(a *assembly) {
			a.loop(0, func() { a.call("p"); a.word(nop) })
			a.out()
			a.proc("p", func() { a.loop(1, func() { a.plus(1) }); a.word(nop) })
		}}
	deep := flowVector{name: "100 branches", show: "0", build: func(a *assembly) {
		a.truth()
		var nest func(depth int)
		nest = func(depth int) {
			if a.plus(1); depth > 0 {
				a.when(func() { nest(depth - 1) }, func() { a.plus(40) })
			}
		}
		nest(100)
		a.out()
	}}
	fromNested := flowVector{name: "call at the end of a nested loop", show: "0L",
		ints: [4][4]uint8{{2, 1, 1, 0}, {1, 10, 10, 0}}, build: func(a *assembly) {
			a.loop(0, func() { a.loop(1, func() { a.call("p") }) })
			a.out()
			a.proc("p", func() { a.plus(1) })
		}}
	entered := flowVector{name: "entered by a jump", show: "0", ints: [4][4]uint8{{2}}, build: func(a *assembly) {
		a.truth()
		a.jump(pica.JMPC, ifX, "inside", "", 0)
		a.loop(0, func() { a.plus(10); a.label("inside"); a.plus(1) })
		a.out()
	}}
	for _, c := range []struct {
		v             *flowVector
		profile, want string
	}{
		{&inCall, "azahar-x64", "step-budget"}, {&inCall, "panda-x64", "6,31"},
		{&fromNested, "azahar-x64", "6,4"}, {&fromNested, "panda-x64", "6,31"},
		{&deep, "azahar-x64", "101"}, {&deep, "panda-x64", "101"},
		{&entered, "azahar-x64", "unsupported"}, {&entered, "panda-x64", "unsupported"},
	} {
		p, _ := profile.ByName(c.profile)
		if got, _ := c.v.run(t, p); got != c.want {
			t.Errorf("%s: %s: got %s, want %s", c.v.name, c.profile, got, c.want)
		}
	}
}
