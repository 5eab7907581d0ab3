package sweep

import "github.com/picaproof/picaproof/pica"

// comparisons runs through the pairs of operators of CMP and the relations of operands,
// independently in x and y.
func comparisons(add adder) {
	nan := uint32(0x7FC00000)
	one := pica.Float32.Integer(1)
	relations := []uint32{pica.Float32.Integer(0), one, pica.Float32.Integer(2), nan}
	for x := range uint32(8) {
		for y := range uint32(8) {
			p := newProgram()
			var rows []pica.Vec4
			for _, a := range relations {
				for _, b := range relations {
					rows = append(rows, pica.Vec4{a, b, one, one})
				}
			}
			p.input(rows...)
			p.mov(pica.DestTemporary+1, pica.SourceUniform+ones)
			p.compute(pica.CMP, p.plain(), 0, [3]uint32{pica.SourceInput, pica.SourceTemporary + 1},
				func(l *pica.Layout, w uint32) uint32 { return l.CmpX.Put(l.CmpY.Put(w, y), x) })
			add("cmp: operators", p)
		}
	}
}

// addressing runs through offsets and bases of relative addressing.
func addressing(add adder) {
	ends := []int64{-256, -130, -129, -128, -127, -126, -97, -96, -95, -41, -40, -2, -1, 0, 1, 2, 31, 32, 54, 55, 56,
		57, 86, 87, 88, 94, 95, 96,
		97, 125, 126, 127, 128, 129, 130, 255, 256, 257, 32767, 65536}
	for _, n := range []uint32{pica.IndexA0X, pica.IndexA0Y} {
		for _, base := range []uint32{0, 1, 40, 95} {
			p := newProgram()
			var rows []pica.Vec4
			for _, x := range ends {
				if n == pica.IndexA0X {
					rows = append(rows, numbers(x, 3, 0, 0))
				} else {
					rows = append(rows, numbers(3, x, 0, 0))
				}
			}
			p.input(rows...)
			p.compute(pica.MOVA, p.plain(), 0, [3]uint32{pica.SourceInput})
			p.nop()
			p.compute(pica.MOV, p.plain(), pica.DestOutput, [3]uint32{pica.SourceUniform + base}, index(n))
			add("index: offsets", p)
		}
	}
	for _, start := range []uint8{0, 1, 55, 56, 95, 96, 126, 127, 128, 129, 254, 255} {
		for _, step := range []uint8{0, 1, 2, 127, 128, 255} {
			p := newProgram()
			p.job.Ints[1] = [4]uint8{3, start, step}
			p.loop(1, func() {
				p.trace(0)
				p.nop()
			})
			p.trace(1)
			add("loop: first and step", p)
		}
	}
	// One address register is written, the other one keeps its value.
	for mask := range uint8(16) {
		p := newProgram()
		same := uint8(pica.IdentitySwizzle)
		p.compute(pica.MOVA, p.plain(), 0, [3]uint32{pica.SourceUniform + offsets})
		p.nop()
		p.compute(pica.MOVA, p.descriptor(mask, [3]bool{}, [3]uint8{same, same, same}), 0,
			[3]uint32{pica.SourceUniform + first})
		p.nop()
		p.compute(pica.MOV, p.plain(), pica.DestOutput, [3]uint32{pica.SourceUniform + 20}, index(pica.IndexA0X))
		p.compute(pica.MOV, p.plain(), pica.DestOutput+1, [3]uint32{pica.SourceUniform + 20}, index(pica.IndexA0Y))
		add("mova: mask", p)
	}
	// Inputs and temporaries have no index.
	for _, from := range []uint32{pica.SourceInput + 1, pica.SourceTemporary + 1, pica.SourceInput + 15,
		pica.SourceTemporary + 15} {
		p := newProgram()
		for n := range uint32(pica.NumTemporaries) {
			p.mov(pica.DestTemporary+n, pica.SourceUniform+20+n)
		}
		p.compute(pica.MOVA, p.plain(), 0, [3]uint32{pica.SourceUniform + ones})
		p.nop()
		p.compute(pica.MOV, p.plain(), pica.DestOutput, [3]uint32{from}, index(pica.IndexA0X))
		add("index: inputs and temporaries", p)
	}
}
