package reduce_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// ruleSet returns the rules that a file breaks, each once.
func ruleSet(b []byte) string {
	var ids []string
	for _, f := range shbin.Check(b) {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " ")
}

func keepRules(want string) func() reduce.Interesting {
	return func() reduce.Interesting { return func(b []byte) bool { return ruleSet(b) == want } }
}

func vectors(t testing.TB) []corpus.Vector {
	list, err := corpus.Vectors("shbin")
	if err != nil || len(list) == 0 {
		t.Fatalf("%d vectors, %v", len(list), err)
	}
	return list
}

// TestReducedRuleVectors reduces every small vector that triggers a rule while
// the set of rules stays, and holds the sum of their sizes to a bound.
func TestReducedRuleVectors(t *testing.T) {
	before, after := 0, 0
	for _, v := range vectors(t) {
		if v.Rule == "" || v.NearMiss || len(v.Data) > 512 {
			continue
		}
		want := ruleSet(v.Data)
		r, err := reduce.File(t.Context(), v.Data, keepRules(want), reduce.Options{})
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		t.Logf("%s: %d to %d bytes, %d tries, %s", v.Name, len(v.Data), len(r.Data), r.Tries, want)
		if got := ruleSet(r.Data); got != want || r.End != reduce.Minimal {
			t.Errorf("%s: %v with rules %s, want %s", v.Name, r.End, got, want)
		}
		before, after = before+len(v.Data), after+len(r.Data)
	}
	t.Logf("%d bytes to %d", before, after)
	if after > before*6/10 {
		t.Errorf("%d bytes became %d, want 60 %% at most", before, after)
	}
}

// TestFileOfNothing: what is not interesting is not reduced, and what always is
// ends as nothing.
func TestFileOfNothing(t *testing.T) {
	data := vectors(t)[0].Data
	if _, err := reduce.File(t.Context(), data, keepRules("never"), reduce.Options{}); !errors.Is(err, reduce.ErrNothing) {
		t.Errorf("got %v, want ErrNothing", err)
	}
	all := func() reduce.Interesting { return func([]byte) bool { return true } }
	r, err := reduce.File(t.Context(), data, all, reduce.Options{})
	if err != nil || len(r.Data) != 0 {
		t.Errorf("got %d bytes, %v", len(r.Data), err)
	}
}

// TestBrokenFiles reduces damaged files by a predicate without any sense.
func TestBrokenFiles(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	list := vectors(t)
	for n := range 300 {
		v := list[r.IntN(len(list))]
		if len(v.Data) > 512 {
			continue
		}
		data := slices.Clone(v.Data)
		for range 1 + r.IntN(8) {
			at := r.IntN(len(data))
			data[at] = []byte{0, 1, 4, 0x10, 0x40, 0x7F, 0xFF, byte(r.Uint32())}[r.IntN(8)]
		}
		some := func() reduce.Interesting {
			return func(b []byte) bool {
				sum := uint32(n)
				for _, x := range b {
					sum = sum*31 + uint32(x)
				}
				return sum>>7%3 == 0
			}
		}
		_, err := reduce.File(context.Background(), data, some, reduce.Options{MaxTries: 300, Workers: 1})
		if err != nil && !errors.Is(err, reduce.ErrNothing) {
			t.Fatalf("seed %d, file %d: %v", seed, n, err)
		}
	}
}
