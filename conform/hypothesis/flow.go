package hypothesis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// ofMatches are functions of a condition whatever its operator is: whether the flags match their references.
var ofMatches = []struct {
	name string
	of   func(x, y bool) bool
}{
	{"that not both flags match", func(x, y bool) bool { return !x || !y }},
	{"that no flag matches", func(x, y bool) bool { return !x && !y }},
	{"that one flag matches", func(x, y bool) bool { return x != y }},
	{"that both flags match or none", func(x, y bool) bool { return x == y }},
	{"x", func(x, _ bool) bool { return x }},
	{"y", func(_, y bool) bool { return y }},
}

// control: an instruction of the control flow goes wrong.
func control(c *oracle.Control) (list []*Hypothesis) {
	op := c.Op
	switch op {
	case pica.IFC, pica.CALLC, pica.JMPC, pica.BREAKC:
		list = append(conditionFaults(c), lateFlags())
	case pica.IFU, pica.CALLU, pica.JMPU:
		list = booleanFaults(c)
	case pica.LOOP:
		list = append(list, loopFields(c)...)
	}
	list = slices.Concat(list, fullStacks(c), emptied(c), passedEnds(c))
	if op == pica.END {
		list = append(list, passedENDs()...)
	}
	if op >= pica.BREAK && op <= pica.JMPU {
		list = append(list, sizes(c)...)
	}
	if flow := pica.Opcodes[op].Flow; flow == pica.FlowJump || flow == pica.FlowCall || flow == pica.FlowIf {
		list = append(append(list, targetsWin()...), unpopped()...)
		list = append(list, staticIFs(), changed("an if without an else part is never open",
			"an IF is open to the end of its then part (4.1)", func(r *oracle.Rules) {
				before := r.Flow.IF
				r.Flow.IF = func(c *oracle.Control, holds bool, target, num int) {
					if num > 0 {
						before(c, holds, target, num)
					} else if !holds {
						c.Next = target
					}
				}
			}))
		list = append(list, beside()...)
	}
	if pica.Opcodes[op].Flow == pica.FlowCall {
		list = append(list, sameCall()...)
	}
	if onFlags>>op&1 != 0 || op == pica.IFU || op == pica.CALLU {
		list = append(list, inverted(op))
	}
	return append(list, scopeFaults(op)...)
}

// ruleOfFlow is the rule that most of them break.
const ruleOfFlow = "control flow (4.1)"

// conditionFaults: the condition of an instruction holds where it should not, or does not.
func conditionFaults(c *oracle.Control) (list []*Hypothesis) {
	within := func(name, rule string, apply func(r *oracle.Rules)) {
		list = append(list, changed(name, rule, apply).Within(OfOpcode(c.Op)))
	}
	decide := func(name string, of func(operator int, holds bool, cc, ref [2]bool) bool) {
		within(name, "a condition compares the flags with its references (1.3)", func(r *oracle.Rules) {
			before := r.Flow.Condition
			r.Flow.Condition = func(operator int, cc, ref [2]bool) bool {
				return of(operator, before(operator, cc, ref), cc, ref)
			}
		})
	}
	decide("is always taken", func(int, bool, [2]bool, [2]bool) bool { return true })
	decide("is never taken", func(int, bool, [2]bool, [2]bool) bool { return false })
	decide("is taken where it should not be", func(_ int, holds bool, _, _ [2]bool) bool { return !holds })
	within("condops 0 and 1 are exchanged", "CONDOP is or, and, x, y (1.3)", func(r *oracle.Rules) {
		before := r.Flow.Condition
		r.Flow.Condition = func(operator int, cc, ref [2]bool) bool {
			if operator < 2 {
				operator = 1 - operator
			}
			return before(operator, cc, ref)
		}
	})
	within("condops 2 and 3 are exchanged", "CONDOP is or, and, x, y (1.3)", func(r *oracle.Rules) {
		before := r.Flow.Condition
		r.Flow.Condition = func(operator int, cc, ref [2]bool) bool {
			if operator >= 2 {
				operator = 5 - operator
			}
			return before(operator, cc, ref)
		}
	})
	for _, takes := range []struct {
		name string
		of   func(cc [2]bool) [2]bool
	}{
		{"cc.y for cc.x", func(cc [2]bool) [2]bool { return [2]bool{cc[1], cc[1]} }},
		{"cc.x for cc.y", func(cc [2]bool) [2]bool { return [2]bool{cc[0], cc[0]} }},
		{"each flag for the other", func(cc [2]bool) [2]bool { return [2]bool{cc[1], cc[0]} }},
	} {
		within("takes "+takes.name, "a condition compares the flags with its references (1.3)", func(r *oracle.Rules) {
			before := r.Flow.Condition
			r.Flow.Condition = func(operator int, cc, ref [2]bool) bool { return before(operator, takes.of(cc), ref) }
		})
	}
	was := c.Rules.Encoding.Condition.Of(c.Word)
	decide(fmt.Sprintf("condop %d is negated", was), func(operator int, holds bool, _, _ [2]bool) bool {
		return holds != (operator == was)
	})
	decide(fmt.Sprintf("condop %d takes its references for 1", was), func(operator int, holds bool, cc, _ [2]bool) bool {
		if operator != was {
			return holds
		}
		return [...]bool{cc[0] || cc[1], cc[0] && cc[1], cc[0], cc[1]}[was]
	})
	decide("condop 0 asks for a flag and its reference", func(operator int, holds bool, cc, ref [2]bool) bool {
		if operator != 0 {
			return holds
		}
		return cc[0] && ref[0] || cc[1] && ref[1]
	})
	for is := range 4 {
		if is != was {
			within(fmt.Sprintf("condop %d acts as %d", was, is), "CONDOP is or, and, x, y (1.3)",
				func(r *oracle.Rules) {
					before := r.Flow.Condition
					r.Flow.Condition = func(operator int, cc, ref [2]bool) bool {
						if operator == was {
							operator = is
						}
						return before(operator, cc, ref)
					}
				})
		}
	}
	for _, f := range ofMatches {
		within("the condition is "+f.name, "CONDOP is or, and, x, y (1.3)", func(r *oracle.Rules) {
			r.Flow.Condition = func(_ int, cc, ref [2]bool) bool { return f.of(cc[0] == ref[0], cc[1] == ref[1]) }
		})
	}
	return list
}

