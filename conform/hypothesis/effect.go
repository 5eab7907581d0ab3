package hypothesis

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// masks: which lanes are written.
func masks(c *oracle.Control) (list []*Hypothesis) {
	if dest(c) < 0 && c.Op != pica.MOVA {
		return nil
	}
	const rule = "a mask has a bit for each component (1.4)"
	for i := range 4 {
		a := uint8(8 >> i)
		for j := i + 1; j < 4; j++ {
			b := uint8(8 >> j)
			list = append(list, masking(fmt.Sprintf("mask bits %c and %c are exchanged", "xyzw"[i], "xyzw"[j]), rule,
				func(m uint8) uint8 {
					if (m&a != 0) != (m&b != 0) {
						m ^= a | b
					}
					return m
				})...)
		}
	}
	list = append(list, masking("the mask is reversed", rule, func(m uint8) uint8 { return bits.Reverse8(m) >> 4 })[1:]...)
	list = append(list, masking("mask 0 writes all lanes", rule, func(m uint8) uint8 {
		if m == 0 {
			return allLanes
		}
		return m
	})[1:]...)
	list = append(list, changed("a lane outside of the mask becomes NaN where the result is no finite number", rule,
		func(r *oracle.Rules) {
			before := r.Operands.Write
			r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) {
				before(op, to, v, mask)
				for i, x := range v {
					if u := &r.Unit; mask&(8>>i) == 0 && x&u.Infinity == u.Infinity {
						to[i] = u.Quiet
					}
				}
			}
		}))
	return append(list, masking("nothing is written", rule, func(uint8) uint8 { return 0 })...)
}

// masking: the mask of a destination is read wrongly, or also that of MOVA.
func masking(name, rule string, misread func(mask uint8) uint8) []*Hypothesis {
	write := func(r *oracle.Rules) {
		before := r.Operands.Write
		r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) { before(op, to, v, misread(mask)) }
	}
	return []*Hypothesis{
		changed(name, rule, write),
		changed(name+", of MOVA, too", rule, func(r *oracle.Rules) {
			write(r)
			before := r.Operands.MOVA
			r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) { before(address, v, misread(mask)) }
		}),
	}
}

// after changes registers behind the execution of an instruction.
func after(name, rule string, change func(c *oracle.Control)) *Hypothesis {
	return changed(name, rule, func(r *oracle.Rules) {
		before := r.Flow.Finish
		r.Flow.Finish = func(c *oracle.Control) {
			change(c)
			before(c)
		}
	})
}

// A scopeEnd is the end of scopes of one kind.
type scopeEnd struct {
	where string
	open  func(s *pica.Stacks) uint8 // the number of open ones
	// noting has a function called for what opens one.
	noting func(f *oracle.Flow, note func(c *oracle.Control, enter func()))
}

var (
	callReturns = scopeEnd{"a call returns", openCALLs, func(f *oracle.Flow, note func(c *oracle.Control, enter func())) {
		call := f.CALL
		f.CALL = func(c *oracle.Control, target, num int) { note(c, func() { call(c, target, num) }) }
	}}
	loopEnds = scopeEnd{"a loop ends", openLOOPs, func(f *oracle.Flow, note func(c *oracle.Control, enter func())) {
		loop := f.LOOP
		f.LOOP = func(c *oracle.Control, target int, p oracle.Passes) { note(c, func() { loop(c, target, p) }) }
	}}
	ifEnds   = scopeEnd{"an if ends", openIFs, notingIFs(0)}
	elseEnds = scopeEnd{"an if with an else part ends", openELSEs, notingIFs(1)}
)

// notingIFs notes the ifs that are true and whose else part has at least a number of words.
func notingIFs(least int) func(f *oracle.Flow, note func(c *oracle.Control, enter func())) {
	return func(f *oracle.Flow, note func(c *oracle.Control, enter func())) {
		branch := f.IF
		f.IF = func(c *oracle.Control, holds bool, target, num int) {
			if enter := func() { branch(c, holds, target, num) }; holds && num >= least {
				note(c, enter)
			} else {
				enter()
			}
		}
	}
}

