package latte_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/latte"
)

// TestRules: a corruption that breaks a rule of the code alone is reported at its offset, and a sample breaks none.
func TestRules(t *testing.T) {
	all := programs(t)
	for _, s := range all {
		if list := latte.Check(s.code, nil); len(list) != 0 {
			t.Errorf("%s, %s: %v", s.File, s.Type, list)
		}
	}
	tried := 0
	for _, m := range mutations(t) {
		want := m.Expect[0]
		structural := want.Rule == "LATTE020" || want.Rule >= "LATTE070"
		if structural || m.Patch[0].Hex == "" { // the file has another length
			continue
		}
		tried++
		data := samples.Read(t, "latte/"+m.Base)
		for _, p := range m.Patch {
			copy(data[p.At:], unhex(t, p.Hex))
		}
		found := false
		for _, s := range all {
			if s.File == m.Base {
				for _, f := range latte.Check(data[s.CodeAt:s.CodeAt+s.Bytes], nil) {
					severity := "IWE"[f.Severity : f.Severity+1]
					found = found || f.Rule == want.Rule && f.Off+s.CodeAt == want.Offset && severity == want.Severity
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s at %d", m.ID, want.Rule, want.Offset)
		}
	}
	if tried != 66 {
		t.Errorf("%d corruptions tried, want 66", tried)
	}
}

// TestMaxFindings: only some findings of a rule are kept, and the others are counted.
func TestMaxFindings(t *testing.T) {
	code := large(10)
	for at := 11 * latte.WordBytes; at < len(code); at += latte.WordBytes {
		code[at+6] |= 6 << 2 // BANK_SWIZZLE, which is reserved
	}
	kept, more := 0, 0
	for _, f := range latte.Check(code, nil) {
		if f.Rule == "LATTE038" {
			kept++
			more += f.More
		}
	}
	if kept != latte.MaxFindings || kept+more != 10*128 {
		t.Errorf("%d kept, %d more; want %d of %d", kept, more, latte.MaxFindings, 10*128)
	}
}

// TestTitles: a title is true of every row with its id, as a finding of any of them has it.
func TestTitles(t *testing.T) {
	titles := map[string]string{}
	for _, r := range latte.Rules {
		if title, ok := titles[r.ID]; ok && title != r.Title() {
			t.Errorf("%s: %q and %q", r.ID, title, r.Title())
		}
		titles[r.ID] = r.Title()
	}
}

// TestKillEnable: KILL_ENABLE is idle only if nothing kills pixels.
func TestKillEnable(t *testing.T) {
	pixel := latte.Structure{Stage: latte.Pixel, GPRs: 1, Inputs: []int{0}, Colours: 1, ColourMask: 0xF, Kill: true}
	const export = "\n01 EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing kills", "00 NOP" + export, []string{"LATTE083"}},
		{"control flow kills", "00 KILL" + export, nil},
		{
			"the mask kills", "00 ALU: ADDR(2) CNT(1)\n  0  x: PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK(KILL)" +
				export, nil,
		},
	} {
		p, err := latte.Parse(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got []string
		for _, f := range latte.Check(p.Encode(), &pixel) {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// TestExact has programs that break exactly the rules named, by hand from the text of the rules.
func TestExact(t *testing.T) {
	const end = "EXP_DONE: PIX0, R0.xyzw\nEND_OF_PROGRAM\n"
	group := func(slots int, lines ...string) string { // one clause with a group a line, or "; " between instructions
		text := fmt.Sprintf("00 ALU: ADDR(32) CNT(%d)\n", slots)
		for g, line := range lines {
			text += fmt.Sprintf("%d %s\n", g, strings.ReplaceAll(line, "; ", "\n"))
		}
		return text + "01 " + end
	}
	const dot = "x: DOT4 R1.x, R0.x, R0.x; y: DOT4 ____, R0.y, R0.y; z: DOT4 ____, R0.z, R0.z"
	for _, c := range []struct {
		text string
		want string // the findings, by rule and byte
	}{
		{"00 PUSH\n01 PUSH\n02 POP POP_CNT(2)\n03 " + end, ""},
		{"00 PUSH\n01 PUSH\n02 POP POP_CNT(1)\n03 " + end, "LATTE027@24"},
		{"00 PUSH\n01 POP POP_CNT(2)\n02 " + end, "LATTE026@8"},
		{"00 LOOP_START_DX10 FAIL_JUMP_ADDR(3)\n01 LOOP_CONTINUE ADDR(2)\n02 LOOP_END PASS_JUMP_ADDR(1)\n03 " + end, ""},
		{"00 LOOP_BREAK ADDR(7)\n01 " + end, "LATTE011@0 LATTE013@0"},
		{"00 LOOP_BREAK ADDR(2)\n01 " + end, "LATTE013@0"}, // the word behind the last one is a target
		{"00 LOOP_END PASS_JUMP_ADDR(0)\n01 " + end, "LATTE013@0"},
		{
			"00 LOOP_START FAIL_JUMP_ADDR(4)\n01 LOOP_START FAIL_JUMP_ADDR(3)\n02 LOOP_END PASS_JUMP_ADDR(2)\n" +
				"03 LOOP_END PASS_JUMP_ADDR(1)\n04 " + end, "",
		},
		{
			"00 LOOP_START FAIL_JUMP_ADDR(3)\n01 LOOP_START FAIL_JUMP_ADDR(4)\n02 LOOP_END PASS_JUMP_ADDR(2)\n" +
				"03 LOOP_END PASS_JUMP_ADDR(1)\n04 " + end, "LATTE014@24 LATTE014@16",
		},
		{"00 CALL ADDR(2)\n01 " + end + "02 JUMP ADDR(4)\n03 RETURN\n04 RETURN\n", ""},
		{"00 CALL ADDR(2)\n01 " + end + "02 RETURN ADDR(1)\n", "LATTE016@16"},
		{group(3, dot), "LATTE035@256"},
		{group(5, dot+"; w: DOT4 ____, R0.w, R0.w", "x: MOV R1.x, PV0.w"), ""}, // in every channel
		{group(2, "x: ADD R1.x, R2.x, R3.y; y: ADD R1.y, R4.x, R5.z"), "LATTE039@264"},
		{group(2, "x: ADD R1.x, R2.x, R3.y; y: ADD R1.y, R2.x, R5.z"), ""}, // one register
		{group(2, "x: ADD R1.x, R2.x, R3.y; y: ADD R1.y, R4.x, R5.z VEC_102"), ""},
		{group(2, "x: ADD R1.x, R2.x, R2.x; y: ADD R1.y, R3.y, R4.x"), ""}, // one read for both sources
		{group(2, "x: MULADD R1.x, R2.x, R3.y, R4.z; t: RECIP_IEEE R1.w, R5.z"), "LATTE039@264"},
		{group(2, "x: MUL R1.x, C0.x, C1.x; y: MUL R1.y, C0.y, C1.y"), ""}, // two pairs, four channels
		{group(2, "x: MUL R1.x, C0.x, C1.x; y: MUL R1.y, C0.z, C1.y"), "LATTE062@264"},
		{group(3, "x: MUL R1.x, C0.x, C1.x; y: MUL R1.y, C0.y, C1.y; z: MUL R1.z, R0.z, C2.w"), "LATTE040@272"},
		{group(1, "t: MUL_LIT R1.x, C0.x, R0.x, 0.5f"), "LATTE042@256"},
		{group(1, "t: MUL_LIT R1.x, R0.x, C0.x, 0.5f"), ""}, // R0 in cycle 2
		{group(2, "t: RECIP_IEEE R1.x, R0.x", "y: MOV R1.y, PV0.x"), "LATTE045@264"},
		{group(2, "t: RECIP_IEEE R1.x, R0.x", "y: MOV R1.y, PS0"), ""},
		{group(2, "x: MOVA_INT ____, R0.x", "x: MOV R1.x, C5[AR.x].x"), ""},
		{group(2, "x: MOVA_INT ____, R0.x; y: MOV R1.y, C5[AR.x].y"), "LATTE049@264 LATTE050@264"},
		{group(1, "x: MOV R1[AL].x, R0.x"), ""},
		{
			"00 ALU: ADDR(32) CNT(1)\n0 x: MOVA_INT ____, R0.x\n01 ALU: ADDR(33) CNT(1)\n1 x: MOV R1.x, C5[AR.x].x\n02 " +
				end, "LATTE049@264",
		},
		{group(2, "x: KILLGT ____, R0.x, 0.0f; y: KILLGE ____, R0.y, 0.0f"), ""},
		{group(2, "x: KILLGT ____, R0.x, 0.0f; y: PRED_SETE ____, R0.y, 0.0f UPDATE_PRED"), "LATTE051@264"},
	} {
		p, err := latte.Parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for _, f := range latte.Check(p.Encode(), nil) {
			got = append(got, fmt.Sprintf("%s@%d", f.Rule, f.Off))
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", c.text, got, want)
		}
	}
}

// TestExportNumbers: an export whose number does not exist is neither a colour nor a parameter.
func TestExportNumbers(t *testing.T) {
	pixel := latte.Structure{Stage: latte.Pixel, GPRs: 1, Inputs: []int{0}, Colours: 1, ColourMask: 0xF}
	vertex := latte.Structure{Stage: latte.Vertex, GPRs: 1, Inputs: []int{0}, Parameters: 1, OutIDs: make([]uint8, 4),
		Positions: 1}
	for _, c := range []struct {
		text string
		s    *latte.Structure
		want []string
	}{
		{"EXP_DONE: PIX0, R0.xyzw", &pixel, nil},
		{"EXP_DONE: PIX7, R0.xyzw", &pixel, []string{"LATTE082"}},
		{"EXP_DONE: PIX8, R0.xyzw", &pixel, []string{"LATTE021", "LATTE080", "LATTE082"}},
		{"EXP_DONE: PIX60, R0.xyzw", &pixel, []string{"LATTE021", "LATTE080", "LATTE082"}},
		{"EXP_DONE: POS0, R0.xyzw\n01 EXP_DONE: PARAM31, R0.xyzw", &vertex, []string{"LATTE074"}},
		{"EXP_DONE: POS0, R0.xyzw\n01 EXP_DONE: PARAM32, R0.xyzw", &vertex, []string{"LATTE021", "LATTE075"}},
	} {
		p, err := latte.Parse("00 " + c.text + "\nEND_OF_PROGRAM\n")
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		var got []string
		for _, f := range latte.Check(p.Encode(), c.s) {
			got = append(got, f.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.text, got, c.want)
		}
	}
}
