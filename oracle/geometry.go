package oracle

import "github.com/picaproof/picaproof/pica"

// This file states the geometry stage: SETEMIT, EMIT, the two output banks, and b15.

var emission = Emission{
	SETEMIT: setEmit, NoSlot: noSlot, Store: storeVertex, Primitive: primitive, Toggle: toggle, Bools: afterGeometry,
}

// setEmit stores the operands until the next SETEMIT (Azahar).
func setEmit(e *Emitter, vertex int, primitive, inverted bool) {
	e.Vertex, e.Primitive, e.Inverted = vertex, primitive, inverted
}

// noSlot traps on vertex id 3; unknown on the console.
func noSlot(c *Control) { c.Trap(pica.TrapEmitVertexID) }

// storeVertex copies the masked outputs in register order, without gaps (Azahar).
func storeVertex(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16) {
	n := 0
	for i := range o {
		if mask>>i&1 != 0 {
			slot[n] = o[i]
			n++
		}
	}
}

// primitive submits slots 0, 1 and 2 (Azahar).
func primitive(e *Emitter) (pica.Primitive, bool) {
	if !e.Primitive {
		return pica.Primitive{}, false
	}
	return pica.Primitive{Inverted: e.Inverted, Vertices: e.Slots}, true
}

// toggle exchanges the banks after every EMIT (PabloMK7 on a console).
func toggle(selected, other *[pica.NumOutputs]pica.Vec4) { *selected, *other = *other, *selected }

// afterGeometry sets b15 after every geometry run (Azahar, picasso).
func afterGeometry(bools uint16) uint16 { return bools | 1<<15 }
