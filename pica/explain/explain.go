// Package explain serves this module: it says in a sentence, and component by component, what an instruction does with
// its operands.
package explain

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Explanation says what an instruction does.
type Explanation struct {
	Mnemonic string
	Sentence string
	// Effects has what each written component becomes: "o0.x = c4.x + v0.w".
	Effects []string
	Source  string // who says so
	// Knobs names the questions that decide the result, as package oracle/impl names them.
	Knobs    []string
	Operands []Operand
}

// Operand is the destination or a source.
type Operand struct {
	Role     string // "destination", "source 1"
	Text     string // "-c4[a0.x].xyzz"
	Register string // "c4"
	Class    byte   // 'v', 'r', 'c', 'o' or 'a'
	Number   int
}

// reading is an instruction with its operand descriptor.
type reading struct {
	decode.Inst
	info *pica.OpcodeInfo
	desc pica.Descriptor
}

// entry says what an instruction does. Of an operation, expr is the value of a component, where a, b and c stand for
// the components of the sources, and A, B and C for whole sources.
type entry struct {
	sentence string
	expr     string
	source   string
	knobs    string
	special  func(r *reading) []string
}

// Sources of facts.
const (
	observed  = "tests on consoles (fp-tests, aroulin)"
	wiki      = "3dbrew"
	flowNotes = "T. Karras (3dbrew), single observer"
	emitter   = "picasso's manual; the banks of outputs: PabloMK7"
)

