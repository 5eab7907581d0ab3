package oracle_test

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// TestReads holds that an instruction is said to read a component that this run did not
// write exactly when some value of that component changes the result: for every
// instruction with operands, destination mask that is not empty, source and component.
func TestReads(t *testing.T) {
	const half, large = one24 - 1<<16, two24 + 8<<16
	instruction := map[pica.Opcode]func(sources [3]uint32) uint32{
		pica.CMP:  func(s [3]uint32) uint32 { return opCMP(s[0], s[1], 2, 4) },
		pica.MAD:  func(s [3]uint32) uint32 { return opMAD(outO, s[0], s[1], s[2], 0) },
		pica.MADI: func(s [3]uint32) uint32 { return opMADI(outO, s[0], s[1], s[2], 0) },
	}
	for _, op := range []pica.Opcode{pica.ADD, pica.DP3, pica.DP4, pica.DPH, pica.DST, pica.EX2, pica.LG2, pica.LITP,
		pica.MUL,
		pica.SGE, pica.SLT, pica.FLR, pica.MAX, pica.MIN, pica.RCP, pica.RSQ, pica.MOV, pica.MOVA} {
		instruction[op] = func(s [3]uint32) uint32 { return op1(op, outO, s[0], s[1], 0) }
	}
	for _, op := range []pica.Opcode{pica.DPHI, pica.DSTI, pica.SGEI, pica.SLTI} {
		instruction[op] = func(s [3]uint32) uint32 { return op1i(op, outO, s[0], s[1], 0) }
	}
	for op, word := range instruction {
		for source := range pica.Opcodes[op].Sources {
			registers := [3]uint32{regV, regV, regV}
			registers[source] = regR + 5
			for mask := uint32(1); mask < 16; mask++ {
				for lane := range 4 {
					others := identity&^15 | 15&^uint32(8>>lane)
					job := words(f24, []uint32{identity&^15 | mask, others}, op1(pica.MOV, tmpR+5, regV, 0, 1),
						word(registers), end)
					job.Vertices = [][]pica.Vec4{{{one24, two24, half, three}}}
					seen := map[pica.State]bool{}
					read := false
					for _, v := range []uint32{0, half, one24, two24, three, large, sign24 | two24} {
						job.Initial = &pica.State{}
						job.Initial.R[5][lane] = v
						out := run(t, job).Vertices[0]
						read = out.Uninitialised != 0
						out.State.R[5] = pica.Vec4{}
						seen[out.State] = true
					}
					if depends := len(seen) > 1; read != depends {
						t.Errorf("%v with mask %04b, component %c of source %d: read %v, but the result depends on "+
							"it: %v",
							op, mask, "xyzw"[lane], source+1, read, depends)
					}
				}
			}
		}
	}
}
