package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Aemstro is the dialect of aemstro_as. Sources name registers and operand descriptors, and flow
// control has labels where other dialects have scopes. A geometry program is the second program
// of a file with two.
var Aemstro = Dialect{
	Name:      "aemstro",
	Extension: ".vsh",
	Allows:    []string{"DVLB014", "DVLE011", "DVLE044", "DVLE065", "DVLP012", "DVLP013"},
	Silent:    true,
	Labels:    true,
	pairs:     true,
	mnemonic: func(s *Statement) string {
		op := s.form()
		if name := map[pica.Opcode]string{pica.DST: "op4", pica.LITP: "op7", pica.DSTI: "op19"}[op]; name != "" {
			return name
		}
		return op.String()
	},
	cannot:  aemstroCannot,
	adapt:   aemstroAdapt,
	symbol:  func(name string) (string, bool) { return name, true },
	print:   printAemstro,
	isEntry: labelled,
	Frames:  []Frame{{Name: "51bfeef"}},
	Probes:  []func() *Program{func() *Program { return Minimal() }},
	Forms:   AemstroForms,
	Faults:  aemstroFaults,
	Defects: aemstroDefects,
}

func aemstroCannot(p *Program, s *Statement) string {
	switch {
	case s.Kind == Jump, s.Kind == Break:
		return "jumps and breaks"
	case s.Kind == Call && s.Condition.On != pica.Always:
		return "conditional call"
	case s.Kind != Compute:
		return ""
	case s.Op == pica.CMP && max(s.Compare[0], s.Compare[1]) > pica.CmpGE:
		return "undefined relation of cmp"
	}
	if o, v := s.Dest, s.Sources; s.Op == pica.ADD && o.Class == 'o' && p.Register(o) == 0 && v[0].Class == 'v' &&
		v[1].Class == 'v' && p.Register(v[0])+p.Register(v[1]) == 0 {
		return "add o0, v0, v0: its word may be 0, which is left out"
	}
	for k, o := range s.Sources {
		switch {
		case o.Index == pica.IndexNone:
		case o.Index == pica.IndexAL:
			return "aL: refused by the dialect's own"
		case k > 0 || s.Op == pica.MAD:
			return "address register that is not on the first operand of two"
		}
	}
	return ""
}

func aemstroAdapt(p *Program, leave func(reason string)) {
	if len(p.Inputs) > 0 {
		leave("named input")
		p.unname('v')
		p.Inputs = nil
	}
	if p.withoutOutputs(func(o *Output) bool { return o.Semantic == "dummy" }) {
		leave("semantic dummy")
	}
	if len(p.Aliases) > 0 {
		leave("alias")
		styled(func(_ *Statement, o *Operand) { o.Alias = "" })(p)
		p.Aliases = nil
	}
	if p.share() {
		leave(geometryMode)
	}
	if p.join() {
		leave(secondSource)
	}
}

var aemstroSpelling = spelling{
	ifFlags: "ifc", ifBool: "ifu", loop: "loop", setEmit: "setemit",
	flags: "cmp.", and: []string{"&&"}, or: []string{"||"},
	relations: []string{"eq", "ne", "lt", "le", "gt", "ge"}, comments: []string{" ; as meant"}, pads: true,
	label: func(w *printer, _ int, name string) { w.mark(0, "%s:", nihstroName(name)) },
	call:  func(_ *printer, s *Statement) string { return fmt.Sprintf("%[1]s, %[1]s_end", nihstroName(s.Target)) },
	scope: func(w *printer, s *Statement) (operands, otherwise, end string) {
		otherwise, end = fmt.Sprintf("else%d", w.words), fmt.Sprintf("end%d", w.words)
		switch {
		case s.Kind == Loop:
			return end + ", " + w.scalar(w, &s.Int), "", end + ":"
		case len(s.Else) == 0:
			otherwise = end
		}
		return end + ", " + otherwise + ", " + w.condition(s), otherwise + ":", end + ":"
	},
	emission: func(s *Statement) string { return fmt.Sprintf("vtx%d, %t, %t", s.Vertex, s.Primitive, s.Winding) },
	operands: aemstroOperands, scalar: aemstroRegister,
}