// closes changes registers where scopes end.
func closes(name string, at scopeEnd, change func(c *oracle.Control)) *Hypothesis {
	return changed(name+" where "+at.where, "the end of a scope changes no register but aL (4.1)", func(r *oracle.Rules) {
		finish := r.Flow.Finish
		r.Flow.Finish = func(c *oracle.Control) {
			open := at.open(&c.Stacks)
			finish(c)
			for range int(open) - int(at.open(&c.Stacks)) {
				change(c)
			}
		}
	})
}

// goingOn changes registers where a loop has a further pass.
func goingOn(name string, change func(c *oracle.Control, e *pica.LoopEntry)) *Hypothesis {
	return changed(name+" where a loop goes on", "the end of a pass changes aL alone (4.1)", func(r *oracle.Rules) {
		before := r.Flow.Again
		r.Flow.Again = func(c *oracle.Control, e *pica.LoopEntry) bool {
			again := before(c, e)
			if again {
				change(c, e)
			}
			return again
		}
	})
}

// restored: where a scope ends, registers are what they were before it, as if the host had saved them.
func restored(at scopeEnd) (list []*Hypothesis) {
	add := func(kept string, restore func(to, from *pica.State)) {
		list = append(list, changed(kept+" restored where "+at.where, "the end of a scope changes no register but aL (4.1)",
			func(r *oracle.Rules) {
				var saved [pica.IfDepth]pica.State // before each open scope, of which ifs may be the most
				f := &r.Flow
				at.noting(f, func(c *oracle.Control, enter func()) {
					before, open := c.State, at.open(&c.Stacks)
					enter()
					if n := at.open(&c.Stacks); n > open {
						saved[open] = before
					} else if n > 0 { // the oldest scope is forgotten
						copy(saved[:], saved[1:n])
						saved[n-1] = before
					}
				})
				finish := f.Finish
				f.Finish = func(c *oracle.Control) {
					open := at.open(&c.Stacks)
					finish(c)
					if n := at.open(&c.Stacks); n < open {
						restore(&c.State, &saved[n])
					}
				}
			}))
	}
	add("the condition flags are", func(to, from *pica.State) { to.CC = from.CC })
	add("a0 is", func(to, from *pica.State) { to.Address = from.Address })
	for i, name := range "xy" {
		add(fmt.Sprintf("cc.%c is", name), func(to, from *pica.State) { to.CC[i] = from.CC[i] })
		add(fmt.Sprintf("a0.%c is", name), func(to, from *pica.State) { to.Address[i] = from.Address[i] })
	}
	add("aL is", func(to, from *pica.State) { to.AL = from.AL })
	add("the temporaries are", func(to, from *pica.State) { to.R = from.R })
	add("the outputs are", func(to, from *pica.State) { to.O = from.O })
	for n := range pica.NumTemporaries {
		add(fmt.Sprintf("r%d is", n), func(to, from *pica.State) { to.R[n] = from.R[n] })
	}
	return list
}

// clearLanes sets a temporary to 0 before the result of the instruction is written to some of its lanes.
func clearLanes(c *oracle.Control, n int) {
	written := 0
	if _, bits := descriptor(c); dest(c) == n+pica.DestTemporary {
		written = c.Rules.Encoding.Mask.Of(bits)
	}
	for i := range c.R[n] {
		if written&(8>>i) == 0 {
			c.R[n][i] = 0
		}
	}
}