// booleanFaults: an instruction reads another boolean, or none.
func booleanFaults(c *oracle.Control) (list []*Hypothesis) {
	was := c.Rules.Encoding.Bool.Of(c.Word)
	boolean := func(name string, of func(before func(uint16, int) bool, bools uint16, n int) bool) {
		list = append(list, changed(name, "a boolean is a bit of its number (1.5)", func(r *oracle.Rules) {
			before := r.Flow.Bool
			r.Flow.Bool = func(bools uint16, n int) bool { return of(before, bools, n) }
		}))
	}
	for is := range 16 {
		if is != was {
			boolean(fmt.Sprintf("b%d acts as b%d", was, is),
				func(before func(uint16, int) bool, bools uint16, n int) bool {
					if n == was {
						n = is
					}
					return before(bools, n)
				})
		}
	}
	for _, value := range []bool{false, true} {
		boolean(fmt.Sprintf("b%d is always %t", was, value),
			func(before func(uint16, int) bool, bools uint16, n int) bool {
				return n == was && value || n != was && before(bools, n)
			})
		boolean(fmt.Sprintf("booleans are always %t", value),
			func(func(uint16, int) bool, uint16, int) bool { return value })
	}
	boolean(fmt.Sprintf("b%d is inverted", was), func(before func(uint16, int) bool, bools uint16, n int) bool {
		return before(bools, n) != (n == was)
	})
	for i, name := range "xy" { // the function that reads a boolean does not know the flags
		list = append(list, changed(fmt.Sprintf("asks for cc.%c", name), "a boolean is a bit of its number (1.5)",
			func(r *oracle.Rules) {
				var at *oracle.Control
				admit(r, func(c *oracle.Control) { at = c })
				r.Flow.Bool = func(uint16, int) bool { return at.CC[i] }
			}).Within(OfOpcode(c.Op)))
	}
	for bits := 1; bits < 4; bits++ {
		boolean(fmt.Sprintf("the number of a boolean has %d bits", bits),
			func(before func(uint16, int) bool, bools uint16, n int) bool { return before(bools, n&(1<<bits-1)) })
	}
	if c.Op == pica.JMPU {
		for bit := 1; bit < 8; bit++ {
			list = append(list, changed(fmt.Sprintf("bit %d of num inverts the condition", bit),
				"bit 0 of num inverts JMPU (4.1)", func(r *oracle.Rules) {
					before := r.Flow.JMPU
					r.Flow.JMPU = func(uniform bool, num int) bool { return before(uniform, num>>bit&1) }
				}).Within(OfOpcode(c.Op)))
		}
		for _, taken := range []bool{false, true} {
			list = append(list, changed(fmt.Sprintf("is taken: %t", taken), ruleOfFlow,
				func(r *oracle.Rules) { r.Flow.JMPU = func(bool, int) bool { return taken } }).Within(OfOpcode(c.Op)))
		}
	}
	return list
}

// Places in [oracle.Flow].Close.
const closeCALL, closeIF, closeLOOP = 0, 1, 2

// leaving notes for the end of each instruction whether it goes to its target.
func leaving(f *oracle.Flow) *bool {
	gone := new(bool)
	enter, call, jump, finish := f.IF, f.CALL, f.JMP, f.Finish
	f.IF = func(c *oracle.Control, holds bool, target, num int) {
		*gone = !holds
		enter(c, holds, target, num)
	}
	f.CALL = func(c *oracle.Control, target, num int) {
		*gone = true
		call(c, target, num)
	}
	f.JMP = func(c *oracle.Control, target int) {
		*gone = true
		jump(c, target)
	}
	f.Finish = func(c *oracle.Control) {
		finish(c)
		*gone = false
	}
	return gone
}

// passedEnds: the end of a scope is found by order, so that control which is behind it ends the scope, too.
func passedEnds(c *oracle.Control) (list []*Hypothesis) {
	add := func(name string, place int, reach func(c *oracle.Control, s *pica.Stacks, next uint16)) {
		list = append(list, changed(name, "the end of a scope is compared with PC + 1 (4.2.5)", func(r *oracle.Rules) {
			closes := r.Flow.Close[place]
			r.Flow.Close[place] = func(c *oracle.Control) {
				pc := c.PC
				reach(c, &c.Stacks, uint16(pc+1))
				closes(c)
				c.PC = pc
			}
		}))
	}
	s, next := &c.Stacks, uint16(c.PC+1)
	if d := s.CallDepth; d > 0 && s.Call[d-1].End < next {
		add("a call returns at its end and behind it", closeCALL, func(_ *oracle.Control, s *pica.Stacks, next uint16) {
			for n := int(s.CallDepth) - 1; n >= 0 && s.Call[n].End <= next; n-- {
				s.Call[n].End = next
				next = s.Call[n].Return
			}
		})
	}
	if d := s.LoopDepth; d > 0 && s.Loop[d-1].End < next {
		add("a pass of a loop ends at its end and behind it", closeLOOP, func(c *oracle.Control, s *pica.Stacks, next uint16) {
			if d := s.LoopDepth; d > 0 && s.Loop[d-1].End < next {
				c.PC = int(s.Loop[d-1].End) - 1
			}
		})
	}
	if d := s.IfDepth; d > 0 && s.If[d-1].Else < next {
		for _, to := range []struct {
			name string
			any  bool
		}{{"an if ends at its else part and within it", false}, {"an if ends at its else part and behind that", true}} {
			add(to.name, closeIF, func(_ *oracle.Control, s *pica.Stacks, next uint16) {
				if d := s.IfDepth; d > 0 && s.If[d-1].Else < next && (to.any || next < s.If[d-1].End) {
					s.If[d-1].Else = next
				}
			})
		}
	}
	return list
}

// unpopped: a scope that ends stays on its stack.
func unpopped() (list []*Hypothesis) {
	for _, of := range []struct {
		name string
		keep func(before, s *pica.Stacks)
	}{
		{"an if", func(before, s *pica.Stacks) {
			if s.IfDepth < before.IfDepth {
				s.If, s.IfDepth = before.If, before.IfDepth
			}
		}},
		{"a call", func(before, s *pica.Stacks) {
			if s.CallDepth < before.CallDepth {
				s.Call, s.CallDepth = before.Call, before.CallDepth
			}
		}},
	} {
		list = append(list, changed(of.name+" that ends stays on its stack", "the end of a scope removes its entry (4.1)",
			func(r *oracle.Rules) {
				finish := r.Flow.Finish
				r.Flow.Finish = func(c *oracle.Control) {
					before := c.Stacks
					finish(c)
					of.keep(&before, &c.Stacks)
				}
			}))
	}
	return list
}

// targetsWin: where an instruction goes to its target as the last one of a scope, the end of the scope does not matter.
// The ends may be compared with the target instead.
func targetsWin() (list []*Hypothesis) {
	list = append(list, changed("the ends of scopes are compared with the next address",
		"the end of a scope is compared with PC + 1 (4.2.5)", func(r *oracle.Rules) {
			before := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				pc := c.PC
				c.PC = c.Next - 1
				before(c)
				c.PC = pc
			}
		}))
	for _, scope := range []struct {
		name  string
		place int
	}{{"an if", closeIF}, {"a loop", closeLOOP}} {
		list = append(list, changed("the end of "+scope.name+" is compared with the address that a call returns to",
			"the end of a scope is compared with PC + 1 (4.2.5)", func(r *oracle.Rules) {
				calls, closes, returned := r.Flow.Close[closeCALL], r.Flow.Close[scope.place], 0
				r.Flow.Close[closeCALL] = func(c *oracle.Control) {
					open := c.Stacks.CallDepth
					if calls(c); c.Stacks.CallDepth < open {
						returned = c.Next
					}
				}
				r.Flow.Close[scope.place] = func(c *oracle.Control) {
					pc := c.PC
					if returned > 0 {
						c.PC = returned - 1
					}
					closes(c)
					c.PC, returned = pc, 0
				}
			}))
	}
	for _, scope := range []struct {
		name  string
		place int
		open  bool
	}{
		{"an if", closeIF, false}, {"an if, which stays open", closeIF, true},
		{"a loop", closeLOOP, false}, {"a loop, which stays open", closeLOOP, true},
		{"a call", closeCALL, false}, {"a call, which stays open", closeCALL, true},
	} {
		list = append(list, changed("a target wins over the end of "+scope.name, "the end of a scope wins over a jump (4.2.1)",
			func(r *oracle.Rules) {
				f := &r.Flow
				gone, closes := leaving(f), f.Close[scope.place]
				f.Close[scope.place] = func(c *oracle.Control) {
					next := c.Next
					if *gone && scope.open {
						return
					}
					if closes(c); *gone {
						c.Next = next
					}
				}
			}))
	}
	return list
}

