//go:build unix

package atomicfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/internal/atomicfile"
)

// TestLeft: a write removes what killed processes left beside this file, and nothing else.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	kept := []string{".f", ".f.0", ".f.4.tmp", ".f.x.tmp", ".ff.0.tmp", ".g.0.tmp", "f.0.tmp"}
	for _, name := range append([]string{".f.0.tmp", ".f.1.tmp", ".f.3.tmp"}, kept...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".f.2.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, ".f.2.tmp")
	if err := os.Symlink("f.0.tmp", filepath.Join(dir, ".h.0.tmp")); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, ".h.0.tmp", "h")
	for _, own := range []string{"h", "f"} {
		if err := atomicfile.WriteBytes(filepath.Join(dir, own), []byte("new")); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(kept)
	if got := names(t, dir, "f"); !slices.Equal(got, kept) {
		t.Errorf("got %q, want %q", got, kept)
	}
	if text := content(t, filepath.Join(dir, "f.0.tmp")); text != "" {
		t.Errorf("a link in the place of a temporary file was followed: %q", text)
	}
}

// TestInUse: the temporary files of others who write the same file stay.
func TestInUse(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	var write func(depth int) error
	write = func(depth int) error {
		return atomicfile.Write(name, func(w io.Writer) error {
			if depth > 0 {
				if err := write(depth - 1); err != nil {
					return err
				}
			}
			_, err := fmt.Fprint(w, depth)
			return err
		})
	}
	const depth = 6 // more than there are fixed names
	if err := write(depth); err != nil || content(t, name) != fmt.Sprint(depth) {
		t.Errorf("got %v and %q", err, content(t, name))
	}
	if left := names(t, dir, "f"); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

// TestManyWriters: nobody takes the temporary file of another one away.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 40 {
				if err := atomicfile.WriteBytes(name, []byte("text")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := atomicfile.WriteBytes(name, []byte("text")); err != nil || content(t, name) != "text" {
		t.Errorf("got %v and %q", err, content(t, name))
	}
	if left := names(t, dir, "f"); left != nil {
		t.Errorf("left behind: %q", left)
	}
}
