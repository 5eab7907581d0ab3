package asm

import (
	"math"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// branch emits a flow instruction and leaves its target for later.
func (f *file) branch(word uint32, target text, later *[]reference) *Error {
	if n, err := f.integer(target, pica.MaxCode, math.MaxInt64); err == nil && !f.lax() {
		return wrong(target, "ASM026", "the target is word %d; the largest possible target is %d", n, pica.MaxCode-1)
	}
	if err := f.identifier(target); err != nil {
		return err
	}
	if err := f.emit(word); err != nil {
		return err
	}
	*later = append(*later, reference{len(f.code) - 1, target, f.at})
	return nil
}

// jump emits a jump to a label, or in the default dialect to a word.
func (f *file) jump(word uint32, target text) *Error {
	if pc, ok := f.wordNumber(target); ok {
		return f.flow(word, pc, 0)
	}
	return f.branch(word, target, &f.jumps)
}

// flow emits a flow instruction whose target is known.
func (f *file) flow(word uint32, target, length int) *Error {
	if err := f.emit(word); err != nil {
		return err
	}
	f.aim(reference{len(f.code) - 1, f.word, f.at}, target, length)
	return nil
}

// wordNumber reads a target that is a word number, in the default dialect only.
func (f *file) wordNumber(t text) (int, bool) {
	if f.lax() || t.s == "" || !isDigit(t.s[0]) {
		return 0, false
	}
	n, err := f.integer(t, 0, pica.MaxCode)
	return int(n), err == nil
}

// reach emits a flow instruction with a target and a length, "L12, 3": the
// extended form of the default dialect.
func (f *file) reach(word uint32, target, length text) *Error {
	n, err := f.integer(length, 0, maxLength)
	if err != nil {
		return err
	}
	if err := f.jump(word, target); err != nil {
		return err
	}
	f.code[len(f.code)-1] |= uint32(n)
	return nil
}

// decision reads the condition or the boolean uniform of a flow instruction. before
// is the number of operands that it takes.
func (f *file) decision(op pica.Opcode, args text) (word uint32, parts []text, before int, err *Error) {
	word, parts = uint32(op)<<26, args.list()
	if pica.Opcodes[op].Condition == pica.Always {
		return word, parts, 0, nil
	}
	if len(parts) == 0 {
		return word, nil, 0, f.count(parts, args, 1, 1)
	}
	if pica.Opcodes[op].Condition == pica.OnFlags {
		word, err = f.guarded(op, parts[0])
	} else {
		word, err = f.chosen(op, parts[0])
	}
	return word, parts, 1, err
}

// readCall reads a call of a procedure, or in the default dialect a target and a
// length.
func readCall(f *file, op pica.Opcode, args text) *Error {
	word, parts, before, err := f.decision(op, args)
	if err != nil {
		return err
	}
	if len(parts) == before+2 && !f.lax() {
		return f.reach(word, parts[before], parts[before+1])
	}
	if err := f.count(parts, args, before+1, before+1); err != nil {
		return err
	}
	return f.branch(word, parts[before], &f.calls)
}

// readIf opens a scope, or in the default dialect reads a target and a length.
func readIf(f *file, op pica.Opcode, args text) *Error {
	word, parts, _, err := f.decision(op, args)
	if err != nil {
		return err
	}
	if len(parts) == 3 && !f.lax() {
		return f.reach(word, parts[1], parts[2])
	}
	if err := f.count(parts, args, 1, 1); err != nil {
		return err
	}
	return f.openAt(ifScope, word)
}

func readJump(f *file, op pica.Opcode, args text) *Error {
	word, parts, _, err := f.decision(op, args)
	if err != nil {
		return err
	}
	if err := f.count(parts, args, 2, 2); err != nil {
		return err
	}
	return f.jump(word, parts[1])
}

func readBREAKC(f *file, op pica.Opcode, args text) *Error {
	word, parts, _, err := f.decision(op, args)
	if err != nil {
		return err
	}
	if err := f.count(parts, args, 1, 1); err != nil {
		return err
	}
	return f.emit(word)
}

// openAt emits the instruction that opens a scope.
func (f *file) openAt(kind scopeKind, word uint32) *Error {
	if err := f.open(scope{kind: kind, pc: len(f.code)}); err != nil {
		return err
	}
	return f.emit(word)
}

func readFor(f *file, op pica.Opcode, args text) *Error {
	word, _, err := f.counted(op, args, 1)
	if err != nil {
		return err
	}
	return f.openAt(loopScope, word)
}

// readLoop reads LOOP with the word behind its body.
func readLoop(f *file, op pica.Opcode, args text) *Error {
	word, parts, err := f.counted(op, args, 2)
	if err != nil {
		return err
	}
	if pc, ok := f.wordNumber(parts[1]); ok {
		if pc == 0 {
			return wrong(parts[1], "ASM026", "no loop body ends before word 0")
		}
		return f.flow(word, pc-1, 0)
	}
	return f.branch(word, parts[1], &f.loops)
}

// counted reads the integer uniform of a loop.
func (f *file) counted(op pica.Opcode, args text, want int) (word uint32, parts []text, err *Error) {
	if parts, err = f.operands(args, want); err != nil {
		return 0, nil, err
	}
	o, err := f.uniform(parts[0], 'i')
	return uint32(op)<<26 | uint32(o.number-firstInt)<<op.Layout().Int.Lo, parts, err
}

// uniform reads a boolean or integer uniform.
func (f *file) uniform(t text, class byte) (operand, *Error) {
	o, err := f.bare(t, class)
	if err != nil {
		return o, err
	}
	b := bankOf(class)
	if end := b.first + f.registers(b); o.number < b.first || o.number >= end {
		return o, wrong(t, "ASM007", "%s: want %c0 to %c%d", t.s, class, class, end-b.first-1)
	}
	return o, nil
}

// chosen reads the boolean uniform of a flow instruction.
func (f *file) chosen(op pica.Opcode, register text) (word uint32, err *Error) {
	word = uint32(op) << 26
	if op == pica.JMPU && strings.HasPrefix(register.s, "!") {
		register, word = register.from(1), word|1
	}
	o, err := f.uniform(register, 'b')
	return word | uint32(o.number-firstBool)<<op.Layout().Bool.Lo, err
}

// guarded reads the condition of a flow instruction.
func (f *file) guarded(op pica.Opcode, t text) (word uint32, err *Error) {
	c, err := f.condition(t)
	l := op.Layout()
	word = l.CondOp.Put(uint32(op)<<26, c.operator)
	return l.RefX.Put(l.RefY.Put(word, c.ref[1]), c.ref[0]), err
}

// condition is the condition of a flow instruction.
type condition struct {
	operator uint32
	ref      [2]uint32 // of cmp.x and cmp.y
}

// condition reads "[!]cmp.x", "[!]cmp.y" or both joined by & or |, doubled or
// not. In the default dialect the reference value of a flag that is not tested
// may follow in parentheses.
func (f *file) condition(t text) (c condition, err *Error) {
	c.ref = [2]uint32{1, 1}
	unread, t := f.unread(t)
	k := strings.IndexAny(t.s, "&|")
	if k < 0 {
		flag, err := c.term(t)
		if err != nil {
			return c, err
		}
		c.operator = pica.CondX + uint32(flag)
		if unread.s == "" {
			return c, nil
		}
		other, err := c.term(unread)
		if err == nil && other == flag {
			err = wrong(unread, "ASM013", "the parentheses hold the flag that is not tested")
		}
		return c, err
	}
	if unread.s != "" {
		return c, wrong(unread, "ASM013", "the condition tests both flags")
	}
	if t.s[k] == '&' {
		c.operator = pica.CondAnd
	}
	rest := t.from(k + 1)
	if strings.HasPrefix(rest.s, t.s[k:k+1]) {
		rest = rest.from(1)
	}
	first, err := c.term(t.to(k).trim())
	if err != nil {
		return c, err
	}
	second, err := c.term(rest.trim())
	if err == nil && first == second {
		err = wrong(t, "ASM013", "the condition tests one flag twice")
	}
	return c, err
}

// unread splits off the parentheses at the end of a condition.
func (f *file) unread(t text) (inside, rest text) {
	k := strings.IndexByte(t.s, '(')
	if f.lax() || k < 0 || !strings.HasSuffix(t.s, ")") {
		return t.to(0), t
	}
	return t.to(len(t.s) - 1).from(k + 1), t.to(k).trim()
}

// term reads one flag. It returns 0 for cmp.x, 1 for cmp.y.
func (c *condition) term(t text) (flag int, err *Error) {
	name, inverted := t, uint32(0)
	for strings.HasPrefix(name.s, "!") {
		name, inverted = name.from(1), inverted^1
	}
	switch strings.ToLower(name.s) {
	case "cmp.x":
	case "cmp.y":
		flag = 1
	default:
		return 0, wrong(t, "ASM013", "%q is no condition: want cmp.x, cmp.y, or both joined by && or ||", t.s)
	}
	c.ref[flag] ^= inverted
	return flag, nil
}

// setemitFlags are the flags of SETEMIT, in lower case.
var setemitFlags = map[string]pica.Field{
	"prim": pica.Format4.Layout().Primitive, "primitive": pica.Format4.Layout().Primitive,
	"inv": pica.Format4.Layout().Winding, "invert": pica.Format4.Layout().Winding,
}

func readSETEMIT(f *file, op pica.Opcode, args text) *Error {
	parts := args.list()
	if err := f.count(parts, args, 1, 2); err != nil {
		return err
	}
	most := int64(2)
	if !f.lax() {
		most = 3
	}
	id, err := f.integer(parts[0], 0, most)
	if err != nil {
		return err
	}
	word := op.Layout().Vertex.Put(uint32(op)<<26, uint32(id))
	if len(parts) == 2 {
		for _, flag := range parts[1].fields() {
			field, ok := setemitFlags[strings.ToLower(flag.s)]
			if err := f.strict(!ok, flag, "ASM011", "%q is no flag: want prim or inv", flag.s); err != nil {
				return err
			}
			word |= field.Mask()
		}
	}
	err = f.emit(word)
	f.stage = pica.Geometry // from here on
	return err
}