func aemstroRegister(w *printer, o *Operand) string {
	return fmt.Sprintf("%c%d", o.Class, w.p.Register(*o))
}

func printAemstro(p *Program, d *Dialect) *Text {
	w := &printer{spelling: &aemstroSpelling, p: p, d: d}
	w.descriptors.of(p)
	entry := nihstroName(p.Procedures[p.Entry].Name)
	w.mark(1, ".vsh %[1]s, %[1]s_end", entry)
	if p.Stage == pica.Geometry {
		w.mark(1, ".gsh %[1]s, %[1]s_end", entry)
	}
	aemstroDeclarations(w)
	for i := range p.Procedures {
		w.label(w, 0, p.Procedures[i].Name)
		w.body(p.Procedures[i].Body, 1)
		w.label(w, 0, p.Procedures[i].Name+"_end")
	}
	for _, d := range w.descriptors {
		w.mark(1, ".opdesc %s", descriptorText(pica.Descriptor(d)))
	}
	var b strings.Builder
	for k := range w.lines {
		w.write(&b, &w.lines[k])
	}
	return &Text{Files: []string{p.ended(b.String())}, Entry: entry, Geometry: p.Stage == pica.Geometry}
}

func aemstroDeclarations(w *printer) {
	p := w.p
	for i := range p.Uniforms {
		u := &p.Uniforms[i]
		first := p.place(u.Class, u.Name)
		w.mark(1, ".uniform %c%d, %c%d, %s", u.Class, first, u.Class, first+u.Size-1, u.Name)
	}
	for i := range p.Outputs {
		o := &p.Outputs[i]
		mask := o.Mask&8>>3 | o.Mask&4>>1 | o.Mask&2<<1 | o.Mask&1<<3
		w.mark(1, ".out o%d, result.%s, %s", o.Register, o.Semantic, hexadecimal(int(mask), o.Style))
	}
	for i := range p.Constants {
		k := &p.Constants[i]
		for j, row := range k.Rows {
			text := fmt.Sprintf(".const %c%d", k.Class, p.first(k)+j)
			for n, x := range row {
				switch {
				case k.Class == 'c':
					text += ", " + FloatText(x)
				case k.Class == 'i' || n == 0:
					text += ", " + strconv.Itoa(int(x))
				}
			}
			w.mark(1, "%s", text)
		}
	}
}

func hexadecimal(n int, s Style) string { return fmt.Sprintf([]string{"0x%x", "%d"}[s.pick(6, 2)], n) }

// descriptorText returns the letters of an operand descriptor.
func descriptorText(d pica.Descriptor) string {
	list := []string{""}
	for k, letter := range "xyzw" {
		if d.Mask()>>(3-k)&1 == 0 {
			letter = '_'
		}
		list[0] += string(letter)
	}
	for k := range 3 {
		list = append(list, map[bool]string{true: "-"}[d.Negate(k)]+letters(d.Selectors(k), 0xF, 0))
	}
	return strings.Join(list, ", ")
}

func aemstroOperands(w *printer, s *Statement) (list []string) {
	switch s.Dest.Class {
	case 0:
	case 'a':
		list = append(list, "o0") // MOVA's destination is in the mask
	default:
		list = append(list, aemstroRegister(w, &s.Dest))
	}
	for k := range s.Sources {
		o := &s.Sources[k]
		text := aemstroRegister(w, o)
		if s.form() != s.Op && k == 1 && s.Op != pica.MAD { // the assembler has no other text for it
			text = fmt.Sprintf("d%x", pica.SourceUniform+w.p.Register(*o))
		}
		text += [...]string{"", "[a0.x]", "[a0.y]", ""}[o.Index]
		if list = append(list, text); k == 0 && s.Op == pica.CMP {
			list = append(list, w.relations[s.Compare[0]], w.relations[s.Compare[1]])
		}
	}
	list[len(list)-1] += " (" + hexadecimal(w.descriptors.number(s), s.Style) + ")"
	return list
}
