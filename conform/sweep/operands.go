package sweep

import (
	"math"

	"github.com/picaproof/picaproof/pica"
)

// variant is an instruction with operands that differs from the usual one in one respect.
type variant struct {
	mask      uint8
	negate    [3]bool
	selectors [3]uint8
	sources   [3]uint32
	desc      int // an index in the table of numbered; -1 for a new descriptor
	fields    []func(l *pica.Layout, w uint32) uint32
}

// usual returns the plain instruction: wide operands are uniforms, narrow operands temporaries.
func usual(op pica.Opcode) variant {
	v := variant{mask: 15, desc: -1}
	wide, narrow := []uint32{first, second, third}, uint32(1)
	for k := range pica.Opcodes[op].Sources {
		v.selectors[k] = pica.IdentitySwizzle
		if op.Layout().Src[k].Width == 7 {
			v.sources[k] = pica.SourceUniform + wide[k]
		} else {
			v.sources[k] = pica.SourceTemporary + narrow
			narrow++
		}
	}
	if l := op.Layout(); l.CmpX.Width > 0 {
		v.fields = append(v.fields,
			func(l *pica.Layout, w uint32) uint32 { return l.CmpX.Put(l.CmpY.Put(w, pica.CmpLT), pica.CmpGT) })
	}
	return v
}

// begin returns a program that initialises the temporaries r1 and r2 for narrow operands.
func begin(op pica.Opcode) *program {
	p := newProgram()
	narrow := uint32(0)
	for k := range pica.Opcodes[op].Sources {
		if op.Layout().Src[k].Width < 7 {
			narrow++
			p.mov(pica.DestTemporary+narrow, pica.SourceUniform+first+narrow)
		}
	}
	return p
}

// append appends the instruction to a program.
func (v *variant) append(p *program, op pica.Opcode, dest uint32) {
	desc := uint32(max(v.desc, 0))
	if v.desc < 0 {
		desc = p.descriptor(v.mask, v.negate, v.selectors)
	}
	p.compute(op, desc, dest, v.sources, v.fields...)
}

// shown reports whether one program can show several results of an instruction: it writes a
// destination, and its result does not depend on precision.
func shown(op pica.Opcode) bool {
	info := &pica.Opcodes[op]
	return info.Writes&pica.WritesDest != 0 && (info.Sources > 1 || !info.Scalar)
}

// put adds programs with variants of an instruction. If one program can show several results, it
// has as many variants as there are outputs.
func put(add adder, name string, op pica.Opcode, begin func() *program, variants []variant) {
	most := 1
	if shown(op) {
		most = pica.NumOutputs
	}
	for len(variants) > 0 {
		p := begin()
		for n := range min(most, len(variants)) {
			variants[n].append(p, op, pica.DestOutput+uint32(n))
		}
		add(op.String()+": "+name, p)
		variants = variants[min(most, len(variants)):]
	}
}

// operands runs through the fields of instructions with operands.
func operands(add adder) {
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Sources > 0 }) {
		info, plain := &pica.Opcodes[op], usual(op)
		ready := func() *program { return begin(op) }
		for k := range info.Sources {
			swizzles, registers := []variant(nil), []variant(nil)
			for slot := range 4 {
				for from := range uint8(4) {
					v := plain
					v.selectors[k] = pica.IdentitySwizzle&^(3<<(6-2*slot)) | from<<(6-2*slot)
					swizzles = append(swizzles, v)
				}
			}
			put(add, named("swizzle of operand %d", k+1), op, ready, swizzles)
			for _, n := range []uint32{0, 1, 7, 8, 14, 15, 16, 17, 23, 24, 30, 31, 32, 33, 47, 48, 63, 64, 95, 96, 126,
				127} {
				if v := plain; n < 1<<info.Layout.Src[k].Width {
					v.sources[k] = n
					registers = append(registers, v)
				}
			}
			filled := func() *program {
				p := newProgram()
				for n := range uint32(pica.NumTemporaries) {
					if shown(op) || info.Writes&pica.WritesDest == 0 {
						p.mov(pica.DestTemporary+n, pica.SourceUniform+40+n)
					}
				}
				return p
			}
			put(add, named("register of operand %d", k+1), op, filled, registers)
		}
		var negated, masked, described []variant
		for signs := range 1 << info.Sources {
			v := plain
			v.negate = [3]bool{signs&1 != 0, signs&2 != 0, signs&4 != 0}
			negated = append(negated, v)
		}
		put(add, "negation", op, ready, negated)
		for mask := range uint8(16) {
			v := plain
			v.mask = mask
			masked = append(masked, v)
		}
		put(add, "mask", op, ready, masked)
		stale(add, op, masked)
		for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127} {
			if v := plain; n < 1<<info.Layout.Desc.Width {
				v.desc = n
				described = append(described, v)
			}
		}
		put(add, "descriptor", op, func() *program { return numbered(op) }, described)
		spare := plain
		spare.fields = append(spare.fields[:len(spare.fields):len(spare.fields)],
			func(_ *pica.Layout, w uint32) uint32 { return w | info.Unread })
		put(add, "unused bits", op, ready, []variant{spare})
		indexed(add, op)
		if info.Sources == 1 {
			edges(add, op)
		}
	}
	destinations(add)
	uniforms(add)
}

