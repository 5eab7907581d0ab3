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
		r := &reduction{p: p}
		r.tables()
		r.bodies()
		r.statements()
		r.details()
		for n := from; n < len(r.changes); n++ {
			if q := p.Clone(); r.changes[n](q) && !yield(n, q.tidy()) {
				return
			}
		}
	}
}

// reduction is a list of changes of copies of a program. Each reports whether it changed anything.
type reduction struct {
	p       *Program
	changes []func(q *Program) bool
}

func (r *reduction) add(edit func(q *Program) bool) { r.changes = append(r.changes, edit) }

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

// tables drops procedures and unused declarations.
func (r *reduction) tables() {
	p := r.p
	for i := range p.Procedures {
		if i != p.Entry {
			r.add(func(q *Program) bool {
				q.Procedures = slices.Delete(q.Procedures, i, i+1)
				if q.Entry > i {
					q.Entry--
				}
				q.Library = q.Library && len(q.Procedures) > 1
				q.Twin = q.Library && q.Twin && i < len(q.Procedures)
				return true
			})
		}
	}
	r.add((*Program).join)
	r.add(func(q *Program) bool {
		for i := range q.Procedures {
			q.Procedures[i].Body = deleteStatements(q.Procedures[i].Body,
				func(s Statement) bool { return s.Kind == Emit || s.Kind == SetEmit })
		}
		return change(&q.Stage, pica.Vertex) && (change(&q.Geometry, Geometry{}) || true)
	})
	r.add(func(q *Program) bool { return q.own() && change(&q.Geometry, Geometry{Shared: true}) })
	r.add(func(q *Program) bool { return change(&q.Geometry, Geometry{Shared: q.Geometry.Shared}) })
	used := map[string]bool{"": false}
	for s := range p.Walk {
		for o := range s.operands {
			used[o.Name], used[o.Alias] = o.Name != "", o.Alias != ""
		}
	}
	var unused []int
	p.Clone().keep(func(name string, n int) bool {
		if !used[name] {
			unused = append(unused, n)
		}
		return true
	})
	if len(unused) > 1 { // all at once
		r.add(func(q *Program) bool { q.keep(func(name string, _ int) bool { return used[name] }); return true })
	}
	for _, n := range unused {
		r.add(func(q *Program) bool { q.keep(func(_ string, m int) bool { return m != n }); return true })
	}
}

// keep drops the other declarations. It asks about each by its name and number.
func (p *Program) keep(keep func(name string, n int) bool) {
	n := -1
	gone := func(name string) bool { n++; return !keep(name, n) }
	p.Inputs = slices.DeleteFunc(p.Inputs, func(d Input) bool { return gone(d.Name) })
	p.Uniforms = slices.DeleteFunc(p.Uniforms, func(d Uniform) bool { return gone(d.Name) })
	p.Constants = slices.DeleteFunc(p.Constants, func(d Constant) bool { return gone(d.Name) })
	p.Outputs = slices.DeleteFunc(p.Outputs, func(d Output) bool { return gone(d.Name) })
	p.Aliases = slices.DeleteFunc(p.Aliases, func(d Alias) bool { return gone(d.Name) })
}

