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

// stride is the distance of the patterns in a test over many of them: 1, or in short tests a prime,
// so that every bit of the pattern changes.
func stride() uint32 {
	if testing.Short() {
		return 31
	}
	return 1
}

// rounded returns the float24 pattern to which f is rounded.
func rounded(f uint32, r f24.Rounding) uint32 { return pica.Float24.Narrow(f24.Round(f, r)) }

func TestRoundPoints(t *testing.T) {
	for _, c := range []struct {
		name         string
		f, even, cut uint32
	}{
		{"-0", 0x80000000, 0x800000, 0x800000},
		{"0.1", 0x3DCCCCCD, 0x3B999A, 0x3B9999},
		{"1+2^-17, a tie", 0x3F800040, 0x3F0000, 0x3F0000},
		{"1+3*2^-17, a tie", 0x3F8000C0, 0x3F0002, 0x3F0001},
		{"1+2^-16-2^-23", 0x3F80007F, 0x3F0001, 0x3F0000},
		{"2-2^-23", 0x3FFFFFFF, 0x400000, 0x3FFFFF},
		{"2^-62", 0x20800000, 0x010000, 0x010000},
		{"2^-62(1-2^-24)", 0x207FFFFF, 0x010000, 0x00FFFF},
		{"1.5*2^-63", 0x20400000, 0x00C000, 0x00C000},
		{"2^-63", 0x20000000, 0x008000, 0x008000},
		{"2^-78", 0x18800000, 0x000001, 0x000001},
		{"max and half a unit", 0x5F7FFFC0, 0x7F0000, 0x7EFFFF},
		{"2^64", 0x5F800000, 0x7F0000, 0x7F0000},
		{"1.5*2^64", 0x5FC00000, 0x7F0000, 0x7F0000},
		{"2^65", 0x60000000, 0x7F0000, 0x7F0000},
		{"largest float32", 0x7F7FFFFF, 0x7F0000, 0x7F0000},
		{"inf", 0x7F800000, 0x7F0000, 0x7F0000},
		{"NaN", 0x7FC00000, 0x7F8000, 0x7F8000},
		{"signalling NaN", 0x7F800001, 0x7F8000, 0x7F8000},
		{"-NaN", 0xFFC00000, 0xFF8000, 0xFF8000},
	} {
		for _, e := range []struct {
			name      string
			got, want uint32
		}{
			{"nearest even", rounded(c.f, f24.NearestEven), c.even},
			{"toward zero", rounded(c.f, f24.TowardZero), c.cut},
		} {
			if e.got != e.want {
				t.Errorf("%s, %s (%08X): got %06X, want %06X", c.name, e.name, c.f, e.got, e.want)
			}
		}
	}
}

// A float24 is its own rounding; every NaN becomes the canonical one of its sign.
func TestRoundKeepsFloat24(t *testing.T) {
	for x := uint32(0); x < all; x += stride() {
		want := pica.Float24.Widen(x)
		if pica.Float24.Class(x) == pica.ClassNaN {
			want = x>>23<<31 | 0x7FC00000
		}
		for _, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			if got := f24.Round(pica.Float24.Widen(x), r); got != want {
				t.Fatalf("%06X: rounded to %08X, want %08X (rounding %d)", x, got, want, r)
			}
		}
	}
}

// exactRound rounds with arbitrary precision: the definition, word for word.
func exactRound(v *big.Float, r f24.Rounding) uint32 {
	sign := uint32(0)
	if v.Signbit() {
		sign = 1 << 23
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
		return sign | uint32(units)
	}
	if e := q + 79; e < 127 {
		return sign | uint32(e<<16) | uint32(units-1<<16)
	}
	return sign | 0x7F0000
}

func TestRoundIsCorrect(t *testing.T) {
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
			if got := rounded(f, r); got != want {
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
	exact := func(x uint32) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(value(x)) }
	flush := func(x uint32) uint32 {
		if pica.Float24.Exponent(x) == 0 {
			return 0
		}
		return x
	}
	for n := range 100000 {
		a, b := random.Uint32()&0xFFFFFF, random.Uint32()&0xFFFFFF
		if n%2 == 0 { // exponents close together
			b = b&0x80FFFF | a&0x7F0000 ^ random.Uint32N(8)<<16
		}
		if pica.Float24.Exponent(a) == 127 || pica.Float24.Exponent(b) == 127 || a<<9 == 0 || b<<9 == 0 {
			continue
		}
		for m, rounding := range []f24.Rounding{f24.NearestEven, f24.TowardZero} {
			x, y := a, b
			finish := func(v *big.Float) uint32 { return exactRound(v, rounding) }
			if model(m) == truncating {
				x, y = flush(a), flush(b)
				finish = func(v *big.Float) uint32 { return flush(exactRound(v, rounding)) }
			}
			sum := new(big.Float).SetPrec(300).Add(exact(x), exact(y))
			product := new(big.Float).SetPrec(300).Mul(exact(x), exact(y))
			if got, want := model(m).apply("add", a, b), finish(sum); got != want {
				t.Fatalf("%06X + %06X, model %d: got %06X, want %06X", a, b, m, got, want)
			}
			if got, want := model(m).apply("mul", a, b), finish(product); got != want {
				t.Fatalf("%06X * %06X, model %d: got %06X, want %06X", a, b, m, got, want)
			}
		}
	}
}

func TestMonotony(t *testing.T) {
	last := [2]uint32{}
	for f := uint32(0); f <= 0x7F800000; f += 37 * stride() {
		for k, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			x := rounded(f, r)
			if x < last[k] {
				t.Fatalf("%08X is rounded to %06X, below %06X", f, x, last[k])
			}
			last[k] = x
		}
	}
}

// RoundVector gives what Round gives, whether a float24 or not.
func TestRoundVector(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 100000 {
		v := pica.Vec4{pica.Float24.Widen(random.Uint32()), random.Uint32(), random.Uint32() &^ 0x7F,
			random.Uint32() & 0x80000000}
		for _, r := range []f24.Rounding{f24.TowardZero, f24.NearestEven} {
			var got pica.Vec4
			f24.RoundVector(&got, &v, r)
			if want := (pica.Vec4{f24.Round(v[0], r), f24.Round(v[1], r), f24.Round(v[2], r),
				f24.Round(v[3], r)}); got != want {
				t.Fatalf("%08X, rounding %d: got %08X, want %08X", v, r, got, want)
			}
		}
	}
}

// The fast functions against the library functions, below 2^-62 and at the special values, which the
// golden hashes do not cover.
func TestExponentialsEverywhere(t *testing.T) {
	for x := uint32(0); x < all; x += stride() {
		v := value(x)
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
