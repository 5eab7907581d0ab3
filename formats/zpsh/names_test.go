package zpsh_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// TestNames holds fields and their text against each other, values without a
// meaning included.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{zpsh.R3, "R3"},
		{zpsh.VertexInfo(), "vertex"},
		{zpsh.PointInfo(1), "geometry point, 1 inputs"},
		{zpsh.PointInfo(3), "geometry point, 3 inputs"},
		{zpsh.VariableInfo(0), "geometry variable, 0 full vertices"},
		{zpsh.VariableInfo(18), "geometry variable, 18 full vertices"},
		{zpsh.FixedInfo(2, 64), "geometry fixed, 2 vertices from c64"},
		{zpsh.Info(0xFFFF), "geometry fixed, 16 vertices from c127, reserved bits 0xe000"},
		{zpsh.Type(4), "Type(4)"},
		{zpsh.Semantic(11), "color.a"},
		{zpsh.Semantic(17), "0x11"},
		{zpsh.Semantic(23), "texcoord2.v"},
		{zpsh.Semantic(30), "0x1e"},
		{zpsh.Unused, "unused"},
		{zpsh.Semantic(32), "0x20"},
		{zpsh.Map(0x0B0A0908), "color.r color.g color.b color.a"},
		{zpsh.Map(0x1F_F1_0C_2D), "texcoord0.v texcoord0.u 0x11 unused, reserved bits 0x00e00020"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T(%v): got %q, want %q", c.value, c.value, got, c.want)
		}
	}
}
