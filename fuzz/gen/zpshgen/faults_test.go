package zpshgen_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
)

// TestNamesNearTheLimit: the names of a near miss of ZPSH031 take 8 times the size of
// the file, or less by a part of one name.
func TestNamesNearTheLimit(t *testing.T) {
	const seed, rounds = 1, 100
	i := slices.IndexFunc(zpshgen.Faults(), func(f gen.Fault) bool { return f.Rule == "ZPSH031" })
	for k := range uint64(rounds) {
		b := zpshgen.Faults()[i].NearMiss(gen.From(gen.Seed(seed, k)))
		f, err := zpsh.Parse(b)
		if err != nil {
			t.Fatalf("seed %d, near miss %d: %v", seed, k, err)
		}
		total, longest := 0, 0
		for e := range f.Entries {
			name, _ := f.Name(e)
			total += len(name) + 1
			longest = max(longest, len(name)+1)
		}
		if limit := 8 * len(b); total > limit || total <= limit-longest {
			t.Fatalf("seed %d, near miss %d: names take %d bytes, the limit is %d and a name takes up to %d",
				seed, k, total, limit, longest)
		}
	}
}
