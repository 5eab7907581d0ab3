package latte_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/latte"
)

// sample is what the manifest says about a program.
type sample struct {
	File         string `json:"-"`
	Type         string
	CodeAt       int   `json:"code_at"`
	Bytes        int   `json:"bytes"`
	CFWords      int   `json:"cf_words"`
	Clauses      []any `json:"clauses"`
	Groups       int   `json:"alu_groups"`
	ALU          int   `json:"alu_instructions"`
	LiteralWords int   `json:"literal_words"`
	Fetches      int   `json:"fetch_instructions"`
	Padding      int   `json:"padding_bytes"`
	Tail         int   `json:"tail_bytes"`
	Text         []string
	code         []byte
}

func programs(t testing.TB) (all []sample) {
	t.Helper()
	var manifest map[string]struct{ Programs []sample }
	read(t, "manifest.json", &manifest)
	for name, file := range manifest {
		data := samples.Read(t, "latte/"+name)
		for _, s := range file.Programs {
			s.File, s.code = name, data[s.CodeAt:s.CodeAt+s.Bytes]
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b sample) int {
		return slices.Compare([]string{a.File, a.Type}, []string{b.File, b.Type})
	})
	if len(all) != 18 {
		t.Fatalf("%d programs, want 18", len(all))
	}
	return all
}

func read(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(samples.Read(t, "latte/"+name), v); err != nil {
		t.Fatal(err)
	}
}

// TestSamples compares each sample with the facts of the manifest.
func TestSamples(t *testing.T) {
	for _, s := range programs(t) {
		p, err := latte.Decode(s.code)
		if err != nil {
			t.Errorf("%s, %s: %v", s.File, s.Type, err)
			continue
		}
		if !bytes.Equal(p.Encode(), s.code) {
			t.Errorf("%s, %s: other bytes after encoding", s.File, s.Type)
		}
		literals, gaps := 0, 0
		for _, g := range p.Groups {
			literals += 2 * g.LiteralWords
		}
		for _, g := range p.Gaps {
			gaps += g.Words * latte.WordBytes
		}
		got := []int{len(p.CF), len(p.Clauses), len(p.Groups), len(p.ALU), literals, len(p.Fetches), gaps}
		want := []int{s.CFWords, len(s.Clauses), s.Groups, s.ALU, s.LiteralWords, s.Fetches, s.Padding + s.Tail}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: got %v, want %v", s.File, s.Type, got, want)
		}
	}
}

// TestLayouts: the fields of a form cover every bit once, and each name is there once.
func TestLayouts(t *testing.T) {
	for _, l := range latte.Layouts {
		var words [4]uint32
		names := map[string]bool{}
		for _, f := range l.Fields {
			mask := uint32(1<<f.Width-1) << f.Low
			if words[f.Word]&mask != 0 || names[f.Name] {
				t.Errorf("%s: %s overlaps or is there twice", l.Name, f.Name)
			}
			words[f.Word] |= mask
			names[f.Name] = true
		}
		for i, w := range words {
			if w != 1<<32-1 && (w != 0 || i < 2) {
				t.Errorf("%s: word %d has fields for %08X only", l.Name, i, w)
			}
		}
	}
}

// TestDecodeMutations: a starred rule is the first that a corrupted program breaks.
func TestDecodeMutations(t *testing.T) {
	starred := []string{"LATTE001", "LATTE002", "LATTE003", "LATTE004", "LATTE005", "LATTE006",
		"LATTE030", "LATTE031", "LATTE032", "LATTE057"}
	all := programs(t)
	tried := 0
	for _, m := range mutations(t) {
		if m.Patch[0].Hex == "" { // the file has another length
			continue
		}
		data := samples.Read(t, "latte/"+m.Base)
		for _, p := range m.Patch {
			copy(data[p.At:], unhex(t, p.Hex))
		}
		var got *latte.DecodeError
		at := 0
		for _, s := range all {
			if s.File != m.Base {
				continue
			}
			code := data[s.CodeAt : s.CodeAt+s.Bytes]
			p, err := latte.Decode(code)
			if err != nil {
				got, at = err.(*latte.DecodeError), s.CodeAt
			} else if !bytes.Equal(p.Encode(), code) {
				t.Errorf("%s: other bytes after encoding", m.ID)
			}
		}
		want := m.Expect[0]
		switch {
		case slices.Contains(starred, want.Rule):
			tried++
			if got == nil || got.Rule != want.Rule || at+got.Off != want.Offset {
				t.Errorf("%s: got %v behind %d, want %s at %d", m.ID, got, at, want.Rule, want.Offset)
			}
		case got != nil:
			t.Errorf("%s: refused, %v; want %s only", m.ID, got, want.Rule)
		}
	}
	if tried != 11 {
		t.Errorf("%d corruptions stop decoding, want 11", tried)
	}
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// mutation is a corruption of a sample.
type mutation struct {
	ID, Base string
	Patch    []struct {
		At  int
		Hex string
	}
	Expect []struct {
		Rule, Severity string
		Offset         int
	}
}

func mutations(t testing.TB) (all []mutation) {
	t.Helper()
	read(t, "mutations.json", &all)
	if len(all) != 101 {
		t.Fatalf("%d corruptions, want 101", len(all))
	}
	return all
}
