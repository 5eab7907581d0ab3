package cover

import "github.com/picaproof/picaproof/pica"

// A shape is a consequence of the console's stacks, named after its section and number in
// the specification.
type shape struct {
	name  string
	kinds []pica.Flow // the kinds of instructions that can show it; nil: all
	shows func(m *moment) bool
}

var shapes = []shape{
	{"4.1 break of a loop left before", kind(pica.FlowBreak), func(m *moment) bool {
		top := m.before.LoopDepth - 1
		return m.loop == loopBroken && (m.pc < int(m.before.Loop[top].Entry) || m.pc >= int(m.before.Loop[top].End))
	}},
	{"4.1 end beyond the memory", kind(pica.FlowCall, pica.FlowIf),
		func(m *moment) bool { return m.holds && m.target+m.num >= pica.MaxCode }},
	{"4.1 loop to the last word", kind(pica.FlowLoop), func(m *moment) bool { return m.target == pica.MaxCode-1 }},
	{"4.1 length of a jump above one", kind(pica.FlowJump), func(m *moment) bool { return m.num > 1 }},

	{"4.2.1 jump last in if", kind(pica.FlowJump), and((*moment).transfers, endsIf)},
	{"4.2.1 jump last in loop", kind(pica.FlowJump), and((*moment).transfers, endsLoop)},
	{"4.2.1 call last in if", kind(pica.FlowCall), and((*moment).transfers, endsIf)},
	{"4.2.1 call last in loop", kind(pica.FlowCall), and((*moment).transfers, endsLoop)},
	{"4.2.1 false if last in if", kind(pica.FlowIf), and((*moment).transfers, endsIf)},
	{"4.2.1 false if last in loop", kind(pica.FlowIf), and((*moment).transfers, endsLoop)},

	{"4.2.2 return lost to an if", nil, func(m *moment) bool {
		return m.popped[callStack] > 0 && endsIf(m) && m.loop == loopOn
	}},
	{"4.2.3 if ends with the loop", nil, and(endsIf, endsLoop)},
	{"4.2.4 outer loop loses its end", nil, func(m *moment) bool {
		outer := int(m.before.LoopDepth) - 2
		return m.loop == loopExit && outer >= 0 && int(m.before.Loop[outer].End) == m.pc+1 && m.kind != pica.FlowLoop
	}},

	{"4.2.5 jump to the end of an if", kind(pica.FlowJump), func(m *moment) bool {
		top := int(m.before.IfDepth) - 1
		return m.holds && top >= 0 && !endsIf(m) && m.target == int(m.before.If[top].Else)
	}},
	{"4.2.5 jump to the end of a call", kind(pica.FlowJump), func(m *moment) bool {
		top := int(m.before.CallDepth) - 1
		return m.holds && top >= 0 && m.popped[callStack] == 0 && m.target == int(m.before.Call[top].End)
	}},
	{"4.2.5 jump to the end of a loop", kind(pica.FlowJump), func(m *moment) bool {
		top := int(m.before.LoopDepth) - 1
		return m.holds && top >= 0 && m.loop == loopOn && m.target == int(m.before.Loop[top].End)
	}},

	{"4.2.6 jump out of an if", kind(pica.FlowJump), func(m *moment) bool {
		return m.holds && insideIf(m) && m.target >= int(m.before.If[m.before.IfDepth-1].Else)
	}},
	{"4.2.6 break out of an if", kind(pica.FlowBreak), func(m *moment) bool {
		return m.loop == loopBroken && insideIf(m) &&
			m.before.If[m.before.IfDepth-1].Else <= m.before.Loop[m.before.LoopDepth-1].End
	}},
	{"4.2.6 else part after a shadowed then part", nil, func(m *moment) bool {
		if endsIf(m) || m.after.IfDepth < 2 {
			return false
		}
		for _, e := range m.after.If[:m.after.IfDepth-1] {
			if int(e.Else) == m.pc+1 {
				return true
			}
		}
		return false
	}},

	{"4.2.7 empty then part", kind(pica.FlowIf), func(m *moment) bool { return m.holds && m.target == m.pc+1 }},
	{"4.2.8 empty loop of one pass", kind(pica.FlowLoop),
		func(m *moment) bool { return m.target == m.pc && m.loop == loopExit }},
	{"4.2.8 empty loop left open", kind(pica.FlowLoop),
		func(m *moment) bool { return m.target == m.pc && m.loop == loopAgain }},
	{"4.2.9 call without length", kind(pica.FlowCall), func(m *moment) bool { return m.holds && m.num == 0 }},

	{"4.2.10 two returns at once", nil, returns(2)},
	{"4.2.10 three returns at once", nil, returns(3)},
	{"4.2.10 fourth return lost", nil, returns(4)},

	{"4.2.11 aL stays after the loop", nil,
		func(m *moment) bool { return m.loop >= loopExit && m.after.LoopDepth == 0 }},
	{"4.2.11 aL of the outer loop", nil, func(m *moment) bool { return m.loop >= loopExit && m.after.LoopDepth != 0 }},
	{"4.2.11 break adds the step", kind(pica.FlowBreak), func(m *moment) bool {
		return m.loop == loopBroken && m.before.Loop[m.before.LoopDepth-1].Step != 0
	}},

	{"4.2.12 backward jump", kind(pica.FlowJump), and((*moment).transfers, backward)},
	{"4.2.12 backward call", kind(pica.FlowCall), and((*moment).transfers, backward)},
	{"4.2.12 backward false if", kind(pica.FlowIf), and((*moment).transfers, backward)},

	{"4.2.13 end in an if", kind(pica.FlowEnd), func(m *moment) bool { return m.before.IfDepth > 0 }},
	{"4.2.13 end in a call", kind(pica.FlowEnd), func(m *moment) bool { return m.before.CallDepth > 0 }},
	{"4.2.13 end in a loop", kind(pica.FlowEnd), func(m *moment) bool { return m.before.LoopDepth > 0 }},
	{"4.2.13 end closes a loop", kind(pica.FlowEnd), endsLoop},
}

// Parts of the rules above.

func kind(k ...pica.Flow) []pica.Flow { return k }

func and(a, b func(m *moment) bool) func(m *moment) bool {
	return func(m *moment) bool { return a(m) && b(m) }
}

func endsIf(m *moment) bool   { return m.popped[ifStack] > 0 }
func endsLoop(m *moment) bool { return m.loop == loopAgain || m.loop == loopExit }
func backward(m *moment) bool { return m.target <= m.pc }

// insideIf reports whether the instruction is in the innermost then part, but not its last
// word.
func insideIf(m *moment) bool {
	top := int(m.before.IfDepth) - 1
	return top >= 0 && m.pc+1 < int(m.before.If[top].Else)
}

func returns(n int) func(m *moment) bool {
	return func(m *moment) bool { return m.popped[callStack] == n }
}

var shapeNames = func() (names []string) {
	for _, s := range shapes {
		names = append(names, s.name)
	}
	return names
}()

// shapesOf lists the shapes that each kind of instruction can show.
var shapesOf = func() (t [pica.NumFlows][]uint8) {
	for of := range t {
		for k, s := range shapes {
			possible := s.kinds == nil
			for _, kind := range s.kinds {
				possible = possible || kind == pica.Flow(of)
			}
			if possible {
				t[of] = append(t[of], uint8(k))
			}
		}
	}
	return t
}()
