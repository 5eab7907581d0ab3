package latte

import "slices"

// stackRules are the rules about loops and the stack of masks, in the order of addresses.
var stackRules = []Rule{
	{"LATTE013", Error, document, "A loop has one end only, or a break or continue is outside of loops.",
		func(c *checker, r report) {
			endless := c.loops(func(i int, open []int) {
				if op := c.CF[i].Op(); len(open) == 0 && (op.address == endAddress || op.leavesLoop()) {
					r(c.CF[i].At*WordBytes, WordBytes)
				}
			})
			for _, i := range endless {
				r(c.CF[i].At*WordBytes, WordBytes)
			}
		}},
	{"LATTE014", Warning, document, "Start and end of a loop do not point behind each other.",
		func(c *checker, r report) {
			for start, end := range c.loopEnds() {
				from, to := &c.CF[start], &c.CF[end]
				if end > 0 && (int(cfAddr.of(from.Words)) != to.At+1 || int(cfAddr.of(to.Words)) != from.At+1) {
					r(to.At*WordBytes, WordBytes)
				}
			}
		}},
	{"LATTE026", Warning, document, "More masks are popped than pushed.", func(c *checker, r report) {
		c.masks(func(cf *CF, missing, _ int) {
			if missing > 0 {
				r(cf.At*WordBytes, WordBytes)
			}
		})
	}},
	{"LATTE027", Warning, document, "Masks are left at the end.", func(c *checker, r report) {
		left := 0
		c.masks(func(_ *CF, _, open int) { left = open })
		if left > 0 {
			r(c.CF[len(c.CF)-1].At*WordBytes, WordBytes)
		}
	}},
	{"LATTE053", Warning, mesa, "A clause that pushes, breaks or continues has no UPDATE_EXEC_MASK.",
		eachCF(func(c *checker, i int) int {
			cf := &c.CF[i]
			op := cf.Op()
			if cf.Clause < 0 || op.form != aluForm || op.stack != push && !op.leavesLoop() {
				return none
			}
			return first(!slices.ContainsFunc(c.instructions(&c.Clauses[cf.Clause]), func(a ALU) bool {
				return !a.isOP3() && aluExecMask.flag(a.Words)
			}))
		})},
}

const (
	cfALUContinue = 13
	cfALUBreak    = 14
)

// leavesLoop reports whether an instruction needs a loop around it.
func (o *CFOp) leavesLoop() bool {
	return o.address == exitAddress || o.form == aluForm && (o.Code == cfALUContinue || o.Code == cfALUBreak)
}

// masks follows the stack of masks: how many are missing at a word, and how many are open behind it.
func (c *checker) masks(at func(cf *CF, missing, open int)) {
	open := 0
	for i := range c.CF {
		cf := &c.CF[i]
		use := cf.Op().stack
		pops := int(use.pops)
		if use.pops == countedPops {
			pops = int(cfPopCount.of(cf.Words))
		}
		missing := max(pops-open, 0)
		open = max(open-pops, 0) + int(use.pushes)
		at(cf, missing, open)
	}
}

// loops gives each control-flow word and the indexes of the loops that are open at it. It returns those without an end.
func (c *checker) loops(at func(i int, open []int)) (open []int) {
	for i := range c.CF {
		at(i, open)
		switch c.CF[i].Op().address {
		case startAddress:
			open = append(open, i)
		case endAddress:
			open = open[:max(len(open)-1, 0)]
		}
	}
	return open
}

// loopEnds returns for each start of a loop the index of its end, and 0 for other words.
func (c *checker) loopEnds() []int {
	ends := make([]int, len(c.CF))
	c.loops(func(i int, open []int) {
		if len(open) > 0 && c.CF[i].Op().address == endAddress {
			ends[open[len(open)-1]] = i
		}
	})
	return ends
}
