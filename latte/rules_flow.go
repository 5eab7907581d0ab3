package latte

import "slices"

// flowRules are the rules that compare control-flow words, or look at what is between the clauses.
var flowRules = []Rule{
	{"LATTE008", Info, files, "Zero words are behind the last word that belongs to something.",
		eachGap(func(c *checker, g *Gap) int { return first(c.isTail(g) && g.Data == nil) })},
	{"LATTE009", Warning, files, "A byte that belongs to nothing is not 0.", eachGap(func(c *checker, g *Gap) int {
		if c.isTail(g) && g.Words == tailWords {
			return none
		}
		for k, b := range g.Data {
			if b != 0 {
				return k
			}
		}
		return none
	})},
	{"LATTE010", Info, files,
		"Exactly 16 bytes, not all 0, are behind the last word that belongs to something. Some compiled " +
			"programs have them; nobody reads them.",
		eachGap(func(c *checker, g *Gap) int { return first(c.isTail(g) && g.Words == tailWords && g.Data != nil) })},
	{"LATTE011", Error, document, "A target is neither a control-flow word nor the word behind one.",
		eachCF(func(c *checker, i int) int {
			target := int(cfAddr.of(c.CF[i].Words))
			return first(c.CF[i].Op().address >= firstTarget && !c.isCF(target) && !c.isCF(target-1))
		})},
	{"LATTE015", Warning, files, "A JUMP or ELSE does not go forward.", eachCF(func(c *checker, i int) int {
		cf := &c.CF[i]
		return first(cf.Op().address == forwardAddress && int(cfAddr.of(cf.Words)) <= cf.At)
	})},
	{"LATTE016", Info, files, "An instruction without address has one, or one without clause has a count.",
		eachCF(func(c *checker, i int) int {
			op, w := c.CF[i].Op(), c.CF[i].Words
			switch {
			case op.form != normalForm:
				return none
			case op.address == noAddress && cfAddr.of(w) != 0:
				return 0
			}
			return second(op.Clause == NoClause && fetchCount(w) > 1)
		})},
	{"LATTE017", Info, readers, "Other programs refuse the instructions that wait for an answer.",
		eachCF(func(c *checker, i int) int {
			op := c.CF[i].Op()
			return first(op.form == normalForm && op.Code >= cfWaitAck && op.Code <= cfVTXTCAck)
		})},
	{"LATTE023", Error, bounds, "A burst goes beyond R127.", eachCF(func(c *checker, i int) int {
		w := c.CF[i].Words
		form := c.CF[i].Op().form
		return first((form == exportForm || form == memoryForm) && exportGPR.of(w)+exportBurst.of(w) > exportGPR.mask)
	})},
	{"LATTE024", Warning, document, "An EXP_DONE is not the last export of its type.",
		eachExportType(func(c *checker, all []int, r report) {
			for _, i := range all[:len(all)-1] {
				if c.CF[i].Op().Code == cfExportDone {
					r(c.CF[i].At*WordBytes, WordBytes)
				}
			}
		})},
	{"LATTE025", Warning, document, "The last export of a type is no EXP_DONE.",
		eachExportType(func(c *checker, all []int, r report) {
			if cf := &c.CF[all[len(all)-1]]; cf.Op().Code != cfExportDone {
				r(cf.At*WordBytes, WordBytes)
			}
		})},
}

const (
	cfWaitAck    = 0x1A
	cfVTXTCAck   = 0x1D
	cfExportDone = 0x28

	tailWords = 2 // of the tail that some compilers write
)

func eachGap(check func(*checker, *Gap) int) func(*checker, report) {
	return func(c *checker, r report) {
		for i := range c.Gaps {
			g := &c.Gaps[i]
			if at := check(c, g); at >= 0 {
				r(g.At*WordBytes+at, g.Words*WordBytes-at)
			}
		}
	}
}

// eachExportType gives a check the exports of each type.
func eachExportType(check func(c *checker, all []int, r report)) func(*checker, report) {
	return func(c *checker, r report) {
		var all [4][]int
		for i := range c.CF {
			if c.CF[i].Op().form == exportForm {
				kind := exportType.of(c.CF[i].Words)
				all[kind] = append(all[kind], i)
			}
		}
		for _, list := range all {
			if len(list) > 0 {
				check(c, list, r)
			}
		}
	}
}

// isTail reports whether a gap ends the program.
func (c *checker) isTail(g *Gap) bool { return (g.At+g.Words)*WordBytes == c.Size }

// isCF reports whether a word is a control-flow word.
func (c *checker) isCF(at int) bool {
	_, ok := slices.BinarySearchFunc(c.CF, at, func(cf CF, at int) int { return cf.At - at })
	return ok
}
