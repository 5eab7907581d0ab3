package latte

// stackRules are the rules about loops and the stack of masks, in the order of addresses.
var stackRules = []Rule{
	{"LATTE013", Error, document, "A loop has one end only, or a break or continue is outside of loops.",
		func(c *checker, r report) {
			var open []int
			for i := range c.CF {
				at := c.CF[i].At * WordBytes
				switch op := c.CF[i].Op(); {
				case op.address == startAddress:
					open = append(open, at)
				case op.address == endAddress && len(open) > 0:
					open = open[:len(open)-1]
				case op.address == endAddress, len(open) == 0 && op.leavesLoop():
					r(at, WordBytes)
				}
			}
			for _, at := range open {
				r(at, WordBytes)
			}
		}},
	{"LATTE014", Warning, document, "Start and end of a loop do not point behind each other.",
		func(c *checker, r report) {
			var open []*CF
			for i := range c.CF {
				switch cf := &c.CF[i]; cf.Op().address {
				case startAddress:
					open = append(open, cf)
				case endAddress:
					if len(open) == 0 {
						continue
					}
					start := open[len(open)-1]
					open = open[:len(open)-1]
					if int(cfAddr.of(start.Words)) != cf.At+1 || int(cfAddr.of(cf.Words)) != start.At+1 {
						r(cf.At*WordBytes, WordBytes)
					}
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
			clause := &c.Clauses[cf.Clause]
			for _, g := range c.Groups[clause.First : clause.First+clause.Count] {
				for _, a := range c.ALU[g.First : g.First+g.Count] {
					if !a.isOP3() && aluExecMask.flag(a.Words) {
						return none
					}
				}
			}
			return 0
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
