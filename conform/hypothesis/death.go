package hypothesis

import (
	"fmt"
	"iter"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// deathNames name the ends of a run that no program has on the console.
var deathNames = map[pica.Trap]string{
	{Cause: pica.TrapUnsupported, Refusal: pica.RefusalCrash}:  "the core crashes",
	{Cause: pica.TrapUnsupported, Refusal: pica.RefusalAssert}: "the core refuses to go on",
	{Cause: pica.TrapBudget}:                                   "the core never ends",
}

// deathRule is the rule that they break.
const deathRule = "a program runs to its END (1.5)"

// Deaths returns the hypotheses that a run ends in a way, without an answer, at an instruction with one of some
// opcodes: always, in a class of operands, and even if the instruction is not executed; or where one of some conditions
// holds, whatever the opcode.
func Deaths(end pica.Trap, executed, present []pica.Opcode, conditions []Condition) (list []*Hypothesis) {
	die := func(c *oracle.Control) {
		end := end
		end.PC = c.PC
		if c.Trap(end.Cause); end.Cause == pica.TrapUnsupported {
			c.Refuse(end.Refusal)
		}
	}
	name := deathNames[end]
	at := admit
	if end.Refusal == pica.RefusalCrash {
		at = reach
	}
	always := &Hypothesis{Name: name, Rule: deathRule, apply: func(r *oracle.Rules) { at(r, die) }}
	for _, op := range executed {
		list = append(list, always.Within(OfOpcode(op)))
		for _, in := range ofOperands {
			if in.count <= pica.Opcodes[op].Sources {
				list = append(list, dying(name+" "+in.name, in.is, everyLane, die).Within(OfOpcode(op)),
					dying(name+" "+in.name+" in a lane that it needs", in.is, lanesNeeded, die).Within(OfOpcode(op)))
			}
		}
	}
	if end.Cause == pica.TrapBudget {
		conditions = nil // hangs are dear, and few of them would decide
	} else {
		conditions = slices.Concat(farIndexes(), conditions)
	}
	for _, of := range slices.Concat(ofIndexes, conditions) {
		if h := always.Within(of); !slices.ContainsFunc(list, func(o *Hypothesis) bool { return o.String() == h.String() }) {
			list = append(list, h)
		}
	}
	if end.Cause == pica.TrapBudget {
		list = append(list, passedENDs()...)
	}
	for _, op := range executed {
		if pica.Opcodes[op].Flow == pica.FlowJump {
			list = append(list, changed(name+" where it goes to its target", deathRule, dyingAtTarget(die)).Within(OfOpcode(op)))
		}
		if pica.Opcodes[op].Flow != pica.FlowNone {
			list = append(list, changed(name+" where it is taken", deathRule, dyingTaken(die)).Within(OfOpcode(op)))
		}
	}
	for _, op := range present {
		h := &Hypothesis{Name: name + ", executed or not", Rule: deathRule, Detail: 1, presence: die}
		list = append(list, h.Within(OfOpcode(op)))
	}
	most := 6
	if end.Cause == pica.TrapBudget {
		most = 16
	}
	list = append(list, together(name, executed, present, most, die)...)
	for _, h := range list {
		h.Dies = true
	}
	return list
}

// ofTogether is the detail of a hypothesis about two opcodes. A condition of one opcode, that a scope is open, may fit
// the same few answers: the pair must not hide it.
const ofTogether = 3

// together returns the hypotheses about two opcodes: a run ends once it has executed both, in any order or in one of
// the two, whatever lies between them, or a program that has both ends so. Of more than most opcodes pairs say nothing.
func together(name string, executed, present []pica.Opcode, most int, die func(c *oracle.Control)) (list []*Hypothesis) {
	for a, b := range pairs(executed, most) {
		list = append(list,
			onceExecuted(fmt.Sprintf("%s once %v and %v are executed", name, a, b), only(a, b), only(a, b), die),
			onceExecuted(fmt.Sprintf("%s in %v once %v is executed", name, a, b), only(a), only(b), die),
			onceExecuted(fmt.Sprintf("%s in %v once %v is executed", name, b, a), only(b), only(a), die))
	}
	for a, b := range pairs(present, most) {
		h := (&Hypothesis{Name: fmt.Sprintf("%s beside %v, executed or not", name, b), Rule: deathRule,
			Detail: ofTogether - 1, // Within adds one
			presence: func(c *oracle.Control) {
				if only(b)&opcodes(Opcodes(c.Job.Code)) != 0 {
					die(c)
				}
			}}).Within(OfOpcode(a))
		h.whole, h.needs = true, only(b) // no instruction of the program says more
		list = append(list, h)
	}
	return list
}

// pairs goes through the pairs of some opcodes in their order, unless there are more than most. Every program has END.
func pairs(ops []pica.Opcode, most int) iter.Seq2[pica.Opcode, pica.Opcode] {
	ops = slices.DeleteFunc(slices.Clone(ops), func(op pica.Opcode) bool { return op == pica.END })
	slices.Sort(ops)
	return func(yield func(a, b pica.Opcode) bool) {
		for i := range ops {
			for _, b := range ops[i+1:] {
				if len(ops) <= most && !yield(ops[i], b) {
					return
				}
			}
		}
	}
}

// onceExecuted ends a run at an instruction with one of some opcodes, once the run has executed all of others.
func onceExecuted(name string, at, all opcodes, die func(c *oracle.Control)) *Hypothesis {
	h := noting(name, deathRule, func(r *oracle.Rules) {
		var done opcodes
		begin := r.Program
		r.Program = func(c *oracle.Control) {
			if done = 0; begin != nil {
				begin(c)
			}
		}
		admit(r, func(c *oracle.Control) {
			if done |= only(c.Op); done&all == all && at&only(c.Op) != 0 {
				die(c)
			}
		})
	})
	h.Detail, h.needs = ofTogether, at|all
	return h
}

// passedENDs: END does not end a run where a scope is open. It never ends if the scope is still open behind the last
// word.
func passedENDs() (list []*Hypothesis) {
	ignored := func(*oracle.Control) {}
	for _, open := range []struct {
		name    string
		depth   func(s *pica.Stacks) uint8
		instead func(c *oracle.Control)
		returns bool // as from a recursion: no scope ends behind it
	}{
		{"an if is ignored", openIFs, ignored, false},
		{"a call is ignored", openCALLs, ignored, false},
		{"a loop is ignored", openLOOPs, ignored, false},
		{"a scope is ignored", func(s *pica.Stacks) uint8 { return s.IfDepth + s.CallDepth + s.LoopDepth }, ignored, false},
		{"a loop leaves it", openLOOPs, func(c *oracle.Control) { c.Break = true }, false},
		{"a loop ends its pass", openLOOPs, func(c *oracle.Control) {
			at := c.PC
			c.PC = int(c.Stacks.Loop[c.Stacks.LoopDepth-1].End) - 1
			c.Rules.Flow.Close[closeLOOP](c)
			c.PC = at
		}, true},
		{"an if leaves it", openIFs, func(c *oracle.Control) {
			c.Next = int(c.Stacks.If[c.Stacks.IfDepth-1].End)
			oracle.Pop(c.Stacks.If[:], &c.Stacks.IfDepth)
		}, true},
		{"a call leaves it", openCALLs, func(c *oracle.Control) {
			c.Next = int(c.Stacks.Call[c.Stacks.CallDepth-1].Return)
			oracle.Pop(c.Stacks.Call[:], &c.Stacks.CallDepth)
		}, true},
	} {
		list = append(list, changed("end in "+open.name, "END ends a run, even with scopes open (4.1)",
			func(r *oracle.Rules) {
				before, fetch, finish, left := r.Flow.END, r.Flow.Fetch, r.Flow.Finish, false
				r.Flow.END = func(c *oracle.Control) bool {
					if open.depth(&c.Stacks) == 0 {
						return before(c)
					}
					left = open.returns
					open.instead(c)
					return false
				}
				r.Flow.Finish = func(c *oracle.Control) {
					if !left {
						finish(c)
					}
					left = false
				}
				r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
					if c.PC == pica.MaxCode && open.depth(&c.Stacks) > 0 {
						c.Trap(pica.TrapBudget)
						return 0
					}
					return fetch(c, memory)
				}
			}))
	}
	return list
}

