package float24_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/pica"
	f24 "github.com/picaproof/picaproof/pica/float24"
)

const all = 1 << 24

func TestDecodeVariants(t *testing.T) {
	for _, c := range []struct {
		x                         f24.Bits
		strict, hiddenOne, mikage uint32
	}{
		{0x000001, 0x18800000, 0x20000080, 0x00000000},
		{0x00FFFF, 0x207FFF00, 0x207FFF80, 0x00000000},
		{0x008000, 0x20000000, 0x20400000, 0x00000000},
		{0x800000, 0x80000000, 0x80000000, 0x00000000},
		{0x800001, 0x98800000, 0xA0000080, 0x00000000},
		{0x7F0000, 0x7F800000, 0x7F800000, 0x5F800000},
		{0x7F8000, 0x7FC00000, 0x7FC00000, 0x5FC00000},
		{0xFF0001, 0xFF800080, 0xFF800080, 0xDF800080},
		{0x7EFFFF, 0x5F7FFF80, 0x5F7FFF80, 0x5F7FFF80},
		{0x3F0000, 0x3F800000, 0x3F800000, 0x3F800000},
		{0x010000, 0x20800000, 0x20800000, 0x20800000},
	} {
		for _, d := range []struct {
			name string
			f    func(f24.Bits) uint32
			want uint32
		}{{"strict", f24.Decode, c.strict}, {"hidden one", f24.DecodeHiddenOne, c.hiddenOne}, {"mikage", f24.DecodeMikage, c.mikage}} {
			if got := d.f(c.x); got != d.want {
				t.Errorf("%s %06X: got %08X, want %08X", d.name, c.x, got, d.want)
			}
			if got := d.f(c.x | 0xA5000000); got != d.want {
				t.Errorf("%s %06X with upper bits: got %08X, want %08X", d.name, c.x, got, d.want)
			}
		}
	}
}

// Decode against the definition: m * 2^-78 or (1 + m/65536) * 2^(e-63).
func TestDecodeIsExact(t *testing.T) {
	for x := range f24.Bits(all) {
		e, m := int(x>>16&127), float64(x&0xFFFF)
		if e == 127 {
			continue
		}
		want := math.Ldexp(m, -78)
		if e != 0 {
			want = math.Ldexp(m+0x10000, e-63-16)
		}
		if x&f24.SignBit != 0 {
			want = -want
		}
		if got := math.Float32frombits(f24.Decode(x)); float64(got) != want || math.Signbit(float64(got)) != (x&f24.SignBit != 0) {
			t.Fatalf("%06X: got %v, want %v", x, got, want)
		}
	}
}

