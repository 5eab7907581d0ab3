package source

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// spelling is how a family of dialects writes statements.
type spelling struct {
	ifFlags, ifBool, otherwise, endIf, loop, endLoop string
	setEmit, separator                               string // separator stands between its flags
	primitive, winding                               []string
	flags                                            string // the prefix of conditions
	and, or                                          []string
	relations                                        []string // of cmp
	comments                                         []string
	pads                                             bool // the assembler adds no NOPs
	// label writes a label, call and jump the operands behind their mnemonics.
	label      func(w *printer, depth int, name string)
	call, jump func(w *printer, s *Statement) string
	// operands and scalar write the operands of an instruction, and an integer or boolean uniform.
	operands func(w *printer, s *Statement) []string
	scalar   func(w *printer, o *Operand) string
	// scope returns the operands of an IF or LOOP and the lines of its parts, if they depend on
	// the statement; emission those of SETEMIT. They may be nil.
	scope    func(w *printer, s *Statement) (operands, otherwise, end string)
	emission func(s *Statement) string
	// both returns a short form of a condition on both flags, or "". It may be nil.
	both func(s *Statement) string
}

// printer is a file that is being printed.
type printer struct {
	*spelling
	p           *Program
	d           *Dialect
	lines       []textLine
	words       int
	labels      []textLabel // labels whose lines are inserted when all addresses are known
	descriptors descriptors // if the source has them
}

// textLine is a line of a source.
type textLine struct {
	text      string
	depth     int
	word      bool // an instruction
	uncounted bool // which the assembler does not count
}

type textLabel struct {
	name string
	word int
}

// mark adds a line without a word, word one with an instruction.
func (w *printer) mark(depth int, format string, a ...any) {
	w.lines = append(w.lines, textLine{text: fmt.Sprintf(format, a...), depth: depth})
}

func (w *printer) word(depth int, format string, a ...any) {
	w.mark(depth, format, a...)
	w.lines[len(w.lines)-1].word = true
	w.words++
}

// write writes a line.
func (w *printer) write(b *strings.Builder, l *textLine) {
	b.WriteString(strings.Repeat("\t", l.depth) + l.text)
	if s := w.p.Style; s.pick(6, 8) == 1 {
		b.WriteString(w.comments[s.pick(9, len(w.comments))])
	}
	b.WriteString("\n")
}

// text returns the text of the files of a program.
func (p *Program) text(files ...string) *Text {
	return &Text{Files: files, Entry: p.Procedures[p.Entry].Name, Geometry: p.Stage == pica.Geometry}
}

// procedures writes the procedures between labels.
func (w *printer) procedures() {
	for i := range w.p.Procedures {
		pr := &w.p.Procedures[i]
		w.label(w, 0, pr.Name)
		w.body(pr.Body, 1)
		w.label(w, 0, pr.Name+"_end")
	}
}

// file returns the lines so far.
func (w *printer) file() string {
	var b strings.Builder
	for k := range w.lines {
		w.write(&b, &w.lines[k])
	}
	return w.p.ended(b.String())
}

