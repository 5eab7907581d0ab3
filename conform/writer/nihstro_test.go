package writer_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// errUnknown is an instruction that ends the source.
var errUnknown = errors.New("unknown instruction")

// nihstroFile assembles a source like nihstro-assemble, with its silent mistakes, as far as
// sources of the dialect's printer and its known defects need it.
func nihstroFile(t *source.Text) (*shbin.File, error) {
	a := &nihstro{names: map[string]nihstroName{}, labels: map[string]int{}, geometry: t.Geometry}
	for n, line := range strings.Split(t.Files[0], "\n") {
		err := a.line(strings.TrimSuffix(line, "\r"))
		if errors.Is(err, errUnknown) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", n+1, line, err)
		}
	}
	if len(a.scopes) > 0 {
		return nil, fmt.Errorf("a block is open")
	}
	for _, p := range a.pending {
		start, ok := a.labels[p.from]
		if !ok {
			return nil, fmt.Errorf("undefined label %s", p.from)
		}
		a.code[p.at] |= uint32(start&0xFFF) << 10
		if p.until != "" {
			end, ok := a.labels[p.until]
			if !ok || end <= start {
				return nil, fmt.Errorf("bad range until %s", p.until)
			}
			a.code[p.at] |= uint32(end-start) & 0xFF
		}
	}
	e := &a.entry
	at, found := 0, false
	symbols := []byte{}
	for _, l := range a.order {
		if l == t.Entry {
			e.Entry, found = uint32(at), true // the offset of the name, not the word
		}
		e.Labels = append(e.Labels, shbin.Label{Word: uint32(a.labels[l]), Length: shbin.NoLength, Name: uint32(at)})
		symbols = append(append(symbols, l...), 0)
		at = len(symbols)
	}
	if !found {
		return nil, fmt.Errorf("no entry label %s", t.Entry)
	}
	for i := range e.Uniforms {
		e.Uniforms[i].Name = uint32(len(symbols))
		symbols = append(append(symbols, a.exports[i]...), 0)
	}
	e.Symbols = symbols
	if t.Geometry {
		e.Type = 1
	}
	f := &shbin.File{DVLP: shbin.DVLP{Code: a.code}, DVLEs: []shbin.DVLE{*e}}
	for _, d := range a.table {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, shbin.Descriptor{Word: d})
	}
	return f, nil
}

type nihstroName struct {
	class byte
	n     int
	mask  string
}

type nihstroPending struct {
	at          int
	from, until string
}

type nihstro struct {
	geometry  bool
	names     map[string]nihstroName
	labels    map[string]int
	order     []string
	exports   []string
	code      []uint32
	uncounted int
	table     []uint32
	pending   []nihstroPending
	scopes    []int // words of open blocks
	elses     map[int]int
	entry     shbin.DVLE
}

var (
	nihstroComment = regexp.MustCompile(`(^|[ \t])(//|#|;).*$`)
	nihstroLabelRE = regexp.MustCompile(`^([A-Za-z_]\w*):$`)
	nihstroAliasRE = regexp.MustCompile(
		`^\.alias[ \t]+([A-Za-z_]\w*)[ \t]+([vrciob])(\d+)(?:-([vrciob])(\d+)|\.([xyzw]+))?(?:[ \t]+as[ \t]+(.*))?$`)
	nihstroCallRE   = regexp.MustCompile(`^(\w+) until (\w+)(?: if (.*))?$`)
	nihstroJumpRE   = regexp.MustCompile(`^(\w+) if (.*)$`)
	nihstroSourceRE = regexp.MustCompile(`^([-+]?)([A-Za-z_]\w*)(?:\[([^\]]*)\])?(?:\.([xyzw]*))?$`)
	nihstroReg      = regexp.MustCompile(`^([vrciob])(\d+)$`)
	nihstroSemantic = map[string]shbin.Semantic{"position": 0, "quaternion": 1, "color": 2, "texcoord0": 3,
		"texcoord1": 5, "texcoord2": 6, "view": 8}
	nihstroRelation = []string{"==", "!=", "<", "<=", ">", ">="}
)

func (a *nihstro) emit(w uint32) { a.code = append(a.code, w) }