// everyLane and lanesNeeded are the lanes of the operands of an instruction that decide, bit 3 being x.
func everyLane(*oracle.Control) int { return 15 }

func lanesNeeded(c *oracle.Control) int {
	if reads := pica.Opcodes[c.Op.Base()].Reads[0]; reads != 0 {
		return int(reads)
	}
	_, bits := descriptor(c)
	return c.Rules.Encoding.Mask.Of(bits)
}

// dying returns a hypothesis about the operands of an instruction, in some lanes.
func dying(name string, is func(l *lane) bool, lanes func(c *oracle.Control) int, die func(c *oracle.Control)) *Hypothesis {
	return changed(name, deathRule, func(r *oracle.Rules) {
		before := r.Operands.Read
		r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
			if before != nil {
				before(c, sources)
			}
			l, some := lane{u: &c.Rules.Unit, vectors: sources}, lanes(c)
			for i := range 4 {
				l.sources = [3]uint32{sources[0][i], sources[1][i], sources[2][i]}
				if some&(8>>i) != 0 && is(&l) {
					die(c)
					return
				}
			}
		}
	})
}

// dyingTaken ends the run at a jump, a call, a loop, a break or an if whose condition holds.
func dyingTaken(die func(c *oracle.Control)) func(r *oracle.Rules) {
	return func(r *oracle.Rules) {
		r.Flow.JMP = func(c *oracle.Control, _ int) { die(c) }
		r.Flow.CALL = func(c *oracle.Control, _, _ int) { die(c) }
		r.Flow.LOOP = func(c *oracle.Control, _ int, _ oracle.Passes) { die(c) }
		r.Flow.BREAK = die
		enter := r.Flow.IF
		r.Flow.IF = func(c *oracle.Control, holds bool, target, num int) {
			if holds {
				die(c)
				return
			}
			enter(c, holds, target, num)
		}
	}
}

