package conform_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestRebuilt: the state of a core is not the state of another core of the same name.
func TestRebuilt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "core")
	run := func(content string) error {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o777); err != nil {
			t.Fatal(err)
		}
		_, err := conform.Run(t.Context(), adapter.InProcess(name+" --jit", profile.HW(), impl.New),
			conform.Options{Suites: []string{"upload"}, Seed: 1, State: name + ".state"})
		return err
	}
	for _, content := range []string{"first", "first"} {
		if err := run(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := run("second"); !errors.Is(err, journal.ErrRebuilt) {
		t.Errorf("got %v, want %v", err, journal.ErrRebuilt)
	}
}