// places returns what the instructions of one kind say of words of a program, wherever they are executed: of gives the
// word and a number for it, which is above 0. If several speak of one word, the first does. The rules must be those of
// whole runs.
func places(r *oracle.Rules, kind pica.Flow, of func(target, num int) (word, number int)) func(c *oracle.Control,
	word int) int {
	var numbers map[int]int
	begin := r.Carry.Begin
	r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
		numbers = nil
		begin(f, initial, vertex, kept)
	}
	return func(c *oracle.Control, word int) int {
		if numbers == nil {
			numbers = map[int]int{}
			e := &c.Rules.Encoding
			for _, w := range c.Job.Code {
				at, number := of(e.Target.Of(w), e.Num.Of(w))
				if numbers[at] == 0 && pica.Opcodes[e.Opcode(w).Base()].Flow == kind {
					numbers[at] = number
				}
			}
		}
		return numbers[word]
	}
}

// staticIFs: the end of a then part leads behind the if of its place in the program, as compiled code does: whether the
// if was executed does not matter, and a target wins.
func staticIFs() *Hypothesis {
	const rule = "an IF is open from its execution on (4.1)"
	return noting("an if ends where the program has it, however control came there", rule,
		func(r *oracle.Rules) {
			f := &r.Flow
			end := places(r, pica.FlowIf, func(target, num int) (word, number int) { return target, target + num })
			gone := leaving(f)
			finish := f.Finish
			f.Close[closeIF] = func(c *oracle.Control) {
				if c.Stacks.IfDepth = 0; !*gone {
					if end := end(c, c.PC+1); end > 0 {
						c.Next = end
					}
				}
			}
			f.Finish = func(c *oracle.Control) {
				c.Stacks.IfDepth = 1 // one is always open
				finish(c)
			}
		})
}

// returns: a run ends where it comes to the end of a procedure that no call is in: its code ends with a return.
func returns(job *pica.Job) []*Hypothesis {
	if !slices.ContainsFunc(job.Code, func(w uint32) bool {
		return pica.Opcodes[pica.OpcodeOf(w).Base()].Flow == pica.FlowCall
	}) {
		return nil
	}
	return []*Hypothesis{noting("a run ends at the end of a procedure that it was not called in", "a CALL ends where it says (4.1)",
		func(r *oracle.Rules) {
			ends := places(r, pica.FlowCall, func(target, num int) (word, number int) { return target + num, 1 })
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				open, calls, next := c.Stacks.CallDepth, c.Stacks.Call, c.Next
				finish(c)
				if n := c.Stacks.CallDepth; n < open { // whether an if or a loop ends there, too
					next = int(calls[n].Return)
				}
				if c.Stacks.CallDepth == 0 && next == c.PC+1 && ends(c, next) > 0 {
					c.Ended = true
				}
			}
		})}
}

// entries: the entry point of a job is not where its run begins.
func entries(job *pica.Job) (list []*Hypothesis) {
	if job.Entry == 0 {
		return nil
	}
	stage := job.Stage
	for _, of := range []struct {
		name string
		any  bool
	}{{"a run", true}, {"a run of a " + stage.String() + " program", false}} {
		list = append(list, noting(of.name+" begins at word 0", "a program begins at its entry point (4.3)",
			func(r *oracle.Rules) {
				before := r.Program
				r.Program = func(c *oracle.Control) {
					if of.any || c.Job.Stage == stage {
						c.PC = 0
					}
					if before != nil {
						before(c)
					}
				}
			}))
	}
	return list
}

var wordsBeside = []struct {
	name string
	n    int
}{{"behind", 1}, {"before", -1}}

// beside: an instruction goes to the word beside its target.
func beside() (list []*Hypothesis) {
	for _, by := range wordsBeside {
		list = append(list, changed("goes to the word "+by.name+" its target", ruleOfFlow, func(r *oracle.Rules) {
			f := &r.Flow
			enter, call, jump := f.IF, f.CALL, f.JMP
			f.IF = func(c *oracle.Control, holds bool, target, num int) {
				if enter(c, holds, target, num); !holds {
					c.Next += by.n
				}
			}
			f.CALL = func(c *oracle.Control, target, num int) {
				call(c, target, num)
				c.Next += by.n
			}
			f.JMP = func(c *oracle.Control, target int) { jump(c, target+by.n) }
		}))
	}
	return list
}

// The numbers of open scopes.
func openIFs(s *pica.Stacks) uint8   { return s.IfDepth }
func openCALLs(s *pica.Stacks) uint8 { return s.CallDepth }
func openLOOPs(s *pica.Stacks) uint8 { return s.LoopDepth }

// openELSEs returns the number of open ifs with an else part.
func openELSEs(s *pica.Stacks) (n uint8) {
	for _, e := range s.If[:s.IfDepth] {
		if e.Else != e.End {
			n++
		}
	}
	return n
}

// notingPush returns a push that notes a number for each open scope of its stack. A full stack loses its oldest one.
func notingPush[E any](push func(s *pica.Stacks, e E), notes []uint8,
	depth, number func(s *pica.Stacks) uint8) func(s *pica.Stacks, e E) {
	return func(s *pica.Stacks, e E) {
		before := depth(s)
		if push(s, e); depth(s) <= before {
			copy(notes, notes[min(1, before):before])
		}
		if d := depth(s); d > 0 {
			notes[d-1] = number(s)
		}
	}
}

