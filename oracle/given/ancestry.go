package given

import (
	"errors"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// Ancestry is the JSON report of run --ancestry, an element for each vertex.
type Ancestry struct {
	Vertex    int      `json:"vertex"`
	Component string   `json:"component"` // "o0.x"
	Inputs    []Source `json:"inputs"`
	Uniforms  []Source `json:"uniforms"`
	Constants []Source `json:"constants"` // uniforms that the file gives
	Initial   []string `json:"initial"`   // state from before the run: "r3.xy", "aL"
	Steps     []Step   `json:"steps"`

	Words map[int]int `json:"-"` // the number of steps of each word
}

// Source is an input or uniform with the components that count.
type Source struct {
	Name     string `json:"name,omitempty"`
	Register string `json:"register"`
	Parts    string `json:"components,omitempty"`
	NotGiven bool   `json:"not_given,omitempty"` // a uniform was never set, or an input has no value
}

func (s Source) String() string {
	text := strings.TrimSpace(s.Name + " " + s.Register)
	if s.Parts != "" {
		text += "." + s.Parts
	}
	switch {
	case s.NotGiven && strings.HasPrefix(s.Register, "v"):
		text += " (without a value)"
	case s.NotGiven:
		text += " (never set)"
	}
	return text
}

// Step is an executed instruction that counts.
type Step struct {
	Step        int    `json:"step"`
	PC          int    `json:"pc"`
	Instruction string `json:"instruction"`
}

// Component reads "o0.x", or "position.x" with a semantic of the file.
func Component(shader *pica.Shader, s string) (output, lane int, err error) {
	name, part, _ := strings.Cut(s, ".")
	if lane = strings.Index("xyzw", part); len(part) != 1 || lane < 0 {
		return 0, 0, errors.New("want one component of an output, as o0.x")
	}
	var names []string
	for _, o := range shader.Outputs {
		if o.Semantic == name {
			return o.Register, lane, nil
		}
		names = append(names, o.Semantic)
	}
	for n := range pica.NumOutputs {
		if name == fmt.Sprintf("o%d", n) {
			return n, lane, nil
		}
	}
	return 0, 0, fmt.Errorf("no output has this name; want one component, as o0.x%s", nearest.Hint(name, names))
}

// Name names the members of an ancestry as the file does.
// values is the set of uniforms and inputs that have a value.
func Name(job *pica.Job, shader *pica.Shader, values Set, found *ancestry.Ancestry) Ancestry {
	constants := By(shader)
	for _, u := range shader.Floats {
		constants.Add('c', u.Register, len(u.Values))
	}
	r := Ancestry{Inputs: []Source{}, Uniforms: []Source{}, Constants: []Source{}, Initial: []string{},
		Steps: []Step{}, Words: map[int]int{}}
	add := func(class byte, n int, parts string) {
		from := Register{class, n}
		symbols, list := shader.Uniforms, &r.Uniforms
		switch {
		case class == 'v':
			symbols, list = shader.Inputs, &r.Inputs
		case constants[from]:
			list = &r.Constants
		}
		*list = append(*list, Source{nameOf(symbols, from), from.String(), parts, !values[from]})
	}
	for n, parts := range found.Inputs {
		if parts != 0 {
			add('v', n, letters(parts))
		}
	}
	for n, parts := range found.Floats {
		if parts != 0 {
			add('c', n, letters(parts))
		}
	}
	for n, parts := range found.Ints {
		if parts != 0 {
			add('i', n, letters(parts))
		}
	}
	for n, member := range found.Bools {
		if member {
			add('b', n, "")
		}
	}
	for _, bank := range []struct {
		name    string
		members []uint8
	}{{"o", found.Outputs[:]}, {"other bank's o", found.Others[:]}, {"r", found.R[:]}} {
		for n, parts := range bank.members {
			if parts != 0 {
				r.Initial = append(r.Initial, fmt.Sprintf("%s%d.%s", bank.name, n, letters(parts)))
			}
		}
	}
	r.Initial = append(r.Initial, found.Rest.Names()...)
	for _, s := range found.Steps {
		r.Steps = append(r.Steps, Step{s.Index, s.PC, asm.Format(s.Word, job.Descriptors)})
		r.Words[s.PC]++
	}
	return r
}

// letters spells a set of components, bit 3 = x.
func letters(parts uint8) (text string) {
	for lane, letter := range "xyzw" {
		if parts&(8>>lane) != 0 {
			text += string(letter)
		}
	}
	return text
}
