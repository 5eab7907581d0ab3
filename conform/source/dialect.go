package source

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is the text form of one assembler.
type Dialect struct {
	Name      string
	Extension string // of its sources
	// Allows lists the rules of package shbin that every file of the dialect's assembler breaks.
	Allows []string
	// Silent is set if the assembler leaves end words and register masks zero.
	Silent bool
	// Labels is set if the file lists all labels.
	Labels bool
	// Options is set if options on the assembler's command line name the entry and the stage.
	// Such an assembler may also end with exit status 0 and a warning on standard error, which
	// neither accepts a right source nor refuses a wrong one.
	Options bool

	// pairs is set if the file of a geometry program has the same program for vertices, too.
	pairs bool
	// mnemonic returns the name of an instruction.
	mnemonic func(s *Statement) string
	// limit removes code that exceeds a limit of the assembler. It may be nil.
	limit func(p *Program, leave func(reason string))
	// symbol returns the name of a uniform in the file, and whether the file has it.
	symbol func(name string) (string, bool)
	print  func(p *Program, d *Dialect) *Text
	// isEntry reports whether the entry's first instruction follows a line.
	isEntry func(line, entry string) bool
	// Frames are the ways to print programs, those of the newest version first. The first one is
	// that of the dialect itself.
	Frames []Frame
	// Probes are programs that tell frames apart.
	Probes []*Program
	frame  *Frame // nil for the first
	lacks  []lack
	masks  int // the version whose files have register masks
	// Forms are the forms that its printer uses.
	Forms []Form
	// Faults returns the mistakes that its assembler must refuse.
	Faults func() []Fault
	// Defects returns the known defects of its assembler.
	Defects func() []Defect
}

// Dialects lists the dialects; the first is the default.
var Dialects = []*Dialect{&Picasso, &Nihstro, &Aemstro}

// ByName returns the dialect with a name, or a copy of it in a frame if a hyphen and the name of the
// frame follow.
func ByName(name string) (*Dialect, error) {
	for _, d := range Dialects {
		if d.Name == name {
			return d, nil
		}
		for k := range d.Frames {
			if f := &d.Frames[k]; d.Name+"-"+f.Name == name {
				c := *d.In(f)
				return &c, nil
			}
		}
	}
	return nil, fmt.Errorf("unknown dialect %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the names of dialects with and without frames.
func Names() (list []string) {
	for _, d := range Dialects {
		list = append(list, d.Name)
		for k := range d.Frames {
			if len(d.Frames) > 1 {
				list = append(list, d.Name+"-"+d.Frames[k].Name)
			}
		}
	}
	return list
}

// labelled reports whether a line is the label of the entry.
func labelled(line, entry string) bool { return strings.TrimSpace(line) == entry+":" }

// Text is a printed program.
type Text struct {
	Files    []string // one, or two
	Entry    string   // the label or procedure that is the entry
	Geometry bool
}

// has reports whether the dialect has a form.
func (d *Dialect) has(name string) bool {
	return slices.ContainsFunc(d.Forms, func(f Form) bool { return f.Name == name })
}

// Says reports whether the dialect can express a whole program.
func (d *Dialect) Says(p *Program) bool {
	_, reasons := d.Fit(p)
	return len(reasons) == 0
}

// Print returns the text of a program that [Dialect.Fit] returned.
func (d *Dialect) Print(p *Program) *Text { return d.print(d.framed(p), d) }
