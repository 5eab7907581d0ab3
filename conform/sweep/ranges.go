package sweep

import (
	"math"

	"github.com/picaproof/picaproof/pica"
)

// extremes are numbers near the limits of float32 and of float24. Only registers of float32 can
// store all of them.
var extremes = []float32{math.MaxFloat32, 0x1p127, 0x1.8p126, 0x1p100, 0x1p64, 0x1.8p63, 1, 0x1p-62, 0x1.8p-63,
	0x1p-100, 0x1p-126, 0x1.8p-127, 0x1p-149}

// ranges adds instructions of two operands and more with each pair of extreme numbers, of equal
// and of different sign: sums and products outside the range of float32, and outside the range
// of float24 only.
func ranges(add adder) {
	var pairs [][2]uint32
	for i, x := range extremes {
		for _, y := range extremes[i:] {
			for _, signs := range []uint32{0, 1 << 31} {
				pairs = append(pairs, [2]uint32{math.Float32bits(x), math.Float32bits(y) ^ signs})
			}
		}
	}
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Sources > 1 }) {
		if pica.Opcodes[op].Plain != op {
			continue // the inverted form computes the same
		}
		v := usual(op)
		for k := range pica.Opcodes[op].Sources {
			v.sources[k] = pica.SourceTemporary + 1 + uint32(k)
		}
		for rest := pairs; len(rest) > 0; {
			p := newProgram()
			p.job.Vertices = nil
			for k := range uint32(pica.Opcodes[op].Sources) {
				p.mov(pica.DestTemporary+1+k, pica.SourceInput+k)
			}
			for n := 0; n < 8 && len(rest) > 0; n++ {
				row := make([]pica.Vec4, 3)
				for c := range 4 {
					pair := rest[min(c, len(rest)-1)]
					row[0][c], row[1][c], row[2][c] = pair[0], pair[1], pair[1]^1<<31
				}
				p.job.Vertices = append(p.job.Vertices, row)
				rest = rest[min(4, len(rest)):]
			}
			v.append(p, op, pica.DestOutput)
			add(op.String()+": range", p)
		}
	}
}
