package source

import (
	"fmt"
	"slices"
)

// Dialect is the text form of one assembler.
type Dialect struct {
	Name      string
	Extension string // of its sources
	// Allows lists the rules of package shbin that every file of the dialect's assembler breaks.
	Allows []string
	// Silent says that the assembler leaves end words and register masks zero.
	Silent bool
	// Labels says that the file lists all labels.
	Labels bool
	// Options says that the assembler is told on its command line what is entered and
	// which stage it is, and that it may end with exit status 0 and a warning on standard
	// error, which neither accepts what is right nor refuses what is wrong.
	Options bool

	// cannot returns why a statement has no text, or "".
	cannot func(p *Program, s *Statement) string
	// adapt changes what a program declares to what the dialect can say, and tells
	// leave what it left out.
	adapt func(p *Program, leave func(reason string))
	// limit leaves out what is one too many. It may be nil.
	limit func(p *Program, leave func(reason string))
	// symbol returns the name of a uniform in the file, and whether it is there.
	symbol func(name string) (string, bool)
	print  func(p *Program) *Text
	// isEntry reports whether the entry's first instruction stands behind a line.
	isEntry func(line, entry string) bool
	// Forms are what its printer says.
	Forms []Form
	// Faults are the mistakes that its assembler must refuse.
	Faults []Fault
	// Defects are what its assembler is known to get wrong.
	Defects []Defect
}

// Dialects lists the dialects; the first is the default.
var Dialects = []*Dialect{&Picasso, &Nihstro}

// ByName returns the dialect with a name.
func ByName(name string) (*Dialect, error) {
	i := slices.IndexFunc(Dialects, func(d *Dialect) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown dialect %q: want picasso or nihstro", name)
	}
	return Dialects[i], nil
}

// Text is a printed program.
type Text struct {
	Files    []string // one, or two
	Entry    string   // the label or procedure that is entered
	Geometry bool
}

// Fit returns the program with a NOP in the place of each statement that the dialect
// cannot say, and the reasons, one for each thing that was left out.
func (d *Dialect) Fit(p *Program) (*Program, []string) {
	q := p.Clone()
	var reasons []string
	leave := func(reason string) { reasons = append(reasons, reason) }
	d.adapt(q, leave)
	for s := range q.Walk {
		if reason := d.cannot(q, s); reason != "" {
			leave(reason)
			*s = Statement{Kind: Nop} // keeps instructions apart that must not meet
		}
	}
	if d.limit != nil {
		d.limit(q, leave)
	}
	return q, reasons
}

// Says reports whether the dialect can say a whole program.
func (d *Dialect) Says(p *Program) bool {
	_, reasons := d.Fit(p)
	return len(reasons) == 0
}

// Print returns the text of a program that [Dialect.Fit] returned.
func (d *Dialect) Print(p *Program) *Text { return d.print(p) }
