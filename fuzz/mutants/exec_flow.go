package mutants

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// flowFaults break the control flow of the console.
func flowFaults() []fault[oracle.Flow] {
	return slices.Concat(conditionFaults, entryFaults(), stackFaults(), closingFaults, loopFaults)
}

// conditionFaults break conditions and the counts of loops.
var conditionFaults = []fault[oracle.Flow]{
	{"condition-or-is-and", "CONDOP 0 is or (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x && y, x && y, x, y}[op] })},
	{"condition-and-is-or", "CONDOP 1 is and (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x || y, x || y, x, y}[op] })},
	{"condition-or-is-exclusive", "CONDOP 0 is or (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x != y, x && y, x, y}[op] })},
	{"condition-x-is-y", "CONDOP 2 is x (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x || y, x && y, y, y}[op] })},
	{"condition-y-is-x", "CONDOP 3 is y (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x || y, x && y, x, x}[op] })},
	{"condition-x-needs-y", "CONDOP 2 is x alone (1.3)",
		conditioned(func(op int, x, y bool) bool { return [4]bool{x || y, x && y, x && y, y}[op] })},
	{"refx-is-ignored", "x is compared with refx (1.3)",
		referred(func(ref [2]bool) [2]bool { return [2]bool{true, ref[1]} })},
	{"refy-is-ignored", "y is compared with refy (1.3)",
		referred(func(ref [2]bool) [2]bool { return [2]bool{ref[0], true} })},
	{"references-are-inverted", "a condition holds where flag and reference are equal (1.3)",
		referred(func(ref [2]bool) [2]bool { return [2]bool{!ref[0], !ref[1]} })},
	{"refx-serves-both", "y is compared with refy (1.3)",
		referred(func(ref [2]bool) [2]bool { return [2]bool{ref[0], ref[0]} })},

	{"boolean-15-is-false", "b15 is a boolean like others (1.5)",
		flagged(func(bools uint16, n int) bool { return n < 15 && bools>>n&1 != 0 })},
	{"booleans-are-inverted", "a condition holds where the boolean is true (4.1)",
		flagged(func(bools uint16, n int) bool { return bools>>n&1 == 0 })},
	{"booleans-are-reversed", "b0 is bit 0 (1.5)",
		flagged(func(bools uint16, n int) bool { return bools>>(15-n)&1 != 0 })},
	{"jmpu-ignores-its-inversion", "bit 0 of NUM inverts JMPU (4.1)",
		func(f *oracle.Flow) { f.JMPU = func(flag bool, _ int) bool { return flag } }},
	{"jmpu-inverts-always", "bit 0 of NUM inverts JMPU (4.1)",
		func(f *oracle.Flow) { f.JMPU = func(flag bool, _ int) bool { return !flag } }},
	{"jmpu-inverts-for-any-num", "other bits of NUM are ignored (4.1)",
		func(f *oracle.Flow) { f.JMPU = func(flag bool, num int) bool { return flag == (num == 0) } }},
	{"if-is-inverted-by-num", "only JMPU is inverted (4.1)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) { branch(c, holds != (num&1 != 0), target, num) }
	}},
	{"passes-and-first-al-exchanged", "x of an integer is the passes, y the first aL (1.5)",
		counted(func(p *oracle.Passes) { p.Count, p.First = p.First, p.Count })},
	{"first-al-and-step-exchanged", "y of an integer is the first aL, z the step (1.5)",
		counted(func(p *oracle.Passes) { p.First, p.Step = p.Step, p.First })},
	{"one-pass-more", "a loop has x + 1 passes (4.2.11)", counted(func(p *oracle.Passes) { p.Count++ })},
	{"one-pass-less", "a loop has x + 1 passes (4.2.11)",
		counted(func(p *oracle.Passes) { p.Count = max(p.Count, 1) - 1 })},
	{"one-pass-at-most-128", "a loop has up to 256 passes (4.2.11)",
		counted(func(p *oracle.Passes) { p.Count &= 127 })},
	{"step-is-signed", "the step is a number from 0 to 255 (4.1)", func(f *oracle.Flow) {
		f.StepAL = func(c *oracle.Control, e *pica.LoopEntry) { c.AL += int32(int8(e.Step)) }
	}},
	{"step-is-one", "the step is z of the integer (1.5)", counted(func(p *oracle.Passes) { p.Step = 1 })},

	{"jump-backward-is-ignored", "backward targets are legal (4.2.12)", func(f *oracle.Flow) {
		jump := f.JMP
		f.JMP = func(c *oracle.Control, target int) { jump(c, max(target, c.PC+1)) }
	}},
	{"call-backward-is-ignored", "backward targets are legal (4.2.12)", func(f *oracle.Flow) {
		call := f.CALL
		f.CALL = func(c *oracle.Control, target, num int) {
			if target > c.PC {
				call(c, target, num)
			}
		}
	}},
	{"if-backward-is-ignored", "backward targets are legal (4.2.12)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if branch(c, holds, target, num); !holds && target <= c.PC {
				c.Next = c.PC + 1
			}
		}
	}},
	{"false-if-goes-one-word-on", "a false IF goes to DST (4.1)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if branch(c, holds, target, num); !holds {
				c.Next++
			}
		}
	}},
	{"false-if-skips-the-else-part", "a false IF goes to DST (4.1)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if branch(c, holds, target, num); !holds {
				c.Next += num
			}
		}
	}},
	{"false-if-pushes-its-else-part", "a false IF pushes nothing (4.1)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if branch(c, holds, target, num); !holds {
				f.PushIF(&c.Stacks, pica.IfEntry{Else: uint16(target + num), End: uint16(target + num)})
			}
		}
	}},
	{"empty-then-part-runs-the-else-part", "an empty then part goes to DST + NUM (4.2.7)", func(f *oracle.Flow) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if target != c.PC+1 {
				branch(c, holds, target, num)
			}
		}
	}},
	{"call-of-no-words-is-ignored", "a CALL with NUM 0 runs on from DST (4.2.9)", func(f *oracle.Flow) {
		call := f.CALL
		f.CALL = func(c *oracle.Control, target, num int) {
			if num > 0 {
				call(c, target, num)
			}
		}
	}},
	{"call-of-no-words-is-a-jump", "a CALL with NUM 0 pushes an entry, too (4.2.9)", func(f *oracle.Flow) {
		call := f.CALL
		f.CALL = func(c *oracle.Control, target, num int) {
			if num > 0 {
				call(c, target, num)
			}
			c.Next = target
		}
	}},
	{"break-is-ignored", "BREAK leaves the newest loop (4.1)",
		func(f *oracle.Flow) { f.BREAK = func(*oracle.Control) {} }},
	{"end-returns-from-a-procedure", "END takes effect wherever it is executed (4.2.13)", func(f *oracle.Flow) {
		f.END = func(c *oracle.Control) bool {
			if d := c.Stacks.CallDepth; d > 0 {
				c.Next = int(c.Stacks.Call[d-1].Return)
				c.Stacks.Call[d-1], c.Stacks.CallDepth = pica.CallEntry{}, d-1
				return false
			}
			return true
		}
	}},
	{"end-is-a-nop-in-a-loop", "END takes effect wherever it is executed (4.2.13)", func(f *oracle.Flow) {
		f.END = func(c *oracle.Control) bool { return c.Stacks.LoopDepth == 0 }
	}},
	{"end-closes-no-scope", "the end of a scope is processed for END, too (4.1)",
		func(f *oracle.Flow) { f.CloseAtEND = false }},
}

