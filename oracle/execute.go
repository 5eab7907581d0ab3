package oracle

import "github.com/picaproof/picaproof/pica"

// execute computes the current instruction from the sources in the record and stores
// its results, unless a rule traps.
func (m *Machine) execute() {
	u, ops := &m.rules.Unit, &m.rules.Unit.Ops
	a, b := &m.record.Sources[0], &m.record.Sources[1]
	switch m.at.Op {
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
		if v, ok := m.at.Compute(&m.record.Sources); !ok {
			m.control()
		} else if !m.at.Trapped() {
			m.write(v)
		}
	}
}

// Compute returns the result of the instruction for some sources. It reports whether that is an operation with a result
// and no flags.
func (c *Control) Compute(sources *[3]pica.Vec4) (v pica.Vec4, ok bool) {
	u, ops := &c.Rules.Unit, &c.Rules.Unit.Ops
	x, y, z := &sources[0], &sources[1], &sources[2]
	switch c.Op {
	case pica.ADD:
		return lanes(u, ops.Add, x, y), true
	case pica.MUL:
		return lanes(u, ops.Mul, x, y), true
	case pica.MAD, pica.MADI:
		for i := range v {
			v[i] = ops.MAD(u, x[i], y[i], z[i])
		}
		return v, true
	case pica.DP3:
		return Broadcast(ops.Dot(u, *x, *y, 3)), true
	case pica.DP4:
		return Broadcast(ops.Dot(u, *x, *y, 4)), true
	case pica.DPH, pica.DPHI:
		return Broadcast(ops.DPH(u, *x, *y)), true
	case pica.DST, pica.DSTI:
		return ops.Distance(u, *x, *y), true
	case pica.MAX:
		return lanes(u, ops.Max, x, y), true
	case pica.MIN:
		return lanes(u, ops.Min, x, y), true
	case pica.SGE, pica.SGEI:
		return lanes(u, ops.SGE, x, y), true
	case pica.SLT, pica.SLTI:
		return lanes(u, ops.SLT, x, y), true
	case pica.FLR:
		for i := range v {
			v[i] = ops.Floor(u, x[i])
		}
		return v, true
	case pica.RCP:
		return ops.Scalar(c, ops.Reciprocal, x), true
	case pica.RSQ:
		return ops.Scalar(c, ops.ReciprocalRoot, x), true
	case pica.EX2:
		return ops.Scalar(c, ops.Exp2, x), true
	case pica.LG2:
		return ops.Scalar(c, ops.Log2, x), true
	case pica.MOV:
		return *x, true // the bits, NaN payloads included (all emulators)
	}
	return v, false
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
func lanes(u *Unit, f func(u *Unit, a, b uint32) uint32, a, b *pica.Vec4) (v pica.Vec4) {
	for i := range v {
		v[i] = f(u, a[i], b[i])
	}
	return v
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
