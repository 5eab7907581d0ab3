package registry

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica"
)

// file is the method set that the *File of each format package has.
type file[F any] interface {
	AppendBinary(b []byte) ([]byte, error)
	Regions() []diag.Region
	Canonical() F
}

// document makes a *File a Document.
type document[F file[F]] struct{ f F }

func (d document[F]) AppendBinary(b []byte) ([]byte, error) { return d.f.AppendBinary(b) }
func (d document[F]) Regions() []diag.Region                { return d.f.Regions() }
func (d document[F]) Canonical() Document                   { return wrap(d.f.Canonical()) }
func (d document[F]) Model() any                            { return d.f }

// shaderDocument is a document whose *File has Shaders.
type shaderDocument[F file[F]] struct {
	document[F]
	holder Shaders
}

func (d shaderDocument[F]) Shaders() []pica.Shader { return d.holder.Shaders() }

func wrap[F file[F]](f F) Document {
	if s, ok := any(f).(Shaders); ok {
		return shaderDocument[F]{document[F]{f}, s}
	}
	return document[F]{f}
}

// row returns the row of a format with the functions of its package.
func row[F file[F], O ~string](
	parse func([]byte, ...O) (F, error), check func([]byte, ...O) []diag.Finding,
	outline func([]byte, ...O) diag.Outline, f Format,
) Format {
	f.Parse = func(b []byte, opts ...Option) (Document, error) {
		f, err := parse(b, options[O](opts)...)
		if err != nil {
			return nil, err
		}
		return wrap(f), nil
	}
	f.Check = func(b []byte, opts ...Option) []diag.Finding { return check(b, options[O](opts)...) }
	f.Outline = func(b []byte, opts ...Option) diag.Outline { return outline(b, options[O](opts)...) }
	return f
}

func options[O ~string](opts []Option) []O {
	named := make([]O, len(opts))
	for i, o := range opts {
		named[i] = O(o)
	}
	return named
}
