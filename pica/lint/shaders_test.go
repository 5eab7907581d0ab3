package lint_test

import (
	"strings"
	"testing"
)

// TestShaders lints sources as authors write them. The expected findings, "PICA001@3" with the number
// of the word, were worked out by hand from the console's model.
func TestShaders(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"transform": {`.fvec projection[4]
.in pos
.out outpos position
.proc main
dp4 outpos.x, projection[0], pos
dp4 outpos.y, projection[1], pos
dp4 outpos.z, projection[2], pos
dp4 outpos.w, projection[3], pos
end
.end`, ""},
		"two inputs in a mad": {".proc main\nmad r0, v0, c1, v2\nmov o0, r0\nend\n.end", "PICA001@0"},
		"one input thrice":    {".proc main\nmad r0, v2, v2, v2\nmov o0, r0\nend\n.end", ""},
		"two inputs in a cmp": {
			".proc main\ncmp v0, lt, lt, v1\njmpc cmp.x, away\nmov o0, v0\naway: end\n.end", "PICA001@0"},
		"an indexed uniform beside an input": {
			".fvec bones[30]\n.proc main\nmova a0.x, v1\nmul o0, bones[a0.x], v0\nend\n.end", ""},
		"MOVA behind a branch over it": {
			".bool b\n.proc main\nmova a0.x, v0\nifu b\nmova a0.y, v0\nnop\n.end\nmov o0, c0[a0.x]\n" +
				"mov o1, c0[a0.y]\nend\n.end",
			"PICA006@5"},
		"MOVA before and after a jump": {
			".bool b\n.proc main\nmova a0.x, v0\njmpu b, there\nthere: mova a0.y, v0\nmov o0, c0[a0.x]\n" +
				"mov o1, c0[a0.y]\nend\n.end", ""},
		"MOVA at the ends of a loop": {
			".ivec n\n.proc main\nfor n\nmova a0.x, v0\nmov r0, c0[a0.x]\nmova a0.x, v0\n.end\nmov o0, c0[a0.x]\n" +
				"mov o1, r0\nend\n.end", "PICA002@1"},
		"a set boolean decides": {
			".setb b3 true\n.proc main\nifu b3\nmov r0, v0\n.else\nmov r1, v0\n.end\nmov o0, r0\nend\n.end",
			"PICA005@2"},
		"an exported boolean does not": {
			".bool lit\n.setb b0 true\n.proc main\nifu lit\nmov r0, v0\n.else\nmov r1, v0\n.end\nmov o0, r0\nend\n" +
				".end", "PICA006@3"},
		"a set boolean skips a call": {
			".setb b3 false\n.proc unused\nmov o1, v0\n.end\n.proc main\ncallu b3, unused\nmov o0, v0\nend\n.end",
			"PICA005@0"},
		"an inverted jump on a set boolean": {
			".setb b3 false\n.proc main\njmpu !b3, over\nmov o1, r9\nover: mov o0, v0\nend\n.end", "PICA005@1"},
		"a constant compared with itself": {`.constf one(1, 1, 1, 1)
.proc main
mov r1, one
cmp one, eq, ge, r1
ifc cmp.x && cmp.y
mov r0, v0
nop
.end
mov o0, r0
end
.end`, ""},
		"a constant compared with its negative": {
			".constf k(1, 2, 3, 4)\n.proc main\nmov r1, -k\ncmp k, gt, lt, r1\nifc cmp.y\nmov o0, r0\nnop\n.end\n" +
				"end\n.end", "PICA005@3"},
		"a constant that a name exports": {
			".fvec k\n.setf c0(1, 1, 1, 1)\n.proc main\nmov r1, k\ncmp k, eq, eq, r1\nifc cmp.x\nmov r0, v0\nnop\n" +
				".end\nmov o0, r0\nend\n.end", "PICA006@5"},
		"an input compared with itself": {
			".proc main\ncmp v0, eq, eq, v0\nifc cmp.x\nmov r0, v0\nnop\n.end\nmov o0, r0\nend\n.end", "PICA006@4"},
		"a truth value compared with itself": {
			".proc main\nsge r1, c0, v0\ncmp r1, eq, eq, r1\nifc cmp.x\nmov r0, v0\nnop\n.end\nmov o0, r0\nend\n.end",
			""},
		"a truth value compared with its negative": {
			".proc main\nsge r1, c0, v0\ncmp -r1, eq, eq, r1\nifc cmp.x\nmov r0, v0\nnop\n.end\nmov o0, r0\nend\n.end",
			"PICA006@5"},
		"a truth value or an input": {
			".proc main\nsge r1, c0, v0\njmpc cmp.x, over\nmov r1, v0\nover: cmp r1, eq, eq, r1\nifc cmp.x\n" +
				"mov r0, v0\nnop\n.end\nmov o0, r0\nend\n.end",
			"PICA006@1 PICA006@7"},
		"an input or a truth value": {
			".proc main\nmov r1, v0\njmpc cmp.x, over\nsge r1, c0, v0\nover: cmp r1, eq, eq, r1\nifc cmp.x\n" +
				"mov r0, v0\nnop\n.end\nmov o0, r0\nend\n.end",
			"PICA006@1 PICA006@7"},
		"nine IFs deep, the outermost with an else part": {
			".bool b[9]\n.proc main\nifu b[0]\nifu b[1]\nifu b[2]\nifu b[3]\nifu b[4]\nifu b[5]\nifu b[6]\n" +
				"ifu b[7]\nifu b[8]\nnop\n" +
				strings.Repeat(".end\n", 8) + "mov o0, c0\n.else\nmov o0, c1\n.end\nend\n.end",
			"PICA015@8 PICA020@18"},
		"the last uniform": {".fvec a c95\n.proc main\nmov o0, a\nend\n.end", ""},
		"a loop of a constant": {
			".consti n(3, 0, 1, 0)\n.proc main\nmov r0, c0\nfor n\nadd r0, c0[aL], r0\nnop\n.end\nmov o0, r0\nend\n" +
				".end", ""},
		"a loop of -1": {
			".consti n(-1, 0, 1, 0)\n.proc main\nmov r0, c0\nfor n\nadd r0, c0, r0\nnop\n.end\nmov o0, r0\nend\n.end",
			"PICA017@1"},
		"a loop of 255": {
			".consti n(255, 0, 1, 0)\n.proc main\nmov r0, c0\nfor n\nadd r0, c0, r0\nnop\n.end\nmov o0, r0\nend\n.end",
			""},
		"a loop of nothing": {
			".proc main\nmov r0, c0\nfor i2\nadd r0, c0, r0\nnop\n.end\nmov o0, r0\nend\n.end", "PICA017@1"},
		"a loop of one pass": {
			".consti n(0, 0, 1, 0)\n.proc main\nfor n\nmov o0, c0[aL]\nnop\n.end\nend\n.end", ""},
		"a loop writes an output again": {
			".consti n(1, 0, 1, 0)\n.proc main\nfor n\nmov o0, c0[aL]\nnop\n.end\nend\n.end", "PICA020@1"},
		"aL behind its loop": {
			".ivec n\n.proc main\nfor n\nnop\nnop\n.end\nmov o0, c0[aL]\nend\n.end", ""},
		"aL before its loop": {
			".ivec n\n.proc main\nmov o0, c0[aL]\nfor n\nnop\nnop\n.end\nend\n.end", "PICA006@0"},
		"a break in an IF of a loop": {
			".ivec n\n.proc main\ncmp v0, lt, lt, v0\nfor n\nifc cmp.x\nbreak\n.end\nnop\n.end\nmov o0, v0\nend\n.end",
			""},
		"a break that ends a loop, unpadded": {
			".pad off\n.ivec n\n.proc main\ncmp v0, lt, lt, v0\nfor n\nnop\nbreakc cmp.x\n.end\nmov o0, v0\nend\n.end",
			"PICA003@3"},
		"nested IFs that end together, unpadded": {
			".pad off\n.bool a, b\n.proc main\nifu a\nifu b\nnop\nnop\n.end\n.end\nmov o0, v0\nend\n.end",
			"PICA003@1 PICA003@3"},
		"the same, padded": {
			".bool a, b\n.proc main\nifu a\nifu b\nnop\nnop\n.end\n.end\nmov o0, v0\nend\n.end", ""},
		"an else part that ends its IF's IF": {
			".pad off\n.bool a, b\n.proc main\nifu a\nifu b\nnop\nnop\n.else\nnop\nnop\n.end\n.end\nmov o0, v0\n" +
				"end\n.end", "PICA003@3"},
		"a shared procedure, four calls deep": {
			".proc p4\nmov o0, v0\n.end\n.proc p3\ncall p4\n.end\n.proc p2\ncall p3\n.end\n.proc p1\ncall p2\n.end\n" +
				".proc main\ncall p1\nend\n.end", ""},
		"five calls deep": {
			".proc p5\nmov o0, v0\n.end\n.proc p4\ncall p5\n.end\n.proc p3\ncall p4\n.end\n.proc p2\ncall p3\n.end\n" +
				".proc p1\ncall p2\n.end\n.proc main\ncall p1\nend\n.end",
			"PICA005@10 PICA020@0 PICA015@1"},
		"five deep on one way only": {
			".bool deep\n.proc p4\nmov o1, v0\n.end\n.proc p3\ncall p4\n.end\n.proc p2\ncall p3\n.end\n.proc p1\n" +
				"call p2\n.end\n.proc main\ncall p3\ncallu deep, p1\nmov o0, v0\nend\n.end",
			"PICA020@0"},
		"a procedure that writes what its callers read": {
			".proc light\nmul r1, c0, r0\n.end\n.proc main\nmov r0, v0\ncall light\nmov o0, r1\nend\n.end", ""},
		"a procedure called before its argument": {
			".proc light\nmul r1, c0, r0\n.end\n.proc main\ncall light\nmov r0, v0\nmov o0, r1\nend\n.end",
			"PICA006@0"},
		"components one by one": {
			".proc main\nmov r0.x, v0\nmov r0.y, v0\nmov r0.zw, v0\nmov o0, r0\nend\n.end", ""},
		"one component forgotten": {
			".proc main\nmov r0.x, v0\nmov r0.zw, v0\nmov o0, r0\nend\n.end", "PICA006@2"},
		"a dot product reads three": {".proc main\nmov r0.xyz, v0\ndp3 o0, c0, r0\nend\n.end", ""},
		"a scalar reads one":        {".proc main\nmov r0.w, v0\nrcp o0, r0.w\nend\n.end", ""},
		"an output read as a mask only": {
			".out p position\n.proc main\nmov p.xy, v0\nmov p.zw, c0\nend\n.end", ""},
		"an output in both parts of an IF": {
			".bool b\n.out p position\n.proc main\nifu b\nmov p, v0\n.else\nmov p, c0\n.end\nend\n.end", ""},
		"an output before and in an IF": {
			".bool b\n.out p position\n.proc main\nmov p, v0\nifu b\nmov p, c0\nnop\n.end\nend\n.end", "PICA020@2"},
		"a dummy that nobody writes": {
			".out p position\n.out d dummy\n.proc main\nmov p, v0\nend\n.end", ""},
		"a position without w": {".out p position\n.proc main\nmov p.xyz, v0\nend\n.end", "PICA007@-1"},
		"a colour in one branch": {
			".bool lit\n.out p position\n.out c color\n.proc main\nmov p, v0\nifu lit\nmov c, v0\nnop\n.end\nend\n.end",
			"PICA007@1"},
		"a colour in one branch that the file decides": {
			".setb b0 true\n.out c color\n.proc main\nifu b0\nmov c, v0\nnop\n.end\nend\n.end", ""},
		"a colour behind a BREAKC of a nested loop": {
			".ivec n\n.ivec k\n.out c color\n.proc main\nmov r0, v0\nfor n\nfor k\ncmp v0, lt, lt, r0\nbreakc cmp.x\n" +
				"mov c, r0\n.end\nnop\n.end\nend\n.end", "PICA007@4 PICA020@5"},
		"a colour behind a BREAKC of a nested loop, and a condition that does not matter": {
			".ivec n\n.ivec k\n.bool b\n.out c color\n.proc main\nmov r0, v0\nfor n\nfor k\ncmp v0, lt, lt, r0\n" +
				"breakc cmp.x\nmov c, r0\n.end\nifu b\nmov r1, r0\nnop\n.else\nnop\n.end\nnop\n.end\nend\n.end",
			"PICA007@4 PICA020@5"},
		"a colour in a loop": {
			".ivec n\n.out c color\n.proc main\nmov r0, v0\nfor n\nmov r0, r0\nmov c, r0\n.end\nend\n.end", "PICA020@3"},
		"two components of a texcoord0": {
			".out t texcoord0\n.proc main\nmov t.xy, v0\nend\n.end", ""},
		"one component of a texcoord0": {".out t texcoord0\n.proc main\nmov t.x, v0\nend\n.end", "PICA007@-1"},
		"x and y of a texcoord0 in z and w": {
			".out t texcoord0 o2.zw\n.proc main\nmov t.z, v0\nend\n.end", "PICA007@-1"},
		"a view without w": {".out w view\n.proc main\nmov w.xyz, v0\nend\n.end", ""},
		"two ends, one without a colour": {
			".out c color\n.proc main\ncmp v0, lt, lt, v0\njmpc cmp.x, away\nmov c, v0\nend\naway: end\n.end", "PICA007@1"},
		"END as the last word of a scope": {
			".pad off\n.bool a\n.proc main\nifu a\nmov o0, v0\nend\n.end\nmov o0, v0\nend\n.end", ""},
		"a loop of one word": {
			".pad off\n.ivec n\n.proc main\nmov r0, v0\nfor n\nadd r0, v0, r0\n.end\nmov o0, r0\nend\n.end", ""},
		"geometry": {`.gsh point c0
.out p position
.out c color
.proc emitted
mov p, r0
mov c, r1
emit
.end
.proc main
setemit 0
mov r0, v0
mov r1, v1
call emitted
setemit 1
mov r0, v2
mov r1, v3
call emitted
setemit 2, prim
mov r0, v4
mov r1, v5
call emitted
end
.end`, ""},
		"geometry: written twice between two EMIT": {".gsh\n.proc main\nsetemit 0\nmov o0, v0\nmov o0, v1\nemit\n" +
			"end\n.end", "PICA020@2"},
		"geometry: b15 is the console's": {".gsh\n.setb b15 false\n.proc main\nifu b15\nmov r0, v0\nnop\n.end\n" +
			"mov o0, r0\nsetemit 0\nemit\nend\n" +
			".end", "PICA006@3"},
		"no end behind a jump": {
			".bool b\n.proc main\njmpu b, out\nend\nout: nop\n.end", "PICA004@2"},
		"a call of another program, which may write, read and come back": {
			".fvec a\n.out p position\n.proc main\n.word 0x903ffc00\nmov r0, r1\nend\n.end", "PICA004@0"},
		"a jump to the end of memory": {".proc main\n.word 0xb43ffc00\nnop\nend\n.end", "PICA004@0"},
		"an end in both parts": {
			".bool b\n.proc main\nifu b\nmov o0, v0\nend\nnop\n.else\nmov o0, c0\nend\nnop\n.end\n.end", ""},
		"BREAK in a procedure of a loop": {
			".ivec n\n.proc leave\nnop\nbreak\nnop\n.end\n.proc main\nfor n\ncall leave\nnop\n.end\nmov o0, v0\n" +
				"end\n.end", ""},
	} {
		if got := strings.Join(findings(t, c.source), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
