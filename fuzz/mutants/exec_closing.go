package mutants

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Indices of the rules in Close.
const (
	closeCALL = iota
	closeIF
	closeLOOP
)

// closingFaults break the closing of scopes after each instruction.
var closingFaults = []fault[oracle.Flow]{
	{"jump-at-the-end-of-a-procedure-is-taken", "the end of a scope wins over a jump (4.2.1)",
		transferring(closeCALL)},
	{"jump-at-the-end-of-a-then-part-is-taken", "the end of a scope wins over a jump (4.2.1)", transferring(closeIF)},
	{"jump-at-the-end-of-a-loop-is-taken", "the end of a scope wins over a jump (4.2.1)", transferring(closeLOOP)},
	{"call-at-the-end-of-a-scope-leaves-no-entry", "a CALL as the last word of a scope still pushes (4.2.1)",
		func(f *oracle.Flow) {
			called := false
			call := f.CALL
			f.CALL = func(c *oracle.Control, target, num int) {
				called = true
				call(c, target, num)
			}
			last := f.Close[closeLOOP]
			f.Close[closeLOOP] = func(c *oracle.Control) {
				target := c.Next
				if last(c); called && c.Next != target && c.Stacks.CallDepth > 0 {
					d := c.Stacks.CallDepth - 1
					c.Stacks.Call[d], c.Stacks.CallDepth = pica.CallEntry{}, d
				}
				called = false
			}
		}},
	{"return-wins-over-if", "of ends that meet IF wins over CALL (4.2.2)", reordered(closeIF, closeCALL, closeLOOP)},
	{"if-wins-over-loop", "of ends that meet LOOP wins over IF (4.2.3)", reordered(closeCALL, closeLOOP, closeIF)},
	{"return-wins-over-loop", "of ends that meet LOOP wins over CALL (4.1)", reordered(closeIF, closeLOOP, closeCALL)},
	{"one-scope-closes-at-a-time", "ends that meet close in one step (4.2.3)", func(f *oracle.Flow) {
		ifs, loops := f.Close[closeIF], f.Close[closeLOOP]
		closed := false
		f.Close[closeIF] = func(c *oracle.Control) {
			before := c.Stacks.IfDepth
			ifs(c)
			closed = c.Stacks.IfDepth < before
		}
		f.Close[closeLOOP] = func(c *oracle.Control) {
			if !closed || c.Break {
				loops(c)
			}
		}
	}},
	{"outer-loop-with-the-same-end-goes-on", "of two loops with one end only the inner is compared (4.2.4)",
		func(f *oracle.Flow) {
			rule := f.Close[closeLOOP]
			f.Close[closeLOOP] = func(c *oracle.Control) {
				for before := c.Stacks.LoopDepth; ; before = c.Stacks.LoopDepth {
					if rule(c); c.Stacks.LoopDepth == before || c.Break {
						return
					}
				}
			}
		}},
	{"outer-if-with-the-same-end-closes", "one IF closes in a step (4.1)", func(f *oracle.Flow) {
		rule := f.Close[closeIF]
		f.Close[closeIF] = func(c *oracle.Control) {
			rule(c)
			rule(c)
		}
	}},

	{"jump-to-the-end-of-a-procedure-returns",
		"the end of a scope is compared with PC + 1 (4.2.5)", arriving(closeCALL)},
	{"jump-to-the-end-of-a-then-part-closes-it",
		"the end of a scope is compared with PC + 1 (4.2.5)", arriving(closeIF)},
	{"jump-to-the-end-of-a-loop-closes-it", "the end of a scope is compared with PC + 1 (4.2.5)", arriving(closeLOOP)},

	{"jump-leaves-no-if", "a jump leaves the entries of the scopes it leaves (4.2.6)", func(f *oracle.Flow) {
		jump := f.JMP
		f.JMP = func(c *oracle.Control, target int) {
			jump(c, target)
			noIFs(c)
		}
	}},
	{"break-leaves-no-if", "BREAK leaves the entries of the scopes it leaves (4.2.6)", func(f *oracle.Flow) {
		leave := f.BREAK
		f.BREAK = func(c *oracle.Control) {
			leave(c)
			noIFs(c)
		}
	}},
	{"break-pops-an-if", "BREAK leaves the entries of the scopes it leaves (4.2.6)", func(f *oracle.Flow) {
		leave := f.BREAK
		f.BREAK = func(c *oracle.Control) {
			leave(c)
			if d := c.Stacks.IfDepth; d > 0 {
				c.Stacks.If[d-1], c.Stacks.IfDepth = pica.IfEntry{}, d-1
			}
		}
	}},
	{"a-return-leaves-no-if", "a return leaves the IF stack alone (4.1)", func(f *oracle.Flow) {
		rule := f.Close[closeCALL]
		f.Close[closeCALL] = func(c *oracle.Control) {
			before := c.Stacks.CallDepth
			if rule(c); c.Stacks.CallDepth < before {
				noIFs(c)
			}
		}
	}},
	{"older-ifs-are-compared", "only the newest entry is compared (4.1)", func(f *oracle.Flow) {
		rule := f.Close[closeIF]
		f.Close[closeIF] = func(c *oracle.Control) {
			s := &c.Stacks
			for d := s.IfDepth; d > 0; d-- {
				if int(s.If[d-1].Else) == c.PC+1 {
					clear(s.If[d:])
					s.IfDepth = d
				}
			}
			rule(c)
		}
	}},

	{"returns-at-once-1", "four CALLs may end at once (4.2.10)", func(f *oracle.Flow) { f.MaxClosed = 1 }},
	{"returns-at-once-2", "four CALLs may end at once (4.2.10)", func(f *oracle.Flow) { f.MaxClosed = 2 }},
	{"returns-at-once-3", "four CALLs may end at once (4.2.10)", func(f *oracle.Flow) { f.MaxClosed = 3 }},
	{"fourth-return-is-not-lost", "the fourth return at once loses its address (4.2.10)",
		func(f *oracle.Flow) { f.MaxReturned = 4 }},
	{"third-return-is-lost", "three returns at once work (4.2.10)", func(f *oracle.Flow) { f.MaxReturned = 2 }},
	{"second-return-is-lost", "three returns at once work (4.2.10)", func(f *oracle.Flow) { f.MaxReturned = 1 }},
}

