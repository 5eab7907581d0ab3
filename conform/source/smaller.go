package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Smaller yields programs that are smaller or plainer than p, the largest reductions first, each
// with the number of its change. It skips changes below from. Each program is a copy. A search
// that continues from a smaller program ends, because every step removes something.
func Smaller(p *Program, from int) iter.Seq2[int, *Program] {
	return func(yield func(n int, q *Program) bool) {
		n := -1
		try := func(edit func(q *Program) bool) bool {
			if n++; n < from || edit == nil {
				return true
			}
			q := p.Clone()
			return !edit(q) || yield(n, q.tidy())
		}
		_ = smallerTables(p, try) && smallerBodies(p, try) && smallerStatements(p, try) && smallerDetails(p, try)
	}
}

// try gives a copy to an edit, which reports whether it changed anything. It returns false when
// the consumer stops. An edit without effect may be nil, which saves the copy.
type try func(edit func(q *Program) bool) bool

// tidy removes labels without a use, and jumps and calls without a target.
func (p *Program) tidy() *Program {
	for changed := true; changed; {
		changed = false
		targets, used := map[string]bool{}, map[string]bool{}
		for i := range p.Procedures {
			targets[p.Procedures[i].Name] = true
		}
		for s := range p.Walk {
			switch s.Kind {
			case Label:
				targets[s.Target] = true
			case Jump:
				used[s.Target] = true
			}
		}
		drop := func(s Statement) bool {
			gone := s.Kind == Label && !used[s.Target] || (s.Kind == Jump || s.Kind == Call) && !targets[s.Target]
			changed = changed || gone
			return gone
		}
		for i := range p.Procedures {
			p.Procedures[i].Body = deleteStatements(p.Procedures[i].Body, drop)
		}
	}
	return p
}

func deleteStatements(body []Statement, drop func(s Statement) bool) []Statement {
	body = slices.DeleteFunc(body, drop)
	for i := range body {
		body[i].Then, body[i].Else = deleteStatements(body[i].Then, drop), deleteStatements(body[i].Else, drop)
	}
	return body
}

// smallerTables drops procedures and unused declarations.
func smallerTables(p *Program, try try) bool {
	for i := range p.Procedures {
		if i != p.Entry && !try(func(q *Program) bool {
			q.Procedures = slices.Delete(q.Procedures, i, i+1)
			if q.Entry > i {
				q.Entry--
			}
			q.Library = q.Library && len(q.Procedures) > 1
			q.Twin = q.Library && q.Twin && i < len(q.Procedures)
			return true
		}) {
			return false
		}
	}
	if p.Library && !try(func(q *Program) bool { q.Library, q.Twin = false, false; return true }) {
		return false
	}
	if p.Stage == pica.Geometry && !try(func(q *Program) bool {
		q.Stage, q.Geometry = pica.Vertex, Geometry{}
		for i := range q.Procedures {
			q.Procedures[i].Body = deleteStatements(q.Procedures[i].Body,
				func(s Statement) bool { return s.Kind == Emit || s.Kind == SetEmit })
		}
		return true
	}) {
		return false
	}
	if p.own() && !try(func(q *Program) bool { q.Geometry = Geometry{Shared: true}; return true }) {
		return false
	}
	if p.Geometry != (Geometry{Shared: p.Geometry.Shared}) && !try(func(q *Program) bool {
		q.Geometry = Geometry{Shared: p.Geometry.Shared}
		return true
	}) {
		return false
	}
	used := map[string]bool{}
	for s := range p.Walk {
		for o := range s.operands {
			used[o.Name], used[o.Alias] = true, true
		}
	}
	if !try(func(q *Program) bool { // all at once
		n := q.declared()
		q.Inputs = slices.DeleteFunc(q.Inputs, func(d Input) bool { return !used[d.Name] })
		q.Uniforms = slices.DeleteFunc(q.Uniforms, func(d Uniform) bool { return !used[d.Name] })
		q.Constants = slices.DeleteFunc(q.Constants, func(d Constant) bool { return d.Name == "" || !used[d.Name] })
		q.Outputs = slices.DeleteFunc(q.Outputs, func(d Output) bool { return d.Name == "" || !used[d.Name] })
		q.Aliases = slices.DeleteFunc(q.Aliases, func(d Alias) bool { return !used[d.Name] })
		return q.declared() < n
	}) {
		return false
	}
	return without(p, try, func(q *Program) *[]Input { return &q.Inputs },
		func(d Input) bool { return used[d.Name] }) &&
		without(p, try, func(q *Program) *[]Uniform { return &q.Uniforms },
			func(d Uniform) bool { return used[d.Name] }) &&
		without(p, try, func(q *Program) *[]Constant { return &q.Constants },
			func(d Constant) bool { return d.Name != "" && used[d.Name] }) &&
		without(p, try, func(q *Program) *[]Output { return &q.Outputs },
			func(d Output) bool { return d.Name != "" && used[d.Name] }) &&
		without(p, try, func(q *Program) *[]Alias { return &q.Aliases }, func(d Alias) bool { return used[d.Name] })
}

