package source

import (
	"cmp"
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
	masks:     22,
	print:     printPicasso,
	isEntry:   picassoEntry,
	Frames:    picassoFrames,
	Probes:    picassoProbes,
	lacks:     picassoLacks,
	Forms:     PicassoForms,
	Faults:    picassoFaults,
	Defects:   picassoDefects,
	mnemonic: func(s *Statement) string { // the names of inverted forms mean the same
		if inverse(s.Op) && s.Style.pick(3, 4) == 1 {
			return s.Op.String() + "i"
		}
		return s.Op.In(pica.Picasso)
	},
	symbol: func(name string) (string, bool) {
		return strings.ReplaceAll(name, "$", "."), !strings.HasPrefix(name, "_")
	},
}

var picassoSpelling = spelling{
	ifFlags: "ifc", ifBool: "ifu", otherwise: ".else", endIf: ".end", loop: "for", endLoop: ".end",
	setEmit: "setemit", separator: " ", primitive: []string{"prim", "primitive"}, winding: []string{"inv", "invert"},
	flags: "cmp.", and: []string{"&&", "&"}, or: []string{"||", "|"},
	relations: []string{"eq", "ne", "lt", "le", "gt", "ge"}, comments: []string{" ; as meant"},
	label: func(w *printer, depth int, name string) { w.mark(depth, "%s:", name) },
	call:  picassoTarget, jump: picassoTarget, operands: picassoOperands, scalar: picassoRegister,
}

func printPicasso(p *Program, d *Dialect) *Text {
	var files []string
	file := func(declare func(w *printer), in func(i int) bool) {
		w := &printer{spelling: &picassoSpelling, p: p, d: d}
		declare(w)
		for i := range p.Procedures {
			if in(i) {
				w.mark(0, ".proc %s", p.Procedures[i].Name)
				w.body(p.Procedures[i].Body, 1)
				w.mark(0, ".end")
			}
		}
		text := w.file()
		if p.Style.pick(3, 8) == 1 {
			text = strings.TrimRight(text, "\r\n")
		}
		files = append(files, text)
	}
	file(picassoDeclarations, func(i int) bool { return i == p.Entry || !p.Library })
	if p.Library {
		file(func(w *printer) {
			if t := p.twin(); t != nil {
				w.mark(0, ".entry %s", t.Name)
			} else {
				w.mark(0, ".nodvle")
			}
		}, func(i int) bool { return i != p.Entry })
	}
	return p.text(files...)
}

// picassoClasses are the directives of uniforms.
var picassoClasses = map[byte]string{'c': ".fvec", 'i': ".ivec", 'b': ".bool"}

// picassoSemantics are the short names of semantics.
var picassoSemantics = map[string]string{"position": "pos", "normalquat": "nquat", "color": "clr",
	"texcoord0":  "tcoord0",
	"texcoord0w": "tcoord0w", "texcoord1": "tcoord1", "texcoord2": "tcoord2"}

func picassoDeclarations(w *printer) {
	p := w.p
	if p.Stage == pica.Geometry {
		g, modes := &p.Geometry, []string{"variable", "fixed"}
		if p.Style.pick(9, 4) == 1 {
			modes = []string{"subdivision", "particle"}
		}
		switch {
		case g.Shared:
			w.mark(0, ".gsh")
		case g.Mode == pica.GeometryVariable:
			w.mark(0, ".gsh %s c%d %d", modes[0], g.First, g.Variable)
		case g.Mode == pica.GeometryFixed:
			w.mark(0, ".gsh %s c%d c%d %d", modes[1], g.First, g.GeometryParameters.First, g.Fixed)
		default:
			w.mark(0, ".gsh point c%d", g.First)
		}
	}
	for i := 0; i < len(p.Uniforms); i++ {
		text := picassoUniform(&p.Uniforms[i])
		for ; i+1 < len(p.Uniforms) && p.Uniforms[i+1].Class == p.Uniforms[i].Class &&
			p.Uniforms[i+1].Style.pick(3, 2) == 1; i++ {
			text += ", " + picassoUniform(&p.Uniforms[i+1])
		}
		w.mark(0, "%s %s", picassoClasses[p.Uniforms[i].Class], text)
	}
	for i := range p.Constants {
		picassoConstant(w, &p.Constants[i])
	}
	picassoInterfaces(w)
	for i := range p.Aliases {
		w.mark(0, ".alias %s %s", p.Aliases[i].Name, picassoSource(&p.Aliases[i].Operand))
	}
	if entry := p.Procedures[p.Entry].Name; entry != "main" || p.Style.pick(12, 3) == 1 ||
		w.d.frame != nil && w.d.frame.entry {
		w.mark(0, ".entry %s", entry)
	}
}

func picassoUniform(u *Uniform) string {
	if u.Size > 1 || u.Style.pick(0, 4) == 1 {
		return fmt.Sprintf("%s[%d]", u.Name, u.Size)
	}
	return u.Name
}

