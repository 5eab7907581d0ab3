package latte

import "slices"

// registerRules compare the registers and the stack that the code uses with what the structure gives it.
var registerRules = []Rule{
	{"LATTE070", Warning, document,
		"A register is not below NUM_GPRS. R120 and up are temporaries, which do not count. The first use is " +
			"reported.",
		compare(func(c *checker) {
			var found *use
			for u := range c.uses {
				if u.unknown || u.idle || u.top() < c.GPRs || found != nil && (u.cf > found.cf || u.off > found.off) {
					continue
				}
				found = &u
			}
			if found != nil {
				c.code(found.off, found.n, "R%d with NUM_GPRS %d", found.top(), c.GPRs)
			}
		})},
	{"LATTE071", Info, files,
		"NUM_GPRS is larger than needed. " +
			"Inputs need registers, and so does an instruction that names one without effect.",
		compare(func(c *checker) {
			need := c.Attributes
			for _, r := range c.Inputs {
				need = max(need, r)
			}
			for u := range c.uses {
				if !u.unknown {
					need = max(need, u.top())
				}
			}
			if need+1 < c.GPRs {
				c.place(Resources, "NUM_GPRS %d, and a need of %d", c.GPRs, need+1)
			}
		})},
	{"LATTE072", Warning, document,
		"STACK_SIZE is smaller than needed. An entry has four elements. A loop takes four, a push one, and " +
			"open pushes two more; CALL and CALL_FS take an entry on top of what is open.",
		compare(func(c *checker) {
			if need, at := c.stackNeed(); need > c.Stack {
				c.place(Resources, "STACK_SIZE %d, and a need of %d at word %d", c.Stack, need, at)
			}
		})},
	{"LATTE073", Info, files, "STACK_SIZE is larger than needed.", compare(func(c *checker) {
		if need, _ := c.stackNeed(); need < c.Stack {
			c.place(Resources, "STACK_SIZE %d, and a need of %d", c.Stack, need)
		}
	})},
	{"LATTE094", Warning, document, "A vertex shader has attributes, but no CALL_FS.", compare(func(c *checker) {
		if c.Stage == Vertex && c.Attributes > 0 && !c.calls(cfCallFS) {
			c.place(SemanticCount, "num_sq_vtx_semantic %d", c.Attributes)
		}
	})},
	{"LATTE095", Warning, document,
		"A register is read that nothing wrote before. Known are the inputs, the attributes behind CALL_FS, " +
			"and what an instruction at a lower address writes; in a loop or a subroutine any of its " +
			"instructions. A program with a relative destination is not checked.",
		compare((*checker).unwritten)},
}

const (
	firstTemporary = 120 // registers from here on are not counted in NUM_GPRS
	cfCallFS       = 0x13
)

// top is the highest register of a use that NUM_GPRS has to count, or -1.
func (u *use) top() int {
	if u.gpr >= firstTemporary {
		return -1
	}
	return min(u.gpr+u.count, firstTemporary) - 1
}

// calls reports whether the program has a control-flow instruction of normal form.
func (c *checker) calls(code uint8) bool {
	return slices.ContainsFunc(c.CF, func(cf CF) bool { return cf.Op().form == normalForm && cf.Op().Code == code })
}

// An entry of the stack has the elements of four masks. A loop needs four, a push one; open pushes need two more.
const (
	entryElements = 4
	pushReserve   = 2
)

// stackNeed returns the entries of the stack that the program needs, and the first word that needs so many.
func (c *checker) stackNeed() (need, at int) {
	loops := 0
	c.masks(func(cf *CF, _, open int) {
		op := cf.Op()
		switch op.address {
		case startAddress:
			loops++
		case endAddress:
			loops = max(loops-1, 0)
		}
		elements := entryElements*loops + open
		if open > 0 {
			elements += pushReserve
		}
		n := (elements + entryElements - 1) / entryElements
		if op.form == normalForm && (op.Code == cfCallFS || op.address == callAddress) {
			n++
		}
		if n > need {
			need, at = n, cf.At
		}
	})
	return need, at
}

// unwritten reports registers that are read before anything writes them, each once. What a loop or a subroutine writes
// counts from its start on.
func (c *checker) unwritten() {
	writes := make([][]use, len(c.CF)) // of each control-flow word
	for u := range c.uses {
		if u.write && !u.idle {
			if u.relative || u.unknown {
				return
			}
			writes[u.cf] = append(writes[u.cf], u)
		}
	}
	var known [128]bool
	set := func(first, n int) {
		for r := first; r < min(first+n, len(known)); r++ {
			known[r] = true
		}
	}
	for _, r := range c.Inputs {
		set(r, 1)
	}
	ends := c.loopEnds()
	next, early := 0, 0 // control-flow words that were entered, and whose writes count already
	enter := func(to int) {
		for ; next <= to; next++ {
			op := c.CF[next].Op()
			last := max(next, ends[next])
			switch {
			case op.address == callAddress:
				last = len(c.CF) - 1
			case op.form == normalForm && op.Code == cfCallFS:
				set(1, c.Attributes)
			}
			if last == next {
				continue
			}
			for early = max(early, next); early <= last; early++ {
				for _, u := range writes[early] {
					set(u.gpr, u.count)
				}
			}
		}
	}
	for u := range c.uses {
		enter(u.cf)
		switch {
		case u.idle:
			continue
		case u.write:
			set(u.gpr, u.count)
			continue
		}
		for r := u.gpr; !u.relative && r < min(u.gpr+u.count, len(known)); r++ {
			if !known[r] {
				known[r] = true
				c.code(u.off, u.n, "R%d", r)
			}
		}
	}
}
