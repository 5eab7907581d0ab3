package formattest

import (
	"encoding/binary"
	"flag"
	"iter"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
)

var seed = flag.Uint64("seed", 1, "seed of the random mutations")

// Rand returns the random source of a test, one for each stream, and logs the
// seed.
func Rand(t testing.TB, stream uint64) *rand.Rand {
	t.Helper()
	t.Logf("-seed=%d", *seed)
	return rand.New(rand.NewPCG(*seed, stream))
}

// wasteful is the GC percentage of tests that draw many small files: they keep next to
// nothing, so that collections would take a large part of their time.
const wasteful = 1000

// Runs yields the numbers of those of n random runs that are done now: a tenth, or all in a long run.
func Runs(t testing.TB, n int) iter.Seq[int] {
	t.Helper()
	return long.Numbers(t, n, long.Few(n/10, n/50))
}

// Random mutates files at random and holds every mutant to Agree; at least one
// in share must be accepted, or the mutations are too wild to test much.
func (x Format[F]) Random(t *testing.T, bases [][]byte, runs, share int) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(wasteful))
	if x.Mutate == nil {
		x.Mutate = mutate
	}
	accepted, count := 0, 0
	var buffer []byte
	for n := range Runs(t, runs) {
		count++
		r := rand.New(rand.NewPCG(*seed, uint64(n)))
		buffer = x.Mutate(r, append(buffer[:0], bases[r.IntN(len(bases))]...))
		if x.Agree(t, buffer) {
			accepted++
		}
		if t.Failed() {
			t.Fatalf("-seed=%d, run %d, bytes: %x", *seed, n, buffer)
		}
	}
	t.Logf("%d of %d accepted", accepted, count)
	if accepted < count/share {
		t.Errorf("-seed=%d: only %d of %d accepted, want 1 in %d", *seed, accepted, count, share)
	}
}

// mutate changes one to three places: bytes, words, the length.
func mutate(r *rand.Rand, b []byte) []byte {
	edges := [...]uint32{0, 1, 3, 4, 0x40, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF,
		uint32(len(b))}
	for range 1 + r.IntN(3) {
		if len(b) < 4 {
			return append(b, byte(r.Uint32()))
		}
		word := b[r.IntN(len(b)/4)*4:]
		switch r.IntN(8) {
		case 0, 1:
			b[r.IntN(len(b))] = byte(r.Uint32())
		case 2:
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 3:
			binary.LittleEndian.PutUint32(word, edges[r.IntN(len(edges))])
		case 4, 5:
			near := binary.LittleEndian.Uint32(word) + uint32(r.IntN(17)) - 8
			binary.LittleEndian.PutUint32(word, near)
		case 6:
			binary.LittleEndian.PutUint32(word, uint32(r.IntN(len(b)+8)))
		case 7:
			if r.IntN(4) > 0 {
				continue
			}
			if r.IntN(2) == 0 {
				b = b[:r.IntN(len(b))]
			} else {
				b = append(b, make([]byte, r.IntN(9))...)
			}
		}
	}
	return b
}
