package latte_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/latte"
)

// TestParseErrors: a text that says something else than its program does is refused, and the error names the place.
func TestParseErrors(t *testing.T) {
	const (
		head  = "00 ALU: ADDR(2) CNT(2)\n"
		fetch = "00 TEX: ADDR(2) CNT(1)\n"
		tail  = "\n01 NOP\nEND_OF_PROGRAM\n"
	)
	for _, c := range []struct{ text, want string }{
		{"00 nop" + tail, `line 1: unknown instruction at "nop"`},
		{"00: NOP" + tail, `line 1: unknown instruction at ": NOP"`},
		{"00 " + strings.Repeat("X", 1000), `line 1: unknown instruction at "` + strings.Repeat("X", 40) + `"`},
		{strings.Repeat("\x00", 1000), `line 1: want a number of at most 32 bits at "` +
			strings.Repeat(`\x00`, 40) + `"`},
		{"00 JUMP ADDR(1) ADDR(2)" + tail, "line 1: ADDR is said twice"},
		{"00 NOP NO_BARRIER NO_BARRIER" + tail, "line 1: NO_BARRIER is said twice"},
		{head + "0 x: MOV R1.x, R0.x PRED_SEL_ZERO PRED_SEL_ONE" + tail, "line 2: PRED_SEL_ONE is said twice"},
		{head + "0 x: MOV R1.x, KC2[0].x" + tail, `line 2: no operand at "KC2[0].x"`},
		{head + "0 x: MOV R1.x, R0.x VEC_021 VEC_120" + tail, "line 2: VEC_120 is said twice"},
		{head + "0 x: PRED_SETE ____, R0.x, 1 UPDATE_PRED UPDATE_PRED" + tail, "line 2: UPDATE_PRED is said twice"},
		{head + "0 x: MOV*2 R1.x, R0.x UPDATE_EXEC_MASK" + tail, "line 2: UPDATE_EXEC_MASK leaves no room for a modifier"},
		{head + "0 x: MOV R1.x, (0x1, 1).x\nLIT(y=0x2) R0" + tail, `line 3: unknown word at "R0"`},
		{fetch + "0 MEM 0x1, 0x2, 0x3" + tail, "line 2: WORD0 of MEM has the opcode 1, not 2"},
		{fetch + tail + ".size 32\n", "the text has 2 control-flow words, 0 ALU instructions and 0 fetches, but the " +
			"program reaches 2, 0 and 1"},
	} {
		_, err := latte.Parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.80q: got %v, want %s", c.text, err, c.want)
		}
	}
}
