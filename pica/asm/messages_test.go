package asm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// broken are sources of the default dialect, a mistake or two each.
var broken = []string{
	"add r0, r1\nend", "setemit", "setemit 1, prim, inv\nend", ".in\nend", ".in a v0 v1\nend", ".alias a\nend",
	".fvec\nend", "end now", ".pad\nend",
	"movv r0, r1\nend", "dad r0, r1, r2\nend", ".fvce a\nend", ".aliasses a v0\nend", "DP5 r0, r1, r2\nend",
	".fvec 1a\nend", ".alias r1 v0\nend", ".proc 1a\nend\n.end", ".constf 1a(1, 2, 3, 4)\nend", "1a: end",
	".in a-b\nend", ".entry 1a\nend",
	"call 1a\nend", "jmpu b0, 1a\nend",
	".fvec a\n.ivec b\n.bool a\nend", "a: nop\na: end", ".proc a\nend\n.end\n.proc a\nend\n.end",
	".fvec colour, light\nadd r0, color, r1\nmul r0, lihgt, r1\nend", "jmpu b0, nowhere\nend",
	".proc shade\nend\n.end\n.proc main\ncall shaed\nend\n.end",
	"mov r0, R1\nend", "mov r0, q1\nend", "mov r0, r\nend",
	"mov r0, --r1\nend", "mov r0, - r1\nend",
	"mov r0, c0[1\nend", "mov r0, c0[foo+1]\nend", "mov r0, c0[1]x.y\nend", "mov -r0, r1\nend",
	"ifu b0.x\n.end\nend",
	".fvec a[4\nend", ".in a[4\nend", ".in a[2]x\nend",
	"mov v0, r1\nend", "mov c0, r1\nend", "mov r0, o1\nend", "mov r0, i1\nend",
	"add r0, r1, c0[a0.x]\nadd r0, c0, c1\nend", "mova r0, r1\nend", "mova a0.yx, r1\nend",
	"mova a0.xv, r1\nend", "mova a1.x, r1\nend", "ifu i0\n.end\nend", "for b0\n.end\nend", ".setf r0(1, 2, 3, 4)\nend",
	".seti c0(1, 2, 3, 4)\nend", ".setb i0 true\nend",
	".setf24 v0(1, 2, 3, 4)\nend", ".in a c0\nend", ".gsh fixed c0 r1 3\nend", "mad r0, c0, r1, r2\nend",
	"cmp r0, eq, eq, c1\nend",
	"mov r0, v16\nend", "mov o16, v0\nend", "mov r0, c96\nend", "mov r0, c95[1]\nend", "mov r0, c0[-1]\nend",
	"mov r16, r0\nend", "for i4\n.end\nend", "ifu b16\n.end\nend",
	".fvec a[4] c94\nend", ".fvec a c96\nend", ".bool a b15\n.bool c[2] b15\nend",
	"mov r0[a0.x], c1\nend", "for i0[aL]\n.end\nend", "mov r0, i0[aL]\nend", "mad r0, r1[aL], c1, r2\nend",
	"mov r0, r1.xyzwx\nend", "mov r0, r1.u\nend", "mov r0.yx, r1\nend", "mov r0.xx, r1\nend",
	".out - position o0.u\nend",
	"setemit 4\nend", "setemit x\nend", "setemit 1, prim foo\nend", "mov r0, r1, desc 128\nend",
	"mad r0, r1, r1, r1, desc 32\nend", "mov r0, r1, desc\nend",
	".word 0x100000000\nend", ".word x\nend", ".opdesc -1\nend", ".opdesc 1_0\nend", ".limit 0\nend",
	".limit 4097\nend", ".pad maybe\nend",
	".fvec a[0]\nend", ".fvec a[x]\nend", ".constfa a[0]\n.end\nend", ".constfa a[1]x\n.end\nend", ".in a[17]\nend",
	".in a[x]\nend", "call 0, 256\nend", "call 0, bits 0x3ff\nend",
	"call 0, 1, bits 0xff\nend", "nop, bits x\nend", ".gsh variable c0 256\nend", ".gsh variable c0 x\nend",
	".constf a(1, 2, 3)\nend", ".constf a\nend", ".constf a(1, 2, 3, 4) 5\nend", ".constf a(1, 2, x, 4)\nend",
	".consti a(1, 2, 300, 4)\nend", ".consti a(-129, 0, 0, 0)\nend",
	".setf24 c0(1, 2, 3)\nend", ".setf24 c0(1, 2, 3, 4\nend", ".setf24 c0(1, 2, 3, 4) x\nend",
	".setf24 c0(0x1000000, 2, 3, 4)\nend", ".setf32 c0(0x100000000, 2, 3, 4)\nend",
	".setf24 c0\nend", ".setb b0 maybe\nend", ".constfa a\n.end\nend", ".constfa a]\n.end\nend",
	".constfa a[]\n.end\nend", ".constfa a[1]\n.constfa (1, 2, 3, 4)\n.constfa (1, 2, 3, 4)\n.end\nend",
	".constfa 1a[]\n.end\nend", ".setf c0(" + strings.Repeat("1", 201) + ", 0, 0, 0)\nend",
	"ifc\n.end\nend", "ifu\n.end\nend", "ifc cmp.x &&\n.end\nend", "ifc cmp.x && cmp.x\n.end\nend",
	"ifc cmp.x (cmp.x)\n.end\nend", "ifc cmp.x || cmp.y (cmp.x)\n.end\nend",
	"ifc cmp.x (cmp.q)\n.end\nend", "ifc ! cmp.x\n.end\nend", "breakc cmp\nend", "breakc cmp.x, 1\nend",
	"jmpc cmp.x\nend", "jmpu b0\nend", "callc cmp.x\nend", "callu b0\nend",
	"ifu b0, 1\n.end\nend", "loop i0\nend",
	"cmp r0, 8, eq, r1\nend", "cmp r0, eq, equal, r1\nend",
	".else\nend", ".end\nend", "ifu b0\nnop\n.else\n.else\n.end\nend", "for i0\nnop\n.else\n.end\nend",
	".proc main\nend\n.end\nnop", "ifu b0\nend", ".constfa a[]\nend",
	"a: loop i0, a\nend", "loop i0, 0\nend", "jmpu b0, 4096\nend",
	".fvec a[50]\n.constf b(1, 2, 3, 4)\n.fvec c[46]\nend", ".fvec a[96]\n.constf b(1, 2, 3, 4)\nend",
	".ivec a[3]\n.consti b(1, 2, 3, 4)\n.consti c(1, 2, 3, 4)\nend",
	".fvec a[90]\n.constfa b[7]\n.end\nend", ".fvec a[2]\n.ivec a[2]\nend",
	".out - foo\nend", ".out - position.u\nend", ".out - position.x o1\nend",
	".out - position o0.x\n.out - color o0.xy\nend", ".out - color o7\nend", ".out - dummy o16\nend",
	".out 1a dummy\nend", ".gsh\n.out - dummy o7\nend",
	".gsh what c0\nend", ".gsh point c0\n.gsh point c0\nend", ".out - color\n.gsh point c0\nend",
	".gsh fixed c4 c8 3\nend", ".gsh point\nend", ".gsh point c0 1\nend",
	".entry mian\n.proc main\nend\n.end", "; nothing", "\tmov\tr0,\tr1.u",
	strings.Repeat("m", 33) + "\nend", "jmpu b0, " + strings.Repeat("a", 33) + "\n" + strings.Repeat("a", 32) +
		"b: end", "jmpu b0, " + strings.Repeat("a", 32) + "\n" + strings.Repeat("a", 31) + "b: end",
	".setf -c0(1, 2, 3, 4)\nend", ".setf c0.x(1, 2, 3, 4)\nend", ".fvec a -c4\nend", ".in a -v0.x\nend",
	".in a o3\nend", ".out - color -o0\nend", ".out - color v3\nend", ".gsh point -c0\nend",
	".out - color.yx\nend", ".out - color o0.yx\nend", ".out - color o0.\nend", "mov r0., r1\nend", "mov r0, r1.\nend",
	"jmpu b0, 5000\nend", "loop i0, 5000\nend", "call 5000, 1\nend",
	"jmp here\nhere: end", "call B, 1\nb: end", "call c, 1\nb: end", "mov r0, r1.é\nend", "mov r0, c0[r1.x]\nend",
	"mov r0, c0[a0.x+]\nend",
	".alias a c0\nifu a\n.end\nend", ".fvec a\nfor a\n.end\nend", ".bool a\nfor a\n.end\nend",
}

