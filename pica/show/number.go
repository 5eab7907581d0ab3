package show

import (
	"math"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Vector is the JSON form of a register. A value is a number, or one of the
// strings "NaN", "+Inf" and "-Inf".
type Vector struct {
	Bits  [4]string `json:"bits"`
	Value [4]any    `json:"value"`
}

// VectorOf returns a register.
func VectorOf(f pica.NumberFormat, v pica.Vec4) (j Vector) {
	for c, x := range v {
		j.Bits[c], j.Value[c] = f.Hex(x), f.Decimal(x)
		if value := float64(math.Float32frombits(f.Widen(x))); !math.IsNaN(value) && !math.IsInf(value, 0) {
			j.Value[c] = value
		}
	}
	return j
}

// vectorText returns the components in mask (bit 3 = x) as "(1, 2, _, 4)".
func vectorText(f pica.NumberFormat, v pica.Vec4, mask uint8) string {
	var components [4]string
	for c, x := range v {
		components[c] = "_"
		if mask>>(3-c)&1 != 0 {
			components[c] = f.Decimal(x)
		}
	}
	return "(" + strings.Join(components[:], ", ") + ")"
}
