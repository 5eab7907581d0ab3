package asm_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// places lists the errors of a text in the default dialect: line, column and rule of each.
func places(text string) string {
	_, err := asm.Assemble([]asm.Source{{Name: "text", Text: text}}, asm.AssembleOptions{})
	var list asm.Errors
	errors.As(err, &list)
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%d:%d %s ", e.Line, e.Column, e.Rule)
	}
	return strings.TrimSpace(b.String())
}

// A wrong line causes no other errors, and all errors of a run are reported, in the order of the
// lines.
func TestErrorsOfOneRun(t *testing.T) {
	for text, want := range map[string]string{
		".porc main\nnop\nifc cmp.x\nnop\n.end\n.end":                          "1:1 ASM001",
		".proc main x,y\nnop\n.end":                                            "1:14 ASM002",
		".proc main\nfro i0\nnop\nnop\n.end\n.end":                             "2:1 ASM001",
		".proc main\nfor i9\nnop\nnop\n.end\n.end":                             "2:5 ASM008",
		".proc main\nifc cmp.z\nnop\n.else\nnop\n.end\n.end":                   "2:5 ASM013",
		".proc main\nifc cmp.z, 12, 3\n.end":                                   "2:5 ASM013",
		".proc main\nnop\n.edn":                                                "3:1 ASM001",
		".proc main\nnop\n.end main":                                           "3:6 ASM002",
		".fvce a, b\n.proc main\nmov r0, a\nmov r0,b\n.end":                    "1:1 ASM001",
		".alias a r99\n.proc main\nmov r0, a\nmov r0,c\n.end":                  "1:10 ASM008 4:8 ASM005",
		".constf a(1,2,3)\n.proc main\nmov r0, a\n.end":                        "1:10 ASM012",
		".constfa a[x]\n.constfa (1,2,3,4)\n.end\n.proc main\nmov r0, a\n.end": "1:12 ASM011",
		".constfa a[]\n.constfa (1,2)\n.constfa (1,2,3,4)\n.end\nmov r0, a":    "2:10 ASM012",
		"nop\n.proc main\ncall foo\nmvo r0, r1\njmpu b0, away\nmov r0, r1.v\n.end": "3:6 ASM005 4:1 ASM001 5:10 " +
			"ASM005 6:12 ASM010",
		".proc main\nnop\n.end\nfor i0\nnop\nnop\n.end\nnop":                           "4:1 ASM015",
		".proc main\n.proc main\nnop\n.end\n.end":                                      "2:7 ASM004",
		".proc main\nnop\n.proc b":                                                     "1:1 ASM016 3:1 ASM016",
		".pad off\n.proc main\n" + strings.Repeat("nop\n", 520) + "for i0\n.end\n.end": "515:1 ASM025",
		".proc main\n" + strings.Repeat("nop\n", 511) + "call main\n.end":              "514:1 ASM025",
		".proc main\n" + strings.Repeat("nop\n", 510) + "call main\n.end":              "512:6 ASM026",
		strings.Repeat(".opdesc 0\n", 200) + ".opdesc 0x0d86c36f\nmov r0, r1\n":        "202:1 ASM018",
		strings.Repeat(".opdesc 0\n", 40) + ".opdesc 0x0d86c36f\nmad r0, r1, r1, r1\n": "42:1 ASM018",
		strings.Repeat(".opdesc 0\n", 127) + ".opdesc 0x0d86c36f\nmov r0, r1\n":        "",
		".nop\n.nop 0\n.nop 4097\n.nop 8, 8\n.nop x\nnop": "1:1 ASM002 2:6 ASM011 3:6 " +
			"ASM011 4:9 ASM002 5:6 ASM011",
		".proc main\nnop\n.end\n.nop 8\nnop": "4:1 ASM015",
		".nop 500\n.nop 13\nnop":             "2:1 ASM025",
		".nop 512":                           "",
	} {
		if got := places(text); got != want {
			t.Errorf("%.120q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// The default dialect exchanges the operands of add, mul, dp3 and dp4 only.
func TestOperandExchange(t *testing.T) {
	for op, exchanged := range map[string]bool{
		"add": true, "mul": true, "dp3": true, "dp4": true,
		// the last four have an inverted form
		"max": false, "min": false, "dph": true, "dst": true, "sge": true, "slt": true,
	} {
		if got := places(op + " r0, r1, c0"); (got == "") != exchanged {
			t.Errorf("%s: %q", op, got)
		}
		if got := places(op + " r0, c1, c0"); got == "" {
			t.Errorf("%s takes two float uniforms", op)
		}
	}
	for _, text := range []string{"cmp r0, eq, eq, c0", "mad r0, c0, r1, r2"} {
		if got := places(text); got == "" {
			t.Errorf("%s is taken", text)
		}
	}
	list := []asm.Source{{Text: "add r0.x, -r1.yyyy, c0[aL].z"}}
	a, err := asm.Assemble(list, asm.AssembleOptions{})
	b, err2 := asm.Assemble([]asm.Source{{Text: "add r0.x, c0[aL].z, -r1.y"}}, asm.AssembleOptions{})
	if err != nil || err2 != nil || a.Code[0] != b.Code[0] || a.Descriptors[0] != b.Descriptors[0] {
		t.Errorf("exchanged: %v %v, %v %v", a, b, err, err2)
	}
}

// Descriptors are numbered by first use; descriptors of mad come first only if a mad would get a
// number above 31.
func TestDescriptorNumbers(t *testing.T) {
	const negated = 1 << 4
	movs := func(n int) (text string) {
		for k := range n {
			text += fmt.Sprintf("mov r0, r1.%c%c%c\n", "xyzw"[k/16], "xyzw"[k/4%4], "xyzw"[k%4])
		}
		return text
	}
	for n, want := range map[int]uint32{30: 30, 31: 31, 32: 0, 60: 0} {
		a, err := asm.Assemble([]asm.Source{{Text: movs(n) + "mad r0, -r1, r1, r1"}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		id := a.Code[n] & 31
		first := a.Code[0] & 127
		if id != want || a.Descriptors[id]&negated == 0 || first != uint32(0) && want != 0 || first != 1 && want == 0 {
			t.Errorf("%d mov: the mad has %d, want %d; the first mov has %d", n, id, want, first)
		}
		if a.Descriptors[first] != 0x0D86C000|15 && a.Descriptors[first] != 0x0D86C00F {
			t.Errorf("descriptor of the first mov: 0x%08x", a.Descriptors[first])
		}
	}
}

// Texts of a megabyte, right or wrong, are read in time linear in their length: otherwise this test
// would not end.
func TestLongTexts(t *testing.T) {
	many := 100_000
	if testing.Short() {
		many = 25_000
	}
	lines := func(format string, n int) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, format, k)
		}
		return b.String()
	}
	for _, text := range []string{
		lines(".alias name%d r1\n", many) + lines("mov r0, nam%d\n", 100),
		lines("label%d:\n", many) + lines("jmpu b0, labl%d\n", 1000),
		lines("call nowhere%d\n", many),
		lines(".proc p%d\nnop\n.end\n", many),
		strings.Repeat(".proc a\n", many),
		strings.Repeat("a:", 5*many), strings.Repeat(" :", 5*many),
		".fvec " + strings.Repeat(",", 5*many),
		".constf a(" + strings.Repeat("9", 5*many) + ",0,0,0)",
		".limit 4096\n" + strings.Repeat(".opdesc 1\n", 4095) + strings.Repeat("mov r0, r1\n", 4096),
	} {
		places(text)
	}
}

// Offsets may be negative, and registers follow names.
func TestPlacesOfRegisters(t *testing.T) {
	for text, same := range map[string]string{
		"mov r0, c5[-1]":          "mov r0, c4",
		"mov r0, c5[aL-1]":        "mov r0, c4[aL]",
		"mov r0, c5[ a0.x + -2 ]": "mov r0, c3[a0.x]",
		".fvec a c7\nmov r0, a":   "mov r0, c7",
		".fvec a[2] c7\n.fvec b\nadd r0, a[1], r1\nmov r0, b": "add r0, c8, r1\nmov r0, c9",
		".in a[2] v3\n.in b\nadd r0, a[1], a[1]\nmov r0, b":   "add r0, v4, v4\nmov r0, v0",
		".proc main\ncall main\n.end\n.pad off":               "call 0, 2\nnop",
		"nop\nnop, bits 0":                                    "",
		"call 0, 1, bits 0x400000":                            ".word 0x90400001",
		"jmpu b0, 0, bits 0x300":                              ".word 0xb4000300",
	} {
		a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
		b, _ := asm.Assemble([]asm.Source{{Text: same}}, asm.AssembleOptions{})
		switch {
		case same == "":
			if err == nil {
				t.Errorf("%q is taken", text)
			}
		case err != nil || !slices.Equal(a.Code, b.Code) || !slices.Equal(a.Descriptors, b.Descriptors):
			t.Errorf("%q: %v, %v; want %v", text, a, err, b)
		}
	}
}

// The target of a jump behind the last word has a label.
func TestLabelBehindTheLastWord(t *testing.T) {
	s := &pica.Shader{Program: pica.Program{Code: []uint32{0x2D<<26 | 1<<10}}}
	if text := string(disassemble(t, s, asm.Options{NoHeader: true})); text != "L0:\n\tjmpu b0, L1\nL1:\n" {
		t.Errorf("got %q", text)
	}
}
