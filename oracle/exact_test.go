package oracle_test

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// A second arithmetic, slow and from the definitions: a pattern becomes an
// exact big number, the result is worked out in 300 bits and rounded by cutting
// the integer of its units. It shares nothing with the oracle's.

const bigBits = 300

var operands = flag.Int("oracle.samples", 50_000, "random operands for each binary operation and profile")

// A grid is a binary format for the second arithmetic.
type grid struct {
	width, exponent, mantissa int
	bias                      int
}

var (
	grid24 = grid{24, 7, 16, 63}
	grid32 = grid{32, 8, 23, 127}
)

// A real is an extended real number.
type real struct {
	nan   bool
	inf   bool
	minus bool // also of zero and infinity
	v     *big.Float
}

func newBig() *big.Float { return new(big.Float).SetPrec(bigBits) }

func (g grid) read(x uint32) real {
	e, m := int(x>>g.mantissa)&(1<<g.exponent-1), int64(x)&(1<<g.mantissa-1)
	r := real{minus: x>>(g.width-1)&1 != 0}
	switch {
	case e == 1<<g.exponent-1:
		r.nan, r.inf = m != 0, m == 0
		return r
	case e == 0:
		e = 1
	default:
		m |= 1 << g.mantissa
	}
	r.v = newBig().SetMantExp(newBig().SetInt64(m), e-g.bias-g.mantissa)
	if r.minus {
		r.v.Neg(r.v)
	}
	return r
}

func (g grid) inf(minus bool) uint32 {
	return g.withSign(uint32(1<<g.exponent-1)<<g.mantissa, minus)
}

func (g grid) nan() uint32 { return uint32(1<<g.exponent-1)<<g.mantissa | 1<<(g.mantissa-1) }

func (g grid) withSign(x uint32, minus bool) uint32 {
	if minus {
		x |= 1 << (g.width - 1)
	}
	return x
}

// round turns a nonzero number into a pattern.
func (g grid) round(v *big.Float, rz, ftz bool) uint32 {
	minus := v.Sign() < 0
	v = newBig().Abs(v)
	k := v.MantExp(nil) - 1 // 2^k <= v
	q := max(k-g.mantissa, 1-g.bias-g.mantissa)
	units := newBig().SetMantExp(v, -q)
	whole, _ := units.Int(nil)
	rest := newBig().Sub(units, newBig().SetInt(whole))
	if c := rest.Cmp(newBig().SetFloat64(0.5)); !rz && (c > 0 || c == 0 && whole.Bit(0) == 1) {
		whole.Add(whole, big.NewInt(1))
	}
	n := whole.Uint64()
	if n == 2<<g.mantissa {
		n, q = n/2, q+1
	}
	if n < 1<<g.mantissa {
		if ftz {
			return 0
		}
		return g.withSign(uint32(n), minus)
	}
	e := q + g.mantissa + g.bias
	if e >= 1<<g.exponent-1 {
		return g.inf(minus)
	}
	return g.withSign(uint32(e)<<g.mantissa|uint32(n-1<<g.mantissa), minus)
}

// rules is a profile as the second arithmetic sees it.
type rules struct {
	grid
	rz, ftz, twice, signedZero bool
}

var secondRules = map[string]rules{
	"f24": {grid: grid24},
	"hw":  {grid: grid24, rz: true, ftz: true},
	"f32": {grid: grid32, twice: true, signedZero: true},
}

func (r rules) operand(x uint32) real {
	if r.ftz && int(x>>r.mantissa)&(1<<r.exponent-1) == 0 {
		x = 0
	}
	return r.read(x)
}

func (r rules) zero(minus bool) uint32 { return r.withSign(0, minus && !r.ftz) }

func (r rules) add(a, b uint32) uint32 {
	x, y := r.operand(a), r.operand(b)
	switch {
	case x.nan || y.nan || x.inf && y.inf && x.minus != y.minus:
		return r.nan()
	case x.inf:
		return r.inf(x.minus)
	case y.inf:
		return r.inf(y.minus)
	}
	s := newBig().Add(x.v, y.v)
	if s.Sign() == 0 {
		return r.zero(x.v.Sign() == 0 && x.minus && y.minus)
	}
	return r.round(s, r.rz, r.ftz)
}

