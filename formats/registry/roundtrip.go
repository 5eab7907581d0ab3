package registry

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// RoundTrip is the result of parsing and writing a file.
type RoundTrip struct {
	Accepted  bool  `json:"accepted"`
	Identical bool  `json:"identical"` // written back byte for byte
	Canonical *bool `json:"canonical"` // the file has the canonical layout; nil if its content has none
	// Stable: the canonical form, parsed and written again, does not change; nil if there is
	// none.
	Stable *bool  `json:"stable"`
	Error  string `json:"error,omitempty"`
}

// Refused returns the result for a file that Parse refuses; err is the reason.
func Refused(err string) RoundTrip {
	return RoundTrip{Canonical: new(bool), Stable: new(bool), Error: err}
}

// OK reports whether the file is written back byte for byte, and its canonical form,
// if there is one, is stable.
func (r RoundTrip) OK() bool { return r.Identical && (r.Stable == nil || *r.Stable) }

// RoundTrip parses a file, writes it as it was and in canonical form, and parses
// and writes the canonical form again. It stops at the first failure.
func (f Format) RoundTrip(b []byte, opts ...Option) RoundTrip {
	r := Refused("")
	if err := f.roundTrip(&r, b, opts); err != nil {
		r.Error = err.Error()
	}
	return r
}

func (f Format) roundTrip(r *RoundTrip, b []byte, opts []Option) error {
	doc, err := f.Parse(b, opts...)
	if err != nil {
		return err
	}
	r.Accepted = true
	written, err := doc.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := sameBytes(b, written); err != nil {
		return err
	}
	r.Identical = true
	if !HasCanonical(doc) {
		r.Canonical, r.Stable = nil, nil
		return nil
	}
	canonical, err := doc.Canonical().AppendBinary(nil)
	if err != nil {
		return fmt.Errorf("canonical form: %w", err)
	}
	*r.Canonical = bytes.Equal(canonical, b)
	again, err := f.Parse(canonical, opts...)
	if err == nil {
		if written, err = again.Canonical().AppendBinary(nil); err == nil {
			err = sameBytes(canonical, written)
		}
	}
	if err != nil {
		return fmt.Errorf("canonical form is not stable: %w", err)
	}
	*r.Stable = true
	return nil
}

// HasCanonical reports whether a document has a canonical form: only the own layout of some
// files has a place for all of their content.
func HasCanonical(doc Document) bool {
	f, ok := doc.Model().(interface{ HasCanonical() bool })
	return !ok || f.HasCanonical()
}

// sameBytes returns an error about the first difference of two files.
func sameBytes(read, wrote []byte) error {
	for i := range min(len(read), len(wrote)) {
		if read[i] != wrote[i] {
			return fmt.Errorf("0x%04x: wrote %02x, read %02x", i, wrote[i], read[i])
		}
	}
	if len(read) != len(wrote) {
		return fmt.Errorf("wrote %d bytes, read %d", len(wrote), len(read))
	}
	return nil
}

// Outcome is the outcome of a strict parse.
type Outcome string

// The outcomes.
const (
	OK          Outcome = "ok"
	Malformed   Outcome = "malformed"
	Unsupported Outcome = "unsupported"
	OverLimit   Outcome = "over limit"
)

// Outcome returns the outcome of a file with these findings: the rule of the first error gives
// the kind of refusal.
func (f Format) Outcome(findings []diag.Finding) Outcome {
	first := diag.FirstError(findings)
	if first == nil {
		return OK
	}
	i := slices.IndexFunc(f.Rules, func(r diag.Rule) bool { return r.ID == first.Rule })
	switch {
	case i >= 0 && errors.Is(f.Rules[i].Kind, diag.ErrUnsupported):
		return Unsupported
	case i >= 0 && errors.Is(f.Rules[i].Kind, diag.ErrLimit):
		return OverLimit
	}
	return Malformed
}
