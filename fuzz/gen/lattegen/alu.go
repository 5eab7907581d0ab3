package lattegen

import "slices"

// alu draws an ALU clause. One that pushes or breaks ends with a predicate.
func (p *program) alu(op uint64) {
	c := p.c
	a := clauseDraft{program: p}
	w := op<<58 | 1<<63
	if c.Chance(2) {
		w &^= 1 << 63 // BARRIER
	}
	if p.blocks {
		modes := [2]uint64{1 + c.Bits(1), c.Bits(1) * (1 + c.Bits(1))}
		for k, mode := range modes {
			a.rows[k] = int(16 * mode)
		}
		for k := range 2 {
			a.banks[k], a.lines[k] = c.Bits(4), c.Bits(8)
		}
		w |= a.banks[0]<<22 | a.banks[1]<<26 | modes[0]<<30 | modes[1]<<32 | a.lines[0]<<34 | a.lines[1]<<42
	}
	for range 1 + c.Below(4) {
		switch {
		case c.Chance(1):
			a.address()
		case c.Chance(1) && !p.vertex:
			a.kill()
		case c.Chance(2):
			a.reduction()
		default:
			a.group()
		}
	}
	if op == aluPushBefore || op == aluBreak {
		a.predicate()
	}
	p.cf = append(p.cf, w|uint64(len(a.words)-1)<<50)
	p.clauses = append(p.clauses, clause{len(p.cf) - 1, false, a.words})
}

// clauseDraft is an ALU clause being drawn.
type clauseDraft struct {
	*program
	words  []uint64
	rows   [2]int // locked in each set
	banks  [2]uint64
	lines  [2]uint64
	loaded bool  // a group has loaded the address register
	before uint8 // the units of the group before

	// The open group.
	instructions []uint64
	units        uint8
	ports        [3][4]int // register + 1, by cycle and channel
	pairs        []uint64
	literals     [4]uint64
	referred     uint8
	written      []uint64
}

// Sources.
const (
	selKC0     = 128
	selKC1     = 160
	selInline  = 248
	selLiteral = 253
	selPV      = 254
	selPS      = 255
	selConst   = 256

	unitT = 4
)

// The cycles in which sources are read, by bank swizzle.
var (
	vectorCycles = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}
	scalarCycles = [][3]int{{2, 1, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}}
)

// Operations of any unit and operations of unit t alone, by their number of sources.
var (
	anyOne   = []uint64{0x10, 0x11, 0x12, 0x13, 0x14, 0x19, 0x33}
	anyTwo   = []uint64{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x08, 0x0B, 0x0D, 0x30, 0x34, 0x35, 0x3B, 0x70, 0x72}
	anyThree = []uint64{0x10, 0x11, 0x14, 0x17, 0x18, 0x1A, 0x1C, 0x1E}
	transOne = []uint64{0x61, 0x62, 0x66, 0x67, 0x69, 0x6A, 0x6B, 0x6C, 0x6E, 0x6F, 0x78}
	transTwo = []uint64{0x73, 0x74, 0x75, 0x76}
	reducers = []uint64{0x50, 0x51, 0x52}
	setters  = []uint64{0x20, 0x21, 0x22, 0x23, 0x42, 0x43, 0x45}
)

// close ends the group with its literals.
func (a *clauseDraft) close() {
	a.instructions[len(a.instructions)-1] |= 1 << 31 // LAST
	a.words = append(a.words, a.instructions...)
	if a.referred != 0 {
		a.words = append(a.words, a.literals[0]|a.literals[1]<<32)
	}
	if a.referred > 3 {
		a.words = append(a.words, a.literals[2]|a.literals[3]<<32)
	}
	*a = clauseDraft{program: a.program, words: a.words, rows: a.rows, banks: a.banks, lines: a.lines, loaded: a.loaded,
		before: a.units}
}

// group draws a group without reductions.
func (a *clauseDraft) group() {
	c := a.c
	for unit := range 4 {
		if c.Chance(8) || unit == 3 && a.units == 0 {
			a.any(unit, uint64(unit))
		}
	}
	if c.Chance(4) {
		switch c.Below(3) {
		case 0:
			a.op2(unitT, transOne[c.Below(len(transOne))], 1, c.Bits(2), true)
		case 1:
			a.op2(unitT, transTwo[c.Below(len(transTwo))], 2, c.Bits(2), true)
		default: // its vector unit is taken
			for unit := range 4 {
				if a.units>>unit&1 != 0 {
					a.any(unitT, uint64(unit))
					break
				}
			}
		}
	}
	a.close()
}

// any draws an operation that any unit runs.
func (a *clauseDraft) any(unit int, channel uint64) {
	c := a.c
	switch c.Below(4) {
	case 0:
		a.op2(unit, anyOne[c.Below(len(anyOne))], 1, channel, c.Chance(14))
	case 1, 2:
		a.op2(unit, anyTwo[c.Below(len(anyTwo))], 2, channel, c.Chance(14))
	default:
		op := anyThree[c.Below(len(anyThree))]
		w := a.start(unit, 3)
		a.add(unit, w|op<<45|a.destination(unit, channel, true))
	}
}

// op2 draws an instruction with one or two sources.
func (a *clauseDraft) op2(unit int, op uint64, sources int, channel uint64, write bool) {
	w := a.start(unit, sources) | op<<39 | uint64(a.c.Below(4))<<37 | a.destination(unit, channel, write)
	if sources > 0 {
		w |= a.c.Bits(1) << 32 // SRC0_ABS
	}
	if write {
		w |= 1 << 36
	}
	a.add(unit, w)
}

