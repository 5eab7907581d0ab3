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
		"DUMP": "", "dmup": "dump", "dumping": "", "d": "", "X": "x", "addd": "add", "ad": "add",
		"": "", strings.Repeat("check", 7): "",
	} {
		if got := nearest.Of(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