// TestMessages lists every error of the sources with its place.
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, text := range broken {
		_, err := asm.Assemble([]asm.Source{{Name: "s", Text: text}}, asm.AssembleOptions{})
		var list asm.Errors
		errors.As(err, &list)
		if len(list) == 0 {
			t.Errorf("%q is taken", text)
		}
		for _, e := range list {
			fmt.Fprintf(&b, "%s\n%s\n", e, e.Excerpt())
		}
		b.WriteByte('\n')
	}
	golden(t, "messages.txt", []byte(b.String()))
}

// TestStructuredText prints a program with names in every place; its text assembles to the same
// program.
func TestStructuredText(t *testing.T) {
	const source = `.fvec projection[4], tint
.fvec $bones[8]
.ivec passes, counts[2]
.bool lit, flags[3]
.constf half(0.5, 1, 2, -1)
.in pos
.in color v3
.out outpos position
.out - color o1.xyz
.proc shade
	mul r1, half.xxxy, r1
	add r1, $bones[aL+2], r1
.end
.proc main
	dp4 outpos.x, projection[0], pos
	dp4 outpos.y, projection[1], -pos.wzyx
	mova a0.xy, pos
	mov r1, projection[a0.x+1]
	mov r2, projection[a0.y]
	mad r3, r2, tint[aL], r1
	for passes
		call shade
		for counts[1]
			max r1, r2, r1
			nop
		.end
	.end
	cmp color, lt, ge, r1
	ifu flags[2]
		mov o1, color
	.else
		ifc cmp.x && !cmp.y
			mov o1, -tint.wzyx
			nop
		.end
	.end
	jmpu !lit, last
	callu flags[0], shade
	callc !cmp.x, shade
last:
	end
.end`
	a, err := asm.Assemble([]asm.Source{{Text: source}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := a.Shader(0)
	for k, name := range []string{"aL", "lcnt", "desc", "bits", "prim", "inv", "cmp", "mov", "lt", "c7"} {
		s.Uniforms = append(s.Uniforms, pica.Symbol{Name: name, Class: 'c', First: 70 + k, Last: 70 + k})
	}
	s.Uniforms = append(s.Uniforms, pica.Symbol{Name: "not a name", Class: 'c', First: 80, Last: 80},
		pica.Symbol{Name: "tint", Class: 'c', First: 81, Last: 81},
		pica.Symbol{Name: "again", Class: 'c', First: 1, Last: 2})
	golden(t, "structured.pica", disassemble(t, &s, asm.Options{Structured: true}))
	golden(t, "pretty.pica", disassemble(t, &s, asm.Options{Pretty: true}))
	survives(t, &s)
}

// TestHeaderAssembles: the constants, names and outputs in the header assemble to the same tables.
func TestHeaderAssembles(t *testing.T) {
	s := exampleShader()
	_, a := reassemble(t, s, asm.Options{})
	got := a.Shader(0)
	for _, c := range []struct{ got, want any }{
		{got.Floats, []pica.Upload{
			{Register: 95, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0xBE0000, 0x7F0000, 1}}},
			{Register: 94, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0x40921F, 0xFF0000, 0}}},
		}},
		{got.Ints[1], s.Ints[1]}, {got.Ints[0], s.Ints[0]}, {got.Bools, s.Bools}, {got.Inputs, s.Inputs},
		{got.Outputs, s.Outputs[:2]},
		{got.Uniforms,
			[]pica.Symbol{{Name: "bone$matrix", Class: 'c', First: 4, Last: 15},
				{Name: "passes", Class: 'i', First: 1, Last: 1}, {Name: "lit", Class: 'b', First: 2, Last: 2}}},
	} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}
