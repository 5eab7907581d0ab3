package hypothesis

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// indexes: relative addressing goes wrong.
func indexes() (list []*Hypothesis) {
	list = append(list,
		unselected("the float uniform with an index", pica.SourceUniform),
		changed("the indexed source is not negated", "each source has a negate bit (1.4)", func(r *oracle.Rules) {
			read := r.Operands.Read
			r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
				if read != nil {
					read(c, sources)
				}
				if k := shape(c).Layout.Wide; index(c) != pica.IndexNone && negated(c, k) {
					negate(c, &sources[k])
				}
			}
		}),
		reading("the float uniform with an index not negated", func(c *oracle.Control, s *[3]pica.Vec4) {
			if k := shape(c).Layout.Wide; indexed(c) >= pica.SourceUniform && negated(c, k) {
				negate(c, &s[k])
			}
		}))
	offset := func(name, rule string, of func(int32) int32) {
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			before := r.Operands.Offset
			r.Operands.Offset = func(s *pica.State, index int) int32 { return of(before(s, index)) }
		}))
	}
	const window = "an index is a signed byte, else 0 (1.5 rule 2)"
	list = append(list, otherIndexes()...)
	offset("a negative index counts as positive", window, func(x int32) int32 {
		if x < 0 {
			return -x
		}
		return x
	})
	offset("a negative index counts as 0", window, func(x int32) int32 { return max(x, 0) })
	offset("an index is taken as a signed byte", window, func(x int32) int32 { return int32(int8(x)) })
	offset("an index is taken as an unsigned byte", window, func(x int32) int32 { return int32(uint8(x)) })
	offset("an index saturates at -128 and 127", window, func(x int32) int32 { return min(max(x, -128), 127) })
	offset("an index is one more", window, func(x int32) int32 { return x + 1 })
	offset("an index is one less", window, func(x int32) int32 { return x - 1 })
	offset("an index is 0", window, func(int32) int32 { return 0 })
	for _, times := range []int32{2, 4, 8, 16} { // as where it counts parts of a register
		offset(fmt.Sprintf("an index counts %d times", times), window, func(x int32) int32 { return x * times })
	}
	return slices.Concat(list, lateMOVA(), lateAL(), displaced())
}

// unselected returns the hypothesis that a source with an index is not swizzled, if its register is one from a number
// on.
func unselected(what string, first int) *Hypothesis {
	return changed(what+" is not swizzled", "selectors choose components (1.4)", func(r *oracle.Rules) {
		before := r.Operands.Swizzle
		r.Operands.Swizzle = func(c *oracle.Control, k int, v *pica.Vec4, selectors int) pica.Vec4 {
			if k == shape(c).Layout.Wide && indexed(c) >= first {
				selectors = pica.IdentitySwizzle
			}
			return before(c, k, v, selectors)
		}
	})
}

// otherIndexes: one index, or each, is taken for another one.
func otherIndexes() (list []*Hypothesis) {
	const each = pica.IndexNone
	names := [...]string{each: "of any kind", pica.IndexA0X: "a0.x", pica.IndexA0Y: "a0.y", pica.IndexAL: "aL"}
	for was := each; was <= pica.IndexAL; was++ {
		for is := pica.IndexA0X; is <= pica.IndexAL; is++ {
			if is != was {
				list = append(list, changed(fmt.Sprintf("index %s acts as %s", names[was], names[is]),
					"an index is a0.x, a0.y or aL (1.5)", func(r *oracle.Rules) {
						before := r.Operands.Offset
						r.Operands.Offset = func(s *pica.State, index int) int32 {
							if index == was || was == each {
								index = is
							}
							return before(s, index)
						}
					}))
			}
		}
	}
	return list
}

// lateMOVA: MOVA sets a0 too late for one instruction: for the one that is executed next, or for the word behind MOVA
// whenever that is executed, until another MOVA is.
func lateMOVA() (list []*Hypothesis) {
	for _, executed := range []bool{true, false} {
		behind := "word"
		if executed {
			behind = "instruction"
		}
		list = append(list, noting("the "+behind+" behind mova has the index of before",
			"MOVA sets a0 for the next instruction (4.1)", func(r *oracle.Rules) {
				const none = -1
				var old [2]int32
				word := none // behind the last MOVA
				begin, mova, displace, finish := r.Carry.Begin, r.Operands.MOVA, r.Operands.Displace, r.Flow.Finish
				r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
					word = none
					begin(f, initial, vertex, kept)
				}
				r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
					old = *address
					mova(address, v, mask)
				}
				r.Flow.Finish = func(c *oracle.Control) {
					if c.Op == pica.MOVA {
						word = c.PC + 1
					}
					finish(c)
				}
				r.Operands.Displace = func(c *oracle.Control, n, index int) int {
					late := word == c.PC
					if executed {
						late = c.Last != 0 && pica.OpcodeOf(c.Last) == pica.MOVA
					}
					if n < pica.SourceUniform || !late {
						return displace(c, n, index)
					}
					now := c.Address
					c.Address = old
					n = displace(c, n, index)
					c.Address = now
					return n
				}
			}))
	}
	return list
}

