package asm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// picasso assembles sources in the picasso dialect. It returns the words and
// the descriptors in hexadecimal, or "refused".
func picasso(t *testing.T, o asm.AssembleOptions, texts ...string) string {
	t.Helper()
	o.Dialect = asm.Picasso
	sources := make([]asm.Source, len(texts))
	for k, text := range texts {
		sources[k] = asm.Source{Name: fmt.Sprintf("%d.pica", k), Text: text}
	}
	a, err := asm.Assemble(sources, o)
	if err != nil {
		return "refused"
	}
	return fmt.Sprintf("%08x %08x", a.Code, a.Descriptors)
}

// inMain wraps lines in a procedure.
func inMain(lines string) string { return ".proc main\n" + lines + "\n.end\n" }

// sameAs lists texts that must assemble to the words of another text, or be refused.
type sameAs struct{ text, as string }

const refused = ""

// compareTexts checks a list of texts, each the body of a procedure behind a head.
func compareTexts(t *testing.T, head string, list []sameAs) {
	t.Helper()
	for _, c := range list {
		want := "refused"
		if c.as != refused {
			want = picasso(t, asm.AssembleOptions{}, head+inMain(c.as))
			if want == "refused" {
				t.Errorf("%q is refused", c.as)
				continue
			}
		}
		if got := picasso(t, asm.AssembleOptions{}, head+inMain(c.text)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, want)
		}
	}
}

