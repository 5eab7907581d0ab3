package hunt_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/hunt"
)

// TestStateFromOutside: a state that no hunt has written is refused, and names no file outside of
// its directory.
func TestStateFromOutside(t *testing.T) {
	for text, right := range map[string]bool{
		`{"seed":1,"targets":[{"name":"alu f24","next":64}],"buckets":[{"target":"t","key":"k","file":"mul-one-step"}],"corpus":[{"target":"t","points":3}]}`: true,
		`{}`:                       true,
		`{"targets":[null]}`:       false,
		`{"targets":[{"next":1}]}`: false,
		`{"targets":[{"name":"a"},{"name":"a"}]}`:                                               false,
		`{"targets":[{"name":"a","next":18446744073709551615}]}`:                                false,
		`{"buckets":[null]}`:                                                                    false,
		`{"buckets":[{"target":"t","key":"k","file":"../victim/x"}]}`:                           false,
		`{"buckets":[{"target":"t","key":"k","file":"/etc/x"}]}`:                                false,
		`{"buckets":[{"target":"t","key":"k","file":"a\u0000b"}]}`:                              false,
		`{"buckets":[{"target":"t","key":"k","file":"C:x"}]}`:                                   false,
		`{"targets":[{"name":"a","outcomes":{"x":18446744073709551615}}]}`:                      false,
		`{"targets":[{"name":"a","messages":{"x":{"y":281474976710657}}}]}`:                     false,
		`{"buckets":[{"file":"a"}]}`:                                                            false,
		`{"buckets":[{"target":"t","key":"k","file":"a"},{"target":"t","key":"k","file":"a"}]}`: false,
		`{"buckets":[{"target":"t","key":"k","file":"a","count":-1}]}`:                          false,
		`{"buckets":[{"target":"t","key":"k","file":"a","number":281474976710657}]}`:            false,
		`{"corpus":[{"target":"t","points":-1}]}`:                                               false,
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

// TestSpecialState: a state that is no file ends at once.
func TestSpecialState(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "campaign.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	if s, err := hunt.Open(dir, 1); err == nil {
		s.Close()
		t.Error("a folder was opened")
	}
	if _, err := hunt.LoadReduction(dir, "", nil); err == nil {
		t.Error("a folder was loaded")
	}
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte(`{"memory":"A"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := hunt.LoadReduction(bad, "", nil); !errors.Is(err, hunt.ErrReduction) {
		t.Errorf("got %v, want %v", err, hunt.ErrReduction)
	}
}

// TestLeftOver: temporary files of a killed hunt go at the next start, and no others.
func TestLeftOver(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".campaign.json.1f.tmp", ".mine.tmp", "notes.1f.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	left, err := filepath.Glob(filepath.Join(dir, "*tmp"))
	if want := []string{filepath.Join(dir, ".mine.tmp"), filepath.Join(dir, "notes.1f.tmp")}; err != nil ||
		!slices.Equal(left, want) {
		t.Errorf("left: %q, %v, want %q", left, err, want)
	}
}