// emptied: what goes on with one kind of scope closes the open ones of another kind, as where both have one stack, or
// where each procedure has stacks of its own. It speaks of what may happen at the present instruction.
func emptied(c *oracle.Control) (list []*Hypothesis) {
	for _, kind := range []struct {
		name  string
		depth func(s *pica.Stacks) uint8
		open  func(s *pica.Stacks) *uint8
		flow  pica.Flow
	}{
		{"ifs", openIFs, func(s *pica.Stacks) *uint8 { return &s.IfDepth }, pica.FlowIf},
		{"calls", openCALLs, func(s *pica.Stacks) *uint8 { return &s.CallDepth }, pica.FlowCall},
		{"loops", openLOOPs, func(s *pica.Stacks) *uint8 { return &s.LoopDepth }, pica.FlowLoop},
	} {
		if kind.depth(&c.Stacks) == 0 {
			continue
		}
		closing := func(event string, apply func(r *oracle.Rules, closes func(c *oracle.Control))) {
			list = append(list, changed(event+" closes the open "+kind.name, "each kind of scope has a stack (4.1)",
				func(r *oracle.Rules) { apply(r, func(c *oracle.Control) { *kind.open(&c.Stacks) = 0 }) }))
		}
		switch flow := pica.Opcodes[c.Op].Flow; {
		case flow == kind.flow:
		case flow == pica.FlowCall:
			closing("a call", func(r *oracle.Rules, closes func(c *oracle.Control)) {
				before := r.Flow.CALL
				r.Flow.CALL = func(c *oracle.Control, target, num int) {
					closes(c)
					before(c, target, num)
				}
			})
		case flow == pica.FlowLoop:
			closing("a loop", func(r *oracle.Rules, closes func(c *oracle.Control)) {
				before := r.Flow.LOOP
				r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
					closes(c)
					before(c, target, p)
				}
			})
		case flow == pica.FlowJump:
			closing("a jump", func(r *oracle.Rules, closes func(c *oracle.Control)) {
				before := r.Flow.JMP
				r.Flow.JMP = func(c *oracle.Control, target int) {
					closes(c)
					before(c, target)
				}
			})
		}
		for _, end := range []struct {
			name  string
			flow  pica.Flow
			depth func(s *pica.Stacks) uint8
			ends  func(c *oracle.Control) bool // whether it may be the end of a scope
		}{
			{"a return", pica.FlowCall, openCALLs, func(*oracle.Control) bool { return true }},
			{"the end of a loop", pica.FlowLoop, openLOOPs, func(*oracle.Control) bool { return true }},
			{"a break", pica.FlowLoop, openLOOPs, func(c *oracle.Control) bool { return c.Break }},
		} {
			if end.flow == kind.flow || end.depth(&c.Stacks) == 0 {
				continue
			}
			if end.flow == pica.FlowCall {
				closing("a return first", func(r *oracle.Rules, closes func(c *oracle.Control)) {
					before := r.Flow.Close[closeCALL]
					r.Flow.Close[closeCALL] = func(c *oracle.Control) {
						open := c.Stacks.CallDepth
						if before(c); c.Stacks.CallDepth < open {
							closes(c)
						}
					}
				})
			}
			closing(end.name, func(r *oracle.Rules, closes func(c *oracle.Control)) {
				finish := r.Flow.Finish
				r.Flow.Finish = func(c *oracle.Control) {
					open, ends := end.depth(&c.Stacks), end.ends(c)
					if finish(c); ends && end.depth(&c.Stacks) < open {
						closes(c)
					}
				}
			})
		}
	}
	return list
}

// sameCall: a scope ends only where as many calls are open as at its start.
func sameCall() (list []*Hypothesis) {
	for _, scope := range []struct {
		name, but string
		place     int // in [oracle.Flow].Close
		breaks    bool
	}{
		{"an if", "", closeIF, true}, {"a loop", "", closeLOOP, true},
		{"a loop", ", unless a break leaves it", closeLOOP, false},
	} {
		list = append(list, noting(scope.name+" ends only in the call that it began in"+scope.but,
			"the end of a scope is compared with PC + 1 (4.2.5)", func(r *oracle.Rules) {
				var ifs [pica.IfDepth]uint8 // the open calls at the start of each
				var loops [pica.LoopDepth]uint8
				f := &r.Flow
				closes := f.Close[scope.place]
				f.PushIF = notingPush(f.PushIF, ifs[:], openIFs, openCALLs)
				f.PushLOOP = notingPush(f.PushLOOP, loops[:], openLOOPs, openCALLs)
				f.Close[scope.place] = func(c *oracle.Control) {
					depth, calls := c.Stacks.IfDepth, ifs[:]
					if scope.place == closeLOOP {
						depth, calls = c.Stacks.LoopDepth, loops[:]
					}
					if depth == 0 || calls[depth-1] == c.Stacks.CallDepth || c.Break && !scope.breaks {
						closes(c)
					}
				}
			}))
	}
	return list
}

// closing: BREAK or BREAKC closes the scopes of a stack that were opened in its loop.
func closing(op pica.Opcode, scopes string, depth func(s *pica.Stacks) uint8, pop func(s *pica.Stacks)) *Hypothesis {
	return noting(fmt.Sprintf("%s closes the %s in its loop", op, scopes),
		"BREAK leaves the scopes in its loop open (4.2.6)", func(r *oracle.Rules) {
			var open [len(pica.Stacks{}.Loop)]uint8 // before each loop
			leave := r.Flow.BREAK
			r.Flow.PushLOOP = notingPush(r.Flow.PushLOOP, open[:], openLOOPs, depth)
			r.Flow.BREAK = func(c *oracle.Control) {
				if leave(c); !c.Break || c.Op != op {
					return
				}
				for depth(&c.Stacks) > open[c.Stacks.LoopDepth-1] {
					pop(&c.Stacks)
				}
			}
		})
}

// lateFlags: a condition behind CMP has the flags of before.
func lateFlags() *Hypothesis {
	return noting("the instruction behind cmp has the flags of before",
		"CMP sets the flags for the next instruction (4.1)", func(r *oracle.Rules) {
			var at *oracle.Control
			var old [2]bool
			admit(r, func(c *oracle.Control) { at = c })
			flags, condition := r.Operands.Flags, r.Flow.Condition
			r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
				old = *cc
				flags(op, cc, v, mask)
			}
			r.Flow.Condition = func(operator int, cc, ref [2]bool) bool {
				if at.Last != 0 && pica.OpcodeOf(at.Last).Base() == pica.CMP {
					cc = old
				}
				return condition(operator, cc, ref)
			}
		})
}

