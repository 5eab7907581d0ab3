package hypothesis

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// renumbering reads the register m of another number in the place of n; k is the source, from 0 on.
func renumbering(text string, m func(k, n int) int) *Hypothesis {
	return changed(text, numbered, func(r *oracle.Rules) {
		before := r.Operands.Source
		r.Operands.Source = func(c *oracle.Control, k, n int) int {
			if before != nil {
				n = before(c, k, n)
			}
			return m(k, n)
		}
	})
}

// numbered is the rule about numbers of registers.
const numbered = "each number names a register of its own (1.5)"

// sourceAliases: a source reads another register.
func sourceAliases(c *oracle.Control) (list []*Hypothesis) {
	for k := range shape(c).Count {
		n := source(c, k)
		for _, m := range others(n) {
			for _, of := range []int{-1, k} { // the general one is named if both explain the same
				text := fmt.Sprintf("%s as source %d reads %s", register(n), k+1, register(m))
				if of < 0 {
					text = fmt.Sprintf("%s reads %s", register(n), register(m))
				}
				list = append(list, renumbering(text, func(k, s int) int {
					if s == n && (of < 0 || of == k) {
						return m
					}
					return s
				}))
			}
			if m == oracle.Zeros || n >= pica.SourceTemporary && n < pica.SourceUniform {
				continue
			}
			list = append(list, renumbering(fmt.Sprintf("%s and %s are read as each other", register(min(n, m)), register(max(n, m))),
				func(_, s int) int {
					switch s {
					case n:
						return m
					case m:
						return n
					}
					return s
				}))
			if n >= pica.SourceUniform {
				list = append(list, namedAs(n, m))
			}
		}
	}
	return list
}

// namedAs returns the hypothesis that the number of a float uniform in a word names another one. What an index leads to is
// read.
func namedAs(n, m int) *Hypothesis {
	name := fmt.Sprintf("%s in a word acts as %s, to which an index is added", register(n), register(m))
	return changed(name, numbered, func(r *oracle.Rules) {
		displace, number := r.Operands.Displace, r.Operands.Source
		r.Operands.Displace = func(c *oracle.Control, s, index int) int {
			if s == n {
				s = m
			}
			return displace(c, s, index)
		}
		r.Operands.Source = func(c *oracle.Control, k, s int) int {
			if s == n && (index(c) == pica.IndexNone || k != shape(c).Layout.Wide) {
				s = m
			}
			if number != nil {
				s = number(c, k, s)
			}
			return s
		}
	})
}

// laneAliases: one lane of a register is read as another, as 0 or as 1.
func laneAliases(c *oracle.Control) (list []*Hypothesis) {
	for k := range shape(c).Count {
		n := source(c, k)
		for i := range 4 {
			read := func(as string, of func(u *oracle.Unit, v *pica.Vec4) uint32) {
				list = append(list, changed(fmt.Sprintf("%s.%c reads %s", register(n), "xyzw"[i], as), numbered,
					func(r *oracle.Rules) {
						at := 0 // the register, displaced
						number, before := r.Operands.Source, r.Operands.Swizzle
						r.Operands.Source = func(c *oracle.Control, k, n int) int {
							if at = n; number != nil {
								at = number(c, k, n)
							}
							return at
						}
						r.Operands.Swizzle = func(c *oracle.Control, k int, v *pica.Vec4, selectors int) pica.Vec4 {
							if at != n {
								return before(c, k, v, selectors)
							}
							changed := *v
							changed[i] = of(&c.Rules.Unit, v)
							return before(c, k, &changed, selectors)
						}
					}))
			}
			read("0", func(*oracle.Unit, *pica.Vec4) uint32 { return 0 })
			read("1", func(u *oracle.Unit, _ *pica.Vec4) uint32 { return u.One })
			for j := range 4 {
				if j != i {
					read(fmt.Sprintf("%s.%c", register(n), "xyzw"[j]), func(_ *oracle.Unit, v *pica.Vec4) uint32 { return v[j] })
				}
			}
		}
	}
	return list
}

