package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/picaproof/picaproof/internal/atomicfile"
)

// folder is a directory into which a command writes new files. It replaces none.
type folder string

// prepare creates the directory if there is none. It fails if one of the names is taken.
func (f folder) prepare(names []string) error {
	if f == "" {
		return errors.New("name the directory for the files")
	}
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(string(f), name)
		switch _, err := os.Lstat(path); {
		case err == nil:
			return fmt.Errorf("%s is there already: name another directory, or remove it", shown(path))
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// write writes a file of a name that prepare has found free.
func (f folder) write(name string, content func(w io.Writer) error) error {
	return atomicfile.Write(filepath.Join(string(f), name), content)
}
