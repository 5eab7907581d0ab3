package assign

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Assignment gives a register a value.
type Assignment struct{ Name, Value string }

// Inputs reads the input registers of vertices. All have the number format of the first.
type Inputs struct {
	Shader pica.Shader
	Format pica.NumberFormat
	Given  uint16 // the registers of the newest vertex; bit n stands for vn
	known  bool   // false before the first register
}

// Vertex sets the given input registers and returns the number of registers from v0 to the last
// given one.
func (r *Inputs) Vertex(list []Assignment, registers []pica.Vec4) (count int, err error) {
	r.Given = 0
	for _, in := range list {
		class, n, err := Resolve(r.Shader, in.Name)
		if err != nil {
			return 0, err
		}
		if class != 'v' {
			return 0, fmt.Errorf("%q is not an input register", in.Name)
		}
		format, v, err := Vector(in.Value)
		if err != nil {
			return 0, err
		}
		if !r.known {
			r.Format, r.known = format, true
		}
		if format != r.Format {
			return 0, fmt.Errorf("inputs are all decimal or all raw")
		}
		registers[n], count = v, max(count, n+1)
		r.Given |= 1 << n
	}
	return count, nil
}

// ErrInput says that a register is no uniform.
var ErrInput = errors.New("an input register is no uniform")

// Uniform sets the uniform that a register or a name of the shader's symbol table means, and returns it.
func Uniform(job *pica.Job, shader pica.Shader, name, value string) (class byte, n int, err error) {
	class, n, err = Resolve(shader, name)
	if err != nil {
		return 0, 0, err
	}
	switch class {
	case 'c':
		form, v, err := Vector(value)
		if err != nil {
			return 0, 0, err
		}
		job.Floats = append(job.Floats, pica.Upload{Register: n, Format: form, Values: []pica.Vec4{v}})
	case 'i':
		job.Ints[n] = [4]uint8{}
		for k, part := range strings.Split(value, ",") {
			x, err := strconv.ParseUint(part, 0, 8)
			if err != nil || k > 3 {
				return 0, 0, errors.New("want up to four numbers from 0 to 255")
			}
			job.Ints[n][k] = uint8(x)
		}
	case 'b':
		x, err := strconv.ParseBool(value)
		if err != nil {
			return 0, 0, errors.New("want true or false")
		}
		job.Bools &^= 1 << n
		if x {
			job.Bools |= 1 << n
		}
	default:
		return 0, 0, ErrInput
	}
	return class, n, nil
}