func (r rules) mul(a, b uint32) uint32 {
	x, y := r.operand(a), r.operand(b)
	minus := x.minus != y.minus
	switch {
	case x.nan || y.nan:
		return r.nan()
	case x.inf && !y.inf && y.v.Sign() == 0, y.inf && !x.inf && x.v.Sign() == 0:
		return 0
	case x.inf || y.inf:
		return r.inf(minus)
	}
	p := newBig().Mul(x.v, y.v)
	if p.Sign() == 0 {
		return r.zero(minus)
	}
	return r.round(p, r.rz, r.ftz)
}

func (r rules) unary(op pica.Opcode, a uint32) uint32 {
	x := r.operand(a)
	if x.nan {
		return r.nan()
	}
	isZero := !x.inf && x.v.Sign() == 0
	switch op {
	case pica.RCP:
		switch {
		case isZero:
			return r.inf(x.minus && r.signedZero)
		case x.inf:
			return r.zero(x.minus)
		}
		return r.round(newBig().Quo(newBig().SetInt64(1), x.v), false, r.ftz)
	case pica.RSQ:
		switch {
		case isZero:
			return r.inf(x.minus && r.signedZero)
		case x.minus:
			return r.nan()
		case x.inf:
			return 0
		}
		root := newBig().Sqrt(x.v)
		if r.twice {
			root = r.read(r.round(root, false, false)).v
		}
		return r.round(newBig().Quo(newBig().SetInt64(1), root), false, r.ftz)
	case pica.EX2:
		switch {
		case x.inf && x.minus:
			return 0
		case x.inf:
			return r.inf(false)
		case isZero:
			return uint32(r.bias) << r.mantissa
		}
		return r.exp2(x.v)
	case pica.LG2:
		switch {
		case isZero:
			return r.inf(true)
		case x.minus:
			return r.nan()
		case x.inf:
			return r.inf(false)
		}
		l := bigLog2(x.v)
		if l.Sign() == 0 {
			return 0
		}
		return r.round(l, false, r.ftz)
	case pica.FLR:
		if x.inf {
			return r.inf(x.minus)
		}
		if isZero {
			return r.zero(x.minus)
		}
		whole, accuracy := x.v.Int(nil)
		if x.minus && accuracy != big.Exact {
			whole.Sub(whole, big.NewInt(1))
		}
		if whole.Sign() == 0 {
			return 0
		}
		return r.round(newBig().SetInt(whole), false, r.ftz)
	}
	panic("not computed here")
}

func (r rules) exp2(v *big.Float) uint32 {
	if limit := newBig().SetInt64(1000); newBig().Abs(v).Cmp(limit) > 0 {
		if v.Sign() < 0 {
			return 0
		}
		return r.inf(false)
	}
	whole, _ := v.Int64()
	f := newBig().Sub(v, newBig().SetInt64(whole))
	// e^(f ln 2) by its series.
	y := newBig().Mul(f, ln2)
	sum, term := newBig().SetInt64(1), newBig().SetInt64(1)
	for k := int64(1); k < 80; k++ {
		term.Mul(term, y)
		term.Quo(term, newBig().SetInt64(k))
		sum.Add(sum, term)
	}
	return r.round(newBig().SetMantExp(sum, int(whole)), false, r.ftz)
}

// ln2 is twice the area hyperbolic tangent of 1/3.
var ln2 = bigLog(newBig().SetInt64(2))

// bigLog returns the natural logarithm of v in [1, 2].
func bigLog(v *big.Float) *big.Float {
	one := newBig().SetInt64(1)
	z := newBig().Quo(newBig().Sub(v, one), newBig().Add(v, one))
	square, power, sum := newBig().Mul(z, z), newBig().Set(z), newBig()
	for k := int64(1); k < 200; k += 2 {
		sum.Add(sum, newBig().Quo(power, newBig().SetInt64(k)))
		power.Mul(power, square)
	}
	return sum.Add(sum, sum)
}

func bigLog2(v *big.Float) *big.Float {
	m := newBig()
	e := v.MantExp(m) - 1
	m.SetMantExp(m, 1)
	l := newBig().Quo(bigLog(m), ln2)
	return l.Add(l, newBig().SetInt64(int64(e)))
}

