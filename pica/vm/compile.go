package vm

import (
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Code is a program lowered for one stage and profile. Running does not change it;
// several engines may share it.
type Code struct {
	ops     []micro
	beyond  micro // the words behind the program: zero
	last    micro // the last word of program memory, in profiles where it ends every program
	program pica.Program
	stage   pica.Stage
	profile pica.Profile
	model   model
	kernels *[pica.NumOpcodes]kernel
	inputs  uint16  // input registers that are read
	written []uint8 // slots that are written; outputs in the selected bank
	plan    atomic.Pointer[plan]
	spare   *plan // memory of the plan of the program before
}

// Compile lowers a program. The error wraps pica.ErrInvalidJob for a program
// that no shader unit holds, pica.ErrUnsupportedProfile for a profile that is
// not implemented. The program is copied.
func Compile(p pica.Program, stage pica.Stage, profile *pica.Profile) (*Code, error) {
	c := new(Code)
	if err := c.compile(p, stage, profile); err != nil {
		return nil, err
	}
	return c, nil
}

// compiledFrom reports whether compiling these would give c.
func (c *Code) compiledFrom(p *pica.Program, stage pica.Stage, profile *pica.Profile) bool {
	return c.kernels != nil && c.stage == stage && c.profile == *profile &&
		slices.Equal(c.program.Code, p.Code) && slices.Equal(c.program.Descriptors, p.Descriptors)
}

// compile is Compile into existing memory.
func (c *Code) compile(p pica.Program, stage pica.Stage, profile *pica.Profile) error {
	c.kernels = nil
	if p := c.plan.Swap(nil); p != nil {
		c.spare = p
	}
	switch {
	case len(p.Code) > pica.MaxCode:
		return fmt.Errorf("vm: %w: %d words", pica.ErrInvalidJob, len(p.Code))
	case len(p.Descriptors) > pica.MaxDescriptors:
		return fmt.Errorf("vm: %w: %d operand descriptors", pica.ErrInvalidJob, len(p.Descriptors))
	case stage > pica.Geometry:
		return fmt.Errorf("vm: %w: stage %d", pica.ErrInvalidJob, stage)
	}
	m, err := modelOf(profile)
	if err != nil {
		return err
	}
	c.program.Code = append(c.program.Code[:0], p.Code...)
	c.program.Descriptors = append(c.program.Descriptors[:0], p.Descriptors...)
	c.stage, c.profile, c.model = stage, *profile, m

	l := lowerer{code: c}
	c.ops = slices.Grow(c.ops[:0], len(p.Code))[:len(p.Code)]
	for pc, word := range c.program.Code {
		if pc == pica.MaxCode-1 && profile.Knobs.ProgramEnd == pica.ProgramEnd4095 {
			word = endWord
		}
		l.lower(word, &c.ops[pc])
	}
	l.lower(0, &c.beyond)
	c.beyond.flags |= flagScopeEnd
	l.lower(endWord, &c.last)
	c.last.flags |= flagScopeEnd
	for pc := range c.ops {
		if end := pc + 1; l.scopeEnds[end/64]>>(end%64)&1 != 0 {
			c.ops[pc].flags |= flagScopeEnd
		}
	}
	l.finish()
	c.kernels = &kernels[m]
	return nil
}

// lowerer turns words into micros and gathers facts about the program.
type lowerer struct {
	code      *Code
	scopeEnds [pica.MaxCode/64 + 8]uint64 // addresses that a scope may end before
	written   [numSlots / 64]uint64
	inputs    uint16
	emits     bool
}

func (l *lowerer) scopeEnd(at uint16) { l.scopeEnds[at/64] |= 1 << (at % 64) }

// finish stores the gathered facts in the code.
func (l *lowerer) finish() {
	c := l.code
	c.inputs = l.inputs
	if l.emits {
		l.written[slotOutput/64] |= 0xFFFF << (slotOutput % 64)
	}
	n := 0
	for _, word := range l.written {
		n += bits.OnesCount64(word)
	}
	c.written = slices.Grow(c.written[:0], n)
	for k, word := range l.written {
		for ; word != 0; word &= word - 1 {
			c.written = append(c.written, uint8(64*k+bits.TrailingZeros64(word)))
		}
	}
}

// lower translates one word.
func (l *lowerer) lower(word uint32, m *micro) {
	i := decode.Decode(word)
	knobs := &l.code.profile.Knobs
	support := l.code.profile.Support[pica.OpcodeOf(word)]
	switch {
	case support == pica.SupportSkip:
		*m = micro{op: opNop, flags: flagLog, arg: uint8(i.Op)}
	case support == pica.SupportAbort:
		*m = trap(pica.TrapUnsupported)
	case i.Op.Reserved():
		*m = trap(pica.TrapReserved)
	case pica.Opcodes[i.Op].Writes&pica.WritesEmit != 0 && l.code.stage == pica.Vertex:
		*m = trap(pica.TrapEmitInVertex)
		if knobs.EmitInVertex == pica.EmitInVertexAbort {
			*m = trap(pica.TrapUnsupported)
		}
	case pica.Opcodes[i.Op].Sources == 0:
		*m = l.lowerFlow(&i)
	default:
		l.lowerData(&i, m)
	}
}

func trap(cause pica.Cause) micro { return micro{op: opTrap, arg: uint8(cause)} }

// flowOps gives the operation of each kind of flow control.
var flowOps = [pica.NumFlows]operation{
	pica.FlowNone: opNop, pica.FlowJump: opJump, pica.FlowIf: opIf, pica.FlowCall: opCall,
	pica.FlowLoop: opLoop, pica.FlowBreak: opBreak, pica.FlowEnd: opEnd,
}

// lowerFlow translates an instruction without operands.
func (l *lowerer) lowerFlow(i *decode.Inst) micro {
	info := &pica.Opcodes[i.Op]
	m := micro{op: flowOps[info.Flow], target: i.Dst, end: i.Dst + uint16(i.Num), when: conditionOf(info, i)}
	switch info.Flow {
	case pica.FlowIf:
		l.scopeEnd(m.target)
	case pica.FlowCall:
		l.scopeEnd(m.end)
	case pica.FlowLoop:
		m.arg, m.end = i.Int, i.Dst+1
		l.scopeEnd(m.end)
	}
	switch {
	case info.Writes&pica.Emits != 0:
		m.op = opEmit
		l.emits = true
	case info.Writes&pica.WritesEmit != 0:
		m.op, m.arg = opVertex, i.Vertex
		if i.Primitive {
			m.arg |= vertexPrimitive
		}
		if i.Winding {
			m.arg |= vertexInverted
		}
	}
	return m
}

// conditionOf returns the condition of an instruction.
func conditionOf(info *pica.OpcodeInfo, i *decode.Inst) condition {
	switch info.Condition {
	case pica.Always:
		return condition{noUniform, always}
	case pica.OnUniform:
		return condition{uniform: i.Bool}
	case pica.OnUniformInverse:
		return condition{uniform: i.Bool, table: uint8(pica.InverseBit.Get(uint32(i.Num)))}
	}
	c := condition{uniform: noUniform}
	for flags := range uint8(4) {
		x, y := (flags&1 != 0) == i.RefX, (flags&2 != 0) == i.RefY
		if [...]bool{pica.CondOr: x || y, pica.CondAnd: x && y, pica.CondX: x, pica.CondY: y}[i.CondOp] {
			c.table |= 1 << flags
		}
	}
	return c
}

// lowerData translates an instruction with operands.
func (l *lowerer) lowerData(i *decode.Inst, m *micro) {
	var d pica.Descriptor
	if int(i.Desc) < len(l.code.program.Descriptors) {
		d = pica.Descriptor(l.code.program.Descriptors[i.Desc])
	}
	info := &pica.Opcodes[i.Op]
	*m = micro{op: operation(info.Plain)}
	mask := d.Mask()
	// Entry k of every list belongs to the k-th written component. Where an operation
	// combines components, entry k of an operand is component k instead.
	componentwise := info.Reads[0] == 0
	slots := [4]int{0, 1, 2, 3}
	if componentwise {
		slots = [4]int{}
	}
	slot := destSlot(i.Dest)
	for component := range 4 {
		if mask&(8>>component) == 0 {
			continue
		}
		if componentwise {
			slots[m.n] = component
		}
		m.dest[m.n] = slot*4 + uint16(component)
		m.n++
	}
	input := -1
	for k := range info.Sources {
		register := i.Src[k] // source fields have the numbers of slots
		if register < pica.SourceTemporary {
			l.inputs |= 1 << register
			if input >= 0 && input != int(register) {
				m.flags |= flagInputs
			}
			input = int(register)
		}
		if d.Negate(k) {
			m.src[k].negate = 1 << 31
		}
		from := uint16(register)
		if k == int(i.IndexedSource) && i.Index != pica.IndexNone && register >= pica.SourceUniform {
			m.flags |= flagIndexed
			m.index, m.target = i.Index, uint16(register-pica.SourceUniform)
			from = slotRelative
		}
		selectors := uint16(d.Selectors(k))
		for n, component := range slots {
			m.src[k].at[n] = from*4 + selectors>>(6-2*(component&3))&3
		}
	}
	if info.Layout.CmpX.Width != 0 {
		m.cmp = [2]uint8{i.CmpX, i.CmpY}
		l.ignoreOperators(m, i.Op)
	}
	if info.Writes&pica.WritesAddress != 0 {
		m.arg = mask
		m.flags |= flagMova
	}
	if l.code.profile.Knobs.Hazards == pica.HazardsOff {
		m.flags &^= flagInputs | flagMova
	}
	if info.Writes&pica.WritesDest != 0 && mask != 0 {
		l.written[slot/64] |= 1 << (slot % 64)
		if componentwise {
			m.detour(info.Sources)
		}
	}
}

// ignoreOperators marks the comparisons that a profile logs and does not execute.
func (l *lowerer) ignoreOperators(m *micro, op pica.Opcode) {
	if l.code.profile.Knobs.Compare != pica.CompareKeep {
		return
	}
	for k, operator := range m.cmp {
		if operator > pica.CmpGE {
			m.cmp[k] = keepFlag
			m.flags |= flagLog
			m.arg = uint8(op)
		}
	}
}

// destSlot returns the slot of a destination field.
func destSlot(field uint8) uint16 {
	if field >= pica.DestTemporary {
		return slotTemporary + uint16(field-pica.DestTemporary)
	}
	return slotOutput + uint16(field)
}

// detour sends the result through the scratch slot if a component is written before
// another component that depends on it.
func (m *micro) detour(sources int) {
	for k := range sources {
		if m.src[k].at[0]/4 != m.dest[0]/4 {
			continue
		}
		for early := range int(m.n) {
			for late := early + 1; late < int(m.n); late++ {
				if m.src[k].at[late] == m.dest[early] {
					m.flags |= flagCopy
				}
			}
		}
	}
	if m.flags&flagCopy != 0 {
		m.end = m.dest[0] / 4
		for k := range m.dest[:m.n] {
			m.dest[k] = slotScratch*4 + m.dest[k]&3
		}
	}
}
