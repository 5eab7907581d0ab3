package impl_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// TestReachedAndPresent: under every model of control flow an opcode is refused when it is reached, or by
// its presence in the program. Words beyond the memory are not in the program.
func TestReachedAndPresent(t *testing.T) {
	const dst = uint32(pica.DST) << 26
	reached, present, beyond := []uint32{dst, end}, []uint32{end, dst}, make([]uint32, pica.MaxCode)
	beyond[0], beyond[pica.MaxCode-1] = end, dst
	for _, flow := range impl.Catalogue {
		if flow.Name != "flow" {
			continue
		}
		for _, v := range flow.Values {
			for _, x := range []struct {
				support string
				code    []uint32
				refused bool
			}{
				{"abort", reached, true}, {"abort", present, false}, {"present", reached, true}, {"present", present, true},
				{"present", []uint32{end}, false}, {"present", beyond, true}, {"present,end=4095", beyond, false},
				{"skip", reached, false},
				{"present,op.add=present", []uint32{0x84000000}, true}, // goes on at a zero behind the program
			} {
				out := run(t, "f32,end=trap,flow="+v.Name+",op.dst="+x.support, pica.Vertex, 1, 1, x.code...)
				if refused := out.Trap.Cause == pica.TrapUnsupported; refused != x.refused {
					t.Errorf("%s, op.dst=%s, %d words: refused %v", v.Name, x.support, len(x.code), refused)
				}
			}
		}
	}
}