// blocks returns the first number of each block of numbers.
func blocks(all, size int) (list []int) {
	for x := 0; x < all; x += size {
		list = append(list, x)
	}
	return list
}

// unaryOps are checked over all operands, or over a sample.
var unaryOps = []pica.Opcode{pica.RCP, pica.RSQ, pica.EX2, pica.LG2, pica.FLR}

// TestExactUnary compares float24 operands with the second arithmetic: every 4099th, in long runs all, and the
// neighbourhood of every power of two.
func TestExactUnary(t *testing.T) {
	const blockSize = 1 << 12
	for _, profile := range []pica.Profile{f24, hw} {
		for _, op := range unaryOps {
			t.Run(profile.Name+"/"+op.String(), func(t *testing.T) {
				t.Parallel()
				unit, second := unitOf(profile), secondRules[profile.Name]
				compare := func(x uint32) {
					if got, want := unit.Compute(op, x, 0, 0), second.unary(op, x); got != want {
						t.Errorf("%v %06X: got %06X, want %06X", op, x, got, want)
					}
				}
				for x := 0; x < 1<<24; x += long.Few(4099, 32771) {
					compare(uint32(x))
				}
				for _, block := range long.Rare(t, blocks(1<<24, blockSize), 1) {
					for x := range uint32(blockSize) {
						compare(uint32(block) + x)
					}
				}
				for x := uint32(0); x < 1<<24; x += 1 << 16 {
					for d := -2; d <= 2; d++ {
						compare(x + uint32(d)&0xFFFFFF)
					}
				}
				// The operands whose results come closest to a midpoint.
				for _, x := range []uint32{0xB1886D, 0x012478, 0x3F7E2C, 0x3FFFFF, 0x00491E, 0x005F8B, 0x00F46B} {
					compare(x)
				}
			})
		}
	}
}

// TestExactUnary32 samples binary32: uniform patterns, operands near 1 and
// near 0, small exponents.
func TestExactUnary32(t *testing.T) {
	const seed = 32
	for _, op := range unaryOps {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			unit, second := unitOf(f32), secondRules["f32"]
			for i := range long.Numbers(t, 400_000, long.Few(4000, 1000)) {
				rng := rand.New(rand.NewPCG(seed, uint64(op)<<32|uint64(i)))
				x := rng.Uint32()
				switch i % 4 {
				case 1: // 0.5 up to 2
					x = 0x3F000000 + x>>8
				case 2: // next to 1
					x = 0x3F800000 + uint32(rng.IntN(2048)) - 1024
				case 3: // exponents that EX2 neither overflows nor rounds to 1
					x = x&0x807FFFFF | uint32(127-25+rng.IntN(33))<<23
				}
				if got, want := unit.Compute(op, x, 0, 0), second.unary(op, x); got != want {
					t.Fatalf("seed %d: %v %08X: got %08X, want %08X", seed, op, x, got, want)
				}
			}
		})
	}
}

// TestExactBinary samples ADD, MUL and MAD; -oracle.samples sets how many.
func TestExactBinary(t *testing.T) {
	const seed = 24
	samples := *operands
	if testing.Short() {
		samples /= 10
	}
	for _, profile := range []pica.Profile{f24, hw, f32} {
		for _, op := range []pica.Opcode{pica.ADD, pica.MUL, pica.MAD} {
			t.Run(fmt.Sprint(profile.Name, "/", op), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(seed, uint64(op)))
				unit, second := unitOf(profile), secondRules[profile.Name]
				for range samples {
					a, b := second.operands(rng)
					c, _ := second.operands(rng)
					var want uint32
					switch op {
					case pica.ADD:
						want = second.add(a, b)
					case pica.MUL:
						want = second.mul(a, b)
					case pica.MAD:
						want = second.add(second.mul(a, b), c)
					}
					if got := unit.Compute(op, a, b, c); got != want {
						t.Fatalf("seed %d: %v %08X %08X %08X: got %08X, want %08X", seed, op, a, b, c, got, want)
					}
				}
			})
		}
	}
}

