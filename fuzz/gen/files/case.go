package files

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// Case is a generated file with the expected answer of a reader.
type Case struct {
	Data []byte
	gen.Expected
	Odd bool // any rules may be broken that only warn
}

// Valid draws a valid file.
func Valid(from gen.Format, c *gen.Choices) Case { return Case{Data: from.File(c)} }

// Odd draws a file that is accepted, whatever Check warns of.
func Odd(from gen.Format, c *gen.Choices) Case { return Case{Data: from.Odd(c), Odd: true} }

// Faulty draws a file with a fault.
func Faulty(from gen.Format, fault gen.Fault, c *gen.Choices) Case {
	b, at := fault.File(c)
	format, _ := registry.ByName(from.Name)
	return Case{Data: b, Expected: fault.Expect(format.Rules, at)}
}

// NearMiss draws a near miss of a fault. Rules other than the fault's may break in it if the fault says so.
func NearMiss(fault gen.Fault, c *gen.Choices) Case {
	return Case{Data: fault.NearMiss(c),
		Expected: gen.Expected{Also: append(fault.MissBreaks[:len(fault.MissBreaks):len(fault.MissBreaks)], fault.Also...)}}
}

// Reading is the answer of the parser, the checker and the writer of a format about a file.
type Reading struct {
	judge.Reading
	Document registry.Document // nil when it is refused
}

// Read parses, checks and rewrites a file in a format, with some leniencies.
func Read(format registry.Format, b []byte, opts ...registry.Option) (r Reading) {
	r.Findings = format.Check(b, opts...)
	doc, err := format.Parse(b, opts...)
	if err != nil {
		return r
	}
	r.Document, r.Accepted = doc, true
	before := []byte("other bytes")
	b, _ = doc.AppendBinary(before) // a refusal of the writer shows as no bytes
	r.Written = bytes.TrimPrefix(b, before)
	return r
}

// Judge returns the deviation of a reading from the expected answer; nil if there is none.
func (x *Case) Judge(r *Reading) *judge.Deviation {
	if d := r.Reading.Judge(x.Data); d != nil {
		return d
	}
	if x.Odd {
		if !r.Accepted {
			return &judge.Deviation{Key: "refused odd", Text: "refused: " + diag.FirstError(r.Findings).String()}
		}
		return nil
	}
	if key, text := x.Differs(r.Findings); key != "" {
		return &judge.Deviation{Key: key, Text: text}
	}
	return nil
}
