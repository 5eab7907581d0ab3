package hunt_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// ledger is a worker that records the judged cases. found returns the key of a case.
type ledger struct {
	mu    *sync.Mutex
	seen  map[uint64]int
	found func(n uint64) string
}

func (l *ledger) Case(n uint64, r *hunt.Result) error {
	l.mu.Lock()
	l.seen[n]++
	l.mu.Unlock()
	r.Key, r.Text = l.found(n), "text"
	if n%5 == 0 {
		r.Outcome = "odd"
	}
	r.Reached.Add(cover.Point(n % 500))
	return nil
}

func (l *ledger) Data(n uint64) ([]byte, error) { return fmt.Appendf(nil, "case %d", n), nil }

func newLedger(found func(n uint64) string) *ledger {
	return &ledger{new(sync.Mutex), map[uint64]int{}, found}
}

func (l *ledger) target() hunt.Target {
	return hunt.Target{Name: "ledger", Extension: ".bin", New: func(uint64) (hunt.Worker, error) { return l, nil }}
}

func nothing(uint64) string { return "" }

// run continues the hunt in a directory, and returns its state.
func run(t *testing.T, ctx context.Context, dir string, opts hunt.Options, targets ...hunt.Target) *hunt.State {
	t.Helper()
	s, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(targets) == 0 {
		return s
	}
	if _, err := hunt.Run(ctx, s, targets, opts); err != nil {
		t.Fatal(err)
	}
	return s
}

// stored returns the state in a directory.
func stored(t *testing.T, dir string) *hunt.State {
	t.Helper()
	return run(t, t.Context(), dir, hunt.Options{})
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// contents returns the files of a directory by name, without temporary files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ".tmp") {
			files[e.Name()] = read(t, dir, e.Name())
		}
	}
	return files
}

// TestNoCaseTwiceAndNoneLeftOut: a hunt in several runs, one of them
// interrupted, judges every case once.
func TestNoCaseTwiceAndNoneLeftOut(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(t.Context())
	l := newLedger(func(n uint64) string {
		if n == 1000 {
			interrupt()
		}
		return ""
	})
	target := l.target()
	run(t, t.Context(), dir, hunt.Options{Workers: 3, Limit: 500}, target)
	run(t, ctx, dir, hunt.Options{Workers: 3}, target)
	again := map[uint64]bool{} // the minimised corpus is replayed
	for _, e := range stored(t, dir).Corpus {
		again[e.Number] = true
	}
	last := run(t, t.Context(), dir, hunt.Options{Workers: 3, Limit: 500}, target).Targets[0].Next
	if last < 1500 || len(l.seen) != int(last) {
		t.Errorf("%d cases judged, want %d, and at least 1500", len(l.seen), last)
	}
	for n := range last {
		if times := l.seen[n]; times < 1 || times > 1 && n >= 500 && !again[n] && n > 1064 {
			t.Errorf("case %d was judged %d times", n, times)
		}
	}
}

// TestTheStateIsASnapshot: the state that is stored while batches run counts none of them. A
// hunt that continues from it, as after a kill, ends with the same files as an undisturbed run,
// whatever the number of workers.
func TestTheStateIsASnapshot(t *testing.T) {
	key := func(n uint64) string {
		if n < 300 {
			return ""
		}
		return []string{"", "mul: one step", "end of call+if: pc", ""}[n*n/7%4]
	}
	want := t.TempDir()
	whole := newLedger(key).target()
	whole.Cases = 3000
	s := run(t, t.Context(), want, hunt.Options{Workers: 1}, whole)
	if s.Targets[0].Next != 3000 || s.Targets[0].Outcomes["odd"] != 600 || len(s.Buckets) != 2 {
		t.Fatalf("next %d, outcomes %v, %d buckets", s.Targets[0].Next, s.Targets[0].Outcomes, len(s.Buckets))
	}
	for _, workers := range []int{1, 4} {
		dir, killed := t.TempDir(), t.TempDir()
		var once sync.Once
		l := newLedger(func(n uint64) string {
			if n >= 1500 { // the state after a kill
				once.Do(func() {
					for name, text := range contents(t, dir) {
						if err := os.WriteFile(filepath.Join(killed, name), []byte(text), 0o666); err != nil {
							t.Error(err)
						}
					}
				})
			}
			return key(n)
		})
		target := l.target()
		target.Cases = 3000
		run(t, t.Context(), dir, hunt.Options{Workers: workers}, target)
		if got := contents(t, dir); !maps.Equal(got, contents(t, want)) {
			t.Errorf("%d workers: got %v, want %v", workers, got, contents(t, want))
		}
		if next := stored(t, killed).Cases(); next == 0 && workers == 1 || next >= 1536 {
			t.Errorf("%d workers: killed at case 1500 it goes on at %d", workers, next)
		}
		run(t, t.Context(), killed, hunt.Options{Workers: workers}, target)
		if got := contents(t, killed); !maps.Equal(got, contents(t, want)) {
			t.Errorf("%d workers, killed: got %v, want %v", workers, got, contents(t, want))
		}
	}
}