// entries explain the instructions by their base opcodes.
var entries = map[pica.Opcode]entry{
	pica.ADD: {"Adds the sources.", "a + b", wiki, "round flush overflow", nil},
	pica.MUL: {"Multiplies the sources.", "a * b", observed, "round flush zeroinf nan0 overflow", nil},
	pica.MAD: {"Multiplies the first two sources and adds the third.", "a * b + c", observed,
		"mad round flush zeroinf nan0 overflow", nil},
	pica.DP3: {"Writes the dot product of three components into each component.",
		"A.x * B.x + A.y * B.y + A.z * B.z", observed, "dp round flush zeroinf nan0 overflow", nil},
	pica.DP4: {"Writes the dot product of four components into each component.",
		"A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w", observed, "dp round flush zeroinf nan0 overflow", nil},
	pica.DPH: {"Writes the dot product of four components into each component, with 1 in place of w of the first source.",
		"A.x * B.x + A.y * B.y + A.z * B.z + B.w", observed, "dp round flush zeroinf nan0 overflow", nil},
	pica.DST: {"Makes a vector for the attenuation of a light.", "", "T. Karras (picasso, pull request 14)",
		"round flush zeroinf nan0", (*reading).distance},
	pica.EX2: {"Raises 2 to the power of x.", "2 ^ A.x", observed, "ex2 flush overflow", nil},
	pica.LG2: {"Takes the logarithm of x to base 2.", "log2(A.x)", observed, "ex2 flush", nil},
	pica.LITP: {"Clamps the source for a lighting computation and sets both condition flags.", "",
		"Panda3DS (pull request 570), T. Karras", "litp flushlitp", (*reading).lighting},
	pica.SGE:  {"Writes 1 where the first source is at least the second, else 0.", "a >= b ? 1 : 0", observed, "flushsge", nil},
	pica.SLT:  {"Writes 1 where the first source is less than the second, else 0.", "a < b ? 1 : 0", observed, "flushsge", nil},
	pica.FLR:  {"Rounds down to an integer.", "floor(a)", observed, "flush", nil},
	pica.MAX:  {"Takes the larger of the sources.", "a > b ? a : b", observed, "maxinf maxzero indexedops", nil},
	pica.MIN:  {"Takes the smaller of the sources.", "a < b ? a : b", observed, "maxzero indexedops", nil},
	pica.RCP:  {"Takes the reciprocal of x.", "1 / A.x", observed, "rcp rcp0 flush indexedops", nil},
	pica.RSQ:  {"Takes the reciprocal of the square root of x.", "1 / sqrt(A.x)", observed, "rcp rcp0 flush indexedops", nil},
	pica.MOVA: {"Converts to integers and writes the address registers.", "int(a)", wiki, "mova movarange hazards", nil},
	pica.MOV:  {"Copies the source.", "a", wiki, "flushmov", nil},
	pica.BREAK: {"Leaves the innermost loop. Without an open loop the console hangs.", "", flowNotes,
		"breakoutside breakstep inneral flow", nil},
	pica.NOP: {"Does nothing.", "", wiki, "", nil},
	pica.END: {"Ends the run. The outputs are what the output registers hold.", "", wiki, "end", nil},
	pica.BREAKC: {"Leaves the innermost loop if the condition holds. Without an open loop the console hangs.", "",
		flowNotes, "breakoutside breakstep inneral flow", (*reading).breaks},
	pica.CALL:  {"Runs words elsewhere, then goes on behind this one.", "", flowNotes, "flow fourthcall", (*reading).calls},
	pica.CALLC: {"Runs words elsewhere if the condition holds.", "", flowNotes, "flow fourthcall", (*reading).calls},
	pica.CALLU: {"Runs words elsewhere if the boolean uniform is true.", "", flowNotes, "flow fourthcall", (*reading).calls},
	pica.IFU: {"Runs the next words if the boolean uniform is true, else the else part.", "", flowNotes, "flow",
		(*reading).branches},
	pica.IFC: {"Runs the next words if the condition holds, else the else part.", "", flowNotes, "flow",
		(*reading).branches},
	pica.LOOP: {"Runs the words of its body once more often than the integer uniform's x says. aL starts at y and grows by z.", "",
		flowNotes, "flow inneral loopid alwidth", (*reading).loops},
	pica.EMIT: {"Sends the outputs to the vertex slot that SETEMIT chose, and turns to the other bank of outputs.", "",
		emitter, "banks emitvs vertex3", nil},
	pica.SETEMIT: {"Chooses the slot of the next EMIT, and whether that EMIT completes a triangle.", "", emitter,
		"emitvs vertex3", (*reading).emits},
	pica.JMPC: {"Goes to the target if the condition holds.", "", flowNotes, "flow", (*reading).jumps},
	pica.JMPU: {"Goes to the target if the boolean uniform has the value that the word asks for.", "", flowNotes, "flow",
		(*reading).jumps},
	pica.CMP: {"Compares x and y of the sources and sets the condition flags.", "", wiki, "cmp indexedops", (*reading).compares},
}

// Of explains a word of a program with operand descriptors.
func Of(word uint32, descriptors []uint32) Explanation {
	r := reading{Inst: decode.Decode(word)}
	r.info = &pica.Opcodes[r.Op]
	p := pica.Program{Descriptors: descriptors}
	r.desc = p.DescriptorOf(word)
	if r.Op.Reserved() {
		return Explanation{Mnemonic: r.Op.String(), Source: wiki, Knobs: []string{"op.reserved"},
			Sentence: "No instruction with this opcode is known. What the console does is unknown."}
	}
	e := entries[r.info.Plain.Base()]
	x := Explanation{Mnemonic: r.Op.String(), Sentence: e.sentence, Source: e.source, Knobs: strings.Fields(e.knobs)}
	x.Knobs = append(x.Knobs, "op."+r.Op.String())
	if e.special != nil {
		x.Effects = e.special(&r)
	} else if e.expr != "" {
		x.Effects = r.effects(e.expr)
	}
	if target := r.destination(); target != "" {
		class, n := target[0], int(r.Dest&15)
		if class == 'a' {
			n = 0
		}
		x.Operands = append(x.Operands, Operand{"destination", target + r.mask(), target, class, n})
	}
	for k := range r.info.Sources {
		class, n := source(r.Src[k])
		x.Operands = append(x.Operands, Operand{fmt.Sprintf("source %d", k+1), r.operand(k),
			fmt.Sprintf("%c%d", class, n), class, n})
		if r.desc.Negate(k) {
			x.Knobs = append(x.Knobs, "negate")
		}
	}
	if r.Index != pica.IndexNone && r.IndexedSource >= 0 {
		x.Knobs = append(x.Knobs, "index")
	}
	return x
}

