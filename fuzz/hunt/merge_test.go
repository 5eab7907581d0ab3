package hunt_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
)

func TestParseShard(t *testing.T) {
	for text, want := range map[string]hunt.Shard{"1/1": {Number: 1, Of: 1}, "3/4": {Number: 3, Of: 4}, "": {}, "0/4": {},
		"5/4": {}, "1": {}, "1/": {}, "a/b": {}, "-1/4": {}, "1/4/2": {}, "1/9999999": {}} {
		got, err := hunt.ParseShard(text)
		if got != want || (err == nil) != (want.Of > 0) || err == nil && got.String() != text {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// twoTargets returns two targets that fail for some cases, some of them with the same causes.
func twoTargets() []hunt.Target { return watchedTargets(func(uint64) {}) }

// watchedTargets returns the same targets; the first one tells the numbers of its cases.
func watchedTargets(tell func(n uint64)) []hunt.Target {
	first := newLedger(func(n uint64) string {
		tell(n)
		if n < 100 || n%97 != 0 {
			return ""
		}
		return []string{"mul: one step", "end of call", "mul-one step"}[n/97%3]
	}).target()
	second := newLedger(func(n uint64) string {
		if n%301 == 300 {
			return "mul: one step"
		}
		return ""
	}).target()
	second.Name, second.Extension = "second", ".txt"
	return []hunt.Target{first, second}
}

// runShard runs or continues a shard in a directory.
func runShard(t *testing.T, ctx context.Context, dir string, s hunt.Shard, limit uint64, targets []hunt.Target) {
	t.Helper()
	state, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	state.Shard = s
	if _, err := hunt.Run(ctx, state, targets, hunt.Options{Workers: 2, Limit: limit}); err != nil {
		t.Fatal(err)
	}
}

// merge merges shards into a new directory.
func merge(t *testing.T, dirs ...string) (into string, m *hunt.Merged, err error) {
	t.Helper()
	into = filepath.Join(t.TempDir(), "merged")
	state, err := hunt.Open(into, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	m, err = hunt.Merge(state, dirs, func([]string) ([]hunt.Target, error) { return twoTargets(), nil })
	return into, m, err
}

// TestMerge: merged shards equal the campaign without shards, also if one of them was interrupted and continued by the
// same command: counts, buckets, their files, and the coverpoints of the corpus.
func TestMerge(t *testing.T) {
	for _, limit := range []uint64{64, 1000, 5000, 6400} {
		whole := t.TempDir()
		run(t, t.Context(), whole, hunt.Options{Workers: 2, Limit: limit}, twoTargets()...)
		const shards = 4
		var dirs []string
		for n := range shards {
			dir, s := t.TempDir(), hunt.Shard{Number: n + 1, Of: shards}
			dirs = append(dirs, dir)
			if n == 1 { // a requeued one
				ctx, interrupt := context.WithCancel(t.Context())
				runShard(t, ctx, dir, s, limit, watchedTargets(func(n uint64) {
					if n > 700 {
						interrupt()
					}
				}))
				interrupt()
			}
			runShard(t, t.Context(), dir, s, limit, twoTargets())
		}
		into, m, err := merge(t, dirs...)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Damaged)+len(m.Missing) > 0 {
			t.Errorf("limit %d: damaged %v, missing %v", limit, m.Damaged, m.Missing)
		}
		got, want := stored(t, into), stored(t, whole)
		if limit >= 5000 && len(want.Buckets) != 4 {
			t.Errorf("limit %d: %d buckets", limit, len(want.Buckets))
		}
		if got.Merged != shards || got.Cases() != want.Cases() {
			t.Errorf("limit %d: merged %d, %d cases, want %d", limit, got.Merged, got.Cases(), want.Cases())
		}
		for i, p := range want.Targets {
			if q := got.Targets[i]; q.Name != p.Name || q.Next != p.Next || !maps.Equal(q.Outcomes, p.Outcomes) {
				t.Errorf("limit %d: got %+v, want %+v", limit, q, p)
			}
		}
		for i, b := range want.Buckets {
			if i >= len(got.Buckets) || fmt.Sprint(*got.Buckets[i]) != fmt.Sprint(*b) {
				t.Errorf("limit %d: bucket %d: want %+v in %d", limit, i, *b, len(got.Buckets))
			}
		}
		files, wanted := contents(t, into), contents(t, whole)
		delete(files, "campaign.json")
		delete(wanted, "campaign.json")
		if !maps.Equal(files, wanted) {
			t.Errorf("limit %d: files %q, want %q", limit, files, wanted)
		}
		if reached, all := points(got.Corpus), points(want.Corpus); reached != all {
			t.Errorf("limit %d: %d coverpoints, want %d", limit, reached.Len(), all.Len())
		}
		if n := m.Matrix.Report().Reached; n == 0 {
			t.Errorf("limit %d: no coverpoint is reported", limit)
		}
	}
}

// points returns the points that the corpus of a ledger reaches.
func points(corpus []hunt.Entry) (s cover.Set) {
	for _, e := range corpus {
		s.Add(cover.Point(e.Number % 500))
	}
	return s
}

// TestMergeDamaged: of eight shards two are damaged. They are reported, the others are merged, and no file that is
// whole is lost.
func TestMergeDamaged(t *testing.T) {
	const shards = 8
	var dirs []string
	for n := range shards {
		dir := filepath.Join(t.TempDir(), fmt.Sprintf("shard [%d]", n))
		dirs = append(dirs, dir)
		runShard(t, t.Context(), dir, hunt.Shard{Number: n + 1, Of: shards}, 12_800, twoTargets())
	}
	cut, gone := dirs[2], dirs[5]
	campaign := filepath.Join(cut, "campaign.json")
	if err := os.WriteFile(campaign, []byte(read(t, campaign)[:100]), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(gone, "campaign.json")); err != nil {
		t.Fatal(err)
	}
	into, m, err := merge(t, dirs...)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Damaged) != 2 || m.Damaged[0].Dir != cut || m.Damaged[1].Dir != gone ||
		!strings.Contains(m.Damaged[0].Why, "campaign.json") || !strings.Contains(m.Damaged[1].Why, "no targets") {
		t.Errorf("damaged: %+v", m.Damaged)
	}
	if want := []hunt.Shard{{Number: 3, Of: 8}, {Number: 6, Of: 8}}; !slices.Equal(m.Missing, want) {
		t.Errorf("missing: %v, want %v", m.Missing, want)
	}
	for k, dir := range []string{cut, gone} {
		kept := contents(t, filepath.Join(into, fmt.Sprintf("damaged-%d", k+1)))
		wanted := contents(t, dir)
		delete(wanted, "campaign.json")
		delete(wanted, "lock")
		if len(kept) == 0 || !maps.Equal(kept, wanted) {
			t.Errorf("%s: files %q, want %q", dir, kept, wanted)
		}
	}
	if got := stored(t, into).Cases(); got != 12_800/8*6 {
		t.Errorf("%d cases", got)
	}

	// The files of a finding are gone.
	for name := range contents(t, dirs[0]) {
		if strings.HasPrefix(name, "end-of-call.") {
			if err := os.Remove(filepath.Join(dirs[0], name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	into, m, err = merge(t, dirs[0])
	if err != nil || len(m.Damaged) != 1 || m.Damaged[0].Why != "the files of end-of-call are gone" ||
		len(m.Missing) != 7 {
		t.Errorf("%v, %+v", err, m)
	}
	if buckets := stored(t, into).Buckets; !slices.ContainsFunc(buckets,
		func(b *hunt.Bucket) bool { return b.Key == "end of call" }) {
		t.Error("the finding is lost with its files")
	}
}

// TestMergeRefuses: what does not belong together is not merged, and a merged campaign does not go on.
func TestMergeRefuses(t *testing.T) {
	shard := func(number, of int, targets []hunt.Target) string {
		dir := t.TempDir()
		runShard(t, t.Context(), dir, hunt.Shard{Number: number, Of: of}, 64, targets)
		return dir
	}
	one, two, again := shard(1, 2, twoTargets()), shard(2, 2, twoTargets()), shard(1, 2, twoTargets())
	unsharded, empty := t.TempDir(), t.TempDir()
	run(t, t.Context(), unsharded, hunt.Options{Limit: 64}, twoTargets()...)
	for name, v := range map[string]struct {
		dirs []string
		want error
	}{
		"the same twice":      {[]string{one, again}, hunt.ErrShards},
		"other numbers":       {[]string{one, shard(2, 3, twoTargets())}, hunt.ErrShards},
		"other targets":       {[]string{one, shard(2, 2, twoTargets()[:1])}, hunt.ErrShards},
		"no shard":            {[]string{unsharded}, hunt.ErrShards},
		"no whole shard":      {[]string{empty}, hunt.ErrShards},
		"shards, to be right": {[]string{one, two}, nil},
	} {
		_, m, err := merge(t, v.dirs...)
		right := len(v.dirs) == 2 && v.want == nil
		if right != (err == nil) || v.want != nil && !errors.Is(err, v.want) {
			t.Errorf("%s: got %v, %v", name, m, err)
		}
	}
	into, _, err := merge(t, one, two)
	if err != nil {
		t.Fatal(err)
	}
	state, err := hunt.Open(into, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	if _, err := hunt.Run(t.Context(), state, twoTargets(), hunt.Options{Limit: 64}); !errors.Is(err, hunt.ErrMerged) {
		t.Errorf("a merged campaign goes on: %v", err)
	}
	if _, err := hunt.Merge(state, []string{one, two}, nil); err == nil ||
		!strings.Contains(err.Error(), "name a new directory") {
		t.Errorf("merged twice: %v", err)
	}
}
