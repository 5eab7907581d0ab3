package source

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Picasso is the dialect of picasso.
var Picasso = Dialect{
	Name:      "picasso",
	Extension: ".pica",
	Allows:    []string{"DVLE003"},
	cannot: func(_ *Program, s *Statement) string {
		switch {
		case s.Kind == SetEmit && s.Vertex == 3:
			return "vertex id 3"
		case s.Kind == Compute && s.Op == pica.CMP && max(s.Compare[0], s.Compare[1]) > pica.CmpGE:
			return "undefined relation of cmp"
		case s.Kind == Compute && s.Dest.Class != 0 && s.Dest.Mask == 0:
			return "empty destination mask"
		}
		return ""
	},
	adapt: func(*Program, func(string)) {},
	masks: 22,
	symbol: func(name string) (string, bool) {
		return strings.ReplaceAll(name, "$", "."), !strings.HasPrefix(name, "_")
	},
}

func init() {
	Picasso.print, Picasso.isEntry = printPicasso, picassoEntry
	Picasso.Frames, Picasso.Probes, Picasso.news = picassoFrames, picassoProbes, picassoNews
	Picasso.Forms, Picasso.Faults, Picasso.Defects = PicassoForms, picassoFaults, picassoDefects
}

// picassoText is a file in picasso's dialect.
type picassoText struct {
	p     *Program
	frame *Frame // nil for the newest
	b     strings.Builder
	depth int
}

func printPicasso(p *Program, f *Frame) *Text {
	t := &Text{Entry: p.Procedures[p.Entry].Name, Geometry: p.Stage == pica.Geometry}
	w := &picassoText{p: p, frame: f}
	w.declarations()
	for i := range p.Procedures {
		if i == p.Entry || !p.Library {
			w.procedure(&p.Procedures[i])
		}
	}
	t.Files = append(t.Files, w.done())
	if p.Library {
		w := &picassoText{p: p, frame: f}
		if t := p.twin(); t != nil {
			w.line(".entry %s", t.Name)
		} else {
			w.line(".nodvle")
		}
		for i := range p.Procedures {
			if i != p.Entry {
				w.procedure(&p.Procedures[i])
			}
		}
		t.Files = append(t.Files, w.done())
	}
	return t
}

