package sweep

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// A leftover is state that a vertex leaves.
type leftover struct {
	name string
	// leave returns the word at which another vertex enters an open scope, 0 for none
	leave func(p *program) (inside int)
}

var leftovers = []leftover{
	{"address registers", func(p *program) int {
		p.compute(pica.MOVA, p.plain(), 0, [3]uint32{pica.SourceUniform + offsets})
		return 0
	}},
	{"aL", func(p *program) int {
		p.loop(1, func() { p.nop(); p.nop() })
		return 0
	}},
	{"open loop", func(p *program) int {
		p.loop(1, func() { p.op(pica.END); p.mark(9); p.nop() })
		return p.here() - 2
	}},
	{"open if", func(p *program) int {
		p.either(0, func() { p.op(pica.END); p.nop() }, func() { p.mark(9); p.nop() })
		return p.here() - 3
	}},
	{"open call", func(p *program) int {
		at := p.op(pica.CALL)
		p.mark(8)
		p.op(pica.END)
		p.aim(at, p.here(), 3)
		p.op(pica.END)
		p.mark(9)
		p.nop()
		return p.here() - 2
	}},
}

// vertices runs two vertices. The first leaves state: written registers, flags, open scopes. The
// second finds it only if the job keeps state.
func vertices(add adder) {
	f := pica.Float32
	lead, follow := numbers(1, 2, 3, 4), pica.Vec4{f.Integer(0), f.Integer(6), f.Integer(7), f.Integer(8)}
	ways := slices.Clone(leftovers)
	for start := uint32(0); start < pica.DestTemporary+pica.NumTemporaries; start += 4 {
		name := "outputs"
		if start >= pica.DestTemporary {
			name = "temporaries"
		}
		ways = append(ways, leftover{name, func(p *program) int {
			for n := range uint32(4) {
				p.mov(start+n, pica.SourceInput)
			}
			return 0
		}})
	}
	for _, way := range ways {
		for _, keep := range []bool{false, true} {
			p := newProgram()
			p.job.Bools, p.job.Keep = 1, keep
			p.input(lead, follow, follow)
			p.compare(pica.CmpEQ, pica.CmpEQ, pica.SourceUniform+ones, pica.SourceInput)
			at := p.op(pica.JMPC, whether(pica.CondX, 0, 0))
			inside := way.leave(p)
			p.mark(13)
			p.op(pica.END)
			p.aim(at, p.here(), 0)
			for n := range uint32(3) {
				p.compute(pica.MOV, p.plain(), pica.DestOutput+10+n, [3]uint32{pica.SourceUniform + 20},
					index(pica.IndexA0X+n))
			}
			if inside > 0 {
				p.aim(p.op(pica.JMPU, boolean(0)), inside, 0)
			}
			add("vertices: "+way.name, p)
		}
	}
	// Flags: the second vertex decides before it compares.
	for _, keep := range []bool{false, true} {
		p := newProgram()
		p.job.Keep = keep
		p.input(lead, follow, lead)
		p.branch(pica.IFC, whether(pica.CondX, 1, 0), func() { p.mark(1); p.nop() }, func() { p.mark(2); p.nop() })
		p.branch(pica.IFC, whether(pica.CondY, 0, 1), func() { p.mark(3); p.nop() }, nil)
		p.flags(true, true)
		add("vertices: flags", p)
	}
	// Missing inputs are zero.
	p := newProgram()
	p.job.Vertices = append(p.job.Vertices, []pica.Vec4{follow}, nil)
	for n := range uint32(pica.NumOutputs) {
		p.mov(pica.DestOutput+n, pica.SourceInput+n)
	}
	add("vertices: inputs", p)
}

// setemit appends a SETEMIT.
func (p *program) setemit(slot, primitive, winding uint32) {
	p.op(pica.SETEMIT, func(l *pica.Layout, w uint32) uint32 {
		return l.Winding.Put(l.Primitive.Put(l.Vertex.Put(w, slot), primitive), winding)
	})
}

