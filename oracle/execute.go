package oracle

import "github.com/picaproof/picaproof/pica"

// execute computes the current instruction from the sources in the record and stores
// its results, unless a rule traps.
func (m *Machine) execute() {
	u, ops := &m.rules.Unit, &m.rules.Unit.Ops
	a, b, c := &m.record.Sources[0], &m.record.Sources[1], &m.record.Sources[2]
	switch m.at.op {
	case pica.ADD:
		m.write(m.lanes(ops.Add, a, b))
	case pica.MUL:
		m.write(m.lanes(ops.Mul, a, b))
	case pica.MAX:
		m.write(m.lanes(ops.Max, a, b))
	case pica.MIN:
		m.write(m.lanes(ops.Min, a, b))
	case pica.SGE, pica.SGEI:
		m.write(m.lanes(ops.SGE, a, b))
	case pica.SLT, pica.SLTI:
		m.write(m.lanes(ops.SLT, a, b))
	case pica.MAD, pica.MADI:
		var v pica.Vec4
		for i := range v {
			v[i] = ops.MAD(u, a[i], b[i], c[i])
		}
		m.write(v)
	case pica.FLR:
		var v pica.Vec4
		for i := range v {
			v[i] = ops.Floor(u, a[i])
		}
		m.write(v)
	case pica.MOV:
		m.write(*a) // the bits, NaN payloads included (all emulators)
	case pica.DP3:
		m.write(Broadcast(ops.Dot(u, *a, *b, 3)))
	case pica.DP4:
		m.write(Broadcast(ops.Dot(u, *a, *b, 4)))
	case pica.DPH, pica.DPHI:
		m.write(Broadcast(ops.DPH(u, *a, *b)))
	case pica.DST, pica.DSTI:
		m.write(ops.Distance(u, *a, *b))
	case pica.RCP:
		m.scalar(ops.Reciprocal)
	case pica.RSQ:
		m.scalar(ops.ReciprocalRoot)
	case pica.EX2:
		m.scalar(ops.Exp2)
	case pica.LG2:
		m.scalar(ops.Log2)
	case pica.LITP:
		v, flags := ops.Light(u, *a)
		m.write(v)
		m.setConditions(flags)
	case pica.MOVA:
		m.rules.Operands.MOVA(&m.regs.Address, [2]int32{ops.Integer(u, a[0]), ops.Integer(u, a[1])}, m.mask)
		m.special |= movaWrites[m.mask>>2]
	case pica.CMP:
		operators := [2]uint32{uint32(m.rules.Encoding.CompareX.Of(m.word)), uint32(m.rules.Encoding.CompareY.Of(m.word))}
		if flags := m.rules.Operands.CMP(&m.at, operators, a, b); !m.at.trapped() {
			m.setConditions(flags)
		}
	case pica.NOP:
	case pica.EMIT, pica.SETEMIT:
		m.geometry()
	default:
		m.control()
	}
}

// movaWrites holds the address registers that MOVA writes, by mask bits x and y.
var movaWrites = [4]pica.Registers{0, pica.RegA0Y, pica.RegA0X, pica.RegA0X | pica.RegA0Y}

// lanes applies f to each lane.
func (m *Machine) lanes(f func(u *Unit, a, b uint32) uint32, a, b *pica.Vec4) (v pica.Vec4) {
	for i := range v {
		v[i] = f(&m.rules.Unit, a[i], b[i])
	}
	return v
}

// scalar writes the result of f and notes the opcode if the implementation estimates.
func (m *Machine) scalar(f func(u *Unit, a uint32) uint32) {
	u := &m.rules.Unit
	if u.Ops.Estimated != nil && u.Ops.Estimated(u, m.at.op, m.record.Sources[0][0]) {
		m.estimated = note(m.estimated, m.at.op)
	}
	m.write(u.Ops.Scalar(u, f, &m.record.Sources[0]))
}

