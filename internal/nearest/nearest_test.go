package nearest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/nearest"
)

func TestOf(t *testing.T) {
	names := slices.Values([]string{"check", "chuck", "dump", "x", "add", "adder"})
	for name, want := range map[string]string{
		"chek": "check", "hceck": "check", "chck": "check", // of two equally near the first
		"chec": "check", "dum": "dump", "adderss": "adder", "chu": "chuck", "ch": "",
		"DUMP": "", "dmup": "dump", "dumping": "", "d": "", "X": "x", "addd": "add", "ad": "add",
		"": "", strings.Repeat("check", 7): "",
	} {
		if got := nearest.Of(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// TestOrder checks which of several near candidates is chosen: the fewest edits, then the name as a beginning, then
// the alphabet, whatever the order of the candidates.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name, want string
		candidates []string
	}{
		{"dum", "dump", []string{"sum", "dump"}},
		{"dum", "dump", []string{"dump", "sum"}},
		{"zum", "zump", []string{"zump", "aum"}},
		{"lin", "bin", []string{"fin", "bin"}},
		{"reduced", "reduce", []string{"redact", "reduce"}},
		{"checking", "checkin", []string{"checkin", "cheking"}},
		{"aaaaaa", "aaaabb", []string{"aaaabb", "aaabbb"}},
		{strings.Repeat("a", 32), strings.Repeat("a", 34), []string{strings.Repeat("a", 35), strings.Repeat("a", 34)}},
		{strings.Repeat("a", 33), "", []string{strings.Repeat("a", 33)}},
		{"ab", "", []string{"cd"}},
		{"war", "warning", []string{"error", "warning"}},
		{"aza", "", []string{"azahar-x64", "azahar-jit"}},
		{"wa", "", []string{"warning"}},
		{"warn", "ward", []string{"warning", "ward"}},
		{"abcde", "", []string{"xbcxe"}}, // two edits of five characters
		{"ab", "ba", []string{"ba"}},
		{"ca", "", []string{"abc"}}, // no edit touches another
	} {
		if got := nearest.Of(c.name, slices.Values(c.candidates)); got != c.want {
			t.Errorf("%q of %q: got %q, want %q", c.name, c.candidates, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	if got := nearest.Hint("chek", []string{"dump", "check"}); got != `, did you mean "check"?` {
		t.Errorf("got %q", got)
	}
	if got := nearest.Hint("chek", []string{"dump"}); got != "" {
		t.Errorf("got %q", got)
	}
}