// scopeFaults: a call opens no scope, scopes do not end behind an instruction, or BREAK leaves others than the newest loop.
func scopeFaults(op pica.Opcode) (list []*Hypothesis) {
	within := adding(&list, op)
	if flow := pica.Opcodes[op].Flow; flow != pica.FlowNone && flow != pica.FlowEnd {
		for place, scope := range []string{closeCALL: "call", closeIF: "if", closeLOOP: "loop"} {
			within("ends no "+scope+" behind it", "scopes end behind any instruction (4.2.5)", func(r *oracle.Rules) {
				r.Flow.Close[place] = func(*oracle.Control) {}
			})
		}
	}
	switch op {
	case pica.CALL, pica.CALLC, pica.CALLU:
		for _, by := range wordsBeside {
			within("returns to the word "+by.name+" its return address", ruleOfFlow, func(r *oracle.Rules) {
				before := r.Flow.PushCALL
				r.Flow.PushCALL = func(s *pica.Stacks, e pica.CallEntry) {
					e.Return += uint16(by.n)
					before(s, e)
				}
			})
		}
		within("pushes nothing", ruleOfFlow, func(r *oracle.Rules) {
			r.Flow.CALL = func(c *oracle.Control, target, _ int) { c.Next = target }
		})
	case pica.JMPC, pica.JMPU:
		const rule = "a scope that ends behind a jump overrides it (4.1)"
		list = append(list, skippedJumps())
		within("closes the loops that its target is outside of", "a jump changes no stack (4.1)", func(r *oracle.Rules) {
			jump := r.Flow.JMP
			r.Flow.JMP = func(c *oracle.Control, target int) {
				for s := &c.Stacks; s.LoopDepth > 0; oracle.Pop(s.Loop[:], &s.LoopDepth) {
					if e := &s.Loop[s.LoopDepth-1]; target >= int(e.Entry) && target < int(e.End) {
						break
					}
				}
				jump(c, target)
			}
		})
		within("closes no scope where it is taken", rule, func(r *oracle.Rules) {
			jumped, jump, finish := false, r.Flow.JMP, r.Flow.Finish
			r.Flow.JMP = func(c *oracle.Control, target int) {
				jumped = true
				jump(c, target)
			}
			r.Flow.Finish = func(c *oracle.Control) {
				if !jumped {
					finish(c)
				}
				jumped = false
			}
		})
	case pica.BREAK, pica.BREAKC:
		list = append(list, breakFaults(op)...)
	}
	return list
}

// skippedJumps: a jump forward over another one goes as far as that, as where a compiler reads on to a target and the
// jumps on its way do so, too.
func skippedJumps() *Hypothesis {
	return changed("a jump goes as far as the jumps that it skips", "a jump goes to its target (4.1)", func(r *oracle.Rules) {
		jump := r.Flow.JMP
		r.Flow.JMP = func(c *oracle.Control, target int) {
			e := &c.Rules.Encoding
			for n := c.PC + 1; n < min(target, len(c.Job.Code)); n++ {
				if w := c.Job.Code[n]; pica.Opcodes[e.Opcode(w).Base()].Flow == pica.FlowJump {
					target = max(target, e.Target.Of(w))
				}
			}
			jump(c, target)
		}
	})
}

// adding returns a function that adds a hypothesis about an opcode to a list.
func adding(list *[]*Hypothesis, op pica.Opcode) func(name, rule string, apply func(r *oracle.Rules)) {
	return func(name, rule string, apply func(r *oracle.Rules)) {
		*list = append(*list, changed(name, rule, apply).Within(OfOpcode(op)))
	}
}

// breakFaults: BREAK leaves the wrong loop, does not leave its loop, or steps aL otherwise.
func breakFaults(op pica.Opcode) (list []*Hypothesis) {
	within := adding(&list, op)
	within("goes behind the loop and leaves it open", "BREAK leaves the newest loop (4.1)", func(r *oracle.Rules) {
		r.Flow.BREAK = func(c *oracle.Control) {
			if d := c.Stacks.LoopDepth; d > 0 {
				c.Next = int(c.Stacks.Loop[d-1].End)
			}
		}
	})
	for _, goes := range []struct {
		name  string
		words int // behind the loop
	}{{"goes to the last word of the loop that it leaves", -1}, {"goes to the second word behind the loop", 1}} {
		within(goes.name, "BREAK goes to the word behind the loop (4.1)", func(r *oracle.Rules) {
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				left, open := c.Break, c.Stacks.LoopDepth
				end := 0
				if left {
					end = int(c.Stacks.Loop[open-1].End)
				}
				if finish(c); left && c.Stacks.LoopDepth < open {
					c.Next = end + goes.words
				}
			}
		})
	}
	for _, breaks := range []struct {
		times int
		name  string
	}{{0, "does not step aL"}, {2, "steps aL twice"}} {
		within(breaks.name, "BREAK adds the step to aL once (4.2.11)", func(r *oracle.Rules) {
			before := r.Flow.StepAL
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				times := 1
				if c.Break || holds(c) { // it may leave something else than the loop that ends behind it
					times = breaks.times
				}
				for range times {
					before(c, e)
				}
			}
		})
	}
	within("leaves two loops", "BREAK leaves the newest loop alone (4.1)", func(r *oracle.Rules) {
		before := r.Flow.BREAK
		r.Flow.BREAK = func(c *oracle.Control) {
			if c.Stacks.LoopDepth > 1 {
				oracle.Pop(c.Stacks.Loop[:], &c.Stacks.LoopDepth)
			}
			before(c)
		}
	})
	within("leaves every loop, the inner ones as if they had not begun", "BREAK leaves the newest loop alone (4.1)",
		func(r *oracle.Rules) {
			before := r.Flow.BREAK
			r.Flow.BREAK = func(c *oracle.Control) {
				for c.Stacks.LoopDepth > 1 {
					oracle.Pop(c.Stacks.Loop[:], &c.Stacks.LoopDepth)
				}
				before(c)
			}
		})
	within("goes behind the newest loop and leaves every loop", "BREAK leaves the newest loop alone (4.1)",
		func(r *oracle.Rules) {
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				left := c.Break
				for finish(c); left && c.Stacks.LoopDepth > 0; {
					oracle.Pop(c.Stacks.Loop[:], &c.Stacks.LoopDepth)
				}
			}
		})
	within("leaves two loops, the outer one without a step", "BREAK leaves the newest loop alone (4.1)",
		func(r *oracle.Rules) {
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				left := c.Break
				if finish(c); left && c.Stacks.LoopDepth > 0 {
					c.Next = int(c.Stacks.Loop[c.Stacks.LoopDepth-1].End)
					oracle.Pop(c.Stacks.Loop[:], &c.Stacks.LoopDepth)
				}
			}
		})
	list = append(list, closing(op, "ifs", openIFs, func(s *pica.Stacks) { oracle.Pop(s.If[:], &s.IfDepth) }),
		closing(op, "calls", openCALLs, func(s *pica.Stacks) { oracle.Pop(s.Call[:], &s.CallDepth) }))
	for _, where := range []struct {
		name  string
		loops uint8
	}{{"leaves the newest IF instead", 1}, {"leaves the newest IF instead, outside of loops, too", 0}} {
		within(where.name, "BREAK leaves the newest loop (4.1)", func(r *oracle.Rules) {
			before := r.Flow.BREAK
			r.Flow.BREAK = func(c *oracle.Control) {
				if d := c.Stacks.IfDepth; d > 0 && c.Stacks.LoopDepth >= where.loops {
					c.Next = int(c.Stacks.If[d-1].Else)
					oracle.Pop(c.Stacks.If[:], &c.Stacks.IfDepth)
					return
				}
				before(c)
			}
		})
	}
	return list
}

// holds reports whether BREAK, or BREAKC with its condition, takes effect.
func holds(c *oracle.Control) bool {
	e := &c.Rules.Encoding
	return c.Op != pica.BREAKC ||
		c.Rules.Flow.Condition(e.Condition.Of(c.Word), c.CC, [2]bool{e.RefX.Of(c.Word) != 0, e.RefY.Of(c.Word) != 0})
}