// numbered returns a program with a full table of descriptors, all different.
func numbered(op pica.Opcode) *program {
	p := newProgram()
	for n := range uint8(pica.MaxDescriptors) {
		p.job.Descriptors = append(p.job.Descriptors,
			uint32(pica.MakeDescriptor(15, [3]bool{}, [3]uint8{n<<1 | n>>6, ^n, n * 37})))
	}
	const plain = 0x0D // .xxwy: no move needs this order
	narrow := uint32(0)
	for k := range pica.Opcodes[op].Sources {
		if op.Layout().Src[k].Width < 7 {
			narrow++
			p.compute(pica.MOV, plain, pica.DestTemporary+narrow, [3]uint32{pica.SourceUniform + first + narrow})
		}
	}
	return p
}

// stale adds programs whose destination has a value before: components outside the mask must
// keep it.
func stale(add adder, op pica.Opcode, masked []variant) {
	if !shown(op) {
		return
	}
	const start = 4
	for len(masked) > 0 {
		p := begin(op)
		for n := range uint32(8) {
			p.mov(pica.DestTemporary+start+n, pica.SourceUniform+before)
		}
		for n := range uint32(8) {
			masked[n].append(p, op, pica.DestTemporary+start+n)
		}
		add(op.String()+": mask", p)
		masked = masked[8:]
	}
}

// indexed adds programs with each address register, plain and with a swizzle.
func indexed(add adder, op pica.Opcode) {
	if op.Layout().Indexed < 0 {
		return
	}
	var list []variant
	for n := uint32(pica.IndexA0X); n <= pica.IndexAL; n++ {
		v := usual(op)
		v.fields = append(v.fields, index(n))
		w := v
		for k := range pica.Opcodes[op].Sources {
			w.selectors[k] = 0xE4 // .wzyx
		}
		w.negate[op.Layout().Indexed] = true
		list = append(list, v, w)
	}
	put(add, "index", op, func() *program {
		p := begin(op)
		p.mova()
		return p
	}, list)
}

// edges adds an instruction of one operand with numbers at which its result changes.
func edges(add adder, op pica.Opcode) {
	var list []uint32
	for _, x := range []float64{0, 0.1, 0.25, 1. / 3, 0.5, 0.75, 1 - 0x1p-16, 1, 1 + 0x1p-16, 1.25, 1.5, 2, 2.5, 3, 4,
		7.75, 10, 63.5, 100, 126, 127, 127.75, 127.998,
		128, 129, 255, 256, 1000.5, 32767, 32768, 65535, 65536, 65537, 8388608, 0x1p31, 0x1p32, 0x1p33, 0x1p62,
		0x1.8p63, 0x1p-10, 0x1p-20, 0x1p-61, math.Inf(1)} {
		y := math.Float32bits(float32(x))
		list = append(list, y, y|1<<31)
	}
	list = append(list, math.Float32bits(float32(math.NaN())))
	v := usual(op)
	v.sources[0] = pica.SourceInput
	lanes := 4
	if info := &pica.Opcodes[op]; info.Scalar {
		lanes = 1
	} else if info.Writes&pica.WritesAddress != 0 {
		lanes = 2
	}
	for len(list) > 0 {
		p := newProgram()
		p.job.Vertices = nil
		for range 8 {
			if len(list) == 0 {
				break
			}
			var row pica.Vec4
			for c := range 4 {
				row[c] = list[min(c, lanes-1, len(list)-1)]
			}
			p.job.Vertices = append(p.job.Vertices, []pica.Vec4{row})
			list = list[min(lanes, len(list)):]
		}
		v.append(p, op, pica.DestOutput)
		add(op.String()+": edges", p)
	}
}

// destinations writes every register with every format that has a destination.
func destinations(add adder) {
	for _, op := range []pica.Opcode{pica.MOV, pica.ADD, pica.SGEI, pica.MAD, pica.MADI} {
		v := usual(op)
		outputs, temporaries := begin(op), begin(op)
		for n := range uint32(pica.NumOutputs) {
			v.append(outputs, op, pica.DestOutput+n)
			v.append(temporaries, op, pica.DestTemporary+(n+3)%pica.NumTemporaries) // r1 and r2 last
		}
		add(op.String()+": destination", outputs)
		add(op.String()+": destination", temporaries)
	}
}

// uniforms moves every float uniform and every input to an output.
func uniforms(add adder) {
	for start := uint32(0); start < pica.SourceUniform+pica.NumFloats; start += pica.NumOutputs {
		if start >= pica.SourceTemporary && start < pica.SourceUniform {
			continue
		}
		p := newProgram()
		for n := range uint32(pica.NumOutputs) {
			p.mov(pica.DestOutput+n, start+n)
		}
		add("mov: register of operand 1", p)
	}
}