// setConditions stores cc.x and cc.y.
func (m *Machine) setConditions(flags [2]bool) {
	m.rules.Operands.Flags(m.at.op, &m.regs.CC, flags, m.mask)
	m.special |= pica.RegCCX | pica.RegCCY
}

// control executes the flow-control instructions.
func (m *Machine) control() {
	c, r := &m.at, &m.rules.Flow
	target, num := m.rules.Encoding.Target.Of(m.word), m.rules.Encoding.Num.Of(m.word)
	switch m.at.op {
	case pica.IFC:
		r.IF(c, m.condition(), target, num)
	case pica.IFU:
		r.IF(c, m.boolUniform(), target, num)
	case pica.CALL:
		r.CALL(c, target, num)
	case pica.CALLC:
		if m.condition() {
			r.CALL(c, target, num)
		}
	case pica.CALLU:
		if m.boolUniform() {
			r.CALL(c, target, num)
		}
	case pica.JMPC:
		if m.condition() {
			r.JMP(c, target)
		}
	case pica.JMPU:
		if r.JMPU(m.boolUniform(), num) {
			r.JMP(c, target)
		}
	case pica.LOOP:
		p := r.Passes(m.intUniform(m.rules.Encoding.Int.Of(m.word)))
		if r.LOOP(c, target, p); !c.trapped() {
			c.AL = int32(p.First)
			m.special |= pica.RegAL
		}
	case pica.BREAK:
		r.BREAK(c)
	case pica.BREAKC:
		if m.condition() {
			r.BREAK(c)
		}
	case pica.END:
		c.Ended = r.END(c)
	}
}

// intUniform returns integer uniform n. Only an encoding with a wider field than the
// console's names i4 to i7, which are zero.
func (m *Machine) intUniform(n int) [4]uint8 {
	if n >= len(m.ints) {
		return [4]uint8{}
	}
	return m.ints[n]
}

// boolUniform returns the boolean uniform that the instruction names.
func (m *Machine) boolUniform() bool {
	return m.rules.Flow.Bool(m.bools, m.rules.Encoding.Bool.Of(m.word))
}

// condition evaluates the condition of IFC, CALLC, JMPC or BREAKC.
func (m *Machine) condition() bool {
	e := &m.rules.Encoding
	operator := e.Condition.Of(m.word)
	m.unwritten |= conditionReads[operator] &^ m.special
	return m.rules.Flow.Condition(operator, m.regs.CC, [2]bool{e.RefX.Of(m.word) != 0, e.RefY.Of(m.word) != 0})
}

// conditionReads holds the flags that a condition operator reads.
var conditionReads = [4]pica.Registers{
	pica.CondOr: pica.RegCCX | pica.RegCCY, pica.CondAnd: pica.RegCCX | pica.RegCCY,
	pica.CondX: pica.RegCCX, pica.CondY: pica.RegCCY,
}

// geometry executes EMIT and SETEMIT.
func (m *Machine) geometry() {
	e, w, r := &m.regs.Emitter, &m.rules.Encoding, &m.rules.Emission
	switch {
	case m.job.Stage == pica.Vertex:
		r.InVertex(&m.at)
		m.record.Skipped = m.at.ignored
	case m.at.op == pica.SETEMIT:
		r.SETEMIT(e, w.Vertex.Of(m.word), w.Primitive.Of(m.word) != 0, w.Winding.Of(m.word) != 0)
	default:
		m.emit(e, r)
	}
}

// emit executes EMIT.
func (m *Machine) emit(e *Emitter, r *Emission) {
	stored := e.Vertex < len(e.Slots)
	if !stored {
		if r.NoSlot(&m.at); m.at.trapped() {
			return
		}
	}
	if e.Primitive && len(m.primitives) == pica.MaxPrimitives {
		m.at.Trap(pica.TrapPrimitives)
		return
	}
	if stored {
		r.Pack(&e.Slots[e.Vertex], &m.regs.O, m.job.OutMask)
	}
	if p, complete := r.Primitive(e); complete {
		m.primitives = append(m.primitives, p)
	}
	r.Toggle(&m.regs.O, &m.regs.OtherBank)
}