// entryFaults move each address of an entry by one.
func entryFaults() (list []fault[oracle.Flow]) {
	for _, by := range []struct {
		word string
		n    uint16
	}{{"late", 1}, {"early", 0xFFFF}} {
		list = append(list,
			fault[oracle.Flow]{"else-part-one-word-" + by.word, "an IF's then part ends at DST (4.1)",
				pushedIF(func(e *pica.IfEntry) { e.Else += by.n })},
			fault[oracle.Flow]{"if-end-one-word-" + by.word, "an IF ends at DST + NUM (4.1)",
				pushedIF(func(e *pica.IfEntry) { e.End += by.n })},
			fault[oracle.Flow]{"procedure-end-one-word-" + by.word, "a procedure ends at DST + NUM (4.1)",
				pushedCALL(func(e *pica.CallEntry) { e.End += by.n })},
			fault[oracle.Flow]{"return-one-word-" + by.word, "a CALL returns to the next word (4.1)",
				pushedCALL(func(e *pica.CallEntry) { e.Return += by.n })},
			fault[oracle.Flow]{"loop-end-one-word-" + by.word, "a loop ends behind DST (4.1)",
				pushedLOOP(func(e *pica.LoopEntry) { e.End += by.n })},
			fault[oracle.Flow]{"loop-entry-one-word-" + by.word, "a loop goes back to the word behind LOOP (4.1)",
				pushedLOOP(func(e *pica.LoopEntry) { e.Entry += by.n })})
	}
	return append(list,
		fault[oracle.Flow]{"if-end-is-num", "NUM counts from DST (4.1)",
			pushedIF(func(e *pica.IfEntry) { e.End -= e.Else })},
		fault[oracle.Flow]{"if-runs-both-parts", "a then part goes to DST + NUM (4.1)",
			pushedIF(func(e *pica.IfEntry) { e.End = e.Else })})
}