// source returns the class and number of a source register.
func source(n uint8) (class byte, number int) {
	switch {
	case n < pica.SourceTemporary:
		return 'v', int(n)
	case n < pica.SourceUniform:
		return 'r', int(n) - pica.SourceTemporary
	}
	return 'c', int(n) - pica.SourceUniform
}

// register returns the register of source k, "c4[a0.x]" if an address register counts.
func (r *reading) register(k int) string {
	class, n := source(r.Src[k])
	text := fmt.Sprintf("%c%d", class, n)
	if r.Index != pica.IndexNone && int(r.IndexedSource) == k && class == 'c' {
		text = fmt.Sprintf("c[%d + %s]", n, [...]string{"", "a0.x", "a0.y", "aL"}[r.Index&3])
	}
	return text
}

// component returns a component of source k after swizzle and negation; slot 0 is x.
func (r *reading) component(k, slot int) string {
	text := r.register(k) + "." + "xyzw"[r.desc.Selector(k, slot):][:1]
	if r.desc.Negate(k) {
		text = "-" + text
	}
	return text
}

// operand returns source k as a whole.
func (r *reading) operand(k int) string {
	text := r.register(k) + "."
	for slot := range 4 {
		text += "xyzw"[r.desc.Selector(k, slot):][:1]
	}
	text = strings.TrimSuffix(text, ".xyzw")
	if r.desc.Negate(k) {
		text = "-" + text
	}
	return text
}

// destination returns the register that the instruction writes, or "".
func (r *reading) destination() string {
	switch {
	case r.info.Writes&pica.WritesAddress != 0:
		return "a0"
	case r.info.Writes&pica.WritesDest == 0:
		return ""
	case r.Dest < pica.DestTemporary:
		return fmt.Sprintf("o%d", r.Dest)
	}
	return fmt.Sprintf("r%d", r.Dest-pica.DestTemporary)
}

// slots returns the components that are written, 0 for x.
func (r *reading) slots() (list []int) {
	n := 4
	if r.info.Writes&pica.WritesAddress != 0 {
		n = 2
	}
	for slot := range n {
		if r.desc.Mask()&(8>>slot) != 0 {
			list = append(list, slot)
		}
	}
	return list
}

func (r *reading) mask() string {
	text := "."
	for _, slot := range r.slots() {
		text += "xyzw"[slot : slot+1]
	}
	if text == "." {
		return "._"
	}
	return strings.TrimSuffix(text, ".xyzw")
}

// written returns an assignment to each component that is written.
func (r *reading) written(value func(slot int) string) (list []string) {
	for _, slot := range r.slots() {
		list = append(list, fmt.Sprintf("%s.%c = %s", r.destination(), "xyzw"[slot], value(slot)))
	}
	return list
}

// effects puts the operands into an expression.
func (r *reading) effects(expr string) []string {
	return r.written(func(slot int) string {
		var b strings.Builder
		for i := 0; i < len(expr); i++ {
			k := strings.IndexByte("abc", expr[i])
			whole := strings.IndexByte("ABC", expr[i])
			letter := func(at int) bool {
				return at >= 0 && at < len(expr) && (expr[at]|0x20 >= 'a' && expr[at]|0x20 <= 'z')
			}
			switch {
			case k >= 0 && k < r.info.Sources && !letter(i-1) && !letter(i+1):
				b.WriteString(r.component(k, slot))
			case whole >= 0 && i+2 < len(expr) && expr[i+1] == '.':
				b.WriteString(r.component(whole, strings.IndexByte("xyzw", expr[i+2])))
				i += 2
			default:
				b.WriteByte(expr[i])
			}
		}
		return b.String()
	})
}