// effects: an instruction changes what it should leave.
func effects(c *oracle.Control) (list []*Hypothesis) {
	const rule = "an instruction changes its destination alone (1.1)"
	op := c.Op
	// A call ends behind the instruction, or it is one that returns at once.
	e := &c.Rules.Encoding
	returns := pica.Opcodes[op].Flow == pica.FlowCall && e.Target.Of(c.Word)+e.Num.Of(c.Word) == c.PC+1
	if n := c.Stacks.CallDepth; n > 0 {
		returns = returns || int(c.Stacks.Call[n-1].End) == c.PC+1
	}
	ends := c.Stacks.IfDepth > 0 && int(c.Stacks.If[c.Stacks.IfDepth-1].Else) == c.PC+1
	add := func(name string, change func(c *oracle.Control)) {
		if returns {
			list = append(list, closes(name, callReturns, change))
		}
		if ends {
			list = append(list, closes(name, ifEnds, change))
		}
		if c.Stacks.LoopDepth > 0 {
			list = append(list, goingOn(name, func(c *oracle.Control, _ *pica.LoopEntry) { change(c) }))
		}
		if pica.Opcodes[op].Flow == pica.FlowCall { // if it is taken
			list = append(list, changed(name, rule, func(r *oracle.Rules) {
				before := r.Flow.CALL
				r.Flow.CALL = func(c *oracle.Control, target, num int) {
					before(c, target, num)
					change(c)
				}
			}).Within(OfOpcode(op)))
			return
		}
		h := after(name, rule, change).Within(OfOpcode(op))
		list = append(list, h)
		if op == pica.BREAKC || op == pica.JMPC || op == pica.JMPU {
			list = append(list, changed(name+" where it is taken", rule, func(r *oracle.Rules) {
				leave, jump := r.Flow.BREAK, r.Flow.JMP
				r.Flow.BREAK = func(c *oracle.Control) {
					leave(c)
					change(c)
				}
				r.Flow.JMP = func(c *oracle.Control, target int) {
					jump(c, target)
					change(c)
				}
			}).Within(OfOpcode(op)))
		}
		if op == pica.END && c.Vertex > 0 { // what the host does between vertices
			for _, v := range vertices(c) {
				list = append(list, h.Within(v))
			}
		}
	}
	if returns {
		list = append(list, restored(callReturns)...)
	}
	if c.Stacks.LoopDepth > 0 {
		list = append(list, restored(loopEnds)...)
	}
	if ends {
		list = append(list, restored(ifEnds)...)
		list = append(list, restored(elseEnds)...)
	}
	for i, name := range "xy" {
		if c.Stacks.LoopDepth > 0 {
			list = append(list, goingOn(fmt.Sprintf("cc.%c says whether more than one pass is left", name),
				func(c *oracle.Control, e *pica.LoopEntry) { c.CC[i] = e.Count > 0 }))
		}
	}
	if op == pica.MOVA {
		bounds := limits(add)
		list = slices.Concat(list, bounds, bothAddresses())
	}
	for n := range pica.NumTemporaries {
		add(fmt.Sprintf("r%d becomes 0", n), func(c *oracle.Control) { clearLanes(c, n) })
	}
	for i, name := range "xyzw" {
		for _, bank := range []struct {
			name string
			of   func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4
		}{
			{"o", func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4 { return &c.O }},
			{"r", func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4 { return &c.R }},
		} {
			for n := range pica.NumOutputs {
				add(fmt.Sprintf("%s%d.%c becomes 0", bank.name, n, name), func(c *oracle.Control) { bank.of(c)[n][i] = 0 })
				if op == pica.END {
					add(fmt.Sprintf("%s%d.%c loses its sign", bank.name, n, name),
						func(c *oracle.Control) { bank.of(c)[n][i] &^= c.Rules.Unit.Sign })
				}
			}
		}
	}
	for i, name := range "xy" {
		add(fmt.Sprintf("cc.%c becomes false", name), func(c *oracle.Control) { c.CC[i] = false })
		add(fmt.Sprintf("cc.%c becomes true", name), func(c *oracle.Control) { c.CC[i] = true })
		add(fmt.Sprintf("a0.%c becomes 0", name), func(c *oracle.Control) { c.Address[i] = 0 })
	}
	add("the flags are exchanged", func(c *oracle.Control) { c.CC[0], c.CC[1] = c.CC[1], c.CC[0] })
	add("both flags become false", func(c *oracle.Control) { c.CC = [2]bool{} })
	add("both flags become true", func(c *oracle.Control) { c.CC = [2]bool{true, true} })
	add("a0 becomes 0", func(c *oracle.Control) { c.Address = [2]int32{} })
	add("aL becomes 0", func(c *oracle.Control) { c.AL = 0 })
	add("a0.x becomes a0.y", func(c *oracle.Control) { c.Address[0] = c.Address[1] })
	add("a0.y becomes a0.x", func(c *oracle.Control) { c.Address[1] = c.Address[0] })
	add("aL becomes a0.x", func(c *oracle.Control) { c.AL = c.Address[0] })
	list = append(list, changed("is not executed", "every opcode is executed (1.1)", func(r *oracle.Rules) {
		r.Encoding.Opcode = func(uint32) pica.Opcode { return pica.NOP }
	}).Within(OfOpcode(op)))
	if op != pica.END {
		list = append(list, ending(op)...)
	}
	if s := c.Job.Profile.Support[op]; s == pica.SupportSkip || s == pica.SupportFetch {
		list = append(list, blanked(op)...)
	}
	return append(list, filled(c)...)
}

