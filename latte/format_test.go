package latte_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/latte"
)

// TestText compares the text of each sample with that of the manifest, and reads it again.
func TestText(t *testing.T) {
	for _, s := range programs(t) {
		p, err := latte.Decode(s.code)
		if err != nil {
			t.Fatal(err)
		}
		got, want := latte.Format(p), strings.Join(s.Text, "\n")+"\n"
		if got != want {
			t.Errorf("%s, %s: got\n%s\nwant\n%s", s.File, s.Type, got, want)
		}
		again, err := latte.Parse(got)
		if err != nil || !bytes.Equal(again.Encode(), s.code) {
			t.Errorf("%s, %s: other bytes after reading the text: %v", s.File, s.Type, err)
		}
	}
}
