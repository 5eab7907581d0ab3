package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/pica"
)

// Frame is a way to print programs, for a version of an assembler.
type Frame struct {
	Name    string
	version int  // ten times the version: what is newer is left out
	output  bool // every source has an output
	entry   bool // every source names its entry
}

// In returns the dialect as it is printed in a frame.
func (d *Dialect) In(f *Frame) *Dialect {
	if f == &d.Frames[0] {
		return d
	}
	c := *d
	c.frame = f
	c.Forms = slices.DeleteFunc(slices.Clone(d.Forms), func(x Form) bool { return x.since > f.version })
	c.Defects = sync.OnceValue(func() []Defect {
		return slices.DeleteFunc(slices.Clone(d.Defects()), func(x Defect) bool {
			return x.Program != nil && !c.Says(x.Program) || x.Base != nil && (!c.Says(x.Base) || c.fills(x.Base))
		})
	})
	if f.version < d.masks {
		c.Allows = append(slices.Clone(d.Allows), "DVLE011")
	}
	return &c
}

// About says how sources are printed, "" in the first frame.
func (d *Dialect) About() string {
	if d.frame == nil {
		return ""
	}
	text := fmt.Sprintf("sources are printed for %s %d.%d", d.Name, d.frame.version/10, d.frame.version%10)
	if d.frame.output {
		text += "; each has .out"
	}
	if d.frame.entry {
		text += " and .entry"
	}
	return text
}

// Adapt returns a source of the first frame with the lines that the dialect's frame needs in the first files, those of
// shaders. It also returns the line that it added to each. The reason is not empty if the frame cannot have the source.
func (d *Dialect) Adapt(t *Text, shaders int) (adapted *Text, added []string, reason string) {
	if d.frame == nil {
		return t, make([]string, shaders), ""
	}
	for k := range d.first().Forms {
		if f := &d.first().Forms[k]; f.since > d.frame.version && f.In(t) {
			return nil, nil, "not in this version: " + f.Name
		}
	}
	c := *t
	c.Files = slices.Clone(t.Files)
	for i := range c.Files {
		text := &c.Files[i]
		line := ""
		if i < shaders && d.frame.output && !outLine.MatchString(*text) {
			line = ".out zzposition position"
		}
		if i < shaders {
			added = append(added, line)
		}
		if i == 0 && d.frame.entry && !entryLine.MatchString(*text) {
			line = strings.TrimPrefix(line+"\n.entry "+t.Entry, "\n")
		}
		if line == "" {
			continue
		}
		at := 0 // .gsh comes first
		if g := gshLine.FindStringIndex(*text); g != nil {
			at = g[1]
		}
		*text = (*text)[:at] + line + "\n" + (*text)[at:]
	}
	return &c, added, ""
}

var (
	outLine   = regexp.MustCompile(`(?m)^[ \t]*\.out\b`)
	entryLine = regexp.MustCompile(`(?m)^[ \t]*\.entry\b`)
	gshLine   = regexp.MustCompile(`(?m)^[ \t]*\.gsh\b.*\n`)
)

// first returns the dialect in its first frame.
func (d *Dialect) first() *Dialect {
	return Dialects[slices.IndexFunc(Dialects, func(x *Dialect) bool { return x.Name == d.Name })]
}