// blanked: an opcode that the model skips writes a number.
func blanked(op pica.Opcode) (list []*Hypothesis) {
	for _, of := range []struct {
		name  string
		value func(u *oracle.Unit) uint32
	}{{"0", func(*oracle.Unit) uint32 { return 0 }}, {"1", func(u *oracle.Unit) uint32 { return u.One }}} {
		list = append(list, changed("writes "+of.name, "every opcode is executed (1.1)", func(r *oracle.Rules) {
			clear(r.Admit[:])
			r.Operands.Result = func(c *oracle.Control, _ *[3]pica.Vec4, v *pica.Vec4) {
				x := of.value(&c.Rules.Unit)
				*v = pica.Vec4{x, x, x, x}
			}
		}).Within(OfOpcode(op)))
	}
	return list
}

// ending: an opcode ends the run, whatever scopes are open, as in an emulator that returns where it does not know one.
func ending(op pica.Opcode) (list []*Hypothesis) {
	const rule = "END alone ends a run (4.1)"
	ends := func(r *oracle.Rules) { r.Flow.Finish = func(c *oracle.Control) { c.Ended = true } }
	return append(list, changed("ends the run", rule, ends).Within(OfOpcode(op)),
		changed("ends the run and does nothing else", rule, func(r *oracle.Rules) {
			ends(r)
			r.Encoding.Opcode = func(uint32) pica.Opcode { return pica.NOP }
		}).Within(OfOpcode(op)))
}

// filled: a lane of the destination gets a constant, even if the mask lacks it.
func filled(c *oracle.Control) (list []*Hypothesis) {
	if dest(c) < 0 {
		return list
	}
	for i, lane := range "xyzw" {
		for k, value := range "01" {
			name := fmt.Sprintf("%c of the destination becomes %c", lane, value)
			list = append(list, after(name, "a mask has a bit for each component (1.4)", func(c *oracle.Control) {
				if d := dest(c); d >= 0 {
					c.Rules.Operands.Dest(&c.State, d)[i] = [...]uint32{0, c.Rules.Unit.One}[k]
				}
			}))
		}
	}
	return list
}

// A Lane is a lane of an output or of a temporary, which a destination number names.
type Lane struct{ Dest, Lane int }

// Spoils returns the hypotheses that an instruction stores a lane of its result or of a source in another register,
// too, as where a register of the host has two uses. Each one is there without a scope and for each condition on a
// destination.
func (s *Sight) Spoils(to Lane) (list []*Hypothesis) {
	for k, name := range []string{"the result", "source 1", "source 2", "source 3"} {
		for from := range 4 {
			h := changed(fmt.Sprintf("%s.%c becomes %c of %s", written(to.Dest), "xyzw"[to.Lane], "xyzw"[from], name),
				"an instruction changes its destination alone (1.1)", func(r *oracle.Rules) {
					var values [4]pica.Vec4
					stored := false // the result of the instruction
					read, result, finish := r.Operands.Read, r.Operands.Result, r.Flow.Finish
					r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
						if read != nil {
							read(c, sources)
						}
						copy(values[1:], sources[:])
					}
					r.Operands.Result = func(c *oracle.Control, sources *[3]pica.Vec4, v *pica.Vec4) {
						if result != nil {
							result(c, sources, v)
						}
						values[0], stored = *v, true
					}
					r.Flow.Finish = func(c *oracle.Control) {
						if k == 0 && stored || k > 0 && k <= shape(c).Count {
							c.Rules.Operands.Dest(&c.State, to.Dest)[to.Lane] = values[k][from]
						}
						stored = false
						finish(c)
					}
				})
			list = append(list, h)
			for _, c := range s.Conditions {
				if c.ofDestination {
					list = append(list, h.Within(c))
				}
			}
		}
	}
	return list
}

