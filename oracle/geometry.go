package oracle

import "github.com/picaproof/picaproof/pica"

// An emitter is what SETEMIT sets and EMIT fills. It starts at zero, so an EMIT
// without a SETEMIT goes to slot 0 (Azahar).
type emitter struct {
	vertex    int // slot
	primitive bool
	inverted  bool
	slots     [3][pica.NumOutputs]pica.Vec4 // not cleared by a primitive (Azahar)
}

// geometry executes EMIT and SETEMIT.
func (m *Machine) geometry() bool {
	if m.stage == pica.Vertex {
		switch m.unit.knobs[pica.KnobEmitInVertex] {
		case pica.EmitInVertexAbort:
			return m.refuse(m.job.Profile.Refusal) // Azahar's and Citra's interpreters assert
		case pica.EmitInVertexSkip:
			m.skip() // the compilers and Mikage log
			m.record.Skipped = true
			return true
		}
		return m.trap(pica.TrapEmitInVertex) // unknown on the console
	}
	e := &m.emitter
	if m.op == pica.SETEMIT {
		e.vertex = fieldVertex.of(m.word)
		e.primitive = fieldPrimitive.of(m.word) != 0
		e.inverted = fieldWinding.of(m.word) != 0
		return true
	}
	if e.vertex >= len(e.slots) {
		if how := m.job.Profile.Refusal; how != pica.RefusalUnknown {
			return m.refuse(how)
		}
		return m.trap(pica.TrapEmitVertexID) // Azahar asserts; unknown on the console
	}
	m.pack(&e.slots[e.vertex])
	if e.primitive {
		m.primitives = append(m.primitives, pica.Primitive{Inverted: e.inverted, Vertices: e.slots})
	}
	if m.unit.knobs[pica.KnobBanks] == pica.BanksTwo {
		m.state.O, m.otherBank = m.otherBank, m.state.O // every EMIT toggles (PabloMK7 on a console)
	}
	return true
}

// pack copies the masked outputs to a slot, in register order (Azahar).
func (m *Machine) pack(slot *[pica.NumOutputs]pica.Vec4) {
	n := 0
	for i, o := range m.state.O {
		if m.outMask>>i&1 != 0 {
			slot[n] = o
			n++
		}
	}
}
