package golden_test

import (
	"os"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/golden"
)

// recorder is a test whose errors are recorded.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, strings.TrimSpace(format), args[0].(string), args[2].(string), args[3].(string))
}

// TestText: a text that is not as in the file is told by its first line that differs.
func TestText(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/a.txt", []byte("one\ntwo\nthree\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][2]string{
		"one\ntwo\nthree\n":  {},
		"one\n2\nthree\n":    {"2\n", "two\n"},
		"one\ntwo\n":         {"", "three\n"},
		"one\ntwo\nthree\n4": {"4", ""},
		"one\ntwo\nthree":    {"three", "three\n"},
	} {
		r := &recorder{TB: t}
		golden.Text(r, "a.txt", text)
		if text == "one\ntwo\nthree\n" {
			if len(r.errors) > 0 {
				t.Errorf("the same text: got %q", r.errors)
			}
			continue
		}
		if len(r.errors) != 4 || r.errors[2] != want[0] || r.errors[3] != want[1] {
			t.Errorf("%q: got %q, want %q", text, r.errors, want)
		}
	}
}