func TestEncodeVariants(t *testing.T) {
	for _, c := range []struct {
		name                        string
		f                           uint32
		libctru, nihstro, even, cut f24.Bits
	}{
		{"-0", 0x80000000, 0x800000, 0x800000, 0x800000, 0x800000},
		{"0.1", 0x3DCCCCCD, 0x3B9999, 0x3B9999, 0x3B999A, 0x3B9999},
		{"1+2^-17, a tie", 0x3F800040, 0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000},
		{"1+3*2^-17, a tie", 0x3F8000C0, 0x3F0001, 0x3F0001, 0x3F0002, 0x3F0001},
		{"1+2^-16-2^-23", 0x3F80007F, 0x3F0000, 0x3F0000, 0x3F0001, 0x3F0000},
		{"2-2^-23", 0x3FFFFFFF, 0x3FFFFF, 0x3FFFFF, 0x400000, 0x3FFFFF},
		{"2^-62", 0x20800000, 0x010000, 0x010000, 0x010000, 0x010000},
		{"2^-62(1-2^-24)", 0x207FFFFF, 0x00FFFF, 0x00FFFF, 0x010000, 0x00FFFF},
		{"1.5*2^-63", 0x20400000, 0x008000, 0x008000, 0x00C000, 0x00C000},
		{"2^-63", 0x20000000, 0x000000, 0x000000, 0x008000, 0x008000},
		{"2^-78", 0x18800000, 0x000000, 0x000000, 0x000001, 0x000001},
		{"max and half a unit", 0x5F7FFFC0, 0x7EFFFF, 0x7EFFFF, 0x7F0000, 0x7EFFFF},
		{"2^64", 0x5F800000, 0x7F0000, 0x7F0000, 0x7F0000, 0x7F0000},
		{"1.5*2^64", 0x5FC00000, 0x7F8000, 0x7F8000, 0x7F0000, 0x7F0000},
		{"2^65", 0x60000000, 0x7F0000, 0x000000, 0x7F0000, 0x7F0000},
		{"largest float32", 0x7F7FFFFF, 0x7F0000, 0x3EFFFF, 0x7F0000, 0x7F0000},
		{"inf", 0x7F800000, 0x7F0000, 0x3F0000, 0x7F0000, 0x7F0000},
		{"NaN", 0x7FC00000, 0x7F0000, 0x3F8000, 0x7F8000, 0x7F8000},
		{"signalling NaN", 0x7F800001, 0x7F0000, 0x3F0000, 0x7F8000, 0x7F8000},
		{"-NaN", 0xFFC00000, 0xFF0000, 0xBF8000, 0xFF8000, 0xFF8000},
	} {
		for _, e := range []struct {
			name      string
			got, want f24.Bits
		}{
			{"libctru", f24.EncodeLibctru(c.f), c.libctru},
			{"nihstro", f24.EncodeNihstro(c.f), c.nihstro},
			{"nearest even", f24.Encode(c.f, f24.NearestEven), c.even},
			{"toward zero", f24.Encode(c.f, f24.TowardZero), c.cut},
		} {
			if e.got != e.want {
				t.Errorf("%s, %s (%08X): got %06X, want %06X", c.name, e.name, c.f, e.got, e.want)
			}
		}
	}
}

func TestEncodeInvertsDecode(t *testing.T) {
	for x := range f24.Bits(all) {
		f := f24.Decode(x)
		for _, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			if got := f24.Encode(f, r); got != x {
				t.Fatalf("%06X: decoded %08X, encoded %06X (rounding %d)", x, f, got, r)
			}
		}
		if !x.IsNaN() && !x.IsSubnormal() && f24.EncodeLibctru(f) != x {
			t.Fatalf("%06X: decoded %08X, libctru encodes %06X", x, f, f24.EncodeLibctru(f))
		}
	}
}

// exactRound rounds with arbitrary precision: the definition, word for word.
func exactRound(v *big.Float, r f24.Rounding) f24.Bits {
	sign := f24.Bits(0)
	if v.Signbit() {
		sign = f24.SignBit
	}
	m := new(big.Float).Abs(v)
	if m.Sign() == 0 {
		return sign
	}
	q := max(m.MantExp(nil)-1-16, -78)
	u := new(big.Float).SetMantExp(m, -q)
	whole, _ := u.Int(nil)
	units := whole.Int64()
	rest := new(big.Float).Sub(u, new(big.Float).SetInt(whole))
	if half := rest.Cmp(big.NewFloat(0.5)); r == f24.NearestEven && (half > 0 || half == 0 && units&1 != 0) {
		units++
	}
	if units == 1<<17 {
		units, q = 1<<16, q+1
	}
	if units < 1<<16 {
		return sign | f24.Bits(units)
	}
	if e := q + 79; e < 127 {
		return sign | f24.Bits(e<<16) | f24.Bits(units-1<<16)
	}
	return sign | f24.PosInf
}

func TestEncodeIsCorrectlyRounded(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for n := range 200000 {
		f := random.Uint32()
		if n%2 == 0 { // near the edges of the range
			f = f&0x81FFFFFF | []uint32{0x18000000, 0x20000000, 0x5E000000}[n/2%3]
		}
		if f&0x7F800000 == 0x7F800000 {
			continue
		}
		for _, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			want := exactRound(big.NewFloat(float64(math.Float32frombits(f))), r)
			if got := f24.Encode(f, r); got != want {
				t.Fatalf("%08X, rounding %d: got %06X, want %06X", f, r, got, want)
			}
		}
	}
}

