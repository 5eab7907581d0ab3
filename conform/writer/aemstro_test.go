package writer_test

import (
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

// aemstro is an assembler like aemstro_as, with its silent mistakes, as far as sources of the dialect's printer, its
// mistakes and its known defects need it.
type aemstro struct {
	file         *shbin.File
	entry        shbin.DVLE
	symbols      []byte
	labels       map[string]int
	vertex, gsh  []string
	instructions int
}

// aemstroFile assembles a source.
func aemstroFile(t *source.Text) ([]byte, error) {
	a := &aemstro{file: &shbin.File{}, labels: map[string]int{}}
	for _, second := range []bool{false, true} {
		for n, line := range strings.Split(t.Files[0], "\n") {
			line, _, _ = strings.Cut(line, ";")
			if err := a.line(strings.TrimSpace(line), second); err != nil {
				return nil, fmt.Errorf("line %d: %q: %w", n+1, line, err)
			}
		}
	}
	a.entry.Symbols = a.symbols
	for k, names := range [][]string{a.vertex, a.gsh} {
		if k == 1 && names == nil {
			continue
		}
		e := a.entry
		e.Type = shbin.Type(k)
		e.Entry, e.End = uint32(a.labels[names[0]]), uint32(a.labels[names[1]])
		a.file.DVLEs = append(a.file.DVLEs, e)
	}
	return a.file.AppendUnchecked(nil)
}

var aemstroLabel = regexp.MustCompile(`^([a-z_0-9]*):`)

func (a *aemstro) line(text string, second bool) error {
	if text == "" {
		return nil
	}
	word, rest, _ := strings.Cut(text, " ")
	list := split(rest)
	if strings.HasPrefix(word, ".") {
		if second {
			return nil
		}
		return a.directive(word, list)
	}
	text = strings.ToLower(text)
	if m := aemstroLabel.FindStringSubmatch(text); m != nil {
		if !second {
			a.entry.Labels = append(a.entry.Labels, shbin.Label{ID: uint16(len(a.entry.Labels)),
				Word: uint32(a.instructions), Name: a.symbol(m[1])})
			a.labels[m[1]] = a.instructions
		}
		return nil
	}
	w, known, err := a.instruction(text)
	switch {
	case err != nil:
		return err
	case known && second:
		a.file.DVLP.Code = append(a.file.DVLP.Code, w)
	case known:
		a.instructions++
	}
	return nil
}

func (a *aemstro) symbol(name string) uint32 {
	at := len(a.symbols)
	a.symbols = append(append(a.symbols, name...), 0)
	return uint32(at)
}

// wants are the smallest numbers of operands of directives.
var wants = map[string]int{".vsh": 2, ".gsh": 2, ".out": 3, ".uniform": 3, ".opdesc": 1, ".const": 1}

func (a *aemstro) directive(word string, list []string) error {
	if len(list) < wants[word] {
		return fmt.Errorf("list index out of range")
	}
	e := &a.entry
	switch word {
	case ".vsh":
		a.vertex = list
	case ".gsh":
		a.gsh = list
	case ".out":
		mask, err := strconv.ParseUint(list[2], 0, 16)
		semantics := []string{"position", "normalquat", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "",
			"view"}
		if k := slices.Index(semantics, strings.TrimPrefix(list[1], "result.")); k >= 0 {
			if err != nil {
				return err
			}
			n, _ := strconv.Atoi(list[0][1:])
			e.Outputs = append(e.Outputs, shbin.Output{Semantic: shbin.Semantic(k), Register: uint16(n), Mask: uint16(mask)})
		}
	case ".uniform":
		first, _ := strconv.Atoi(list[0][1:])
		last, _ := strconv.Atoi(list[1][1:])
		base, ok := map[byte]int{'c': 0x10, 'i': 0x70, 'b': 0x78}[list[0][0]]
		if list[0][0] != list[1][0] {
			return nil
		}
		if !ok {
			return fmt.Errorf("offset is not set")
		}
		e.Uniforms = append(e.Uniforms, shbin.Uniform{First: shbin.Register(base + first),
			Last: shbin.Register(base + last), Name: a.symbol(list[2])})
	case ".opdesc":
		return a.descriptor(list)
	case ".const":
		return a.constant(list)
	}
	return nil
}

func (a *aemstro) descriptor(list []string) error {
	mask, negate, selectors := uint8(0), [3]bool{}, [3]uint8{}
	for k := range 4 {
		if list[0][k] != '_' {
			mask |= 8 >> k
		}
	}
	for k, text := range list[1:] {
		if k > 2 {
			return fmt.Errorf("list index out of range")
		}
		text, negate[k] = strings.CutPrefix(text, "-")
		for slot := range 4 {
			if slot >= len(text) || !strings.Contains("xyzw", text[slot:slot+1]) {
				return fmt.Errorf("bad letters %q", text)
			}
			selectors[k] |= uint8(strings.IndexByte("xyzw", text[slot])) << (6 - 2*slot)
		}
	}
	a.file.DVLP.Descriptors = append(a.file.DVLP.Descriptors,
		shbin.Descriptor{Word: uint32(pica.MakeDescriptor(mask, negate, selectors)) | 1<<31, Flags: 0xF})
	return nil
}

func (a *aemstro) constant(list []string) error {
	register, err := strconv.Atoi(list[0][1:])
	if err != nil {
		return err
	}
	want := map[byte]int{'b': 2, 'i': 5, 'c': 5}[list[0][0]]
	if len(list) < want {
		return fmt.Errorf("list index out of range")
	}
	var v [4]float64
	for k, text := range list[1:want] {
		if v[k], err = strconv.ParseFloat(text, 64); err != nil || math.Abs(v[k]) > math.MaxFloat32 {
			return fmt.Errorf("bad number %q", text)
		}
	}
	var c shbin.Constant
	switch list[0][0] {
	case 'b':
		c = shbin.BoolConstant(uint8(register), v[0] != 0)
	case 'i':
		c = shbin.IntConstant(uint8(register), uint8(v[0]), uint8(v[1]), uint8(v[2]), uint8(v[3]))
	case 'c':
		var raw [4]uint32
		for k, x := range v {
			b := math.Float32bits(float32(x))
			if raw[k] = b >> 8 & 0x800000; b>>23&0xFF >= 0x40 {
				raw[k] |= (b>>23&0xFF-0x40)<<16 | b>>7&0xFFFF
			}
		}
		c = shbin.FloatConstant(uint8(register), raw[0], raw[1], raw[2], raw[3])
	}
	a.entry.Constants = append(a.entry.Constants, c)
	return nil
}

// aemstroOps are the opcodes by their names.
var aemstroOps = func() map[string]pica.Opcode {
	m := map[string]pica.Opcode{"op4": pica.DST, "op7": pica.LITP, "op19": pica.DSTI}
	for _, op := range []pica.Opcode{pica.ADD, pica.DP3, pica.DP4, pica.DPH, pica.EX2, pica.LG2, pica.MUL, pica.SGE,
		pica.SLT, pica.FLR, pica.MAX, pica.MIN, pica.RCP, pica.RSQ, pica.MOVA, pica.MOV, pica.DPHI, pica.SGEI, pica.SLTI,
		pica.NOP, pica.END, pica.CALL, pica.IFU, pica.IFC, pica.LOOP, pica.EMIT, pica.SETEMIT, pica.CMP, pica.MADI,
		pica.MAD} {
		m[pica.Opcodes[op].Name] = op
	}
	return m
}()

// The operands of instructions: of flow control, and of others with a descriptor.
var (
	aemstroFlags = regexp.MustCompile(`^(\w+), (\w+), (!?)cmp\.([xy])\s*(?:(&&|\|\|)\s*(!?)cmp\.([xy]))?\s*$`)
	aemstroBool  = regexp.MustCompile(`^(\w+), (\w+), b(\d+)`)
	aemstroLoop  = regexp.MustCompile(`^(\w+), i(\d+)`)
	aemstroCall  = regexp.MustCompile(`^(\w+), (\w+)`)
	aemstroEmit  = regexp.MustCompile(`^vtx(\d+), (true|false), (true|false)`)
	aemstroWords = regexp.MustCompile(`^([^(]*?)\s*\((0x[0-9a-f]+|\d+)\)`)
)

func (a *aemstro) instruction(text string) (w uint32, known bool, err error) {
	name, rest, _ := strings.Cut(text, " ")
	op, ok := aemstroOps[name]
	if !ok {
		return 0, false, nil
	}
	i := decode.Inst{Op: op}
	match := func(r *regexp.Regexp) []string {
		m := r.FindStringSubmatch(strings.TrimSpace(rest))
		if m == nil {
			err = fmt.Errorf("cannot parse the operands of %s", name)
			return make([]string, 8)
		}
		return m
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n }
	between := func(end, start string) {
		i.Dst, i.Num = uint16(a.labels[start])&0xFFF, uint8(a.labels[end]-a.labels[start])
	}
	switch op {
	case pica.NOP, pica.END, pica.EMIT:
	case pica.IFC:
		m := match(aemstroFlags)
		if m[4] == m[7] && err == nil {
			err = fmt.Errorf("invalid or redundant condition")
		}
		between(m[1], m[2])
		refs := map[string]bool{m[4]: m[3] == "", m[7]: m[6] == ""}
		i.RefX, i.RefY = refs["x"], refs["y"]
		i.CondOp = map[string]uint8{"&&": pica.CondAnd, "||": pica.CondOr, "": pica.CondX}[m[5]]
		if m[5] == "" && m[4] == "y" {
			i.CondOp = pica.CondY
		}
	case pica.IFU:
		m := match(aemstroBool)
		between(m[1], m[2])
		i.Bool = uint8(number(m[3]))
	case pica.LOOP:
		m := match(aemstroLoop)
		i.Dst, i.Int = uint16(a.labels[m[1]]-1)&0xFFF, uint8(number(m[2]))
	case pica.CALL:
		m := match(aemstroCall)
		between(m[2], m[1])
	case pica.SETEMIT:
		m := match(aemstroEmit)
		i.Vertex, i.Primitive, i.Winding = uint8(number(m[1])), m[2] == "true", m[3] == "true"
	default:
		m := match(aemstroWords)
		if err == nil {
			err = a.compute(&i, split(m[1]), m[2])
		}
	}
	if err != nil {
		return 0, false, err
	}
	w, err = decode.Encode(i)
	return w, w != 0, err // a word of 0 is left out
}

func (a *aemstro) compute(i *decode.Inst, list []string, descriptor string) error {
	layout := i.Op.Layout()
	d, _ := strconv.ParseUint(descriptor, 0, 16)
	i.Desc = uint8(d) & uint8(1<<layout.Desc.Width-1)
	info := &pica.Opcodes[i.Op]
	if i.Op == pica.CMP {
		if len(list) != 4 {
			return fmt.Errorf("operands")
		}
		relations := []string{"eq", "ne", "lt", "le", "gt", "ge"}
		x, y := slices.Index(relations, list[1]), slices.Index(relations, list[2])
		if x < 0 || y < 0 {
			return fmt.Errorf("no relation %s or %s", list[1], list[2])
		}
		i.CmpX, i.CmpY = uint8(x), uint8(y)
		list = []string{list[0], list[3]}
	} else {
		if len(list) != info.Sources+1 {
			return fmt.Errorf("operands")
		}
		n, class, err := aemstroOperand(list[0])
		if err != nil || class != 'o' && class != 'r' {
			return fmt.Errorf("no destination %s", list[0])
		}
		if i.Dest = uint8(n) & 0x1F; class == 'r' {
			i.Dest = uint8(n+16) & 0x1F
		}
		if i.Op == pica.MOVA {
			i.Dest = 0
		}
		list = list[1:]
	}
	for k, text := range list {
		base, index, indexed := strings.Cut(strings.TrimSuffix(text, "]"), "[")
		n, class, err := aemstroOperand(base)
		at, ok := map[byte]int{'v': 0, 'r': 0x10, 'c': 0x20, 'd': 0}[class]
		wide := k == 0 && info.Sources < 3 || info.Sources == 3 && k > 0 && layout.Src[k].Width == 7 ||
			info.Sources == 3 && k == 0 && class != 'c'
		if err != nil || !ok || class == 'c' && !wide && (info.Sources < 3 || k > 0) || indexed && !wide {
			return fmt.Errorf("no source %s", text)
		}
		if indexed && info.Sources < 3 {
			x := slices.Index([]string{"a0.x", "a0.y"}, index) + 1
			if x == 0 {
				return fmt.Errorf("no index %s", index)
			}
			i.Index = uint8(x)
		}
		i.Src[k] = uint8(n+at) & uint8(1<<layout.Src[k].Width-1)
	}
	return nil
}

// aemstroOperand reads a register.
func aemstroOperand(text string) (n int, class byte, err error) {
	if text == "" {
		return 0, 0, fmt.Errorf("no register")
	}
	base := 10
	if text[0] == 'd' {
		base = 16
	}
	v, err := strconv.ParseInt(text[1:], base, 32)
	return int(v), text[0], err
}
