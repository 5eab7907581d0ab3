package latte

// addressRules are the rules about the register of relative addressing.
var addressRules = []Rule{
	{"LATTE049", Warning, mesa, "An operand is relative, and no earlier group of the clause has MOVA*.",
		relativeGroups(func(_, earlier bool) bool { return !earlier })},
	{"LATTE050", Warning, document, "MOVA* and a relative operand are in one group.",
		relativeGroups(func(same, _ bool) bool { return same })},
}

// relativeGroups reports the relative operands of groups: whether the group itself, or an earlier one of the clause,
// loads the address register.
func relativeGroups(broken func(same, earlier bool) bool) func(*checker, report) {
	return func(c *checker, r report) {
		earlier, same := false, false
		eachGroup(func(c *checker, g, before *Group, r report) {
			earlier = before != nil && (earlier || same)
			instructions := c.ALU[g.First : g.First+g.Count]
			same = false
			for k := range instructions {
				same = same || instructions[k].Op().effect == loadsAddress
			}
			for k := range instructions {
				if a := &instructions[k]; a.usesAddress() && broken(same, earlier) {
					r(int(a.At)*WordBytes, WordBytes)
				}
			}
		})(c, r)
	}
}

// usesAddress reports whether an operand is relative to the address register.
func (a *ALU) usesAddress() bool {
	relative := a.writes() && dstRel.flag(a.Words)
	for j := range int(a.Op().Sources) {
		relative = relative || a.source(j).rel
	}
	return relative && aluIndex.of(a.Words) < 4
}
