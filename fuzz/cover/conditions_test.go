package cover_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// TestConditions runs a JMPC under every condition and every state of the flags. A run
// of two steps has taken the jump.
func TestConditions(t *testing.T) {
	layout := pica.JMPC.Layout()
	for operator, name := range []string{"or", "and", "x", "y"} {
		for refs := range uint32(4) {
			for cc := range 4 {
				w := layout.CondOp.Put(uint32(pica.JMPC)<<26, uint32(operator))
				w = layout.RefX.Put(layout.RefY.Put(layout.Dst.Put(w, 2), refs), refs>>1)
				job := pica.Job{
					Program:  pica.Program{Code: []uint32{w, nop, end}},
					Vertices: make([][]pica.Vec4, 1),
					Initial:  &pica.State{CC: [2]bool{cc&2 != 0, cc&1 != 0}},
				}
				got := points(t, &job)
				taken := !got.Has(named(t, "opcode/nop"))
				expect(t, got, fmt.Sprintf("condition/%s,refs=%02b,cc=%02b jmpc/condition=%v", name, refs, cc, taken),
					fmt.Sprintf("jmpc/condition=%v", !taken))
				if got.Has(named(t, "jmpc/target=forward")) != taken {
					t.Errorf("%08x, cc %02b: the jump is taken: %v", w, cc, taken)
				}
			}
		}
	}
}

// TestComparisons: x compares the operands, y compares them in the other order.
func TestComparisons(t *testing.T) {
	for _, x := range []struct {
		a, b uint32
		x, y string
	}{
		{0x800001, 0x000000, "below", "above"},
		{0xFF0000, 0xFEFFFF, "below", "above"},
		{0x7F0000, 0x7EFFFF, "above", "below"},
		{0x000000, 0x800000, "equal", "equal"},
		{0x7F0000, 0x7F0000, "equal", "equal"},
		{0x7F8000, 0x7F8000, "unordered", "unordered"},
		{0x3F0000, 0xFF0001, "unordered", "unordered"},
	} {
		layout := pica.CMP.Layout()
		w := layout.Src[1].Put(layout.CmpX.Put(layout.CmpY.Put(uint32(pica.CMP)<<26, pica.CmpLE), pica.CmpGT), 1)
		expect(t, points(t, &pica.Job{
			Program:     pica.Program{Code: []uint32{w, end}, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
			Vertices:    [][]pica.Vec4{{{x.a, x.b}, {x.b, x.a}}},
			InputFormat: pica.Float24,
		}), "cmp.x/gt="+x.x+" cmp.y/le="+x.y+" pair/cmp,end", "")
	}
}
