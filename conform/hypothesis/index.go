package hypothesis

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// indexes: relative addressing goes wrong.
func indexes() (list []*Hypothesis) {
	list = append(list,
		changed("the indexed source is not swizzled", "selectors choose components (1.4)",
			selecting(wide, func(int) int { return pica.IdentitySwizzle })),
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
			l := shape(c).Layout
			if index(c) != pica.IndexNone && l.Sources[l.Wide].Of(c.Word) >= pica.SourceUniform && negated(c, l.Wide) {
				negate(c, &s[l.Wide])
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
	list = append(list, noting("the instruction behind mova has the index of before",
		"MOVA sets a0 for the next instruction (4.1)", func(r *oracle.Rules) {
			var old [2]int32
			mova, before := r.Operands.MOVA, r.Operands.Displace
			r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
				old = *address
				mova(address, v, mask)
			}
			r.Operands.Displace = func(c *oracle.Control, n, index int) int {
				if n < pica.SourceUniform || c.Last == 0 || pica.OpcodeOf(c.Last) != pica.MOVA {
					return before(c, n, index)
				}
				now := c.Address
				c.Address = old
				n = before(c, n, index)
				c.Address = now
				return n
			}
		}))
	return append(append(list, lateAL()...), displaced()...)
}

// otherIndexes: one index is taken for another one.
func otherIndexes() (list []*Hypothesis) {
	names := [...]string{pica.IndexA0X: "a0.x", pica.IndexA0Y: "a0.y", pica.IndexAL: "aL"}
	for was := pica.IndexA0X; was <= pica.IndexAL; was++ {
		for is := pica.IndexA0X; is <= pica.IndexAL; is++ {
			if is != was {
				list = append(list, changed(fmt.Sprintf("index %s acts as %s", names[was], names[is]),
					"an index is a0.x, a0.y or aL (1.5)", func(r *oracle.Rules) {
						before := r.Operands.Offset
						r.Operands.Offset = func(s *pica.State, index int) int32 {
							if index == was {
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

// displaced are hypotheses about the register that an index leads to.
func displaced() (list []*Hypothesis) {
	displace := func(name, rule string, of func(c *oracle.Control, n, index, was int) int) {
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			before := r.Operands.Displace
			r.Operands.Displace = func(c *oracle.Control, n, index int) int {
				return of(c, n, index, before(c, n, index))
			}
		}))
	}
	const beyond = "c96 to c127 read (1, 1, 1, 1) (1.5 rule 3)"
	for _, instead := range []struct {
		name string
		n    int
	}{{"zeros", oracle.Zeros}, {"c0", pica.SourceUniform}, {"c95", pica.SourceUniform + pica.NumFloats - 1}} {
		displace("an index beyond c95 reads "+instead.name, beyond, func(_ *oracle.Control, _, _, was int) int {
			if was == oracle.Ones {
				return instead.n
			}
			return was
		})
	}
	displace("an index beyond c95 reads the register without index", beyond,
		func(_ *oracle.Control, n, _, was int) int {
			if was == oracle.Ones {
				return n
			}
			return was
		})
	displace("a sum of a number and its index outside 0 to 127 reads c0", beyond,
		func(c *oracle.Control, n, index, was int) int {
			x := c.Offset(index)
			sum := n - pica.SourceUniform + int(x)
			if n >= pica.SourceUniform && x == int32(int8(x)) && sum != sum&127 {
				return pica.SourceUniform
			}
			return was
		})
	displace("an index to c96 and above reads c0 and above", beyond, func(c *oracle.Control, n, index, was int) int {
		if was != oracle.Ones {
			return was
		}
		const registers = 128
		return pica.SourceUniform + (n-pica.SourceUniform+int(c.Offset(index)))&(registers-1) - pica.NumFloats
	})
	for _, mask := range []int{31, 63, 95} {
		masked := fmt.Sprintf("the sum of a number and its index is masked with %d", mask)
		displace(masked, beyond, func(c *oracle.Control, n, index, was int) int {
			if n < pica.SourceUniform {
				return was
			}
			x := c.Offset(index)
			if x != int32(int8(x)) {
				x = 0
			}
			return pica.SourceUniform + (n-pica.SourceUniform+int(x))&mask
		})
	}
	displace("inputs and temporaries are indexed within their bank", "only float uniforms are indexed (1.5 rule 1)",
		func(c *oracle.Control, n, index, was int) int {
			if n >= pica.SourceUniform {
				return was
			}
			return n&16 | (n+int(c.Offset(index)))&15
		})
	return list
}
