package properties_test

import (
	"math"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
	"github.com/picaproof/picaproof/properties/arb"
)

// proof is the result of a property checked for the whole domain.
func proof(counterexample string) *gopter.PropResult {
	if counterexample != "" {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{counterexample}}
	}
	return &gopter.PropResult{Status: gopter.PropProof}
}

// TestFloat24NarrowInvertsWiden checks all 2^24 patterns, NaNs included.
func TestFloat24NarrowInvertsWiden(t *testing.T) {
	check(t, 1, gopter.SaveProp(func(*gopter.GenParameters) *gopter.PropResult {
		for x := range uint32(1 << 24) {
			if pica.Float24.Narrow(pica.Float24.Widen(x)) != x {
				return proof(pica.Float24.Hex(x))
			}
		}
		return proof("")
	}))
}

// TestFloat24WidenIsMonotone: among numbers of one sign a larger pattern is a
// larger value, infinity included.
func TestFloat24WidenIsMonotone(t *testing.T) {
	check(t, 1, gopter.SaveProp(func(*gopter.GenParameters) *gopter.PropResult {
		f, sign := pica.Float24, pica.Float24.Sign()
		for x := uint32(1); x <= f.Infinity(); x++ {
			if f.Widen(x) <= f.Widen(x-1) || f.Widen(x|sign) <= f.Widen((x-1)|sign) {
				return proof(f.Hex(x))
			}
		}
		return proof("")
	}))
}

// TestFloat24RoundsToANeighbour: a number below 2^64 lies between its truncation and the next
// float24, and the nearest float24 is one of these.
func TestFloat24RoundsToANeighbour(t *testing.T) {
	check(t, 100_000, prop.ForAll(func(f uint32) bool {
		const two64, infinity = 0x5F800000, 0x7F800000
		down, near := float24.Round(f, float24.TowardZero), float24.Round(f, float24.NearestEven)
		x, magnitude := pica.Float24.Narrow(down), f&^(1<<31)
		switch {
		case magnitude > infinity:
			return pica.Float24.Class(x) == pica.ClassNaN && near == down
		case magnitude >= two64:
			return down&^(1<<31) == infinity && near == down
		}
		next := pica.Float24.Widen(x + 1)
		return (near == down || near == next) && down&^(1<<31) <= magnitude && magnitude < next&^(1<<31)
	}, gen.UInt32()))
}

// TestFloat24SumsAndProductsCommute, bit for bit.
func TestFloat24SumsAndProductsCommute(t *testing.T) {
	check(t, 100_000, prop.ForAll(func(a, b uint32) bool {
		x, y := value24(a), value24(b)
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		return same(float24.MulNearest(x, y), float24.MulNearest(y, x)) &&
			same(float24.AddTruncated(float24.Flush(x), float24.Flush(y)),
				float24.AddTruncated(float24.Flush(y), float24.Flush(x))) &&
			same(float24.MulTruncated(float24.Flush(x), float24.Flush(y)),
				float24.MulTruncated(float24.Flush(y), float24.Flush(x)))
	}, arb.Float24(), arb.Float24()))
}

func value24(x uint32) float64 { return float64(math.Float32frombits(pica.Float24.Widen(x))) }
