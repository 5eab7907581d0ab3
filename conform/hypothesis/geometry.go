package hypothesis

import (
	"fmt"
	"math/bits"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// geometry: EMIT and SETEMIT go wrong.
func geometry(c *oracle.Control) (list []*Hypothesis) {
	if c.Op != pica.EMIT && c.Op != pica.SETEMIT {
		return nil
	}
	for was := range 4 {
		for is := range 4 {
			if was != is {
				list = append(list, changed(fmt.Sprintf("vertex %d goes to slot %d", was, is),
					"a vertex is stored in the slot of its id (5.4)", func(r *oracle.Rules) {
						before := r.Emission.SETEMIT
						r.Emission.SETEMIT = func(e *oracle.Emitter, vertex int, primitive, inverted bool) {
							if vertex == was {
								vertex = is
							}
							before(e, vertex, primitive, inverted)
						}
					}))
			}
		}
	}
	for a := range 3 {
		for b := a + 1; b < 3; b++ {
			list = append(list, changed(fmt.Sprintf("slots %d and %d are exchanged", a, b),
				"a vertex is stored in the slot of its id (5.4)", func(r *oracle.Rules) {
					before := r.Emission.SETEMIT
					r.Emission.SETEMIT = func(e *oracle.Emitter, vertex int, primitive, inverted bool) {
						switch vertex {
						case a:
							vertex = b
						case b:
							vertex = a
						}
						before(e, vertex, primitive, inverted)
					}
				}))
		}
	}
	for _, ends := range []struct {
		name string
		of   func(vertex int, primitive, inverted bool) bool
	}{
		{"with each vertex", func(int, bool, bool) bool { return true }},
		{"with vertex 2", func(vertex int, _, _ bool) bool { return vertex == 2 }},
		{"with vertex 2 alone", func(vertex int, primitive, _ bool) bool { return primitive && vertex == 2 }},
		{"where the winding is inverted", func(_ int, _, inverted bool) bool { return inverted }},
	} {
		list = append(list, changed("a primitive ends "+ends.name, "SETEMIT says whether a primitive ends (5.4)",
			func(r *oracle.Rules) {
				before := r.Emission.SETEMIT
				r.Emission.SETEMIT = func(e *oracle.Emitter, vertex int, primitive, inverted bool) {
					before(e, vertex, ends.of(vertex, primitive, inverted), inverted)
				}
			}))
	}
	list = append(list, changed("the winding is inverted where a primitive ends", "SETEMIT has a bit for the winding (5.4)",
		func(r *oracle.Rules) {
			before := r.Emission.SETEMIT
			r.Emission.SETEMIT = func(e *oracle.Emitter, vertex int, primitive, _ bool) {
				before(e, vertex, primitive, primitive)
			}
		}))
	list = append(list, changed("all outputs are stored", ruleOfPacking, func(r *oracle.Rules) {
		r.Emission.Store = func(slot, o *[pica.NumOutputs]pica.Vec4, _ uint16) { *slot = *o }
	}))
	return append(list, primitives()...)
}

const ruleOfPacking = "EMIT packs the outputs of the mask (5.4)"

// primitives: EMIT stores other outputs, or a primitive leaves other vertices or another winding.
func primitives() (list []*Hypothesis) {
	for n := 1; n < pica.NumOutputs; n++ {
		name := fmt.Sprintf("a vertex stores %d outputs at most", n)
		list = append(list, changed(name, ruleOfPacking, func(r *oracle.Rules) {
			before := r.Emission.Store
			r.Emission.Store = func(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16) {
				old := *slot
				before(slot, o, mask)
				copy(slot[n:], old[n:])
			}
		}))
	}
	for n := 1; n < pica.NumOutputs; n++ {
		name := fmt.Sprintf("outputs from o%d on are not stored", n)
		list = append(list, changed(name, ruleOfPacking, func(r *oracle.Rules) {
			before := r.Emission.Store
			r.Emission.Store = func(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16) { before(slot, o, mask&(1<<n-1)) }
		}))
	}
	list = append(list, changed("a primitive clears the outputs", "EMIT leaves the outputs (5.4)", func(r *oracle.Rules) {
		primitive, toggle, complete := r.Emission.Primitive, r.Emission.Toggle, false
		r.Emission.Primitive = func(e *oracle.Emitter) (p pica.Primitive, _ bool) {
			p, complete = primitive(e)
			return p, complete
		}
		r.Emission.Toggle = func(selected, other *[pica.NumOutputs]pica.Vec4) {
			if complete {
				*selected, *other = [pica.NumOutputs]pica.Vec4{}, [pica.NumOutputs]pica.Vec4{}
			}
			toggle(selected, other)
		}
	}))
	list = append(list, ordersOfSlots()...)
	list = append(list, usedOnce()...)
	list = append(list, lateEmissions()...)
	for _, later := range []struct {
		name string
		of   func(was, is bool) bool
	}{
		{"primitives behind an inverted one are inverted", func(was, is bool) bool { return was || is }},
		{"an inverted primitive turns those behind it", func(was, is bool) bool { return was != is }},
	} {
		list = append(list, noting(later.name, "each SETEMIT says whether (5.4)", func(r *oracle.Rules) {
			was := fromEmit(r)
			primitive := r.Emission.Primitive
			r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
				p, complete := primitive(e)
				if p.Inverted = later.of(*was, p.Inverted); complete {
					*was = p.Inverted
				}
				return p, complete
			}
		}))
	}
	for _, emits := range []struct {
		name string
		do   func(e *oracle.Emitter)
	}{
		{"moves slots 1 and 2 to slots 0 and 1", func(e *oracle.Emitter) { copy(e.Slots[:], e.Slots[1:]) }},
		{"moves slot 2 to slot 0", func(e *oracle.Emitter) { e.Slots[0] = e.Slots[2] }},
		{"moves slot 2 to slot 1", func(e *oracle.Emitter) { e.Slots[1] = e.Slots[2] }},
	} {
		list = append(list, changed("a primitive "+emits.name, "slots are not cleared by a primitive (5.4)",
			func(r *oracle.Rules) {
				before := r.Emission.Primitive
				r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
					p, complete := before(e)
					if complete {
						emits.do(e)
					}
					return p, complete
				}
			}))
	}
	list = append(list, changed("the first outputs are stored, as many as the mask has",
		ruleOfPacking, func(r *oracle.Rules) {
			before := r.Emission.Store
			r.Emission.Store = func(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16) {
				before(slot, o, 1<<bits.OnesCount16(mask)-1)
			}
		}))
	return list
}