func (p *Program) declared() int {
	return len(p.Inputs) + len(p.Uniforms) + len(p.Constants) + len(p.Outputs) + len(p.Aliases)
}

// without drops unused declarations, one at a time.
func without[D any](p *Program, try try, list func(q *Program) *[]D, used func(d D) bool) bool {
	for i, d := range *list(p) {
		if !used(d) && !try(func(q *Program) bool {
			l := list(q)
			*l = slices.Delete(*l, i, i+1)
			return true
		}) {
			return false
		}
	}
	return true
}

// bodies returns every list of statements of a program. The entry's list lacks the last
// statement, which ends the run.
func (p *Program) bodies() (list []*[]Statement) {
	for i := range p.Procedures {
		list = append(list, &p.Procedures[i].Body)
	}
	for s := range p.Walk {
		for _, b := range []*[]Statement{&s.Then, &s.Else} {
			if len(*b) > 0 {
				list = append(list, b)
			}
		}
	}
	return list
}

// longProgram is the number of statements from which the address of code may matter: code that
// cannot be dropped there is replaced by NOPs.
const longProgram = 64

// padded returns a body with a NOP in the place of everything but labels and ends, and whether
// that changed it.
func padded(body []Statement) (list []Statement, changed bool) {
	for _, s := range body {
		switch s.Kind {
		case Nop, Label, End:
			list = append(list, s)
			continue
		}
		words := 0
		walk([]Statement{s}, func(in *Statement) bool {
			if words++; len(in.Then) > 0 {
				words += 2 // the ends of two bodies
			}
			return true
		})
		for range words {
			list = append(list, Statement{Kind: Nop})
		}
		changed = true
	}
	return list, changed
}

// padding reports whether a body has only NOPs.
func padding(body []Statement) bool {
	return !slices.ContainsFunc(body, func(s Statement) bool { return s.Kind != Nop })
}

// smallerBodies drops runs of statements, long runs first, or replaces them by NOPs, and
// replaces scopes by their statements.
func smallerBodies(p *Program, try try) bool {
	long := p.Statements() >= longProgram
	for i, b := range p.bodies() {
		n := len(*b)
		if i == p.Entry {
			n-- // END
		}
		for size := n; size > 0; size /= 2 {
			for at := 0; at+size <= n; at += size {
				if at >= size && padding((*b)[at-size:at+size]) {
					continue // the step before gave the same program
				}
				if !try(func(q *Program) bool {
					body := q.bodies()[i]
					*body = slices.Delete(*body, at, at+size)
					return true
				}) || long && !try(func(q *Program) bool {
					body := q.bodies()[i]
					nops, changed := padded((*body)[at : at+size])
					*body = slices.Replace(*body, at, at+size, nops...)
					return changed
				}) {
					return false
				}
			}
		}
		for at := range *b {
			s := &(*b)[at]
			if len(s.Then)+len(s.Else) == 0 {
				continue
			}
			for _, part := range [][]Statement{s.Then, s.Else} {
				if !try(func(q *Program) bool {
					body := q.bodies()[i]
					*body = slices.Replace(*body, at, at+1, cloneBody(part)...)
					return true
				}) {
					return false
				}
			}
		}
	}
	return true
}

// smallerStatements makes each statement plainer.
func smallerStatements(p *Program, try try) bool {
	var all []*Statement
	for s := range p.Walk {
		all = append(all, s)
	}
	for k := range all {
		at := func(q *Program) *Statement {
			i := 0
			for s := range q.Walk {
				if i == k {
					return s
				}
				i++
			}
			return nil
		}
		for _, plainer := range plainerStatements {
			edit := func(q *Program) bool { return plainer(at(q)) }
			if one := cloneBody([]Statement{*all[k]}); !plainer(&one[0]) {
				edit = nil
			}
			if !try(edit) {
				return false
			}
		}
	}
	return true
}

// change sets a value and reports whether the value differs from before.
func change[T comparable](to *T, v T) bool {
	changed := *to != v
	*to = v
	return changed
}

