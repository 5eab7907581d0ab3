package properties_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/lattegen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/latte"
)

// TestLatteClausesMove: what is wrong with a program does not depend on where its clauses are.
func TestLatteClausesMove(t *testing.T) {
	const seed = 42
	moved := 0
	for n := range long.Numbers(t, 100_000, long.Few(2000, 500)) {
		c := gen.From(gen.Seed(seed, uint64(n)))
		code := lattegen.Odd(c)
		p, err := latte.Decode(code)
		if err != nil {
			t.Fatalf("seed %d, program %d: %v", seed, n, err)
		}
		end := len(p.CF) // of the control flow, if nothing is in between
		last := p.CF[end-1].At
		clear := end < p.Size/latte.WordBytes && last == end-1 && !slices.ContainsFunc(p.Clauses,
			func(c latte.Clause) bool { return c.At < end })
		if !clear || len(p.Clauses) == 0 {
			continue
		}
		moved++
		by := 2 * (1 + c.Below(40))
		other := slices.Concat(code[:8*end], make([]byte, 8*by), code[8*end:])
		for _, cf := range p.CF {
			if cf.Clause >= 0 {
				at := other[8*cf.At:]
				binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)+uint32(by))
			}
		}
		want := latte.Check(code, nil)
		for i := range want {
			if want[i].Off >= 8*end {
				want[i].Off += 8 * by
			}
		}
		if got := latte.Check(other, nil); !slices.Equal(got, want) {
			t.Fatalf("seed %d, program %d, moved by %d words:\ngot  %v\nwant %v\n%s", seed, n, by, got, want,
				latte.Format(p))
		}
	}
	if moved < 200 {
		t.Errorf("the clauses of %d programs were moved", moved)
	}
}
