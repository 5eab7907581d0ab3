package source

import (
	"fmt"
	"math/bits"
	"slices"
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
	mnemonic:  func(s *Statement) string { return s.form().In(pica.Aemstro) },
	lacks:     aemstroLacks,
	symbol:    func(name string) (string, bool) { return name, true },
	print:     printAemstro,
	isEntry:   labelled,
	Frames:    []Frame{{Name: "51bfeef"}},
	Probes:    []*Program{Minimal()},
	Forms:     AemstroForms,
	Faults:    aemstroFaults,
	Defects:   aemstroDefects,
}

// aemstroLacks are what aemstro_as lacks.
var aemstroLacks = []lack{
	namedInput,
	semantic("dummy"),
	aliases,
	geometryMode,
	secondSource,
	{reason: "jumps and breaks", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Jump || s.Kind == Break
	}},
	{reason: "conditional call", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Call && s.Condition.On != pica.Always
	}},
	undefinedRelation,
	{reason: "add o0, v0, v0: its word may be 0, which is left out", statement: func(p *Program, s *Statement) bool {
		return s.Kind == Compute && s.Op == pica.ADD && s.Dest.Class == 'o' && p.Register(s.Dest) == 0 &&
			!slices.ContainsFunc(s.Sources, func(o Operand) bool { return o.Class != 'v' || p.Register(o) > 0 })
	}},
	indexedMAD,
	{reason: "address register that is not on the first operand, or aL", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && slices.ContainsFunc(s.Sources[1:], func(o Operand) bool {
			return o.Index != pica.IndexNone
		}) || len(s.Sources) > 0 && s.Sources[0].Index == pica.IndexAL
	}},
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
	w.procedures()
	for _, d := range w.descriptors {
		w.mark(1, ".opdesc %s", descriptorText(pica.Descriptor(d)))
	}
	t := p.text(w.file())
	t.Entry = entry
	return t
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
		w.mark(1, ".out o%d, result.%s, %s", o.Register, o.Semantic, hexadecimal(int(bits.Reverse8(o.Mask)>>4), o.Style))
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
