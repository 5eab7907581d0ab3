// Package atomicfile serves this module: it replaces files as a whole. A reader finds either the
// old or the new content, even after a crash or on a full disk.
//
// Other libraries do less. renameio does not build for Windows. Neither it nor natefinch/atomic
// flushes the directory, gives a new file the mode that the user's mask allows, and writes
// through links and into pipes.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Write replaces the content of a file by the output of write. The content goes to a temporary
// file in the same directory, is flushed to the disk, and takes the name. If write returns an
// error, or ignores an error of its writer, or another error occurs, the old file stays and the
// temporary file is removed. The next Write removes one that a killed process left. Symbolic links
// are followed. An existing file keeps its mode. An existing pipe or device is written to directly.
func Write(name string, write func(w io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(Complete(f, write), f.Close())
	}
	f, owner, err := temporary(name)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = name // the name of the temporary file says nothing to a caller
	}
	if err != nil {
		return err
	}
	defer owner.Close()
	if err := fill(f, info, write); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDirectory(filepath.Dir(name))
}

// Clean removes the temporary files that a killed process has left in a directory. Nothing else
// may write there.
func Clean(dir string) (err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && temporaryForm.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// ErrSpecial means that a name belongs to no regular file.
var ErrSpecial = errors.New("not a regular file")

// Read reads a regular file of at most so many bytes. It does not wait for the other end of a pipe.
func Read(name string, most int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", name, ErrSpecial)
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s: more than %d bytes", name, most)
	}
	return b, err
}

// WriteBytes replaces the content of a file.
func WriteBytes(name string, b []byte) error {
	return Write(name, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// fill writes the content, flushes and closes the file, and gives it the mode of the file that
// it replaces, if there is one.
func fill(f *os.File, old os.FileInfo, write func(w io.Writer) error) error {
	err := Complete(f, write)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDirectory flushes the name of a new file. Windows cannot open directories and flushes a
// rename itself.
func syncDirectory(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Complete calls write with a writer that remembers its first error, so that incomplete output
// is never taken for complete output.
func Complete(w io.Writer, write func(w io.Writer) error) error {
	c := &checked{w: w}
	if err := write(c); err != nil {
		return err
	}
	return c.err
}

type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.err = err
	return n, err
}
