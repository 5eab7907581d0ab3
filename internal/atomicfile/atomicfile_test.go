package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/atomicfile"
)

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// names returns the directory's files without the file that the test wrote.
func names(t *testing.T, dir, own string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != own {
			list = append(list, e.Name())
		}
	}
	return list
}

func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	for _, want := range []string{"new", "a longer second one", ""} {
		if err := atomicfile.WriteBytes(name, []byte(want)); err != nil || content(t, name) != want {
			t.Errorf("got %q, %v, want %q", content(t, name), err, want)
		}
	}
	if left := names(t, dir, "f"); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

// TestAFailedWriteKeepsTheOldFile: whether the function reports the error or not.
func TestAFailedWriteKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := atomicfile.WriteBytes(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no more")
	err := atomicfile.Write(name, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		return failed
	})
	if !errors.Is(err, failed) || content(t, name) != "old" {
		t.Errorf("got %v and %q, want %v and the old file", err, content(t, name), failed)
	}
	if left := names(t, dir, "f"); left != nil {
		t.Errorf("left behind: %q", left)
	}
	if err := atomicfile.WriteBytes(filepath.Join(dir, "missing", "f"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that the directory does not exist", err)
	}
}

// TestErrorsInTheirOrder: a directory takes no content, and the error of a step comes before the
// error of the clean-up, which finds no temporary file.
func TestErrorsInTheirOrder(t *testing.T) {
	dir := t.TempDir()
	if err := atomicfile.WriteBytes(dir, nil); errors.Is(err, os.ErrInvalid) || err == nil {
		t.Errorf("got %v, want that a directory cannot be opened", err)
	}
	if err := atomicfile.SyncDirectory(filepath.Join(dir, "missing")); runtime.GOOS == "windows" {
		return // the temporary file cannot be removed while it is open
	} else if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that the directory does not exist", err)
	}
	name := filepath.Join(dir, "f")
	for want, result := range map[string]error{"failed\nremove ": errors.New("failed"), "rename ": nil} {
		err := atomicfile.Write(name, func(io.Writer) error {
			left := names(t, dir, "f")
			if len(left) != 1 || !strings.HasPrefix(left[0], ".f.") {
				t.Fatalf("temporary files %q, want one hidden file with the name", left)
			}
			return errors.Join(os.Remove(filepath.Join(dir, left[0])), result)
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "\nremove ") {
			t.Errorf("got %v, want %s and that nothing can be removed", err, want)
		}
	}
}

// full is a writer that accepts a number of bytes.
type full struct{ room int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.room {
		return 0, errFull
	}
	f.room -= len(b)
	return len(b), nil
}

// TestCompleteRemembers: a function that ignores the error of its writer.
func TestCompleteRemembers(t *testing.T) {
	w := &full{3}
	err := atomicfile.Complete(w, func(w io.Writer) error {
		for i, s := range []string{"ab", "cd", "e"} {
			n, err := io.WriteString(w, s)
			if i == 0 && (n != 2 || err != nil) || i > 0 && (n != 0 || err != errFull) {
				t.Errorf("write %d: got %d, %v", i, n, err)
			}
		}
		return nil
	})
	if !errors.Is(err, errFull) || w.room != 1 {
		t.Errorf("got %v and room for %d, want %v and nothing written after it", err, w.room, errFull)
	}
}

func TestModeLinksAndDevices(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // other systems lack these modes, links and devices
	}
	dir := t.TempDir()
	name, link := filepath.Join(dir, "f"), filepath.Join(dir, "link")
	if err := os.WriteFile(name, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", link); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteBytes(link, []byte("x")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(name)
	if err != nil || info.Mode() != 0o604 || content(t, name) != "x" {
		t.Errorf("mode %v, %q, %v: want the old mode and the new content behind the link", info.Mode(),
			content(t, name), err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteBytes(filepath.Join(dir, "new"), nil); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(plain)
	if got, err := os.Stat(filepath.Join(dir, "new")); err != nil || got.Mode() != want.Mode() {
		t.Errorf("a new file has mode %v, %v, want %v as the user's mask says", got.Mode(), err, want.Mode())
	}
	// The pipe has a name in a directory where no user can replace it by a file, whatever Write does.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteBytes(fmt.Sprintf("/dev/fd/%d", w.Fd()), []byte("x")); err != nil {
		t.Error(err)
	}
	w.Close()
	if b, err := io.ReadAll(r); err != nil || string(b) != "x" {
		t.Errorf("a pipe got %q, %v, want x", b, err)
	}
}
