// Package lockfile serves this module: it lets one process at a time have something. The file of
// a lock is removed when the lock is given back; a killed process leaves it.
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// ErrTaken means that another process has the lock.
var ErrTaken = errors.New("another process has the lock")

// patience is the time in which a killed process gives up its locks: a process that it was about to
// start has their files open, too, for a moment.
const patience = 2 * time.Second

// Lock is a lock that this process has.
type Lock struct{ file *flock.Flock }

// ErrSpecial means that something else than a file has the name of a lock.
var ErrSpecial = errors.New("not a regular file")

// Take takes the lock that belongs to the name of a file, which it creates. It follows no link.
func Take(name string) (*Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return take(name, func(f *flock.Flock) (bool, error) { return f.TryLockContext(ctx, patience/100) })
}

func take(name string, lock func(f *flock.Flock) (bool, error)) (*Lock, error) {
	for {
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", name, ErrSpecial)
		}
		l := &Lock{flock.New(name)}
		_, err := lock(l.file)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, ErrTaken
		case err != nil:
			return nil, err
		case l.named():
			return l, nil
		}
		// The file was removed between its opening and its locking.
		if err := l.file.Close(); err != nil {
			return nil, err
		}
	}
}

// named reports whether the locked file still has its name.
func (l *Lock) named() bool {
	own, err := l.file.Stat()
	if err != nil {
		return false
	}
	present, err := os.Lstat(l.file.Path())
	return err == nil && os.SameFile(own, present)
}

// Release gives the lock back. A file that cannot be removed stays: the next process takes it.
func (l *Lock) Release() error {
	if runtime.GOOS != "windows" && l.named() {
		_ = os.Remove(l.file.Path())
		return l.file.Close()
	}
	err := l.file.Close()
	if runtime.GOOS == "windows" { // which removes no file that anybody has open
		_ = os.Remove(l.file.Path())
	}
	return err
}
