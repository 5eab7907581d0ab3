package assign

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/pica"
)

// Vector reads "1,2,3" as float32 values, or "raw:3f0000,..." as raw float24. Missing
// components are 0, 0, 0, 1, as the console fills attributes.
func Vector(s string) (pica.NumberFormat, pica.Vec4, error) {
	list, raw := strings.CutPrefix(s, "raw:")
	format := pica.Float32
	if raw {
		format = pica.Float24
	}
	v := pica.Vec4{3: format.One()}
	parts := strings.Split(list, ",")
	if len(parts) > 4 {
		return format, v, fmt.Errorf("%q has more than four components", s)
	}
	for k, part := range parts {
		part = strings.TrimSpace(part)
		if raw {
			bits, err := strconv.ParseUint(part, 16, 24)
			if err != nil {
				return format, v, fmt.Errorf("%q is not a raw float24 of up to six hex digits", part)
			}
			v[k] = uint32(bits)
			continue
		}
		f, err := strconv.ParseFloat(part, 32)
		if err != nil && !math.IsInf(f, 0) {
			return format, v, fmt.Errorf("%q is not a number", part)
		}
		v[k] = math.Float32bits(float32(f))
	}
	return format, v, nil
}

// parseRegister reads "v3", "c12", "i0" or "b7".
func parseRegister(s string) (class byte, n int, ok bool) {
	limits := map[byte]int{'v': pica.NumInputs, 'c': pica.NumFloats, 'i': pica.NumInts, 'b': pica.NumBools,
		'r': pica.NumTemporaries}
	if len(s) < 2 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(s[1:])
	limit, known := limits[s[0]]
	if err != nil || !known || n < 0 || n >= limit || s[1] == '+' {
		return 0, 0, false
	}
	return s[0], n, true
}

// Resolve returns the register of a register name or of a name in the shader's symbol table.
func Resolve(shader pica.Shader, name string) (class byte, n int, err error) {
	if class, n, ok := parseRegister(name); ok {
		return class, n, nil
	}
	var names []string
	for _, s := range slices.Concat(shader.Inputs, shader.Uniforms) {
		if s.Name == name {
			return s.Class, s.First, nil
		}
		names = append(names, s.Name)
	}
	return 0, 0, fmt.Errorf("%q is neither a register nor a name in the shader's symbol table%s", name,
		nearest.Hint(name, names))
}
