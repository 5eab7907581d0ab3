package lint_test

import (
	"bytes"
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

// findings assembles a text and returns what is found, "PICA001@3", the tables
// of the shader at -1.
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

// TestPlaces has the word of a finding, and cases beside the examples.
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

// TestStaticConditions: a path that a condition of the file rules out is none.
func TestStaticConditions(t *testing.T) {
	for text, want := range map[string]bool{
		// A boolean that the file sets and does not export.
		".setb b0 true\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend":           false,
		".setb b0 false\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend":          true,
		".bool sw\n.setb b0 true\nifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend": true,
		".setb b0 false\njmpu !b0, 3\nmov o1, r0\nnop\nend":                       false,
		// A comparison of a constant with itself.
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.x, 5, 0\nmov r0, v0\nnop\nmov o0, r0\nend":      false,
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.y, 5, 0\nmov r0, v0\nnop\nmov o0, r0\nend":      true,
		".constf k(nan, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1\nifc cmp.x, 5, 0\nmov r0, v0\nnop\nmov o0, r0\nend":    true,
		".constf k(1, 2, 3, 4)\nmov r1, k\ncmp r1, eq, ne, r1.yxzw\nifc cmp.x, 5, 0\nmov r0, v0\nnop\nmov o0, r0\nend": true,
	} {
		got := slices.ContainsFunc(findings(t, text), func(f string) bool { return strings.HasPrefix(f, "PICA006@") })
		if got != want {
			t.Errorf("%q: read before it is written: got %t, want %t", text, got, want)
		}
	}
}

// hazardRules are the names that the list of regressions has for hazards.
var hazardRules = map[string]string{
	"block-ends-in-control": "PICA003", "shared-loop-end": "PICA003", "one-instruction-loop": "PICA013", "no-end": "PICA004",
}

// TestRecordedHazards: each hazard that the list of regressions names is found
// at its word.
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
			if !slices.ContainsFunc(found, func(f lint.Finding) bool {
				return f.Rule == hazardRules[name] && (!placed || strconv.Itoa(f.PC) == at)
			}) {
				t.Errorf("%s: %s is not in %v", r.Name, h, found)
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
