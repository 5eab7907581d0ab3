package asm

import (
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/pica"
)

// Register numbers in operands and aliases. Inputs and outputs share numbers: the
// field of the instruction tells them apart.
const (
	firstInput = 0x00
	firstTemp  = 0x10
	firstFloat = 0x20
	firstInt   = 0x80
	firstBool  = 0x88
	noRegister = 0x98
)

// bank is a class of registers.
type bank struct {
	letter   byte
	first    int
	count    int // registers that exist
	picasso  int // registers that picasso accepts
	geometry int // registers that picasso accepts in a geometry program
	readable bool
	writable bool
}

var banks = [...]bank{
	{letter: 'v', first: firstInput, count: pica.NumInputs, picasso: 15, geometry: 15, readable: true},
	{letter: 'o', first: firstInput, count: pica.NumOutputs, picasso: 16, geometry: 7, writable: true},
	{letter: 'r', first: firstTemp, count: pica.NumTemporaries, picasso: 16, geometry: 16,
		readable: true, writable: true},
	{letter: 'c', first: firstFloat, count: pica.NumFloats, picasso: 96, geometry: 96, readable: true},
	{letter: 'i', first: firstInt, count: pica.NumInts, picasso: 8, geometry: 8},
	{letter: 'b', first: firstBool, count: pica.NumBools, picasso: 16, geometry: 16},
}

// bankOf returns the bank with a letter.
func bankOf(letter byte) *bank {
	for k := range banks {
		if banks[k].letter == letter {
			return &banks[k]
		}
	}
	return nil
}

// operand is a register with index, sign and swizzle.
type operand struct {
	text
	number    int // register number plus the static offset
	bank      *bank
	size      int   // registers from the name on that belong to it; 0 if any may follow
	index     uint8 // address register
	negate    bool
	selectors uint8 // as in a descriptor
	letters   text  // the swizzle as written
}

// wide reports whether only a wide field can hold the operand.
func (o *operand) wide() bool { return o.number >= firstFloat || o.index != pica.IndexNone }

// mask returns the set of the components that the swizzle names, bit 3 = x.
func (o *operand) mask() (mask uint8) {
	for slot := range 4 {
		mask |= 8 >> (o.selectors >> (6 - 2*slot) & 3)
	}
	return mask
}

// indexes are the spellings of the address registers, in lower case.
var indexes = map[string]uint8{
	"a0": pica.IndexA0X, "a0.x": pica.IndexA0X,
	"a1": pica.IndexA0Y, "a0.y": pica.IndexA0Y,
	"a2": pica.IndexAL, "lcnt": pica.IndexAL, "al": pica.IndexAL,
}

// operand reads a register operand. indexed says whether the operand can have an
// address register.
func (f *file) operand(t text, indexed bool) (operand, *Error) {
	o := operand{text: t, selectors: pica.IdentitySwizzle, letters: t.from(len(t.s))}
	if strings.HasPrefix(t.s, "-") {
		o.negate, t = true, t.from(1)
		if t.s == "" && !f.lax() || t.s != "" && strings.ContainsRune("-+ \t", rune(t.s[0])) {
			return o, wrong(o.text, "ASM006", "%q: one sign stands directly before the register", o.s)
		}
	}
	base, swizzle, hasSwizzle := t.cut('.')
	offset := 0
	if k := strings.IndexByte(t.s, '['); k >= 0 {
		end := strings.IndexByte(t.s[k:], ']')
		if end < 0 {
			return o, wrong(t.from(k), "ASM006", "the bracket is not closed")
		}
		var err *Error
		if offset, err = f.index(&o, t.to(k+end).from(k+1).trim(), indexed); err != nil {
			return o, err
		}
		base = t.to(k)
		var between text
		between, swizzle, hasSwizzle = t.from(k + end + 1).cut('.')
		if err := f.strict(between.trim().s != "", between, "ASM006", "%q behind the bracket", between.s); err != nil {
			return o, err
		}
	}
	if hasSwizzle {
		o.letters = swizzle
		err := f.strict(swizzle.s == "", t, "ASM010", "no letter behind the point")
		if err != nil {
			return o, err
		}
		if o.selectors, err = selectors(swizzle); err != nil {
			return o, err
		}
	}
	if err := f.register(&o, base); err != nil {
		return o, err
	}
	if outside := offset < 0 || offset >= o.size; o.size > 0 && o.index == pica.IndexNone && outside {
		err := f.strict(true, t, "ASM029", "%q has %s, from index 0 on", base.s, plural(o.size, "register"))
		if err != nil {
			return o, err
		}
	}
	o.number += offset
	if b := o.bank; !f.lax() && (o.number < b.first || o.number >= b.first+b.count) {
		return o, wrong(o.text, "ASM008", "%s is outside of %c0 to %c%d", o.s, b.letter, b.letter, b.count-1)
	}
	return o, nil
}

