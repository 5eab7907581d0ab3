package asm

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// instruction says how to read the operands of a mnemonic.
type instruction struct {
	op        pica.Opcode
	read      func(f *file, op pica.Opcode, args text) *Error
	extension bool // the picasso dialect lacks it
}

// instructions are the mnemonics and their aliases, in lower case.
var instructions = func() map[string]instruction {
	m := map[string]instruction{
		"for":     {op: pica.LOOP, read: readFor},
		"loop":    {op: pica.LOOP, read: readLoop, extension: true},
		"ifc":     {op: pica.IFC, read: readIf},
		"ifu":     {op: pica.IFU, read: readIf},
		"call":    {op: pica.CALL, read: readCall},
		"callc":   {op: pica.CALLC, read: readCall},
		"callu":   {op: pica.CALLU, read: readCall},
		"jmpc":    {op: pica.JMPC, read: readJump},
		"jmpu":    {op: pica.JMPU, read: readJump},
		"breakc":  {op: pica.BREAKC, read: readBREAKC},
		"setemit": {op: pica.SETEMIT, read: readSETEMIT},
		".word":   {read: readWord, extension: true},
	}
	for op := range pica.Opcodes {
		info := &pica.Opcodes[op]
		if _, special := m[info.Name]; special || info.Name == "" || info.Base != pica.Opcode(op) {
			continue
		}
		read := readArithmetic
		if info.Format == pica.Format0 {
			read = readPlain
		}
		m[info.Name] = instruction{op: info.Base, read: read}
	}
	for op := range pica.Opcodes {
		info := &pica.Opcodes[op]
		for _, language := range []pica.Language{pica.Default, pica.Picasso} {
			if alias := info.Aliases[language]; alias != "" {
				i := m[info.Name]
				i.extension = language == pica.Default && alias != info.Aliases[pica.Picasso]
				m[alias] = i
			}
		}
	}
	return m
}()

func readPlain(f *file, op pica.Opcode, args text) *Error {
	if _, err := f.operands(args, 0); err != nil {
		return err
	}
	return f.emit(uint32(op) << 26)
}

func readWord(f *file, _ pica.Opcode, args text) *Error {
	word, err := f.bits(args)
	if err != nil {
		return err
	}
	return f.emit(word)
}

// readArithmetic reads an instruction with an operand descriptor.
func readArithmetic(f *file, op pica.Opcode, args text) *Error {
	info := &pica.Opcodes[op]
	parts := args.list()
	explicit := -1
	if n := len(parts); !f.lax() && n > 0 {
		if word, number := parts[n-1].word(); word.s == "desc" {
			id, err := f.integer(number, 0, int64(info.Format.Layout().Desc.Mask()))
			if err != nil {
				return err
			}
			explicit, parts = int(id), parts[:n-1]
		}
	}
	want := info.Sources
	if info.Format == pica.Format1c {
		want += 2
	} else {
		want++
	}
	if err := f.count(parts, args, want, want); err != nil {
		return err
	}
	i := arithmetic{op: op, explicit: explicit, sources: make([]operand, 0, 3)}
	switch {
	case info.Format == pica.Format1c:
		for k, field := range []*uint32{&i.cmpX, &i.cmpY} {
			var err *Error
			if *field, err = f.relation(parts[1+k]); err != nil {
				return err
			}
		}
		parts = []text{parts[0], parts[3]}
	case info.Writes&pica.WritesAddress != 0:
		mask, err := f.addressMask(parts[0])
		if err != nil {
			return err
		}
		i.mask, parts = mask, parts[1:]
	default:
		if err := f.destination(&i, parts[0]); err != nil {
			return err
		}
		parts = parts[1:]
	}
	for k, part := range parts {
		source, err := f.operand(part, f.indexable(op, k))
		if err != nil {
			return err
		}
		if b := source.bank; !f.lax() && !b.readable {
			return wrong(part, "ASM007", "%c registers cannot be read here", b.letter)
		}
		i.sources = append(i.sources, source)
	}
	return f.arithmetic(&i)
}

// indexable reports whether source k of a mnemonic may have an address register.
func (f *file) indexable(op pica.Opcode, k int) bool {
	switch pica.Opcodes[op].Sources {
	case 3:
		return k > 0
	case 2:
		return k == 0 || op != pica.CMP
	}
	return true
}

// destination reads the operand that an instruction writes.
func (f *file) destination(i *arithmetic, t text) *Error {
	if register, empty := f.emptyMask(t); empty {
		t, i.noMask = register, true
	}
	d, err := f.operand(t, false)
	if err != nil {
		return err
	}
	if d.number >= firstFloat || !f.lax() && !d.bank.writable {
		return wrong(t, "ASM007", "%s cannot be written: want an o or an r register", t.s)
	}
	if err := f.masked(&d, t); err != nil {
		return err
	}
	i.dest = uint32(d.number)
	if !i.noMask {
		i.mask = d.mask()
	}
	return nil
}

