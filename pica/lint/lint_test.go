package lint_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// findings assembles a text and returns its findings as "PICA001@3"; the tables of the shader are at
// -1.
func findings(t *testing.T, text string) (list []string) {
	t.Helper()
	a, err := asm.Assemble([]asm.Source{{Name: "text", Text: text}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range lint.Check(a.Shaders()) {
		list = append(list, fmt.Sprintf("%s@%d", f.Rule, f.PC))
	}
	return list
}

// TestRules runs the examples of each rule.
func TestRules(t *testing.T) {
	reports := func(text, rule string) bool {
		return slices.ContainsFunc(findings(t, text), func(f string) bool { return strings.HasPrefix(f, rule+"@") })
	}
	for _, r := range lint.Rules {
		if !reports(r.Breaks, r.ID) {
			t.Errorf("%s: %q: got %v", r.ID, r.Breaks, findings(t, r.Breaks))
		}
		if reports(r.Keeps, r.ID) {
			t.Errorf("%s: %q: got %v", r.ID, r.Keeps, findings(t, r.Keeps))
		}
	}
}

// TestPlaces checks the word of each finding, in further cases.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		".seti i0(1, 0, 0, 0)\nloop i0, 4\nloop i0, 4\nnop\nnop\nend": "PICA003@3", // two scopes end together
		"jmpc cmp.x, 1\nend":                      "PICA006@0",
		"mova a0._, v0\nend":                      "PICA011@0",
		"loop i0, 3\nnop\nnop\nend":               "PICA017@0",
		"add o0, v0, v0\nmad o1, v1, v0, r0\nend": "PICA001@1",
		strings.Repeat("ifu b0, 19, 0\n", 9) + strings.Repeat("nop\n", 10) + "end": "PICA015@8",
	} {
		if got := findings(t, text); !slices.Contains(got, want) {
			t.Errorf("%q: got %v, want %s", text, got, want)
		}
	}
}

// TestStaticConditions: a path that a condition of the file rules out does not count.
func TestStaticConditions(t *testing.T) {
	const skipped = "mov r0, v0\nnop\nmov o0, r0\nend"
	for text, want := range map[string]bool{
		// A boolean that the file sets and does not export.
		".setb b0 true\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend":           false,
		".setb b0 false\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend":          true,
		".bool sw\n.setb b0 true\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend": true,
		".setb b0 false\njmpu !b0, 3\nmov o1, r0\nnop\nend":                       false,
		// A comparison of a constant with itself.
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.x, 5, 0\n" + skipped:      false,
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.y, 5, 0\n" + skipped:      true,
		".constf k(nan, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.x, 5, 0\n" + skipped:    true,
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1.yxzw\nifc cmp.x, 5, 0\n" + skipped: true,
	} {
		got := slices.ContainsFunc(findings(t, text), func(f string) bool { return strings.HasPrefix(f, "PICA006@") })
		if got != want {
			t.Errorf("%q: read before it is written: got %t, want %t", text, got, want)
		}
	}
}

