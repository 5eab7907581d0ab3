package explain_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/explain"
)

// TestOf explains an instruction of each kind with its operands.
func TestOf(t *testing.T) {
	for _, c := range []struct{ source, effects, operands string }{
		{"add o0.xz, c4.wyxx, -v0", "o0.x = c4.w + -v0.x; o0.z = c4.x + -v0.z", "o0.xz c4.wyxx -v0"},
		{"mad r1.y, v2.z, c8[aL], r3", "r1.y = v2.z * c[8 + aL].y + r3.y", "r1.y v2.zzzz c[8 + aL] r3"},
		{"dp3 o1.w, c0, r0.yzxx", "o1.w = c0.x * r0.y + c0.y * r0.z + c0.z * r0.x", "o1.w c0 r0.yzxx"},
		{"dph o1.x, c0, r0", "o1.x = c0.x * r0.x + c0.y * r0.y + c0.z * r0.z + r0.w", "o1.x c0 r0"},
		{"dphi o1.x, v0, c0", "o1.x = v0.x * c0.x + v0.y * c0.y + v0.z * c0.z + c0.w", "o1.x v0 c0"},
		{"max o2.x, c0.y, v0", "o2.x = c0.y > v0.x ? c0.y : v0.x", "o2.x c0.yyyy v0"},
		{"dst r0, c0, v1", "r0.x = 1; r0.y = c0.y * v1.y; r0.z = c0.z; r0.w = v1.w", "r0 c0 v1"},
		{"lg2 r0.y, c3.w", "r0.y = log2(c3.w)", "r0.y c3.wwww"},
		{"mova a0.xy, v0.zw", "a0.x = int(v0.z); a0.y = int(v0.w)", "a0.xy v0.zwww"},
		{"cmp c0, lt, ge, -v1", "cmp.x = c0.x < -v1.x; cmp.y = c0.y >= -v1.y", "c0 -v1"},
		{"cmp c0, 6, eq, v1", "cmp.x = undefined operator 6 of c0.x and v1.x; cmp.y = c0.y == v1.y", "c0 v1"},
		{"jmpc cmp.x && !cmp.y, 9", "if cmp.x and not cmp.y: goes to word 9", ""},
		{"jmpu !b3, 9", "if b3 is false: goes to word 9", ""},
		{"callu b1, 40, 6", "if b1 is true: runs words 40 to 45, then returns", ""},
		{"call 40, 0", "goes to word 40; the body has no words", ""},
		{"ifc !cmp.y, 12, 3", "if not cmp.y: runs up to word 12, then goes to word 15; else: runs words 12 to 14", ""},
		{"ifu b0, 12, 0", "if b0 is true: runs up to word 12; else: goes to word 12", ""},
		{"loop i2, 9", "i2.x + 1 times: runs up to word 8; aL = i2.y; after each pass: aL = aL + i2.z", ""},
		{"setemit 2, prim inv", "slot = 2; the next EMIT completes a triangle; its winding is inverted", ""},
		{"end", "", ""},
	} {
		a, err := asm.Assemble([]asm.Source{{Text: ".gsh\n" + c.source}}, asm.AssembleOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		x := explain.Of(a.Code[0], a.Descriptors)
		var operands []string
		for _, o := range x.Operands {
			operands = append(operands, o.Text)
		}
		if got := strings.Join(x.Effects, "; "); got != c.effects {
			t.Errorf("%s: got effects\n%s\nwant\n%s", c.source, got, c.effects)
		}
		if got := strings.Join(operands, " "); got != c.operands {
			t.Errorf("%s: got operands %q, want %q", c.source, got, c.operands)
		}
		if x.Sentence == "" || x.Source == "" {
			t.Errorf("%s: no sentence or no source", c.source)
		}
	}
}

// TestAllWords explains an instruction of every opcode, and names knobs that exist.
func TestAllWords(t *testing.T) {
	knobs := map[string]bool{}
	for _, s := range profile.Describe(profile.F24()) {
		knobs[s.Knob] = true
	}
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	for op := range uint32(pica.NumOpcodes) {
		for range 50 {
			word := op<<26 | random.Uint32()>>6
			x := explain.Of(word, []uint32{random.Uint32()})
			if x.Sentence == "" || x.Mnemonic == "" {
				t.Fatalf("seed %d: %08x: no sentence or no mnemonic", seed, word)
			}
			if i := slices.IndexFunc(x.Knobs, func(k string) bool { return !knobs[k] && !strings.HasPrefix(k, "op.") }); i >= 0 {
				t.Fatalf("seed %d: %08x: no knob %q", seed, word, x.Knobs[i])
			}
		}
	}
}