func (r *reading) distance() []string {
	return r.written(func(slot int) string {
		return [...]string{"1", r.component(0, 1) + " * " + r.component(1, 1), r.component(0, 2), r.component(1, 3)}[slot]
	})
}

func (r *reading) lighting() []string {
	list := r.written(func(slot int) string {
		return [...]string{"max(" + r.component(0, 0) + ", 0)",
			"clamp(" + r.component(0, 1) + ", -127.99609375, 127.99609375)", "0", "max(" + r.component(0, 3) + ", 0)"}[slot]
	})
	return append(list, "cmp.x = "+r.component(0, 0)+" >= 0", "cmp.y = "+r.component(0, 3)+" >= 0")
}

func (r *reading) compares() []string {
	relation := func(op uint8, slot int) string {
		a, b := r.component(0, slot), r.component(1, slot)
		if op > pica.CmpGE {
			return fmt.Sprintf("undefined operator %d of %s and %s", op, a, b)
		}
		return a + " " + [...]string{"==", "!=", "<", "<=", ">", ">="}[op] + " " + b
	}
	return []string{"cmp.x = " + relation(r.CmpX, 0), "cmp.y = " + relation(r.CmpY, 1)}
}

// condition returns what decides.
func (r *reading) condition() string {
	flag := func(name string, value bool) string {
		if value {
			return name
		}
		return "not " + name
	}
	x, y := flag("cmp.x", r.RefX), flag("cmp.y", r.RefY)
	switch {
	case r.info.Condition == pica.OnUniformInverse && r.Num&1 == 1:
		return fmt.Sprintf("b%d is false", r.Bool)
	case r.info.Condition >= pica.OnUniform:
		return fmt.Sprintf("b%d is true", r.Bool)
	case r.info.Condition != pica.OnFlags:
		return ""
	}
	return [...]string{x + " or " + y, x + " and " + y, x, y}[r.CondOp&3]
}

func (r *reading) breaks() []string { return []string{"if " + r.condition()} }

func (r *reading) jumps() []string {
	return []string{fmt.Sprintf("if %s: goes to word %d", r.condition(), r.Dst)}
}

func (r *reading) calls() []string {
	text := fmt.Sprintf("runs words %d to %d, then returns", r.Dst, int(r.Dst)+int(r.Num)-1)
	if r.Num == 0 {
		text = fmt.Sprintf("goes to word %d; the body has no words", r.Dst)
	}
	if c := r.condition(); c != "" {
		text = "if " + c + ": " + text
	}
	return []string{text}
}

func (r *reading) branches() []string {
	end := int(r.Dst) + int(r.Num)
	if r.Num == 0 {
		return []string{fmt.Sprintf("if %s: runs up to word %d", r.condition(), r.Dst),
			fmt.Sprintf("else: goes to word %d", r.Dst)}
	}
	return []string{fmt.Sprintf("if %s: runs up to word %d, then goes to word %d", r.condition(), r.Dst, end),
		fmt.Sprintf("else: runs words %d to %d", r.Dst, end-1)}
}

func (r *reading) loops() []string {
	return []string{fmt.Sprintf("i%d.x + 1 times: runs up to word %d", r.Int, r.Dst), fmt.Sprintf("aL = i%d.y", r.Int),
		fmt.Sprintf("after each pass: aL = aL + i%d.z", r.Int)}
}

func (r *reading) emits() []string {
	list := []string{fmt.Sprintf("slot = %d", r.Vertex)}
	if r.Primitive {
		list = append(list, "the next EMIT completes a triangle")
	}
	if r.Winding {
		list = append(list, "its winding is inverted")
	}
	return list
}