// dyingAtTarget ends the run at a jump that goes to its target, even if that is the next word and it is not taken.
func dyingAtTarget(die func(c *oracle.Control)) func(r *oracle.Rules) {
	return func(r *oracle.Rules) {
		r.Flow.JMP = func(c *oracle.Control, _ int) { die(c) }
		admit(r, func(c *oracle.Control) {
			if c.Rules.Encoding.Target.Of(c.Word) == c.PC+1 {
				die(c)
			}
		})
	}
}

// admit calls a function for each instruction that is executed.
func admit(r *oracle.Rules, f func(c *oracle.Control)) {
	for op, admits := range r.Admit {
		r.Admit[op] = func(c *oracle.Control) bool {
			if admits != nil && !admits(c) {
				return false
			}
			f(c)
			return true
		}
	}
}

// reach calls a function for each instruction that a run comes to: a core may crash at one that it does not execute.
func reach(r *oracle.Rules, f func(c *oracle.Control)) {
	for op, admits := range r.Admit {
		r.Admit[op] = func(c *oracle.Control) bool {
			if f(c); c.Trapped() {
				return false
			}
			return admits == nil || admits(c)
		}
	}
}

// present wraps the rule for whole programs: a program dies if a word of it is in the scope.
func (h *Hypothesis) present(r *oracle.Rules) {
	before := r.Program
	r.Program = func(c *oracle.Control) {
		if before != nil {
			if before(c); c.Trapped() {
				return
			}
		}
		at, word := c.PC, *c
		for word.PC, word.Word = range c.Job.Code {
			if word.Op = c.Rules.Encoding.Opcode(word.Word); h.Scope.holds(&word) {
				c.PC = word.PC
				h.presence(c)
				c.PC = at
				return
			}
		}
	}
}