// full: the stack that an instruction pushes on, given its entries and its rule, is full at the present depth.
func full[E any](kind string, entries []E, depth uint8, stack func(s *pica.Stacks) ([]E, *uint8),
	push func(f *oracle.Flow) *func(s *pica.Stacks, e E)) []*Hypothesis {
	rule := fmt.Sprintf("%d %s may be open (4.1)", len(entries), strings.ToUpper(kind))
	if depth == 0 || int(depth) > len(entries) {
		return nil
	}
	loses := func(which string, lose func(entries []E) (rest uint8, pushes bool)) *Hypothesis {
		name := fmt.Sprintf("the stack of %s holds %d and loses the %s", kind, depth, which)
		return changed(name, rule, func(r *oracle.Rules) {
			before := *push(&r.Flow)
			*push(&r.Flow) = func(s *pica.Stacks, e E) {
				pushes := true
				if list, n := stack(s); *n >= depth {
					*n, pushes = lose(list)
				}
				if pushes {
					before(s, e)
				}
			}
		})
	}
	list := []*Hypothesis{
		loses("oldest", func(entries []E) (uint8, bool) {
			copy(entries, entries[1:])
			return depth - 1, true
		}),
		loses("newest", func([]E) (uint8, bool) { return depth, false }),
	}
	if int(depth) == len(entries) { // it loses the oldest as it is
		list = list[1:]
	}
	return list
}

// fullStacks: the stack of the instruction is full at the present depth.
func fullStacks(c *oracle.Control) []*Hypothesis {
	s := &c.Stacks
	switch pica.Opcodes[c.Op].Flow {
	case pica.FlowIf:
		return full("if", s.If[:], s.IfDepth, func(s *pica.Stacks) ([]pica.IfEntry, *uint8) { return s.If[:], &s.IfDepth },
			func(f *oracle.Flow) *func(*pica.Stacks, pica.IfEntry) { return &f.PushIF })
	case pica.FlowCall:
		most := s.CallDepth
		ignored := changed(fmt.Sprintf("a call is ignored where %d are open", most), "CALL goes to its target (4.1)",
			func(r *oracle.Rules) {
				before := r.Flow.CALL
				r.Flow.CALL = func(c *oracle.Control, target, num int) {
					if c.Stacks.CallDepth < most {
						before(c, target, num)
					}
				}
			})
		return append(full("call", s.Call[:], s.CallDepth,
			func(s *pica.Stacks) ([]pica.CallEntry, *uint8) { return s.Call[:], &s.CallDepth },
			func(f *oracle.Flow) *func(*pica.Stacks, pica.CallEntry) { return &f.PushCALL }), ignored)
	case pica.FlowLoop:
		return append(full("loop", s.Loop[:], s.LoopDepth,
			func(s *pica.Stacks) ([]pica.LoopEntry, *uint8) { return s.Loop[:], &s.LoopDepth },
			func(f *oracle.Flow) *func(*pica.Stacks, pica.LoopEntry) { return &f.PushLOOP }), skippedLoop(s.LoopDepth),
			ignoredLoop(s.LoopDepth))
	}
	return nil
}

// skippedLoop: LOOP goes behind its body and leaves aL where so many loops are open.
func skippedLoop(most uint8) *Hypothesis {
	return changed(fmt.Sprintf("a loop is skipped where %d are open", most), "LOOP begins its first pass (4.1)",
		func(r *oracle.Rules) {
			var outer int32
			skipped, before, finish := false, r.Flow.LOOP, r.Flow.Finish
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				if outer, skipped = c.AL, c.Stacks.LoopDepth >= most; skipped {
					c.Next = target + 1
					return
				}
				before(c, target, p)
			}
			r.Flow.Finish = func(c *oracle.Control) {
				if skipped {
					c.AL, skipped = outer, false
				}
				finish(c)
			}
		})
}

// ignoredLoop: LOOP does nothing where so many loops are open: its body has one pass, with aL as it was.
func ignoredLoop(most uint8) *Hypothesis {
	return changed(fmt.Sprintf("a loop is ignored where %d are open", most), "LOOP begins its first pass (4.1)",
		func(r *oracle.Rules) {
			var outer int32
			ignored, before, finish := false, r.Flow.LOOP, r.Flow.Finish
			admit(r, func(c *oracle.Control) { outer = c.AL })
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				if ignored = c.Stacks.LoopDepth >= most; !ignored {
					before(c, target, p)
				}
			}
			r.Flow.Finish = func(c *oracle.Control) {
				if ignored {
					c.AL, ignored = outer, false
				}
				finish(c)
			}
		})
}

// inverted: bit 0 of num inverts a condition, as it does that of JMPU. The functions of the conditions do not know the
// word.
func inverted(op pica.Opcode) *Hypothesis {
	return changed("bit 0 of num inverts the condition", "bit 0 of num inverts JMPU alone (1.3)", func(r *oracle.Rules) {
		var at *oracle.Control
		admit(r, func(c *oracle.Control) { at = c })
		odd := func() bool { return at.Rules.Encoding.Num.Of(at.Word)&1 != 0 }
		condition, boolean := r.Flow.Condition, r.Flow.Bool
		r.Flow.Condition = func(operator int, cc, ref [2]bool) bool { return condition(operator, cc, ref) != odd() }
		r.Flow.Bool = func(bools uint16, n int) bool { return boolean(bools, n) != odd() }
	}).Within(OfOpcode(op))
}

