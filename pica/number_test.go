package pica_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// TestClassBorders names the first and the last pattern of each class.
func TestClassBorders(t *testing.T) {
	for _, x := range []struct {
		class       pica.NumberClass
		format      pica.NumberFormat
		first, last uint32
	}{
		{pica.ClassPosZero, pica.Float24, 0x000000, 0x000000},
		{pica.ClassPosSubnormal, pica.Float24, 0x000001, 0x00FFFF},
		{pica.ClassPosNormal, pica.Float24, 0x010000, 0x7EFFFF},
		{pica.ClassPosInf, pica.Float24, 0x7F0000, 0x7F0000},
		{pica.ClassNaN, pica.Float24, 0x7F0001, 0x7FFFFF},
		{pica.ClassNegZero, pica.Float24, 0x800000, 0x800000},
		{pica.ClassNegSubnormal, pica.Float24, 0x800001, 0x80FFFF},
		{pica.ClassNegNormal, pica.Float24, 0x810000, 0xFEFFFF},
		{pica.ClassNegInf, pica.Float24, 0xFF0000, 0xFF0000},
		{pica.ClassNaN, pica.Float24, 0xFF0001, 0xFFFFFF},

		{pica.ClassPosZero, pica.Float32, 0x00000000, 0x00000000},
		{pica.ClassPosSubnormal, pica.Float32, 0x00000001, 0x007FFFFF},
		{pica.ClassPosNormal, pica.Float32, 0x00800000, 0x7F7FFFFF},
		{pica.ClassPosInf, pica.Float32, 0x7F800000, 0x7F800000},
		{pica.ClassNaN, pica.Float32, 0x7F800001, 0x7FFFFFFF},
		{pica.ClassNegZero, pica.Float32, 0x80000000, 0x80000000},
		{pica.ClassNegSubnormal, pica.Float32, 0x80000001, 0x807FFFFF},
		{pica.ClassNegNormal, pica.Float32, 0x80800000, 0xFF7FFFFF},
		{pica.ClassNegInf, pica.Float32, 0xFF800000, 0xFF800000},
		{pica.ClassNaN, pica.Float32, 0xFF800001, 0xFFFFFFFF},
	} {
		for _, bits := range []uint32{x.first, x.last} {
			if got := x.format.Class(bits); got != x.class {
				t.Errorf("%#08x: got %v, want %v", bits, got, x.class)
			}
		}
	}
}

// TestWidenIsExact compares every number of float24 with the definition: m * 2^-78 or
// (1 + m/65536) * 2^(e-63).
func TestWidenIsExact(t *testing.T) {
	for x := range uint32(1 << 24) {
		e, m := int(x>>16&127), float64(x&0xFFFF)
		if e == 127 {
			continue
		}
		want := math.Ldexp(m, -78)
		if e != 0 {
			want = math.Ldexp(m+0x10000, e-63-16)
		}
		if x>>23 != 0 {
			want = -want
		}
		if got := math.Float32frombits(pica.Float24.Widen(x)); float64(got) != want ||
			math.Signbit(float64(got)) != (x>>23 != 0) {
			t.Fatalf("%06x: got %v, want %v", x, got, want)
		}
	}
}

// TestWidenPoints lists patterns that real implementations were asked for (pica200.md 2.2, column of
// Azahar).
func TestWidenPoints(t *testing.T) {
	for x, want := range map[uint32]uint32{
		0x000001: 0x18800000, 0x00FFFF: 0x207FFF00, 0x008000: 0x20000000, 0x800000: 0x80000000, 0x800001: 0x98800000,
		0x7F0000: 0x7F800000, 0x7F8000: 0x7FC00000, 0xFF0001: 0xFF800080, 0x7EFFFF: 0x5F7FFF80, 0x3F0000: 0x3F800000,
		0x010000: 0x20800000,
	} {
		if got := pica.Float24.Widen(x); got != want {
			t.Errorf("%06x: got %08x, want %08x", x, got, want)
		}
		if got := pica.Float24.Widen(x | 0xA5000000); got != want {
			t.Errorf("%06x with upper bits: got %08x, want %08x", x, got, want)
		}
	}
}

// TestNarrowInvertsWiden for all patterns of float24, one by one and in vectors,
// and some of float32, where both are the identity.
func TestNarrowInvertsWiden(t *testing.T) {
	for x := range uint32(1 << 24) {
		wide := pica.Float24.Widen(x)
		if got := pica.Float24.Narrow(wide); got != x {
			t.Fatalf("%06x: widened to %08x, narrowed to %06x", x, wide, got)
		}
		var back pica.Vec4
		v := pica.Vec4{x, x ^ 1<<23, 0, 0x3F0000}
		pica.Float24.WidenVector(&back, &v)
		if back[0] != wide || back[1] != pica.Float24.Widen(v[1]) || back[3] != 0x3F800000 {
			t.Fatalf("%06x: widened to %08x", v, back)
		}
		if pica.Float24.NarrowVector(&back, &back); back != v {
			t.Fatalf("%06x: comes back as %06x", v, back)
		}
	}
	v := pica.Vec4{0x3F800001, 1, 0x7FFFFFFF, 0x80000000}
	var back pica.Vec4
	if pica.Float32.WidenVector(&back, &v); back != v || pica.Float32.Widen(v[0]) != v[0] {
		t.Errorf("float32 widened: got %08x, want %08x", back, v)
	}
	if pica.Float32.NarrowVector(&back, &v); back != v || pica.Float32.Narrow(v[2]) != v[2] {
		t.Errorf("float32 narrowed: got %08x, want %08x", back, v)
	}
}

