package mutants

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// A bank is the output registers, or a vertex of the emitter.
type bank = [pica.NumOutputs]pica.Vec4

// geometryFaults break EMIT, SETEMIT and the state after a geometry run.
var geometryFaults = []fault[oracle.Rules]{
	{"vertex-id-of-1-bit", "a vertex id has 2 bits (1.2)", func(r *oracle.Rules) { r.Encoding.Vertex.Width = 1 }},
	{"primitive-exchanged-with-winding", "inv is bit 22, prim bit 23 (1.2)", func(r *oracle.Rules) {
		r.Encoding.Primitive, r.Encoding.Winding = r.Encoding.Winding, r.Encoding.Primitive
	}},
	{"setemit-keeps-the-slot", "SETEMIT stores the vertex id (5.4)",
		set(func(before, e *oracle.Emitter) { e.Vertex = before.Vertex })},
	{"setemit-keeps-the-primitive-flag", "SETEMIT stores prim (5.4)",
		set(func(before, e *oracle.Emitter) { e.Primitive = e.Primitive || before.Primitive })},
	{"setemit-keeps-the-winding-flag", "SETEMIT stores inv (5.4)",
		set(func(before, e *oracle.Emitter) { e.Inverted = e.Inverted || before.Inverted })},
	{"winding-is-inverted", "inv is set where bit 22 is (5.4)",
		set(func(_, e *oracle.Emitter) { e.Inverted = !e.Inverted })},
	{"winding-is-ignored", "inv is set where bit 22 is (5.4)", set(func(_, e *oracle.Emitter) { e.Inverted = false })},
	{"winding-needs-no-primitive", "inv counts with prim (5.4)",
		set(func(_, e *oracle.Emitter) { e.Primitive = e.Primitive || e.Inverted })},
	{"slots-are-reversed", "vertex id n is slot n (5.4)", set(func(_, e *oracle.Emitter) {
		if e.Vertex < len(e.Slots) {
			e.Vertex = len(e.Slots) - 1 - e.Vertex
		}
	})},
	{"vertex-id-3-is-slot-0", "there is no slot 3 (5.4)",
		set(func(_, e *oracle.Emitter) { e.Vertex %= len(e.Slots) })},

	{"primitive-before-its-last-vertex", "EMIT copies the outputs, then submits (5.4)", func(r *oracle.Rules) {
		store, primitive := r.Emission.Store, r.Emission.Primitive
		var slot, before bank
		var at *bank
		r.Emission.Store = func(to, o *bank, mask uint16) {
			before, at = *to, to
			store(to, o, mask)
			slot = *to
		}
		r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
			if at == nil { // no EMIT has stored a vertex
				return primitive(e)
			}
			*at = before
			p, complete := primitive(e)
			*at = slot
			return p, complete
		}
	}},
	{"primitive-flag-is-used-once", "an EMIT without SETEMIT uses the last stored state (5.4)",
		emitted(func(e *oracle.Emitter, _ *pica.Primitive) { e.Primitive = false })},
	{"slot-goes-on-after-emit", "an EMIT without SETEMIT uses the last stored state (5.4)", func(r *oracle.Rules) {
		primitive := r.Emission.Primitive
		r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
			p, complete := primitive(e)
			e.Vertex = (e.Vertex + 1) % len(e.Slots)
			return p, complete
		}
	}},
	{"slots-are-cleared-after-a-primitive", "slots are not cleared by a primitive (5.4)",
		emitted(func(e *oracle.Emitter, _ *pica.Primitive) { e.Slots = [3]bank{} })},
	{"inverted-primitive-is-exchanged", "the vertices are submitted in the order of slots (5.4)",
		emitted(func(_ *oracle.Emitter, p *pica.Primitive) {
			if p.Inverted {
				p.Vertices[0], p.Vertices[1] = p.Vertices[1], p.Vertices[0]
			}
		})},
	{"primitive-is-never-complete", "EMIT with prim submits a triangle (5.4)", func(r *oracle.Rules) {
		r.Emission.Primitive = func(*oracle.Emitter) (p pica.Primitive, complete bool) { return }
	}},
	{"every-emit-completes-a-primitive", "EMIT without prim submits nothing (5.4)", func(r *oracle.Rules) {
		r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
			return pica.Primitive{Inverted: e.Inverted, Vertices: e.Slots}, true
		}
	}},

	{"outputs-are-not-packed", "masked outputs are packed in ascending order (5.3)",
		storing(func(slot, o *bank, mask uint16) {
			for i := range o {
				if mask>>i&1 != 0 {
					slot[i] = o[i]
				}
			}
		})},
	{"outputs-are-packed-downward", "masked outputs are packed in ascending order (5.3)",
		storing(func(slot, o *bank, mask uint16) {
			n := 0
			for i := len(o) - 1; i >= 0; i-- {
				if mask>>i&1 != 0 {
					slot[n] = o[i]
					n++
				}
			}
		})},
	{"outputs-from-o7-are-not-packed", "the mask names any of 16 outputs (5.3)",
		misread(func(mask uint16) uint16 { return mask & 0x7F })},
	{"o0-is-always-packed", "only masked outputs are packed (5.3)",
		misread(func(mask uint16) uint16 { return mask | 1 })},
	{"output-mask-is-ignored", "only masked outputs are packed (5.3)", misread(func(uint16) uint16 { return 0xFFFF })},

	{"one-output-bank", "every EMIT toggles the output bank (5.4)", toggled(func(_, _ *bank) {})},
	{"emit-copies-the-bank", "every EMIT toggles the output bank (5.4)",
		toggled(func(selected, other *bank) { *other = *selected })},
	{"emit-clears-the-outputs", "every EMIT toggles the output bank (5.4)",
		toggled(func(selected, _ *bank) { *selected = bank{} })},
	{"a-new-bank-is-clear", "a bank holds what was written two EMITs ago (5.4)",
		toggled(func(selected, other *bank) { *selected, *other = bank{}, *selected })},
	{"only-a-primitive-toggles", "every EMIT toggles the output bank (5.4)", func(r *oracle.Rules) {
		primitive, complete := r.Emission.Primitive, false
		r.Emission.Primitive = func(e *oracle.Emitter) (p pica.Primitive, _ bool) {
			p, complete = primitive(e)
			return p, complete
		}
		r.Emission.Toggle = func(selected, other *bank) { // also of a model with one bank
			if complete {
				*selected, *other = *other, *selected
			}
		}
	}},

	{"b15-is-not-set", "a geometry run sets b15 (5.4)", left(func(b uint16) uint16 { return b })},
	{"b0-is-set-for-b15", "a geometry run sets b15 (5.4)", left(func(b uint16) uint16 { return b | 1 })},
	{"b15-is-toggled", "a geometry run sets b15 (5.4)", left(func(b uint16) uint16 { return b ^ 1<<15 })},
	{"booleans-are-cleared-but-b15", "a geometry run sets b15 alone (5.4)",
		left(func(uint16) uint16 { return 1 << 15 })},
}