// conditioned replaces the operators; x and y are the results of the two comparisons.
func conditioned(rule func(operator int, x, y bool) bool) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		f.Condition = func(operator int, cc, ref [2]bool) bool {
			return rule(operator, cc[0] == ref[0], cc[1] == ref[1])
		}
	}
}

// referred misreads the reference bits.
func referred(misread func(ref [2]bool) [2]bool) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		condition := f.Condition
		f.Condition = func(operator int, cc, ref [2]bool) bool { return condition(operator, cc, misread(ref)) }
	}
}

func flagged(rule func(bools uint16, n int) bool) func(*oracle.Flow) {
	return func(f *oracle.Flow) { f.Bool = rule }
}

// counted misreads integer uniforms.
func counted(misread func(p *oracle.Passes)) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		passes := f.Passes
		f.Passes = func(i [4]uint8) oracle.Passes {
			p := passes(i)
			misread(&p)
			return p
		}
	}
}

// pushed spoils the entries of one of the stacks.
func pushed[E any](rule *func(*pica.Stacks, E), spoil func(e *E)) {
	push := *rule
	*rule = func(s *pica.Stacks, e E) {
		spoil(&e)
		push(s, e)
	}
}

func pushedIF(spoil func(e *pica.IfEntry)) func(*oracle.Flow) {
	return func(f *oracle.Flow) { pushed(&f.PushIF, spoil) }
}

func pushedCALL(spoil func(e *pica.CallEntry)) func(*oracle.Flow) {
	return func(f *oracle.Flow) { pushed(&f.PushCALL, spoil) }
}

func pushedLOOP(spoil func(e *pica.LoopEntry)) func(*oracle.Flow) {
	return func(f *oracle.Flow) { pushed(&f.PushLOOP, spoil) }
}