func TestPicassoLines(t *testing.T) {
	const plain = "nop\nend"
	compareTexts(t, "", []sameAs{
		{"nop ; comment : with colon\r\nend\r", plain},
		{" \v\f\tNOP\nEnd", plain},
		{"a:b: nop\n_$9: end", plain},
		{": nop\nend", plain},    // the empty label
		{":: nop\nend", refused}, // twice
		{"a: nop\na: end", refused},
		{"a : nop\nend", refused},
		{"9a: nop\nend", refused},
		{"# 1 \"file\"\nnop\nend", plain},
		{"a: # 1\nnop\nend", plain},
		{"# 1 \"c:x\"\nnop\nend", refused},
		{"nop,\nend", refused},
		{"nop ,\nend", refused},
		{"nop x\nend", refused},
		{"nop\tx\nend", refused},
		{"nop\n.word 0\nend", refused},
		{"loop i0, 3", refused},
		{".pad off", refused},
		{".opdesc 0", refused},
		{".limit 5", refused},
		{".setf24 c0(0,0,0,0)", refused},
		{"add r0, r1, r2,", "add r0, r1, r2"},
		{"add r0, r1, r2, ,", refused},
		{"add r0, r1, r2,,", refused},
		{"add r0 ,r1\t,\tr2", "add r0, r1, r2"},
		{"mov r0, r1\x00garbage", refused}, // .end is lost
	})
	if got := picasso(t, asm.AssembleOptions{}, inMain(plain)+"\x00garbage"); got != picasso(t,
		asm.AssembleOptions{}, inMain(plain)) {
		t.Errorf("text behind the NUL: %s", got)
	}
	if got := picasso(t, asm.AssembleOptions{},
		".constfa a[1]\nnop\n.end\n"+inMain("end")); got != "[84000000 88000000] []" {
		t.Errorf("an instruction in an array: %s", got)
	}
	for _, text := range []string{"nop", ".proc main\n.end\nnop", ".proc main", ".end", ".else\n" + inMain("nop"),
		inMain("nop") + ".end"} {
		if got := picasso(t, asm.AssembleOptions{}, text); got != "refused" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestPicassoNumbersAndOperands(t *testing.T) {
	head := ".alias n -c5.wzyx\n.alias far c90[3]\n.alias t r1\n.constf my c-+x (1,2,3,4)\n.constf +y(1,2,3,4)\n" +
		".alias spill v0[2304]\n.fvec _u[2], r7\n"
	compareTexts(t, head, []sameAs{
		{"mov r010, r0x0F", "mov r8, r15"},
		{"mov r08, r0x", "mov r0, r0"},
		{"mov r1junk, r2 junk", "mov r1, r2"},
		{"mov r16, r0", refused},
		{"mov r256, r0", refused},
		{"mov r-1, r0", refused},
		{"mov r0, +y", "mov r0, c94"},
		{"mov r0, -+y", refused}, // no name starts behind a sign with another one
		{"mov r0, v15", refused},
		{"mov r0, V15", "mov r0, o15"},
		{"mov r0, R0", "mov r0, v0"},
		{"mov R16, C40", "mov r0, c8"},
		{"mov r0, C5", "mov r0, v5"},
		{"mov r0, C5[aL]", refused},
		{"mov r0, C40[aL]", "mov r0, c8[aL]"},
		{"mov r0, C128", refused},
		{"mov v3, r0", "mov o3, r0"},
		{"mov c0, r0", refused},
		{"mov r0, i0", refused},
		{"mov r0, i0[-1]", refused},
		{"mov r0, r15[1]", "mov r0, c0"},
		{"mov r0, c95[1]", refused},
		{"mov r0, c0[0x5]", "mov r0, c0"},
		{"mov r0, c0[foo]", "mov r0, c0"},
		{"mov r0, c0[ 3 x]", "mov r0, c3"},
		{"mov r0, c0[]", "mov r0, c0"},
		{"mov r0, c0[3", refused},
		{"mov r0, c0[-1]", refused},
		{"mov r0, c0[2147483648]", refused},
		{"mov r0, c0[4294967299]", "mov r0, c3"},
		{"mov r0, c0[A0.X]", "mov r0, c0[a0]"},
		{"mov r0, c0[a1]", "mov r0, c0[a0.y]"},
		{"mov r0, c0[LCNT]", "mov r0, c0[a2]"},
		{"mov r0, c0[al+5]", "mov r0, c5[aL]"},
		{"mov r0, c0[ aL + 5x ]", "mov r0, c5[aL]"},
		{"mov r0, c0[aL+]", "mov r0, c0[aL]"},
		{"mov r0, c0[aL+-1]", refused},
		{"mov r0, c0[+1]", refused},
		{"mov r0, c0[5+aL]", refused},
		{"mov r0, c0[a0.z]", "mov r0, c0"}, // no index name: a number without digits
		{"mov r0, r0[aL]", refused},
		{"mov r0[1], r1", "mov r1, r1"},
		{"mov r0[aL], r1", refused},
		{"mov r0[a+1], r1", refused},
		{"mov -r0.wzyx, r1", "mov r0, r1"},
		{"mov r0.xx, r1", "mov r0.x, r1"},
		{"mov r0.yx, r1", "mov r0.xy, r1"},
		{"mov r0, r1.", "mov r0, r1.x"},
		{"mov r0, r1.xy", "mov r0, r1.xyyy"},
		{"mov r0, r1.RgPa", "mov r0, r1.xyzw"},
		{"mov r0, r1.xyzwx", refused},
		{"mov r0, r1.xv", refused},
		{"mov r0, r1 .x", "mov r0, r1.x"},
		{"mov r0, r1. x", refused},
		{"mov r0, c0.x[1]", "mov r0, c1"},
		{"mov r0, c0[1]junk.x", "mov r0, c1.x"},
		{"mov r0, c0[1].", "mov r0, c1.x"},
		{"mov r0, --r1", refused},
		{"mov r0, -+r1", refused},
		{"mov r0, +r1", refused},
		{"mov r0, - r1", refused},
		{"mov r0, -", refused},
		{"mov r0, ,", refused},
		{"mov r0, n", "mov r0, -c5.wzyx"},
		{"mov r0, -n.xy", "mov r0, c5.wzzz"},
		{"mov r0, n[2].x", "mov r0, -c7.w"},
		{"mov r0, n[aL]", "mov r0, -c5[aL].wzyx"},
		{"mov r0, n .x", refused},
		{"mov r0, n.x[1]", refused},
		{"mov r0, N", refused},
		{"mov r0, far", "mov r0, c93"},
		{"mov r0, far[3]", refused},
		{"mov r0, t[aL]", "mov r0, t[aL]"},
		{"mov r0, my c-+x", "mov r0, c95"},
		{"mov r0, -my c-+x.y", "mov r0, -c95.y"},
		{"mov r0, r7", "mov r0, c2"}, // the uniform hides the register
		{"mov r0, _u[1]", "mov r0, c1"},
		{"mov r0, spill", "mov r0, -v0.xyww"}, // 2304 falls into the sign and the selector of z
	})
	for _, text := range []string{".alias r0 r1\n", ".alias V9x r1\n", ".alias 9 r1\n",
		".alias a r1 r2\n", ".alias a\n",
		".alias a c0[aL]\n", ".alias a r1\n.alias a r1\n", ".alias a r1\n.fvec a\n", ".fvec a[0]\n", ".fvec a[-1]\n",
		".fvec a [1]\n", ".fvec a[1\n"} {
		if got := picasso(t, asm.AssembleOptions{}, text+inMain("nop")); got != "refused" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestPicassoInstructions(t *testing.T) {
	head := ".fvec _u[40]\n.alias t r1\n.alias s r2\n"
	compareTexts(t, head, []sameAs{
		{"add r0, r1, c0", refused},
		{"add r0, c1, c0", refused},
		{"add r0, c1[aL], r0", "add r0, c1[a2], r0"},
		{"dphi r0, c1, r1", "dph r0, c1, r1"},
		{"slt r0, r1, c1", "slti r0, r1, c1"},
		{"dst r0, c1, c2", refused},
		{"dst r0, r1, i0", refused},
		{"madi r0, r1, c1, r2", "mad r0, r1, c1, r2"},
		{"mad r0, r1, r2, c2", "madi r0, r1, r2, c2"},
		{"mad r0, r1, c1, c2", refused},
		{"mad r0, c1, r1, r2", refused},
		{"mad r0, t[aL], r1, r2", refused},
		{"mad r0, r1, t[aL], s[aL]", refused},
		{"add r0, r1, t[aL]", refused},
		{"add r0, v0, v1", refused},
		{"add r0, v0, o1", refused},
		{"add r1, v0, r0", "add r1, o0, R16"}, // r0 is no input
		{"a: call a, 3", refused},
		{"a: callc cmp.x, a, 3", refused},
		{"a: ifu b0, a, 3\nnop\n.end", refused},
		{"add r0, v0, v0", "add r0, o0, o0"},
		{"mad r0, v0, r1, v1", refused},
		{"cmp v0, eq, ne, v1", "cmp o0, EQ, Ne, o1"},
		{"cmp c0[aL], eq, eq, r0", "cmp c0[lcnt], eq, eq, r0"},
		{"cmp r0, eq, eq, c0", refused},
		{"cmp r0, eq, eq, r0[aL]", refused},
		{"cmp r0, 6, eq, r0", refused},
		{"mova A0.XY, r0", "mova a01, r0"},
		{"mova a1, r0", "mova a0.y, r0"},
		{"mova a0.yx, r0", refused},
		{"mova aL, r0", refused},
		{"mova a0.z, r0", refused},
		{"setemit 2 prim", "setemit 2"},
		{"setemit 1, inv PRIMITIVE junk", "setemit 1, prim\tinvert"},
		{"setemit 3", refused},
		{"setemit 0, prim, inv", refused},
		{"setemit 0x1z,", "setemit 1"},
		{"setemit", refused},
		{"for i0\nnop\nnop\n.end", "for -i0.x\nnop\nnop\n.end"},
		{"for i8\nnop\nnop\n.end", refused},
		{"for i3[4]\nnop\nnop\n.end", "for i7\nnop\nnop\n.end"},
		{"for b0\nnop\nnop\n.end", refused},
		{"for i0, r0\nnop\nnop\n.end", refused},
		{"ifu i7[1]\nnop\n.end", "ifu b0\nnop\n.end"},
		{"ifu !b0\nnop\n.end", refused},
		{"callu !b0, main", refused},
		{"jmpu !!b0, main", refused},
		{"jmpu ! b0, a\na: nop", refused},
		{"jmpu !-b0.x, a\na: nop", "jmpu !b0, a\na: nop"},
		{"jmpu b0, b\na: nop", refused},
		{"jmpu b0, 1a\na: nop", refused},
		{"jmpu b0, ,\n: nop", "jmpu b0, a\na: nop"},
		{"call nobody", refused},
		{"call main, 3", refused},
		{"callc cmp.x, main", "callc CMP.X, main"},
		{"breakc !!cmp.x&&!cmp.y", "breakc cmp.x & !cmp.y"},
		{"breakc cmp.y|!cmp.x", "breakc !cmp.x || cmp.y"},
		{"breakc ! cmp.x", refused},
		{"breakc cmp.x &| cmp.y", refused},
		{"breakc cmp.x & cmp.x", refused},
		{"breakc cmp.x && cmp.y && cmp.x", refused},
		{"breakc cmp.z", refused},
		{"breakc cmp.x (!cmp.y)", refused},
		{"breakc", refused},
		{"breakc cmp.x,", "breakc cmp.x"},
		{"mov r0._, r1", refused},
		{"mov r0, r1, desc 3", refused},
	})
}

// TestPicassoUniforms: the message says which uniforms there are.
func TestPicassoUniforms(t *testing.T) {
	for body, want := range map[string]string{
		"ifu c0\n.end": "c0: want b0 to b15",
		"for c0\n.end": "c0: want i0 to i7",
	} {
		_, err := asm.Assemble([]asm.Source{{Name: "s", Text: inMain(body)}},
			asm.AssembleOptions{Dialect: asm.Picasso})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", body, err, want)
		}
	}
}

func TestPicassoScopes(t *testing.T) {
	flow := func(body string) string { return "nop\n" + body }
	compareTexts(t, "", []sameAs{
		{flow("ifu b0\n.end"), flow("ifu b0\nnop\n.end\nnop")}, // one NOP for the part, one for F
		{flow("ifu b0\nmov r0,r0\n.else\n.end\nnop"), flow("ifu b0\nmov r0,r0\n.else\n.end")},
		{flow("for i0\nfor i1\nnop\nnop\n.end\n.end"), flow("for i0\nfor i1\nnop\nnop\n.end\nnop\n.end\nnop")},
		{flow("for i0\n.end"), flow("for i0\nnop\n.end\nnop")},
		{flow("for i0\nnop\nbreak\n.end"), flow("for i0\nnop\nbreak\nnop\n.end\nnop")},
		{flow("for i0\nnop\nbreakc cmp.x\n.end\nend"), flow("for i0\nnop\nbreakc cmp.x\nnop\n.end\nend")},
		{flow("breakc cmp.x"), flow("breakc cmp.x")},
		{flow("call main"), flow("call main\nnop")},
		{flow("ifu b0\njmpu b0, a\n.else\nnop\n.end\na: end"),
			flow("ifu b0\njmpu b0, a\nnop\n.else\nnop\n.end\na: end")},
		// F survives labels and directives
		{flow("ifu b0\nnop\nnop\n.end\na:\n.alias x r0"), flow("ifu b0\nnop\nnop\n.end\nnop")},
		{".else", refused},
		{"ifu b0\n.else\n.else\n.end", refused},
		{"for i0\n.else\n.end", refused},
		// any text is a name
		{".proc a\n.proc b\nnop\n.end\n.end\ncall b", ".proc a b-c,\n.proc b\nnop\n.end\n.end\ncall b"},
		{strings.Repeat("ifu b0\n", 31) + strings.Repeat(".end\n", 31),
			strings.Repeat("ifu b0\n", 31) + strings.Repeat(".end\n", 31)},
		{strings.Repeat("ifu b0\n", 32) + strings.Repeat(".end\n", 32), refused},
		{".end x", refused},
	})
	words := func(texts ...string) string { return picasso(t, asm.AssembleOptions{}, texts...) }
	if got, want := words(".entry b\n.proc main\n.end\n.proc b\nnop\n.end\n.proc c\n.end"),
		"[84000000 84000000] []"; got != want {
		t.Errorf("empty procedures: got %s, want %s", got, want)
	}
	// The last word of another file counts, and so does F.
	if got, want := words(inMain("nop\njmpu b0, a\na:"), ".entry b\n.proc b\nnop\n.end"),
		"[84000000 b4000800 84000000 84000000] []"; got != want {
		t.Errorf("two files: got %s, want %s", got, want)
	}
	none := asm.AssembleOptions{NoPadding: true}
	if got, want := picasso(t, none, inMain("for i0\n.end")), "[a4000000] []"; got != want {
		t.Errorf("without padding: got %s, want %s", got, want)
	}
	// A procedure within one of the same name: the inner one is finished first.
	if got, want := words(".proc main\ncall main\n.proc main\nnop\n.end\nend\n.end"),
		"[90000401 84000000 88000000] []"; got != want {
		t.Errorf("nested procedures: got %s, want %s", got, want)
	}
	if got := words(".proc a\nnop\n.end\n", ".proc a\nnop\n.end\n"+inMain("nop")); got != "refused" {
		t.Errorf("a procedure in two files: %s", got)
	}
	// Lengths above their fields spill.
	if got := words(".proc main\ncall main\n" + strings.Repeat("nop\n", 400) +
		".end"); !strings.HasPrefix(got, "[90000191 ") {
		t.Errorf("a long procedure: %.20s", got)
	}
	for n, ok := range map[int]bool{513: true, 514: false} {
		if got := words(inMain(strings.Repeat("nop\n", n))); (got != "refused") != ok {
			t.Errorf("%d words: %.20s", n, got)
		}
	}
	if got := words(".gsh\n" + inMain(strings.Repeat("nop\n", 700))); got == "refused" {
		t.Error("a long geometry program is refused")
	}
	if got := words(inMain(strings.Repeat("nop\n", 512) + "call main")); got == "refused" { // 513 words and a NOP
		t.Error("padding is refused")
	}
}

// tables assembles sources in the picasso dialect and prints the tables of the
// entry points, or "refused".
func tables(texts ...string) string {
	sources := make([]asm.Source, len(texts))
	for k, text := range texts {
		sources[k] = asm.Source{Name: fmt.Sprintf("%d.pica", k), Text: text}
	}
	a, err := asm.Assemble(sources, asm.AssembleOptions{Dialect: asm.Picasso})
	if err != nil {
		return "refused"
	}
	var b strings.Builder
	for _, e := range a.Entries {
		fmt.Fprintf(&b, "%s %d-%d %d", e.Name, e.First, e.End, e.Stage)
		if e.Merge {
			b.WriteString(" merge")
		}
		if e.Geometry != (pica.GeometryParameters{}) {
			fmt.Fprintf(&b, " gsh%v", e.Geometry)
		}
		fmt.Fprintf(&b, " in%x out%x", e.InputMask, e.OutputMask)
		for _, s := range e.Symbols {
			fmt.Fprintf(&b, " %s=%c%d-%d", s.Name, s.Class, s.First, s.Last)
		}
		for _, c := range e.Constants {
			if c.Class == 'i' {
				for k := range c.Value {
					c.Value[k] &= 0xFF // what a container holds
				}
			}
			fmt.Fprintf(&b, " %c%d%x", c.Class, c.Register, c.Value)
		}
		for _, o := range e.Outputs {
			fmt.Fprintf(&b, " %s=o%d/%x", o.Semantic, o.Register, o.Mask)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPicassoTables(t *testing.T) {
	nop := inMain("nop")
	for _, c := range []struct {
		texts []string
		want  string // of the tables, behind "main 0-1 "; or refused
	}{
		// Entry points.
		{[]string{".nodvle\n" + nop}, refused},
		{[]string{nop, ".nodvle\n.fvec x"}, "0 in0 out0\n"},
		{[]string{".entry b\n" + nop}, refused},
		{[]string{".entry b\n.entry main\n" + nop}, "0 in0 out0\n"},
		{[]string{nop, ".alias a r0\n.alias b R3"}, "0 in0 out0\n"},
		{[]string{nop, ".alias a o0"}, "0 in0 out0\nmain 0-1 0 in0 out0\n"},
		{[]string{nop, ".fvec"}, "0 in0 out0\nmain 0-1 0 in0 out0\n"},
		{[]string{nop, ".constfa a[]\n.constfa (1,2,3,4)\n.end"},
			"0 in0 out0\nmain 0-1 0 in0 out0 c95[3f0000 400000 408000 410000]\n"},
		{[]string{nop, ".entry x"}, refused},
		// Inputs.
		{[]string{".in a\n.in b v0\n.in c\n.in _d v3\n" + nop}, "0 inb out0 a=v0-0 b=v0-0 c=v1-1 _d=v3-3\n"},
		{[]string{".in a o2\n.in b R4\n" + nop}, "0 in14 out0 a=v2-2 b=v4-4\n"},
		{[]string{".in a v15\n" + nop}, refused},
		{[]string{".in a r0\n" + nop}, refused},
		{[]string{".in a[2]\n" + nop}, refused},
		{[]string{many(".in i%d\n", 16) + nop},
			"0 inffff out0 " + strings.TrimSuffix(many("i%[1]d=v%[1]d-%[1]d ", 16), " ") + "\n"},
		{[]string{many(".in i%d\n", 17) + nop}, refused},
		// Outputs.
		{[]string{".out a pos\n.out - CLR.rg\n.out b tcoord0 o5.wx\n.out c texcoord0w O5.y\n" + nop},
			"0 in0 out23 position=o0/f color=o1/3 texcoord0=o5/9 texcoord0w=o5/2\n"},
		{[]string{".out a pos.x o0\n" + nop}, refused},
		{[]string{".out a pos. o0\n" + nop}, refused},
		{[]string{".out a pos.\n" + nop}, "0 in0 out1 position=o0/1\n"},
		{[]string{".out a what\n" + nop}, refused},
		{[]string{".out a\n" + nop}, refused},
		{[]string{".out - pos o0\n.out - clr o0.x\n" + nop}, refused},
		{[]string{".out - pos o0\n.out - dummy o8.x\n" + nop}, refused},
		{[]string{".out - pos o0.yzw\n.out - dummy o8.x\n" + nop}, "0 in0 out101 position=o0/e dummy=o8/1\n"},
		{[]string{".out - clr o7\n" + nop}, refused},
		{[]string{".out - dummy r0\n" + nop}, refused},
		{[]string{many(".out - dummy\n%[1]s", 16, "") + nop}, "0 in0 outffff" + many(" dummy=o%d/f", 16) + "\n"},
		{[]string{many(".out - dummy\n%[1]s", 17, "") + nop}, refused},
		{[]string{".gsh\n" + many(".out - dummy\n%[1]s", 7, "") + nop},
			"1 in0 out7f" + many(" dummy=o%d/f", 7) + "\n"},
		{[]string{".gsh\n" + many(".out - dummy\n%[1]s", 8, "") + nop}, refused},
		{[]string{".gsh\n.out - dummy o7\n" + nop}, refused},
		{[]string{".gsh\n.out - dummy O7\n" + nop}, refused},
		// Constants.
		{[]string{".constf a(1,,junk,-0)junk\n.constf (0x1p1 x , inf, -nan, 1e-30)\n" + nop},
			"0 in0 out0 c95[3f0000 0 0 800000] c94[400000 7f0000 ff0000 0]\n"},
		{[]string{".constf a(1,2,3)\n" + nop}, refused},
		{[]string{".constf a 1,2,3,4\n" + nop}, refused},
		{[]string{".constf a(1,2,3,4,5)\n" + nop}, "0 in0 out0 c95[3f0000 400000 408000 410000]\n"},
		{[]string{".consti a(1,-1,256,0x10)\n.seti I131(1,2,3,4)\n" + nop}, "0 in0 out0 i3[1 ff 0 0] i3[1 2 3 4]\n"},
		{[]string{".seti i4(1,2,3,4)\n" + nop}, refused},
		{[]string{".setf c0[aL](1,2,3,4)\n" + nop}, refused},
		{[]string{".setf i0(1,2,3,4)\n" + nop}, refused},
		{[]string{".setf -c1.x (0,0,0,0)\n.setb b15 ON\n.setb b0 off\n" + nop},
			"0 in0 out0 c1[0 0 0 0] b15[1 0 0 0] b0[0 0 0 0]\n"},
		{[]string{".setb b0 yes\n" + nop}, refused},
		{[]string{".setb b0, true\n" + nop}, "0 in0 out0 b0[1 0 0 0]\n"},
		{[]string{".setb b0 true,\n" + nop}, refused},
		{[]string{".constfa a[3]\n.constfa (1,0,0,0)\n.end\n.constf b(2,0,0,0)\n" + nop},
			"0 in0 out0 c93[3f0000 0 0 0] c94[0 0 0 0] c95[0 0 0 0] c92[400000 0 0 0]\n"},
		{[]string{".constfa a[1]\n.constfa (1,0,0,0)\n.constfa (1,0,0,0)\n.end\n" + nop}, refused},
		{[]string{".constfa a[]\n.end\n" + nop}, refused},
		{[]string{".constfa a[0]\n.end\n" + nop}, refused},
		{[]string{".constfa a\n.end\n" + nop}, refused},
		{[]string{".constfa a[1]x\n.end\n" + nop}, refused},
		{[]string{".constfa a[1] ,\n.end\n" + nop}, "0 in0 out0 c95[0 0 0 0]\n"},
		{[]string{".constfa a[1], b\n.end\n" + nop}, refused},
		{[]string{".constfa a [1]\n.end\n" + nop}, refused},
		{[]string{".constfa a[1]\n.constfa 1,0,0,0)\n.end\n" + nop}, refused},
		{[]string{".constfa a[97]\n.end\n" + nop}, refused},
		{[]string{".constfa a[1]\n" + nop}, refused},
		{[]string{many(".setf c%d(0,0,0,0)\n", 96) + nop}, "0 in0 out0" + many(" c%d[0 0 0 0]", 96) + "\n"},
		{[]string{many(".setf c%d(0,0,0,0)\n", 96) + ".setb b0 1\n" + nop}, refused},
		// Uniforms.
		{[]string{".bool z\n.ivec y\n.fvec b[2]x, a$, _h,\n.in i v7\n" + nop},
			"0 in80 out0 i=v7-7 b=c0-1 a$=c2-2 y=i0-0 z=b0-0\n"},
		{[]string{".fvec ,\n.fvec a\n" + nop}, "0 in0 out0 =c0-0 a=c1-1\n"},
		{[]string{".fvec a[97]\n" + nop}, refused},
		{[]string{".ivec a[5]\n" + nop}, refused},
		{[]string{".bool a[16]\n" + nop}, "0 in0 out0 a=b0-15\n"},
		{[]string{".fvec a[95]\n.constf k(0,0,0,0)\n" + nop}, "0 in0 out0 a=c0-94 c95[0 0 0 0]\n"},
		{[]string{".fvec a[95]\n.constf k(0,0,0,0)\n.fvec b\n" + nop}, refused},
		{[]string{".fvec a[96]\n.constf k(0,0,0,0)\n" + nop}, refused},
		// The shared space of several files.
		{[]string{".fvec a, b\n" + nop, ".fvec b\n.fvec c"},
			"0 in0 out0 a=c0-0 b=c1-1\nmain 0-1 0 in0 out0 b=c1-1 c=c2-2\n"},
		{[]string{".fvec a\n" + nop, ".ivec a"}, refused},
		{[]string{".fvec a\n" + nop, ".fvec a[2]"}, refused},
		{[]string{".constf a(0,0,0,0)\n" + nop, ".constf a(0,0,0,0)"},
			"0 in0 out0 c95[0 0 0 0]\nmain 0-1 0 in0 out0 c95[0 0 0 0]\n"},
		{[]string{".constf a(0,0,0,0)\n" + nop, ".fvec b[96]"}, refused},
		{[]string{".fvec a[95]\n" + nop, ".constf a(0,0,0,0)\n.constf b(0,0,0,0)"}, refused},
		{[]string{".fvec " + many("u%d,", 96) + "\n" + nop, ".gsh point c9\n.fvec a"}, refused},
		{[]string{".fvec " + many("u%d,", 95) + "\n" + nop, ".gsh point c9\n.fvec a, b"},
			"0 in0 out0" + many(" u%[1]d=c%[1]d-%[1]d", 95) +
				"\nmain 0-1 1 in0 out0 a=c9-9 b=c10-10\n"},
		{[]string{".fvec " + many("u%d,", 96) + "\n" + nop, ".fvec u0"}, refused},
		// Geometry programs.
		{[]string{".gsh variable c5 010\n.fvec a\n.constf k(0,0,0,0)\n.bool b[15]\n" + nop},
			"1 gsh{1 0 8 0} in0 out0 a=c5-5 b=b0-14 c95[0 0 0 0]\n"},
		{[]string{".gsh fixed c5 c4 255\n.out - dummy\n" + nop}, "1 merge gsh{2 4 0 255} in0 out1 dummy=o0/f\n"},
		{[]string{".gsh PARTICLE c5 c5 3\n" + nop}, refused},
		{[]string{".gsh fixed c5 c4 256\n" + nop}, refused},
		{[]string{".gsh point c5 3\n" + nop}, refused},
		{[]string{".gsh point\n" + nop}, refused},
		{[]string{".gsh point r5\n" + nop}, refused},
		{[]string{".gsh points c5\n" + nop}, refused},
		{[]string{".gsh point c5\n.bool a[16]\n" + nop}, refused},
		{[]string{".gsh point c5\n.gsh\n.bool a[16]\n.fvec f\n.out - dummy\n" + nop},
			"1 in0 out1 f=c0-0 a=b0-15 dummy=o0/f\n"},
		{[]string{".gsh point c5\n.gsh point c5\n" + nop}, refused},
		{[]string{".gsh\n.gsh point c5\n" + nop}, refused},
		{[]string{".in a\n.gsh point c5\n" + nop}, refused},
		{[]string{".setb b0 1\n.gsh point c5\n" + nop}, refused},
		{[]string{".fvec _a\n.gsh point c5\n.fvec b\n" + nop}, "1 in0 out0 b=c5-5\n"},
		{[]string{".proc main\nsetemit 0\n.end\n.bool a[16]\n.out - dummy"}, "1 in0 out1 a=b0-15 dummy=o0/f\n"},
		{[]string{".proc main\nsetemit 0\n.gsh point c5\n.end\n"}, refused},
		{[]string{nop + ".gsh point c5\n"}, "1 in0 out0\n"},
		{[]string{".gsh point c5\n" + nop, ".gsh point c6\n.fvec a"}, "1 in0 out0\nmain 0-1 1 in0 out0 a=c6-6\n"},
	} {
		want := "refused"
		if c.want != refused {
			want = "main 0-1 " + c.want
		}
		if got := tables(c.texts...); got != want {
			t.Errorf("%.120q:\n got %s\nwant %s", c.texts, got, want)
		}
	}
}

// many repeats a format with the numbers from 0 on.
func many(format string, n int, more ...any) string {
	var b strings.Builder
	for k := range n {
		if more == nil {
			fmt.Fprintf(&b, format, k)
		} else {
			fmt.Fprintf(&b, format, more...)
		}
	}
	return b.String()
}

// Instructions share a descriptor if the bits that both need are equal; a mad exchanges a number
// above 31 with the lowest that no mad has.
func TestPicassoDescriptors(t *testing.T) {
	for _, c := range []struct{ lines, ids, table string }{
		{"mov r0.x, r1.x\nmov r0.x, r1", "0 0", "00000008"},
		{"mov r0.x, r1\nmov r0.x, r1.x", "0 0", "00000368"},
		{"mov r0.x, r1\nmov r0.x, -r1", "0 1", "00000368 00000378"},
		{"mov r0.x, r1\nmov r0.y, r1", "0 1", "00000368 00000364"},
		{"mov r0, r1\nadd r0, r1, -r2.x", "0 0", "0000236f"},
		{"mov -r0, r1\nmul r0, r1, r2", "0 0", "0006c36f"},
		{"cmp r0, eq, eq, r1\nadd r0.x, r1, r2", "0 0", "0006c368"},
		{"cmp r0.xy, eq, eq, r1\ncmp r0.xyxx, eq, eq, r1", "0 0", "0006c2a0"},
		{"cmp r0, eq, eq, r1.xy\ncmp r0, eq, eq, r1.xyxx", "0 1", "00054360 00040360"},
		{"rcp r0, r1\nrsq r0, r1.x", "0 0", "0000036f"},
		{"litp r0.x, r1\nlitp r0.x, r1.xyzz", "0 1", "00000368 00000348"},
		{"dst r0.x, c1, r1\ndst r0.x, c1, r1.xyzz", "0 1", "0006c368 00068368"},
		{"dp3 r0, r1, r2\ndp3 r0, r1.xyzx, r2.xyzz", "0 0", "0006c36f"},
		{"dp4 r0, r1, r2\ndp4 r0, r1.xyzx, r2", "0 1", "0006c36f 0006c30f"},
		{"dph r0, r1, r2\ndphi r0, r1.xyzx, c0", "0 0", "0006c36f"},
		{"dph r0, r1, r2\ndph r0, r1, r2.xyzx", "0 1", "0006c36f 0006036f"},
		{"mova a0.x, r1\nmova a0.x, r1.x", "0 0", "00000368"},
		{"mova a0.y, r1\nmova a0.y, r1.x", "0 1", "00000364 00000004"},
	} {
		got := picasso(t, asm.AssembleOptions{}, inMain(c.lines))
		var ids []string
		code, table, _ := strings.Cut(got, "] [")
		for _, word := range strings.Fields(strings.TrimPrefix(code, "[")) {
			var w uint32
			fmt.Sscanf(word, "%x", &w)
			ids = append(ids, fmt.Sprint(w&127))
		}
		if table = strings.TrimSuffix(table, "]"); strings.Join(ids, " ") != c.ids || table != c.table {
			t.Errorf("%q: ids %v, table %s; want %s, %s", c.lines, ids, table, c.ids, c.table)
		}
	}
	// 40 descriptors, then three of mad: the second shares the first one's.
	var movs string
	for k := range 40 {
		movs += fmt.Sprintf("mov r0, r1.%c%c%c\n", "xyzw"[k/16], "xyzw"[k/4%4], "xyzw"[k%4])
	}
	a,
		err := asm.Assemble([]asm.Source{{Text: inMain(movs + "mad r0, r1, r2, r3\nmad r0, r1, r2, r3\n" +
		"mad -r0.x, r1, r2, -r3")}},
		asm.AssembleOptions{Dialect: asm.Picasso})
	if err != nil {
		t.Fatal(err)
	}
	mads := ""
	for k := range 33 {
		mads += fmt.Sprintf("mad r0, r1.%c%c%c, r2, r3\n", "xyzw"[k/16], "xyzw"[k/4%4], "xyzw"[k%4])
		if got := picasso(t, asm.AssembleOptions{}, inMain(mads)); (got == "refused") != (k == 32) {
			t.Errorf("%d descriptors of mad: %.30s", k+1, got)
		}
	}
	// An instruction that shares a mad's descriptor follows it, to the second place.
	b,
		err := asm.Assemble([]asm.Source{{Text: inMain("mad r0, r4, r5, r6\n" + movs + "mul r7, -r1, -r1\n" +
		"mad r0, -r1, -r2, r3")}},
		asm.AssembleOptions{Dialect: asm.Picasso})
	if err != nil {
		t.Fatal(err)
	}
	if b.Code[41]&127 != 1 || b.Code[42]&31 != 1 || b.Code[1]&127 != 41 {
		t.Errorf("descriptors of mul, mad and the first mov: got %d %d %d, want 1 1 41", b.Code[41]&127,
			b.Code[42]&31, b.Code[1]&127)
	}
	for pc, want := range map[int]uint32{0: 40, 1: 41, 2: 2, 39: 39, 40: 0, 41: 0, 42: 1} {
		mask := uint32(127)
		if pc >= 40 {
			mask = 31
		}
		if got := a.Code[pc] & mask; got != want {
			t.Errorf("word %d has descriptor %d, want %d", pc, got, want)
		}
	}
	if got, want := fmt.Sprintf("%08x",
		[]uint32{a.Descriptors[0], a.Descriptors[1], a.Descriptors[40]}), "[0d86c36f 0dc6c368 0000000f]"; got != want {
		t.Errorf("descriptors 0, 1, 40: got %s, want %s", got, want)
	}
}
