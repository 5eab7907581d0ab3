package source

import "regexp"

// Without returns a program without some forms of the dialect: spellings are plain, declarations gone,
// registers stand for names and NOPs for statements wherever that takes away an occurrence. It returns
// nil if a form stays, or if the rest exceeds a shader unit.
func (d *Dialect) Without(p *Program, forms []*Form) *Program {
	count := func(p *Program) (n int) {
		t := d.Print(p)
		for _, f := range forms {
			n += f.count(t)
		}
		return n
	}
	left := count(p)
	try := func(edit func(q *Program)) {
		if left == 0 {
			return
		}
		q := p.Clone()
		edit(q)
		if n := count(q); n < left {
			p, left = q, n
		}
	}
	try((*Program).plain)
	for k := range d.lacks {
		if without := d.lacks[k].without; without != nil {
			try(func(q *Program) { without(q) })
		}
	}
	for n := p.declared() - 1; n >= 0; n-- {
		try(func(q *Program) { q.undeclare(n) })
	}
	for n := len(p.all()) - 1; n >= 0; n-- {
		try(func(q *Program) {
			if all := q.all(); n < len(all) && all[n].Kind != End {
				*all[n] = Statement{Kind: Nop}
				q.tidy()
			}
		})
	}
	if left > 0 {
		return nil
	}
	if _, err := Lower(p, d); err != nil {
		return nil
	}
	return p
}

// count returns the number of places of a text with the form.
func (f *Form) count(t *Text) (n int) {
	for i, file := range t.Files {
		if !f.second || i > 0 {
			n += len(f.pattern().FindAllStringIndex(file, -1))
		}
	}
	return n
}

// plain gives everything its plainest spelling.
func (p *Program) plain() {
	p.Style = 0
	styled(func(s *Statement, o *Operand) { s.Style, o.Style = 0, 0 })(p)
	for s := range p.Walk {
		s.Style = 0
	}
	for _, styles := range p.styles() {
		*styles = 0
	}
}

// styles returns the styles of the declarations.
func (p *Program) styles() (list []*Style) {
	for i := range p.Inputs {
		list = append(list, &p.Inputs[i].Style)
	}
	for i := range p.Uniforms {
		list = append(list, &p.Uniforms[i].Style)
	}
	for i := range p.Constants {
		list = append(list, &p.Constants[i].Style)
	}
	for i := range p.Outputs {
		list = append(list, &p.Outputs[i].Style)
	}
	return list
}

// undeclare removes a declaration, by its number; registers stand for its name.
func (p *Program) undeclare(n int) {
	gone := ""
	p.Clone().keep(func(name string, m int) bool {
		if m == n {
			gone = name
		}
		return true
	})
	p.unname(func(o *Operand) bool { return o.Name == gone })
	styled(func(_ *Statement, o *Operand) {
		if o.Alias == gone {
			o.Alias = ""
		}
	})(p)
	p.keep(func(_ string, m int) bool { return m != n })
}

// drawnName is a name that [Draw] makes, without a prefix.
var drawnName = regexp.MustCompile(`^[a-z]{2,}(\d+)$`)

// shorten gives declarations short names, and reports whether one was longer.
func (p *Program) shorten() (changed bool) {
	short := func(name *string) {
		if m := drawnName.FindStringSubmatch(*name); m != nil {
			*name, changed = "k"+m[1], true
		}
	}
	for i := range p.Inputs {
		short(&p.Inputs[i].Name)
	}
	for i := range p.Uniforms {
		short(&p.Uniforms[i].Name)
	}
	for i := range p.Constants {
		short(&p.Constants[i].Name)
	}
	for i := range p.Outputs {
		short(&p.Outputs[i].Name)
	}
	for i := range p.Aliases {
		short(&p.Aliases[i].Name)
	}
	styled(func(_ *Statement, o *Operand) {
		short(&o.Name)
		short(&o.Alias)
	})(p)
	return changed
}
