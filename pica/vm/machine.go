package vm

import "github.com/picaproof/picaproof/pica"

// machine is the state of one shader unit.
type machine struct {
	control
	file    file
	cc      uint8 // cc.x + 2*cc.y
	bools   uint16
	ints    [pica.NumInts][4]uint8
	emitter emitter
	reports reports
	// lastMova is the number of instructions that the run had executed before
	// its latest MOVA; -2 before the first one.
	lastMova int
}

// The state of the geometry emitter.
type emitter struct {
	slot       uint8
	primitive  bool
	inverted   bool
	vertices   [3][pica.NumOutputs]pica.Vec4
	primitives []pica.Primitive
	mask       uint16
	model      model
}

// forget empties the emitter: at the start of a job, and between vertices unless the
// job keeps state.
func (e *emitter) forget() {
	e.slot, e.primitive, e.inverted = 0, false, false
	e.vertices = [3][pica.NumOutputs]pica.Vec4{}
}

// reports collects the remarks of a run, each once.
type reports struct {
	skipped     []pica.Opcode
	hazards     []pica.Trap
	skippedSeen uint64
	hazardSeen  [2][pica.MaxCode / 64]uint64 // MOVA, inputs
}

// reset empties the reports; it reuses the memory of the slices.
func (r *reports) reset(skipped []pica.Opcode, hazards []pica.Trap) {
	if len(r.hazards) > 0 {
		r.hazardSeen = [2][pica.MaxCode / 64]uint64{}
	}
	r.skipped, r.hazards, r.skippedSeen = skipped[:0], hazards[:0], 0
}

func (r *reports) skip(op pica.Opcode) {
	if r.skippedSeen>>op&1 == 0 {
		r.skippedSeen |= 1 << op
		r.skipped = append(r.skipped, op)
	}
}

func (r *reports) hazard(t pica.Trap) {
	seen := &r.hazardSeen[0]
	if t.Cause == pica.TrapUnreliableInput {
		seen = &r.hazardSeen[1]
	}
	if word, bit := t.PC/64, t.PC%64; seen[word]>>bit&1 == 0 {
		seen[word] |= 1 << bit
		r.hazards = append(r.hazards, t)
	}
}

// vec returns the register of a slot.
func (x *machine) vec(slot int) *pica.Vec4 { return (*pica.Vec4)(x.file[4*slot:]) }

// holds reports whether a condition is met.
func (x *machine) holds(c condition) bool {
	if c.uniform != noUniform {
		return uint8(x.bools>>c.uniform)&1 != c.table
	}
	return c.table>>x.cc&1 != 0
}

// emit stores the masked outputs as a vertex, completes a primitive if SETEMIT asked
// for one, and selects the other output bank; or it returns why it cannot.
func (x *machine) emit() pica.Cause {
	e := &x.emitter
	switch {
	case e.slot > 2:
		return pica.TrapEmitVertexID
	case e.primitive && len(e.primitives) == pica.MaxPrimitives:
		return pica.TrapPrimitives
	}
	v := &e.vertices[e.slot]
	*v = [pica.NumOutputs]pica.Vec4{}
	n := 0
	for register := range pica.NumOutputs {
		if e.mask>>register&1 == 0 {
			continue
		}
		e.model.store(&v[n], x.vec(slotOutput+register))
		n++
	}
	if e.primitive {
		e.primitives = append(e.primitives, pica.Primitive{Inverted: e.inverted, Vertices: e.vertices})
	}
	for register := range pica.NumOutputs {
		selected, other := x.vec(slotOutput+register), x.vec(slotOther+register)
		*selected, *other = *other, *selected
	}
	return pica.TrapNone
}
