package oracle

import "github.com/picaproof/picaproof/pica"

// An Emitter is what SETEMIT sets and EMIT fills. It starts at zero, so an EMIT
// without a SETEMIT goes to slot 0 (Azahar).
type Emitter struct {
	Vertex    int // slot, 0 to 3; there is no slot 3
	Primitive bool
	Inverted  bool
	Slots     [3][pica.NumOutputs]pica.Vec4 // not cleared by a primitive (Azahar)
}

// geometry executes EMIT and SETEMIT.
func (m *Machine) geometry() bool {
	if m.stage == pica.Vertex {
		switch m.unit.Knobs[pica.KnobEmitInVertex] {
		case pica.EmitInVertexAbort:
			return m.refuse(m.job.Profile.Refusal) // Azahar's and Citra's interpreters assert
		case pica.EmitInVertexSkip:
			m.skip() // the compilers and Mikage log
			m.record.Skipped = true
			return true
		}
		return m.trap(pica.TrapEmitInVertex) // unknown on the console
	}
	e, w, r := &m.regs.Emitter, &m.rules.Encoding, &m.rules.Emission
	if m.op == pica.SETEMIT {
		r.SETEMIT(e, w.Vertex.of(m.word), w.Primitive.of(m.word) != 0, w.Winding.of(m.word) != 0)
		return true
	}
	if e.Vertex >= len(e.Slots) {
		if how := m.job.Profile.Refusal; how != pica.RefusalUnknown {
			return m.refuse(how)
		}
		return m.trap(pica.TrapEmitVertexID) // Azahar asserts; unknown on the console
	}
	r.Pack(&e.Slots[e.Vertex], &m.regs.O, m.outMask)
	if p, complete := r.Primitive(e); complete {
		m.primitives = append(m.primitives, p)
	}
	if m.unit.Knobs[pica.KnobBanks] == pica.BanksTwo {
		r.Toggle(&m.regs.O, &m.regs.OtherBank)
	}
	return true
}

// emission is the table of the oracle itself.
var emission = Emission{SETEMIT: setEmit, Pack: pack, Primitive: primitive, Toggle: toggle, Bools: afterGeometry}

func setEmit(e *Emitter, vertex int, primitive, inverted bool) {
	e.Vertex, e.Primitive, e.Inverted = vertex, primitive, inverted
}

// pack copies in register order (Azahar).
func pack(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16) {
	n := 0
	for i := range o {
		if mask>>i&1 != 0 {
			slot[n] = o[i]
			n++
		}
	}
}

func primitive(e *Emitter) (pica.Primitive, bool) {
	if !e.Primitive {
		return pica.Primitive{}, false
	}
	return pica.Primitive{Inverted: e.Inverted, Vertices: e.Slots}, true
}

// toggle comes after every EMIT (PabloMK7 on a console).
func toggle(selected, other *[pica.NumOutputs]pica.Vec4) { *selected, *other = *other, *selected }

// afterGeometry sets b15 after every geometry run (Azahar, picasso).
func afterGeometry(bools uint16) uint16 { return bools | 1<<15 }
