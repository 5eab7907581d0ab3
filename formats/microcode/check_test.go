package microcode_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/microcode"
)

func check(t *testing.T, b []byte) []diag.Finding {
	t.Helper()
	f, err := gsh.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return microcode.Check(f, f.Regions())
}

// TestSamples: nothing is wrong with the samples.
func TestSamples(t *testing.T) {
	for _, name := range samples.Glob(t, "latte/*.gsh") {
		if list := check(t, samples.Read(t, name)); len(list) != 0 {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// TestCorruptions: a corruption breaks the rule that it is made for, at the place in the file, and no others but those
// that go with it.
func TestCorruptions(t *testing.T) {
	var corruptions []struct {
		ID, Base string
		Patch    []struct {
			At       int
			Hex      string
			Truncate *int
			Append   string
		}
		Expect []struct {
			Rule, Severity string
			Offset         int
		}
		MayReport []string `json:"may_report"`
		Reject    bool
	}
	if err := json.Unmarshal(samples.Read(t, "latte/mutations.json"), &corruptions); err != nil {
		t.Fatal(err)
	}
	if len(corruptions) != 101 {
		t.Errorf("%d corruptions, want 101", len(corruptions))
	}
	for _, m := range corruptions {
		b := samples.Read(t, "latte/"+m.Base)
		for _, p := range m.Patch {
			if p.Truncate != nil {
				b = b[:*p.Truncate]
			}
			copy(b[p.At:], unhex(t, p.Hex))
			b = append(b, unhex(t, p.Append)...)
		}
		list := check(t, b)
		if got := diag.FirstError(list) != nil; got != m.Reject {
			t.Errorf("%s: an error %v, want %v", m.ID, got, m.Reject)
		}
		want := m.Expect[0]
		if !slices.ContainsFunc(list, func(f diag.Finding) bool {
			return f.Rule == want.Rule && f.Severity.Letter() == want.Severity && f.Off == want.Offset
		}) {
			t.Errorf("%s: no %s at %d: %v", m.ID, want.Rule, want.Offset, list)
		}
		for _, f := range list {
			name := fmt.Sprintf("%s/%s", f.Rule, f.Severity.Letter())
			if f.Rule != want.Rule && !slices.Contains(m.MayReport, name) && !m.Reject {
				t.Errorf("%s: %v too", m.ID, f)
			}
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLone: a program whose header is in another file is checked by itself and with the stage of its block.
func TestLone(t *testing.T) {
	const (
		header = "4766783200000020000000070000000100000002" + "000000000000000000000000"
		block  = "424c4b7b000000200000000100000000"
		end    = "424c4b7b000000200000000100000000" + "00000001000000000000000000000000"
		colour = "0000000088062094" // EXP_DONE: PIX0, END_OF_PROGRAM
	)
	lone := func(kind byte, code string) []byte {
		return unhex(t, header+block+fmt.Sprintf("%08x%08x", kind, len(code)/2)+"0000000000000000"+code+end)
	}
	for _, c := range []struct {
		name string
		kind byte
		code string
		want []string
	}{
		{"an empty pixel program", 7, "", []string{"64+0 LATTE001 blocks[0].data[0]"}},
		{"an empty copy program", 10, "", []string{"64+0 LATTE001 blocks[0].data[0]"}},
		{"half a word", 7, colour[:8], []string{"64+4 LATTE001 blocks[0].data[0]"}},
		{"a colour of a pixel program", 7, colour, nil},
		{"a colour of a vertex program", 5, colour, []string{"64+8 LATTE020 blocks[0].data[0]"}},
		{"a colour of a geometry program", 9, colour, []string{"64+8 LATTE020 blocks[0].data[0]"}},
		{"a colour of a copy program", 10, colour, []string{"64+8 LATTE020 blocks[0].data[0]"}},
		{"an empty padding block", 2, "", nil},
	} {
		f, err := gsh.Parse(lone(c.kind, c.code), gsh.Fragment)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, x := range microcode.Check(f, f.Regions()) {
			got = append(got, fmt.Sprintf("%d+%d %s %s", x.Off, x.Len, x.Rule, x.Path))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