// ascending reports whether the letters of a mask are in order and different.
func ascending(letters string) bool {
	last := -1
	for k := range len(letters) {
		n := strings.IndexByte("xyzwrgbastpq", letters[k]|0x20) & 3
		if n <= last {
			return false
		}
		last = n
	}
	return true
}

// addressMasks are the destinations of MOVA, in lower case.
var addressMasks = map[string]uint8{
	"a0": 8, "a0.x": 8, "a1": 4, "a0.y": 4, "a01": 12, "a0.xy": 12,
}

// addressMask reads the destination of MOVA.
func (f *file) addressMask(t text) (uint8, *Error) {
	name := strings.ToLower(t.s)
	if mask, ok := addressMasks[name]; ok {
		return mask, nil
	}
	if letters, ok := strings.CutPrefix(name, "a0."); ok && !f.lax() {
		if letters == "_" {
			return 0, nil
		}
		if bits, err := selectors(t.from(3)); err == nil && ascending(letters) && letters != "" {
			o := operand{selectors: bits}
			return o.mask(), nil
		}
	}
	return 0, wrong(t, "ASM007", "%q: want a0.x, a0.y or a0.xy", t.s)
}

// relation reads an operator of CMP.
func (f *file) relation(t text) (uint32, *Error) {
	for op, name := range comparisonNames {
		if strings.EqualFold(t.s, name) {
			return uint32(op), nil
		}
	}
	if n, err := strconv.ParseUint(t.s, 10, 3); err == nil && !f.lax() {
		return uint32(n), nil
	}
	return 0, wrong(t, "ASM014", "%q is no relation: want %s", t.s, strings.Join(comparisonNames[:], ", "))
}

// arithmetic is an instruction with an operand descriptor.
type arithmetic struct {
	op         pica.Opcode
	dest       uint32
	mask       uint8
	noMask     bool
	cmpX, cmpY uint32
	sources    []operand
	explicit   int // number of the descriptor; -1 to choose one
}

// inverses are the inverted forms by their plain forms.
var inverses = func() map[pica.Opcode]pica.Opcode {
	m := map[pica.Opcode]pica.Opcode{}
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Plain != i.Base }) {
		m[pica.Opcodes[op].Plain] = op
	}
	return m
}()

// commutative holds the opcodes whose operands the default dialect may exchange:
// results differ at most in the payload of a NaN.
var commutative = map[pica.Opcode]bool{pica.ADD: true, pica.MUL: true, pica.DP3: true, pica.DP4: true}

// choose picks the form of an instruction, plain or inverted, that fits its operands.
func (f *file) choose(i *arithmetic) {
	if f.lax() {
		i.op = pica.Opcodes[i.op].Plain // both mnemonics mean the same
	}
	n := len(i.sources)
	if inverse, ok := inverses[i.op]; ok && i.sources[n-2].number < firstFloat {
		last := &i.sources[n-1]
		if last.number >= firstFloat || n == 3 && last.index != 0 && i.sources[1].index == 0 {
			i.op = inverse
		}
	} else if !f.lax() && commutative[i.op] && !i.sources[0].wide() && i.sources[1].wide() {
		i.sources[0], i.sources[1] = i.sources[1], i.sources[0]
	}
}

// arithmetic checks the operands of an instruction and emits it.
func (f *file) arithmetic(i *arithmetic) *Error {
	f.choose(i)
	layout := i.op.Layout()
	word := uint32(i.op) << 26
	word = layout.CmpX.Put(layout.CmpY.Put(word, i.cmpY), i.cmpX)
	word |= i.dest << layout.Dest.Lo // of MAD, the high bits are in the opcode
	input := -1
	for k := range i.sources {
		s := &i.sources[k]
		wide := layout.Src[k].Width == 7
		switch {
		case s.number >= firstInt:
			return wrong(s.text, "ASM007", "%s cannot be an operand of %v", s.s, i.op)
		case !wide && s.wide():
			return wrong(s.text, "ASM007",
				"%s: this operand of %v must be a v or r register without an address register", s.s, i.op)
		}
		if f.lax() && s.number < firstTemp && i.op.Base() != pica.CMP {
			if input >= 0 && input != s.number {
				return wrong(s.text, "ASM019", "%v reads two input registers, v%d and v%d", i.op, input, s.number)
			}
			input = s.number
		}
		word = layout.Src[k].Put(word, uint32(s.number))
		if s.index != pica.IndexNone {
			word = layout.Index.Put(word, uint32(s.index))
		}
	}
	if err := f.emit(word); err != nil {
		return err
	}
	return f.descriptors.use(f, i)
}
