package hypothesis

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// flags: CMP or LITP sets a flag otherwise, or leaves it.
func flags(c *oracle.Control) (list []*Hypothesis) {
	if c.Op == pica.CMP || c.Op == pica.LITP {
		list = append(list, changed("the flags are exchanged", "the first flag is of x (3.2, 3.10)", func(r *oracle.Rules) {
			before := r.Operands.Flags
			r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
				before(op, cc, [2]bool{v[1], v[0]}, mask)
			}
		}))
	}
	if c.Op != pica.CMP {
		return list
	}
	for i, name := range "xy" {
		for j, lane := range "xyzw" {
			if i != j {
				list = append(list, changed(fmt.Sprintf("cc.%c compares %c", name, lane), "CMP compares x and y (3.2)",
					func(r *oracle.Rules) { r.Operands.Compared[i] = j }))
			}
		}
	}
	operators := func(name string, from func(operators [2]uint32) [2]uint32) {
		list = append(list, takesOperators(name, "each flag has an operator of its own (1.2)", from))
	}
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("cc.%c compares source 2 with source 1", name), "CMP compares source 1 with source 2 (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.CMP
				r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
					flags, exchanged := before(c, operators, a, b), before(c, operators, b, a)
					flags[i] = exchanged[i]
					return flags
				}
			}))
	}
	operators("cc.x has the operator of y", func(o [2]uint32) [2]uint32 { return [2]uint32{o[1], o[1]} })
	operators("cc.y has the operator of x", func(o [2]uint32) [2]uint32 { return [2]uint32{o[0], o[0]} })
	operators("the operators are exchanged", func(o [2]uint32) [2]uint32 { return [2]uint32{o[1], o[0]} })
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("cc.%c is the other flag", name), "CMP sets both flags (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.Flags
				r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
					v[i] = v[1-i]
					before(op, cc, v, mask)
				}
			}))
	}
	for i, name := range "xy" {
		for _, of := range []struct {
			name string
			set  func(x, y bool) bool
		}{
			{"both flags", func(x, y bool) bool { return x && y }}, {"any flag", func(x, y bool) bool { return x || y }},
			{"one flag", func(x, y bool) bool { return x != y }},
		} {
			list = append(list, changed(fmt.Sprintf("cc.%c says whether %s would be set", name, of.name),
				"CMP sets both flags (3.2)", func(r *oracle.Rules) {
					before := r.Operands.Flags
					r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
						v[i] = of.set(v[0], v[1])
						before(op, cc, v, mask)
					}
				}))
		}
		list = append(list, changed(fmt.Sprintf("cc.%c stays as it is", name), "CMP sets both flags (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.Flags
				r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
					v[i] = cc[i]
					before(op, cc, v, mask)
				}
			}))
	}
	return slices.Concat(list, maskedFlags(), comparisonFaults(c))
}

// spoiltFlags: an instruction sets a flag, as where the host compares its sources, or its result with 0.
func spoiltFlags(c *oracle.Control) (list []*Hypothesis) {
	if c.Op == pica.CMP || shape(c).Count == 0 {
		return nil
	}
	for k, name := range []string{"source 1 is %s source 2", "the result is %s 0"} {
		if k == 0 && shape(c).Count < 2 {
			continue
		}
		for op, relation := range []string{"equal to", "not", "less than", "at most", "greater than", "at least"} {
			for i, flag := range "xy" {
				list = append(list, changed(fmt.Sprintf("cc.%c says whether "+name, flag, relation),
					"an instruction changes its destination alone (1.1)", func(r *oracle.Rules) {
						before := r.Operands.Result
						r.Operands.Result = func(c *oracle.Control, s *[3]pica.Vec4, v *pica.Vec4) {
							a, b := s[0][i], s[1][i]
							if before != nil {
								before(c, s, v)
							}
							if k > 0 {
								a, b = v[i], 0
							}
							c.CC[i] = r.Unit.Ops.Compare(&r.Unit, uint32(op), a, b)
						}
					}).Within(OfOpcode(c.Op)))
			}
		}
	}
	return list
}

// maskedFlags: CMP sets only the flags that the mask of its descriptor has. Others stay, or are false.
func maskedFlags() (list []*Hypothesis) {
	for _, of := range []struct {
		name  string
		lanes uint8
	}{{"flags", 8 | 4}, {"cc.x", 8}, {"cc.y", 4}} {
		for _, stays := range []bool{true, false} {
			name := of.name + " outside of the mask: false"
			if stays {
				name = of.name + " outside of the mask: as before"
			}
			list = append(list, changed(name, "CMP sets both flags (3.2)", func(r *oracle.Rules) {
				before := r.Operands.Flags
				r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
					for i := range v {
						if op == pica.CMP && of.lanes&^mask&(8>>i) != 0 {
							v[i] = stays && cc[i]
						}
					}
					before(op, cc, v, mask)
				}
			}))
		}
	}
	return list
}