// TestOneAtATime: a running hunt cannot be opened again, a finished one can.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	s, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hunt.Open(dir, 1); !errors.Is(err, hunt.ErrRunning) {
		t.Errorf("opened twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stored(t, dir)
}

// TestAStateThatCannotBeReadIsSaid: a new campaign never replaces an old one.
func TestAStateThatCannotBeReadIsSaid(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "campaign.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time shows that the lock was released
		if _, err := hunt.Open(dir, 1); err == nil || !strings.Contains(err.Error(), "campaign.json") {
			t.Errorf("got %v, want an error that names the file", err)
		}
	}
}

// TestAFailureToStoreEndsTheHunt: at once and with the reason, whether progress or a finding is
// stored.
func TestAFailureToStoreEndsTheHunt(t *testing.T) {
	for _, when := range []string{"progress", "finding"} {
		dir := filepath.Join(t.TempDir(), "state")
		synctest.Test(t, func(t *testing.T) { failToStore(t, when, dir) })
	}
}

func failToStore(t *testing.T, when, dir string) {
	t.Helper()
	l := newLedger(func(n uint64) string {
		time.Sleep(100 * time.Microsecond)
		if n == 100 {
			if err := os.Rename(dir, dir+".gone"); err != nil {
				t.Error(err)
			}
		}
		if when == "finding" && n > 100 {
			return "key"
		}
		return ""
	})
	s, err := hunt.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	const limit = 100_000
	_, err = hunt.Run(t.Context(), s, []hunt.Target{l.target()},
		hunt.Options{Workers: 2, Limit: limit, StoreEvery: 10 * time.Millisecond})
	if !errors.Is(err, os.ErrNotExist) || s.Cases() >= limit {
		t.Errorf("%s: got %v after %d cases; want that the directory is missing, and long before %d", when, err,
			s.Cases(), limit)
	}
	_ = s.Close()
}

