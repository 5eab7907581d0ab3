// Package lattegen serves this module: it draws the code of GX2 shaders. It writes the words by the positions of their
// fields, not by the tables of package latte, so that a wrong table shows.
package lattegen

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/latte"
)

// Program draws the code of a program about which the rules that look at code alone have nothing to say.
func Program(c *gen.Choices) []byte { return draw(c).code() }

// Shader draws a program and a structure that agrees with it: no rule has anything to say.
func Shader(c *gen.Choices) ([]byte, *latte.Structure) {
	p := draw(c)
	return p.code(), p.structure()
}

// Odd draws code that can be taken apart; any rules may be broken that do not forbid it.
func Odd(c *gen.Choices) []byte {
	code := Program(c)
	const tries = 8
	for range tries {
		odd := Damaged(c, code)
		if _, err := latte.Decode(odd); err == nil {
			return odd
		}
	}
	return code
}

// Damaged flips bits of a code, or cuts it.
func Damaged(c *gen.Choices, code []byte) []byte {
	odd := append([]byte(nil), code...)
	if c.Chance(1) {
		return odd[:c.Below(len(odd)+1)]
	}
	for range 1 + c.Below(4) {
		odd[c.Below(len(odd))] ^= 1 << c.Bits(3)
	}
	return odd
}

// program is a program being drawn.
type program struct {
	c       *gen.Choices
	cf      []uint64
	clauses []clause
	blocks  bool // constants are in uniform blocks
	needs
}

// clause is a clause and the control-flow word that runs it.
type clause struct {
	cf    int
	fetch bool
	words []uint64
}

// Opcodes of control-flow words of normal form.
const (
	cfNop      = 0x00
	cfTex      = 0x01
	cfVtx      = 0x02
	cfLoop     = 0x04
	cfLoopEnd  = 0x05
	cfLoopDX10 = 0x06
	cfLoopNoAL = 0x07
	cfContinue = 0x08
	cfBreak    = 0x09
	cfJump     = 0x0A
	cfElse     = 0x0D
	cfPop      = 0x0E
	cfCall     = 0x12
	cfCallFS   = 0x13
	cfReturn   = 0x14
	cfExp      = 0x27
	cfExpDone  = 0x28
)

// Opcodes of ALU clauses.
const (
	aluPlain      = 8
	aluPushBefore = 9
	aluPopAfter   = 10
	aluBreak      = 14
)

const end = 1 << 53 // END_OF_PROGRAM

func draw(c *gen.Choices) *program {
	p := &program{c: c, blocks: c.Chance(8)}
	p.vertex = c.Chance(8)
	if p.vertex {
		p.normal(cfCallFS, 0, 0)
		p.stack = 1
	}
	p.body(0)
	call := -1
	if c.Chance(2) {
		call = p.normal(cfCall, 0, 0)
		p.stack = max(p.stack, 1)
	}
	for kind, base := range []uint64{0, 60, 0} {
		for k := range uint64(1 + c.Below(4)) {
			p.numbers[kind] = append(p.numbers[kind], base+k)
		}
	}
	if p.vertex {
		p.exports(1)
		p.exports(2)
	} else {
		if c.Chance(4) {
			p.numbers[0] = append(p.numbers[0], 61)
		}
		p.exports(0)
	}
	if c.Chance(4) {
		p.normal(cfNop, 0, 0)
	}
	p.cf[len(p.cf)-1] |= end
	if call >= 0 {
		p.cf[call] |= uint64(len(p.cf))
		p.alu(aluPlain)
		p.normal(cfReturn, 0, 0)
	}
	return p
}

// normal appends a control-flow word of normal form, and returns its index.
func (p *program) normal(op, addr, pops uint64) int {
	w := addr | pops<<32 | op<<55
	if p.c.Chance(12) {
		w |= 1 << 63 // BARRIER
	}
	p.cf = append(p.cf, w)
	return len(p.cf) - 1
}

// body draws a few clauses, branches and loops.
func (p *program) body(depth int) {
	const deepest = 3
	for range 1 + p.c.Below(3) {
		kind := p.c.Below(8)
		switch {
		case kind == 4:
			p.fetches(cfTex)
		case kind == 5:
			p.fetches(cfVtx)
		case kind == 6 && depth < deepest:
			p.branch(depth + 1)
		case kind == 7 && depth < deepest:
			p.loop(depth + 1)
		default:
			p.alu(aluPlain)
		}
	}
}

func (p *program) branch(depth int) {
	p.alu(aluPushBefore)
	p.push(1, 0)
	defer p.push(-1, 0)
	jump := p.normal(cfJump, 0, 0)
	p.body(depth)
	if p.c.Chance(8) {
		p.cf[jump] |= uint64(len(p.cf))
		jump = p.normal(cfElse, 0, 1)
		p.body(depth)
	}
	if p.c.Chance(8) {
		p.alu(aluPopAfter)
		p.cf[jump] |= uint64(len(p.cf)) | 1<<32
	} else {
		p.cf[jump] |= uint64(len(p.cf))
		p.normal(cfPop, uint64(len(p.cf)+1), 1)
	}
}

