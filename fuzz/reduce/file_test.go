package reduce_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/long"
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

// faulty is a generated file that breaks a rule.
type faulty struct {
	rule string
	data []byte
}

// faultyFiles returns, for every rule, a file of at most 512 bytes with the first fault
// that breaks it, if some draw of the fault is so small.
func faultyFiles() (list []faulty) {
	const seed, tries, most = 1, 20, 512
	for i, fault := range shbingen.Faults() {
		if i > 0 && shbingen.Faults()[i-1].Rule == fault.Rule {
			continue
		}
		for n := range uint64(tries) {
			if b, _ := fault.File(gen.From(gen.Seed(seed, n))); len(b) > 0 && len(b) <= most {
				list = append(list, faulty{fault.Rule, b})
				break
			}
		}
	}
	return list
}

// TestReducedFiles reduces faulty files while the set of broken rules stays, and bounds the
// sum of their sizes.
func TestReducedFiles(t *testing.T) {
	before, after := 0, 0
	for _, f := range long.Items(t, faultyFiles(), long.Few(25, 4)) {
		want := ruleSet(f.data)
		r, err := reduce.File(t.Context(), f.data, keepRules(want), reduce.Options{})
		if err != nil {
			t.Fatalf("%s: %v", f.rule, err)
		}
		t.Logf("%s: %d to %d bytes, %d tries, %s", f.rule, len(f.data), len(r.Data), r.Tries, want)
		if got := ruleSet(r.Data); got != want || r.End != reduce.Minimal {
			t.Errorf("%s: %v with rules %s, want %s", f.rule, r.End, got, want)
		}
		before, after = before+len(f.data), after+len(r.Data)
	}
	t.Logf("%d bytes to %d", before, after)
	if before == 0 || after > before*6/10 {
		t.Errorf("%d bytes became %d, want 60 %% at most", before, after)
	}
}

// TestFileOfNothing: a file that is not interesting is not reduced, and one that is always
// interesting becomes empty.
func TestFileOfNothing(t *testing.T) {
	data := faultyFiles()[0].data
	if _, err := reduce.File(t.Context(), data, keepRules("never"),
		reduce.Options{}); !errors.Is(err, reduce.ErrNothing) {
		t.Errorf("got %v, want ErrNothing", err)
	}
	all := func() reduce.Interesting { return func([]byte) bool { return true } }
	r, err := reduce.File(t.Context(), data, all, reduce.Options{})
	if err != nil || len(r.Data) != 0 {
		t.Errorf("got %d bytes, %v", len(r.Data), err)
	}
}

// TestBrokenFiles reduces damaged files by a predicate without meaning.
func TestBrokenFiles(t *testing.T) {
	const seed = 1
	list := faultyFiles()
	for n := range long.Numbers(t, 300, long.Few(100, 30)) {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		data := slices.Clone(list[r.IntN(len(list))].data)
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

// TestByteOrder: the words of a big-endian file are lowered as such.
func TestByteOrder(t *testing.T) {
	for _, magic := range []string{"SHAB", "Gfx2"} {
		show := func(b []byte) bool {
			return len(b) == 8 && string(b[:4]) == magic && binary.BigEndian.Uint32(b[4:]) >= 3
		}
		data := append([]byte(magic), 0, 0, 3, 0)
		r, err := reduce.File(t.Context(), data,
			func() reduce.Interesting { return show }, reduce.Options{MaxTries: 1000})
		if err != nil || binary.BigEndian.Uint32(r.Data[4:]) != 3 {
			t.Errorf("%s: %x, %v, want 3", magic, r.Data, err)
		}
	}
}
