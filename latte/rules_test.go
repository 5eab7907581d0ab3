package latte_test

import (
	"slices"
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