// stale: an instruction reads a temporary as it was before the instruction before it wrote it.
func stale(c *oracle.Control) (list []*Hypothesis) {
	d := lastTemporary(c)
	if d < 0 || source(c, 0) != d && source(c, 1) != d && source(c, 2) != d {
		return nil
	}
	last := pica.OpcodeOf(c.Last).Base()
	for _, by := range []struct {
		name string
		any  bool
	}{{"any instruction", true}, {last.String(), false}} {
		list = append(list, noting("the instruction behind "+by.name+" reads what its destination held",
			"an instruction reads its sources as they are (1.4, 3)", func(r *oracle.Rules) {
				var old pica.Vec4
				read := 0 // the source number, displaced
				to, number, swizzle := r.Operands.Dest, r.Operands.Source, r.Operands.Swizzle
				r.Operands.Dest = func(s *pica.State, n int) *pica.Vec4 {
					v := to(s, n)
					old = *v
					return v
				}
				r.Operands.Source = func(c *oracle.Control, k, n int) int {
					if read = n; number != nil {
						read = number(c, k, n)
					}
					return read
				}
				r.Operands.Swizzle = func(c *oracle.Control, k int, v *pica.Vec4, selectors int) pica.Vec4 {
					if read >= 0 && read == lastTemporary(c) && (by.any || pica.OpcodeOf(c.Last).Base() == last) {
						v = &old
					}
					return swizzle(c, k, v, selectors)
				}
			}))
	}
	return list
}

// banks: the registers of a bank are read in another order, or the bank ends early.
func banks(c *oracle.Control) (list []*Hypothesis) {
	for k := range shape(c).Count {
		n := source(c, k)
		first, end := firstOf(n)
		for _, order := range orders {
			if end-first != pica.NumInputs {
				break
			}
			list = append(list, renumbering(fmt.Sprintf("%s[n] reads %[1]s[%s]", register(first)[:1], order.name),
				func(_, s int) int {
					if s >= first && s < end {
						return first + order.of(s-first)&(pica.NumInputs-1)
					}
					return s
				}))
		}
		for _, modulo := range []int{16, 32, 64} {
			if first != pica.SourceUniform || n < first+modulo {
				continue
			}
			list = append(list, renumbering(fmt.Sprintf("c[n] reads c[n modulo %d]", modulo), func(_, s int) int {
				if s >= first {
					return first + (s-first)&(modulo-1)
				}
				return s
			}))
		}
		for from := n; from > first && n-from < pica.NumInputs; from-- {
			for _, m := range []int{first, oracle.Zeros} {
				list = append(list, renumbering(fmt.Sprintf("%s and above read %s", register(from), register(m)),
					func(_, s int) int {
						if s >= from && s < end {
							return m
						}
						return s
					}))
			}
		}
	}
	return list
}

// destAliases: a result goes to another register, or to none.
func destAliases(c *oracle.Control) (list []*Hypothesis) {
	const rule = numbered
	n := dest(c)
	if n < 0 {
		return list
	}
	for _, s := range spans(n) {
		list = append(list, unwritten(s))
		if n < pica.DestTemporary {
			list = append(list, withheld(s, true), withheld(s, false))
		}
	}
	for m := range pica.DestTemporary + pica.NumTemporaries {
		if m == n {
			continue
		}
		list = append(list, changed(fmt.Sprintf("%s is written to %s", written(n), written(m)), rule,
			func(r *oracle.Rules) {
				before := r.Operands.Dest
				r.Operands.Dest = func(s *pica.State, d int) *pica.Vec4 {
					if d == n {
						d = m
					}
					return before(s, d)
				}
			}), after(fmt.Sprintf("%s is written to %s, too", written(n), written(m)), rule, func(c *oracle.Control) {
			if dest(c) == n {
				r := c.Rules
				_, bits := descriptor(c)
				r.Operands.Write(c.Op, r.Operands.Dest(&c.State, m), r.Operands.Dest(&c.State, n),
					uint8(r.Encoding.Mask.Of(bits)))
			}
		}), shared(n, m))
	}
	for _, bit := range []int{8, 4, 2, 1} {
		list = append(list, changed(fmt.Sprintf("bit %d of the number of a destination is lost", bit), rule,
			func(r *oracle.Rules) {
				before := r.Operands.Dest
				r.Operands.Dest = func(s *pica.State, d int) *pica.Vec4 { return before(s, d&^bit) }
			}))
	}
	return list
}

// A span is a range of destination numbers: from first on, up to the number before end.
type span struct {
	name       string // with a verb: "o8 and above are"
	first, end int
}