// loopFields: LOOP takes a field of its integer uniform otherwise.
func loopFields(c *oracle.Control) []*Hypothesis {
	list := loopBodies()
	const rule = "an integer holds the passes less one, the first aL, the step (1.5)"
	passes := func(name string, change func(p *oracle.Passes, bytes [4]uint8)) {
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			before := r.Flow.Passes
			r.Flow.Passes = func(bytes [4]uint8) oracle.Passes {
				p := before(bytes)
				change(&p, bytes)
				return p
			}
		}).Within(OfOpcode(pica.LOOP)))
	}
	for _, f := range []struct {
		name string
		of   func(p *oracle.Passes) *uint8
	}{
		{"count", func(p *oracle.Passes) *uint8 { return &p.Count }},
		{"start", func(p *oracle.Passes) *uint8 { return &p.First }},
		{"step", func(p *oracle.Passes) *uint8 { return &p.Step }},
	} {
		for _, value := range []uint8{0, 1, 255} {
			passes(fmt.Sprintf("has a %s of %d", f.name, value), func(p *oracle.Passes, _ [4]uint8) { *f.of(p) = value })
		}
		for bits := 1; bits < 8; bits++ {
			passes(fmt.Sprintf("has a %s of %d bits", f.name, bits), func(p *oracle.Passes, _ [4]uint8) { *f.of(p) &= 1<<bits - 1 })
		}
		for i, name := range "xyzw" {
			passes(fmt.Sprintf("has its %s in %c of the integer", f.name, name),
				func(p *oracle.Passes, bytes [4]uint8) { *f.of(p) = bytes[i] })
		}
		for _, most := range []uint8{127, 254} {
			passes(fmt.Sprintf("has a %s of at most %d", f.name, most),
				func(p *oracle.Passes, _ [4]uint8) { *f.of(p) = min(*f.of(p), most) })
		}
	}
	for i, name := range "xyzw" {
		if i == 1 {
			continue
		}
		h := changed(fmt.Sprintf("has its start in %c of the integer, and saves y where it saves its start", name), rule,
			func(r *oracle.Rules) {
				var right oracle.Passes
				before, saved := r.Flow.Passes, r.Flow.SavedAL
				r.Flow.Passes = func(bytes [4]uint8) oracle.Passes {
					right = before(bytes)
					p := right
					p.First = bytes[i]
					return p
				}
				r.Flow.SavedAL = func(c *oracle.Control, _ oracle.Passes) int32 { return saved(c, right) }
			}).Within(OfOpcode(pica.LOOP))
		h.Detail++ // than that it saves its start
		list = append(list, h)
	}
	passes("has a count that is one less, 255 for 0", func(p *oracle.Passes, _ [4]uint8) { p.Count-- })
	for _, order := range []string{"wzy", "zyx", "yzx", "zxy", "yzw"} {
		at := func(field int) int { return strings.IndexByte("xyzw", order[field]) }
		passes("has count, start and step in "+order+" of the integer", func(p *oracle.Passes, bytes [4]uint8) {
			p.Count, p.First, p.Step = bytes[at(0)], bytes[at(1)], bytes[at(2)]
		})
	}
	list = append(list, stepsOfAL()...)
	return append(list, loopValues(c)...)
}

// morePasses: a loop has one pass more, even behind 256 passes, as where the count has more bits than its field.
func morePasses() *Hypothesis {
	return noting("a loop has one pass more, behind 256 passes, too", "a loop has x + 1 passes (4.2.11)",
		func(r *oracle.Rules) {
			var left [pica.LoopDepth]uint8 // of each open loop, passes that its entry does not count
			f := &r.Flow
			before := f.Again
			f.PushLOOP = notingPush(f.PushLOOP, left[:], openLOOPs, func(*pica.Stacks) uint8 { return 1 })
			f.Again = func(c *oracle.Control, e *pica.LoopEntry) bool {
				if !c.Break && e.Count == 0 && left[c.Stacks.LoopDepth-1] > 0 {
					left[c.Stacks.LoopDepth-1]--
					return true
				}
				return before(c, e)
			}
		})
}

// loopBodies: a loop has another end, or skips its body.
func loopBodies() (list []*Hypothesis) {
	list = append(list, morePasses(), changed("ends one word early unless it has one word",
		"a loop ends behind its target (4.1)",
		func(r *oracle.Rules) {
			before := r.Flow.LOOP
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				if target != c.Next {
					target--
				}
				before(c, target, p)
			}
		}).Within(OfOpcode(pica.LOOP)))
	for _, skips := range []struct {
		name   string
		fewer  uint8 // passes
		leaves bool  // aL
	}{
		{"skips its body where its count is 0", 0, false},
		{"skips its body and leaves aL where its count is 0", 0, true},
		{"has as many passes as its count", 1, false},
		{"has as many passes as its count, and leaves aL for none", 1, true},
	} {
		list = append(list, changed(skips.name, "a loop has x + 1 passes (4.2.11)", func(r *oracle.Rules) {
			var outer int32
			skipped, before, finish := false, r.Flow.LOOP, r.Flow.Finish
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				if outer, skipped = c.AL, p.Count == 0; skipped {
					c.Next = target + 1
					return
				}
				p.Count -= skips.fewer
				before(c, target, p)
			}
			r.Flow.Finish = func(c *oracle.Control) {
				if skipped && skips.leaves {
					c.AL = outer
				}
				skipped = false
				finish(c)
			}
		}).Within(OfOpcode(pica.LOOP)))
	}
	return list
}

// stepsOfAL: LOOP sets, steps or gives back aL otherwise.
func stepsOfAL() (list []*Hypothesis) {
	list = append(list, after("the start is a signed byte", "the start is a number from 0 to 255 (4.1)",
		func(c *oracle.Control) { c.AL = int32(int8(c.AL)) }).Within(OfOpcode(pica.LOOP)))
	list = append(list, after("the start is a step late", "LOOP sets aL to its start (4.1)", func(c *oracle.Control) {
		if d := c.Stacks.LoopDepth; d > 0 {
			c.AL += int32(c.Stacks.Loop[d-1].Step)
		}
	}).Within(OfOpcode(pica.LOOP)))
	for _, sets := range []struct {
		name string
		most int   // of open loops for which it sets aL
		adds int32 // times the start, to the aL of before
	}{
		{"does not set aL", 0, 0}, {"does not set aL in another loop", 1, 0}, {"adds its start to aL in another loop", 1, 1},
	} {
		list = append(list, changed(sets.name, "LOOP sets aL to its start (4.1)", func(r *oracle.Rules) {
			var before int32
			admit(r, func(c *oracle.Control) { before = c.AL })
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				if int(c.Stacks.LoopDepth) > sets.most {
					c.AL = before + sets.adds*c.AL
				}
				finish(c)
			}
		}).Within(OfOpcode(pica.LOOP)))
	}
	list = append(list, changed("a step leaves a signed byte in aL", "aL is not cut to a byte (1.5)",
		func(r *oracle.Rules) {
			before := r.Flow.StepAL
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				before(c, e)
				c.AL = int32(int8(c.AL))
			}
		}))
	list = append(list, changed("the last pass does not step aL, however it ends", "each pass adds the step to aL (4.2.11)",
		func(r *oracle.Rules) {
			before := r.Flow.StepAL
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				if e.Count > 0 {
					before(c, e)
				}
			}
		}))
	list = append(list, changed("a loop in a call does not give back aL", "a nested loop gives back the outer aL (4.1)",
		func(r *oracle.Rules) {
			before := r.Flow.RestoreAL
			r.Flow.RestoreAL = func(c *oracle.Control, e *pica.LoopEntry) {
				if c.Stacks.CallDepth == 0 {
					before(c, e)
				}
			}
		}))
	list = append(list, changed("aL comes back from a nested loop in 8 bits", "a nested loop gives back the outer aL (4.1)",
		func(r *oracle.Rules) {
			before := r.Flow.SavedAL
			r.Flow.SavedAL = func(c *oracle.Control, p oracle.Passes) int32 { return int32(uint8(before(c, p))) }
		}))
	return append(list, nestedLoops()...)
}

