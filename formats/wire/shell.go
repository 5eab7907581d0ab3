package wire

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"

	"github.com/picaproof/picaproof/formats/diag"
)

// Shell implements the functions that all formats export: Parse and Check over
// one walk, AppendBinary with a check of the bytes it writes, and Outline for
// files that Parse refuses. F is the model of a file, O the type of the options
// of the format.
//
// A format sets the fields below. Its exported functions and methods call the
// methods of its shell.
type Shell[F any, O ~string] struct {
	Name  string // of the format, in errors
	Rules diag.RuleSet

	// Walk reads b and reports every finding to r. A strict reporter (diag.Strict)
	// needs the first error only, so Walk may then stop at it and skip warnings.
	// The model shares memory with b. It is the whole content of the file if r is
	// strict and has not failed; otherwise it may be a part.
	Walk func(b []byte, r *diag.Reporter, opts []O) *F
	// Append appends the bytes of a model to b, even of a model that breaks rules.
	// It returns an error when no bytes can represent the model.
	Append func(f *F, b []byte) ([]byte, error)
	// Equal reports whether two models have the same content.
	Equal func(f, g *F) bool
	// Options returns the options that Parse needs to accept the bytes of a model.
	// A nil function means none.
	Options func(f *F) []O
	// Map returns the regions of any bytes, valid or not.
	Map func(b []byte, opts []O) []diag.Region
	// Moved is called when the written bytes read back as another model: the stored
	// layout of f has no room for an edit. It returns the model to write instead, or
	// an error. A nil function means an error.
	Moved func(s *Shell[F, O], f *F) (*F, error)
}

// Parse reads a file. It refuses a file that breaks a rule of severity Error: the
// error is a *diag.ParseError. The model keeps no reference to b.
func (s *Shell[F, O]) Parse(b []byte, opts ...O) (*F, error) {
	r := diag.Strict(s.Rules)
	f := s.Walk(bytes.Clone(b), r, opts)
	if err := r.Err(s.Name); err != nil {
		return nil, err
	}
	return f, nil
}

// Check returns every finding, in the order in which the rules are evaluated.
func (s *Shell[F, O]) Check(b []byte, opts ...O) []diag.Finding {
	r := diag.Collect(s.Rules)
	s.Walk(b, r, opts)
	return r.Findings()
}

// Salvage returns the part of the model that Walk fills for a collecting reporter,
// whatever rules the file breaks.
func (s *Shell[F, O]) Salvage(b []byte) *F { return s.Walk(bytes.Clone(b), diag.Collect(s.Rules), nil) }

// Embedded reads a file b that is part of another file: at offset off of it, or
// decoded from its bytes. The findings go to within, the reporter of the other
// file (see diag.Reporter.Embedded). ok is false when there was an error. The
// model shares memory with b.
func (s *Shell[F, O]) Embedded(b []byte, within *diag.Reporter, off uint64, prefix string,
	opts ...O) (f *F, ok bool) {
	r := within.Embedded(s.Rules, off, prefix)
	f = s.Walk(b, r, opts)
	return f, !r.Failed()
}

// Read is Parse for a writer that reads its own bytes again: the model shares memory
// with b, and the error is a *diag.InvalidError with all findings.
func (s *Shell[F, O]) Read(b []byte, opts ...O) (*F, error) {
	r := diag.Strict(s.Rules)
	f := s.Walk(b, r, opts)
	var refused *diag.ParseError
	if errors.As(r.Err(s.Name), &refused) {
		return nil, &diag.InvalidError{Format: s.Name, Findings: s.Check(b, opts...), Kind: refused.Kind}
	}
	return f, nil
}

// Unmarshal parses b into *f, without options.
func (s *Shell[F, O]) Unmarshal(f *F, b []byte) error {
	parsed, err := s.Parse(b)
	if err != nil {
		return err
	}
	*f = *parsed
	return nil
}

// AppendBinary appends the bytes of a model to b. It reads them again, and fails
// unless Parse accepts them under the options of the model and returns an equal
// model. If the models differ and Moved returns another one, it writes that instead. The
// error wraps diag.ErrLayout or diag.ErrInvalid; b is then returned unchanged.
func (s *Shell[F, O]) AppendBinary(f *F, b []byte) ([]byte, error) {
	out, err := s.Append(f, b)
	if err != nil {
		return b, err
	}
	g, err := s.Read(out[len(b):], s.options(f)...)
	switch {
	case err != nil:
		return b, err
	case s.Equal(g, f):
		return out, nil
	case s.Moved == nil:
		return b, fmt.Errorf("%s: the bytes read back differently: %w", s.Name, diag.ErrLayout)
	}
	if f, err = s.Moved(s, f); err != nil {
		return b, err
	}
	return s.AppendBinary(f, b)
}

func (s *Shell[F, O]) options(f *F) []O {
	if s.Options == nil {
		return nil
	}
	return s.Options(f)
}

// Regions returns the regions of all bytes that Append writes; nil when Append fails.
func (s *Shell[F, O]) Regions(f *F) []diag.Region {
	b, err := s.Append(f, nil)
	if err != nil {
		return nil
	}
	return s.Map(b, s.options(f))
}

// Outline returns the regions and findings of any bytes, also of a file that
// Parse refuses.
func (s *Shell[F, O]) Outline(b []byte, opts ...O) diag.Outline {
	return diag.Outline{Regions: s.Map(b, opts), Findings: s.Check(b, opts...)}
}

// Write writes the bytes of a model to w.
func Write(w io.Writer, f encoding.BinaryAppender) error {
	b, err := f.AppendBinary(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