// spans lists ranges of a bank with the destination n: n alone, all above a number, all outputs below one, the bank.
func spans(n int) []span {
	first := n &^ (pica.DestTemporary - 1)
	end := first + pica.DestTemporary
	list := []span{{written(n) + " is", n, n + 1}}
	for k := first + 1; k < end; k++ {
		switch {
		case k <= n:
			list = append(list, span{written(k) + " and above are", k, end})
		case n < pica.DestTemporary:
			list = append(list, span{written(k-1) + " and below are", first, k})
		}
	}
	return append(list, span{written(first)[:1] + "[n] is", first, end})
}

// unwritten returns the hypothesis that results do not get to some registers.
func unwritten(s span) *Hypothesis {
	return changed(s.name+" never written", numbered, func(r *oracle.Rules) {
		before := r.Operands.Dest
		r.Operands.Dest = func(state *pica.State, d int) *pica.Vec4 {
			if d >= s.first && d < s.end {
				lost := *before(state, d)
				return &lost
			}
			return before(state, d)
		}
	})
}

// withheld returns the hypothesis that some outputs are answered as 0, or as they were before the run.
func withheld(s span, zero bool) *Hypothesis {
	name := s.name + " answered as before the run"
	if zero {
		name = s.name + " answered as 0"
	}
	return noting(name, "the answer to a run has the outputs at its end (5.3)", func(r *oracle.Rules) {
		var answered [pica.NumOutputs]pica.Vec4
		begin, finish := r.Carry.Begin, r.Flow.Finish
		r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
			if begin(f, initial, vertex, kept); !zero {
				answered = f.O
			}
		}
		r.Flow.Finish = func(c *oracle.Control) {
			if finish(c); c.Ended {
				copy(c.O[s.first:s.end], answered[s.first:])
			}
		}
	})
}

// orders are orders in which a bank of 16 registers may be read.
var orders = []struct {
	name string
	of   func(n int) int
}{
	{"n^1", func(n int) int { return n ^ 1 }},
	{"n^8", func(n int) int { return n ^ 8 }},
	{"15-n", func(n int) int { return 15 - n }},
	{"n+1 modulo 16", func(n int) int { return n + 1 }},
	{"n-1 modulo 16", func(n int) int { return n - 1 }},
}

// firstOf returns the first register of the bank of a source number, and the number behind its last.
func firstOf(n int) (first, end int) {
	switch {
	case n >= pica.SourceUniform:
		return pica.SourceUniform, pica.SourceUniform + pica.NumFloats
	case n >= pica.SourceTemporary:
		return pica.SourceTemporary, pica.SourceUniform
	}
	return 0, pica.SourceTemporary
}

// shared returns the hypothesis that a register is written with another one that was written before: both have one
// place.
func shared(n, m int) *Hypothesis {
	h := changed(fmt.Sprintf("%s is written to %s, too, where that was written before", written(n), written(m)),
		"each number names a register of its own (1.5)", func(r *oracle.Rules) {
			used := false
			begin, finish := r.Carry.Begin, r.Flow.Finish
			r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
				used = false
				begin(f, initial, vertex, kept)
			}
			r.Flow.Finish = func(c *oracle.Control) {
				switch d := dest(c); {
				case d == m:
					used = true
				case d == n && used:
					_, bits := descriptor(c)
					c.Rules.Operands.Write(c.Op, c.Rules.Operands.Dest(&c.State, m), c.Rules.Operands.Dest(&c.State, n),
						uint8(c.Rules.Encoding.Mask.Of(bits)))
				}
				finish(c)
			}
		})
	h.whole = true
	return h
}

// copies: what MOV copied from one temporary to another changes with the first, as where a compiler names both registers
// the same.
func copies(c *oracle.Control) (list []*Hypothesis) {
	from := dest(c) - pica.DestTemporary
	mov := pica.MOV.Layout()
	for _, w := range c.Job.Code {
		to := int(mov.Dest.Get(w)) - pica.DestTemporary
		if pica.OpcodeOf(w) != pica.MOV || from < 0 || to < 0 || to == from ||
			int(mov.Src[0].Get(w)) != from+pica.SourceTemporary {
			continue
		}
		for _, until := range []struct {
			name string
			mov  bool
		}{{"it is written", false}, {"MOV writes it", true}} {
			list = append(list,
				copied(fmt.Sprintf("a copy of r%d in r%d changes with r%[1]d until %[3]s", from, to, until.name), until.mov,
					func(n, m int) bool { return n == from && m == to }),
				copied("a copy of a temporary changes with it until "+until.name, until.mov,
					func(n, m int) bool { return true }))
		}
	}
	return list
}

