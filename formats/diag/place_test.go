package diag_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
)

func TestCountOfThings(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 more bytes", 1: "1 more byte", 2: "2 more bytes"} {
		if got := diag.Count(n, "more byte").String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := diag.Bytes(1).String(); got != "1 byte" {
		t.Errorf("got %q", got)
	}
}
