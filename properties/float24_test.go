package properties_test

import (
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

// TestFloat24EncodeInvertsDecode holds for all 2^24 patterns, NaNs included, in
// both directions of rounding.
func TestFloat24EncodeInvertsDecode(t *testing.T) {
	check(t, 1, gopter.SaveProp(func(*gopter.GenParameters) *gopter.PropResult {
		for x := range float24.Bits(1 << 24) {
			f := float24.Decode(x)
			if float24.Encode(f, float24.TowardZero) != x || float24.Encode(f, float24.NearestEven) != x {
				return proof(hex24(x))
			}
		}
		return proof("")
	}))
}

// TestFloat24DecodeIsMonotone: among numbers of one sign a larger pattern is a
// larger value, infinity included.
func TestFloat24DecodeIsMonotone(t *testing.T) {
	check(t, 1, gopter.SaveProp(func(*gopter.GenParameters) *gopter.PropResult {
		for x := float24.Bits(1); x <= float24.PosInf; x++ {
			if float24.Decode(x) <= float24.Decode(x-1) || float24.Decode(x|float24.SignBit) <= float24.Decode((x-1)|float24.SignBit) {
				return proof(hex24(x))
			}
		}
		return proof("")
	}))
}

func hex24(x float24.Bits) string {
	const digits = "0123456789abcdef"
	b := make([]byte, 6)
	for i := range b {
		b[i] = digits[x>>(20-4*i)&15]
	}
	return string(b)
}

// TestFloat24EncodingRoundsToANeighbour: a number below 2^64 lies between its
// truncation and the next float24, and the nearest float24 is one of the two.
func TestFloat24EncodingRoundsToANeighbour(t *testing.T) {
	check(t, 100_000, prop.ForAll(func(f uint32) bool {
		const two64, infinity = 0x5F800000, 0x7F800000
		down, near := float24.Encode(f, float24.TowardZero), float24.Encode(f, float24.NearestEven)
		magnitude := f &^ (1 << 31)
		switch {
		case magnitude > infinity:
			return down.IsNaN() && near == down
		case magnitude >= two64:
			return down.IsInf() && near == down
		}
		return near-down <= 1 && float24.Decode(down)&^(1<<31) <= magnitude && magnitude < float24.Decode(down+1)&^(1<<31)
	}, gen.UInt32()))
}

// TestFloat24SumsAndProductsCommute, bit for bit.
func TestFloat24SumsAndProductsCommute(t *testing.T) {
	check(t, 100_000, prop.ForAll(func(a, b uint32) bool {
		x, y := float24.Bits(a), float24.Bits(b)
		for _, m := range []float24.Arithmetic{float24.Nearest, float24.Truncating} {
			if m.Add(x, y) != m.Add(y, x) || m.Mul(x, y) != m.Mul(y, x) {
				return false
			}
		}
		return true
	}, arb.Float24(), arb.Float24()))
}

// TestFloat24PackingInverts: three words hold four components.
func TestFloat24PackingInverts(t *testing.T) {
	check(t, 20_000, prop.ForAll(func(x, y, z, w uint32) bool {
		v := pica.Vec4{x, y, z, w}
		return float24.Unpack(float24.Pack(v)) == v
	}, arb.Float24(), arb.Float24(), arb.Float24(), arb.Float24()))
}
