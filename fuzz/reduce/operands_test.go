package reduce_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// TestBitsThatNobodyReads: the unread bits of an instruction are cleared at once.
func TestBitsThatNobodyReads(t *testing.T) {
	const end = uint32(pica.END) << 26
	for _, x := range []struct {
		name        string
		word, clear uint32
	}{
		{"mov has no second source", 0x4C000000 | 3<<7, 0x4C000000},
		{"nop has no operands", 0x84000000 | 0x155, 0x84000000},
		{"a reserved opcode", 0x40000000 | 0x155, 0x40000000},
	} {
		job := &pica.Job{Program: pica.Program{Code: []uint32{x.word, end},
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
			Vertices: [][]pica.Vec4{nil}, OutMask: 0xFFFF, Budget: 64}
		next := reduce.JobSteps(job, reduce.Position{})
		tried := false
		for c, _, ok := next(); ok; c, _, ok = next() {
			tried = tried || slices.Equal(c.Code, []uint32{x.clear, end})
		}
		if !tried {
			t.Errorf("%s: %08x is not tried for %08x", x.name, x.clear, x.word)
		}
	}
}