func (a *nihstro) line(text string) error {
	text = strings.TrimSpace(nihstroComment.ReplaceAllString(text, ""))
	if text == "" {
		return nil
	}
	if m := nihstroLabelRE.FindStringSubmatch(text); m != nil {
		if _, ok := a.labels[m[1]]; ok {
			return fmt.Errorf("label twice")
		}
		if _, ok := a.names[m[1]]; ok {
			return fmt.Errorf("label is an alias")
		}
		a.labels[m[1]] = len(a.code) - a.uncounted
		a.order = append(a.order, m[1])
		return nil
	}
	if strings.HasPrefix(text, ".alias") {
		return a.alias(text)
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if strings.Contains(text, "\t") {
		return fmt.Errorf("a tab in the middle")
	}
	word = strings.ToLower(word)
	op := func(o pica.Opcode) uint32 { return uint32(o) << 26 }
	switch word {
	case "nop", "end", "emit":
		if rest != "" {
			return fmt.Errorf("operand of %s", word)
		}
		a.emit(op(map[string]pica.Opcode{"nop": pica.NOP, "end": pica.END, "emit": pica.EMIT}[word]))
		if word == "emit" && !a.geometry {
			return fmt.Errorf("Warning: Encountered EMIT")
		}
	case "else", "endif", "endloop":
		if len(a.scopes) == 0 {
			return fmt.Errorf("no block is open")
		}
		at := a.scopes[len(a.scopes)-1]
		loop := pica.OpcodeOf(a.code[at]) == pica.LOOP
		here := uint32(len(a.code)) & 0xFFF
		switch {
		case loop != (word == "endloop"):
			return fmt.Errorf("another block is open")
		case word == "endloop":
			a.code[at] |= (here - 1) << 10
		case word == "else":
			if a.elses == nil {
				a.elses = map[int]int{}
			}
			if a.elses[at] != 0 {
				return fmt.Errorf("second else")
			}
			a.elses[at] = int(here)
			a.code[at] |= here << 10
			return nil
		default:
			if e := a.elses[at]; e != 0 {
				a.code[at] |= (here - uint32(e)) & 0xFF
			} else {
				a.code[at] |= here << 10
			}
		}
		a.scopes = a.scopes[:len(a.scopes)-1]
	case "if", "breakc":
		w, err := a.condition(rest,
			map[string][2]pica.Opcode{"if": {pica.IFC, pica.IFU}, "breakc": {pica.BREAKC, 0}}[word])
		if err != nil {
			return err
		}
		if word == "if" {
			a.scopes = append(a.scopes, len(a.code))
		}
		a.emit(w)
	case "loop":
		class, n, ok := a.register(rest)
		if !ok || class != 'i' {
			return fmt.Errorf("loop wants an integer")
		}
		a.scopes = append(a.scopes, len(a.code))
		a.emit(op(pica.LOOP) | uint32(n)<<22)
	case "jmp":
		m := nihstroJumpRE.FindStringSubmatch(rest)
		if m == nil {
			return fmt.Errorf("bad jmp")
		}
		w, err := a.condition(m[2], [2]pica.Opcode{pica.JMPC, pica.JMPU})
		if err != nil {
			return err
		}
		a.pending = append(a.pending, nihstroPending{len(a.code), m[1], ""})
		a.emit(w)
	case "call":
		m := nihstroCallRE.FindStringSubmatch(rest)
		if m == nil {
			return fmt.Errorf("bad call")
		}
		w := op(pica.CALL)
		if m[3] != "" {
			var err error
			if w, err = a.condition(m[3], [2]pica.Opcode{pica.CALLC, pica.CALLU}); err != nil {
				return err
			}
		}
		a.pending = append(a.pending, nihstroPending{len(a.code), m[1], m[2]})
		a.emit(w)
	case "setemitraw":
		parts := split(rest)
		n, err := strconv.Atoi(parts[0])
		if err != nil {
			return err
		}
		w := op(pica.SETEMIT) | uint32(n&3)<<24
		for _, flag := range parts[1:] {
			bit, ok := map[string]uint32{"prim": 1 << 23, "inv": 1 << 22}[flag]
			if !ok {
				return fmt.Errorf("unknown flag")
			}
			w |= bit
		}
		a.emit(w)
		a.uncounted++
	default:
		return a.compute(word, rest)
	}
	return nil
}

func split(text string) []string {
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

var nihstroOps = map[string]pica.Opcode{"mov": pica.MOV, "flr": pica.FLR, "rcp": pica.RCP, "rsq": pica.RSQ,
	"exp": pica.EX2, "log": pica.LG2,
	"lit": pica.LITP, "add": pica.ADD, "mul": pica.MUL, "max": pica.MAX, "min": pica.MIN, "sge": pica.SGE,
	"slt": pica.SLT, "dp3": pica.DP3,
	"dp4": pica.DP4, "dph": pica.DPH, "dst": pica.DST, "mad": pica.MAD, "mova": pica.MOVA, "cmp": pica.CMP}

// limits are the sizes of the banks.
var limits = map[byte]int{'v': 16, 'r': 16, 'c': 96, 'o': 16, 'i': 4, 'b': 16}

func (a *nihstro) register(name string) (class byte, n int, ok bool) {
	if m := nihstroReg.FindStringSubmatch(name); m != nil {
		n, _ = strconv.Atoi(m[2])
		return m[1][0], n, n < limits[m[1][0]]
	}
	x, ok := a.names[name]
	return x.class, x.n, ok
}

func (a *nihstro) condition(text string, ops [2]pica.Opcode) (uint32, error) {
	if class, n, ok := a.register(text); ok {
		if class != 'b' || ops[1] == 0 {
			return 0, fmt.Errorf("bad condition")
		}
		return uint32(ops[1])<<26 | uint32(n)<<22, nil
	}
	w := uint32(ops[0]) << 26
	encode := func(op, x, y uint32) uint32 { return w | op<<22 | x<<25 | y<<24 }
	term := func(t string) (axis byte, ref uint32, ok bool) {
		ref = 1
		if t = strings.TrimSpace(t); strings.HasPrefix(t, "!") {
			t, ref = t[1:], 0
		}
		if t == "cc.z" { // read as another one
			t = "cc.x"
		}
		return t[max(len(t)-1, 0)], ref, t == "cc.x" || t == "cc.y"
	}
	switch text {
	case "cc.xy":
		return encode(pica.CondAnd, 1, 1), nil
	case "!cc.xy":
		return encode(pica.CondAnd, 0, 0), nil
	}
	for operator, op := range map[string]uint32{"&&": pica.CondAnd, "||": pica.CondOr} {
		if l, r, ok := strings.Cut(text, operator); ok {
			a1, r1, ok1 := term(l)
			a2, r2, ok2 := term(r)
			if !ok1 || !ok2 || a1 == a2 {
				return 0, fmt.Errorf("bad condition")
			}
			if a1 == 'y' {
				r1, r2 = r2, r1
			}
			return encode(op, r1, r2), nil
		}
	}
	if text == "" {
		return 0, fmt.Errorf("no condition")
	}
	switch axis, ref, ok := term(text); {
	case !ok:
		return 0, fmt.Errorf("bad condition")
	case axis == 'x':
		return encode(pica.CondX, ref, 1), nil
	default:
		return encode(pica.CondY, 1, ref), nil
	}
}

type nihstroOperand struct {
	negate   bool
	number   int // as in a source field
	index    uint8
	letters  string
	extended bool
}

func (a *nihstro) operand(text string) (o nihstroOperand, class byte, err error) {
	m := nihstroSourceRE.FindStringSubmatch(text)
	if m == nil {
		return o, 0, fmt.Errorf("bad operand %q", text)
	}
	class, n, ok := a.register(m[2])
	if !ok {
		return o, 0, fmt.Errorf("unknown register %q", m[2])
	}
	mask := a.names[m[2]].mask
	if m[3] != "" {
		text := m[3]
		if text[0] != '+' && text[0] != '-' {
			text = "+" + text
		}
		for text != "" {
			sign := text[0]
			k := strings.IndexAny(text[1:], "+-") + 1
			if k == 0 {
				k = len(text)
			}
			t := strings.TrimSpace(text[1:k])
			text = text[k:]
			if at := slices.Index([]string{"a0", "a1", "lcnt"}, t); at >= 0 {
				if o.index != 0 || sign == '-' {
					return o, 0, fmt.Errorf("bad index")
				}
				o.index = uint8(at + 1)
				continue
			}
			v, err := strconv.Atoi(t)
			if err != nil {
				return o, 0, fmt.Errorf("bad index %q", t)
			}
			if sign == '-' {
				v = -v
			}
			n += v
		}
	}
	o.negate = m[1] == "-"
	o.letters = "xyzw"
	if strings.Contains(text, "].") || strings.Contains(text, ".") {
		o.letters = m[4]
	}
	if mask != "" && !(class == 'o' && strings.Contains(text, ".")) {
		if strings.Contains(text, ".") {
			return o, 0, fmt.Errorf("swizzle on a swizzled alias")
		}
		o.letters = mask
	}
	o.number = n + map[byte]int{'v': 0, 'o': 0, 'r': 16, 'c': 32}[class]
	if n >= limits[class] && class == 'c' {
		return o, 0, fmt.Errorf("no such register")
	}
	o.extended = class == 'c' || o.index != 0
	return o, class, nil
}

func (a *nihstro) compute(word, rest string) error {
	op, ok := nihstroOps[word]
	if !ok {
		return errUnknown
	}
	info := &pica.Opcodes[op]
	parts := split(rest)
	i := decode.Inst{Op: op}
	mask := uint8(0)
	want := info.Sources
	if info.Writes&pica.WritesDest != 0 {
		want++
	}
	if op == pica.CMP {
		want += 2
	}
	if len(parts) != want {
		return fmt.Errorf("operand count")
	}
	written := -1
	if info.Writes&pica.WritesDest != 0 {
		d, class, err := a.operand(parts[0])
		if err != nil {
			return err
		}
		if class != 'o' && class != 'r' {
			return fmt.Errorf("bad destination")
		}
		for _, l := range d.letters {
			mask |= 8 >> strings.IndexRune("xyzw", l)
		}
		i.Dest, written = uint8(d.number), len(d.letters)
		parts = parts[1:]
	}
	if op == pica.CMP {
		for k, r := range parts[2:] {
			n := slices.Index(nihstroRelation, r)
			if n < 0 {
				return fmt.Errorf("bad relation")
			}
			*[]*uint8{&i.CmpX, &i.CmpY}[k] = uint8(n)
		}
		parts = parts[:2]
	}
	var src [3]nihstroOperand
	for k, p := range parts {
		o, class, err := a.operand(p)
		if err != nil {
			return err
		}
		if class != 'v' && class != 'r' && class != 'c' {
			return fmt.Errorf("bad source")
		}
		src[k] = o
	}
	last := len(parts) - 1
	inverse := false
	if last == 1 && src[1].extended {
		if src[0].extended {
			return fmt.Errorf("both extended")
		}
		switch op {
		case pica.DPH, pica.SGE, pica.SLT:
			inverse = true
			i.Op = map[pica.Opcode]pica.Opcode{pica.DPH: pica.DPHI, pica.SGE: pica.SGEI, pica.SLT: pica.SLTI}[op]
		case pica.DST:
			return fmt.Errorf("no dsti")
		default:
			src[0], src[1] = src[1], src[0]
			if op == pica.CMP {
				mirror := []uint8{0, 1, 4, 5, 2, 3}
				i.CmpX, i.CmpY = mirror[i.CmpX], mirror[i.CmpY]
			}
		}
	}
	if op == pica.MAD && src[2].extended {
		i.Op = pica.MADI
	}
	var d pica.Descriptor
	var negate [3]bool
	var selectors [3]uint8
	slots := func(k int) uint8 {
		switch {
		case op == pica.CMP, op == pica.MOVA:
			return 0xC
		case op == pica.DP3, op == pica.DPH && !inverse && k == 1:
			return 0xE
		case op == pica.DP4, op == pica.DPH && !inverse:
			return 0xF
		}
		return mask
	}
	for k := range parts {
		count := 0
		for slot := range 4 {
			if slots(k)>>(3-slot)&1 == 0 {
				continue
			}
			if count < len(src[k].letters) {
				selectors[k] |= uint8(strings.IndexByte("xyzw", src[k].letters[count])) << (6 - 2*slot)
			}
			count++
		}
		general := op != pica.CMP && op != pica.MOVA && op != pica.DP3 && op != pica.DP4 && (op != pica.DPH || inverse)
		if general {
			count = written
		}
		if count != len(src[k].letters) {
			return fmt.Errorf("%d components, want %d", len(src[k].letters), count)
		}
		negate[k] = src[k].negate
	}
	if len(parts) == 1 && op != pica.MOVA {
		n := 0
		for slot := range 4 {
			if mask>>(3-slot)&1 == 1 {
				selectors[1] |= uint8(n) << (6 - 2*slot)
				n++
			}
		}
	}
	d = pica.MakeDescriptor(mask, negate, selectors)
	id := slices.Index(a.table, uint32(d))
	if id < 0 {
		if id = len(a.table); id > 126 {
			return fmt.Errorf("too many descriptors")
		}
		a.table = append(a.table, uint32(d))
	}
	layout := i.Op.Layout()
	i.Desc = uint8(id) & uint8(1<<layout.Desc.Width-1)
	for k := range parts {
		i.Src[k] = uint8(src[k].number) & uint8(1<<layout.Src[k].Width-1)
		if op != pica.MAD {
			i.Index |= src[k].index
		}
	}
	w, err := decode.Encode(i)
	a.emit(w)
	return err
}

func (a *nihstro) alias(text string) error {
	m := nihstroAliasRE.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("bad alias")
	}
	if _, ok := a.labels[m[1]]; ok {
		return fmt.Errorf("alias is a label")
	}
	class := m[2][0]
	n, _ := strconv.Atoi(m[3])
	if n >= limits[class] {
		return fmt.Errorf("no such register")
	}
	until, upto, letters, value := m[4], m[5], m[6], m[7]
	if until != "" && until[0] != class {
		return fmt.Errorf("a range of two kinds")
	}
	if a.names[m[1]] == (nihstroName{}) {
		a.names[m[1]] = nihstroName{class, n, letters}
	}
	e := &a.entry
	if value == "" {
		if class == 'o' || class == 'r' {
			return fmt.Errorf("no semantic")
		}
		if slices.Contains(a.exports, m[1]) {
			return fmt.Errorf("alias twice")
		}
		last := n
		if until != "" {
			last, _ = strconv.Atoi(upto)
		}
		base := map[byte]int{'v': 0, 'c': 0x10, 'i': 0x70, 'b': 0x78}[class]
		e.Uniforms = append(e.Uniforms,
			shbin.Uniform{First: shbin.Register(base + n), Last: shbin.Register(base + last)})
		a.exports = append(a.exports, m[1])
		return nil
	}
	if until != "" {
		return fmt.Errorf("a range with a value")
	}
	if class == 'o' {
		s, ok := nihstroSemantic[value]
		if !ok {
			return fmt.Errorf("unknown semantic")
		}
		mask := uint16(0)
		if letters == "" {
			letters = "xyzw"
		}
		for _, l := range letters {
			bit := uint16(1) << strings.IndexRune("xyzw", l)
			if mask >= bit {
				return fmt.Errorf("letters that do not ascend")
			}
			mask |= bit
		}
		e.Outputs = append(e.Outputs, shbin.Output{Semantic: s, Register: uint16(n), Mask: mask})
		return nil
	}
	if letters != "" {
		return fmt.Errorf("a value for some components")
	}
	var v [4]float64
	parts := split(strings.Trim(value, "()"))
	for k, p := range parts {
		var err error
		if v[min(k, 3)], err = strconv.ParseFloat(p, 64); err != nil || math.Abs(v[min(k, 3)]) >= 1e39 {
			return fmt.Errorf("bad number")
		}
	}
	if want := map[byte]int{'c': 4, 'i': 4, 'b': 1}[class]; want != len(parts) && want > 0 {
		return fmt.Errorf("want %d numbers", want)
	}
	most := map[byte]float64{'i': 256, 'b': 2}[class]
	for _, x := range v {
		if most > 0 && (x <= -1 || x >= most) {
			return fmt.Errorf("%v for %c", x, class)
		}
	}
	switch class {
	case 'c':
		var raw [4]uint32
		for k, x := range v {
			b := math.Float32bits(float32(x))
			raw[k] = b>>8&0x800000 | uint32(int(b>>23&0xFF)-64)&0x7F<<16 | b>>7&0xFFFF
			if x == 0 {
				raw[k] = b >> 8 & 0x800000
			}
		}
		e.Constants = append(e.Constants, shbin.FloatConstant(uint8(n), raw[0], raw[1], raw[2], raw[3]))
	case 'i':
		e.Constants = append(e.Constants,
			shbin.IntConstant(uint8(n), uint8(v[0]), uint8(v[1]), uint8(v[2]), uint8(v[3])))
	case 'r', 'v':
		e.Constants = append(e.Constants, shbin.BoolConstant(uint8(n), false))
	case 'b':
		e.Constants = append(e.Constants, shbin.BoolConstant(uint8(n), v[0] != 0))
	}
	return nil
}
