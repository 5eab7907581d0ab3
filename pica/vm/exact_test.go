package vm_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/pica/vm"
)

const bigPrecision = 220

func bigFloat(v float64) *big.Float { return new(big.Float).SetPrec(bigPrecision).SetFloat64(v) }

// bigLn2 is 2 * artanh(1/3).
var bigLn2 = func() *big.Float {
	s, power := new(big.Float).SetPrec(bigPrecision), bigFloat(1)
	power.Quo(power, bigFloat(3))
	for n := 1; n < 200; n += 2 {
		s.Add(s, new(big.Float).Quo(power, bigFloat(float64(n))))
		power.Quo(power, bigFloat(9))
	}
	return s.Mul(s, bigFloat(2))
}()

// bigExp2 returns 2^x.
func bigExp2(x *big.Float) *big.Float {
	f, _ := x.Float64()
	whole := math.RoundToEven(f)
	t := new(big.Float).Sub(x, bigFloat(whole))
	t.Mul(t, bigLn2)
	s, term := bigFloat(1), bigFloat(1)
	for n := 1; n < 60; n++ {
		term.Quo(term.Mul(term, t), bigFloat(float64(n)))
		s.Add(s, term)
	}
	return s.SetMantExp(s, int(whole))
}

// bigLog2 returns log2(x) by two steps of Newton's method.
func bigLog2(x float64) *big.Float {
	y := bigFloat(math.Log2(x))
	for range 3 {
		// y += (x * 2^-y - 1) / ln 2
		e := bigExp2(new(big.Float).Neg(y))
		e.Sub(e.Mul(e, bigFloat(x)), bigFloat(1))
		y.Add(y, e.Quo(e, bigLn2))
	}
	return y
}

// argument draws numbers of ordinary size, and some close to 1.
func argument(random *rand.Rand, n int) float32 {
	if n%3 == 0 {
		return 1 + (random.Float32()-0.5)/float32(uint32(1)<<random.IntN(22))
	}
	return math.Float32frombits(random.Uint32()&0x81FFFFFF | 0x3E000000)
}

func TestExactFunctions(t *testing.T) {
	const seed = 21
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	check := func(name string, x, got float32, want *big.Float) {
		t.Helper()
		if w, _ := want.Float32(); got != w {
			t.Errorf("%s(%08X): got %08X, want %08X", name, math.Float32bits(x),
				math.Float32bits(got), math.Float32bits(w))
		}
	}
	arguments := 2000
	if testing.Short() {
		arguments = 500
	}
	for n := range arguments {
		x := argument(random, n)
		check("exp2", x, vm.Exp2(x), bigExp2(bigFloat(float64(x))))
		if x = float32(math.Abs(float64(x))); x != 1 {
			check("log2", x, vm.Log2(x), bigLog2(float64(x)))
		}
	}
	// Here the exact value is within 2^-48 of the middle of two binary32. For the first two the library
	// function is on the wrong side of it (amd64).
	for _, bits := range []uint32{0x3B429D37, 0xBCF3A937, 0x3C02A9AD, 0x3D036455, 0x3DC9ABE2, 0x3DEB2F8E, 0x3F4746F3} {
		x := math.Float32frombits(bits)
		check("exp2", x, vm.Exp2(x), bigExp2(bigFloat(float64(x))))
	}
	for _, bits := range []uint32{0x3D8D64DE, 0x3EA07AB9, 0x3FEDDFFD, 0x40207AB9} {
		x := math.Float32frombits(bits)
		check("log2", x, vm.Log2(x), bigLog2(float64(x)))
	}
	// A known libm gives ...3B here.
	if got := math.Float32bits(vm.Log2(math.Float32frombits(0x3F7FFFFF))); got != 0xB3B8AA3C {
		t.Errorf("log2(3F7FFFFF): got %08X, want B3B8AA3C", got)
	}
}

func TestExactFunctionsOfSpecials(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"exp2(inf)", vm.Exp2(inf), inf}, {"exp2(-inf)", vm.Exp2(-inf), 0}, {"exp2(nan)", vm.Exp2(nan), nan},
		{"exp2(0)", vm.Exp2(0), 1}, {"exp2(-149)", vm.Exp2(-149), 0x1p-149},
		{"exp2(-149.5)", vm.Exp2(-149.5), 0x1p-149},
		{"exp2(-150)", vm.Exp2(-150), 0}, {"exp2(128)", vm.Exp2(128), inf}, {"exp2(-1000)", vm.Exp2(-1000), 0},
		{"exp2(3)", vm.Exp2(3), 8}, {"log2(0)", vm.Log2(0), -inf}, {"log2(-1)", vm.Log2(-1), nan},
		{"log2(inf)", vm.Log2(inf), inf},
		{"log2(1)", vm.Log2(1), 0}, {"log2(8)", vm.Log2(8), 3}, {"log2(2^-149)", vm.Log2(0x1p-149), -149},
	} {
		if c.got != c.want && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The two halves of the careful value agree with arbitrary precision.
func TestExp2Fraction(t *testing.T) {
	const seed = 22
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		f := random.Float64() - 0.5
		hi, lo := vm.Exp2Fraction(f)
		got := new(big.Float).Add(bigFloat(hi), bigFloat(lo))
		e := new(big.Float).Sub(got, bigExp2(bigFloat(f)))
		if v, _ := e.Float64(); math.Abs(v) > 0x1p-98 {
			t.Fatalf("2^%v: error %v", f, v)
		}
	}
}

// A sum next to the middle of two binary32 falls to the right side.
func TestOdd(t *testing.T) {
	const middle, tiny = 1 + 0x1p-24, 0x1p-60
	for _, c := range []struct{ hi, lo, want float64 }{
		{middle, tiny, 1 + 0x1p-23}, {middle, -tiny, 1}, {middle, 0, 1}, {-middle, tiny, -1},
		{-middle, -tiny, -1 - 0x1p-23},
		{1.5, tiny, 1.5}, {1.5, -tiny, 1.5},
	} {
		if got := float64(float32(vm.Odd(c.hi, c.lo))); got != c.want {
			t.Errorf("%v and %v: got %v, want %v", c.hi, c.lo, got, c.want)
		}
	}
}
