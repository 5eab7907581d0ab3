package latte

import (
	"cmp"
	"slices"
)

// groupRules are the rules that compare the instructions of a group or of a clause.
var groupRules = []Rule{
	{"LATTE033", Warning, document, "The instructions of a group are not in the order x, y, z, w, t.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			for k := 1; k < g.Count; k++ {
				if c.ALU[g.First+k].Unit < c.ALU[g.First+k-1].Unit {
					r(int(c.ALU[g.First].At)*WordBytes, g.Count*WordBytes)
					return
				}
			}
		})},
	{"LATTE034", Info, files, "A literal that no instruction refers to is not 0.",
		eachGroup(func(_ *checker, g *Group, _ *Group, r report) {
			for k := range 2 * g.LiteralWords {
				if g.Literals[k] != 0 && g.referred>>k&1 == 0 {
					r(g.LiteralAt*WordBytes, g.LiteralWords*WordBytes)
					return
				}
			}
		})},
	{"LATTE035", Error, document, "A reduction is not in all of x, y, z and w with one opcode.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			if a, same := c.reduction(g); a != nil && same != 4 {
				r(int(a.At)*WordBytes, WordBytes)
			}
		})},
	{"LATTE036", Warning, readers, "CLAMP or OMOD differ in a reduction.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			a, _ := c.reduction(g)
			for k := range g.Count {
				b := &c.ALU[g.First+k]
				if a != nil && b.op == a.op &&
					(aluClamp.of(a.Words) != aluClamp.of(b.Words) || aluOMod.of(a.Words) != aluOMod.of(b.Words)) {
					r(int(a.At)*WordBytes+4, 4)
					return
				}
			}
		})},
	{"LATTE040", Warning, console,
		"A group reads more than two constants, and more than four of their channels. Half of a constant " +
			"counts: xy or zw. Emulators run such a group, a console does not.",
		manyConstants(func(scalars int) bool { return scalars > 4 })},
	{"LATTE062", Info, mesa,
		"A group reads more than two constants, but not more than four of their channels. Half of a constant " +
			"counts: xy or zw. The document has an example of it; Mesa's limit for R700 is stricter, and compiled" +
			" code obeys that.",
		manyConstants(func(scalars int) bool { return scalars <= 4 })},
	{"LATTE045", Warning, document, "PV or PS is the result of a unit that the group before does not use.",
		eachGroup(func(c *checker, g, before *Group, r report) {
			if before != nil {
				c.results(g, c.used(before), r)
			}
		})},
	{"LATTE048", Warning, document, "The first group of a clause reads PV or PS.",
		eachGroup(func(c *checker, g, before *Group, r report) {
			if before == nil {
				c.results(g, 0, r)
			}
		})},
	{"LATTE051", Warning, document, "A group has two PRED_SET*, or PRED_SET* and KILL*.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			var sets, all int
			for k := range g.Count {
				a := &c.ALU[g.First+k]
				switch a.Op().effect {
				case setsPredicate:
					sets++
				case kills:
				default:
					continue
				}
				if all++; all > 1 && sets > 0 {
					r(int(a.At)*WordBytes, WordBytes)
					return
				}
			}
		})},
	{"LATTE054", Warning, document, "Two instructions of a group write one component.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			for k := range g.Count {
				a := &c.ALU[g.First+k]
				for j := range k {
					b := &c.ALU[g.First+j]
					if a.writes() && b.writes() && destination(a) == destination(b) {
						r(int(a.At)*WordBytes+4, 4)
						break
					}
				}
			}
		})},
}

// eachGroup gives a check each group, and the one before in the same clause.
func eachGroup(check func(c *checker, g, before *Group, r report)) func(*checker, report) {
	return func(c *checker, r report) {
		for i := range c.Clauses {
			clause := &c.Clauses[i]
			if clause.Kind != ALUClause {
				continue
			}
			var before *Group
			for k := range clause.Count {
				g := &c.Groups[clause.First+k]
				check(c, g, before, r)
				before = g
			}
		}
	}
}

// reduction returns the first reduction of a group and how many instructions share its opcode.
func (c *checker) reduction(g *Group) (a *ALU, same int) {
	for k := range g.Count {
		b := &c.ALU[g.First+k]
		if a == nil && b.Op().unit == reduceUnit {
			a = b
		}
		if a != nil && a.op == b.op {
			same++
		}
	}
	return a, same
}

// manyConstants reports the groups that read more than two pairs of constant components, and a wrong number of
// components: at the instruction that reads the third pair.
func manyConstants(wrong func(scalars int) bool) func(*checker, report) {
	return eachGroup(func(c *checker, g *Group, _ *Group, _ report) {
		var all [3 * 5]constantPair // of components
		var pairs constantPairs
		at, scalars := int32(-1), 0
		for a := range c.byUnit(g) {
			for j := range int(a.Op().Sources) {
				s := a.source(j)
				if !s.isConstant() {
					continue
				}
				if pair := (constantPair{s.sel, s.channel / 2}); !slices.Contains(pairs, pair) {
					pairs = append(pairs, pair)
				}
				if one := (constantPair{s.sel, s.channel}); !slices.Contains(all[:scalars], one) {
					all[scalars] = one
					scalars++
				}
			}
			if len(pairs) > 2 && at < 0 {
				at = a.At
			}
		}
		if at >= 0 && wrong(scalars) {
			c.code(int(at)*WordBytes, WordBytes, "%s", pairs)
		}
	})
}

// byUnit gives the instructions of a group in the order of their units.
func (c *checker) byUnit(g *Group) func(yield func(*ALU) bool) {
	return func(yield func(*ALU) bool) {
		for unit := range uint8(transcendental + 1) {
			for k := range g.Count {
				if a := &c.ALU[g.First+k]; a.Unit == unit && !yield(a) {
					return
				}
			}
		}
	}
}

// constantPair is xy or zw of a constant.
type constantPair struct{ sel, half uint32 }

type constantPairs []constantPair

// String returns "C6.xy, C6.zw, KC0[3].xy".
func (list constantPairs) String() string {
	text := ""
	list = slices.SortedFunc(slices.Values(list), func(a, b constantPair) int {
		return cmp.Or(cmp.Compare(a.sel, b.sel), cmp.Compare(a.half, b.half))
	})
	for i, p := range list {
		if i > 0 {
			text += ", "
		}
		text += constantName(p.sel) + [2]string{".xy", ".zw"}[p.half]
	}
	return text
}

// used returns a bit for each unit of a group.
func (c *checker) used(g *Group) (bits uint8) {
	for k := range g.Count {
		bits |= 1 << c.ALU[g.First+k].Unit
	}
	return bits
}

// results reports the instructions that read PV or PS of a unit that was not used.
func (c *checker) results(g *Group, used uint8, r report) {
	for k := range g.Count {
		a := &c.ALU[g.First+k]
		for j := range int(a.Op().Sources) {
			s := a.source(j)
			if s.sel == selPV && used>>s.channel&1 == 0 || s.sel == selPS && used>>transcendental&1 == 0 {
				r(int(a.At)*WordBytes, WordBytes)
				break
			}
		}
	}
}

// destination tells apart what instructions write.
func destination(a *ALU) [3]uint32 {
	return [3]uint32{dstGPR.of(a.Words), dstRel.of(a.Words), dstChan.of(a.Words)}
}
