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

// parser turns the Parse of a format package into the Parse of a Format.
func parser[F file[F], O ~string](parse func([]byte, ...O) (F, error)) func([]byte, ...Option) (Document, error) {
	return func(b []byte, opts ...Option) (Document, error) {
		f, err := parse(b, options[O](opts)...)
		if err != nil {
			return nil, err
		}
		return wrap(f), nil
	}
}

// checker turns the Check of a format package into the Check of a Format.
func checker[O ~string](check func([]byte, ...O) []diag.Finding) func([]byte, ...Option) []diag.Finding {
	return func(b []byte, opts ...Option) []diag.Finding { return check(b, options[O](opts)...) }
}

// outliner turns the Outline of a format package into the Outline of a Format.
func outliner[O ~string](outline func([]byte, ...O) diag.Outline) func([]byte, ...Option) diag.Outline {
	return func(b []byte, opts ...Option) diag.Outline { return outline(b, options[O](opts)...) }
}

func options[O ~string](opts []Option) []O {
	named := make([]O, len(opts))
	for i, o := range opts {
		named[i] = O(o)
	}
	return named
}