// TestConditions decides a branch by constants: cmp.x is true and cmp.y is false, or nothing is known.
func TestConditions(t *testing.T) {
	const known = ".setf c1(1, 2, 3, 4)\nmov r1, c1\ncmp c1, eq, ne, r1\n"
	const half = ".setf c1(1, 2, 3, 4)\nmov r1.x, c1\nmov r1.y, v0\ncmp c1, eq, ne, r1\n"
	const other = ".setf c1(1, 2, 3, 4)\nmov r1.x, v0\nmov r1.y, c1\ncmp c1, eq, ne, r1\n"
	for _, c := range []struct{ head, condition, want string }{
		{known, "cmp.x", "yes"}, {known, "!cmp.x", "no"}, {known, "cmp.y", "no"}, {known, "!cmp.y", "yes"},
		{known, "cmp.x && cmp.y", "no"}, {known, "cmp.x && !cmp.y", "yes"}, {known, "!cmp.x && !cmp.y", "no"},
		{known, "!cmp.x && cmp.y", "no"},
		{known, "cmp.x || cmp.y", "yes"}, {known, "!cmp.x || !cmp.y", "yes"}, {known, "!cmp.x || cmp.y", "no"},
		{half, "cmp.x", "yes"}, {half, "cmp.y", "unknown"}, {half, "cmp.x && cmp.y", "unknown"},
		{half, "!cmp.x && cmp.y", "no"},
		{half, "cmp.x || cmp.y", "yes"}, {half, "!cmp.x || cmp.y", "unknown"},
		{other, "cmp.y", "no"}, {other, "cmp.x", "unknown"}, {other, "cmp.x && cmp.y", "no"},
		{other, "cmp.x && !cmp.y", "unknown"},
		{other, "cmp.x || cmp.y", "unknown"}, {other, "cmp.x || !cmp.y", "yes"},
	} {
		list := findings(t, c.head+"jmpc "+c.condition+", taken\nmov o1, r8\nend\ntaken: mov o2, r9\nend")
		way := map[bool]string{}
		for _, f := range list {
			if rule, _, _ := strings.Cut(f, "@"); rule == "PICA005" {
				way[true] = f
			}
		}
		got := "unknown"
		words := strings.Count(c.head, "\n") - 1 // one line is a directive
		switch way[true] {
		case fmt.Sprintf("PICA005@%d", words+1):
			got = "yes"
		case fmt.Sprintf("PICA005@%d", words+3):
			got = "no"
		}
		if got != c.want {
			t.Errorf("%s behind %q: got %s, want %s; %v", c.condition, c.head, got, c.want, list)
		}
	}
}

// TestRelations compares constants by every operator.
func TestRelations(t *testing.T) {
	for op, want := range map[string][3]bool{ // 1 with 2, 2 with 2, 2 with 1
		"eq": {false, true, false}, "ne": {true, false, true}, "lt": {true, false, false},
		"le": {true, true, false}, "gt": {false, false, true}, "ge": {false, true, true},
	} {
		for k, pair := range []string{"(1, 2, 0, 0)", "(2, 2, 0, 0)", "(2, 1, 0, 0)"} {
			list := findings(t,
				".setf c1"+pair+"\nmov r1.x, c1.y\ncmp c1.x, "+op+", eq, r1.x\njmpc cmp.x, away\nmov o0, v0\n"+
					"away: end")
			if skipped := slices.Contains(list, "PICA005@3"); skipped != want[k] {
				t.Errorf("%s of %s: got %v, want %t", op, pair, list, want[k])
			}
		}
	}
}