func (p *program) loop(depth int) {
	start := p.normal([]uint64{cfLoop, cfLoopDX10, cfLoopNoAL}[p.c.Below(3)], 0, 0)
	constant := p.c.Bits(5)
	p.loops = append(p.loops, uint32(4*constant))
	constant <<= 35
	p.push(0, 1)
	defer p.push(0, -1)
	if p.c.Chance(8) {
		p.alu(aluBreak)
	}
	p.body(depth)
	leave := -1
	if p.c.Chance(4) {
		leave = p.normal([]uint64{cfContinue, cfBreak}[p.c.Below(2)], 0, 0)
	}
	stop := p.normal(cfLoopEnd, uint64(start)+1, 0)
	p.cf[start] |= uint64(stop+1) | constant
	p.cf[stop] |= constant
	if leave >= 0 {
		p.cf[leave] |= uint64(stop)
	}
}

// exports draws the exports of a type.
func (p *program) exports(kind uint64) {
	numbers := p.numbers[kind]
	for k, number := range numbers {
		op := uint64(cfExp)
		if k == len(numbers)-1 {
			op = cfExpDone
		}
		gpr, selects := p.gpr(), p.selects(0, 1, 2, 3, 4, 5, 7)
		p.use(gpr, selects.some(func(s uint64) bool { return s < 4 }))
		p.cf = append(p.cf, number|kind<<13|gpr<<15|selects.fields(32, 3)|op<<55|p.c.Bits(1)<<63)
	}
}

// swizzle is the selects of x, y, z and w.
type swizzle [4]uint64

func (p *program) selects(among ...uint64) (s swizzle) {
	for slot := range s {
		s[slot] = gen.Pick(p.c, among)
	}
	return s
}

func (s swizzle) some(holds func(uint64) bool) bool { return slices.ContainsFunc(s[:], holds) }

// fields places the selects from a bit on.
func (s swizzle) fields(low, size int) (w uint64) {
	for slot, v := range s {
		w |= v << (low + size*slot)
	}
	return w
}

func (p *program) gpr() uint64 { return uint64(p.c.Below(12)) }

// fetches draws a fetch clause.
func (p *program) fetches(op uint64) {
	n := 1 + p.c.Below(4)
	cf := p.normal(op, 0, 0)
	p.cf[cf] |= uint64(n-1) << 42
	var words []uint64
	for range n {
		if op == cfTex && !p.c.Chance(4) {
			words = append(words, p.texture()...)
		} else {
			words = append(words, p.buffer()...)
		}
	}
	p.clauses = append(p.clauses, clause{cf, true, words})
}

// destination draws the second word of a fetch, without what formats have behind the selects.
func (p *program) destination() uint64 {
	gpr, selects := p.gpr(), p.selects(0, 1, 2, 3, 4, 5, 7)
	p.use(gpr, selects.some(func(s uint64) bool { return s < 7 }))
	return gpr | selects.fields(9, 3)
}

func (p *program) texture() []uint64 {
	c := p.c
	number := uint64(c.Below(18))
	op := uint64(3 + c.Below(0x1D)) // LD to SAMPLE_C_G_LZ
	if op <= getLOD || op >= fetch4 {
		p.samplers = append(p.samplers, uint32(number))
	}
	gpr, selects := p.gpr(), p.selects(0, 1, 2, 3, 4, 5)
	p.use(gpr, selects.some(func(s uint64) bool { return s < 4 }))
	w0 := op | number<<8 | gpr<<16
	w1 := p.destination() | c.Bits(7)<<21 | c.Bits(4)<<28
	w2 := c.Bits(15) | number<<15 | selects.fields(20, 3)
	return []uint64{w0 | w1<<32, w2}
}

// The texture instructions between these have no sampler.
const (
	getLOD = 0x06
	fetch4 = 0x0F
)

// buffer draws a fetch from a uniform block.
func (p *program) buffer() []uint64 {
	c := p.c
	block, gpr := c.Bits(4), p.gpr()
	p.row(uint32(block), 0)
	p.use(gpr, true)
	w0 := uint64(c.Below(3))<<5 | (0x80+block)<<8 | gpr<<16 | c.Bits(2)<<24 | c.Bits(6)<<26
	w1 := p.destination() | c.Bits(1)<<21 | c.Bits(6)<<22 | uint64(c.Below(3))<<28 | c.Bits(2)<<30
	w2 := c.Bits(16) | c.Bits(4)<<16
	return []uint64{w0 | w1<<32, w2}
}

// code lays the program out: as gshCompile does, or without gaps.
func (p *program) code() []byte {
	align := func(words []uint64, n int) []uint64 {
		for len(words)%n != 0 {
			words = append(words, 0)
		}
		return words
	}
	words := append([]uint64(nil), p.cf...)
	gaps := [2]int{32, 16}
	if p.c.Chance(4) {
		gaps = [2]int{1, 2}
	}
	for kind, fetch := range []bool{false, true} {
		first := true
		for _, x := range p.clauses {
			if x.fetch != fetch {
				continue
			}
			if first {
				words = align(words, gaps[kind])
			}
			first = false
			words[x.cf] |= uint64(len(words))
			words = append(words, x.words...)
		}
	}
	code := make([]byte, 0, 8*len(words))
	for _, w := range words {
		code = binary.LittleEndian.AppendUint64(code, w)
	}
	return code
}