// lateAL: in a loop an index is an older one. a0 counts as it was where the loop began, aL as in the first pass of its
// loop or as in the pass before.
func lateAL() (list []*Hypothesis) {
	list = append(list, noting("a0 as an index in a loop is that of its start",
		"MOVA sets a0 for the next instruction (4.1)", func(r *oracle.Rules) {
			var old [2]int32
			loop, offset := r.Flow.LOOP, r.Operands.Offset
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				old = c.Address
				loop(c, target, p)
			}
			r.Operands.Offset = func(s *pica.State, index int) int32 {
				if index != pica.IndexAL && s.Stacks.LoopDepth > 0 {
					return old[index-pica.IndexA0X]
				}
				return offset(s, index)
			}
		}))
	for _, of := range []struct {
		name  string
		steps bool
	}{{"the first of its loop", false}, {"that of the pass before", true}} {
		list = append(list, noting("aL as an index is "+of.name, "aL is the sum of the steps (1.5)", func(r *oracle.Rules) {
			var old int32
			loop, step, offset := r.Flow.LOOP, r.Flow.StepAL, r.Operands.Offset
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				old = int32(p.First)
				loop(c, target, p)
			}
			r.Flow.StepAL = func(c *oracle.Control, e *pica.LoopEntry) {
				if of.steps {
					old = c.AL
				}
				step(c, e)
			}
			r.Operands.Offset = func(s *pica.State, index int) int32 {
				if index == pica.IndexAL && s.Stacks.LoopDepth > 0 {
					return old
				}
				return offset(s, index)
			}
		}))
	}
	return list
}

// displaced: a sum of a number and its index that is no register reads another one. An index counts in a window.
func displaced() (list []*Hypothesis) {
	for _, window := range []struct {
		name string
		of   func(k, x int) int // the index that counts for register k
	}{
		{"", nil}, // that of the console, which another hypothesis may change
		{"; every index counts", func(_, x int) int { return x }},
		{"; an index whose sum is no signed byte is 0", func(k, x int) int {
			if k+x != int(int8(k+x)) {
				return 0
			}
			return x
		}},
	} {
		for _, sum := range sums() {
			list = append(list, changed(sum.name+window.name, "c96 to c127 read (1, 1, 1, 1) (1.5 rule 3)",
				func(r *oracle.Rules) {
					before := r.Operands.Displace
					r.Operands.Displace = func(c *oracle.Control, n, index int) int {
						was, k, x := before(c, n, index), n-pica.SourceUniform, int(c.Offset(index))
						switch {
						case n < pica.SourceUniform:
							return was
						case window.of != nil:
							x = window.of(k, x)
							if was = pica.SourceUniform + (k+x)&127; was >= pica.SourceUniform+pica.NumFloats {
								was = oracle.Ones
							}
						case x != int(int8(x)):
							return was
						}
						return sum.of(k, k+x, was)
					}
				}))
		}
	}
	for _, bank := range []struct {
		name       string
		first, end int
	}{
		{"inputs and temporaries are", 0, pica.SourceUniform}, {"inputs are", 0, pica.SourceTemporary},
		{"temporaries are", pica.SourceTemporary, pica.SourceUniform},
	} {
		list = append(list, changed(bank.name+" indexed within their bank",
			"only float uniforms are indexed (1.5 rule 1)", func(r *oracle.Rules) {
				before := r.Operands.Displace
				r.Operands.Displace = func(c *oracle.Control, n, index int) int {
					if n < bank.first || n >= bank.end {
						return before(c, n, index)
					}
					return n&16 | (n+int(c.Offset(index)))&15
				}
			}))
	}
	return list
}

// A sumOfIndex returns the source number that register k reads with an index, given their sum and what it reads else.
type sumOfIndex struct {
	name string
	of   func(k, sum, was int) int
}

// sums are what becomes of the sum of a number and its index.
func sums() (list []sumOfIndex) {
	const last = pica.NumFloats - 1
	for _, where := range []struct {
		name string
		is   func(sum int) bool
	}{
		{"an index beyond c95", func(sum int) bool { return sum&127 > last }},
		{"an index to c95", func(sum int) bool { return sum&127 == last }},
		{"an index to c96", func(sum int) bool { return sum&127 == last+1 }},
		{"a sum of a number and its index outside 0 to 127", func(sum int) bool { return sum != sum&127 }},
		{"a sum of a number and its index outside 0 to 95", func(sum int) bool { return sum < 0 || sum > last }},
	} {
		for _, instead := range []struct {
			name string
			of   func(k, sum int) int
		}{
			{"zeros", func(int, int) int { return oracle.Zeros }},
			{"ones", func(int, int) int { return oracle.Ones }},
			{"c0", func(int, int) int { return pica.SourceUniform }},
			{"c95", func(int, int) int { return pica.SourceUniform + last }},
			{"the nearest register", func(_, sum int) int { return pica.SourceUniform + min(max(sum, 0), last) }},
			{"the register without index", func(k, _ int) int { return pica.SourceUniform + k }},
		} {
			list = append(list, sumOfIndex{where.name + " reads " + instead.name, func(k, sum, was int) int {
				if where.is(sum) {
					return instead.of(k, sum)
				}
				return was
			}})
		}
	}
	list = append(list, sumOfIndex{"an index to c96 and above reads c0 and above", func(_, sum, was int) int {
		if sum&127 > last {
			return pica.SourceUniform + sum&127 - pica.NumFloats
		}
		return was
	}})
	for _, modulo := range []struct {
		name string
		of   func(sum int) int
	}{
		{"", func(sum int) int { return ((sum % pica.NumFloats) + pica.NumFloats) % pica.NumFloats }},
		{" as an unsigned number", func(sum int) int { return int(uint32(sum) % pica.NumFloats) }},
	} {
		list = append(list, sumOfIndex{"the sum of a number and its index counts modulo 96" + modulo.name,
			func(_, sum, _ int) int { return pica.SourceUniform + modulo.of(sum) }})
	}
	for _, mask := range []int{31, 63, 95} {
		list = append(list, sumOfIndex{fmt.Sprintf("the sum of a number and its index is masked with %d", mask),
			func(_, sum, _ int) int { return pica.SourceUniform + sum&mask }})
	}
	return list
}
