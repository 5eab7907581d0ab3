package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/gofrs/flock"
)

// places is the number of fixed names of temporary files beside a file. A process that writes the
// file has the lock of its temporary file: one without an owner was left by a killed process.
// Further processes use random names, and so does Windows, where a lock keeps its owner from writing.
const places = 4

// temporaryForm is the form of the names of temporary files.
var temporaryForm = regexp.MustCompile(`^\..+\.[0-9a-f]{1,16}\.tmp$`)

func temporaryName(name string, place uint64) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%x.tmp", filepath.Base(name), place))
}

// temporary creates a file beside the named one, with the mode that the user's mask allows
// (os.CreateTemp would restrict it to its owner), and removes what killed processes left there.
// The owner is to be closed when the file has its name.
func temporary(name string) (f *os.File, owner *flock.Flock, err error) {
	for place := uint64(0); place < places && runtime.GOOS != "windows"; place++ {
		hidden := temporaryName(name, place)
		removeLeft(hidden)
		if f != nil {
			continue
		}
		switch f, err = create(hidden); {
		case errors.Is(err, fs.ErrExist):
			continue // another process writes the file
		case err != nil:
			return nil, nil, err
		}
		var taken bool
		if owner, taken = take(hidden); taken {
			_ = f.Close() // another process took it for a file without an owner
			f = nil
		}
	}
	if f == nil {
		owner = flock.New("")
		f, err = create(temporaryName(name, rand.Uint64()|places))
	}
	return f, owner, err
}

func create(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// take takes the lock of a file. Taken means that another process has it, or removed the file. In a
// file system without locks nobody has one.
func take(name string) (owner *flock.Flock, taken bool) {
	owner = flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := owner.TryLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return owner, true
	case err != nil || !ok:
		return owner, err == nil
	}
	own, err := owner.Stat()
	if err == nil {
		var present fs.FileInfo
		if present, err = os.Lstat(name); err == nil && os.SameFile(own, present) {
			return owner, false
		}
	}
	_ = owner.Close()
	return owner, true
}

// removeLeft removes a temporary file without an owner.
func removeLeft(name string) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if owner, taken := take(name); !taken && owner.Locked() {
		_ = os.Remove(name) // it stays if that is impossible
		_ = owner.Close()
	}
}