// loopFaults break the passes of loops and aL.
var loopFaults = []fault[oracle.Flow]{
	{"loop-of-one-word-does-not-end", "the end of an empty body is compared in LOOP's own step (4.2.8)",
		func(f *oracle.Flow) {
			started := false
			loop := f.LOOP
			f.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				started = true
				loop(c, target, p)
			}
			rule := f.Close[closeLOOP]
			f.Close[closeLOOP] = func(c *oracle.Control) {
				if !started {
					rule(c)
				}
				started = false
			}
		}},
	{"empty-loop-is-skipped", "an empty body leaves its entry open (4.2.8)", func(f *oracle.Flow) {
		loop := f.LOOP
		f.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
			if target != c.PC {
				loop(c, target, p)
			}
		}
	}},
	{"al-keeps-its-first-value", "each pass adds the step to aL (4.2.11)",
		func(f *oracle.Flow) { f.StepAL = func(*oracle.Control, *pica.LoopEntry) {} }},
	{"al-is-not-stepped-after-the-last-pass", "the last pass adds the step, too (4.2.11)", func(f *oracle.Flow) {
		step := f.StepAL
		f.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
			if c.Break || e.Count > 0 {
				step(c, e)
			}
		}
	}},
	{"break-does-not-step-al", "BREAK adds the step to aL once (4.2.11)", func(f *oracle.Flow) {
		step := f.StepAL
		f.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
			if !c.Break {
				step(c, e)
			}
		}
	}},
	{"al-is-restored-after-the-outermost-loop", "aL stays readable after the outermost loop (4.2.11)",
		restoring(func(c *oracle.Control, e *pica.LoopEntry) { c.AL = e.OuterAL })},
	{"al-is-zero-after-the-outermost-loop", "aL stays readable after the outermost loop (4.2.11)",
		func(f *oracle.Flow) {
			restore := f.RestoreAL
			f.RestoreAL = func(c *oracle.Control, e *pica.LoopEntry) {
				if restore(c, e); c.Stacks.LoopDepth == 1 {
					c.AL = 0
				}
			}
		}},
	{"al-is-never-restored", "a nested loop gives back the outer aL (4.1)",
		restoring(func(*oracle.Control, *pica.LoopEntry) {})},
	{"al-is-restored-only-on-break", "a nested loop gives back the outer aL (4.1)", func(f *oracle.Flow) {
		restore := f.RestoreAL
		f.RestoreAL = func(c *oracle.Control, e *pica.LoopEntry) {
			if c.Break {
				restore(c, e)
			}
		}
	}},
	{"al-is-not-restored-on-break", "a nested loop gives back the outer aL (4.1)", func(f *oracle.Flow) {
		restore := f.RestoreAL
		f.RestoreAL = func(c *oracle.Control, e *pica.LoopEntry) {
			if !c.Break {
				restore(c, e)
			}
		}
	}},
	{"al-restored-is-the-inner-start", "LOOP saves aL before it sets it (4.1)", func(f *oracle.Flow) {
		f.SavedAL = func(_ *oracle.Control, p oracle.Passes) int32 { return int32(p.First) }
	}},
	{"al-restored-is-stepped", "a nested loop gives back the outer aL as it was (4.1)",
		restoring(func(c *oracle.Control, e *pica.LoopEntry) {
			if d := c.Stacks.LoopDepth; d > 1 {
				c.AL = e.OuterAL + int32(c.Stacks.Loop[d-2].Step)
			}
		})},
	{"break-leaves-every-loop", "BREAK leaves the newest loop alone (4.1)", func(f *oracle.Flow) {
		rule := f.Close[closeLOOP]
		f.Close[closeLOOP] = func(c *oracle.Control) {
			for before := c.Stacks.LoopDepth + 1; c.Stacks.LoopDepth < before; { // another fault may leave a loop open
				before = c.Stacks.LoopDepth
				if rule(c); !c.Break {
					return
				}
			}
		}
	}},
	{"break-ends-the-pass-only", "BREAK leaves the loop (4.1)", func(f *oracle.Flow) {
		f.Again = func(_ *oracle.Control, e *pica.LoopEntry) bool {
			if e.Count == 0 {
				return false
			}
			e.Count--
			return true
		}
	}},
	{"break-goes-on-with-the-next-word", "BREAK goes behind the loop (4.1)", func(f *oracle.Flow) {
		rule := f.Close[closeLOOP]
		f.Close[closeLOOP] = func(c *oracle.Control) {
			after := c.Next
			if rule(c); c.Break {
				c.Next = after
			}
		}
	}},
}

// transferring lets an instruction's own target win over the end of a scope.
func transferring(k int) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		rule := f.Close[k]
		f.Close[k] = func(c *oracle.Control) {
			target := c.Next
			if rule(c); target != c.PC+1 && !c.Break {
				c.Next = target
			}
		}
	}
}

// arriving compares the ends of scopes with the address of the next instruction.
func arriving(k int) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		rule := f.Close[k]
		f.Close[k] = func(c *oracle.Control) {
			pc := c.PC
			c.PC = c.Next - 1
			rule(c)
			c.PC = pc
		}
	}
}

// reordered closes the scopes in another order.
func reordered(order ...int) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		before := f.Close
		for i, k := range order {
			f.Close[i] = before[k]
		}
	}
}

func restoring(rule func(c *oracle.Control, e *pica.LoopEntry)) func(*oracle.Flow) {
	return func(f *oracle.Flow) { f.RestoreAL = rule }
}

func noIFs(c *oracle.Control) {
	clear(c.Stacks.If[:])
	c.Stacks.IfDepth = 0
}