// TestFindingsAreSavedReducedAndSorted: the first case of a key is saved and
// reduced, others are counted.
func TestFindingsAreSavedReducedAndSorted(t *testing.T) {
	dir := t.TempDir()
	target := newLedger(func(n uint64) string {
		return []string{"", "mul: one step", "end of call+if: pc", "End of call if/pc"}[n%4]
	}).target()
	target.Cases = 300
	target.Reduce = func(_ context.Context, f hunt.Found) (hunt.Reduced, error) {
		return hunt.Reduced{Data: f.Data[:4], Text: "report on " + f.Key + "\n",
			Report: reduce.Report{End: reduce.Minimal}}, nil
	}
	told := 0
	run(t, t.Context(), dir, hunt.Options{Workers: 2, Found: func(*hunt.Bucket) { told++ }}, target)
	for name, want := range map[string]string{
		"mul-one-step.found.bin": "case 1", "mul-one-step.bin": "case",
		"mul-one-step.txt":            "mul: one step\nreport on mul: one step\n",
		"end-of-call-if-pc.found.bin": "case 2", "end-of-call-if-pc-2.found.bin": "case 3",
	} {
		if got := read(t, dir, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	s := stored(t, dir)
	if len(s.Buckets) != 3 || told != 3 {
		t.Fatalf("%d buckets, %d told, want 3", len(s.Buckets), told)
	}
	for i, b := range s.Buckets {
		if b.Count != 75 || b.Number != uint64(i+1) || b.Text != "text" || b.End != reduce.Minimal {
			t.Errorf("bucket %d: %+v, want 75 findings, case %d, minimal", i, b, i+1)
		}
	}
}

// TestAnInterruptedReductionStartsAgain: the next run reduces the interrupted cases, from the
// case as it was found, with the result of an undisturbed run; it does not reduce minimal cases
// again.
func TestAnInterruptedReductionStartsAgain(t *testing.T) {
	dir := t.TempDir()
	target := newLedger(func(n uint64) string { return []string{"", "key"}[min(n, 1)] }).target()
	ends := []reduce.End{reduce.Interrupted, reduce.Minimal}
	for range 3 {
		target.Reduce = func(_ context.Context, f hunt.Found) (hunt.Reduced, error) {
			end := ends[0] // a third reduction would panic
			ends = ends[1:]
			return hunt.Reduced{Data: append(f.Data, string(end[:1])...), Report: reduce.Report{End: end}}, nil
		}
		run(t, t.Context(), dir, hunt.Options{Workers: 1, Limit: 10}, target)
		if len(ends) == 1 && read(t, dir, "key.bin") != "case 1i" {
			t.Errorf("interrupted: got %q", read(t, dir, "key.bin"))
		}
	}
	if got := read(t, dir, "key.bin"); got != "case 1m" || len(ends) != 0 {
		t.Errorf("got %q and %d reductions left, want one from the case that was found", got, len(ends))
	}
}

// TestPanicsAreFindings: panics of a case, after which the worker is replaced, and of the
// reduction.
func TestPanicsAreFindings(t *testing.T) {
	dir := t.TempDir()
	made, closed := 0, 0
	target := hunt.Target{Name: "panics", Extension: ".bin", Cases: 64,
		New: func(uint64) (hunt.Worker, error) {
			made++
			return &fragile{closed: &closed}, nil
		},
		Reduce: func(context.Context, hunt.Found) (hunt.Reduced, error) { panic("once more") },
	}
	s := run(t, t.Context(), dir, hunt.Options{Workers: 1}, target)
	if len(s.Buckets) != 1 || s.Buckets[0].Key != "panic in hunt_test.(*fragile).Case" || s.Buckets[0].Count != 4 ||
		s.Buckets[0].Text != "case 13" {
		t.Errorf("buckets %+v, want four panics", s.Buckets)
	}
	if text := read(t, dir, s.Buckets[0].File+".txt"); !strings.Contains(text, "case 13") ||
		!strings.Contains(text, "once more") {
		t.Errorf("report %q, want both panics", text)
	}
	if made != closed || made < 5 {
		t.Errorf("%d workers made, %d closed, want as many, one for each panic and one", made, closed)
	}
}

// fragile is a worker that panics on some cases and must not be used afterwards.
type fragile struct {
	broken bool
	closed *int
}

func (f *fragile) Case(n uint64, _ *hunt.Result) error {
	if f.broken {
		return errors.New("used after a panic")
	}
	if n%16 == 13 {
		f.broken = true
		panic(fmt.Sprintf("case %d", n))
	}
	return nil
}

func (f *fragile) Data(n uint64) ([]byte, error) { return fmt.Appendf(nil, "case %d", n), nil }

func (f *fragile) Close() error { *f.closed++; return nil }

// TestWhatCannotBeJudgedEndsTheHunt: the error names the case.
func TestWhatCannotBeJudgedEndsTheHunt(t *testing.T) {
	refused := errors.New("refused")
	for want, target := range map[string]hunt.Target{
		"t: refused": {Name: "t", New: func(uint64) (hunt.Worker, error) { return nil, refused }},
		"t, case 7 of seed 1: refused": {Name: "t",
			New: func(uint64) (hunt.Worker, error) { return failing{refused, 7}, nil }},
		`reducing "key": refused`: {Name: "t",
			New:    func(uint64) (hunt.Worker, error) { return failing{refused, 100}, nil },
			Reduce: func(context.Context, hunt.Found) (hunt.Reduced, error) { return hunt.Reduced{}, refused }},
	} {
		s, err := hunt.Open("", 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hunt.Run(t.Context(), s, []hunt.Target{target},
			hunt.Options{Workers: 1, Limit: 64}); !errors.Is(err, refused) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

type failing struct {
	err error
	at  uint64
}

func (f failing) Case(n uint64, r *hunt.Result) error {
	if n == f.at {
		return f.err
	}
	if n == 3 && f.at > 64 {
		r.Key = "key"
	}
	return nil
}

func (failing) Data(uint64) ([]byte, error) { return nil, nil }

// TestTargetsTakeTurns: and a target with a number of cases stops exactly there.
func TestTargetsTakeTurns(t *testing.T) {
	a, b := newLedger(nothing).target(), newLedger(nothing).target()
	a.Name, a.Cases, b.Name = "a", 100, "b"
	s := run(t, t.Context(), "", hunt.Options{Workers: 1, Limit: 1000}, a, b)
	if s.Targets[0].Next != 100 || s.Targets[1].Next != 960 || s.Cases() != 1060 {
		t.Errorf("got %d of a and %d of b, want 100 and 960: at least 1000 in whole batches", s.Targets[0].Next,
			s.Targets[1].Next)
	}
}

// TestTimeEndsAHunt: and the last report counts the judged cases.
func TestTimeEndsAHunt(t *testing.T) {
	var last hunt.Status
	s := run(t, t.Context(), "", hunt.Options{For: 20 * time.Millisecond, Progress: func(s hunt.Status) { last = s }},
		newLedger(nothing).target())
	if last.Cases != s.Cases() || (last.Points > 0) != (last.Cases > 0) || last.Elapsed < 20*time.Millisecond {
		t.Errorf("last report %+v of %d cases", last, s.Cases())
	}
}