// plainerStatements are the ways to make a statement plainer; each reports whether it changed
// anything.
var plainerStatements = func() (list []func(s *Statement) bool) {
	list = []func(s *Statement) bool{
		func(s *Statement) (changed bool) {
			changed = change(&s.Style, 0)
			for o := range s.operands {
				changed = change(&o.Style, 0) || changed
			}
			return changed
		},
		func(s *Statement) bool { return change(&s.Compare, [2]uint8{}) },
		func(s *Statement) bool { return s.Condition.On == pica.OnFlags && change(&s.Condition.Op, pica.CondX) },
		func(s *Statement) bool {
			return s.Condition.On == pica.OnFlags && (!s.Condition.RefX || !s.Condition.RefY) &&
				change(&s.Condition.RefX, true) && change(&s.Condition.RefY, true)
		},
		func(s *Statement) bool { n := len(s.Else); s.Else = nil; return n > 0 },
		func(s *Statement) bool { return change(&s.Winding, false) },
		func(s *Statement) bool { return change(&s.Primitive, false) },
		func(s *Statement) bool { return change(&s.Vertex, 0) },
		func(s *Statement) bool {
			return (s.Dest.Class == 'r' || s.Dest.Class == 'o') &&
				change(&s.Dest, Operand{Class: 'r', Mask: s.Dest.Mask})
		},
		func(s *Statement) bool { return s.Dest.Class != 'a' && s.Dest.Class != 0 && change(&s.Dest.Mask, 0xF) },
		func(s *Statement) bool {
			return s.Kind == Loop && change(&s.Int, Operand{Class: 'i'})
		},
		func(s *Statement) bool {
			return s.Condition.Bool.Class == 'b' && change(&s.Condition.Bool, Operand{Class: 'b'})
		},
	}
	for k := range 3 {
		source := func(edit func(o *Operand) bool) func(s *Statement) bool {
			return func(s *Statement) bool { return k < len(s.Sources) && edit(&s.Sources[k]) }
		}
		list = append(list,
			source(func(o *Operand) bool {
				return o.Class != 'r' && change(o, Operand{Class: 'r', Number: 0, Selector: pica.IdentitySwizzle})
			}),
			source(func(o *Operand) bool { return o.Class == 'r' && change(&o.Number, 0) }),
			source(func(o *Operand) bool { return change(&o.Alias, "") }),
			source(func(o *Operand) bool { return change(&o.Index, pica.IndexNone) }),
			source(func(o *Operand) bool { return change(&o.Negate, false) }),
			source(func(o *Operand) bool { return change(&o.Selector, pica.IdentitySwizzle) }),
			source(func(o *Operand) bool {
				return o.Class == 'c' &&
					change(o, Operand{Class: 'c', Selector: o.Selector})
			}))
	}
	return list
}()

// smallerDetails makes declarations plainer.
func smallerDetails(p *Program, try try) bool {
	edits := []func(q *Program) bool{func(q *Program) bool { return change(&q.Style, 0) }}
	for i := range p.Constants {
		edits = append(edits,
			func(q *Program) bool { return change(&q.Constants[i].Style, 0) },
			func(q *Program) bool {
				n := len(q.Constants[i].Rows)
				q.Constants[i].Rows = q.Constants[i].Rows[:1]
				return n > 1
			})
		for j := range p.Constants[i].Rows {
			for k := range 4 {
				edits = append(edits, func(q *Program) bool { return change(&q.Constants[i].Rows[j][k], 0) })
			}
		}
	}
	for i := range p.Uniforms {
		edits = append(edits,
			func(q *Program) bool { return change(&q.Uniforms[i].Style, 0) },
			func(q *Program) bool { return change(&q.Uniforms[i].Size, 1) })
	}
	for i := range p.Outputs {
		edits = append(edits, func(q *Program) bool { return change(&q.Outputs[i].Style, 0) })
	}
	for i := range p.Inputs {
		edits = append(edits, func(q *Program) bool { return change(&q.Inputs[i].Style, 0) })
	}
	for _, edit := range edits {
		if !try(edit) {
			return false
		}
	}
	return true
}

// Statements returns the number of statements of a program.
func (p *Program) Statements() (n int) {
	for range p.Walk {
		n++
	}
	return n
}

// Size orders programs by the amount of text to read.
func (p *Program) Size() int {
	n := 4*p.Statements() + 2*p.declared() + 8*len(p.Procedures)
	for s := range p.Walk {
		n += plainness(s.Style)
		for o := range s.operands {
			n += plainness(o.Style)
		}
	}
	return n
}

// plainness is 0 for the plain style.
func plainness(s Style) int {
	if s == 0 {
		return 0
	}
	return 1
}

// Parts names the contents of a program besides END: its instructions and tables.
func (p *Program) Parts() string {
	var parts []string
	for s := range p.Walk {
		switch s.Kind {
		case Compute:
			parts = append(parts, s.Op.String())
		case End, Nop, Label:
		default:
			parts = append(parts, []string{If: "if", Loop: "loop", Call: "call", Jump: "jump", Break: "break",
				Emit: "emit", SetEmit: "setemit"}[s.Kind])
		}
	}
	for name, n := range map[string]int{"inputs": len(p.Inputs), "uniforms": len(p.Uniforms),
		"constants": len(p.Constants),
		"outputs":   len(p.Outputs), "aliases": len(p.Aliases)} {
		if n > 0 {
			parts = append(parts, name)
		}
	}
	if p.Stage == pica.Geometry {
		parts = append(parts, "geometry")
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), " ")
}