// stackFaults break each of the three stacks in the same ways.
func stackFaults() []fault[oracle.Flow] {
	return slices.Concat(
		ringFaults("if", pica.IfDepth, func(f *oracle.Flow) *func(*pica.Stacks, pica.IfEntry) { return &f.PushIF },
			func(s *pica.Stacks) ([]pica.IfEntry, *uint8) { return s.If[:], &s.IfDepth }),
		ringFaults("call", pica.CallDepth,
			func(f *oracle.Flow) *func(*pica.Stacks, pica.CallEntry) { return &f.PushCALL },
			func(s *pica.Stacks) ([]pica.CallEntry, *uint8) { return s.Call[:], &s.CallDepth }),
		ringFaults("loop", pica.LoopDepth,
			func(f *oracle.Flow) *func(*pica.Stacks, pica.LoopEntry) { return &f.PushLOOP },
			func(s *pica.Stacks) ([]pica.LoopEntry, *uint8) { return s.Loop[:], &s.LoopDepth }),
	)
}

func ringFaults[E comparable](kind string, size int, rule func(f *oracle.Flow) *func(*pica.Stacks, E),
	stack func(s *pica.Stacks) ([]E, *uint8)) []fault[oracle.Flow] {
	// full replaces a push on a full stack.
	full := func(limit int, overflow func(entries []E, depth *uint8, e E)) func(*oracle.Flow) {
		return func(f *oracle.Flow) {
			push := *rule(f)
			*rule(f) = func(s *pica.Stacks, e E) {
				if entries, depth := stack(s); int(*depth) >= limit {
					overflow(entries[:limit], depth, e)
				} else {
					push(s, e)
				}
			}
		}
	}
	rule41 := fmt.Sprintf("the %s stack has %d entries (4.1)", kind, size)
	list := []fault[oracle.Flow]{
		{fmt.Sprintf("%s-stack-of-%d", kind, size-1), rule41, full(size-1, func(entries []E, _ *uint8, e E) {
			copy(entries, entries[1:])
			entries[len(entries)-1] = e
		})},
		{kind + "-stack-keeps-its-oldest", "a full stack loses its oldest entry (4.1)",
			full(size, func([]E, *uint8, E) {})},
		{kind + "-stack-loses-its-newest", "a full stack loses its oldest entry (4.1)",
			full(size, func(entries []E, _ *uint8, e E) { entries[size-1] = e })},
		{kind + "-stack-starts-anew", "a full stack loses its oldest entry alone (4.1)",
			full(size, func(entries []E, depth *uint8, e E) {
				clear(entries)
				entries[0], *depth = e, 1
			})},
	}
	for _, larger := range slices.Compact([]int{size + 1, 2 * size, 4 * size, 32}) {
		list = append(list, fault[oracle.Flow]{fmt.Sprintf("%s-stack-of-%d", kind, larger), rule41,
			deeper(larger-size, rule, stack)})
	}
	return list
}

// deeper gives a stack so many entries more: those that a push drops come back once others are popped.
func deeper[E comparable](more int, rule func(f *oracle.Flow) *func(*pica.Stacks, E),
	stack func(s *pica.Stacks) ([]E, *uint8)) func(*oracle.Flow) {
	return func(f *oracle.Flow) {
		var dropped []E // the oldest first
		push := *rule(f)
		*rule(f) = func(s *pica.Stacks, e E) {
			entries, depth := stack(s)
			if *depth == 0 {
				dropped = dropped[:0]
			}
			if int(*depth) == len(entries) {
				if dropped = append(dropped, entries[0]); len(dropped) > more {
					dropped = dropped[1:]
				}
			}
			push(s, e)
		}
		first, last := f.Close[closeCALL], f.Close[closeLOOP]
		before := uint8(0)
		f.Close[closeCALL] = func(c *oracle.Control) {
			_, depth := stack(&c.Stacks)
			before = *depth
			first(c)
		}
		f.Close[closeLOOP] = func(c *oracle.Control) {
			last(c)
			for entries, depth := stack(&c.Stacks); len(dropped) > 0 && *depth < before; *depth++ {
				newest := len(dropped) - 1
				copy(entries[1:], entries[:*depth])
				entries[0], dropped = dropped[newest], dropped[:newest]
			}
		}
	}
}
