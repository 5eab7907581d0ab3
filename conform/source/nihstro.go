package source

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Nihstro is the dialect of nihstro-assemble.
var Nihstro = Dialect{
	Name:      "nihstro",
	Extension: ".vsh",
	Allows: []string{"DVLB014", "DVLP014", "DVLE003", "DVLE009", "DVLE011", "DVLE012", "DVLE022", "DVLE043", "DVLE044",
		"DVLE065", "DVLE066", "DVLE067"},
	Silent:   true,
	Labels:   true,
	Options:  true,
	mnemonic: func(s *Statement) string { return s.Op.In(pica.Nihstro) },
	lacks:    nihstroLacks,
	limit:    nihstroLimit,
	Frames:   []Frame{{Name: "f4d8659"}},
	Probes:   []*Program{Minimal()},
	symbol:   func(name string) (string, bool) { return nihstroName(name), true },
	print:    printNihstro,
	isEntry:  labelled,
	Forms:    NihstroForms,
	Faults:   nihstroFaults,
	Defects:  nihstroDefects,
}

func nihstroName(name string) string { return strings.ReplaceAll(name, "$", "_") }

// lettered returns the slots of source k that get a letter (bit 3 = x).
func lettered(s *Statement, k int) uint8 {
	switch form := s.form(); {
	case form == pica.CMP:
		return 0xC
	case form == pica.DP3, form == pica.DPH && k == 1:
		return 0xE
	case form == pica.DP4, form == pica.DPH:
		return 0xF
	}
	return s.Dest.Mask
}

// unlettered returns the selectors of source k that the dialect has no letters for: of slots that an instruction reads
// and that get none. They can only select x, which is 0.
func unlettered(s *Statement, k int) uint8 {
	return s.Sources[k].Selector & spread(pica.Opcodes[s.Op].Reads[k]&^lettered(s, k))
}

// nihstroLacks are what nihstro-assemble lacks.
var nihstroLacks = []lack{
	semantic("dummy"),
	semantic("texcoord0w"),
	{without: func(p *Program) bool { // adapts half of such instructions to the dialect
		for s := range p.Walk {
			for k := range s.Sources {
				if s.Style.pick(9, 2) == 0 {
					s.Sources[k].Selector &^= unlettered(s, k)
				}
			}
		}
		return false
	}},
	aliases,
	geometryMode,
	secondSource,
	loneBreak,
	jumpOnFalse,
	undefinedRelation,
	{reason: "mova: the dialect's own writes nothing", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && s.Op == pica.MOVA
	}},
	{reason: "dst with a wide second operand", statement: func(_ *Program, s *Statement) bool {
		return s.Kind == Compute && s.form() == pica.DSTI
	}},
	indexedMAD,
	{reason: "a component that is read gets no letter", statement: func(_ *Program, s *Statement) bool {
		for k := range s.Sources {
			if unlettered(s, k) != 0 {
				return true
			}
		}
		return false
	}},
}

// nihstroLimit removes instructions whose operand descriptor gets too large a number: the first
// use gives the number.
func nihstroLimit(p *Program, leave func(reason string)) {
	var table descriptors
	for s := range p.Walk {
		if s.Kind != Compute {
			continue
		}
		before, reason := len(table), ""
		switch n := table.add(nihstroDescriptor(s)); {
		case s.Op == pica.MAD && n >= pica.MaxMADDescs:
			reason = "mad with a descriptor above 31"
		case n >= pica.MaxDescriptors-1:
			reason = "more than 127 descriptors"
		default:
			continue
		}
		leave(reason)
		table, *s = table[:before], Statement{Kind: Nop}
	}
}

// nihstroDescriptor returns the operand descriptor that the assembler makes for an instruction:
// slots without a letter read x.
func nihstroDescriptor(s *Statement) uint32 {
	var negate [3]bool
	var selectors [3]uint8
	for k := range s.Sources {
		negate[k], selectors[k] = s.Sources[k].Negate, s.Sources[k].Selector&spread(lettered(s, k))
	}
	if len(s.Sources) == 1 {
		n := 0
		for slot := range 4 {
			if s.Dest.Mask>>(3-slot)&1 == 1 {
				selectors[1] |= uint8(n) << (6 - 2*slot)
				n++
			}
		}
	}
	return uint32(pica.MakeDescriptor(s.Dest.Mask, negate, selectors))
}

