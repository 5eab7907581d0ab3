package sharcfb

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// What a variation cannot be found for.
var (
	ErrNoProgram   = errors.New("no such program")
	ErrNoMacro     = errors.New("no such macro")
	ErrNoValue     = errors.New("no such value")
	ErrNoVariation = errors.New("no such variation")
)

// Setting is a macro with one of its values.
type Setting struct {
	Macro wire.Text `json:"macro"`
	Value wire.Text `json:"value"`
}

// Variation is one combination of macro values of a program.
type Variation struct {
	Program  int       `json:"program"` // index in the file
	Index    int       `json:"index"`
	Settings []Setting `json:"settings"` // of every macro, in order
	Binaries []int     `json:"binaries"` // vertex, pixel and, of kind 7, geometry shader
}

// Program returns the first program with the given name, as the console does.
func (f *File) Program(name string) (index int, ok bool) {
	index = slices.IndexFunc(f.Programs, func(p Program) bool { return string(p.Name) == name })
	return index, index >= 0
}

// Variation returns the variation of a program with the given macro values.
// Macros that settings leaves out have their first value, as they have in a
// program that the console has just loaded. The error wraps ErrNoProgram,
// ErrNoMacro, ErrNoValue or ErrNoVariation.
func (f *File) Variation(program string, settings map[string]string) (Variation, error) {
	i, ok := f.Program(program)
	if !ok {
		return Variation{}, fmt.Errorf("sharcfb: program %q: %w", program, ErrNoProgram)
	}
	index, err := f.Programs[i].Index(settings, 0)
	if err != nil {
		return Variation{}, err
	}
	return f.variation(i, index), nil
}

// Variations yields every variation of every program, in order.
func (f *File) Variations() iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		for i := range f.Programs {
			for index := range f.Programs[i].Variations() {
				if !yield(f.variation(i, index)) {
					return
				}
			}
		}
	}
}

func (f *File) variation(program, index int) Variation {
	p := &f.Programs[program]
	v := Variation{Program: program, Index: index, Binaries: make([]int, p.Kind.Stages())}
	for stage := range v.Binaries {
		v.Binaries[stage] = p.Binary(index, stage)
	}
	if values, err := p.Values(index); err == nil {
		v.Settings = make([]Setting, len(values))
		for k, value := range values {
			v.Settings[k] = Setting{p.Macros[k].Name, p.Macros[k].Values[value]}
		}
	}
	return v
}

// Variations returns the number of combinations of macro values: 1 without macros, 0 above MaxVariations.
func (p *Program) Variations() int {
	n := 1
	for i := range p.Macros {
		if n *= len(p.Macros[i].Values); n > MaxVariations {
			return 0
		}
	}
	return n
}

// Binary returns the index of the shader binary of a variation and a stage: 0
// for vertex, 1 for pixel, 2 for geometry.
func (p *Program) Binary(variation, stage int) int {
	return int(p.BaseIndex) + variation*p.Kind.Stages() + stage
}

// Values returns the index of each macro's value in a variation; the first macro
// is the most significant. The error wraps ErrNoVariation.
func (p *Program) Values(variation int) ([]int, error) {
	if n := p.Variations(); variation < 0 || variation >= n {
		return nil, fmt.Errorf("sharcfb: program %q: variation %d of %d: %w", p.Name, variation, n, ErrNoVariation)
	}
	values := make([]int, len(p.Macros))
	for k := len(values) - 1; k >= 0; k-- {
		n := len(p.Macros[k].Values)
		values[k], variation = variation%n, variation/n
	}
	return values, nil
}

// Index returns the variation that has the given macro values. Macros that settings leaves out have the values of the
// variation base. Of macros with one name the first is set, of equal values the first is taken. The error wraps
// ErrNoMacro, ErrNoValue or, about base, ErrNoVariation.
func (p *Program) Index(settings map[string]string, base int) (int, error) {
	values, err := p.Values(base)
	if err != nil {
		return 0, err
	}
	for name, value := range settings {
		k, v := p.find(name, value)
		switch {
		case k < 0:
			return 0, fmt.Errorf("sharcfb: program %q: macro %q: %w", p.Name, name, ErrNoMacro)
		case v < 0:
			return 0, fmt.Errorf("sharcfb: program %q: value %q of macro %q: %w", p.Name, value, name, ErrNoValue)
		}
		values[k] = v
	}
	return p.index(values), nil
}

// IndexAGL is Index as the console finds it: macros and values that do not exist
// are passed over, and base -1 means that no macro has a value yet, which counts
// as the first. The error wraps ErrNoVariation.
func (p *Program) IndexAGL(settings map[string]string, base int) (int, error) {
	values, err := p.Values(max(base, 0))
	if err != nil || base < -1 {
		return 0, fmt.Errorf("sharcfb: program %q: variation %d: %w", p.Name, base, ErrNoVariation)
	}
	for name, value := range settings {
		if k, v := p.find(name, value); v >= 0 {
			values[k] = v
		}
	}
	return p.index(values), nil
}

// find returns the first macro with the name and the first of its values that is alike; -1 for none.
func (p *Program) find(name, value string) (macro, index int) {
	macro = slices.IndexFunc(p.Macros, func(m Macro) bool { return string(m.Name) == name })
	if macro < 0 {
		return -1, -1
	}
	return macro, slices.Index(p.Macros[macro].Values, wire.Text(value))
}

// index is the inverse of Values.
func (p *Program) index(values []int) int {
	n := 0
	for k, v := range values {
		n = n*len(p.Macros[k].Values) + v
	}
	return n
}
