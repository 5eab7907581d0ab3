package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Names of the directory above the directories of runs, and of the file in it that is locked as
// long as it is in use. The content of that file tells that the directory is one of ours.
const (
	rootPattern = "picaproof-runs-*"
	lockName    = "picaproof-runs.lock"
	lockContent = "picaproof removes this directory when no process has locked this file.\n"
)

// begin makes that directory, and removes those of killed processes.
func (l *Line) begin() (err error) {
	removeUnused()
	for locked := false; !locked; { // until no other process takes it for unused, before it is locked
		if l.root, err = os.MkdirTemp("", rootPattern); err != nil {
			return err
		}
		name := filepath.Join(l.root, lockName)
		if err := os.WriteFile(name, []byte(lockContent), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.lock = flock.New(name)
		if locked, err = l.lock.TryLock(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	l.files, err = os.OpenRoot(l.root)
	return err
}

// removeUnused removes the directories that no process uses any more. What another user or another
// program has made, or a link leads to, stays.
func removeUnused() {
	list, _ := filepath.Glob(filepath.Join(os.TempDir(), rootPattern)) // the pattern is right
	for _, dir := range list {
		name := filepath.Join(dir, lockName)
		if !mine(dir, fs.ModeDir) || !mine(name, 0) {
			continue
		}
		if content, err := os.ReadFile(name); err != nil || string(content) != lockContent {
			continue
		}
		lock := flock.New(name, flock.SetFlag(os.O_RDWR)) // no new file
		if locked, err := lock.TryLock(); err == nil && locked {
			removeTree(dir)
		}
		_ = lock.Close()
	}
}

// mine reports whether a name is that of a file of a type, or of a directory, of this user; a link is
// another type.
func mine(name string, kind fs.FileMode) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().Type() == kind && owned(info)
}

// removeTree removes a directory of a run that was killed.
func removeTree(dir string) {
	files, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	l := Line{files: files}
	_ = l.remove(".")
	_ = files.Close()
	_ = os.RemoveAll(dir)
}

// remove removes what a run has left under a name, "." for everything. It follows no link, and
// takes back permissions that the command has taken away.
func (l *Line) remove(name string) error {
	if name != "." && l.files.RemoveAll(name) == nil {
		return nil
	}
	_ = fs.WalkDir(l.files.FS(), name, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = l.files.Chmod(path, 0o700)
		}
		return nil
	})
	if name == "." {
		return nil
	}
	return l.files.RemoveAll(name)
}