var nihstroSpelling = spelling{
	ifFlags: "if", ifBool: "if", otherwise: "else", endIf: "endif", loop: "loop", endLoop: "endloop",
	setEmit: "setemitraw", separator: ", ", primitive: []string{"prim"}, winding: []string{"inv"},
	flags: "cc.", and: []string{"&&"}, or: []string{"||"}, relations: []string{"==", "!=", "<", "<=", ">", ">="},
	comments: []string{" // as meant", " # as meant", " ; as meant"}, pads: true,
	label: func(w *printer, _ int, name string) {
		w.labels = append(w.labels, textLabel{nihstroName(name), w.words})
	},
	call: func(w *printer, s *Statement) string {
		text := fmt.Sprintf("%[1]s until %[1]s_end", nihstroName(s.Target))
		if s.Condition.On != pica.Always {
			text += " if " + w.condition(s)
		}
		return text
	},
	jump:     func(w *printer, s *Statement) string { return nihstroName(s.Target) + " if " + w.condition(s) },
	operands: nihstroOperands,
	scalar: func(w *printer, o *Operand) string { // in a range only the first register has a name
		if o.Name != "" && o.Number == 0 && o.Style.pick(6, 2) == 0 {
			return nihstroName(o.Name)
		}
		return fmt.Sprintf("%c%d", o.Class, w.p.Register(*o))
	},
	both: func(s *Statement) string {
		c := &s.Condition
		if c.Op != pica.CondAnd || c.RefX != c.RefY || s.Style.pick(9, 2) == 0 {
			return ""
		}
		return map[bool]string{true: "cc.xy", false: "!cc.xy"}[c.RefX]
	},
}

// printNihstro inserts labels when all addresses are known: the assembler does not count setemitraw, so a label behind
// one has a lower address.
func printNihstro(p *Program, d *Dialect) *Text {
	w := &printer{spelling: &nihstroSpelling, p: p, d: d}
	w.procedures()
	w.align()
	var b strings.Builder
	for _, line := range nihstroDeclarations(p) {
		b.WriteString(line + "\n")
	}
	w.place(&b)
	return p.text(p.ended(b.String()))
}

// align makes the entry right, for which the assembler takes the offset of the label's name: the
// names of labels above it must be as long as its address. NOPs at the start make room.
func (w *printer) align() {
	entry := slices.IndexFunc(w.labels, func(l textLabel) bool { return l.name == w.p.Procedures[w.p.Entry].Name })
	if entry == 0 {
		return
	}
	above := 0
	for _, l := range w.labels[:entry] {
		above += len(l.name) + 1
	}
	address := w.labels[entry].word
	nops := max(0, above+2-address)
	for k := range w.labels {
		w.labels[k].word += nops
	}
	filler := strings.Repeat("z", address+nops-above-1)
	w.labels = slices.Insert(w.labels, 0, textLabel{filler, 0})
	w.lines = slices.Insert(w.lines, 0, slices.Repeat([]textLine{{text: "nop", depth: 1, word: true}}, nops)...)
	w.words += nops
}

// place writes the lines with the labels, and NOPs behind which the last labels get low
// addresses.
func (w *printer) place(b *strings.Builder) {
	counted, next := 0, 0
	labels := func() {
		for ; next < len(w.labels) && w.labels[next].word == counted; next++ {
			b.WriteString(w.labels[next].name + ":\n")
		}
	}
	labels()
	for k := range w.lines {
		l := &w.lines[k]
		if w.write(b, l); l.word && !l.uncounted {
			counted++
			labels()
		}
	}
	for next < len(w.labels) {
		b.WriteString("\tnop\n")
		counted++
		labels()
	}
}

// exchangeable reports whether the assembler exchanges the operands if the second one is wide.
func exchangeable(op pica.Opcode) bool {
	return op == pica.ADD || op == pica.MUL || op == pica.DP3 || op == pica.DP4 || op == pica.CMP
}

func nihstroOperands(w *printer, s *Statement) (list []string) {
	if s.Dest.Class != 0 {
		list = append(list, nihstroDest(w, &s.Dest))
	}
	first := len(list)
	for k := range s.Sources {
		list = append(list, nihstroSource(w, &s.Sources[k], lettered(s, k)))
	}
	compare := s.Compare
	if exchangeable(s.Op) && s.Sources[0].wide() && s.Style.pick(3, 2) == 1 {
		list[first], list[first+1] = list[first+1], list[first]
		compare = [2]uint8{pica.MirroredCmp[compare[0]], pica.MirroredCmp[compare[1]]}
	}
	if s.Op == pica.CMP {
		list = append(list, w.relations[compare[0]], w.relations[compare[1]])
	}
	return list
}

