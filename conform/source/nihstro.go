package source

import (
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
	Silent:    true,
	Labels:    true,
	Options:   true,
	mnemonics: map[pica.Opcode]string{pica.EX2: "exp", pica.LG2: "log", pica.LITP: "lit"},
	cannot:    nihstroCannot,
	adapt:     nihstroAdapt,
	limit:     nihstroLimit,
	Frames:    []Frame{{Name: "f4d8659"}},
	Probes:    []func() *Program{func() *Program { return Minimal() }},
	symbol:    func(name string) (string, bool) { return nihstroName(name), true },
}

func init() {
	Nihstro.print, Nihstro.isEntry = printNihstro, nihstroEntry
	Nihstro.Forms, Nihstro.Faults, Nihstro.Defects = NihstroForms, nihstroFaults, nihstroDefects
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

// unlettered returns the slots of source k that an instruction reads and that get no letter (bit
// 3 = x). Slots without a letter select x; other has the slots with another selector.
func unlettered(s *Statement, k int) (slots uint8, other uint8) {
	slots = pica.Opcodes[s.Op].Reads[k] &^ lettered(s, k)
	for slot := range 4 {
		if s.Sources[k].Selector>>(6-2*slot)&3 != 0 {
			other |= 8 >> slot
		}
	}
	return slots, other
}

func nihstroCannot(p *Program, s *Statement) string {
	switch {
	case s.Kind == Break && s.Condition.On == pica.Always:
		return "break"
	case s.Kind == Jump && s.Condition.Inverse:
		return "jmpu on false"
	case s.Kind != Compute:
		return ""
	case s.Op == pica.MOVA:
		return "mova: the dialect's own writes nothing"
	case s.Op == pica.CMP && max(s.Compare[0], s.Compare[1]) > pica.CmpGE:
		return "undefined relation of cmp"
	case s.form() == pica.DSTI:
		return "dst with a wide second operand"
	}
	for k := range s.Sources {
		o := &s.Sources[k]
		if s.Op == pica.MAD && o.Index != pica.IndexNone {
			return "mad with an address register"
		}
		if slots, other := unlettered(s, k); slots&other != 0 {
			return s.Op.String() + " reads a component that gets no letter"
		}
	}
	return ""
}

// nihstroSemantics are the names of semantics. The dialect has no names for the others.
var nihstroSemantics = map[string]string{"position": "position", "normalquat": "quaternion", "color": "color",
	"texcoord0": "texcoord0",
	"texcoord1": "texcoord1", "texcoord2": "texcoord2", "view": "view"}

func nihstroAdapt(p *Program, leave func(reason string)) {
	for i := range p.Outputs {
		if o := &p.Outputs[i]; nihstroSemantics[o.Semantic] == "" {
			leave("semantic " + o.Semantic)
		}
	}
	p.withoutOutputs(func(o *Output) bool { return nihstroSemantics[o.Semantic] == "" })
	styled(func(_ *Statement, o *Operand) { o.Alias = "" })(p)
	for s := range p.Walk { // adapts half of such instructions to the dialect
		for k := range s.Sources {
			for slot := range 4 {
				if slots, other := unlettered(s, k); s.Style.pick(9, 2) == 0 && slots&other>>(3-slot)&1 == 1 {
					s.Sources[k].Selector &^= 0xC0 >> (2 * slot)
				}
			}
		}
	}
	if len(p.Aliases) > 0 {
		leave("alias with a sign or a swizzle, or of a temporary")
		p.Aliases = nil
	}
	if p.share() {
		leave(geometryMode)
	}
	if p.join() {
		leave(secondSource)
	}
}

// nihstroLimit removes instructions whose operand descriptor gets too large a number: the first
// use gives the number.
func nihstroLimit(p *Program, leave func(reason string)) {
	var table []uint32
	for s := range p.Walk {
		if s.Kind != Compute {
			continue
		}
		d := nihstroDescriptor(s)
		id := slices.Index(table, d)
		if id < 0 {
			id = len(table)
		}
		switch {
		case s.Op == pica.MAD && id >= pica.MaxMADDescs:
			leave("mad with a descriptor above 31")
			*s = Statement{Kind: Nop}
		case id >= pica.MaxDescriptors-1:
			leave("more than 127 descriptors")
			*s = Statement{Kind: Nop}
		case id == len(table):
			table = append(table, d)
		}
	}
}

// nihstroDescriptor returns the operand descriptor that the assembler makes for an instruction:
// slots without a letter read x.
func nihstroDescriptor(s *Statement) uint32 {
	var negate [3]bool
	var selectors [3]uint8
	for k := range s.Sources {
		negate[k] = s.Sources[k].Negate
		for slot := range 4 {
			if lettered(s, k)>>(3-slot)&1 == 1 {
				selectors[k] |= s.Sources[k].Selector & (0xC0 >> (2 * slot))
			}
		}
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

// nihstroText is a source in nihstro's dialect. Labels are inserted when all addresses are
// known: the assembler does not count setemitraw, so a label behind one has a lower address.
type nihstroText struct {
	p      *Program
	lines  []nihstroLine
	words  int // labels before the next line
	labels []nihstroLabel
}

type nihstroLine struct {
	text    string
	depth   int
	words   int  // 0 or 1
	uncount bool // a word that the assembler does not count
}

type nihstroLabel struct {
	name string
	word int
}

func printNihstro(p *Program, _ *Frame) *Text {
	t := &Text{Entry: p.Procedures[p.Entry].Name, Geometry: p.Stage == pica.Geometry}
	w := &nihstroText{p: p}
	for i := range p.Procedures {
		pr := &p.Procedures[i]
		w.label(pr.Name)
		w.body(pr.Body, 1)
		w.label(pr.Name + "_end")
	}
	w.align()
	var b strings.Builder
	for _, line := range w.declarations() {
		b.WriteString(line + "\n")
	}
	w.write(&b)
	t.Files = []string{b.String()}
	if p.Style.pick(0, 8) == 1 {
		t.Files[0] = strings.ReplaceAll(t.Files[0], "\n", "\r\n")
	}
	return t
}

// align makes the entry right, for which the assembler takes the offset of the label's name: the
// names of labels above it must be as long as its address. NOPs at the start make room.
func (w *nihstroText) align() {
	entry := slices.IndexFunc(w.labels, func(l nihstroLabel) bool { return l.name == w.p.Procedures[w.p.Entry].Name })
	above := 0
	for _, l := range w.labels[:entry] {
		above += len(l.name) + 1
	}
	if entry == 0 {
		return
	}
	address := w.labels[entry].word
	nops := max(0, above+2-address)
	for k := range w.labels {
		w.labels[k].word += nops
	}
	filler := strings.Repeat("z", address+nops-above-1)
	w.labels = slices.Insert(w.labels, 0, nihstroLabel{filler, 0})
	w.lines = slices.Insert(w.lines, 0, slices.Repeat([]nihstroLine{{text: "nop", depth: 1, words: 1}}, nops)...)
	w.words += nops
}

// write writes the lines with the labels, and NOPs behind which the last labels get low
// addresses.
func (w *nihstroText) write(b *strings.Builder) {
	counted, next := 0, 0
	place := func() {
		for next < len(w.labels) && w.labels[next].word == counted {
			b.WriteString(w.labels[next].name + ":\n")
			next++
		}
	}
	place()
	for _, l := range w.lines {
		comment := ""
		if w.p.Style.pick(6, 8) == 1 {
			comment = []string{" // as meant", " # as meant", " ; as meant"}[w.p.Style.pick(9, 3)]
		}
		b.WriteString(strings.Repeat("\t", l.depth) + l.text + comment + "\n")
		if l.words > 0 && !l.uncount {
			counted++
			place()
		}
	}
	for next < len(w.labels) {
		b.WriteString("\tnop\n")
		counted++
		place()
	}
}

func (w *nihstroText) label(name string) {
	w.labels = append(w.labels, nihstroLabel{nihstroName(name), w.words})
}

func (w *nihstroText) word(depth int, format string, a ...any) {
	w.lines = append(w.lines, nihstroLine{text: fmt.Sprintf(format, a...), depth: depth, words: 1})
	w.words++
}

func (w *nihstroText) mark(depth int, text string) {
	w.lines = append(w.lines, nihstroLine{text: text, depth: depth})
}

// body writes statements and the NOP that [Lower] adds at the end.
func (w *nihstroText) body(body []Statement, depth int) {
	for k := range body {
		w.statement(&body[k], depth)
	}
	if n := len(body); n == 0 || body[n-1].Kind != Nop {
		w.word(depth, "nop")
	}
}

func (w *nihstroText) statement(s *Statement, depth int) {
	name := func(text string) string { return cased(text, s.Style) }
	switch s.Kind {
	case Compute:
		w.word(depth, "%s", w.compute(s))
	case If:
		w.word(depth, "%s %s", name("if"), w.condition(s))
		w.body(s.Then, depth+1)
		if len(s.Else) > 0 {
			w.mark(depth, name("else"))
			w.body(s.Else, depth+1)
		}
		w.mark(depth, name("endif"))
	case Loop:
		w.word(depth, "%s %s", name("loop"), w.scalar(&s.Int))
		w.body(s.Then, depth+1)
		w.word(depth+1, "nop")
		w.mark(depth, name("endloop"))
	case Call:
		target := nihstroName(s.Target)
		text := fmt.Sprintf("%s %s until %s_end", name("call"), target, target)
		if s.Condition.On != pica.Always {
			text += " if " + w.condition(s)
		}
		w.word(depth, "%s", text)
	case Jump:
		w.word(depth, "%s %s if %s", name("jmp"), nihstroName(s.Target), w.condition(s))
	case Label:
		w.label(s.Target)
	case Break:
		w.word(depth, "%s %s", name("breakc"), w.condition(s))
	case Emit:
		w.word(depth, "%s", name("emit"))
	case SetEmit:
		w.word(depth, "%s", name("setemitraw")+w.setEmit(s))
		w.lines[len(w.lines)-1].uncount = true
	case Nop:
		w.word(depth, "%s", name("nop"))
	case End:
		w.word(depth, "%s", name("end"))
	}
}

func (w *nihstroText) setEmit(s *Statement) string {
	var flags []string
	if s.Primitive {
		flags = append(flags, "prim")
	}
	if s.Winding {
		flags = append(flags, "inv")
	}
	if len(flags) == 2 && s.Style.pick(9, 2) == 1 {
		flags[0], flags[1] = flags[1], flags[0]
	}
	return strings.Join(append([]string{fmt.Sprintf(" %d", s.Vertex)}, flags...), ", ")
}

func (w *nihstroText) condition(s *Statement) string {
	c := &s.Condition
	if c.On != pica.OnFlags {
		return w.scalar(&c.Bool)
	}
	if c.Op == pica.CondAnd && c.RefX == c.RefY && s.Style.pick(9, 2) == 1 {
		if c.RefX {
			return "cc.xy"
		}
		return "!cc.xy"
	}
	return flagsText(c, s.Style, "cc.", []string{"&&"}, []string{"||"})
}

var nihstroRelations = []string{"==", "!=", "<", "<=", ">", ">="}

// exchangeable reports whether the assembler exchanges the operands if the second one is wide.
func exchangeable(op pica.Opcode) bool {
	return op == pica.ADD || op == pica.MUL || op == pica.DP3 || op == pica.DP4 || op == pica.CMP
}

func (w *nihstroText) compute(s *Statement) string {
	name := Nihstro.mnemonic(s.Op)
	var list, relations []string
	if s.Dest.Class != 0 {
		list = append(list, w.dest(&s.Dest))
	}
	sources := []string{}
	for k := range s.Sources {
		sources = append(sources, w.source(&s.Sources[k], lettered(s, k)))
	}
	compare := s.Compare
	if exchangeable(s.Op) && s.Sources[0].wide() && s.Style.pick(3, 2) == 1 {
		sources[0], sources[1] = sources[1], sources[0]
		if s.Op == pica.CMP {
			compare = [2]uint8{pica.MirroredCmp[compare[0]], pica.MirroredCmp[compare[1]]}
		}
	}
	if s.Op == pica.CMP {
		relations = []string{nihstroRelations[compare[0]], nihstroRelations[compare[1]]}
	}
	return cased(name, s.Style) + " " + strings.Join(slices.Concat(list, sources, relations), ", ")
}

func (w *nihstroText) dest(o *Operand) string {
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

// source returns an operand with the letters of the slots that get a letter.
func (w *nihstroText) source(o *Operand, slots uint8) string {
	text := []string{"", "+"}[o.Style.pick(3, 8)/7]
	if o.Negate {
		text = "-"
	}
	letters := ""
	for slot := range 4 {
		if slots>>(3-slot)&1 == 1 {
			letters += "xyzw"[o.Selector>>(6-2*slot)&3:][:1]
		}
	}
	if letters == "xyzw" && o.Style.pick(0, 4) != 1 {
		letters = ""
	} else {
		letters = "." + letters
	}
	base, offset := fmt.Sprintf("%c%d", o.Class, w.p.Register(*o)), 0
	if o.Name != "" && o.Style.pick(6, 2) == 0 && w.aliased(o) {
		base, offset = nihstroName(o.Name), o.Number
	} else if o.Class == 'c' && w.p.Register(*o) > 0 && o.Style.pick(9, 8) == 1 {
		offset = min(w.p.Register(*o), []int{1, 6, 20, pica.NumFloats}[o.Style.pick(1, 4)])
		base = fmt.Sprintf("c%d", w.p.Register(*o)-offset)
	}
	var terms []string
	index := [...]string{"", "a0", "a1", "lcnt"}[o.Index]
	if index != "" {
		terms = append(terms, index)
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
	return text + base + letters
}

// aliased reports whether the declaration of an operand has an alias for all its registers.
func (w *nihstroText) aliased(o *Operand) bool {
	for i := range w.p.Constants {
		if k := &w.p.Constants[i]; k.Name == o.Name {
			return len(k.Rows) == 1
		}
	}
	return true
}

// scalar returns an integer or boolean uniform: in a range only the first register has a name.
func (w *nihstroText) scalar(o *Operand) string {
	if o.Name != "" && o.Number == 0 && o.Style.pick(6, 2) == 0 {
		return nihstroName(o.Name)
	}
	return fmt.Sprintf("%c%d", o.Class, w.p.Register(*o))
}

func (w *nihstroText) declarations() (lines []string) {
	p := w.p
	add := func(format string, a ...any) { lines = append(lines, fmt.Sprintf(".alias "+format, a...)) }
	for i := range p.Inputs {
		add("%s v%d", nihstroName(p.Inputs[i].Name), p.Inputs[i].Register)
	}
	for i := range p.Uniforms {
		u := &p.Uniforms[i]
		first := p.place(u.Class, u.Name)
		if u.Size == 1 {
			add("%s %c%d", nihstroName(u.Name), u.Class, first)
		} else {
			add("%s %c%d-%c%d", nihstroName(u.Name), u.Class, first, u.Class, first+u.Size-1)
		}
	}
	for i := range p.Outputs {
		o := &p.Outputs[i]
		name := o.Name
		if name == "" {
			name = fmt.Sprintf("output%d", i)
		}
		add("%s o%d%s as %s", nihstroName(name), o.Register, maskText(o.Mask, 0), nihstroSemantics[o.Semantic])
	}
	for i := range p.Constants {
		k := &p.Constants[i]
		first := p.place(k.Class, k.Name)
		if k.Name == "" {
			first = k.Register
		}
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
			add("%s %c%d as %s", name, k.Class, first+j, value)
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

// nihstroEntry reports whether a line is the label of the entry.
func nihstroEntry(line, entry string) bool { return strings.TrimSpace(line) == entry+":" }