// nestedLoops: a nested loop leaves 0 in aL, or shares what it counts with the loops around it, as registers of the
// host do.
func nestedLoops() (list []*Hypothesis) {
	ended := func(what string, change func(c *oracle.Control, nested, outer *pica.LoopEntry), more func(r *oracle.Rules)) {
		list = append(list, changed("a nested loop leaves "+what, "a nested loop gives back the outer aL (4.1)",
			func(r *oracle.Rules) {
				more(r)
				before := r.Flow.RestoreAL
				r.Flow.RestoreAL = func(c *oracle.Control, e *pica.LoopEntry) {
					aL := c.AL
					if before(c, e); c.Stacks.LoopDepth > 1 {
						nested := *e
						nested.OuterAL = aL
						change(c, &nested, &c.Stacks.Loop[c.Stacks.LoopDepth-2])
					}
				}
			}))
	}
	ended("0 in aL", func(c *oracle.Control, _, _ *pica.LoopEntry) { c.AL = 0 }, func(*oracle.Rules) {})
	steps := func(r *oracle.Rules) {
		before := r.Flow.LOOP
		r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
			before(c, target, p)
			for i := range c.Stacks.LoopDepth {
				c.Stacks.Loop[i].Step = p.Step
			}
		}
	}
	count := func(_ *oracle.Control, nested, outer *pica.LoopEntry) { outer.Count = nested.Count }
	aL := func(c *oracle.Control, nested, _ *pica.LoopEntry) { c.AL = nested.OuterAL }
	ended("its step", func(*oracle.Control, *pica.LoopEntry, *pica.LoopEntry) {}, steps)
	ended("its step and aL", aL, steps)
	ended("its count", count, func(*oracle.Rules) {})
	ended("its count and step", count, steps)
	ended("its count, its step and aL", func(c *oracle.Control, nested, outer *pica.LoopEntry) {
		count(c, nested, outer)
		aL(c, nested, outer)
	}, steps)
	return list
}

// loopValues: aL has a bound, or LOOP reads another integer.
func loopValues(c *oracle.Control) (list []*Hypothesis) {
	for _, most := range []int32{127, 255} {
		list = append(list, changed(fmt.Sprintf("aL ends at %d", most), "aL has no bound (1.5)", func(r *oracle.Rules) {
			before := r.Flow.StepAL
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				before(c, e)
				c.AL = min(c.AL, most)
			}
		}), changed(fmt.Sprintf("aL goes on from 0 behind %d", most), "aL has no bound (1.5)", func(r *oracle.Rules) {
			before := r.Flow.StepAL
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				before(c, e)
				c.AL &= most
			}
		}))
	}
	was := c.Rules.Encoding.Int.Of(c.Word)
	for is := range pica.NumInts {
		if is != was {
			list = append(list, changed(fmt.Sprintf("i%d acts as i%d", was, is), "an integer has a number (1.5)",
				func(r *oracle.Rules) {
					before := r.Flow.Int
					r.Flow.Int = func(ints *[pica.NumInts][4]uint8, n int) [4]uint8 {
						if n == was {
							n = is
						}
						return before(ints, n)
					}
				}))
		}
	}
	for is := range pica.NumInts {
		if is != was {
			list = append(list, changed(fmt.Sprintf("i%d and i%d are exchanged", min(was, is), max(was, is)),
				"an integer has a number (1.5)", func(r *oracle.Rules) {
					before := r.Flow.Int
					r.Flow.Int = func(ints *[pica.NumInts][4]uint8, n int) [4]uint8 {
						switch n {
						case was:
							n = is
						case is:
							n = was
						}
						return before(ints, n)
					}
				}))
		}
	}
	for _, order := range orders {
		if is := order.of(was) & (pica.NumInts - 1); is != was {
			list = append(list, changed(fmt.Sprintf("i[n] reads i[%s]", strings.NewReplacer("15", "3", "16", "4").Replace(order.name)),
				"an integer has a number (1.5)", func(r *oracle.Rules) {
					before := r.Flow.Int
					r.Flow.Int = func(ints *[pica.NumInts][4]uint8, n int) [4]uint8 {
						return before(ints, order.of(n)&(pica.NumInts-1))
					}
				}))
		}
	}
	list = append(append(list, usedUp()...), changed("integers are 0", "an integer has a value (1.5)", func(r *oracle.Rules) {
		r.Flow.Int = func(*[pica.NumInts][4]uint8, int) [4]uint8 { return [4]uint8{} }
	}))
	return list
}

// usedUp: a loop leaves a count in its integer uniform: always 0, or what is left of it, as where the integer is the place
// of the count.
func usedUp() (list []*Hypothesis) {
	for _, of := range []struct {
		name  string
		place bool
	}{{"loop leaves a count of 0 in its integer", false}, {"loop counts in its integer", true}} {
		list = append(list, noting(of.name, "LOOP reads its integer (4.1)", func(r *oracle.Rules) {
			var used [pica.NumInts]bool
			var left [pica.NumInts]uint8
			var integers [pica.LoopDepth]uint8 // of each open loop
			var newest uint8
			f := &r.Flow
			begin, integer, goesOn := r.Carry.Begin, f.Int, f.Again
			r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
				if vertex == 0 {
					used = [pica.NumInts]bool{}
				}
				begin(f, initial, vertex, kept)
			}
			f.Int = func(ints *[pica.NumInts][4]uint8, n int) [4]uint8 {
				bytes := integer(ints, n)
				if !used[n] {
					used[n], left[n] = true, bytes[0]
				} else if bytes[0] = left[n]; !of.place {
					bytes[0] = 0
				}
				newest = uint8(n)
				return bytes
			}
			f.PushLOOP = notingPush(f.PushLOOP, integers[:], openLOOPs, func(*pica.Stacks) uint8 { return newest })
			f.Again = func(c *oracle.Control, e *pica.LoopEntry) bool {
				n := integers[c.Stacks.LoopDepth-1]
				if of.place {
					e.Count = left[n]
				}
				again := goesOn(c, e)
				if again {
					left[n]--
				}
				return again
			}
		}))
	}
	return list
}

// sizes: a field of a flow instruction has another width.
func sizes(c *oracle.Control) (list []*Hypothesis) {
	for width := uint8(6); width < 12; width++ {
		list = append(list, changed(fmt.Sprintf("targets have %d bits", width), "DST has 12 bits (1.2)",
			func(r *oracle.Rules) { r.Encoding.Target.Width = width }).Within(OfOpcode(c.Op)))
	}
	for width := uint8(1); width < 8; width++ {
		list = append(list, changed(fmt.Sprintf("num has %d bits", width), "NUM has 8 bits (1.2)",
			func(r *oracle.Rules) { r.Encoding.Num.Width = width }).Within(OfOpcode(c.Op)))
	}
	list = append(list, changed("num has 10 bits", "bits 8 and 9 are unused (1.2)",
		func(r *oracle.Rules) { r.Encoding.Num.Width = 10 }).Within(OfOpcode(c.Op)))
	if c.Op == pica.CALL {
		list = append(list, changed("bits 22 to 25 belong to num", "CALL has no condition (1.2)", func(r *oracle.Rules) {
			before := r.Flow.CALL
			r.Flow.CALL = func(c *oracle.Control, target, num int) {
				before(c, target, num|oracle.Field{Low: 22, Width: 4}.Of(c.Word)<<8)
			}
		}).Within(OfOpcode(c.Op)))
	}
	return list
}