// bothAddresses: MOVA writes a lane of a0 with the other one, too, in fewer bits, or where its mask does not have it.
func bothAddresses() (list []*Hypothesis) {
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("a0.%c is written with the other lane, too", name),
			"MOVA has a mask (4.1)", func(r *oracle.Rules) {
				before := r.Operands.MOVA
				r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
					if before(address, v, mask); mask&(4<<i) != 0 {
						address[i] = v[1-i]
					}
				}
			}), roundedLane(i), changed(fmt.Sprintf("a0.%c becomes 0 where mova writes the other lane alone", name),
			"MOVA has a mask (4.1)", func(r *oracle.Rules) {
				before := r.Operands.MOVA
				r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
					if before(address, v, mask); mask&(8|4) == 4<<i {
						address[i] = 0
					}
				}
			}))
	}
	for _, bits := range []int{5, 6, 7, 8, 9, 10, 12, 16, 24} {
		cut := func(name string, of func(x uint32) int32) {
			list = append(list, changed(fmt.Sprintf("a0 has %d bits%s", bits, name), "an address register has 32 bits (1.5)",
				func(r *oracle.Rules) {
					before := r.Operands.MOVA
					r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
						before(address, [2]int32{of(uint32(v[0])), of(uint32(v[1]))}, mask)
					}
				}))
		}
		rest := 32 - bits
		cut(" without a sign", func(x uint32) int32 { return int32(x << rest >> rest) })
		if bits != 8 { // which [Table] has
			cut("", func(x uint32) int32 { return int32(x<<rest) >> rest })
		}
	}
	for _, of := range []struct {
		where string
		mask  uint8
	}{{"not written", 4}, {"written, too", 8 | 4}} {
		list = append(list, changed("a0.y takes lane x where a0.x is "+of.where, "MOVA converts x and y (3.11)",
			func(r *oracle.Rules) {
				before := r.Operands.MOVA
				r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
					if mask&(8|4) == of.mask {
						v[1] = v[0]
					}
					before(address, v, mask)
				}
			}))
	}
	return list
}

// roundedLane: MOVA rounds a lane of its source to the nearest integer, halves to even, as processors convert.
func roundedLane(i int) *Hypothesis {
	name := fmt.Sprintf("lane %c of source 1 rounded to the nearest integer", "xyzw"[i])
	return reading(name, func(c *oracle.Control, s *[3]pica.Vec4) {
		u := &c.Rules.Unit
		n := u.Operand(s[0][i])
		if n.Class != oracle.Finite || n.Exp >= 0 {
			return
		}
		whole, half := fraction(n)
		if half > 0 || half == 0 && whole&1 != 0 {
			whole++
		}
		if s[0][i] = 0; whole > 0 {
			s[0][i] = u.Pack(oracle.Number{Class: oracle.Finite, Neg: n.Neg, Sig: whole}, oracle.Nearest)
		}
	}).Within(OfOpcode(pica.MOVA))
}

