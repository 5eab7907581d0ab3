// Package judge serves this module: it has the requirements for every parser and writer of a file
// format, as ordinary functions for fuzz targets, properties and tests.
package judge

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// File is a format's model: a pointer to its File.
type File[F any] interface {
	comparable
	AppendBinary(b []byte) ([]byte, error)
	Canonical() F
	Equal(other F) bool
	Regions() []diag.Region
}

// Format is a parser and a writer to be judged. It reuses memory between calls and serves one
// goroutine.
type Format[F File[F]] struct {
	parse   func(b []byte) (F, error)
	check   func(b []byte) []diag.Finding
	written []byte
}

// Of returns the judge of a format's Parse and Check with the given options.
func Of[F File[F], O any](parse func([]byte, ...O) (F, error), check func([]byte, ...O) []diag.Finding,
	opts ...O) *Format[F] {
	return &Format[F]{
		parse: func(b []byte) (F, error) { return parse(b, opts...) },
		check: func(b []byte) []diag.Finding { return check(b, opts...) },
	}
}

// ErrRefused means that the writer refused a model, so that nothing was judged.
var ErrRefused = errors.New("the writer refuses the model")

// Drawn returns the judgement of a model as a generator draws it, from the judgement of any model. Such a model breaks
// no rule but limits, so another refusal is a fault of the writer: it reads its own bytes again, and refuses what it
// wrote wrong.
func Drawn(err error) error {
	if errors.Is(err, ErrRefused) && !errors.Is(err, diag.ErrLimit) {
		return fmt.Errorf("a fault of the writer or of the generator: %v", err)
	}
	return err
}

// Bytes judges any bytes: findings lie inside the file; Parse refuses it exactly if Check has an
// error, and then returns no model; an accepted file is written back byte for byte.
func (x *Format[F]) Bytes(b []byte) error {
	var none F
	file, err := x.parse(b)
	r := Reading{Findings: x.check(b), Accepted: err == nil}
	if err != nil && file != none {
		return errors.New("a refused file has a model")
	}
	if r.Accepted {
		if x.written, err = file.AppendBinary(x.written[:0]); err != nil {
			return fmt.Errorf("an accepted file is not written back: %w", err)
		}
		r.Written = x.written
	}
	if d := r.Judge(b); d != nil {
		return d
	}
	return nil
}

// Model judges a model: a model that the writer accepts is read back as an equal one. If the
// writer refuses it, the error wraps ErrRefused.
func (x *Format[F]) Model(m F) error {
	_, _, err := x.rewrite(m)
	return err
}

// maxSize is the size of the largest file that is written. A number in a model can ask for
// gigabytes of zeros, from which nothing is learnt.
const maxSize = 16 << 20

// rewrite writes a model and reads it back.
func (x *Format[F]) rewrite(m F) (b []byte, back F, err error) {
	if s, ok := any(m).(interface{ Size() uint64 }); ok && s.Size() > maxSize {
		return nil, back, fmt.Errorf("%w: %d bytes are %w", ErrRefused, s.Size(), diag.ErrLimit)
	}
	if b, err = m.AppendBinary(nil); err != nil {
		return nil, back, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if back, err = x.parse(b); err != nil {
		return nil, back, fmt.Errorf("a written file is refused: %w", err)
	}
	if !back.Equal(m) {
		return nil, back, fmt.Errorf("read back as another model:\ngot  %+v\nwant %+v", back, m)
	}
	return b, back, nil
}

// Canonical judges a model's canonical form: it has the same content, and it is read back and
// written again as the same bytes.
func (x *Format[F]) Canonical(m F) error {
	once, back, err := x.rewrite(m.Canonical())
	if err != nil {
		return err
	}
	if !back.Equal(m) {
		return errors.New("the canonical form has other content")
	}
	twice, err := back.Canonical().AppendBinary(nil)
	if err != nil || !bytes.Equal(once, twice) {
		return fmt.Errorf("the canonical form changed: %v\ngot  % x\nwant % x", err, twice, once)
	}
	return nil
}

// Owners judges the regions of a model that is written and read back: they cover every byte
// once, in order, and each has an owner.
func (x *Format[F]) Owners(m F) error {
	b, back, err := x.rewrite(m)
	if err != nil {
		return err
	}
	end := 0
	for _, r := range back.Regions() {
		if r.Off != end || r.Len <= 0 || r.Path == "" {
			return fmt.Errorf("region %+v does not start at %d", r, end)
		}
		end += r.Len
	}
	if end != len(b) {
		return fmt.Errorf("regions end at %d of %d", end, len(b))
	}
	return nil
}

// Valid returns the number of models of next that the writer accepts, and the first refusal.
func Valid[F File[F]](runs int, next func(n uint64) F) (valid int, first error) {
	for n := range uint64(runs) {
		if _, err := next(n).AppendBinary(nil); err == nil {
			valid++
		} else if first == nil {
			first = fmt.Errorf("model %d: %w", n, err)
		}
	}
	return valid, first
}
