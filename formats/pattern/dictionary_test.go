package pattern_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/pattern"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/golden"
)

// TestDictionaries records the dictionary of a format, and looks for the magics of each.
func TestDictionaries(t *testing.T) {
	for f := range registry.All() {
		seen, magics := map[string]bool{}, 0
		for _, token := range pattern.Dictionary(f.Name) {
			if seen[string(token.Bytes)] || seen["name "+token.Name] {
				t.Errorf("%s: %s %q occurs twice", f.Name, token.Name, token.Bytes)
			}
			seen[string(token.Bytes)], seen["name "+token.Name] = true, true
		}
		for _, magic := range f.Magics {
			if seen[magic] {
				magics++
			}
		}
		if magics != len(f.Magics) {
			t.Errorf("%s: %d of the magics %q", f.Name, magics, f.Magics)
		}
	}
	if list := pattern.Dictionary("nothing"); list != nil {
		t.Errorf("an unknown format has %v", list)
	}
	var text strings.Builder
	if err := pattern.WriteDictionary(&text, pattern.Dictionary("shbin")); err != nil {
		t.Fatal(err)
	}
	golden.Text(t, "shbin.dict", text.String())
	text.Reset()
	quoted := []pattern.Token{{Name: "a", Bytes: []byte("\"\\\x00 \xFFb")}}
	if err := pattern.WriteDictionary(&text, quoted); err != nil || text.String() != `a="\x22\x5C\x00\x20\xFF\x62"`+"\n" {
		t.Errorf("%v, %s", err, text.String())
	}
}
