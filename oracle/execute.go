package oracle

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// execute computes the current instruction, whose sources are read, and stores
// its results. It reports false after a trap, before anything has changed.
func (m *Machine) execute() bool {
	u, ops := &m.unit, &m.unit.Ops
	a, b, c := &m.record.Sources[0], &m.record.Sources[1], &m.record.Sources[2]
	switch m.op {
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
		m.write(broadcast(ops.Dot(u, *a, *b, 3)))
	case pica.DP4:
		m.write(broadcast(ops.Dot(u, *a, *b, 4)))
	case pica.DPH, pica.DPHI:
		m.write(broadcast(ops.DPH(u, *a, *b)))
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
		return m.compare(a, b)
	case pica.NOP:
	case pica.EMIT, pica.SETEMIT:
		return m.geometry()
	default:
		return m.control()
	}
	return true
}

// movaWrites is indexed by the mask bits of x and y.
var movaWrites = [4]pica.Registers{0, pica.RegA0Y, pica.RegA0X, pica.RegA0X | pica.RegA0Y}

// lanes applies f to each component.
func (m *Machine) lanes(f func(u *Unit, a, b uint32) uint32, a, b *pica.Vec4) (v pica.Vec4) {
	for i := range v {
		v[i] = f(&m.unit, a[i], b[i])
	}
	return v
}

// broadcast returns (x, x, x, x).
func broadcast(x uint32) pica.Vec4 { return pica.Vec4{x, x, x, x} }

// scalar writes the result of f, noting where it is an estimate.
func (m *Machine) scalar(f func(u *Unit, a uint32) uint32) {
	if m.unit.estimates(m.op, m.record.Sources[0][0]) {
		m.estimated = note(m.estimated, m.op)
	}
	m.write(m.unit.Ops.Scalar(&m.unit, f, &m.record.Sources[0]))
}

// The comparison operators without a known meaning.
const firstUndefined = 6

// compare is CMP.
func (m *Machine) compare(a, b *pica.Vec4) bool {
	operators := [2]uint32{uint32(m.rules.Encoding.CompareX.of(m.word)), uint32(m.rules.Encoding.CompareY.of(m.word))}
	flags := m.regs.CC
	for i, op := range operators {
		a, b := a[m.rules.Operands.Compared[i]], b[m.rules.Operands.Compared[i]]
		rule := m.unit.Knobs[pica.KnobCompare]
		switch {
		case op < firstUndefined || rule == pica.CompareTrue:
			flags[i] = m.unit.Ops.Compare(&m.unit, op, a, b)
		case rule == pica.CompareAbort:
			return m.trap(pica.TrapUnsupported)
		case rule == pica.CompareKeep:
			m.skip() // Azahar, Citra, Mikage
		case operators[0] == operators[1]:
			flags[i] = m.unit.Relate(a, b) != Unordered // Panda3DS x64
		default:
			flags[i] = true
		}
	}
	m.setConditions(flags)
	return true
}

// setConditions stores cc.x and cc.y.
func (m *Machine) setConditions(flags [2]bool) {
	m.rules.Operands.Flags(m.op, &m.regs.CC, flags, m.mask)
	m.special |= pica.RegCCX | pica.RegCCY
}

// skip notes that the implementation ignores what it does not know.
func (m *Machine) skip() { m.skipped = note(m.skipped, m.op) }

// note adds an opcode to a list that does not repeat any.
func note(list []pica.Opcode, op pica.Opcode) []pica.Opcode {
	if slices.Contains(list, op) {
		return list
	}
	return append(list, op)
}