// TestMessages checks the messages of findings.
func TestMessages(t *testing.T) {
	for text, want := range map[string]string{
		"mov o0.xy, r3\nmov o1, c0[a0.y]\nmov o2, c0[a0.x]\nmov o3, c0[aL]\njmpc cmp.y, 5\nend": "word 0: PICA006: " +
			"r3.xy may be read before anything writes it\n" +
			"word 1: PICA006: a0.y may be read before anything writes it\n" +
			"word 2: PICA006: a0.x may be read before anything writes it\n" +
			"word 3: PICA006: aL may be read before anything writes it\n" +
			"word 4: PICA006: cmp.y may be read before anything writes it",
		"mova a0.w, v0\nmova a0._, v0\nend": "word 0: PICA011: the mask is 0001; x and y are the upper two bits\n" +
			"word 1: PICA002: the instruction before is a MOVA, too\n" +
			"word 1: PICA011: the mask is 0000; x and y are the upper two bits",
		"mova a0.x, v0\nmad o0, v0, v0[a0.x], v0\nmov o1, c0[a0.x]\nend": "word 1: PICA012: operand 2 of mad is no " +
			"float uniform",
		"mova a0.y, v0\nnop\nmova a0.xy, v0\nmov o0, c0[a0.x]\nend": "word 0: PICA010: a0.y is written again " +
			"before anything reads it",
		".out p position.x\n.out c color o1.yw\nmov o1.x, v0\nend": "PICA007: nothing writes position.x (o0.x)\n" +
			"PICA007: nothing writes color.xy (o1.yw)",
		".bool lit[2]\n.out c color\njmpu !lit[1], 2\nmov c.x, v0\nend": "PICA007: nothing writes color.yzw (o0.yzw)\n" +
			"word 0: PICA007: color.x (o0.x) may stay unwritten when lit[1] is false",
		".out c color\njmpu b3, 2\nmov c, v0\nend": "word 0: PICA007: color.xyzw (o0.xyzw) may stay unwritten when b3 " +
			"is true",
		".out c color\ncmp v0, lt, lt, v0\njmpc cmp.x, 3\nmov c, v0\nend": "word 1: PICA007: color.xyzw (o0.xyzw) may " +
			"stay unwritten when the condition of word 1 is true",
		".out p position.x\nmov p, v0\nmov o2.yz, v0\nmov o3.w, v0\nend": "PICA008: written and not declared: " +
			"o2.yz, o3.w",
		".in a v3\n.fvec b[2]\n.ivec c\n.bool d\nend": "PICA009: nothing reads a, v3\n" +
			"PICA009: nothing reads b, c0 to c1\n" +
			"PICA009: nothing reads c, i0\nPICA009: nothing reads d, b0",
		".in a v3\n.fvec b[2]\n.ivec c\n.bool d\nadd o0, b[1], a\nloop c, 4\nnop\nnop\nifu d, 6, 0\nnop\nend": "",
		".seti i1(-1, 0, 0, 0)\nloop i1, 3\nnop\nnop\nend": "word 0: PICA017: i1.x is spelled -1 and " +
			"becomes 255: 256 passes",
	} {
		a, err := asm.Assemble([]asm.Source{{Name: "text", Text: text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range lint.Check(a.Shaders()) {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "\n"); s != want {
			t.Errorf("%q:\n got %s\nwant %s", text, s, want)
		}
	}
}

// TestEntryPointsShareNames: a uniform that any entry point reads is read; an input belongs to one
// entry point.
func TestEntryPointsShareNames(t *testing.T) {
	a, err := asm.Assemble([]asm.Source{
		{Text: ".fvec a, b\n.in i v0\n.entry one\n.proc one\nmov o0, a\nend\n.end"},
		{Text: ".fvec a, b\n.in i v0\n.entry two\n.proc two\nmov o0, i\nend\n.end"},
	}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "[PICA009: nothing reads i, v0 PICA009: nothing reads b, c1 (and 1 more)]"
	if got := fmt.Sprint(lint.Check(a.Shaders())); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestManyShaders: programs are checked apart, and the states of all together have a limit.
func TestManyShaders(t *testing.T) {
	var shaders []pica.Shader
	for _, text := range []string{"end\nmov o0, v0", "nop\nnop\nend", "nop\nend\nmov o0, v0"} {
		a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		shaders = append(shaders, a.Shaders()...)
	}
	const want = "[word 1: PICA005: word 1 is unreachable word 2: PICA005: word 2 is unreachable]"
	if got := fmt.Sprintf("%+v", lint.Check(shaders)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a, err := asm.Assemble([]asm.Source{{Text: lint.RuleOf("PICA019").Breaks}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list := lint.Check(slices.Repeat(a.Shaders(), 100))
	n := len(list)
	for _, f := range list {
		n += f.More
	}
	last := list[len(list)-1]
	if n != 100 || list[0].Message != "more than 32768 states" || list[0].More == 0 || last.Message != "more than 0 states" {
		t.Errorf("%d findings: %+v ... %+v", n, list[0], last)
	}
}

// TestNamesOfFiles: a symbol may name any registers, and a name may be any bytes.
func TestNamesOfFiles(t *testing.T) {
	s := pica.Shader{Program: pica.Program{Code: []uint32{0x22 << 26}}, Uniforms: []pica.Symbol{
		{Name: "all", Class: 'c', First: -5, Last: 1 << 40}, {Name: "a\nb", Class: 'q', First: 1 << 40, Last: 1 << 50},
		{Name: strings.Repeat("n", 1000), Class: 'b', First: 3, Last: 2},
	}}
	want := "[PICA009: nothing reads all, c-5 to c1099511627776 PICA009: nothing reads \"a\\nb\", q1099511627776 to " +
		"q1125899906842624 " +
		"PICA009: nothing reads \"" + strings.Repeat("n", 64) + "\"..., b3 to b2]"
	if got := fmt.Sprint(lint.Check([]pica.Shader{s})); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestGraph prints a graph of basic blocks: an IF, a loop, a call and a jump behind the end.
func TestGraph(t *testing.T) {
	a, err := asm.Assemble([]asm.Source{{Text: `.bool b
.ivec n
.proc shade
	mov r0, v0
.end
.proc main
	nop
	call shade
	ifu b
		mov r1, r0
		nop
	.else
		mov r1, v0
		nop
	.end
	for n
		nop
		nop
	.end
	jmpu b, away
	end
away:
	nop
.end
.entry main`}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := a.Shader(0)
	var out strings.Builder
	if err := lint.NewGraph(&s).WriteDot(&out, func(pc int) string {
		if pc >= len(s.Code) {
			return ""
		}
		return asm.Format(s.Code[pc], s.Descriptors)
	}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSpace(line)
		if _, label, ok := strings.Cut(line, "label=\""); ok {
			label, _, _ = strings.Cut(label, "\",")
			words := []string{}
			for l := range strings.SplitSeq(strings.TrimSuffix(label, `\n`), `\n`) {
				words = append(words, strings.Fields(l)[0])
			}
			got = append(got, strings.Join(words, " "))
		} else if from, to, ok := strings.Cut(strings.TrimSuffix(line, ";"), "->"); ok {
			got = append(got, from+">"+to)
		}
	}
	want := "0, 1 2, 11, 12, 13 14, 3, 4 5, 6 7, 8, 9 10, " +
		"n1>n3, n2>n1, n8>n9, n8>n10, n3>n4, n3>n5, n4>n6, n5>n6, n6>n7, n7>n7, n7>n8"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s\nwant %s\n%s", s, want, out.String())
	}
}

// hazardRules are the rules of hazards by their names in the list of regressions.
var hazardRules = map[string]string{
	"block-ends-in-control": "PICA003", "shared-loop-end": "PICA003", "no-end": "PICA004",
}

// harmless reports whether the list of regressions names a hazard that is none: an END as the last word of
// a scope, and a LOOP of one word, which picasso writes.
func harmless(s *pica.Shader, hazard string, pc int) bool {
	return hazard == "one-instruction-loop" ||
		hazard == "block-ends-in-control" && pica.OpcodeOf(s.Code[pc]) == pica.END
}

// TestRecordedHazards: each hazard that the list of regressions names is found at its word, and nothing
// is said of those that are none.
func TestRecordedHazards(t *testing.T) {
	count := 0
	for line := range bytes.Lines(samples.Read(t, "regressions.jsonl")) {
		var r struct {
			Name, Stage         string
			Entry               int
			Code, Desc, Hazards []string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		s := pica.Shader{Program: pica.Program{Code: words(t, r.Code), Descriptors: words(t, r.Desc)}, Entry: r.Entry}
		found := lint.Check([]pica.Shader{s})
		for _, h := range r.Hazards {
			count++
			name, at, placed := strings.Cut(h, "@")
			pc, _ := strconv.Atoi(at)
			want := !harmless(&s, name, pc)
			if got := slices.ContainsFunc(found, func(f lint.Finding) bool {
				return f.Hazard && f.Rule == cmp.Or(hazardRules[name], f.Rule) && (!placed || f.PC == pc)
			}); got != want {
				t.Errorf("%s: %s: found %v, want %v: %v", r.Name, h, got, want, found)
			}
		}
	}
	if count == 0 {
		t.Error("the list names no hazard")
	}
}

func words(t *testing.T, hex []string) (list []uint32) {
	t.Helper()
	for _, h := range hex {
		v, err := strconv.ParseUint(h, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, uint32(v))
	}
	return list
}
