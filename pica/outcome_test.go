package pica_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

func ExampleRegisters_String() {
	fmt.Println(pica.RegistersOf([]string{"r1", "r8", "r9", "r15", "a0.y", "cc.x"}))
	fmt.Println(pica.RegTemporaries | pica.RegAL)
	// Output:
	// r1, r8 to r9, r15, a0.y, cc.x
	// r0 to r15, aL
}

// TestTake: each register is copied with its set, and only then.
func TestTake(t *testing.T) {
	var full pica.State
	for n := range full.R {
		full.R[n] = pica.Vec4{1, 2, 3, 4}
	}
	full.Address, full.AL, full.CC = [2]int32{5, 6}, 7, [2]bool{true, true}
	var all pica.State
	for set := pica.Registers(1); set <= pica.RegCCY; set <<= 1 {
		name := set.Names()[0]
		if pica.RegistersOf([]string{name, "r16"}) != set {
			t.Errorf("%s: %v", name, pica.RegistersOf([]string{name}))
		}
		var s pica.State
		s.Take(set, &full)
		if before := all; s == (pica.State{}) {
			t.Errorf("%s is not copied", name)
		} else if all.Take(set, &s); all == before {
			t.Errorf("%s: another register is copied", name)
		}
	}
	if all != full {
		t.Errorf("got %+v, want %+v", all, full)
	}
}