// emit appends a SETEMIT, and an EMIT of two outputs.
func (p *program) emit(slot, primitive, winding uint32) {
	p.setemit(slot, primitive, winding)
	p.mov(pica.DestOutput, pica.SourceUniform+20+uint32(p.here()))
	p.mov(pica.DestOutput+5, pica.SourceUniform+50+uint32(p.here()))
	p.op(pica.EMIT)
}

// newGeometry returns an empty program of the geometry stage.
func newGeometry() *program {
	p := newProgram()
	p.job.Stage = pica.Geometry
	return p
}

// primitives runs through slots, flags, masks and banks of the geometry stage.
func primitives(add adder) {
	slots(add)
	masks(add)
	strips(add)
	nextVertices(add)
	p := newGeometry() // only outputs written since the EMIT before last
	for slot := range uint32(3) {
		p.setemit(slot, slot/2, 0)
		p.compute(pica.MOV, p.descriptor(uint8(8>>slot), [3]bool{}, [3]uint8{pica.IdentitySwizzle}), pica.DestOutput,
			[3]uint32{pica.SourceUniform + 20 + slot})
		p.op(pica.EMIT)
	}
	add("emit: banks", p)
}

// slots emits three vertices into all slots.
func slots(add adder) {
	for a := range uint32(3) {
		for b := range uint32(3) {
			for c := range uint32(3) {
				for winding := range uint32(2) {
					p := newGeometry()
					p.emit(a, 0, 0)
					p.emit(b, 0, 1-winding)
					p.emit(c, 1, winding)
					add("emit: slots", p)
				}
			}
		}
	}
}

// masks emits banks through masks of outputs.
func masks(add adder) {
	for _, mask := range []uint16{0x0001, 0x0020, 0x0021, 0x8000, 0x8001, 0x0025, 0x7FFF, 0xFFFE, 0xFFFF, 0xAAAA,
		0x5555} {
		p := newGeometry()
		p.job.OutMask = mask
		for n := range uint32(pica.NumOutputs) {
			p.mov(pica.DestOutput+n, pica.SourceUniform+20+n)
		}
		p.emit(0, 0, 0)
		for n := range uint32(pica.NumOutputs) {
			p.mov(pica.DestOutput+n, pica.SourceUniform+40+n)
		}
		p.emit(1, 0, 0)
		p.emit(2, 1, 0)
		add("emit: mask", p)
	}
}

// strips emits strips, with flags that stay, an EMIT without SETEMIT, and b15.
func strips(add adder) {
	for _, vertices := range []int{1, 2} {
		for _, keep := range []bool{false, true} {
			p := newGeometry()
			p.job.Keep = keep
			for range vertices - 1 {
				p.job.Vertices = append(p.job.Vertices, p.job.Vertices[0])
			}
			p.either(15, func() { p.mark(1); p.nop() }, func() { p.mark(2); p.nop() })
			p.op(pica.EMIT)
			for slot := range uint32(3) {
				p.emit(slot, slot/2, 0)
			}
			p.emit(0, 1, 1)
			p.op(pica.EMIT)
			p.op(pica.EMIT)
			p.emit(1, 1, 0)
			p.emit(2, 0, 1)
			p.loop(1, func() { p.emit(0, 1, 0) })
			p.mov(pica.DestOutput+1, pica.SourceUniform+9)
			add("emit: strips", p)
		}
	}
}

// nextVertices emits banks and slots, and looks at what another vertex finds of them.
func nextVertices(add adder) {
	for _, keep := range []bool{false, true} {
		for _, emits := range []int{1, 3} {
			p := newGeometry()
			p.job.Keep = keep
			p.input(numbers(1, 2, 3, 4), numbers(0, 6, 7, 8), numbers(0, 6, 7, 8))
			p.compare(pica.CmpEQ, pica.CmpEQ, pica.SourceUniform+ones, pica.SourceInput)
			at := p.op(pica.JMPC, whether(pica.CondX, 0, 0))
			for slot := range uint32(3) {
				p.emit(slot, slot/2, 0)
			}
			p.mov(pica.DestOutput+3, pica.SourceUniform+33)
			p.op(pica.END)
			p.aim(at, p.here(), 0)
			for slot := range uint32(emits) {
				p.setemit(slot, 1, 0)
				p.op(pica.EMIT)
			}
			add("emit: next vertex", p)
		}
	}
}
