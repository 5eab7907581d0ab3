package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// number is a register component in both forms that reports show.
type number struct {
	bits  uint32
	value float64
}

func componentOf(storage pica.Value, bits uint32) number {
	if storage == pica.StorageF24 {
		return number{bits, float24.Bits(bits).Float64()}
	}
	return number{bits, float64(math.Float32frombits(bits))}
}

// hex returns the bits with as many digits as the storage has.
func hexOf(storage pica.Value, bits uint32) string {
	if storage == pica.StorageF24 {
		return fmt.Sprintf("%06x", bits)
	}
	return fmt.Sprintf("%08x", bits)
}

// text returns the value as people write it; the shortest decimal that reads
// back as the same float32.
func (n number) text() string {
	switch {
	case math.IsNaN(n.value):
		return "NaN"
	case math.IsInf(n.value, 0):
		return fmt.Sprintf("%+v", n.value)
	}
	return strconv.FormatFloat(n.value, 'g', -1, 32)
}

// same reports whether two components hold the same value, whatever formats
// they are kept in; all NaNs are one.
func (n number) same(m number) bool {
	return n.value == m.value && math.Signbit(n.value) == math.Signbit(m.value) || math.IsNaN(n.value) && math.IsNaN(m.value)
}

// json returns the value as a JSON number, or a string where JSON has none.
func (n number) json() any {
	if math.IsNaN(n.value) || math.IsInf(n.value, 0) {
		return n.text()
	}
	return n.value
}

// parseVector reads "1,2,3" as float32 values, or "raw:3f0000,..." as raw
// float24. Components left out are 0, 0, 0, 1, as the console fills attributes.
func parseVector(s string) (pica.Form, pica.Vec4, error) {
	list, raw := strings.CutPrefix(s, "raw:")
	form, v := pica.Float32, pica.Vec4{3: math.Float32bits(1)}
	if raw {
		form, v = pica.Raw24, pica.Vec4{3: 0x3F0000}
	}
	parts := strings.Split(list, ",")
	if len(parts) > 4 {
		return form, v, fmt.Errorf("%q has more than four components", s)
	}
	for k, part := range parts {
		part = strings.TrimSpace(part)
		if raw {
			bits, err := strconv.ParseUint(part, 16, 24)
			if err != nil {
				return form, v, fmt.Errorf("%q is not a raw float24 of up to six hex digits", part)
			}
			v[k] = uint32(bits)
			continue
		}
		f, err := strconv.ParseFloat(part, 32)
		if err != nil && !math.IsInf(f, 0) {
			return form, v, fmt.Errorf("%q is not a number", part)
		}
		v[k] = math.Float32bits(float32(f))
	}
	return form, v, nil
}

// parseRegister reads "v3", "c12", "i0" or "b7".
func parseRegister(s string) (class byte, n int, ok bool) {
	limits := map[byte]int{'v': pica.NumInputs, 'c': pica.NumFloats, 'i': pica.NumInts, 'b': pica.NumBools, 'r': pica.NumTemporaries}
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

// resolve turns a register or a name of the shader's symbol table into a
// register.
func resolve(shader pica.Shader, name string) (class byte, n int, err error) {
	if class, n, ok := parseRegister(name); ok {
		return class, n, nil
	}
	for _, s := range slices.Concat(shader.Inputs, shader.Uniforms) {
		if s.Name == name {
			return s.Class, s.First, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is neither a register nor a name in the shader's symbol table", name)
}