// operands draws a pair: any patterns, or exponents close to each other, or a
// special one, with sparse mantissas now and then so that ties occur.
func (g grid) operands(rng *rand.Rand) (a, b uint32) {
	draw := func() uint32 {
		x := rng.Uint32() >> (32 - g.width)
		switch rng.IntN(8) {
		case 0:
			x &^= 1<<g.mantissa - 1 // a power of two, zero, infinity
		case 1:
			x &= ^uint32(1<<(g.mantissa-3) - 1) // few mantissa bits
		case 2:
			x |= 1<<(g.mantissa-3) - 1
		}
		return x
	}
	a, b = draw(), draw()
	if rng.IntN(2) == 0 {
		e := int(a>>g.mantissa)&(1<<g.exponent-1) + rng.IntN(2*g.mantissa+8) - g.mantissa - 4
		e = min(max(e, 0), 1<<g.exponent-1)
		b = b&^(uint32(1<<g.exponent-1)<<g.mantissa) | uint32(e)<<g.mantissa
	}
	return a, b
}

// TestHost compares binary32 addition, multiplication, division and root with
// the processor's.
func TestHost(t *testing.T) {
	const seed = 754
	rng, unit := rand.New(rand.NewPCG(seed, 0)), unitOf(f32)
	same := func(got uint32, want float32) bool {
		return got == math.Float32bits(want) || want != want && got == 0x7FC00000
	}
	for range *operands {
		x, y := grid32.operands(rng)
		a, b := math.Float32frombits(x), math.Float32frombits(y)
		if got := unit.Compute(pica.ADD, x, y, 0); !same(got, a+b) {
			t.Fatalf("seed %d: %08X + %08X: got %08X, want %08X", seed, x, y, got, math.Float32bits(a+b))
		}
		if got, want := unit.Compute(pica.MUL, x, y, 0), a*b; !same(got, want) &&
			(want == want || a != a || b != b || got != 0) {
			t.Fatalf("seed %d: %08X * %08X: got %08X, want %08X", seed, x, y, got, math.Float32bits(want))
		}
		if got := unit.Compute(pica.RCP, x, 0, 0); !same(got, 1/a) {
			t.Fatalf("seed %d: 1 / %08X: got %08X, want %08X", seed, x, got, math.Float32bits(1/a))
		}
		if got, want := unit.Compute(pica.RSQ, x, 0, 0), 1/float32(math.Sqrt(float64(a))); !same(got, want) {
			t.Fatalf("seed %d: rsq %08X: got %08X, want %08X", seed, x, got, math.Float32bits(want))
		}
		if got, want := unit.Compute(pica.FLR, x, 0, 0), float32(math.Floor(float64(a))); !same(got, want) {
			t.Fatalf("seed %d: flr %08X: got %08X, want %08X", seed, x, got, math.Float32bits(want))
		}
	}
}

// TestClosest32 measures, over all float32 operands, how close results of EX2
// and LG2 come to a midpoint, where an error of the computation would show. The
// distances must exceed what the error bounds allow by far.
func TestClosest32(t *testing.T) {
	type operands struct {
		op          pica.Opcode
		first, last uint32
	}
	var parts []operands
	for _, c := range []operands{
		{pica.EX2, 0x30800000, 0x43180000}, {pica.EX2, 0xB0800000, 0xC3180000}, // 2^-30 to 152
		{pica.LG2, 0x00000001, 0x3EFFFFFF}, {pica.LG2, 0x3F000000, 0x3FFFFFFF}, {pica.LG2, 0x40000000, 0x7F7FFFFF},
	} {
		const size = 1 << 22
		for ; c.last-c.first >= size; c.first += size {
			parts = append(parts, operands{c.op, c.first, c.first + size - 1})
		}
		parts = append(parts, c)
	}
	for _, c := range long.Rare(t, parts, 0) {
		t.Run(fmt.Sprintf("%v %08X", c.op, c.first), func(t *testing.T) {
			t.Parallel()
			d, x := oracle.Closest(c.op, c.first, c.last)
			t.Logf("closest: %08X, %d * 2^-40 of the last place", x, d)
			if d == 0 {
				t.Errorf("%08X comes closer to a midpoint than 2^-40 of the last place", x)
			}
		})
	}
}