// copied returns the hypothesis that a copy of temporary n in m changes with n, until a write of m, or MOV, ends that.
func copied(name string, onlyMOV bool, of func(n, m int) bool) *Hypothesis {
	const none = -1
	return noting(name, numbered, func(r *oracle.Rules) {
		var source [pica.NumTemporaries]int // of each copy
		begin, finish := r.Carry.Begin, r.Flow.Finish
		r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
			for m := range source {
				source[m] = none
			}
			begin(f, initial, vertex, kept)
		}
		r.Flow.Finish = func(c *oracle.Control) {
			if d := dest(c); d >= pica.DestTemporary {
				n, operands := d-pica.DestTemporary, &c.Rules.Operands
				_, bits := descriptor(c)
				for m, from := range source {
					if from == n {
						operands.Write(c.Op, operands.Dest(&c.State, m+pica.DestTemporary), operands.Dest(&c.State, d),
							uint8(c.Rules.Encoding.Mask.Of(bits)))
					}
				}
				if !onlyMOV || c.Op == pica.MOV {
					source[n] = none
				}
				if from := c.Rules.Encoding.Shapes[pica.MOV].Layout.Sources[0].Of(c.Word) - pica.SourceTemporary; c.Op == pica.MOV &&
					from >= 0 && from < pica.NumTemporaries && from != n && of(from, n) {
					source[n] = from
				}
			}
			finish(c)
		}
	})
}

// lostResults: a result is not stored because the next word writes its register: too often, as that writes other lanes, or
// needs it.
func lostResults(c *oracle.Control) (list []*Hypothesis) {
	for _, next := range []struct {
		name string
		is   func(c, next *oracle.Control) bool
	}{
		{"writes some of its register and does not read it", func(c, next *oracle.Control) bool {
			return !readsDestination(next)
		}},
		{"writes some of its register", func(c, next *oracle.Control) bool { return true }},
		{"writes all of its register", func(c, next *oracle.Control) bool {
			_, bits := descriptor(next)
			return next.Rules.Encoding.Mask.Of(bits) == allLanes
		}},
	} {
		lost := func(c *oracle.Control) bool {
			if dest(c) < 0 || c.PC+1 >= pica.MaxCode {
				return false
			}
			n := at(c, c.PC+1)
			return dest(n) == dest(c) && next.is(c, n)
		}
		if lost(c) {
			list = append(list, changed("a result is lost where the next instruction "+next.name,
				"an instruction writes its result (1.4)", func(r *oracle.Rules) {
					before := r.Operands.Result
					r.Operands.Result = func(c *oracle.Control, s *[3]pica.Vec4, v *pica.Vec4) {
						if before != nil {
							before(c, s, v)
						}
						if lost(c) {
							*v = *c.Rules.Operands.Dest(&c.State, dest(c))
						}
					}
				}))
		}
	}
	return list
}

// readsDestination reports whether an instruction reads the temporary that it writes.
func readsDestination(c *oracle.Control) bool {
	d := dest(c)
	return d >= pica.DestTemporary && readsTemporary(c, d-pica.DestTemporary+pica.SourceTemporary)
}

// others returns the source numbers that a register may be taken for: those of its kind, and of the float
// uniforms those whose number differs in one bit or by one.
func others(n int) (list []int) {
	first, last := 0, pica.SourceTemporary
	switch {
	case n >= pica.SourceUniform:
		c := n - pica.SourceUniform
		seen := map[int]bool{c: true}
		for _, m := range []int{c - 1, c + 1, c ^ 1, c ^ 2, c ^ 4, c ^ 8, c ^ 16, c ^ 32, c ^ 64, 0, pica.NumFloats - 1} {
			if m >= 0 && m < pica.NumFloats && !seen[m] {
				seen[m] = true
				list = append(list, pica.SourceUniform+m)
			}
		}
		return append(list, oracle.Zeros)
	case n >= pica.SourceTemporary:
		first, last = pica.SourceTemporary, pica.SourceUniform
	}
	for m := first; m < last; m++ {
		if m != n {
			list = append(list, m)
		}
	}
	return append(list, oracle.Zeros)
}
