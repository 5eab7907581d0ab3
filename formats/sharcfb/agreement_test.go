package sharcfb_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// TestAgreement mutates every sample at random.
func TestAgreement(t *testing.T) {
	bases := [][]byte{
		mustAppend(t, workedModel()),
		mustAppend(t, fullModel(sharcfb.Little)),
		mustAppend(t, fullModel(sharcfb.Big)),
	}
	for _, name := range samples.Glob(t, "sharcfb/*.sharcfb") {
		bases = append(bases, samples.Read(t, name))
	}
	format.Random(t, bases, 30_000, 20)
}

// mutate changes one to three places: bytes, words at any offset, the length.
func mutate(r *rand.Rand, b []byte) []byte {
	edges := [...]uint32{0, 1, 3, 4, 0x40, 0xC0, 0x134, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, uint32(len(b))}
	order := binary.ByteOrder(binary.BigEndian)
	if len(b) > 0 && b[0] == 'B' {
		order = binary.LittleEndian
	}
	for range 1 + r.IntN(3) {
		if len(b) < 4 {
			return append(b, byte(r.Uint32()))
		}
		word := b[r.IntN(len(b)-3):]
		switch r.IntN(8) {
		case 0, 1:
			b[r.IntN(len(b))] = byte(r.Uint32())
		case 2:
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 3:
			order.PutUint32(word, edges[r.IntN(len(edges))])
		case 4, 5:
			order.PutUint32(word, order.Uint32(word)+uint32(r.IntN(17))-8)
		case 6:
			order.PutUint32(word, uint32(r.IntN(len(b)+8)))
		case 7:
			if r.IntN(4) > 0 {
				continue
			}
			if r.IntN(2) == 0 {
				b = b[:r.IntN(len(b))]
			} else {
				b = append(b, make([]byte, r.IntN(9))...)
			}
			if len(b) >= 12 {
				order.PutUint32(b[8:], uint32(len(b)))
			}
		}
	}
	return b
}
