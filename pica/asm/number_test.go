package asm

import (
	"math"
	"testing"
)

// TestCFloat compares with the results of C's atof.
func TestCFloat(t *testing.T) {
	for text, want := range map[string]uint64{
		"":                      0,
		"x":                     0,
		".":                     0,
		"1.5e1x":                math.Float64bits(15),
		" \t+2.":                math.Float64bits(2),
		"-.5":                   math.Float64bits(-0.5),
		"-0":                    1 << 63,
		"-x":                    0,
		"-.":                    0,
		"-0x":                   1 << 63,
		"1e":                    math.Float64bits(1),
		"1e+":                   math.Float64bits(1),
		"1e400":                 math.Float64bits(math.Inf(1)),
		"1.2.3":                 math.Float64bits(1.2),
		"0x":                    0,
		"0x1.8":                 math.Float64bits(1.5),
		"0X.8P+2":               math.Float64bits(2),
		"0x1p":                  math.Float64bits(1),
		"-Infinity":             math.Float64bits(math.Inf(-1)),
		"1_0":                   math.Float64bits(1),
		"0.1000000000000000055": math.Float64bits(0.1),
	} {
		if got := math.Float64bits(cFloat(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, math.Float64frombits(got), math.Float64frombits(want))
		}
	}
	if v := cFloat("-nan(5)"); !math.IsNaN(v) || !math.Signbit(v) {
		t.Errorf("-nan(5): got %v", v)
	}
	a := &assembler{AssembleOptions: AssembleOptions{Dialect: Picasso}}
	for text, want := range map[string]uint32{"-nan": 0xFF0000, "nan": 0x7F0000, "2.5e-19": 0x012725,
		"2e19": 0x7F158E, "0.1": 0x3B9999} {
		if got, err := a.float(text24(text)); err != nil || got != want {
			t.Errorf("picasso, %s: got %06x, want %06x", text, got, want)
		}
	}
	// 0.99999999999999999999 rounds to 1 in binary64; the exact value does not.
	exact := &assembler{}
	for text, want := range map[string]uint32{"0.99999999999999999999": 0x3EFFFF, "1.0000152587890624999": 0x3F0000,
		"0.1": 0x3B9999, "-0": 0x800000, "1e30": 0x7F0000} {
		if got, err := exact.float(text24(text)); err != nil || got != want {
			t.Errorf("default, %s: got %06x, want %06x", text, got, want)
		}
	}
}

func text24(s string) text { return text{s: s} }