// comparisonRule is the sentence that another comparison breaks.
const comparisonRule = "CMP has the operators eq, ne, lt, le, gt, ge (3.2)"

// comparison is the rule that compares two lanes by an operator.
type comparison = func(u *oracle.Unit, op, a, b uint32) bool

// compares is a core that compares two lanes otherwise; of gets the comparison that it replaces.
func compares(name string, of func(u *oracle.Unit, op, a, b uint32, before comparison) bool) *Hypothesis {
	return changed(name, comparisonRule, func(r *oracle.Rules) {
		before := r.Unit.Ops.Compare
		r.Unit.Ops.Compare = func(u *oracle.Unit, op, a, b uint32) bool { return of(u, op, a, b, before) }
	})
}

// comparisonFaults: CMP compares bits, or by the negation of another operator.
func comparisonFaults(c *oracle.Control) []*Hypothesis {
	list := operatorFaults(c)
	for _, of := range []struct {
		name   string
		eq, ne bool
	}{{"equality compares bits", true, true}, {"operator 0 compares bits", true, false},
		{"operator 1 compares bits", false, true}} {
		list = append(list, compares(of.name, func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
			switch {
			case op == pica.CmpEQ && of.eq:
				return a == b
			case op == pica.CmpNE && of.ne:
				return a != b
			}
			return before(u, op, a, b)
		}))
	}
	return append(list, compares("comparisons are negated opposites",
		func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
			switch op {
			case pica.CmpGE:
				return !before(u, pica.CmpLT, a, b)
			case pica.CmpLE:
				return !before(u, pica.CmpGT, a, b)
			}
			return before(u, op, a, b)
		}))
}

// takesOperators is a core whose CMP takes others for the operators of an instruction, of cc.x and of cc.y.
func takesOperators(name, rule string, from func(operators [2]uint32) [2]uint32) *Hypothesis {
	return changed(name, rule, func(r *oracle.Rules) {
		before := r.Operands.CMP
		r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
			return before(c, from(operators), a, b)
		}
	})
}

// operatorFaults: CMP takes one of the operators of an instruction for another, or compares otherwise by it.
func operatorFaults(c *oracle.Control) (list []*Hypothesis) {
	for i, field := range []oracle.Field{c.Rules.Encoding.CompareX, c.Rules.Encoding.CompareY} {
		was := uint32(field.Of(c.Word))
		for is := range uint32(8) {
			if is == was {
				continue
			}
			acts := [8]uint32{0, 1, 2, 3, 4, 5, 6, 7} // the operator that is used for each
			acts[was] = is
			exchanged := acts
			exchanged[is] = was
			faults := [...]struct {
				subject, verb string
				used          [8]uint32
			}{
				{fmt.Sprintf("operator %d", was), fmt.Sprintf("acts as %d", is), acts},
				{fmt.Sprintf("operators %d and %d", min(was, is), max(was, is)), "are exchanged", exchanged},
			}
			for _, of := range faults {
				list = append(list, takesOperators(fmt.Sprintf("%s of cc.%c %s", of.subject, "xy"[i], of.verb),
					comparisonRule, func(operators [2]uint32) [2]uint32 {
						operators[i] = of.used[operators[i]]
						return operators
					}))
			}
			for _, of := range faults {
				list = append(list, compares(of.subject+" "+of.verb,
					func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
						return before(u, of.used[op], a, b)
					}))
			}
		}
		list = append(list, compares(fmt.Sprintf("operator %d compares bits as integers", was),
			func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
				if holds, known := (bitOrder{}).compare(u, op, a, b); known && op == was {
					return holds
				}
				return before(u, op, a, b)
			}))
		list = append(list, compares(fmt.Sprintf("operator %d compares two negative numbers by their bits", was),
			func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
				if holds, known := (bitOrder{}).compare(u, op, a, b); known && op == was && a&b&u.Sign != 0 {
					return holds
				}
				return before(u, op, a, b)
			}))
		for _, holds := range []bool{false, true} {
			list = append(list, unordered(was, holds))
			list = append(list, changed(fmt.Sprintf("operator %d is %t", was, holds), comparisonRule, func(r *oracle.Rules) {
				before := r.Operands.CMP
				r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
					flags := before(c, operators, a, b)
					for i, op := range operators {
						if op == was {
							flags[i] = holds
						}
					}
					return flags
				}
			}))
		}
	}
	return list
}

