package cover

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// An emitter follows the state of the geometry emitter.
type emitter struct {
	set                 bool // by a SETEMIT of this run
	slot                int
	primitive, inverted bool
	bank                int
	filled, fresh       uint8 // slots emitted in this run, and since the last primitive
}

// step records an instruction of the geometry stage, and writes to the output banks.
func (e *emitter) step(r *Recorder, op pica.Opcode, word uint32) {
	layout, writes := op.Layout(), pica.Opcodes[op].Writes
	switch {
	case writes&pica.Emits != 0:
		e.emit(r)
	case writes&pica.WritesEmit != 0:
		e.set, e.slot = true, int(layout.Vertex.Get(word))
		e.primitive, e.inverted = layout.Primitive.Get(word) != 0, layout.Winding.Get(word) != 0
		r.hit(setemitPoints.at(e.slot, choose(e.primitive), choose(e.inverted)))
	default:
		if r.stage == pica.Geometry && writes&pica.WritesDest != 0 && layout.Dest.Get(word) < pica.DestTemporary {
			r.hit(bankPoints.at(e.bank, 0, 0))
		}
	}
}

func (e *emitter) emit(r *Recorder) {
	if !e.set {
		r.hit(oddityPoints.at(emitUnset, 0, 0))
	}
	r.hit(emitPoints.at(e.slot, choose(e.primitive), choose(e.inverted)))
	r.hit(bankPoints.at(e.bank, 1, 0))
	e.bank ^= 1
	e.filled |= 1 << e.slot
	e.fresh |= 1 << e.slot
	if !e.primitive {
		return
	}
	r.hit(primitivePoints.at(bits.OnesCount8(e.fresh)-1, 0, 0))
	if e.filled != 7 {
		r.hit(oddityPoints.at(emptySlot, 0, 0))
	}
	e.fresh = 0
}
