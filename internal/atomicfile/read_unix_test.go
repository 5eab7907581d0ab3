//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/picaproof/picaproof/internal/atomicfile"
)

// Read returns a regular file of a limited size, and waits for nothing else.
func TestRead(t *testing.T) {
	name, pipe := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "pipe")
	if err := errors.Join(os.WriteFile(name, []byte("text"), 0o666), syscall.Mkfifo(pipe, 0o666)); err != nil {
		t.Fatal(err)
	}
	if b, err := atomicfile.Read(name, 4); string(b) != "text" || err != nil {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := atomicfile.Read(name, 3); err == nil {
		t.Error("a file that is too long was read")
	}
	if _, err := atomicfile.Read(name+"s", 3); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	for _, special := range []string{pipe, t.TempDir(), "/dev/zero"} {
		if _, err := atomicfile.Read(special, 4); !errors.Is(err, atomicfile.ErrSpecial) {
			t.Errorf("%s: got %v, want %v", special, err, atomicfile.ErrSpecial)
		}
	}
}
