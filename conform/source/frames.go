package source

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Frame is a way to print programs, for a version of an assembler.
type Frame struct {
	Name    string
	version int  // ten times the version: what is newer is left out
	output  bool // every source has an output
	entry   bool // every source names its entry
}

// novelty is a part of a dialect that older versions lack.
type novelty struct {
	version int
	reason  string // "" if an older version has another text with the same meaning
	// statement reports whether a statement is or has the part.
	statement func(p *Program, s *Statement) bool
	// without removes the part from a program, and reports whether the program had it.
	without func(p *Program) bool
}

// In returns the dialect as it is printed in a frame.
func (d *Dialect) In(f *Frame) *Dialect {
	if f == &d.Frames[0] {
		return d
	}
	c := *d
	c.frame = f
	c.Forms = slices.DeleteFunc(slices.Clone(d.Forms), func(x Form) bool { return x.since > f.version })
	c.Defects = slices.DeleteFunc(slices.Clone(d.Defects), func(x Defect) bool {
		return x.Program != nil && !c.Says(x.Program()) || x.Base != nil && !c.Says(x.Base())
	})
	if f.version < d.masks {
		c.Silent = true
		c.Allows = append(slices.Clone(d.Allows), "DVLE011")
	}
	return &c
}

// older changes a program until the dialect's frame can express it.
func (d *Dialect) older(p *Program, leave func(reason string)) {
	for _, n := range d.news {
		if n.version > d.frame.version && n.without != nil && n.without(p) && n.reason != "" {
			leave(n.reason)
		}
	}
	if d.frame.output && len(p.Outputs) == 0 {
		p.Outputs = []Output{{Name: "position", Semantic: "position", Mask: 0xF}}
	}
}

// newer returns the reason why the dialect's frame cannot express a statement, or "".
func (d *Dialect) newer(p *Program, s *Statement) string {
	for _, n := range d.news {
		if n.version > d.frame.version && n.statement != nil && n.statement(p, s) {
			return n.reason
		}
	}
	return ""
}

// framed returns a program as its frame prints it.
func (d *Dialect) framed(p *Program) *Program {
	if d.frame != nil {
		p, _ = d.Fit(p)
	}
	return p
}

// Frame returns the frame of an assembler; accepts reports whether it accepts a text. The frame is
// the one that foretells best which probes are accepted, the first of them if several do. What it
// cannot express must be refused in the text of a newer frame, so that an assembler that lacks one
// form stays in its frame. An assembler that refuses a program of END in every frame has the first
// frame.
func (d *Dialect) Frame(accepts func(t *Text) bool) *Frame {
	known := map[string]bool{}
	accepted := func(p *Program, in *Dialect) bool {
		t := in.Print(p)
		key := strings.Join(t.Files, "\x00")
		if _, asked := known[key]; !asked {
			known[key] = accepts(t)
		}
		return known[key]
	}
	best, most := &d.Frames[0], 0
	for k := range d.Frames {
		in, right := d.In(&d.Frames[k]), 0
		if !accepted(d.Probes[0](), in) {
			continue
		}
		for _, probe := range d.Probes {
			p, says := probe(), in
			for n := k; !says.Says(p); n-- {
				says = d.In(&d.Frames[n])
			}
			if accepted(p, says) == (says == in) {
				right++
			}
		}
		if right > most {
			best, most = &d.Frames[k], right
		}
		if right == len(d.Probes) {
			break
		}
	}
	return best
}

// picassoFrames are the frames of picasso's dialect, newest first.
var picassoFrames = []Frame{
	{Name: "2.7", version: 27},
	{Name: "2.7-out", version: 27, output: true},
	{Name: "2.7-entry", version: 27, output: true, entry: true},
	{Name: "2.6", version: 26, output: true},
	{Name: "2.5", version: 25, output: true},
	{Name: "2.3", version: 23, output: true},
	{Name: "2.2", version: 22, output: true},
	{Name: "2.0", version: 20, output: true},
	{Name: "1.0", version: 10, output: true},
}

