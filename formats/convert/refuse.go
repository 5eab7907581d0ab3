package convert

import (
	"errors"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// RefusedError says that the target cannot hold the source at all.
type RefusedError struct {
	Path string `json:"path,omitempty"` // in the source; "" when it is about all of it
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

// sourceError is a refusal whose path is one in the source already.
type sourceError struct{ error }

// moved makes the path of a refusal, which is one in a DVLB, one in the source.
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

// unwritable makes a refusal of the error with which the writer of the target
// turned down the result.
func (c *conversion) unwritable(err error) error {
	refused := unheld(err, c.target.format.inDVLB)
	if !c.target.format.archive {
		return c.moved(refused)
	}
	rest, inShader := strings.CutPrefix(refused.Path, "shaders[")
	index, field, _ := strings.Cut(rest, "].")
	dvlb, inDVLB := strings.CutPrefix(field, "dvlb.")
	switch {
	case inDVLB && !c.source.archive:
		refused.Path = dvlb
		return c.moved(refused)
	case !inShader || !c.source.archive:
		refused.Path = "" // of what the source does not have
	case c.options.Shader != "":
		refused.Path = item("shaders", c.shader, field)
	default:
		refused.Path = "shaders[" + index + "]." + field
	}
	return refused
}

// unheld makes a refusal of the error of a writer. Offsets in what was not
// written mean nothing; path moves the path of what is wrong to where it is in
// a DVLB.
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

// inDVLB returns where the field of a path of the format is in a DVLB, the path
// itself in an archive.
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
