package latte

import "slices"

// A use is one access of an instruction to registers.
type use struct {
	cf       int // the index of the control-flow word that runs the instruction, or that is it
	off, n   int // the instruction, in bytes
	gpr      int
	count    int // of the registers from gpr on
	relative bool
	write    bool
	unknown  bool // it is unknown which registers
	idle     bool // the instruction names the register, and uses no component of it
}

// uses gives the accesses to registers in the order of addresses of the control-flow words. A group reads before it
// writes. yield returns false to stop.
func (p *Program) uses(yield func(use) bool) {
	for i := range p.CF {
		cf := &p.CF[i]
		u := use{cf: i, off: cf.At * WordBytes, n: WordBytes}
		ok := true
		switch {
		case cf.Clause < 0:
			ok = cf.uses(u, yield)
		case p.Clauses[cf.Clause].Kind == ALUClause:
			c := &p.Clauses[cf.Clause]
			for g := c.First; ok && g < c.First+c.Count; g++ {
				ok = p.groupUses(&p.Groups[g], u, yield)
			}
		default:
			c := &p.Clauses[cf.Clause]
			for k := c.First; ok && k < c.First+c.Count; k++ {
				ok = p.Fetches[k].uses(u, yield)
			}
		}
		if !ok {
			return
		}
	}
}

// uses gives the accesses of an export.
func (c *CF) uses(u use, yield func(use) bool) bool {
	form := c.Op().form
	if form != exportForm && form != memoryForm {
		return true
	}
	w := c.Words
	u.gpr, u.count, u.relative = int(exportGPR.of(w)), int(exportBurst.of(w))+1, exportRel.flag(w)
	if form == exportForm {
		u.idle = !reads(w, exportSelects[:])
		return yield(u)
	}
	access := exportType.of(w)
	if access&memoryIndexed != 0 {
		index := u
		index.gpr, index.count, index.relative = int(exportIndex.of(w)), 1, false
		if !yield(index) {
			return false
		}
	}
	u.write = access >= memoryRead
	return yield(u)
}

const memoryRead = 2 // the first access that reads

// reads reports whether one of the selects takes a component.
func reads(p pair, fields []*Field) bool {
	return slices.ContainsFunc(fields, func(f *Field) bool { return f.of(p) <= 3 })
}

func (p *Program) groupUses(g *Group, u use, yield func(use) bool) bool {
	u.count = 1
	instructions := p.ALU[g.First : g.First+g.Count]
	for k := range instructions {
		a := &instructions[k]
		u.off = int(a.At) * WordBytes
		for j := range int(a.Op().Sources) {
			s := a.source(j)
			if u.gpr, u.relative = int(s.sel), s.rel; s.isRegister() && !yield(u) {
				return false
			}
		}
	}
	u.write = true
	for k := range instructions {
		a := &instructions[k]
		u.off, u.gpr, u.relative = int(a.At)*WordBytes, int(dstGPR.of(a.Words)), dstRel.flag(a.Words)
		if u.idle = !a.writes(); !yield(u) {
			return false
		}
	}
	return true
}

// uses gives the accesses of a fetch.
func (f *Fetch) uses(u use, yield func(use) bool) bool {
	u.off, u.n, u.count = f.At*WordBytes, fetchWords*WordBytes, 1
	words, layout := &f.Words, f.Op().layout
	if layout == &rawLayout {
		u.write, u.unknown = true, true
		return yield(u)
	}
	u.gpr, u.relative = int(fetchSrc.in(words)), fetchSrcRel.flag(words[0])
	if u.idle = layout == &textureLayout && !reads(words[1], texSelects[:]); !yield(u) {
		return false
	}
	u.write, u.unknown = true, layout == &semanticLayout
	u.gpr, u.relative = int(fetchDst.in(words)), fetchDstRel.flag(words[0])
	u.idle = true
	for _, s := range dstSelects {
		u.idle = u.idle && s.in(words) == selMasked
	}
	return yield(u)
}
