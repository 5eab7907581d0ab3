package proof

import "github.com/picaproof/picaproof/pica"

// special are float32 patterns at which operations have cases of their own.
var special = []uint32{0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001,
	0x807FFFFF, 0x20000000, 0x1F800000, 0x5F000000, 0x3F000000, 0xBF000000, 0x40200000, 0xC0200000, 0x42FE0000,
	0x4F000000, 0xCF000000, 0x7F7FFFFF, 0x40490FDB, 0x3EAAAAAB, 0xC2FE0000, 0x43000000, 0x00600000, 0x80000040}

// Specials returns jobs in which each operation meets the special numbers, alone and in pairs: random programs meet few
// of them.
func Specials() (list []*pica.Job) {
	const most, lanes = 8, 4 // vertices of a job, lanes of a vector
	for op := range pica.Opcode(pica.NumOpcodes) {
		info := &pica.Opcodes[op]
		if op.Reserved() || op.Base() != op || info.Sources == 0 {
			continue
		}
		shifts, step := []int{0, 1, 5, 12}, lanes
		if info.Sources == 1 {
			shifts = shifts[:1]
		}
		switch {
		case info.Writes&pica.WritesDest == 0: // lanes x and y count
			step = 2
		case info.Sources == 1 && info.Scalar:
			step = 1
		}
		var vertices [][]pica.Vec4
		for _, shift := range shifts {
			for i := 0; i < len(special); i += step {
				v := make([]pica.Vec4, 3)
				for lane := range lanes {
					n := i + lane%step
					v[0][lane] = special[n%len(special)]
					v[1][lane] = special[(n+shift)%len(special)]
					v[2][lane] = special[(n+3*shift+1)%len(special)]
				}
				vertices = append(vertices, v[:info.Sources])
			}
		}
		for len(vertices) > 0 {
			n := min(most, len(vertices))
			list = append(list, &pica.Job{Program: specialProgram(op), OutMask: 0xFFFF, Budget: 64,
				InputFormat: pica.Float32, Vertices: vertices[:n]})
			vertices = vertices[n:]
		}
	}
	return list
}

// specialProgram applies an operation to v0, v1 and v2. An instruction reads one input, so the others go through
// temporaries.
func specialProgram(op pica.Opcode) pica.Program {
	p := pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}
	word, l := uint32(op)<<26, op.Layout()
	for k := range pica.Opcodes[op].Sources {
		n := uint32(k)
		if k > 0 {
			mov := pica.MOV.Layout()
			p.Code = append(p.Code, mov.Dest.Put(mov.Src[0].Put(uint32(pica.MOV)<<26, n), pica.DestTemporary+n))
			n += pica.SourceTemporary
		}
		word = l.Src[k].Put(word, n)
	}
	p.Code = append(p.Code, word, uint32(pica.END)<<26)
	return p
}