// Bounds returns the hypotheses that a number which an answer has is the largest one of a0, or the least one, and that it
// is so of what MOVA reads: what is no integer may lie behind it.
func Bounds(n int32, largest bool) (list []*Hypothesis) {
	most, beyond := "least", oracle.Below
	if largest {
		most, beyond = "most", oracle.Above
	}
	a0 := after(fmt.Sprintf("a0 is at %s %d", most, n), "an address register has 32 bits (1.5)", func(c *oracle.Control) {
		for i, a := range c.Address {
			if a > n == largest {
				c.Address[i] = n
			}
		}
	})
	source := reading(fmt.Sprintf("what is at %s %d", most, n), func(c *oracle.Control, s *[3]pica.Vec4) {
		bound(&c.Rules.Unit, &s[0], n, beyond)
	})
	for _, h := range []*Hypothesis{a0, source} {
		h = h.Within(OfOpcode(pica.MOVA))
		h.Fitted = true
		list = append(list, h)
	}
	return list
}

// bound puts the number n in the place of what lies beyond it. NaN stays.
func bound(u *oracle.Unit, v *pica.Vec4, n int32, beyond oracle.Relation) {
	limit := uint32(0)
	if n != 0 {
		number := oracle.Number{Class: oracle.Finite, Neg: n < 0, Sig: uint64(max(int64(n), -int64(n)))}
		limit = u.Pack(number, oracle.Nearest)
	}
	for i, x := range v {
		if u.Relate(x, limit) == beyond {
			v[i] = limit
		}
	}
}

// limits adds the bounds that a0 may have, and returns those of what MOVA reads.
func limits(add func(name string, change func(c *oracle.Control))) (list []*Hypothesis) {
	for _, limit := range []struct {
		name        string
		least, most int32
	}{
		{"-128 and 127", -128, 127}, {"-32768 and 32767", math.MinInt16, math.MaxInt16}, {"0 and 127", 0, 127},
		{"0 and 255", 0, 255}, {"-127 and 127", -127, 127}, {"0 and 2147483647", 0, math.MaxInt32},
	} {
		stay := func(a *int32) { *a = min(max(*a, limit.least), limit.most) }
		add("a0 stays between "+limit.name, func(c *oracle.Control) {
			stay(&c.Address[0])
			stay(&c.Address[1])
		})
		for i, name := range "xy" {
			add(fmt.Sprintf("a0.%c stays between %s", name, limit.name), func(c *oracle.Control) { stay(&c.Address[i]) })
		}
		add("a0 outside "+limit.name+" is 0", func(c *oracle.Control) {
			for i, a := range c.Address {
				if a < limit.least || a > limit.most {
					c.Address[i] = 0
				}
			}
		})
		list = append(list, reading("what stays between "+limit.name, func(c *oracle.Control, s *[3]pica.Vec4) {
			bound(&c.Rules.Unit, &s[0], limit.least, oracle.Below)
			bound(&c.Rules.Unit, &s[0], limit.most, oracle.Above)
		}).Within(OfOpcode(pica.MOVA)))
	}
	return list
}

// states: registers that pass from vertex to vertex.
func states() (list []*Hypothesis) {
	const rule = "each vertex starts from the initial state where registers are not kept (5.2)"
	carry := func(state, name string, keep func(before, r *oracle.RegisterFile)) {
		list = append(list, &Hypothesis{Name: name, Rule: rule, Detail: 1, Passes: state, whole: true, apply: func(r *oracle.Rules) {
			begin := r.Carry.Begin
			r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
				before := *f
				if begin(f, initial, vertex, kept); vertex > 0 {
					keep(&before, f)
				}
			}
		}})
	}
	for n := range pica.NumTemporaries {
		carry("temporaries", fmt.Sprintf("r%d carries over", n), func(before, r *oracle.RegisterFile) { r.R[n] = before.R[n] })
		carry("outputs", fmt.Sprintf("o%d carries over", n), func(before, r *oracle.RegisterFile) { r.O[n] = before.O[n] })
	}
	for i, name := range "xy" {
		carry("address registers", fmt.Sprintf("a0.%c carries over", name),
			func(before, r *oracle.RegisterFile) { r.Address[i] = before.Address[i] })
		carry("condition flags", fmt.Sprintf("cc.%c carries over", name), func(before, r *oracle.RegisterFile) { r.CC[i] = before.CC[i] })
	}
	return list
}
