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

// Options choose a shader and an entry point in a source that holds several.
type Options struct {
	Shader string // name of a shader in an archive, for targets that hold one
	Entry  string // name or index of an entry point, for targets that hold one
}

// Errors of Convert. Others are errors of writers, and [RefusedError].
var (
	ErrSource = errors.New("holds no PICA200 program")
	ErrEmpty  = fmt.Errorf("the archive is empty, and %w", ErrSource)
	ErrChoice = errors.New("choose one")
)

// Convert returns the model in the target's format. A model of that format is
// returned unchanged; an archive keeps the chosen shader alone. AppendBinary must
// accept the model, and accepts the result. The result may share memory with the
// model. A chosen shader or entry point must exist even if the target needs no choice.
//
// Convert returns a [RefusedError] when the target cannot hold the source, the
// writer's error when the model cannot be written, or an error that wraps
// [ErrSource] or [ErrChoice].
func (t Target) Convert(model Model, o Options) (Model, Report, error) {
	if _, err := model.AppendBinary(nil); err != nil {
		return nil, nil, err
	}
	c := conversion{source: formatOf(model), target: t, options: o}
	if c.source == nil {
		return nil, nil, fmt.Errorf("%T %w", model, ErrSource)
	}
	result, report, err := c.convert(model)
	if err != nil {
		return nil, nil, err
	}
	if _, err := result.AppendBinary(nil); err != nil {
		return nil, nil, c.moved(unheld(err, c.target.format.inDVLB)) // a path is a path in the DVLB
	}
	return result, report, nil
}

// conversion is the state of one call of [Target.Convert].
type conversion struct {
	source  *format
	target  Target
	options Options
	shader  int // index of the source's chosen shader
}

func (c *conversion) convert(model Model) (Model, Report, error) {
	same := c.source == c.target.format
	if same && c.options == (Options{}) {
		return c.own(model)
	}
	var read, written Report
	list, err := c.source.read(model, &read)
	if err != nil {
		return nil, nil, err
	}
	if err := c.options.check(list, c.source); err != nil {
		return nil, nil, err
	}
	switch {
	case same && c.options.Shader == "":
		return c.own(model)
	case !c.target.format.archive || c.options.Shader != "":
		if c.shader, err = chooseShader(list, c.options.Shader, c.source, c.target.format, &read); err != nil {
			return nil, nil, err
		}
	}
	if same {
		selected, report := selectShader(model, c.shader)
		return selected, append(others(list, c.shader), report...), nil
	}
	if !c.target.format.archive || c.options.Shader != "" {
		list = list[c.shader : c.shader+1]
	}
	for i := range list {
		read = append(read, list[i].lost...)
	}
	result, err := c.target.write(list, c.options, &written)
	if err != nil {
		return nil, nil, c.moved(err)
	}
	return result, compose(read, written, c.source, c.target.format, c.shader), nil
}

// own returns a model that already has the target's format: a ZPSH in the
// target's revision, any other model unchanged.
func (c *conversion) own(model Model) (Model, Report, error) {
	if z, ok := model.(*zpsh.File); ok {
		z, report := revised(z, c.target.revision)
		return z, report, nil
	}
	return model, nil, nil
}
