package hypothesis

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// This file has what a compiler may do wrong with several words in a straight line.

// at returns an instruction in another place of the program, before anything is known of its execution.
func at(c *oracle.Control, pc int) *oracle.Control {
	n := *c
	n.PC, n.Word = pc, 0
	if pc < len(c.Job.Code) { // words behind the program are 0
		n.Word = c.Job.Code[pc]
	}
	n.Op = c.Rules.Encoding.Opcode(n.Word)
	return &n
}

// straightLine: an instruction has the result of an equal one, or reads what a MOV copied from where that read it.
func straightLine(c *oracle.Control) (list []*Hypothesis) {
	if equalBefore(c) >= 0 {
		list = append(list, changed("the result is what an equal instruction in the word before left in its register",
			"a mask has a bit for each component (1.4)", func(r *oracle.Rules) {
				before := r.Operands.Result
				r.Operands.Result = func(c *oracle.Control, s *[3]pica.Vec4, v *pica.Vec4) {
					if before != nil {
						before(c, s, v)
					}
					if d := equalBefore(c); d >= 0 {
						*v = *c.Rules.Operands.Dest(&c.State, d)
					}
				}
			}))
	}
	for k := range shape(c).Count {
		if n := source(c, k); n >= 0 && copiedFrom(c, n) != n {
			return append(list, readsOriginals())
		}
	}
	return list
}

// readsOriginals: a source that is a copy reads what MOV copied, with its own index. Only the wide source can be a float
// uniform.
func readsOriginals() *Hypothesis {
	return changed("a copy that MOV made is read from the source of MOV", numbered, func(r *oracle.Rules) {
		displace, of := r.Operands.Displace, r.Operands.Source
		r.Operands.Displace = func(c *oracle.Control, n, index int) int { return displace(c, copiedFrom(c, n), index) }
		r.Operands.Source = func(c *oracle.Control, k, n int) int {
			wide := k == shape(c).Layout.Wide
			if m := copiedFrom(c, n); m < pica.SourceUniform && !wide || wide && index(c) == pica.IndexNone {
				n = m
			}
			if of != nil {
				n = of(c, k, n)
			}
			return n
		}
	})
}

// equalBefore returns the temporary that the word before writes, as a destination, if that has the opcode and the
// sources of an instruction and does not read it; else -1.
func equalBefore(c *oracle.Control) int {
	if c.PC == 0 || dest(c) < 0 {
		return -1
	}
	p := at(c, c.PC-1)
	if p.Op != c.Op || dest(p) < pica.DestTemporary || index(p) != index(c) || readsDestination(p) {
		return -1
	}
	_, of := descriptor(p)
	_, is := descriptor(c)
	for k := range shape(c).Count {
		if a, b := pica.Descriptor(of), pica.Descriptor(is); source(p, k) != source(c, k) ||
			a.Selectors(k) != b.Selectors(k) || a.Negate(k) != b.Negate(k) {
			return -1
		}
	}
	return dest(p)
}

// copiedFrom returns the source of the MOV that last copied a register, whole, to a temporary, as a source; else the
// register itself. Between the MOV and the instruction nothing else writes the temporary, and control stays in line.
func copiedFrom(c *oracle.Control, n int) int {
	for pc := c.PC - 1; pc >= 0; pc-- {
		p := at(c, pc)
		if pica.Opcodes[p.Op].Sources == 0 {
			return n
		}
		if dest(p) < 0 || dest(p)-pica.DestTemporary != n-pica.SourceTemporary {
			continue
		}
		_, bits := descriptor(p)
		if d := pica.Descriptor(bits); p.Op != pica.MOV || d.Mask() != allLanes || d.Selectors(0) != pica.IdentitySwizzle ||
			d.Negate(0) || index(p) != pica.IndexNone {
			return n
		}
		n = source(p, 0)
	}
	return n
}