// picassoNews are the parts of picasso's dialect that its public change log and manuals date.
var picassoNews = []novelty{
	{version: 27, reason: "break", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Break && s.Condition.On == pica.Always
	}},
	{version: 27, without: styled(func(s *Statement, o *Operand) {
		if s.Dest.Class == 'a' { // a0, not a0.x
			s.Dest.Style = s.Dest.Style&^7 | 1
		}
		if o.Index != pica.IndexNone && (o.Index != pica.IndexAL || o.Style.pick(9, 3) == 0) {
			o.Style = o.Style&^(7<<9) | 1<<9
		}
	})},
	{version: 26, reason: "named input", without: func(p *Program) bool {
		p.unname('v')
		had := len(p.Inputs) > 0
		p.Inputs = nil
		return had
	}},
	{version: 26, reason: "name with a dollar", without: func(p *Program) (had bool) {
		for i := range p.Uniforms {
			u := &p.Uniforms[i]
			had = change(&u.Name, strings.ReplaceAll(u.Name, "$", "_")) || had
		}
		return styled(func(_ *Statement, o *Operand) { o.Name = strings.ReplaceAll(o.Name, "$", "_") })(p) || had
	}},
	{version: 26, reason: "output above o6", without: func(p *Program) bool {
		return p.withoutOutputs(func(o *Output) bool { return o.Register > 6 })
	}, statement: func(p *Program, s *Statement) bool { return s.Dest.Class == 'o' && p.Register(s.Dest) > 6 }},
	{version: 25, reason: "semantic dummy", without: func(p *Program) bool {
		return p.withoutOutputs(func(o *Output) bool { return o.Semantic == "dummy" })
	}},
	{version: 25, reason: geometryMode, without: (*Program).share},
	{version: 25, reason: "output in a register that the source names", without: func(p *Program) (had bool) {
		for i := range p.Outputs {
			o := &p.Outputs[i]
			had = change(&o.Register, i) || had
			if o.Name == "" {
				o.Name = "output" + string(rune('0'+i))
			}
		}
		return had
	}},
	{version: 25, without: styled(func(_ *Statement, o *Operand) {
		if o.Style.pick(3, 4)%3 != 0 { // letters rgba or stpq
			o.Style &^= 7 << 3
		}
	})},
	{version: 25, without: func(p *Program) bool { // the assembler does not add them
		for _, b := range p.bodies() {
			if n := len(*b); n == 0 || (*b)[n-1].Kind != Nop {
				*b = append(*b, Statement{Kind: Nop})
			}
		}
		return false
	}},
	{version: 25, reason: "mad with an address register", statement: func(_ *Program, s *Statement) bool {
		return s.Op == pica.MAD && slices.ContainsFunc(s.Sources, func(o Operand) bool { return o.Index != pica.IndexNone })
	}},
	{version: 23, reason: "array of constants", without: func(p *Program) (had bool) {
		for i := range p.Constants {
			k := &p.Constants[i]
			if k.Class == 'c' && k.Name != "" && len(k.Rows) > 1 {
				k.Rows, had = k.Rows[:1], true
				for s := range p.Walk {
					for o := range s.operands {
						if o.Name == k.Name {
							o.Number = 0
						}
					}
				}
			}
			if k.Class == 'c' {
				k.Style &^= 7 // no array of one row
			}
		}
		return had
	}},
	{version: 22, reason: "jmpu on false", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Jump && s.Condition.Inverse
	}},
	{version: 20, reason: "geometry program", without: func(p *Program) bool {
		had := p.Stage == pica.Geometry
		p.Stage, p.Geometry = pica.Vertex, Geometry{}
		return had
	}, statement: func(_ *Program, s *Statement) bool { return s.Kind == Emit || s.Kind == SetEmit }},
	{version: 20, reason: secondSource, without: (*Program).join},
	{version: 20, reason: "constant in a register that the source names", without: func(p *Program) bool {
		n := len(p.Constants)
		p.Constants = slices.DeleteFunc(p.Constants, func(k Constant) bool { return k.Name == "" })
		return len(p.Constants) < n
	}},
	{version: 20, without: func(p *Program) bool { // without .entry
		p.Style &^= 7 << 12
		name := p.Procedures[p.Entry].Name
		p.Procedures[p.Entry].Name = "main"
		for s := range p.Walk {
			if s.Kind == Call && s.Target == name {
				s.Target = "main"
			}
		}
		return false
	}},
	{version: 20, without: styled(func(s *Statement, _ *Operand) { // inverted forms are written
		if s.Style &^= 7 << 3; s.Kind == Compute && s.form() != s.Op {
			s.Style |= 1 << 3
		}
	})},
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

