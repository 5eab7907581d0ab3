package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// ancestryReport is the JSON report of run --ancestry, an element for each vertex.
type ancestryReport struct {
	Vertex    int              `json:"vertex"`
	Component string           `json:"component"` // "o0.x"
	Inputs    []ancestrySource `json:"inputs"`
	Uniforms  []ancestrySource `json:"uniforms"`
	Constants []ancestrySource `json:"constants"` // uniforms that the file gives
	Initial   []string         `json:"initial"`   // state from before the run: "r3.xy", "aL"
	Steps     []ancestryStep   `json:"steps"`

	words map[int]int // the number of steps of each word
}

// ancestrySource is an input or uniform with the components that count.
type ancestrySource struct {
	Name     string `json:"name,omitempty"`
	Register string `json:"register"`
	Parts    string `json:"components,omitempty"`
	NotGiven bool   `json:"not_given,omitempty"` // a uniform was never set, or an input has no value
}

func (s ancestrySource) String() string {
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

// ancestryStep is an executed instruction that counts.
type ancestryStep struct {
	Step        int    `json:"step"`
	PC          int    `json:"pc"`
	Instruction string `json:"instruction"`
}

// ancestry prints for each vertex what fed a component of an output. given is the set of uniforms that have a value,
// uploads aside, and masks has the inputs of each vertex.
func (a *app) ancestry(job *pica.Job, shader *pica.Shader, given registerSet, masks []inputMask,
	component string) error {
	output, lane, err := outputComponent(shader, component)
	if err != nil {
		return err
	}
	given.addUploads(job)
	reports := []ancestryReport{}
	for vertex := range job.Vertices {
		found, err := ancestry.Of(job, vertex, output, lane)
		switch {
		case errors.Is(err, pica.ErrUnsupportedProfile):
			return fmt.Errorf("--profile %s: the oracle does not implement it for --ancestry", job.Profile.Name)
		case errors.Is(err, ancestry.ErrNotEnded):
			return failure{err.Error()}
		case err != nil:
			return err
		}
		r := reportOf(job, shader, given.with(masks[vertex]), found)
		r.Vertex, r.Component = vertex, fmt.Sprintf("o%d.%c", output, "xyzw"[lane])
		reports = append(reports, r)
	}
	return a.result(reports, false, func(w io.Writer, _ palette) {
		for i := range reports {
			reports[i].write(w, job)
		}
	})
}

// outputComponent reads "o0.x", or "position.x" with a semantic of the file.
func outputComponent(shader *pica.Shader, s string) (output, lane int, err error) {
	name, part, _ := strings.Cut(s, ".")
	if lane = strings.Index("xyzw", part); len(part) != 1 || lane < 0 {
		return 0, 0, fmt.Errorf("--ancestry %q: want one component of an output, as o0.x", s)
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
	return 0, 0, fmt.Errorf("--ancestry %q: no output has this name; want one component, as o0.x%s", s,
		nearest.Hint(name, names))
}

// reportOf names the members of an ancestry as the file does.
// given is the set of uniforms and inputs that have a value.
func reportOf(job *pica.Job, shader *pica.Shader, given registerSet, found *ancestry.Ancestry) ancestryReport {
	constants := givenBy(shader)
	for _, u := range shader.Floats {
		constants.add('c', u.Register, len(u.Values))
	}
	r := ancestryReport{Inputs: []ancestrySource{}, Uniforms: []ancestrySource{}, Constants: []ancestrySource{}, Initial: []string{},
		Steps: []ancestryStep{}, words: map[int]int{}}
	add := func(class byte, n int, parts string) {
		from := register{class, n}
		symbols, list := shader.Uniforms, &r.Uniforms
		switch {
		case class == 'v':
			symbols, list = shader.Inputs, &r.Inputs
		case constants[from]:
			list = &r.Constants
		}
		*list = append(*list, ancestrySource{nameOf(symbols, from), from.String(), parts, !given[from]})
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
		r.Steps = append(r.Steps, ancestryStep{s.Index, s.PC, asm.Format(s.Word, job.Descriptors)})
		r.words[s.PC]++
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

// write prints the list of members, and the program with a mark and the number of executions at each member.
func (r *ancestryReport) write(w io.Writer, job *pica.Job) {
	fmt.Fprintf(w, "vertex %d: %s came from %s\n", r.Vertex, r.Component, plural(len(r.Steps), "executed instruction"))
	for _, group := range []struct {
		name string
		list []ancestrySource
	}{{"inputs", r.Inputs}, {"uniforms", r.Uniforms}, {"constants of the file", r.Constants}} {
		if len(group.list) == 0 {
			continue
		}
		names := make([]string, len(group.list))
		for k, s := range group.list {
			names[k] = s.String()
		}
		fmt.Fprintf(w, "  %s: %s\n", group.name, strings.Join(names, ", "))
	}
	if len(r.Initial) > 0 {
		fmt.Fprintf(w, "  from before the run: %s\n", strings.Join(r.Initial, ", "))
	}
	last := len(job.Code) - 1
	if pcs := slices.Sorted(maps.Keys(r.words)); len(pcs) > 0 {
		last = max(last, pcs[len(pcs)-1])
	}
	for pc := range last + 1 {
		word, mark := uint32(0), ""
		if pc < len(job.Code) {
			word = job.Code[pc]
		}
		if n := r.words[pc]; n == 1 {
			mark = "*"
		} else if n > 1 {
			mark = fmt.Sprintf("* %d times", n)
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%4d  %-40s %s", pc, asm.Format(word, job.Descriptors), mark), " "))
	}
}