func (a *clauseDraft) add(unit int, w uint64) {
	a.instructions = append(a.instructions, w)
	a.units |= 1 << unit
}

// destination draws the fields of the destination.
func (a *clauseDraft) destination(unit int, channel uint64, write bool) uint64 {
	gpr := a.gpr()
	for write && slices.Contains(a.written, gpr<<2|channel) {
		gpr++
	}
	if write {
		a.written = append(a.written, gpr<<2|channel)
		a.use(gpr, true)
	}
	return gpr<<53 | channel<<61 | a.c.Bits(1)<<63
}

// start draws the sources of an instruction, with the bank swizzle and the predicate.
func (a *clauseDraft) start(unit, sources int) uint64 {
	c := a.c
	table := vectorCycles
	if unit == unitT {
		table = scalarCycles
	}
	swizzle := 0
	if c.Chance(4) {
		swizzle = c.Below(len(table))
	}
	w := uint64(swizzle) << 50
	if c.Chance(1) {
		w |= (2 + c.Bits(1)) << 29 // PRED_SEL
	}
	relative := a.loaded && c.Chance(4)
	if relative {
		w |= c.Bits(2) << 26
	}
	fixed := unit == unitT && sources < 3 && c.Chance(8) // constants alone, which may be two
	for k := range sources {
		sel, channel, rel := a.source(unit, table[swizzle][k], fixed, relative)
		field := sel | rel<<9 | channel<<10 | c.Bits(1)<<12
		w |= field << [3]int{0, 13, 32}[k]
	}
	return w
}

// source draws a source that is read in a cycle. t reads either constants or registers and results.
func (a *clauseDraft) source(unit, cycle int, fixed, relative bool) (sel, channel, rel uint64) {
	c := a.c
	channel = c.Bits(2)
	if relative && c.Chance(8) {
		rel = 1
	}
	kind := c.Below(8)
	if unit == unitT {
		if !fixed {
			kind = []int{0, 0, 0, 6, 7}[c.Below(5)]
		} else {
			kind = []int{3, 4, 5}[c.Below(3)]
		}
	}
	switch kind {
	case 3:
		if sel, rel, ok := a.constant(channel, rel); ok {
			return sel, channel, rel
		}
	case 4:
		return selInline + uint64(c.Below(5)), 0, 0
	case 5:
		if a.referred>>channel&1 == 0 {
			a.referred |= 1 << channel
			a.literals[channel] = c.Bits(32)
		}
		return selLiteral, channel, 0
	case 6:
		if a.before>>channel&1 != 0 {
			return selPV, channel, 0
		}
	case 7:
		if a.before>>unitT&1 != 0 {
			return selPS, 0, 0
		}
	}
	if fixed {
		return selInline, 0, 0
	}
	return a.register(cycle, channel, rel)
}

// register draws a register that can be read in a cycle.
func (a *clauseDraft) register(cycle int, channel, rel uint64) (uint64, uint64, uint64) {
	port := &a.ports[cycle][channel]
	if *port == 0 {
		*port = int(a.gpr()|rel<<9) + 1
	}
	key := uint64(*port - 1)
	a.use(key&0x7F, true)
	return key & 0x7F, channel, key >> 9
}

// constant draws a constant. A group reads two pairs of components.
func (a *clauseDraft) constant(channel, rel uint64) (sel, rel2 uint64, ok bool) {
	c := a.c
	row := uint32(c.Bits(8))
	sel = selConst + uint64(row)
	block := uint32(registers)
	if a.blocks {
		set := c.Below(2)
		if a.rows[set] == 0 {
			set = 0
		}
		n := c.Below(a.rows[set])
		sel = uint64([]int{selKC0, selKC1}[set] + n)
		block, row = uint32(a.banks[set]), 16*uint32(a.lines[set])+uint32(n)
	}
	pair := sel<<1 | channel>>1
	if !slices.Contains(a.pairs, pair) {
		if len(a.pairs) == 2 {
			return 0, 0, false
		}
		a.pairs = append(a.pairs, pair)
	}
	if rel != 0 {
		row = 0
	}
	a.row(block, row)
	return sel, rel, true
}

// reduction draws a group whose vector units run one reduction.
func (a *clauseDraft) reduction() {
	c := a.c
	op, omod, clamp, written := reducers[c.Below(len(reducers))], c.Bits(2), c.Bits(1), c.Below(4)
	for unit := range 4 {
		a.op2(unit, op, 2, uint64(unit), unit == written)
		w := &a.instructions[unit]
		*w = *w&^(3<<37|1<<63) | omod<<37 | clamp<<63
	}
	a.close()
}

// address draws a group that loads the address register.
func (a *clauseDraft) address() {
	const movaInt = 0x18
	a.loaded = false // no operand of the group is relative
	a.op2(0, movaInt, 1, 0, false)
	a.close()
	a.loaded = true
}

// kill draws a group that kills pixels.
func (a *clauseDraft) kill() {
	const killE = 0x2C
	a.op2(0, killE+a.c.Bits(2), 2, 0, false)
	a.kills = true
	a.close()
}

// predicate draws a group that sets the execution mask.
func (a *clauseDraft) predicate() {
	a.op2(0, setters[a.c.Below(len(setters))], 2, 0, false)
	a.instructions[0] = a.instructions[0]&^(3<<37|1<<63) | 3<<34 // UPDATE_EXEC_MASK, UPDATE_PRED
	a.close()
}