func (p *Program) declared() int {
	return len(p.Inputs) + len(p.Uniforms) + len(p.Constants) + len(p.Outputs) + len(p.Aliases)
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

// bodies drops runs of statements, long runs first, or replaces them by NOPs, and replaces scopes
// by their statements.
func (r *reduction) bodies() {
	long := r.p.Statements() >= longProgram
	for i, b := range r.p.bodies() {
		edit := func(edit func(body []Statement) ([]Statement, bool)) {
			r.add(func(q *Program) (changed bool) {
				body := q.bodies()[i]
				*body, changed = edit(*body)
				return changed
			})
		}
		n := len(*b)
		if i == r.p.Entry {
			n-- // END
		}
		for size := n; size > 0; size /= 2 {
			for at := 0; at+size <= n; at += size {
				if at >= size && padding((*b)[at-size:at+size]) {
					continue // the step before gave the same program
				}
				edit(func(body []Statement) ([]Statement, bool) { return slices.Delete(body, at, at+size), true })
				if long {
					edit(func(body []Statement) ([]Statement, bool) {
						nops, changed := padded(body[at : at+size])
						return slices.Replace(body, at, at+size, nops...), changed
					})
				}
			}
		}
		for at, s := range *b {
			for _, part := range [][]Statement{s.Then, s.Else} {
				if len(s.Then)+len(s.Else) > 0 {
					edit(func(body []Statement) ([]Statement, bool) {
						return slices.Replace(body, at, at+1, cloneBody(part)...), true
					})
				}
			}
		}
	}
}

// statements makes each statement plainer.
func (r *reduction) statements() {
	for n, s := range r.p.all() {
		for _, plainer := range plainerStatements {
			if one := cloneBody([]Statement{*s}); plainer(&one[0]) {
				r.add(func(q *Program) bool { return plainer(q.all()[n]) })
			}
		}
	}
}

// all returns every statement, in the order of [Program.Walk].
func (p *Program) all() (list []*Statement) {
	for s := range p.Walk {
		list = append(list, s)
	}
	return list
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
		func(s *Statement) bool { return s.Kind == Loop && change(&s.Int, Operand{Class: 'i'}) },
		func(s *Statement) bool {
			return s.Condition.Bool.Class == 'b' && change(&s.Condition.Bool, Operand{Class: 'b'})
		},
	}
	for k := range 3 {
		for _, plainer := range plainerSources {
			list = append(list, func(s *Statement) bool { return k < len(s.Sources) && plainer(&s.Sources[k]) })
		}
	}
	return list
}()

// plainerSources are the ways to make a source operand plainer.
var plainerSources = []func(o *Operand) bool{
	func(o *Operand) bool {
		return o.Class != 'r' && change(o, Operand{Class: 'r', Selector: pica.IdentitySwizzle})
	},
	func(o *Operand) bool { return o.Class == 'r' && change(&o.Number, 0) },
	func(o *Operand) bool { return change(&o.Alias, "") },
	func(o *Operand) bool { return change(&o.Index, pica.IndexNone) },
	func(o *Operand) bool { return change(&o.Negate, false) },
	func(o *Operand) bool { return change(&o.Selector, pica.IdentitySwizzle) },
	func(o *Operand) bool { return o.Class == 'c' && change(o, Operand{Class: 'c', Selector: o.Selector}) },
}

// details makes declarations plainer.
func (r *reduction) details() {
	r.add((*Program).shorten)
	r.add(func(q *Program) bool { return change(&q.Style, 0) })
	for i := range r.p.Constants {
		rows := len(r.p.Constants[i].Rows)
		r.add(func(q *Program) bool { return change(&q.Constants[i].Style, 0) })
		r.add(func(q *Program) bool { q.Constants[i].Rows = q.Constants[i].Rows[:1]; return rows > 1 })
		for j := range rows {
			for k := range 4 {
				r.add(func(q *Program) bool { return change(&q.Constants[i].Rows[j][k], 0) })
			}
		}
	}
	for i := range r.p.Uniforms {
		r.add(func(q *Program) bool { return change(&q.Uniforms[i].Style, 0) })
		r.add(func(q *Program) bool { return change(&q.Uniforms[i].Size, 1) })
	}
	for i := range r.p.Outputs {
		r.add(func(q *Program) bool { return change(&q.Outputs[i].Style, 0) })
	}
	for i := range r.p.Inputs {
		r.add(func(q *Program) bool { return change(&q.Inputs[i].Style, 0) })
	}
}

// Statements returns the number of statements of a program.
func (p *Program) Statements() int { return len(p.all()) }

// Size orders programs by the amount of text to read.
func (p *Program) Size() int {
	n := 4*p.Statements() + 2*p.declared() + 8*len(p.Procedures)
	for s := range p.Walk {
		n += min(int(s.Style), 1)
		for o := range s.operands {
			n += min(int(o.Style), 1)
		}
	}
	return n
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
