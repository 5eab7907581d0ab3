package oracle_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/oracle"
)

// whole returns a number of 128 bits.
func whole(x [2]uint64) *big.Int {
	n := new(big.Int).SetUint64(x[0])
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(x[1]))
}

// TestFixed compares products and squares of numbers with 127 fraction bits, from 1 to
// 2, with those of math/big.
func TestFixed(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	half := func() uint64 { // with many carries
		switch r.IntN(3) {
		case 0:
			return r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
		case 1:
			return r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64()
		}
		return r.Uint64()
	}
	for range 100_000 {
		a, b := [2]uint64{half() | 1<<63, half()}, [2]uint64{half() | 1<<63, half()}
		product := new(big.Int).Mul(whole(a), whole(b))
		if want := product.Rsh(product, 127); want.BitLen() <= 128 && whole(oracle.Times(a, b)).Cmp(want) != 0 {
			t.Fatalf("seed %d: %x * %x: got %x, want %x", seed, a, b, oracle.Times(a, b), want)
		}
		square, halved := oracle.Squared(a)
		want := new(big.Int).Mul(whole(a), whole(a))
		want.Rsh(want, 127)
		if halved != (want.BitLen() > 128) {
			t.Fatalf("seed %d: the square of %x: halved %v", seed, a, halved)
		}
		if halved {
			want.Rsh(want, 1)
		}
		if whole(square).Cmp(want) != 0 {
			t.Fatalf("seed %d: the square of %x: got %x, want %x", seed, a, square, want)
		}
	}
}

// TestPowers holds that each power is the root of the one before, which loses its last
// bit, cut to 127 fraction bits.
func TestPowers(t *testing.T) {
	before := new(big.Int).Lsh(big.NewInt(1), 128) // 2
	for i, p := range oracle.Powers() {
		before.SetBit(before, 0, 0)
		root := new(big.Int).Lsh(before, 127)
		if root.Sqrt(root); whole(p).Cmp(root) != 0 {
			t.Errorf("2^(2^-%d): got %x, want %x", i+1, p, root)
		}
		before = root
	}
}
