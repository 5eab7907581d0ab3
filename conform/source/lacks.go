package source

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// lack is something that a dialect cannot express.
type lack struct {
	before int    // the version that has it first, 0 if none has
	reason string // "" if the dialect has another text with the same meaning
	// statement reports whether a statement is or has it; a NOP replaces such a statement.
	statement func(p *Program, s *Statement) bool
	// without removes it from a program, and reports whether the program had it.
	without func(p *Program) bool
}

// lacking yields what the dialect cannot express in its frame.
func (d *Dialect) lacking(yield func(x *lack) bool) {
	frame := d.frame
	if frame == nil {
		frame = &d.Frames[0]
	}
	for k := range d.lacks {
		if x := &d.lacks[k]; (x.before == 0 || x.before > frame.version) && !yield(x) {
			return
		}
	}
}

// Fit returns the program with a NOP in the place of each statement that the dialect cannot
// express, and one reason for each omission.
func (d *Dialect) Fit(p *Program) (*Program, []string) {
	q := p.Clone()
	var reasons []string
	leave := func(reason string) { reasons = append(reasons, reason) }
	for x := range d.lacking {
		if x.without != nil && x.without(q) && x.reason != "" {
			leave(x.reason)
		}
	}
	if d.frame != nil && d.frame.output && len(q.Outputs) == 0 {
		q.Outputs = []Output{{Name: "position", Semantic: "position", Mask: 0xF}}
	}
	for s := range q.Walk {
		reason := ""
		for x := range d.lacking {
			if x.statement != nil && x.statement(q, s) {
				reason = x.reason
				break
			}
		}
		if reason == "" && s.Kind == Compute && !d.has(d.mnemonic(s)) {
			reason = "no mnemonic for " + s.Op.String()
		}
		if reason != "" {
			leave(reason)
			*s = Statement{Kind: Nop} // keeps apart instructions that must not be adjacent
		}
	}
	if d.limit != nil {
		d.limit(q, leave)
	}
	return q, reasons
}

// until returns what dialects have from a version on.
func (x lack) until(version int) lack {
	x.before = version
	return x
}

// What several dialects lack.
var (
	undefinedRelation = lack{reason: "undefined relation of cmp", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && s.Op == pica.CMP && max(s.Compare[0], s.Compare[1]) > pica.CmpGE
	}}
	aliases = lack{reason: "alias", without: func(p *Program) bool {
		styled(func(_ *Statement, o *Operand) { o.Alias = "" })(p)
		had := len(p.Aliases) > 0
		p.Aliases = nil
		return had
	}}
	namedInput = lack{reason: "named input", without: func(p *Program) bool {
		p.unname(func(o *Operand) bool { return o.Class == 'v' })
		had := len(p.Inputs) > 0
		p.Inputs = nil
		return had
	}}
	loneBreak = lack{reason: "break", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Break && s.Condition.On == pica.Always
	}}
	jumpOnFalse = lack{reason: "jmpu on false", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Jump && s.Condition.Inverse
	}}
	indexedMAD = lack{reason: "mad with an address register", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && s.Op == pica.MAD &&
			slices.ContainsFunc(s.Sources, func(o Operand) bool { return o.Index != pica.IndexNone })
	}}
	geometryMode = lack{reason: "geometry mode and space of uniforms", without: (*Program).share}
	secondSource = lack{reason: "second source", without: (*Program).join}
)

func semantic(name string) lack {
	return lack{reason: "semantic " + name, without: func(p *Program) bool {
		return p.withoutOutputs(func(o *Output) bool { return o.Semantic == name })
	}}
}

// styled returns a change of every operand of a program.
func styled(edit func(s *Statement, o *Operand)) func(p *Program) bool {
	return func(p *Program) bool {
		for s := range p.Walk {
			for o := range s.operands {
				edit(s, o)
			}
		}
		for i := range p.Aliases {
			edit(&Statement{Kind: Nop}, &p.Aliases[i].Operand)
		}
		return false
	}
}

// unname writes registers in the place of some names.
func (p *Program) unname(which func(o *Operand) bool) {
	styled(func(_ *Statement, o *Operand) {
		if o.Name != "" && which(o) {
			o.Name, o.Number = "", p.Register(*o)
		}
	})(p)
}

// withoutOutputs removes outputs, and reports whether there were any.
func (p *Program) withoutOutputs(gone func(o *Output) bool) bool {
	n := len(p.Outputs)
	p.unname(func(o *Operand) bool {
		return slices.ContainsFunc(p.Outputs, func(x Output) bool { return o.Class == 'o' && x.Name == o.Name && gone(&x) })
	})
	p.Outputs = slices.DeleteFunc(p.Outputs, func(o Output) bool { return gone(&o) })
	return len(p.Outputs) < n
}

// share gives a geometry program the uniforms of vertex programs, and reports whether it had its own.
func (p *Program) share() bool {
	if !p.own() {
		return false
	}
	p.Geometry = Geometry{Shared: true}
	p.Constants = slices.DeleteFunc(p.Constants, p.overlaid)
	return true
}

// join makes a program of two sources one of one source, and reports whether it had two.
func (p *Program) join() bool {
	had := p.Library
	p.Library, p.Twin = false, false
	return had
}