func nihstroDest(w *printer, o *Operand) string {
	text := fmt.Sprintf("%c%d", o.Class, w.p.Register(*o))
	if o.Name != "" {
		i := slices.IndexFunc(w.p.Outputs, func(x Output) bool { return x.Name == o.Name })
		if x := &w.p.Outputs[i]; x.Mask == 0xF {
			text = nihstroName(o.Name)
		} else if x.Mask == o.Mask && o.Style.pick(6, 2) == 1 {
			return nihstroName(o.Name) // the alias has the letters
		}
	}
	return text + maskText(o.Mask, o.Style&7)
}

// nihstroSource returns an operand with the letters of the slots that get a letter.
func nihstroSource(w *printer, o *Operand, slots uint8) string {
	text := []string{"", "+"}[o.Style.pick(3, 8)/7]
	if o.Negate {
		text = "-"
	}
	swizzle := "." + letters(o.Selector, slots, 0)
	if swizzle == ".xyzw" && o.Style.pick(0, 4) != 1 {
		swizzle = ""
	}
	base, offset := fmt.Sprintf("%c%d", o.Class, w.p.Register(*o)), 0
	if o.Name != "" && o.Style.pick(6, 2) == 0 && aliased(w.p, o) {
		base, offset = nihstroName(o.Name), o.Number
	} else if o.Class == 'c' && o.Style.pick(9, 8) == 1 {
		first, rest := split(w.p.Register(*o), o.Style, 1)
		base, offset = fmt.Sprintf("c%d", first), rest
	}
	var terms []string
	if o.Index != pica.IndexNone {
		terms = append(terms, [...]string{"", "a0", "a1", "lcnt"}[o.Index])
	}
	if offset > 0 {
		terms = append(terms, strconv.Itoa(offset))
	}
	if len(terms) == 2 && o.Style.pick(12, 2) == 1 {
		terms[0], terms[1] = terms[1], terms[0]
	}
	if len(terms) > 0 {
		base += "[" + strings.Join(terms, "+") + "]"
	}
	return text + base + swizzle
}

// aliased reports whether the declaration of an operand has an alias for all its registers.
func aliased(p *Program, o *Operand) bool {
	for i := range p.Constants {
		if k := &p.Constants[i]; k.Name == o.Name {
			return len(k.Rows) == 1
		}
	}
	return true
}

func nihstroDeclarations(p *Program) (lines []string) {
	add := func(format string, a ...any) { lines = append(lines, fmt.Sprintf(".alias "+format, a...)) }
	for i := range p.Inputs {
		add("%s v%d", nihstroName(p.Inputs[i].Name), p.Inputs[i].Register)
	}
	for i := range p.Uniforms {
		u := &p.Uniforms[i]
		first := p.place(u.Class, u.Name)
		registers := fmt.Sprintf("%c%d", u.Class, first)
		if u.Size > 1 {
			registers += fmt.Sprintf("-%c%d", u.Class, first+u.Size-1)
		}
		add("%s %s", nihstroName(u.Name), registers)
	}
	for i := range p.Outputs {
		o := &p.Outputs[i]
		name := cmp.Or(o.Name, fmt.Sprintf("output%d", i))
		semantic := strings.Replace(o.Semantic, "normalquat", "quaternion", 1)
		add("%s o%d%s as %s", nihstroName(name), o.Register, maskText(o.Mask, 0), semantic)
	}
	for i := range p.Constants {
		k := &p.Constants[i]
		for j, row := range k.Rows {
			name := nihstroName(k.Name)
			if name == "" || len(k.Rows) > 1 {
				name = fmt.Sprintf("%sconstant%d_%d", name, i, j)
			}
			var parts []string
			for _, x := range row {
				if k.Class == 'c' {
					parts = append(parts, MiddleText(Truncated(x)))
				} else {
					parts = append(parts, strconv.Itoa(int(x)))
				}
			}
			value := "(" + strings.Join(parts, ", ") + ")"
			if k.Class == 'b' {
				value = parts[0]
			}
			add("%s %c%d as %s", name, k.Class, p.first(k)+j, value)
		}
	}
	return lines
}

// MiddleText returns a decimal number in the middle of the numbers that truncate to a raw
// float24, so that an inexact reader of numbers also gets it right.
func MiddleText(x uint32) string {
	exponent, m := int(x>>16&0x7F), x&0xFFFF
	text := "0"
	if exponent != 0 || m != 0 {
		text = strconv.FormatFloat(math.Ldexp(1+(float64(m)+0.5)/65536, exponent-63), 'g', 10, 64)
	}
	if x>>23 == 1 {
		text = "-" + text
	}
	return text
}