// fills reports whether the frame prints something in the place of an empty body.
func (d *Dialect) fills(p *Program) bool {
	return len(p.Procedures[0].Body) == 0 && len(d.framed(p).Procedures[0].Body) > 0
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
		if !accepted(d.Probes[0], in) {
			continue
		}
		for _, probe := range d.Probes {
			p, says := probe, in
			for n := k; !says.Says(p); n-- {
				says = d.In(&d.Frames[n])
			}
			switch is := accepted(p, says); {
			case is == (says == in):
				right++
			case !is: // a refusal that is not foretold says more than a newer form that is accepted
				right--
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

// picassoLacks are what picasso lacks, and older versions by its public change log and manuals.
var picassoLacks = []lack{
	{reason: "vertex id 3", statement: func(_ *Program, s *Statement) bool { return s.Kind == SetEmit && s.Vertex == 3 }},
	undefinedRelation,
	{reason: "empty destination mask", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && s.Dest.Class != 0 && s.Dest.Mask == 0
	}},
	loneBreak.until(27),
	{before: 27, without: styled(func(s *Statement, o *Operand) {
		if s.Dest.Class == 'a' { // a0, not a0.x
			s.Dest.Style = s.Dest.Style&^7 | 1
		}
		if o.Index != pica.IndexNone && (o.Index != pica.IndexAL || o.Style.pick(9, 3) == 0) {
			o.Style = o.Style&^(7<<9) | 1<<9
		}
	})},
	namedInput.until(26),
	{before: 26, reason: "name with a dollar", without: func(p *Program) (had bool) {
		for i := range p.Uniforms {
			u := &p.Uniforms[i]
			had = change(&u.Name, strings.ReplaceAll(u.Name, "$", "_")) || had
		}
		return styled(func(_ *Statement, o *Operand) { o.Name = strings.ReplaceAll(o.Name, "$", "_") })(p) || had
	}},
	{before: 26, reason: "output above o6", without: func(p *Program) bool {
		return p.withoutOutputs(func(o *Output) bool { return o.Register > 6 })
	}, statement: func(p *Program, s *Statement) bool { return s.Dest.Class == 'o' && p.Register(s.Dest) > 6 }},
	semantic("dummy").until(25),
	geometryMode.until(25),
	{before: 25, reason: "output in a register that the source names", without: func(p *Program) (had bool) {
		for i := range p.Outputs {
			o := &p.Outputs[i]
			had = change(&o.Register, i) || had
			if o.Name == "" {
				o.Name = "output" + string(rune('0'+i))
			}
		}
		return had
	}},
	{before: 25, without: styled(func(_ *Statement, o *Operand) {
		if o.Style.pick(3, 4)%3 != 0 { // letters rgba or stpq
			o.Style &^= 7 << 3
		}
	})},
	{before: 25, without: func(p *Program) bool { // the assembler does not add them
		for _, b := range p.bodies() {
			if n := len(*b); n == 0 || (*b)[n-1].Kind != Nop {
				*b = append(*b, Statement{Kind: Nop})
			}
		}
		return false
	}},
	indexedMAD.until(25),
	{before: 23, reason: "array of constants", without: func(p *Program) (had bool) {
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
	jumpOnFalse.until(22),
	{before: 20, reason: "geometry program", without: func(p *Program) bool {
		had := p.Stage == pica.Geometry
		p.Stage, p.Geometry = pica.Vertex, Geometry{}
		return had
	}, statement: func(_ *Program, s *Statement) bool { return s.Kind == Emit || s.Kind == SetEmit }},
	secondSource.until(20),
	{before: 20, reason: "constant in a register that the source names", without: func(p *Program) bool {
		n := len(p.Constants)
		p.Constants = slices.DeleteFunc(p.Constants, func(k Constant) bool { return k.Name == "" })
		return len(p.Constants) < n
	}},
	{before: 20, without: func(p *Program) bool { // without .entry
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
	{before: 20, without: styled(func(s *Statement, _ *Operand) { // inverted forms are written
		if s.Style &^= 7 << 3; s.Kind == Compute && s.form() != s.Op {
			s.Style |= 1 << 3
		}
	})},
}

// picassoProbes are programs that some versions of picasso lack. The first one has END alone.
var picassoProbes = []*Program{
	Minimal(),
	ending(func(p *Program) { p.Procedures[0].Name = "start" }),
	ending(func(p *Program) { p.Inputs = []Input{{Name: "probe"}} }),
	ending(func(p *Program) { p.Uniforms = []Uniform{{Class: 'c', Name: "of$probe", Size: 1}} }),
	ending(func(p *Program) { p.Outputs = []Output{{Semantic: "color", Register: 3, Mask: 0xF}} }),
	ending(func(p *Program) { p.Outputs = []Output{{Semantic: "dummy", Mask: 0xF}} }),
	ending(func(p *Program) { p.Outputs = []Output{{Name: "probe", Semantic: "dummy", Register: 9, Mask: 0xF}} }),
	ending(func(p *Program) { p.Stage = pica.Geometry }),
	ending(func(p *Program) { p.Stage, p.Geometry.Shared = pica.Geometry, true }),
	ending(func(p *Program) {
		p.Constants = []Constant{{Class: 'c', Name: "probe", Rows: make([]pica.Vec4, 2)}}
	}),
	ending(func(p *Program) { p.Constants = []Constant{{Class: 'c', Register: 40, Rows: make([]pica.Vec4, 1)}} }),
	ending(func(p *Program) {
		p.Library = true
		p.Procedures = append(p.Procedures, Procedure{Name: "probe", Body: []Statement{{Kind: Nop}}})
	}),
	Minimal(compute(pica.DST, temporary(1), temporary(1), temporary(2))),
	Minimal(compute(pica.LITP, temporary(1), temporary(1))),
	Minimal(Statement{Kind: Loop, Int: Operand{Class: 'i'}, Then: []Statement{{Kind: Break}, {Kind: Nop}}}),
	Minimal(compute(pica.SGE, temporary(1), temporary(1), uniform(2))),
	Minimal(compute(pica.MOVA, Operand{Class: 'a', Mask: 8}, temporary(1))),
	Minimal(Statement{Kind: Jump, Target: "probe", Condition: Condition{On: pica.OnUniformInverse,
		Bool: Operand{Class: 'b'}, Inverse: true}}, Statement{Kind: Nop}, Statement{Kind: Label, Target: "probe"}),
}
