package convert

import (
	"errors"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// RefusedError says that the target cannot hold the source at all.
type RefusedError struct {
	Path string `json:"path,omitempty"` // in the source; "" is the whole source
	Why  string `json:"why"`
}

// Error returns "dvle[0].entry: an object starts at its first word, not at 5".
func (e *RefusedError) Error() string {
	if e.Path == "" {
		return e.Why
	}
	return e.Path + ": " + e.Why
}

func refuse(path, format string, args ...any) error {
	return &RefusedError{path, fmt.Sprintf(format, args...)}
}

// sourceError wraps a RefusedError whose path is a path in the source already.
type sourceError struct{ error }

// moved translates the path of a RefusedError from a path in the DVLB to a path
// in the source.
func (c *conversion) moved(err error) error {
	var done *sourceError
	var refused *RefusedError
	switch {
	case errors.As(err, &done):
		return done.error
	case errors.As(err, &refused) && refused.Path != "":
		path, _ := c.source.path(c.shader, refused.Path)
		return &RefusedError{path, refused.Why}
	}
	return err
}

// unheld turns a writer's error into a RefusedError. Offsets in a file that was
// not written have no meaning and are left out. path translates the path of the
// finding into a path in the DVLB.
func unheld(err error, path func(string) string) *RefusedError {
	var invalid *diag.InvalidError
	if errors.As(err, &invalid) {
		if f := diag.FirstError(invalid.Findings); f != nil {
			return &RefusedError{path(f.Path), fmt.Sprintf("%s in the target: %s (expected %s, found %s)", f.Rule,
				f.Msg, f.Expected, f.Found)}
		}
	}
	return &RefusedError{"", err.Error()}
}

// inDVLB translates a path in the format into a path in the DVLB. Paths in an
// archive stay unchanged.
func (f *format) inDVLB(path string) string {
	switch f {
	case zpshFormat:
		if rest, ok := strings.CutPrefix(path, "entries["); ok {
			return "dvle[" + rest
		}
		return "dvlp." + path
	case dvojFormat:
		return "dvlp." + path
	}
	return path
}
