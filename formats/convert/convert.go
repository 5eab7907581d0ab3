package convert

import (
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// Model is the *File of a format.
type Model interface {
	AppendBinary(b []byte) ([]byte, error)
}

// Options choose among what a source holds several of.
type Options struct {
	Shader string // name of a shader in an archive, for targets that hold one
	Entry  string // name or index of an entry point, for targets that hold one
}

// Errors of Convert besides those of writers and [RefusedError].
var (
	ErrSource = errors.New("holds no PICA200 program")
	ErrChoice = errors.New("choose one")
)

// Convert returns a model as the target's format has it. A model of that format
// comes back itself. The model is one that its AppendBinary accepts; the result
// is such a model too, and may share memory with it.
//
// The error is a [RefusedError] or that of a writer when the target cannot hold
// the source, or wraps [ErrSource] or [ErrChoice].
func (t Target) Convert(model Model, o Options) (Model, Report, error) {
	if _, err := model.AppendBinary(nil); err != nil {
		return nil, nil, err
	}
	result, report, err := t.convert(model, o)
	if err != nil {
		return nil, nil, err
	}
	if _, err := result.AppendBinary(nil); err != nil {
		return nil, nil, err
	}
	return result, report, nil
}

func (t Target) convert(model Model, o Options) (Model, Report, error) {
	source := formatOf(model)
	switch {
	case source == nil:
		return nil, nil, fmt.Errorf("%T %w", model, ErrSource)
	case source == t.format && source == zpshFormat:
		z, report := revised(model.(*zpsh.File), t.revision)
		return z, report, nil
	case source == t.format && o == Options{}:
		return model, nil, nil
	}
	var read, written Report
	list, err := source.read(model, &read)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	if !t.format.archive || o.Shader != "" {
		if n, err = chooseShader(list, o.Shader, source, t.format, &read); err != nil {
			return nil, nil, err
		}
		list = list[n : n+1]
	}
	for i := range list {
		read = append(read, list[i].lost...)
	}
	result, err := t.write(list, o, &written)
	if err != nil {
		if !t.format.archive {
			err = moved(err, source, n)
		}
		return nil, nil, err
	}
	return result, compose(read, written, source, t.format, n), nil
}
