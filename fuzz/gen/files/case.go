package files

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Case is a generated file and what must be made of it.
type Case struct {
	Data  []byte
	Rule  string   // the rule that the file breaks; "" for a valid one
	Off   int      // where
	Also  []string // rules that break with it
	Error bool     // the rule is one whose breach refuses the file
	Odd   bool     // any rules may be broken that only warn
}

// Valid draws a valid file.
func Valid(from gen.Format, c *gen.Choices) Case { return Case{Data: from.File(c)} }

// Odd draws a file that is accepted, whatever Check warns of.
func Odd(from gen.Format, c *gen.Choices) Case { return Case{Data: from.Odd(c), Odd: true} }

// Faulty draws a file with a fault.
func Faulty(from gen.Format, fault gen.Fault, c *gen.Choices) Case {
	x := Case{Rule: fault.Rule, Also: fault.Also}
	x.Data, x.Off = fault.File(c)
	format, _ := registry.ByName(from.Name)
	rule := slices.IndexFunc(format.Rules, func(r diag.Rule) bool { return r.ID == fault.Rule })
	x.Error = rule >= 0 && format.Rules[rule].Severity == diag.Error && len(format.Rules[rule].Also) == 0
	return x
}

// Reading is what a parser, a checker and a writer of one format make of a file.
type Reading struct {
	Findings []diag.Finding
	Document registry.Document // nil when it is refused
	Written  []byte            // what it is written back as, if it is not refused
}

// Accepted reports whether the file was not refused.
func (r *Reading) Accepted() bool { return r.Document != nil }

// Read returns what a format makes of a file.
func Read(format registry.Format, b []byte) (r Reading) {
	r.Findings = format.Check(b)
	doc, err := format.Parse(b)
	if err != nil {
		return r
	}
	r.Document = doc
	r.Written, _ = doc.AppendBinary(nil) // a refusal of the writer shows as no bytes
	return r
}
