package files_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// TestNearMissesAreNear: a near miss is another file than the valid one, unless the rule
// allows nothing else.
func TestNearMissesAreNear(t *testing.T) {
	const draws = 20
	for _, format := range files.Formats {
		for k, fault := range format.Faults() {
			other := false
			for n := uint64(0); n < draws && !other; n++ {
				m := fault.Miss(gen.From(gen.Seed(seed, n)))
				other = m.Only || !bytes.Equal(m.Bytes, m.Valid)
			}
			if !other {
				t.Errorf("%s, fault %d: %d near misses of %s are the valid file", format.Name, k, draws, fault.Rule)
			}
		}
	}
}
