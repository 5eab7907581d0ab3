package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/given"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/assign"
)

// entryPoint finds the shader of --entry.
func entryPoint(doc registry.Document, entry string) (pica.Shader, error) {
	holder, ok := doc.(registry.Shaders)
	if !ok {
		return pica.Shader{}, failure{"this format holds no PICA200 program"}
	}
	return entryAmong(holder.Shaders(), entry)
}

// entryAmong finds the shader of --entry, or the first if the name is empty.
func entryAmong(shaders []pica.Shader, entry string) (pica.Shader, error) {
	s, err := assign.Entry(shaders, entry)
	switch {
	case errors.Is(err, assign.ErrNoEntry):
		return s, failure{err.Error()}
	case err != nil:
		return s, fmt.Errorf("--entry %q: %w", entry, err)
	}
	return s, nil
}

var errTwoInputs = errors.New("--in and --inputs exclude each other")

// setInputs sets the vertices of the job: one from --in, or the vertices of --inputs. It returns the input registers
// of each vertex.
func (a *app) setInputs(job *pica.Job, shader pica.Shader, flags *runFlags) (masks []uint16, err error) {
	in := assign.Inputs{Shader: shader, Format: job.InputFormat}
	add := func(list []assign.Assignment) error {
		var registers [pica.NumInputs]pica.Vec4
		n, err := in.Vertex(list, registers[:])
		masks = append(masks, in.Given)
		job.Vertices, job.InputFormat = append(job.Vertices, slices.Clone(registers[:n])), in.Format
		return err
	}
	if flags.inputs == "" {
		var list []assign.Assignment
		for _, s := range flags.in {
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				return nil, fmt.Errorf("--in %q: want register=x,y,z,w", s)
			}
			list = append(list, assign.Assignment{Name: name, Value: value})
		}
		if err := add(list); err != nil {
			return nil, fmt.Errorf("--in: %w", err)
		}
		return masks, nil
	}
	if len(flags.in) > 0 {
		return nil, errTwoInputs
	}
	data, err := a.read(flags.inputs)
	if err != nil {
		return nil, err
	}
	var vertices []registerValues
	if err := json.Unmarshal(data, &vertices); err != nil {
		return nil, fmt.Errorf("%s: not a list of vertices: %w", flags.inputs, err)
	}
	for i, registers := range vertices {
		if err := add(registers.list()); err != nil {
			return nil, fmt.Errorf("%s: vertex %d: %w", flags.inputs, i, err)
		}
	}
	return masks, nil
}

// registerValues are the input registers of a vertex in JSON: {"v0": [1, 2, "NaN"]}.
type registerValues map[string][]json.RawMessage

// list returns the registers in the order of their names.
func (r registerValues) list() (list []assign.Assignment) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		text := make([]string, len(r[name]))
		for k, v := range r[name] {
			text[k] = strings.Trim(string(v), `"`) // a number, or a string for NaN and infinities
		}
		list = append(list, assign.Assignment{Name: name, Value: strings.Join(text, ",")})
	}
	return list
}

// setUniforms adds the uniforms of --set to the uniforms of the file, and to values.
func setUniforms(job *pica.Job, shader pica.Shader, values given.Set, set []string) error {
	for _, s := range set {
		fail := func(err error) error { return fmt.Errorf("--set %q: %w", s, err) }
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return fail(fmt.Errorf("want register=value"))
		}
		class, n, err := assign.Uniform(job, shader, name, value)
		switch {
		case errors.Is(err, assign.ErrInput):
			return fail(fmt.Errorf("an input register is set with --in"))
		case err != nil:
			return fail(err)
		}
		values.Add(class, n, 1)
	}
	return nil
}
