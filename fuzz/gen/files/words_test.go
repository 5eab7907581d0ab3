package files_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

func checkCode(code []uint32, descriptors int) []diag.Finding {
	r := diag.Collect(diag.NewRuleSet(shbin.Rules))
	shbin.CheckCode(r, "", 0, code, descriptors)
	return r.Findings()
}

// TestCodeIsValid: no rule speaks about generated code.
func TestCodeIsValid(t *testing.T) {
	const runs = 2000
	for k := range uint64(runs) {
		c := gen.From(gen.Seed(seed, k))
		n, descriptors := int(c.Within(1, 300)), int(c.Within(0, 128))
		if f := checkCode(wordgen.Code(c, n, descriptors), descriptors); len(f) > 0 {
			t.Fatalf("seed %d, code %d of %d words, %d descriptors: %v", seed, k, n, descriptors, f[0])
		}
	}
}

// TestWordsBreakOneRule: a word with a fault breaks its rule, at its place, and no other.
func TestWordsBreakOneRule(t *testing.T) {
	const runs = 2000
	longest := false // a body of as many words as there can be is one word too long
	for _, fault := range wordgen.Faults {
		for k := range uint64(runs) {
			c := gen.From(gen.Seed(seed, k))
			n, descriptors := int(c.Within(1, wordgen.MaxWords)), int(c.Within(0, wordgen.MaxDescriptors))
			if c.Bits(1) == 0 {
				n, descriptors = int(c.Within(1, 9)), int(c.Within(0, 9))
			}
			code := make([]uint32, n)
			for i := range code {
				code[i] = 0x88000000
			}
			at := int(c.Within(0, uint64(n)-1))
			code[at] = fault.Word(c, n, descriptors)
			if op := pica.OpcodeOf(code[at]); wordgen.HasBody(op) {
				layout := op.Layout()
				size := layout.Num.Get(code[at])
				longest = longest || size == 1<<layout.Num.Width-1 && int(layout.Dst.Get(code[at])+size) == n+1
			}
			f := checkCode(code, descriptors)
			if len(f) != 1 || f[0].Rule != fault.Rule || f[0].Off != 4*at {
				t.Fatalf("seed %d, word %d of %d, %d descriptors: got %v, want %s at %d", seed, k, n, descriptors, f,
					fault.Rule, 4*at)
			}
		}
	}
	if !longest {
		t.Errorf("seed %d: no longest body is one word too long", seed)
	}
}