// Sums and products against arbitrary precision, in both models.
func TestArithmeticIsCorrectlyRounded(t *testing.T) {
	const seed = 6
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	exact := func(x f24.Bits) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x.Float64()) }
	rounding := []f24.Rounding{f24.NearestEven, f24.TowardZero}
	for n := range 100000 {
		a, b := f24.Bits(random.Uint32()&0xFFFFFF), f24.Bits(random.Uint32()&0xFFFFFF)
		if n%2 == 0 { // exponents close together
			b = b&0x80FFFF | a&0x7F0000 ^ f24.Bits(random.Uint32N(8)<<16)
		}
		if a.Exponent() == 127 || b.Exponent() == 127 || a.IsZero() || b.IsZero() {
			continue
		}
		for m := range f24.Arithmetic(2) {
			x, y := a, b
			finish := func(v *big.Float) f24.Bits { return exactRound(v, rounding[m]) }
			if m == f24.Truncating {
				flush := func(x f24.Bits) f24.Bits {
					if x.Exponent() == 0 {
						return 0
					}
					return x
				}
				x, y = flush(a), flush(b)
				finish = func(v *big.Float) f24.Bits { return flush(exactRound(v, rounding[m])) }
			}
			sum, product := new(big.Float).SetPrec(300).Add(exact(x), exact(y)), new(big.Float).SetPrec(300).Mul(exact(x), exact(y))
			if got, want := m.Add(a, b), finish(sum); got != want {
				t.Fatalf("%06X + %06X, model %d: got %06X, want %06X", a, b, m, got, want)
			}
			if got, want := m.Mul(a, b), finish(product); got != want {
				t.Fatalf("%06X * %06X, model %d: got %06X, want %06X", a, b, m, got, want)
			}
		}
	}
}

func TestMonotony(t *testing.T) {
	last := [2]f24.Bits{}
	for f := uint32(0); f <= 0x7F800000; f += 37 {
		for k, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			x := f24.Encode(f, r)
			if x < last[k] {
				t.Fatalf("%08X encodes to %06X, below %06X", f, x, last[k])
			}
			last[k] = x
		}
	}
	previous := uint32(0)
	for x := range f24.PosInf {
		f := f24.Decode(x)
		if x > 0 && f <= previous {
			t.Fatalf("%06X decodes to %08X, not above %08X", x, f, previous)
		}
		previous = f
	}
}

func TestConvert(t *testing.T) {
	for f, want := range map[uint32]f24.Bits{
		0x7FC12345: 0x7F8000, 0xFF800001: 0xFF8000, 0x7F800000: 0x7F0000, 0xFF800000: 0xFF0000, 0x80000000: 0x800000,
		0x3F8000C0: 0x3F0002, 0x18800000: 0x000001,
	} {
		if got := f24.Convert(f, f24.NearestEven); got != want {
			t.Errorf("%08X: got %06X, want %06X", f, got, want)
		}
	}
}

func TestPack(t *testing.T) {
	v := pica.Vec4{0x123456, 0x789ABC, 0xDEF012, 0x345678}
	words := [3]uint32{0x345678DE, 0xF012789A, 0xBC123456}
	if got := f24.Pack(v); got != words {
		t.Errorf("packed %08X, want %08X", got, words)
	}
	if got := f24.Unpack(words); got != v {
		t.Errorf("unpacked %06X, want %06X", got, v)
	}
	if got, want := f24.PackFloat32(v), (pica.Vec4{0x345678, 0xDEF012, 0x789ABC, 0x123456}); got != want {
		t.Errorf("float32 order %08X, want %08X", got, want)
	}
	for k := range 96 {
		var w [3]uint32
		w[k/32] = 1 << (k % 32)
		if got := f24.Pack(f24.Unpack(w)); got != w {
			t.Errorf("%08X comes back as %08X", w, got)
		}
	}
}