// ordersOfSlots: the vertices of a primitive come in another order than its slots: always, or where it is inverted,
// with its flag or in the place of it.
func ordersOfSlots() (list []*Hypothesis) {
	for _, order := range [][3]int{{0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		for _, of := range []struct {
			name         string
			always, flag bool
		}{
			{"a primitive has slots %d, %d, %d", true, true},
			{"an inverted primitive has slots %d, %d, %d", false, true},
			{"an inverted primitive has slots %d, %d, %d and no flag", false, false},
		} {
			list = append(list, changed(fmt.Sprintf(of.name, order[0], order[1], order[2]),
				"the vertices are submitted in the order of slots (5.4)", func(r *oracle.Rules) {
					before := r.Emission.Primitive
					r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
						p, complete := before(e)
						if was := p.Vertices; complete && (of.always || p.Inverted) {
							for i, from := range order {
								p.Vertices[i] = was[from]
							}
							p.Inverted = p.Inverted && of.flag
						}
						return p, complete
					}
				}))
		}
	}
	return list
}

// usedOnce: EMIT uses up what SETEMIT said.
func usedOnce() (list []*Hypothesis) {
	for _, of := range []struct {
		name string
		use  func(e *oracle.Emitter)
	}{
		{"the vertex id", func(e *oracle.Emitter) { e.Vertex = 0 }},
		{"the winding", func(e *oracle.Emitter) { e.Inverted = false }},
		{"all that setemit says", func(e *oracle.Emitter) { e.Vertex, e.Primitive, e.Inverted = 0, false, false }},
	} {
		list = append(list, changed("emit resets "+of.name, "SETEMIT holds until the next one (5.4)",
			func(r *oracle.Rules) {
				before := r.Emission.Primitive
				r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
					p, complete := before(e)
					of.use(e)
					return p, complete
				}
			}))
	}
	return list
}

// lateEmissions: EMIT acts with a flag that the EMIT before had.
func lateEmissions() (list []*Hypothesis) {
	for _, flag := range []struct {
		name string
		of   func(e *oracle.Emitter) *bool
	}{
		{"ends a primitive", func(e *oracle.Emitter) *bool { return &e.Primitive }},
		{"inverts", func(e *oracle.Emitter) *bool { return &e.Inverted }},
	} {
		for _, late := range []struct {
			name string
			too  bool
		}{{"where the one before should", false}, {"where the one before should, too", true}} {
			list = append(list, noting(fmt.Sprintf("emit %s %s", flag.name, late.name),
				"EMIT uses the newest SETEMIT (5.4)", func(r *oracle.Rules) {
					was := fromEmit(r)
					primitive := r.Emission.Primitive
					r.Emission.Primitive = func(e *oracle.Emitter) (pica.Primitive, bool) {
						f := flag.of(e)
						is := *f
						*f = *was || late.too && is
						p, complete := primitive(e)
						*f, *was = is, is
						return p, complete
					}
				}))
		}
	}
	return list
}

// fromEmit returns a flag that one EMIT leaves to the next, also to that of a vertex that keeps the registers of the
// one before. It is false at the start of a run.
func fromEmit(r *oracle.Rules) *bool {
	flag := new(bool)
	begin := r.Carry.Begin
	r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
		*flag = *flag && vertex > 0 && kept
		begin(f, initial, vertex, kept)
	}
	return flag
}
