package sharcfbgen

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// The functions below return an element of the archive of a kind; they add one if the archive has none.

// program returns the index of a program.
func (d *drawing) program() int {
	if len(d.f.Programs) == 0 {
		return d.addProgram(gen.Pick(d.C, kinds), d.valueCounts()...)
	}
	return d.C.Below(len(d.f.Programs))
}

// withMacros returns the index of a program with at least so many macros. Those
// added have one value, which leaves the number of variations.
func (d *drawing) withMacros(least int) int {
	i := d.program()
	p := &d.f.Programs[i]
	for len(p.Macros) < least {
		d.addMacro(p, 1)
		if p.Defaults != nil {
			d.setDefaults(p)
		}
	}
	return i
}

// macro returns a program and the index of one of its macros or, if defaults is
// set, of one of its default values.
func (d *drawing) macro(defaults bool) (program, macro int) {
	program = d.withMacros(1)
	p := &d.f.Programs[program]
	if defaults && p.Defaults == nil {
		d.setDefaults(p)
	}
	return program, d.C.Below(len(p.Macros))
}

// symbol returns a program and the index of one of its symbols of a kind.
func (d *drawing) symbol(k symbolKind) (program, symbol int) {
	program = d.program()
	list := symbols(&d.f.Programs[program], k)
	if len(*list) == 0 {
		d.addSymbol(&d.f.Programs[program], k)
	}
	return program, d.C.Below(len(*list))
}

// stringAt is a string of the archive.
type stringAt struct {
	path    string
	text    *wire.Text
	counted bool // a field has its length
	tied    bool // a macro has to agree with its default value
}

// strings lists the strings of the archive. The archive's name is always one.
func (d *drawing) strings() []stringAt {
	list := []stringAt{{"name", &d.f.Name, true, false}}
	macros := func(path string, macros []sharcfb.Macro, tied bool) {
		for i := range macros {
			m, path := &macros[i], fmt.Sprintf("%s[%d].", path, i)
			list = append(list, stringAt{path + "name", &m.Name, true, tied}, stringAt{path + "id", &m.ID, true, false})
			for k := range m.Values {
				list = append(list, stringAt{fmt.Sprintf("%svalues[%d]", path, k), &m.Values[k], false, tied})
			}
		}
	}
	for i := range d.f.Programs {
		p, path := &d.f.Programs[i], fmt.Sprintf("programs[%d].", i)
		list = append(list, stringAt{path + "name", &p.Name, true, false})
		macros(path+"macros", p.Macros, p.Defaults != nil)
		macros(path+"defaults", p.Defaults, true)
		for k, name := range symbolLists {
			symbols := *symbols(p, symbolKind(k))
			for j := range symbols {
				s, path := &symbols[j], fmt.Sprintf("%s%s[%d].", path, name, j)
				list = append(list, stringAt{path + "name", &s.Name, true, false},
					stringAt{path + "id", &s.ID, true, false})
			}
		}
	}
	return list
}

// itself is the name of a text.
func itself(t wire.Text) wire.Text { return t }