func TestSmall(t *testing.T) {
	for _, c := range []struct {
		format f24.Small
		x, f   uint32
	}{
		{f24.Float20, 0x3F000, 0x3F800000}, {f24.Float20, 0x80000, 0x80000000}, {f24.Float20, 0x7F000, 0x7F800000},
		{f24.Float20, 0x00001, 0x1A800000}, {f24.Float20, 0xC0800, 0xC0400000},
		{f24.Float16, 0x3C00, 0x3F800000}, {f24.Float16, 0x7BFF, 0x477FE000}, {f24.Float16, 0xFC00, 0xFF800000},
		{f24.Float16, 0x0001, 0x33800000}, {f24.Float16, 0x0400, 0x38800000}, {f24.Float16, 0x7E01, 0x7FC02000},
		{f24.Float31, 0x3F << 23, 0x3F800000}, {f24.Float31, 0x7E<<23 | 0x7FFFFF, 0x5F7FFFFF},
	} {
		if got := c.format.Decode(c.x); got != c.f {
			t.Errorf("%v %05X: decoded %08X, want %08X", c.format, c.x, got, c.f)
		}
	}
	for _, c := range []struct {
		format          f24.Small
		f, cut, nearest uint32
	}{
		{f24.Float16, 0x3F801000, 0x3C00, 0x3C00}, // a tie, even below
		{f24.Float16, 0x3F803000, 0x3C01, 0x3C02}, // a tie, even above
		{f24.Float16, 0x477FF000, 0x7BFF, 0x7C00},
		{f24.Float16, 0x7F800001, 0x7E00, 0x7E00},
		{f24.Float16, 0x33000001, 0x0000, 0x0001},
		{f24.Float16, 0x00000001, 0x0000, 0x0000},
		{f24.Float20, 0x60000000, 0x7F000, 0x7F000},
		{f24.Float20, 0xFF800000, 0xFF000, 0xFF000},
	} {
		if got := c.format.Encode(c.f, f24.TowardZero); got != c.cut {
			t.Errorf("%v %08X: cut to %05X, want %05X", c.format, c.f, got, c.cut)
		}
		if got := c.format.Encode(c.f, f24.NearestEven); got != c.nearest {
			t.Errorf("%v %08X: rounded to %05X, want %05X", c.format, c.f, got, c.nearest)
		}
	}
	for _, format := range []f24.Small{f24.Float16, f24.Float20} {
		for x := range uint32(1) << (1 + format.Exponent + format.Mantissa) {
			if got := format.Encode(format.Decode(x), f24.NearestEven); got != x {
				t.Fatalf("%v: %05X comes back as %05X", format, x, got)
			}
		}
	}
}

func TestClasses(t *testing.T) {
	for x, want := range map[f24.Bits][4]bool{ // NaN, infinity, zero, subnormal
		0: {2: true}, 0x800000: {2: true}, 1: {3: true}, 0x80FFFF: {3: true}, 0x010000: {}, 0x7EFFFF: {},
		0x7F0000: {1: true}, 0xFF0000: {1: true}, 0x7F0001: {0: true}, 0xFFFFFF: {0: true},
	} {
		if got := [4]bool{x.IsNaN(), x.IsInf(), x.IsZero(), x.IsSubnormal()}; got != want {
			t.Errorf("%06X: got %v, want %v", x, got, want)
		}
	}
	if got := f24.QNaN.Negate(); got != 0xFF8000 {
		t.Errorf("negated NaN is %06X", got)
	}
}

// The fast functions against those of the library, which the tables of golden
// hashes do not cover below 2^-62 and at the specials.
func TestExponentialsEverywhere(t *testing.T) {
	for x := range f24.Bits(all) {
		v := x.Float64()
		if got, want := f24.Exp2(v), f24.RoundNearest(math.Exp2(v)); got != want && (got == got || want == want) {
			t.Fatalf("exp2(%06X): got %v, want %v", x, got, want)
		}
		want := math.Log2(v)
		if v > 0.5 && v < 2 {
			want = math.Log1p(v-1) * math.Log2E
		}
		if got, want := f24.Log2(v), f24.RoundNearest(want); got != want && (got == got || want == want) {
			t.Fatalf("log2(%06X): got %v, want %v", x, got, want)
		}
	}
}