// unordered gives an operator an answer for NaN.
func unordered(operator uint32, holds bool) *Hypothesis {
	return compares(fmt.Sprintf("operator %d is %t for NaN", operator, holds),
		func(u *oracle.Unit, op, a, b uint32, before comparison) bool {
			if op == operator && u.Relate(a, b) == oracle.Unordered {
				return holds
			}
			return before(u, op, a, b)
		})
}

// A bitOrder orders numbers by their bits as signed integers.
type bitOrder struct {
	negativeNaN bool // NaN has a sign, as the results of x86 have
}

// integer returns the bits of a number as a signed integer.
func (o bitOrder) integer(u *oracle.Unit, x uint32) int64 {
	if o.negativeNaN && x == u.Quiet {
		x |= u.Sign
	}
	return int64(x&^u.Sign) - int64(x&u.Sign)
}

func (o bitOrder) less(u *oracle.Unit, a, b uint32) bool { return o.integer(u, a) < o.integer(u, b) }

// compare is CMP by the order; known is false for an operator without a name.
func (o bitOrder) compare(u *oracle.Unit, op, a, b uint32) (holds, known bool) {
	switch op {
	case pica.CmpEQ:
		return a == b, true
	case pica.CmpNE:
		return a != b, true
	case pica.CmpLT:
		return o.less(u, a, b), true
	case pica.CmpLE:
		return !o.less(u, b, a), true
	case pica.CmpGT:
		return o.less(u, b, a), true
	case pica.CmpGE:
		return !o.less(u, a, b), true
	}
	return false, false
}

// differences: an instruction that compares numbers compares their difference with 0. That of equal infinities is NaN.
func differences(c *oracle.Control) (list []*Hypothesis) {
	switch c.Op {
	case pica.SLT, pica.SLTI, pica.SGE, pica.SGEI, pica.CMP:
	default:
		return nil
	}
	for _, of := range []struct {
		name string
		most uint32 // operator of CMP
	}{{"the difference is compared with 0", pica.CmpGE}, {"the difference is compared with 0 for equality", pica.CmpNE}} {
		list = append(list, changed(of.name, "numbers are compared, not their difference (3.9)", func(r *oracle.Rules) {
			ops := &r.Unit.Ops
			minus := func(u *oracle.Unit, a, b uint32) uint32 { return u.Ops.Add(u, a, b^u.Sign) }
			compare, slt, sge := ops.Compare, ops.SLT, ops.SGE
			ops.Compare = func(u *oracle.Unit, op, a, b uint32) bool {
				if op <= of.most {
					a, b = minus(u, a, b), 0
				}
				return compare(u, op, a, b)
			}
			if of.most == pica.CmpGE {
				ops.SLT = func(u *oracle.Unit, a, b uint32) uint32 { return slt(u, minus(u, a, b), 0) }
				ops.SGE = func(u *oracle.Unit, a, b uint32) uint32 { return sge(u, minus(u, a, b), 0) }
			}
		}))
	}
	return list
}

// integerComparisons: an instruction that compares numbers takes their bits for signed integers.
func integerComparisons(c *oracle.Control) (list []*Hypothesis) {
	switch c.Op {
	case pica.SLT, pica.SLTI, pica.SGE, pica.SGEI, pica.MAX, pica.MIN, pica.CMP:
	default:
		return nil
	}
	truth := func(u *oracle.Unit, holds bool) uint32 {
		if holds {
			return u.One
		}
		return 0
	}
	for _, order := range []bitOrder{{}, {negativeNaN: true}} {
		name := "bits are compared as integers"
		if order.negativeNaN {
			name += ", NaN is negative"
		}
		h := changed(name, "numbers are compared, and NaN fails (3.9)",
			func(r *oracle.Rules) {
				ops := &r.Unit.Ops
				ops.SLT = func(u *oracle.Unit, a, b uint32) uint32 { return truth(u, order.less(u, a, b)) }
				ops.SGE = func(u *oracle.Unit, a, b uint32) uint32 { return truth(u, !order.less(u, a, b)) }
				ops.Max = func(u *oracle.Unit, a, b uint32) uint32 {
					if order.less(u, b, a) {
						return a
					}
					return b
				}
				ops.Min = func(u *oracle.Unit, a, b uint32) uint32 {
					if order.less(u, a, b) {
						return a
					}
					return b
				}
				before := ops.Compare
				ops.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
					if holds, known := order.compare(u, op, a, b); known {
						return holds
					}
					return before(u, op, a, b)
				}
			})
		list = append(list, h, h.Within(OfOpcode(c.Op)))
	}
	return list
}
