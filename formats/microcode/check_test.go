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
