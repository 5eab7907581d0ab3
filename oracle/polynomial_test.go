package oracle_test

import (
	"math"
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestPolynomials holds EX2 and LG2 of the compilers against what they were seen
// to return on a host with AVX-512.
func TestPolynomials(t *testing.T) {
	const nan = 0x7FC00000
	p, _ := profile.ByName("azahar-x64")
	u := unitOf(p)
	for _, c := range []struct {
		op      pica.Opcode
		x, want uint32
	}{
		{pica.EX2, bitsOf(0), 0x3F800016}, {pica.EX2, bitsOf(1), 0x3FFFFFD5}, {pica.EX2, bitsOf(2), 0x407FFFD5},
		{pica.EX2, bitsOf(10), 0x447FFFD5}, {pica.EX2, bitsOf(-1), 0x3F000016}, {pica.EX2, bitsOf(0.5), 0x3FB504EB},
		{pica.EX2, bitsOf(-127), 0x0040000B}, {pica.EX2, 0x7F800000, nan}, {pica.EX2, 0xFF800000, nan},
		{pica.EX2, 0x7FC12345, 0x7FC12345},
		{pica.EX2, bitsOf(1e30), 0x7F800000}, {pica.EX2, bitsOf(-1e30), 0}, {pica.EX2, 1, 0x3F800016},
		{pica.LG2, bitsOf(3), 0x3FCAE02D}, {pica.LG2, bitsOf(0.1), 0xC05499E7}, {pica.LG2, bitsOf(4), 0x40000000},
		{pica.LG2, bitsOf(1), 0},
		{pica.LG2, 0, 0xFF800000}, {pica.LG2, 0x80000000, 0xFF800000}, {pica.LG2, bitsOf(-1), nan},
		{pica.LG2, 0xFF800000, nan},
		{pica.LG2, 0x7F800000, 0x7F800000}, {pica.LG2, 1, bitsOf(-149)}, {pica.LG2, 0x7FC12345, 0x7FC12345},
	} {
		if got := u.Compute(c.op, c.x, 0, 0); got != c.want {
			t.Errorf("%v of %08x: got %08x, want %08x", c.op, c.x, got, c.want)
		}
	}
}

// TestPolynomialsOnHost repeats the computation with the host's fused operation
// on float32 values, each step rounded once.
func TestPolynomialsOnHost(t *testing.T) {
	p, _ := profile.ByName("panda-x64")
	u := unitOf(p)
	f := math.Float32frombits
	// A product of two float32 is exact in float64; the sum may then round twice,
	// so steps whose float64 sum is inexact and near a midpoint are left out.
	unsure := false
	fma := func(a, b, c float32) float32 {
		product := float64(a) * float64(b)
		sum := product + float64(c)
		back := sum - product
		exact := (product-(sum-back))+(float64(c)-back) == 0
		if !exact && math.Float64bits(sum)&0x1FFFFFFF == 0x10000000 {
			unsure = true
		}
		return float32(sum)
	}
	horner := func(c [5]uint32, x float32) float32 {
		r := f(c[0])
		for _, k := range c[1:] {
			r = fma(r, x, f(k))
		}
		return r
	}
	x := uint32(1)
	for range 200_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		a := f(0x3F000000 + x>>4 - 0x04000000) // 2^-9 to 2^23
		if x&1 != 0 {
			a = -a
		}
		unsure = false
		i := float32(math.Trunc(float64(a - 0.5)))
		want :=
			float32(
				math.Ldexp(float64(horner([5]uint32{0x3C5DBE69, 0x3D5509F9, 0x3E773CC5, 0x3F3168B3, 0x3F800016}, a-i)),
					int(i)))
		if got := u.Compute(pica.EX2, bitsOf(a), 0, 0); got != bitsOf(want) && !unsure {
			t.Fatalf("EX2 of %08x: got %08x, want %08x", bitsOf(a), got, bitsOf(want))
		}
		if a < 0 {
			a = -a
		}
		unsure = false
		m, e := math.Frexp(float64(a))
		y := float32(2 * m)
		want = fma(y-1, horner([5]uint32{0x3D74552F, 0xBEEE7397, 0x3FBD96DD, 0xC02153F6, 0x4038D96C}, y), float32(e-1))
		if got := u.Compute(pica.LG2, bitsOf(a), 0, 0); got != bitsOf(want) && !unsure {
			t.Fatalf("LG2 of %08x: got %08x, want %08x", bitsOf(a), got, bitsOf(want))
		}
	}
}