// TestOrdinal: neighbours differ by one, across zero too; ordinals are in the order of values.
func TestOrdinal(t *testing.T) {
	for _, c := range []struct {
		format pica.NumberFormat
		x      uint32
		want   int64
	}{
		{pica.Float24, 0, 0}, {pica.Float24, 0x800000, 0}, {pica.Float24, 1, 1}, {pica.Float24, 0x800001, -1},
		{pica.Float24, 0x3F0000, 0x3F0000}, {pica.Float24, 0xFF0000, -0x7F0000},
		{pica.Float32, 0x80000000, 0}, {pica.Float32, 0xBF800000, -0x3F800000}, {pica.Float32, 0x7F800000, 0x7F800000},
	} {
		if got := c.format.Ordinal(c.x); got != c.want {
			t.Errorf("%v %x: got %d, want %d", c.format, c.x, got, c.want)
		}
	}
}

// TestInteger: small integers are exact, large ones are cut toward zero.
func TestInteger(t *testing.T) {
	const seed = 8
	random := rand.New(rand.NewPCG(seed, 0))
	for k := range 200000 {
		n := int64(k - 100000)
		if want := math.Float32bits(float32(n)); pica.Float32.Integer(n) != want ||
			pica.Float24.Widen(pica.Float24.Integer(n)) != want {
			t.Fatalf("%d: got %06x and %08x, want %08x", n, pica.Float24.Integer(n), pica.Float32.Integer(n), want)
		}
		n = int64(random.Uint64()) >> random.IntN(40)
		cut := n // to 17 significant bits
		for shift := 0; ; shift++ {
			if cut = n / (1 << shift); -1<<17 < cut && cut < 1<<17 {
				cut <<= shift
				break
			}
		}
		if got, want := pica.Float24.Widen(pica.Float24.Integer(n)), math.Float32bits(float32(cut)); got != want {
			t.Fatalf("seed %d: %d: got %08x, want %08x", seed, n, got, want)
		}
	}
}

// TestNumberText: values and patterns as reports show them.
func TestNumberText(t *testing.T) {
	for _, c := range []struct {
		format pica.NumberFormat
		x      uint32
		want   string
	}{
		{pica.Float24, 0x3F0000, "1 (0x3f0000)"}, {pica.Float24, 0xBE0000, "-0.5 (0xbe0000)"},
		{pica.Float24, 0x418000, "6 (0x418000)"},
		{pica.Float24, 0x800000, "-0 (0x800000)"}, {pica.Float24, 0x7F0000, "+Inf (0x7f0000)"},
		{pica.Float24, 0xFF0000, "-Inf (0xff0000)"},
		{pica.Float24, 0x7F0001, "NaN (0x7f0001)"}, {pica.Float24, 0x010000, "2.1684043e-19 (0x010000)"},
		{pica.Float24, 0x13F0000, "0x013f0000"},
		{pica.Float32, 0x3DCCCCCD, "0.1 (0x3dcccccd)"},
	} {
		if got := c.format.Show(c.x); got != c.want {
			t.Errorf("%v %x: got %s, want %s", c.format, c.x, got, c.want)
		}
	}
	if got := pica.NumberFormat(7).String() + pica.NumberClass(9).String() +
		pica.Float24.String(); got != "NumberFormat(7)NumberClass(9)float24" {
		t.Errorf("names: %s", got)
	}
}

// TestNumberConstants lists the constants of both layouts.
func TestNumberConstants(t *testing.T) {
	type constants struct {
		sign, infinity, one      uint32
		bias, significand, digit int
	}
	for f, want := range map[pica.NumberFormat]constants{
		pica.Float24: {1 << 23, 0x7F0000, 0x3F0000, 63, 16, 6},
		pica.Float32: {1 << 31, 0x7F800000, 0x3F800000, 127, 23, 8},
	} {
		if got := (constants{f.Sign(), f.Infinity(), f.One(), f.Bias(), f.SignificandBits(),
			f.Digits()}); got != want {
			t.Errorf("%v: got %+v, want %+v", f, got, want)
		}
		if e, s := f.Exponent(f.One()|5), f.Significand(f.One()|5); e != f.Bias() || s != 5 {
			t.Errorf("%v: exponent %d and significand %d of one and five units", f, e, s)
		}
	}
}