// set changes the state that SETEMIT stores.
func set(spoil func(before, e *oracle.Emitter)) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		setEmit := r.Emission.SETEMIT
		r.Emission.SETEMIT = func(e *oracle.Emitter, vertex int, primitive, inverted bool) {
			before := *e
			setEmit(e, vertex, primitive, inverted)
			spoil(&before, e)
		}
	}
}

// emitted changes the emitter or the primitive after each primitive.
func emitted(spoil func(e *oracle.Emitter, p *pica.Primitive)) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		primitive := r.Emission.Primitive
		r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
			p, complete := primitive(e)
			if complete {
				spoil(e, &p)
			}
			return p, complete
		}
	}
}

func storing(rule func(slot, o *bank, mask uint16)) func(*oracle.Rules) {
	return func(r *oracle.Rules) { r.Emission.Store = rule }
}

// misread changes the output mask.
func misread(change func(mask uint16) uint16) func(*oracle.Rules) {
	return func(r *oracle.Rules) {
		store := r.Emission.Store
		r.Emission.Store = func(slot, o *bank, mask uint16) { store(slot, o, change(mask)) }
	}
}

func toggled(rule func(selected, other *bank)) func(*oracle.Rules) {
	return func(r *oracle.Rules) { r.Emission.Toggle = rule }
}

// left replaces the booleans after a run.
func left(rule func(bools uint16) uint16) func(*oracle.Rules) {
	return func(r *oracle.Rules) { r.Emission.Bools = rule }
}
