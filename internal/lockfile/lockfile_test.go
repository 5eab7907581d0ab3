package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gofrs/flock"
)

// TestOneAtATime: only one has the lock, although its file is removed and made again all the time.
func TestOneAtATime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	var holders, taken atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				l, err := Take(name)
				if errors.Is(err, ErrTaken) { // the others were faster each time
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d have the lock", n)
				}
				holders.Add(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if _, err := os.Lstat(name); !errors.Is(err, os.ErrNotExist) || taken.Load() == 0 {
		t.Errorf("taken %d times; the file is left: %v", taken.Load(), err)
	}
}

// TestRemovedFile: who gets the lock of a file that was removed meanwhile does not have the lock.
func TestRemovedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	tries := 0
	l, err := take(name, func(f *flock.Flock) (bool, error) {
		ok, err := f.TryLock()
		if tries++; tries == 1 {
			err = errors.Join(err, os.Remove(name)) // by its last owner, between opening and locking
		}
		return ok, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := flock.New(name).TryLock(); ok || err != nil || tries != 2 {
		t.Errorf("%d tries; another one got the lock: %v, %v", tries, ok, err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
}

// TestSpecial: a link in the place of the file leads nowhere.
func TestSpecial(t *testing.T) {
	dir := t.TempDir()
	for _, make := range []func(name string) error{
		func(name string) error { return os.Mkdir(name, 0o777) },
		func(name string) error { return os.Symlink(filepath.Join(dir, "other"), name) },
	} {
		name := filepath.Join(t.TempDir(), "lock")
		if err := make(name); err != nil {
			t.Fatal(err)
		}
		if _, err := Take(name); !errors.Is(err, ErrSpecial) {
			t.Errorf("got %v, want %v", err, ErrSpecial)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("behind the link: %v, %v", entries, err)
	}
}

// TestTaken: a lock that is not given back is an error, and the file of another one stays.
func TestTaken(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	l, err := Take(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Take(name); !errors.Is(err, ErrTaken) {
		t.Errorf("got %v, want %v", err, ErrTaken)
	}
	if err := errors.Join(os.Remove(name), os.WriteFile(name, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(name); err != nil {
		t.Errorf("another file was removed: %v", err)
	}
}