// bare reads a register without sign and swizzle; the default dialect wants it from
// the bank with the given letter.
func (f *file) bare(t text, letter byte) (operand, *Error) {
	o, err := f.operand(t, false)
	if err != nil || f.lax() {
		return o, err
	}
	if b := bankOf(letter); o.bank != b {
		return o, wrong(t, "ASM007", "%s: want %c0 to %c%d", t.s, letter, letter, b.count-1)
	}
	return o, f.strict(o.negate ||
		o.letters.s != "", t, "ASM006", "a %c register has no sign and no swizzle here", letter)
}

// index reads the brackets of an operand: an address register, a static offset, or
// both.
func (f *file) index(o *operand, t text, indexed bool) (offset int, err *Error) {
	register, number, both := t.cut('+')
	sign := 1
	if !f.lax() && !both {
		if k := strings.LastIndexByte(t.s, '-'); k > 0 {
			register, number, both, sign = t.to(k), t.from(k+1), true, -1
		}
	}
	index, found := indexes[strings.ToLower(t.s)]
	switch {
	case found:
		both = false
	case both:
		if index, found = indexes[strings.ToLower(register.trim().s)]; !found {
			return 0, wrong(register, "ASM006", "%q is no address register: want a0.x, a0.y or aL", register.trim().s)
		}
	default:
		number, both = t, true
	}
	if both && !f.lax() && cInteger(number.trim().s, 10) == "" {
		return 0, wrong(t, "ASM006", "%q is no index: want a number, a0.x, a0.y, aL, or one of these + a number", t.s)
	}
	o.index = index
	if index != pica.IndexNone && !indexed {
		return 0, wrong(t, "ASM009", "this operand cannot have an address register")
	}
	if both {
		if offset, err = f.decimal(number.trim()); err != nil {
			return 0, err
		}
		if offset < 0 && f.lax() {
			return 0, wrong(number, "ASM008", "the offset is negative")
		}
	}
	return sign * offset, nil
}

// register finds the register of an alias or a register name.
func (f *file) register(o *operand, t text) *Error {
	if def, ok := f.names[t.s]; ok {
		o.number, o.bank, o.size, o.negate = def.number, def.bank, def.size, o.negate != def.negate
		o.selectors = compose(def.selectors, o.selectors)
		return nil
	}
	if len(t.s) < 2 || !isDigit(t.s[1]) {
		return f.undefined(t)
	}
	o.bank = bankOf(t.s[0] | 0x20)
	if o.bank == nil {
		return f.undefined(t)
	}
	number, err := f.integer(t.from(1), 0, 255)
	if err != nil {
		return err
	}
	if t.s[0] != o.bank.letter {
		if !f.lax() {
			return wrong(t, "ASM005", "%q is not defined", t.s).suggest(strings.ToLower(t.s))
		}
		o.number = int(number) // picasso does not check the number
	} else {
		limit := f.registers(o.bank)
		if int(number) >= limit {
			return wrong(t, "ASM008", "there is no %s: want %c0 to %c%d", t.s, o.bank.letter, o.bank.letter, limit-1)
		}
		o.number = o.bank.first + int(number)
		f.entryPoint = f.entryPoint || o.bank.letter == 'o'
	}
	if o.index != pica.IndexNone && (f.lax() && o.number < firstFloat || o.number >= firstInt) {
		return wrong(o.text, "ASM009", "only a float uniform can be indexed")
	}
	return nil
}

// registers returns the number of registers of a bank that the file can name.
func (f *file) registers(b *bank) int {
	switch {
	case !f.lax():
		return b.count
	case f.stage == pica.Geometry:
		return b.geometry
	}
	return b.picasso
}

// undefined returns the error about an undefined register name.
func (f *file) undefined(t text) *Error {
	if f.spoiled[t.s] {
		return errSpoiled
	}
	return wrong(t, "ASM005", "%q is not defined", t.s).suggest(similar(t.s, f.names))
}

// selectors reads the letters of a swizzle. The last letter is repeated; an empty
// swizzle is xxxx.
func selectors(t text) (uint8, *Error) {
	if len(t.s) > 4 {
		return 0, wrong(t, "ASM010", "a swizzle has at most four letters, not %d", len(t.s))
	}
	var bits, last uint8
	for slot := range 4 {
		if slot < len(t.s) {
			k := strings.IndexByte("xyzwrgbastpq", t.s[slot]|0x20)
			if k < 0 || t.s[slot] < 'A' {
				letter, _ := utf8.DecodeRuneInString(t.s[slot:])
				return 0, wrong(t, "ASM010", "%q is no component: want xyzw, rgba or stpq", letter)
			}
			last = uint8(k & 3)
		}
		bits |= last << (6 - 2*slot)
	}
	return bits, nil
}

// compose returns the selectors of a swizzle applied to the result of another.
func compose(inner, outer uint8) (bits uint8) {
	for slot := 0; slot < 8; slot += 2 {
		bits |= inner >> (6 - 2*(outer>>slot&3)) & 3 << slot
	}
	return bits
}
