package oracle

import "github.com/picaproof/picaproof/pica"

// execute computes the current instruction from the sources in the record and stores
// its results, unless a rule traps.
func (m *Machine) execute() {
	u, ops := &m.rules.Unit, &m.rules.Unit.Ops
	a, b, c := &m.record.Sources[0], &m.record.Sources[1], &m.record.Sources[2]
	switch m.at.Op {
	case pica.ADD:
		m.write(m.lanes(ops.Add, a, b))
	case pica.MUL:
		m.write(m.lanes(ops.Mul, a, b))
	case pica.MAD, pica.MADI:
		var v pica.Vec4
		for i := range v {
			v[i] = ops.MAD(u, a[i], b[i], c[i])
		}
		m.write(v)
	case pica.DP3:
		m.write(Broadcast(ops.Dot(u, *a, *b, 3)))
	case pica.DP4:
		m.write(Broadcast(ops.Dot(u, *a, *b, 4)))
	case pica.DPH, pica.DPHI:
		m.write(Broadcast(ops.DPH(u, *a, *b)))
	case pica.DST, pica.DSTI:
		m.write(ops.Distance(u, *a, *b))
	case pica.MAX:
		m.write(m.lanes(ops.Max, a, b))
	case pica.MIN:
		m.write(m.lanes(ops.Min, a, b))
	case pica.SGE, pica.SGEI:
		m.write(m.lanes(ops.SGE, a, b))
	case pica.SLT, pica.SLTI:
		m.write(m.lanes(ops.SLT, a, b))
	case pica.FLR:
		var v pica.Vec4
		for i := range v {
			v[i] = ops.Floor(u, a[i])
		}
		m.write(v)
	case pica.RCP:
		m.scalar(ops.Reciprocal)
	case pica.RSQ:
		m.scalar(ops.ReciprocalRoot)
	case pica.EX2:
		m.scalar(ops.Exp2)
	case pica.LG2:
		m.scalar(ops.Log2)
	case pica.MOV:
		m.write(*a) // the bits, NaN payloads included (all emulators)
	case pica.MOVA:
		m.rules.Operands.MOVA(&m.regs.Address, [2]int32{ops.Integer(u, a[0]), ops.Integer(u, a[1])}, m.mask)
		m.at.written |= addressRegisters(m.mask)
	case pica.CMP:
		e := &m.rules.Encoding
		operators := [2]uint32{uint32(e.CompareX.Of(m.at.Word)), uint32(e.CompareY.Of(m.at.Word))}
		if flags := m.rules.Operands.CMP(&m.at, operators, a, b); !m.at.Trapped() {
			m.setFlags(flags)
		}
	case pica.LITP:
		v, flags := ops.Light(u, *a)
		m.write(v)
		m.setFlags(flags)
	case pica.NOP:
	case pica.SETEMIT:
		e, w := &m.rules.Encoding, m.at.Word
		m.rules.Emission.SETEMIT(&m.regs.Emitter, e.Vertex.Of(w), e.Primitive.Of(w) != 0, e.Winding.Of(w) != 0)
	case pica.EMIT:
		m.emit()
	default:
		m.control()
	}
}

// addressRegisters returns the set of a0.x and a0.y that a mask contains.
func addressRegisters(mask uint8) (set pica.Registers) {
	for i, r := range [2]pica.Registers{pica.RegA0X, pica.RegA0Y} {
		if mask&(laneX>>i) != 0 {
			set |= r
		}
	}
	return set
}

// lanes applies an operation on one lane to all four.
func (m *Machine) lanes(f func(u *Unit, a, b uint32) uint32, a, b *pica.Vec4) (v pica.Vec4) {
	for i := range v {
		v[i] = f(&m.rules.Unit, a[i], b[i])
	}
	return v
}

// scalar executes RCP, RSQ, EX2 or LG2; f is the operation on one lane.
func (m *Machine) scalar(f func(u *Unit, a uint32) uint32) {
	if v := m.rules.Unit.Ops.Scalar(&m.at, f, &m.record.Sources[0]); !m.at.Trapped() {
		m.write(v)
	}
}

// setFlags stores the flags of CMP or LITP, and notes that this run wrote them.
func (m *Machine) setFlags(flags [2]bool) {
	m.rules.Operands.Flags(m.at.Op, &m.regs.CC, flags, m.mask)
	m.at.written |= pica.RegCCX | pica.RegCCY
}

// control executes the flow-control instructions.
func (m *Machine) control() {
	c, r, e := &m.at, &m.rules.Flow, &m.rules.Encoding
	target, num := e.Target.Of(c.Word), e.Num.Of(c.Word)
	switch c.Op {
	case pica.IFC, pica.IFU:
		r.IF(c, m.conditionMet(), target, num)
	case pica.CALL, pica.CALLC, pica.CALLU:
		if m.conditionMet() {
			r.CALL(c, target, num)
		}
	case pica.LOOP:
		p := r.Passes(r.Int(&m.ints, e.Int.Of(c.Word)))
		if r.LOOP(c, target, p); !c.Trapped() {
			c.AL = int32(p.First)
			c.written |= pica.RegAL
		}
	case pica.JMPC, pica.JMPU:
		if m.conditionMet() {
			r.JMP(c, target)
		}
	case pica.BREAK, pica.BREAKC:
		if m.conditionMet() {
			r.BREAK(c)
		}
	case pica.END:
		c.Ended = r.END(c)
	}
}

// conditionMet evaluates the condition of a flow-control instruction; true if it has none.
func (m *Machine) conditionMet() bool {
	c, r, e := &m.at, &m.rules.Flow, &m.rules.Encoding
	switch c.Op {
	case pica.IFC, pica.CALLC, pica.JMPC, pica.BREAKC:
		operator := e.Condition.Of(c.Word)
		c.uninitialised |= conditionReads[operator] &^ c.written
		return r.Condition(operator, c.CC, [2]bool{e.RefX.Of(c.Word) != 0, e.RefY.Of(c.Word) != 0})
	case pica.IFU, pica.CALLU:
		return r.Bool(m.bools, e.Bool.Of(c.Word))
	case pica.JMPU:
		return r.JMPU(r.Bool(m.bools, e.Bool.Of(c.Word)), e.Num.Of(c.Word))
	}
	return true
}

// conditionReads holds the flags that a condition operator reads.
var conditionReads = [4]pica.Registers{
	pica.CondOr: pica.RegCCX | pica.RegCCY, pica.CondAnd: pica.RegCCX | pica.RegCCY,
	pica.CondX: pica.RegCCX, pica.CondY: pica.RegCCY,
}

// emit executes EMIT: store the vertex, submit the primitive, exchange the banks (Azahar).
func (m *Machine) emit() {
	e, r := &m.regs.Emitter, &m.rules.Emission
	stored := e.Vertex < len(e.Slots)
	if !stored {
		if r.NoSlot(&m.at); m.at.Trapped() {
			return
		}
	}
	if e.Primitive && len(m.primitives) == pica.MaxPrimitives {
		m.at.Trap(pica.TrapPrimitives)
		return
	}
	if stored {
		r.Store(&e.Slots[e.Vertex], &m.regs.O, m.job.OutMask)
	}
	if p, complete := r.Primitive(e); complete {
		m.primitives = append(m.primitives, p)
	}
	r.Toggle(&m.regs.O, &m.regs.OtherBank)
}