func (w *picassoText) done() string {
	text := w.b.String()
	if w.p.Style.pick(0, 8) == 1 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if w.p.Style.pick(3, 8) == 1 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

func (w *picassoText) line(format string, a ...any) {
	w.b.WriteString(strings.Repeat("\t", w.depth))
	fmt.Fprintf(&w.b, format, a...)
	if w.p.Style.pick(6, 8) == 1 {
		w.b.WriteString(" ; as meant")
	}
	w.b.WriteString("\n")
}

// picassoClasses are the directives of uniforms.
var picassoClasses = map[byte]string{'c': ".fvec", 'i': ".ivec", 'b': ".bool"}

// picassoSemantics are the short names of semantics.
var picassoSemantics = map[string]string{"position": "pos", "normalquat": "nquat", "color": "clr",
	"texcoord0":  "tcoord0",
	"texcoord0w": "tcoord0w", "texcoord1": "tcoord1", "texcoord2": "tcoord2"}

func (w *picassoText) declarations() {
	p := w.p
	if p.Stage == pica.Geometry {
		g, alternative := &p.Geometry, p.Style.pick(9, 4) == 1
		name := func(usual, other string) string {
			if alternative {
				return other
			}
			return usual
		}
		switch {
		case g.Shared:
			w.line(".gsh")
		case g.Mode == pica.GeometryVariable:
			w.line(".gsh %s c%d %d", name("variable", "subdivision"), g.First, g.Variable)
		case g.Mode == pica.GeometryFixed:
			w.line(".gsh %s c%d c%d %d", name("fixed", "particle"), g.First, g.GeometryParameters.First, g.Fixed)
		default:
			w.line(".gsh point c%d", g.First)
		}
	}
	for i := 0; i < len(p.Uniforms); i++ {
		text := w.uniform(i)
		for ; i+1 < len(p.Uniforms) && p.Uniforms[i+1].Class == p.Uniforms[i].Class &&
			p.Uniforms[i+1].Style.pick(3, 2) == 1; i++ {
			text += ", " + w.uniform(i+1)
		}
		w.line("%s %s", picassoClasses[p.Uniforms[i].Class], text)
	}
	for i := range p.Constants {
		w.constant(&p.Constants[i])
	}
	w.interfaces()
	for i := range p.Aliases {
		w.line(".alias %s %s", p.Aliases[i].Name, w.source(&p.Aliases[i].Operand))
	}
	if entry := p.Procedures[p.Entry].Name; entry != "main" || p.Style.pick(12, 3) == 1 ||
		w.frame != nil && w.frame.entry {
		w.line(".entry %s", entry)
	}
}

func (w *picassoText) uniform(i int) string {
	u := &w.p.Uniforms[i]
	if u.Size > 1 || u.Style.pick(0, 4) == 1 {
		return fmt.Sprintf("%s[%d]", u.Name, u.Size)
	}
	return u.Name
}

// interfaces writes inputs and outputs. It may leave registers to the assembler while they
// ascend from 0.
func (w *picassoText) interfaces() {
	free := 0
	for i := range w.p.Inputs {
		in := &w.p.Inputs[i]
		if in.Register == free && in.Style.pick(0, 2) == 1 {
			w.line(".in %s", in.Name)
		} else {
			w.line(".in %s v%d", in.Name, in.Register)
		}
		if in.Register == free {
			free++
		}
	}
	free = 0
	for i := range w.p.Outputs {
		o := &w.p.Outputs[i]
		name, semantic := o.Name, o.Semantic
		if name == "" {
			name = "-"
		}
		if other := picassoSemantics[semantic]; other != "" && o.Style.pick(0, 4) == 1 {
			semantic = other
		}
		if o.Style.pick(3, 8) == 1 {
			semantic = strings.ToUpper(semantic)
		}
		old := w.frame != nil && w.frame.version < 25
		if o.Register == free && (o.Style.pick(6, 2) == 1 || old) {
			w.line(".out %s %s%s", name, semantic, maskText(o.Mask, 0))
		} else {
			w.line(".out %s %s o%d%s", name, semantic, o.Register, maskText(o.Mask, 0))
		}
		free++
	}
}

func (w *picassoText) constant(k *Constant) {
	row := func(v pica.Vec4) string {
		var parts []string
		for _, x := range v {
			if k.Class == 'c' {
				parts = append(parts, FloatText(x))
			} else if n := int(x); n >= 128 && k.Style.pick(3, 2) == 1 {
				parts = append(parts, strconv.Itoa(n-256))
			} else {
				parts = append(parts, strconv.Itoa(n))
			}
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	letter := map[byte]string{'c': "f", 'i': "i"}[k.Class]
	switch {
	case k.Class == 'b':
		w.line(".setb b%d %s", k.Register,
			[][]string{{"false", "0", "off"}, {"true", "1", "on"}}[k.Rows[0][0]][k.Style.pick(0, 3)])
	case k.Name == "":
		w.line(".set%s %c%d%s", letter, k.Class, k.Register, row(k.Rows[0]))
	case len(k.Rows) == 1 && (k.Class == 'i' || k.Style.pick(0, 4) != 1):
		w.line(".const%s %s%s", letter, k.Name, row(k.Rows[0]))
	default:
		size := strconv.Itoa(len(k.Rows))
		if k.Style.pick(3, 2) == 1 {
			size = ""
		}
		w.line(".constfa %s[%s]", k.Name, size)
		for _, v := range k.Rows {
			w.line(".constfa %s", row(v))
		}
		w.line(".end")
	}
}

// FloatText returns a decimal number for a float32 pattern: the shortest one. If that is
// slightly nearer to zero than the number, it returns one slightly farther away, so that a
// truncating reader does not lose a unit.
func FloatText(x uint32) string {
	f := float64(math.Float32frombits(x))
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if decimal, ok := new(big.Rat).SetString(text); ok &&
		decimal.Abs(decimal).Cmp(new(big.Rat).SetFloat64(math.Abs(f))) < 0 {
		return strconv.FormatFloat(f*(1+1e-11), 'g', 14, 64)
	}
	return text
}

func (w *picassoText) procedure(p *Procedure) {
	w.line(".proc %s", p.Name)
	w.body(p.Body)
	w.line(".end")
}

func (w *picassoText) body(body []Statement) {
	w.depth++
	for i := range body {
		w.statement(&body[i])
	}
	w.depth--
}

func (w *picassoText) statement(s *Statement) {
	word := func(name string) string { return cased(name, s.Style) }
	switch s.Kind {
	case Compute:
		w.line("%s %s", word(w.mnemonic(s)), strings.Join(w.operands(s), ", "))
	case If:
		w.line("%s %s", word(onCondition(s, "", "ifc", "ifu")), w.condition(s))
		w.body(s.Then)
		if len(s.Else) > 0 {
			w.line(".else")
			w.body(s.Else)
		}
		w.line(".end")
	case Loop:
		w.line("%s %s", word("for"), w.scalar(&s.Int))
		w.body(s.Then)
		w.line(".end")
	case Call, Jump:
		name := map[Kind]string{Call: "call", Jump: "jmp"}[s.Kind]
		name = onCondition(s, name, name+"c", name+"u")
		if s.Condition.On == pica.Always {
			w.line("%s %s", word(name), s.Target)
		} else {
			w.line("%s %s, %s", word(name), w.condition(s), s.Target)
		}
	case Label:
		w.line("%s:", s.Target)
	case Break:
		if s.Condition.On == pica.Always {
			w.line("%s", word("break"))
		} else {
			w.line("%s %s", word("breakc"), w.condition(s))
		}
	case Emit:
		w.line("%s", word("emit"))
	case SetEmit:
		w.line("%s", word("setemit")+w.setEmit(s))
	case Nop:
		w.line("%s", word("nop"))
	case End:
		w.line("%s", word("end"))
	}
}

// cased returns a word, in capitals if the style asks for it.
func cased(word string, s Style) string {
	if s.pick(0, 8) == 1 {
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

func (w *picassoText) setEmit(s *Statement) string {
	text := fmt.Sprintf(" %d", s.Vertex)
	var flags []string
	if s.Primitive {
		flags = append(flags, []string{"prim", "primitive"}[s.Style.pick(3, 2)])
	}
	if s.Winding {
		flags = append(flags, []string{"inv", "invert"}[s.Style.pick(6, 2)])
	}
	if len(flags) == 2 && s.Style.pick(9, 2) == 1 {
		flags[0], flags[1] = flags[1], flags[0]
	}
	if len(flags) > 0 {
		text += ", " + strings.Join(flags, " ")
	}
	return text
}

// mnemonic returns the name of an instruction. The names of inverted forms mean the same.
func (w *picassoText) mnemonic(s *Statement) string {
	if inverse(s.Op) && s.Style.pick(3, 4) == 1 {
		return s.Op.String() + "i"
	}
	return s.Op.String()
}

func (w *picassoText) operands(s *Statement) (list []string) {
	switch s.Dest.Class {
	case 'a':
		forms := map[uint8][]string{8: {"a0.x", "a0"}, 4: {"a0.y", "a1"}, 12: {"a0.xy", "a01"}}[s.Dest.Mask]
		list = append(list, forms[s.Dest.Style.pick(0, 2)])
	case 0:
	default:
		list = append(list, w.register(&s.Dest)+maskText(s.Dest.Mask, s.Dest.Style))
	}
	for k := range s.Sources {
		list = append(list, w.source(&s.Sources[k]))
		if k == 0 && s.Op == pica.CMP {
			for _, relation := range s.Compare {
				list = append(list, picassoRelations[relation])
			}
		}
	}
	return list
}

var picassoRelations = []string{"eq", "ne", "lt", "le", "gt", "ge"}

// alphabets are the letters of components.
var alphabets = []string{"xyzw", "rgba", "stpq", "XYZW"}

// maskText returns the letters of a mask, "" for all of them.
func maskText(mask uint8, s Style) string {
	if mask == 0xF && s.pick(0, 4) != 1 {
		return ""
	}
	text := ""
	for k := range 4 {
		if mask>>(3-k)&1 == 1 {
			text += alphabets[s.pick(3, 4)][k : k+1]
		}
	}
	if mask == 0 {
		return "."
	}
	return "." + text
}

// selectorText returns the letters of a selector byte, "" for xyzw. The style may omit letters
// that repeat at the end.
func selectorText(selector uint8, s Style) string {
	if selector == pica.IdentitySwizzle && s.pick(0, 4) != 1 {
		return ""
	}
	text := ""
	for k := range 4 {
		text += alphabets[s.pick(3, 4)][selector>>(6-2*k)&3:][:1]
	}
	if s.pick(6, 2) == 0 {
		for len(text) > 1 && text[len(text)-1] == text[len(text)-2] {
			text = text[:len(text)-1]
		}
	}
	return "." + text
}

// register returns the register of an operand without an index.
func (w *picassoText) register(o *Operand) string {
	switch {
	case o.Name == "":
		return fmt.Sprintf("%c%d", o.Class, o.Number)
	case o.Number > 0 || o.Style.pick(9, 8) == 1:
		return fmt.Sprintf("%s[%d]", o.Name, o.Number)
	}
	return o.Name
}

// scalar returns an integer or boolean uniform.
func (w *picassoText) scalar(o *Operand) string { return w.register(o) }

// picassoIndices are the spellings of address registers.
var picassoIndices = [][]string{nil, {"a0.x", "a0", "A0.X"}, {"a0.y", "a1", "a0.Y"}, {"aL", "lcnt", "a2"}}

func (w *picassoText) source(o *Operand) string {
	text := ""
	if o.Alias != "" {
		return o.Alias
	}
	if o.Negate {
		text = "-"
	}
	if o.Index == pica.IndexNone {
		return text + w.register(o) + selectorText(o.Selector, o.Style)
	}
	index := picassoIndices[o.Index][o.Style.pick(9, 3)]
	base, offset := o.Name, o.Number
	if base == "" {
		base, offset = fmt.Sprintf("c%d", o.Number), 0
		if o.Number > 0 && o.Style.pick(12, 4) == 1 {
			offset = min(o.Number, []int{1, 6, 20, pica.NumFloats}[o.Style.pick(1, 4)])
			base = fmt.Sprintf("c%d", o.Number-offset)
		}
	}
	if offset > 0 || o.Style.pick(12, 8) == 2 {
		index += fmt.Sprintf([]string{"+%d", " + %d"}[o.Style.pick(5, 2)], offset)
	}
	return text + base + "[" + index + "]" + selectorText(o.Selector, o.Style)
}

func (w *picassoText) condition(s *Statement) string {
	c := &s.Condition
	if c.On == pica.OnUniform || c.On == pica.OnUniformInverse {
		text := w.scalar(&c.Bool)
		if c.Inverse {
			return "!" + text
		}
		return text
	}
	return flagsText(c, s.Style, "cmp.", []string{"&&", "&"}, []string{"||", "|"})
}

// flagsText returns a condition on flags.
func flagsText(c *Condition, s Style, prefix string, and, or []string) string {
	term := func(letter string, ref bool) string {
		if ref {
			return prefix + letter
		}
		return "!" + prefix + letter
	}
	x, y := term("x", c.RefX), term("y", c.RefY)
	switch c.Op {
	case pica.CondX:
		return x
	case pica.CondY:
		return y
	}
	if s.pick(3, 4) == 1 {
		x, y = y, x
	}
	operator := map[uint8][]string{pica.CondAnd: and, pica.CondOr: or}[c.Op]
	return x + " " + operator[s.pick(6, len(operator))] + " " + y
}
