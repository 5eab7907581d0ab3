package float24_test

import (
	"math"
	"testing"

	"github.com/picaproof/picaproof/pica"
	f24 "github.com/picaproof/picaproof/pica/float24"
)

// below returns the binary64 next to v toward zero.
func below(v float64) float64 { return math.Nextafter(v, 0) }

// TestRegular: zeros, and numbers whose exponent is the exponent of a normal float24, also after the
// significand is rounded up.
func TestRegular(t *testing.T) {
	for v, want := range map[float64]bool{
		0:                    true,
		math.Copysign(0, -1): true,
		1:                    true,
		-1.5:                 true,
		0x1p-62:              true,
		below(0x1p-62):       false,
		-below(0x1p-62):      false,
		0x1p-78:              false,
		below(0x1p63):        true,
		0x1p63:               false,
		0x1p64:               false,
		math.Inf(-1):         false,
		math.MaxFloat64:      false,
		math.NaN():           false,
		0x1p-1022:            false,
		0x1p-1021:            false,
		below(0x1p-1022):     true, // a subnormal of binary64, which no sum or product is
	} {
		if got := f24.Regular(v); got != want {
			t.Errorf("%x: got %t", v, got)
		}
	}
}

// TestLimits compares values, not patterns, at both ends of the range: the pattern of float24 for
// 2^64 is infinity.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	const tie = 0x1.FFFF8p63 // between the largest float24 and 2^64
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"nearest: tie", f24.RoundNearest(tie), inf},
		{"nearest: -tie", f24.RoundNearest(-tie), -inf},
		{"nearest: below the tie", f24.RoundNearest(below(tie)), 0x1.FFFFp63},
		{"nearest: 2^-62", f24.RoundNearest(0x1p-62), 0x1p-62},
		{"nearest: largest subnormal and a half", f24.RoundNearest(0x1.FFFFp-63), 0x1p-62},
		{"nearest: half of the smallest", f24.RoundNearest(0x1p-79), 0},
		{"nearest: 3/2 of the smallest", f24.RoundNearest(0x1.8p-78), 0x1p-77},
		{"truncated sum: 2^64", f24.AddTruncated(0x1p63, 0x1p63), inf},
		{"truncated sum: -2^64", f24.AddTruncated(-0x1p63, -0x1p63), -inf},
		{"truncated sum: below 2^64", f24.AddTruncated(0x1.FFFFp63, 0x1p40), 0x1.FFFFp63},
		{"truncated product: 2^64", f24.MulTruncated(0x1p32, 0x1p32), inf},
		{"truncated product: 2^-62", f24.MulTruncated(0x1p-31, -0x1p-31), -0x1p-62},
		{"truncated product: below 2^-62", f24.MulTruncated(0x1.FFFFp-32, 0x1.FFFFp-32), 0},
		{"log2: infinity", f24.Log2(inf), inf},
		{"log2: largest float24", f24.Log2(0x1.FFFFp63), 64},
		{"exp2: infinity", f24.Exp2(inf), inf},
		{"exp2: -infinity", f24.Exp2(-inf), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %x, want %x", c.name, c.got, c.want)
		}
	}
}

// TestRoundLimits checks both ends of the range for patterns of binary32.
func TestRoundLimits(t *testing.T) {
	for _, c := range []struct {
		name         string
		f, even, cut uint32
	}{
		{"2^64", 0x5F800000, 0x7F800000, 0x7F800000},
		{"-2^64", 0xDF800000, 0xFF800000, 0xFF800000},
		{"largest and half a unit", 0x5F7FFFC0, 0x7F800000, 0x5F7FFF80},
		{"largest and nearly half a unit", 0x5F7FFFBF, 0x5F7FFF80, 0x5F7FFF80},
		{"2^-79, a tie", 0x18000000, 0, 0},
		{"above the tie at 2^-79", 0x18000001, 0x18800000, 0},
		{"1.5*2^-79", 0x18400000, 0x18800000, 0},
		{"-1.5*2^-79", 0x98400000, 0x98800000, 0x80000000},
		{"below 2^-78", 0x187FFFFF, 0x18800000, 0},
		{"below 2^-79", 0x17FFFFFF, 0, 0},
	} {
		for r, want := range map[f24.Rounding]uint32{f24.NearestEven: c.even, f24.TowardZero: c.cut} {
			if got := f24.Round(c.f, r); got != want {
				t.Errorf("%s, rounding %d: got %08X, want %08X", c.name, r, got, want)
			}
			var got pica.Vec4
			f24.RoundVector(&got, &pica.Vec4{c.f, 0, c.f, c.f}, r)
			if (got != pica.Vec4{want, 0, want, want}) {
				t.Errorf("%s in a vector, rounding %d: got %08X, want %08X", c.name, r, got, want)
			}
		}
	}
}
