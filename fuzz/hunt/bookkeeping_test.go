package hunt_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// worker is a worker made of functions.
type worker struct {
	judge func(n uint64, r *hunt.Result)
	data  func(n uint64)
}

func (w worker) Case(n uint64, r *hunt.Result) error { w.judge(n, r); return nil }

func (w worker) Data(n uint64) ([]byte, error) {
	if w.data != nil {
		w.data(n)
	}
	return fmt.Appendf(nil, "case %d", n), nil
}

// working returns a target with a number of cases.
func working(name string, cases uint64, w worker) hunt.Target {
	return hunt.Target{Name: name, Extension: ".bin", Cases: cases,
		New: func(uint64) (hunt.Worker, error) { return w, nil }}
}

// TestReportsOfProgress: four a second and one at the end, with the progress of the hunt. The state
// is stored soon, and then after twice as long each time.
func TestReportsOfProgress(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var times []time.Duration
		var last hunt.Status
		var stored []time.Duration // when the cases saw that
		target := working("slow", 128, worker{judge: func(n uint64, r *hunt.Result) {
			time.Sleep(100 * time.Millisecond)
			if os.Remove(filepath.Join(dir, "campaign.json")) == nil {
				stored = append(stored, time.Since(start))
			}
			if r.Reached.Add(cover.Point(n)); n%100 == 3 {
				r.Reached = cover.Set{}
			}
		}})
		run(t, t.Context(), dir, hunt.Options{Workers: 1, Progress: func(s hunt.Status) {
			times, last = append(times, time.Since(start)), s
		}}, target)
		stores := []time.Duration{1, 2, 4, 8, 16, 32, 64, 128}
		for i := range stores {
			stores[i] *= 100 * time.Millisecond
		}
		if !slices.Equal(stored, stores) {
			t.Errorf("stored after %v, want %v", stored, stores)
		}
		const took = 128 * 100 * time.Millisecond
		if len(times) != 52 || times[0] != 250*time.Millisecond || times[50] != 12750*time.Millisecond ||
			times[51] != took {
			t.Errorf("reports after %v", times)
		}
		want := hunt.Status{Elapsed: took, Cases: 128, PerSecond: 10, Points: 126, Corpus: 126}
		if diff := cmp.Diff(want, last); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestACaseIsReadOnce: the data of a case is read when its key is new, not later.
func TestACaseIsReadOnce(t *testing.T) {
	asked := []uint64{}
	var found hunt.Reduced
	target := working("keys", 300, worker{
		judge: func(n uint64, r *hunt.Result) { r.Key, r.Text = []string{"", "a", "b"}[n%3], fmt.Sprint("text ", n) },
		data:  func(n uint64) { asked = append(asked, n) },
	})
	run(t, t.Context(), "", hunt.Options{Workers: 1, Found: func(b *hunt.Bucket) {
		if b.Key == "b" {
			found = b.Reduced
		}
	}}, target)
	if want := []uint64{1, 2}; !slices.Equal(asked, want) {
		t.Errorf("asked for %d, want %d", asked, want)
	}
	want := hunt.Reduced{Data: []byte("case 2"), Text: "text 2\n",
		Report: reduce.Report{End: reduce.Minimal, Kinds: []reduce.Count{}}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("a case that nobody reduces (-want +got):\n%s", diff)
	}
}

// TestBucketsOfTwoTargets: one key in two targets makes two buckets.
func TestBucketsOfTwoTargets(t *testing.T) {
	w := worker{judge: func(_ uint64, r *hunt.Result) { r.Key = "key" }}
	s := run(t, t.Context(), "", hunt.Options{Workers: 1}, working("a", 3, w), working("b", 2, w))
	got := map[string]int{}
	for _, b := range s.Buckets {
		got[b.Target] = b.Count
	}
	if want := map[string]int{"a": 3, "b": 2}; len(s.Buckets) != 2 || !cmp.Equal(got, want) {
		t.Errorf("%d buckets with the counts %v, want %v", len(s.Buckets), got, want)
	}
}

// TestMessagesAreLimited: two hundred are counted separately, and all are counted.
func TestMessagesAreLimited(t *testing.T) {
	const cases = 64 * 10
	target := working("chatty", cases, worker{judge: func(n uint64, r *hunt.Result) {
		r.Outcome, r.Messages = "odd", []string{"always", fmt.Sprintf("message %03d", n/2)}
	}})
	s := run(t, t.Context(), "", hunt.Options{Workers: 1}, target)
	want := map[string]map[string]uint64{"always": {"odd": cases}, "other messages": {"odd": cases - 2*199}}
	for n := range 199 {
		want[fmt.Sprintf("message %03d", n)] = map[string]uint64{"odd": 2}
	}
	if diff := cmp.Diff(want, s.Targets[0].Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTheCorpusOfOtherTargets: a run replays the cases of its own targets, and keeps the cases
// of other targets.
func TestTheCorpusOfOtherTargets(t *testing.T) {
	dir := t.TempDir()
	judged := map[string][]uint64{}
	target := func(name string, first int) hunt.Target {
		return working(name, 3, worker{judge: func(n uint64, r *hunt.Result) {
			judged[name] = append(judged[name], n)
			r.Reached.Add(cover.Point(first + int(n)))
		}})
	}
	a, b := target("a", 0), target("b", 100)
	run(t, t.Context(), dir, hunt.Options{Workers: 1}, a)
	clear(judged)
	s := run(t, t.Context(), dir, hunt.Options{Workers: 1}, b)
	if len(s.Corpus) != 6 || len(judged["a"]) != 0 {
		t.Errorf("corpus %v, judged %v; want six cases and none of a again", s.Corpus, judged)
	}
	clear(judged)
	s, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m, err := hunt.Run(t.Context(), s, []hunt.Target{b, a}, hunt.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Once for the points, once to minimise.
	if want := map[string][]uint64{"a": {0, 1, 2, 0, 1, 2}, "b": {0, 1, 2, 0, 1, 2}}; !cmp.Equal(judged, want) {
		t.Errorf("judged %v, want %v", judged, want)
	}
	if m.Jobs != 6 || m.Count(1) != 1 || m.Count(102) != 1 || m.Count(3) != 0 {
		t.Errorf("%d jobs reached points", m.Jobs)
	}
}

// TestAnExhaustedReductionIsLeftAlone: it would have the same result.
func TestAnExhaustedReductionIsLeftAlone(t *testing.T) {
	for _, c := range []struct {
		end   reduce.End
		times int
	}{{reduce.BudgetExhausted, 1}, {reduce.Minimal, 1}, {reduce.Interrupted, 2}} {
		dir, times := t.TempDir(), 0
		target := working("once", 1, worker{judge: func(_ uint64, r *hunt.Result) { r.Key = "key" }})
		target.Reduce = func(_ context.Context, f hunt.Found) (hunt.Reduced, error) {
			times++
			return hunt.Reduced{Data: f.Data, Report: reduce.Report{End: c.end}}, nil
		}
		for range 2 {
			run(t, t.Context(), dir, hunt.Options{Workers: 1}, target)
		}
		if times != c.times {
			t.Errorf("%v: reduced %d times, want %d", c.end, times, c.times)
		}
	}
}

// TestCommandsNameTheCandidate: a command without {} would have the same result for every
// candidate.
func TestCommandsNameTheCandidate(t *testing.T) {
	if c, err := hunt.NewCommand("true", "x.bin", time.Second); c != nil || err == nil ||
		err.Error() != `"true": want {} where the path of the candidate belongs` {
		t.Errorf("got %v, %v", c, err)
	}
	c, err := hunt.NewCommand("cmp {} {}.old", "x.bin", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.Reproduce("y.bin"); got != "cmp y.bin y.bin.old" {
		t.Errorf("got %q", got)
	}
}

// TestReductionsAreKept: a stored reduction is loaded again, but not by another reduction.
func TestReductionsAreKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), "reduction.json")
	s, err := hunt.LoadReduction(name, "kept", []byte("input"))
	if err != nil || string(s.Best) != "input" {
		t.Fatalf("%+v, %v", s, err)
	}
	s.Best = []byte("in")
	if err := s.Store(name); err != nil {
		t.Fatal(err)
	}
	again, err := hunt.LoadReduction(name, "kept", []byte("input"))
	if err != nil || string(again.Best) != "in" || string(again.Input) != "input" || again.Kept != "kept" {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := hunt.LoadReduction(name, "other", []byte("input")); err == nil {
		t.Error("another reduction is loaded")
	}
}

// TestALockThatCannotBeTakenIsSaid: the state is not opened without its lock, nor without its
// directory.
func TestALockThatCannotBeTakenIsSaid(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "lock"), 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, filepath.Join(file, "state")} {
		if s, err := hunt.Open(name, 1); s != nil || err == nil {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
	}
}

// TestReducedFiles: a file keeps its fault while it shrinks. A file with a broken promise of the
// generator stays as it was.
func TestReducedFiles(t *testing.T) {
	format := registry.Format{Name: "toy", Extensions: []string{".toy"},
		Parse: func([]byte, ...registry.Option) (registry.Document, error) { return nil, diag.ErrMalformed },
		Check: func(b []byte, _ ...registry.Option) []diag.Finding {
			if slices.Contains(b, 'x') {
				return []diag.Finding{{Rule: "X1", Off: len(b) + 1}}
			}
			return []diag.Finding{{Rule: "X2", Severity: diag.Error}}
		}}
	target := hunt.Files(format, gen.Format{})
	f := hunt.Found{Key: "outside X1", Text: "outside", Data: []byte("some xs")}
	first, err := target.Reduce(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // the report must not depend on it
	r, err := target.Reduce(t.Context(), f)
	if diff := cmp.Diff(first, r); diff != "" {
		t.Errorf("on four processors (-want +got):\n%s", diff)
	}
	if err != nil || string(r.Data) != "x" || r.Text != "toy, 1 bytes\noutside\n" || r.Report.End != reduce.Minimal ||
		r.Report.Tries == 0 {
		t.Errorf("got %q, %+v, %v", r.Data, r, err)
	}
	f.Key, f.Text = "silent X3", "promised"
	r, err = target.Reduce(t.Context(), f)
	if err != nil || string(r.Data) != "some xs" || r.Text != "toy, 7 bytes\npromised\n" || r.Report.Tries != 0 {
		t.Errorf("got %q, %+v, %v", r.Data, r, err)
	}
}
