package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/pica"
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
	if len(shaders) == 0 {
		return pica.Shader{}, failure{"the file holds no entry point"}
	}
	if entry == "" {
		return shaders[0], nil
	}
	if word, ok := strings.CutPrefix(entry, "@"); ok {
		n, err := strconv.ParseUint(word, 0, 12)
		if err != nil {
			return pica.Shader{}, fmt.Errorf("--entry %q: want @ and a word number below 4096", entry)
		}
		s := shaders[0]
		s.Entry = int(n)
		return s, nil
	}
	var labels []string
	for _, s := range shaders {
		if s.Name == entry {
			return s, nil
		}
		for _, l := range s.Labels {
			labels = append(labels, l.Name)
		}
		if i := slices.IndexFunc(s.Labels, func(l pica.Label) bool { return l.Name == entry }); i >= 0 {
			s.Entry = s.Labels[i].Word
			return s, nil
		}
	}
	if n, err := strconv.Atoi(entry); err == nil && n >= 0 && n < len(shaders) {
		return shaders[n], nil
	}
	return pica.Shader{}, fmt.Errorf("--entry %q: neither a label nor an entry point below %d%s", entry, len(shaders),
		nearest.Hint(entry, labels))
}

// assignment is the two parts of "register=value".
type assignment struct{ name, value string }

var errTwoInputs = errors.New("--in and --inputs exclude each other")

// setInputs sets the vertices of the job: one from --in, or the vertices of --inputs. It returns the input registers
// of each vertex.
func (a *app) setInputs(job *pica.Job, shader pica.Shader, flags *runFlags) (masks []inputMask, err error) {
	in := inputs{shader: shader, format: job.InputFormat}
	add := func(list []assignment) error {
		var registers [pica.NumInputs]pica.Vec4
		n, err := in.vertex(list, registers[:])
		masks = append(masks, in.given)
		job.Vertices, job.InputFormat = append(job.Vertices, slices.Clone(registers[:n])), in.format
		return err
	}
	if flags.inputs == "" {
		var list []assignment
		for _, s := range flags.in {
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				return nil, fmt.Errorf("--in %q: want register=x,y,z,w", s)
			}
			list = append(list, assignment{name, value})
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
func (r registerValues) list() (list []assignment) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		text := make([]string, len(r[name]))
		for k, v := range r[name] {
			text[k] = strings.Trim(string(v), `"`) // a number, or a string for NaN and infinities
		}
		list = append(list, assignment{name, strings.Join(text, ",")})
	}
	return list
}

// inputs reads the input registers of vertices. All have the number format of the first.
type inputs struct {
	shader pica.Shader
	format pica.NumberFormat
	known  bool      // false before the first register
	given  inputMask // of the newest vertex
}

// vertex sets the given input registers and returns the number of registers from v0 to the last
// given one.
func (r *inputs) vertex(list []assignment, registers []pica.Vec4) (count int, err error) {
	r.given = 0
	for _, in := range list {
		class, n, err := resolve(r.shader, in.name)
		if err != nil {
			return 0, err
		}
		if class != 'v' {
			return 0, fmt.Errorf("%q is not an input register", in.name)
		}
		format, v, err := parseVector(in.value)
		if err != nil {
			return 0, err
		}
		if !r.known {
			r.format, r.known = format, true
		}
		if format != r.format {
			return 0, fmt.Errorf("inputs are all decimal or all raw")
		}
		registers[n], count = v, max(count, n+1)
		r.given |= 1 << n
	}
	return count, nil
}

// setUniforms adds the uniforms of --set to the uniforms of the file, and to given.
func setUniforms(job *pica.Job, shader pica.Shader, given registerSet, set []string) error {
	for _, s := range set {
		fail := func(err error) error { return fmt.Errorf("--set %q: %w", s, err) }
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return fail(fmt.Errorf("want register=value"))
		}
		class, n, err := resolve(shader, name)
		if err != nil {
			return fail(err)
		}
		given.add(class, n, 1)
		switch class {
		case 'c':
			form, v, err := parseVector(value)
			if err != nil {
				return fail(err)
			}
			job.Floats = append(job.Floats, pica.Upload{Register: n, Format: form, Values: []pica.Vec4{v}})
		case 'i':
			job.Ints[n] = [4]uint8{}
			for k, part := range strings.Split(value, ",") {
				x, err := strconv.ParseUint(part, 0, 8)
				if err != nil || k > 3 {
					return fail(fmt.Errorf("want up to four numbers from 0 to 255"))
				}
				job.Ints[n][k] = uint8(x)
			}
		case 'b':
			x, err := strconv.ParseBool(value)
			if err != nil {
				return fail(fmt.Errorf("want true or false"))
			}
			job.Bools &^= 1 << n
			if x {
				job.Bools |= 1 << n
			}
		default:
			return fail(fmt.Errorf("an input register is set with --in"))
		}
	}
	return nil
}
