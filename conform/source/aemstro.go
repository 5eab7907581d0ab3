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
	flags: "cmp.", and: []string{"&&"}, or: []string{"||"},
	relations: []string{"eq", "ne", "lt", "le", "gt", "ge"}, comments: []string{" ; as meant"}, pads: true,
	scalar: aemstroRegister,
}

func aemstroRegister(w *printer, o *Operand) string {
	return fmt.Sprintf("%c%d", o.Class, w.p.Register(*o))
}

// aemstroText is a source in aemstro's dialect.
type aemstroText struct {
	*printer
	descriptors descriptors
	scopes      int
}

func printAemstro(p *Program, d *Dialect) *Text {
	w := &aemstroText{printer: &printer{spelling: &aemstroSpelling, p: p, d: d}}
	w.descriptors.of(p)
	entry := nihstroName(p.Procedures[p.Entry].Name)
	w.mark(1, ".vsh %[1]s, %[1]s_end", entry)
	if p.Stage == pica.Geometry {
		w.mark(1, ".gsh %[1]s, %[1]s_end", entry)
	}
	w.declarations()
	for i := range p.Procedures {
		name := nihstroName(p.Procedures[i].Name)
		w.mark(0, "%s:", name)
		w.body(p.Procedures[i].Body)
		w.mark(0, "%s_end:", name)
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

func (w *aemstroText) declarations() {
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
		first := k.Register
		if k.Name != "" {
			first = p.place(k.Class, k.Name)
		}
		for j, row := range k.Rows {
			text := fmt.Sprintf(".const %c%d", k.Class, first+j)
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

func (w *aemstroText) body(body []Statement) {
	for k := range body {
		w.statement(&body[k])
	}
	if n := len(body); n == 0 || body[n-1].Kind != Nop {
		w.word(1, "nop")
	}
}

func (w *aemstroText) statement(s *Statement) {
	word := func(name string, operands ...string) {
		w.word(1, "%s", strings.TrimRight(cased(name, s.Style)+" "+strings.Join(operands, ", "), " "))
	}
	switch s.Kind {
	case Compute:
		word(w.d.mnemonic(s), w.operands(s))
	case If:
		w.scopes++
		otherwise, end := fmt.Sprintf("else%d", w.scopes), fmt.Sprintf("endif%d", w.scopes)
		if len(s.Else) == 0 {
			otherwise = end
		}
		word(onCondition(s, "", "ifc", "ifu"), end, otherwise, w.condition(s))
		w.body(s.Then)
		if len(s.Else) > 0 {
			w.mark(0, "%s:", otherwise)
			w.body(s.Else)
		}
		w.mark(0, "%s:", end)
	case Loop:
		w.scopes++
		end := fmt.Sprintf("endloop%d", w.scopes)
		word("loop", end, aemstroRegister(w.printer, &s.Int))
		w.body(s.Then)
		w.word(1, "nop")
		w.mark(0, "%s:", end)
	case Call:
		word("call", nihstroName(s.Target), nihstroName(s.Target)+"_end")
	case Label:
		w.mark(0, "%s:", nihstroName(s.Target))
	case SetEmit:
		word("setemit", fmt.Sprintf("vtx%d", s.Vertex), strconv.FormatBool(s.Primitive), strconv.FormatBool(s.Winding))
	default:
		word(map[Kind]string{Emit: "emit", Nop: "nop", End: "end"}[s.Kind])
	}
}

func (w *aemstroText) operands(s *Statement) string {
	var list []string
	switch s.Dest.Class {
	case 0:
	case 'a':
		list = append(list, "o0") // MOVA's destination is in the mask
	default:
		list = append(list, aemstroRegister(w.printer, &s.Dest))
	}
	for k := range s.Sources {
		o := &s.Sources[k]
		text := aemstroRegister(w.printer, o)
		if s.form() != s.Op && k == 1 && s.Op != pica.MAD { // the assembler has no other text for it
			text = fmt.Sprintf("d%x", pica.SourceUniform+w.p.Register(*o))
		}
		text += [...]string{"", "[a0.x]", "[a0.y]", ""}[o.Index]
		if list = append(list, text); k == 0 && s.Op == pica.CMP {
			list = append(list, w.relations[s.Compare[0]], w.relations[s.Compare[1]])
		}
	}
	return strings.Join(list, ", ") + " (" + hexadecimal(w.descriptors.number(s), s.Style) + ")"
}