// picassoInterfaces writes inputs and outputs. It may leave registers to the assembler while they
// ascend from 0.
func picassoInterfaces(w *printer) {
	free := 0
	for i := range w.p.Inputs {
		in := &w.p.Inputs[i]
		if in.Register == free && in.Style.pick(0, 2) == 1 {
			w.mark(0, ".in %s", in.Name)
		} else {
			w.mark(0, ".in %s v%d", in.Name, in.Register)
		}
		if in.Register == free {
			free++
		}
	}
	free = 0
	for i := range w.p.Outputs {
		o := &w.p.Outputs[i]
		name, semantic := cmp.Or(o.Name, "-"), o.Semantic
		if other := picassoSemantics[semantic]; other != "" && o.Style.pick(0, 4) == 1 {
			semantic = other
		}
		if o.Style.pick(3, 8) == 1 {
			semantic = strings.ToUpper(semantic)
		}
		old := w.d.frame != nil && w.d.frame.version < 25
		register := fmt.Sprintf(" o%d", o.Register)
		if o.Register == free && (o.Style.pick(6, 2) == 1 || old) {
			register = ""
		}
		w.mark(0, ".out %s %s%s%s", name, semantic, register, maskText(o.Mask, 0))
		free++
	}
}

func picassoConstant(w *printer, k *Constant) {
	row := func(v pica.Vec4) string {
		var parts []string
		for _, x := range v {
			if k.Class == 'c' {
				parts = append(parts, FloatText(x))
			} else if k.Style.pick(3, 2) == 1 {
				parts = append(parts, strconv.Itoa(int(int8(x))))
			} else {
				parts = append(parts, strconv.Itoa(int(x)))
			}
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	letter := map[byte]string{'c': "f", 'i': "i"}[k.Class]
	switch {
	case k.Class == 'b':
		w.mark(0, ".setb b%d %s", k.Register,
			[][]string{{"false", "0", "off"}, {"true", "1", "on"}}[k.Rows[0][0]][k.Style.pick(0, 3)])
	case k.Name == "":
		w.mark(0, ".set%s %c%d%s", letter, k.Class, k.Register, row(k.Rows[0]))
	case len(k.Rows) == 1 && (k.Class == 'i' || k.Style.pick(0, 4) != 1):
		w.mark(0, ".const%s %s%s", letter, k.Name, row(k.Rows[0]))
	default:
		size := strconv.Itoa(len(k.Rows))
		if k.Style.pick(3, 2) == 1 {
			size = ""
		}
		w.mark(0, ".constfa %s[%s]", k.Name, size)
		for _, v := range k.Rows {
			w.mark(0, ".constfa %s", row(v))
		}
		w.mark(0, ".end")
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

// picassoTarget returns the operands of a call or jump.
func picassoTarget(w *printer, s *Statement) string {
	if s.Condition.On == pica.Always {
		return s.Target
	}
	return w.condition(s) + ", " + s.Target
}

func picassoOperands(w *printer, s *Statement) (list []string) {
	switch s.Dest.Class {
	case 'a':
		forms := map[uint8][]string{8: {"a0.x", "a0"}, 4: {"a0.y", "a1"}, 12: {"a0.xy", "a01"}}[s.Dest.Mask]
		list = append(list, forms[s.Dest.Style.pick(0, 2)])
	case 0:
	default:
		list = append(list, picassoRegister(w, &s.Dest)+maskText(s.Dest.Mask, s.Dest.Style))
	}
	for k := range s.Sources {
		list = append(list, picassoSource(&s.Sources[k]))
		if k == 0 && s.Op == pica.CMP {
			for _, relation := range s.Compare {
				list = append(list, w.relations[relation])
			}
		}
	}
	return list
}

// picassoRegister returns the register of an operand without an index.
func picassoRegister(_ *printer, o *Operand) string {
	switch {
	case o.Name == "":
		return fmt.Sprintf("%c%d", o.Class, o.Number)
	case o.Number > 0 || o.Style.pick(9, 8) == 1:
		return fmt.Sprintf("%s[%d]", o.Name, o.Number)
	}
	return o.Name
}

// picassoIndices are the spellings of address registers.
var picassoIndices = [][]string{nil, {"a0.x", "a0", "A0.X"}, {"a0.y", "a1", "a0.Y"}, {"aL", "lcnt", "a2"}}

func picassoSource(o *Operand) string {
	text := ""
	if o.Alias != "" {
		return o.Alias
	}
	if o.Negate {
		text = "-"
	}
	if o.Index == pica.IndexNone {
		return text + picassoRegister(nil, o) + selectorText(o.Selector, o.Style)
	}
	index := picassoIndices[o.Index][o.Style.pick(9, 3)]
	base, offset := o.Name, o.Number
	if base == "" {
		first := 0
		if first, offset = o.Number, 0; o.Style.pick(12, 4) == 1 {
			first, offset = split(o.Number, o.Style, 1)
		}
		base = fmt.Sprintf("c%d", first)
	}
	if offset > 0 || o.Style.pick(12, 8) == 2 {
		index += fmt.Sprintf([]string{"+%d", " + %d"}[o.Style.pick(5, 2)], offset)
	}
	return text + base + "[" + index + "]" + selectorText(o.Selector, o.Style)
}

// picassoEntry reports whether a line opens the procedure that is entered.
func picassoEntry(line, entry string) bool {
	f := strings.Fields(line)
	return len(f) >= 2 && f[0] == ".proc" && f[1] == entry
}