// unname writes registers in the place of the names of a class.
func (p *Program) unname(class byte) {
	styled(func(_ *Statement, o *Operand) {
		if o.Class == class && o.Name != "" {
			o.Name, o.Number = "", p.Register(*o)
		}
	})(p)
}

// withoutOutputs removes outputs, and reports whether there were any.
func (p *Program) withoutOutputs(gone func(o *Output) bool) bool {
	n := len(p.Outputs)
	styled(func(_ *Statement, o *Operand) {
		if i := slices.IndexFunc(p.Outputs, func(x Output) bool { return x.Name == o.Name }); o.Class == 'o' &&
			o.Name != "" && gone(&p.Outputs[i]) {
			o.Name, o.Number = "", p.Outputs[i].Register
		}
	})(p)
	p.Outputs = slices.DeleteFunc(p.Outputs, func(o Output) bool { return gone(&o) })
	return len(p.Outputs) < n
}

// Reasons of omissions that two dialects share.
const (
	geometryMode = "geometry mode and space of uniforms"
	secondSource = "second source"
)

// share gives a geometry program the uniforms of vertex programs, and reports whether it had its own.
func (p *Program) share() bool {
	if !p.own() {
		return false
	}
	p.Geometry = Geometry{Shared: true}
	p.Constants = slices.DeleteFunc(p.Constants,
		func(k Constant) bool { return k.Name == "" && p.taken(k.Class, k.Register) })
	return true
}

// join makes a program of two sources one of one source, and reports whether it had two.
func (p *Program) join() bool {
	had := p.Library
	p.Library, p.Twin = false, false
	return had
}

// picassoProbes are programs that some versions of picasso lack. The first one has END alone.
var picassoProbes = []func() *Program{
	func() *Program { return Minimal() },
	probe(func(p *Program) { p.Procedures[0].Name = "start" }),
	probe(func(p *Program) { p.Inputs = []Input{{Name: "probe"}} }),
	probe(func(p *Program) { p.Uniforms = []Uniform{{Class: 'c', Name: "of$probe", Size: 1}} }),
	probe(func(p *Program) { p.Outputs = []Output{{Semantic: "color", Register: 3, Mask: 0xF}} }),
	probe(func(p *Program) { p.Outputs = []Output{{Semantic: "dummy", Mask: 0xF}} }),
	probe(func(p *Program) { p.Outputs = []Output{{Name: "probe", Semantic: "dummy", Register: 9, Mask: 0xF}} }),
	probe(func(p *Program) { p.Stage = pica.Geometry }),
	probe(func(p *Program) { p.Stage, p.Geometry.Shared = pica.Geometry, true }),
	probe(func(p *Program) {
		p.Constants = []Constant{{Class: 'c', Name: "probe", Rows: make([]pica.Vec4, 2)}}
	}),
	probe(func(p *Program) { p.Constants = []Constant{{Class: 'c', Register: 40, Rows: make([]pica.Vec4, 1)}} }),
	probe(func(p *Program) {
		p.Library = true
		p.Procedures = append(p.Procedures, Procedure{Name: "probe", Body: []Statement{{Kind: Nop}}})
	}),
	func() *Program { return Minimal(compute(pica.DST, 0xF, temporary(1), temporary(2))) },
	func() *Program { return Minimal(compute(pica.LITP, 0xF, temporary(1))) },
	func() *Program {
		return Minimal(Statement{Kind: Loop, Int: Operand{Class: 'i'}, Then: []Statement{{Kind: Break}, {Kind: Nop}}})
	},
	func() *Program { return Minimal(compute(pica.SGE, 0xF, temporary(1), uniform(2))) },
	func() *Program {
		s := compute(pica.MOVA, 8, temporary(1))
		s.Dest = Operand{Class: 'a', Mask: 8}
		return Minimal(s)
	},
	func() *Program {
		return Minimal(Statement{Kind: Jump, Target: "probe", Condition: Condition{On: pica.OnUniformInverse,
			Bool: Operand{Class: 'b'}, Inverse: true}}, Statement{Kind: Nop}, Statement{Kind: Label, Target: "probe"})
	},
}

// probe returns a program of END with a change.
func probe(edit func(p *Program)) func() *Program {
	return func() *Program {
		p := Minimal()
		edit(p)
		return p
	}
}
