package hunt_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/fuzz/hunt"
)

// TestStateFromOutside: a state that no hunt has written is refused, and names no file outside of
// its directory.
func TestStateFromOutside(t *testing.T) {
	for text, right := range map[string]bool{
		`{"seed":1,"targets":[{"name":"alu f24","next":64}],"buckets":[{"file":"mul-one-step"}],"corpus":[{"points":3}]}`: true,
		`{}`:                       true,
		`{"targets":[null]}`:       false,
		`{"targets":[{"next":1}]}`: false,
		`{"targets":[{"name":"a"},{"name":"a"}]}`:                false,
		`{"targets":[{"name":"a","next":18446744073709551615}]}`: false,
		`{"buckets":[null]}`:                                     false,
		`{"buckets":[{"file":"../victim/x"}]}`:                   false,
		`{"buckets":[{"file":"/etc/x"}]}`:                        false,
		`{"buckets":[{"file":"a\u0000b"}]}`:                      false,
		`{"buckets":[{"file":"C:x"}]}`:                           false,
		`{"buckets":[{"file":"a"},{"file":"a"}]}`:                false,
		`{"buckets":[{"file":"a","count":-1}]}`:                  false,
		`{"buckets":[{"file":"a","number":281474976710657}]}`:    false,
		`{"corpus":[{"points":-1}]}`:                             false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "campaign.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := hunt.Open(dir, 1)
		if right != (err == nil) || !right && !errors.Is(err, hunt.ErrState) {
			t.Errorf("%s: got %v", text, err)
		}
		if err == nil {
			s.Close()
		}
	}
}