// ended returns a text with the ends of lines that the style of its program has.
func (p *Program) ended(text string) string {
	if p.Style.pick(0, 8) == 1 {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func (w *printer) body(body []Statement, depth int) {
	for k := range body {
		w.statement(&body[k], depth)
	}
	if n := len(body); w.pads && (n == 0 || body[n-1].Kind != Nop) {
		w.word(depth, "nop")
	}
}

func (w *printer) statement(s *Statement, depth int) {
	word := func(name, operands string) {
		w.word(depth, "%s", strings.TrimRight(cased(name, s.Style)+" "+operands, " "))
	}
	switch s.Kind {
	case Compute:
		word(w.d.mnemonic(s), strings.Join(w.operands(w, s), ", "))
	case If:
		operands, otherwise, end := w.parts(s)
		word(onCondition(s, "", w.ifFlags, w.ifBool), operands)
		w.body(s.Then, depth+1)
		if len(s.Else) > 0 {
			w.mark(depth, "%s", otherwise)
			w.body(s.Else, depth+1)
		}
		w.mark(depth, "%s", end)
	case Loop:
		operands, _, end := w.parts(s)
		word(w.loop, operands)
		w.body(s.Then, depth+1)
		if w.pads {
			w.word(depth+1, "nop")
		}
		w.mark(depth, "%s", end)
	case Call, Jump:
		text, operands := "call", w.call
		if s.Kind == Jump {
			text, operands = "jmp", w.jump
		}
		if w.ifFlags != w.ifBool {
			text = onCondition(s, text, text+"c", text+"u")
		}
		word(text, operands(w, s))
	case Label:
		w.label(w, depth, s.Target)
	case Break:
		if s.Condition.On == pica.Always {
			word("break", "")
		} else {
			word("breakc", w.condition(s))
		}
	case Emit:
		word("emit", "")
	case SetEmit:
		if w.emission != nil {
			word(w.setEmit, w.emission(s))
		} else {
			word(w.setEmit, w.flagged(s))
		}
		w.lines[len(w.lines)-1].uncounted = true
	case Nop:
		word("nop", "")
	case End:
		word("end", "")
	}
}

// cased returns a word, in capitals if the style asks for it. Directives stay as they are.
func cased(word string, s Style) string {
	if s.pick(0, 8) == 1 && word[0] != '.' {
		return strings.ToUpper(word)
	}
	return word
}

// onCondition returns one of three values by the condition of a statement.
func onCondition[T any](s *Statement, always, flags, uniform T) T {
	switch s.Condition.On {
	case pica.Always:
		return always
	case pica.OnFlags:
		return flags
	}
	return uniform
}

// parts returns the operands of a scope, and the lines between and behind its bodies.
func (w *printer) parts(s *Statement) (operands, otherwise, end string) {
	switch {
	case w.scope != nil:
		return w.scope(w, s)
	case s.Kind == Loop:
		return w.scalar(w, &s.Int), "", cased(w.endLoop, s.Style)
	}
	return w.condition(s), cased(w.otherwise, s.Style), cased(w.endIf, s.Style)
}

// flagged returns the operands of SETEMIT: a number and words.
func (w *printer) flagged(s *Statement) string {
	var flags []string
	if s.Primitive {
		flags = append(flags, w.primitive[s.Style.pick(3, len(w.primitive))])
	}
	if s.Winding {
		flags = append(flags, w.winding[s.Style.pick(6, len(w.winding))])
	}
	if len(flags) == 2 && s.Style.pick(9, 2) == 1 {
		flags[0], flags[1] = flags[1], flags[0]
	}
	text := fmt.Sprint(s.Vertex)
	if len(flags) > 0 {
		text += ", " + strings.Join(flags, w.separator)
	}
	return text
}

func (w *printer) condition(s *Statement) string {
	c := &s.Condition
	if c.On != pica.OnFlags {
		if c.Inverse {
			return "!" + w.scalar(w, &c.Bool)
		}
		return w.scalar(w, &c.Bool)
	}
	if w.both != nil {
		if text := w.both(s); text != "" {
			return text
		}
	}
	term := func(letter string, ref bool) string {
		if ref {
			return w.flags + letter
		}
		return "!" + w.flags + letter
	}
	x, y := term("x", c.RefX), term("y", c.RefY)
	switch c.Op {
	case pica.CondX:
		return x
	case pica.CondY:
		return y
	}
	if s.Style.pick(3, 4) == 1 {
		x, y = y, x
	}
	operator := map[uint8][]string{pica.CondAnd: w.and, pica.CondOr: w.or}[c.Op]
	return x + " " + operator[s.Style.pick(6, len(operator))] + " " + y
}

// alphabets are the letters of components.
var alphabets = []string{"xyzw", "rgba", "stpq", "XYZW"}

// letters returns the letters of those slots of a selector byte that a mask has (bit 3 = x).
func letters(selector, slots uint8, alphabet int) (text string) {
	for k := range 4 {
		if slots>>(3-k)&1 == 1 {
			text += alphabets[alphabet][selector>>(6-2*k)&3:][:1]
		}
	}
	return text
}

// spread returns the bits of a selector byte that belong to the slots of a mask (bit 3 = x).
func spread(mask uint8) (selectors uint8) {
	for k := range 4 {
		selectors |= mask >> k & 1 * 3 << (2 * k)
	}
	return selectors
}

// maskText returns the letters of a mask, "" for all of them.
func maskText(mask uint8, s Style) string {
	if mask == 0xF && s.pick(0, 4) != 1 {
		return ""
	}
	return "." + letters(pica.IdentitySwizzle, mask, s.pick(3, 4))
}

// selectorText returns the letters of a selector byte, "" for xyzw. The style may omit letters
// that repeat at the end.
func selectorText(selector uint8, s Style) string {
	if selector == pica.IdentitySwizzle && s.pick(0, 4) != 1 {
		return ""
	}
	text := letters(selector, 0xF, s.pick(3, 4))
	if s.pick(6, 2) == 0 {
		for len(text) > 1 && text[len(text)-1] == text[len(text)-2] {
			text = text[:len(text)-1]
		}
	}
	return "." + text
}

// split returns a register of class c as a base and an offset that the style chooses from place on.
func split(register int, s Style, place int) (base, offset int) {
	offset = min(register, []int{1, 6, 20, pica.NumFloats}[s.pick(place, 4)])
	return register - offset, offset
}
