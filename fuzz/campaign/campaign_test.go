package campaign_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/campaign"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// ledger is a worker that notes which cases it judged, and finds something
// where found says so.
type ledger struct {
	mu    *sync.Mutex
	seen  map[uint64]int
	found func(n uint64) string
}

func (l *ledger) Case(_, n uint64, _ *cover.Set) (key, text string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[n]++
	return l.found(n), "text", nil
}

func (l *ledger) Data(_, n uint64) ([]byte, error) { return fmt.Appendf(nil, "case %d", n), nil }

func newLedger(found func(n uint64) string) *ledger {
	return &ledger{new(sync.Mutex), map[uint64]int{}, found}
}

func (l *ledger) target(reduced func(ctx context.Context, f campaign.Found) (campaign.Reduced, error)) []campaign.Target {
	return []campaign.Target{{Name: "ledger", Extension: ".bin", New: func() (campaign.Worker, error) { return l, nil }, Reduce: reduced}}
}

// stored returns the state in a directory.
func stored(t *testing.T, dir string) *campaign.State {
	t.Helper()
	return run(t, context.Background(), dir, nil, campaign.Options{})
}

// run goes on with the campaign in a directory, and returns what it comes to.
func run(t *testing.T, ctx context.Context, dir string, targets []campaign.Target, opts campaign.Options) *campaign.State {
	t.Helper()
	s, err := campaign.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(targets) == 0 {
		return s
	}
	if _, err := campaign.Run(ctx, s, targets, opts); err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestNoCaseTwiceAndNoneLeftOut: a campaign in several runs, one of them
// interrupted, judges every case once.
func TestNoCaseTwiceAndNoneLeftOut(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	l := newLedger(func(n uint64) string {
		if n == 1000 {
			interrupt()
		}
		return ""
	})
	run(t, context.Background(), dir, l.target(nil), campaign.Options{Workers: 3, Limit: 500})
	run(t, ctx, dir, l.target(nil), campaign.Options{Workers: 3})
	last := run(t, context.Background(), dir, l.target(nil), campaign.Options{Workers: 3, Limit: 500}).Targets[0].Next
	if last < 1500 || len(l.seen) != int(last) {
		t.Errorf("%d cases judged, want %d, and at least 1500", len(l.seen), last)
	}
	for n := range last {
		if l.seen[n] != 1 {
			t.Errorf("case %d was judged %d times", n, l.seen[n])
		}
	}
}

// TestAKilledCampaignRepeatsWhatWasRunning: what is stored while a batch runs
// does not count it as judged.
func TestAKilledCampaignRepeatsWhatWasRunning(t *testing.T) {
	dir := t.TempDir()
	stored := ""
	l := newLedger(func(n uint64) string {
		switch n {
		case 200:
			return "found"
		case 201:
			stored = read(t, dir, "campaign.json")
		}
		return ""
	})
	s := run(t, context.Background(), dir, l.target(nil), campaign.Options{Workers: 1, Limit: 500})
	if want := `"next": 192`; !strings.Contains(stored, want) {
		t.Errorf("after case 200: want %s in\n%s", want, stored)
	}
	if got := s.Targets[0].Next; got != 512 {
		t.Errorf("next case %d, want 512", got)
	}
}

// TestOneAtATime: a campaign that runs is not opened again, one that has ended is.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	s, err := campaign.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := campaign.Open(dir, 1); !errors.Is(err, campaign.ErrRunning) {
		t.Errorf("opened twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stored(t, dir)
}

// TestFindingsAreSavedReducedAndSorted: the first case of a key is saved and
// reduced, others are counted.
func TestFindingsAreSavedReducedAndSorted(t *testing.T) {
	dir := t.TempDir()
	l := newLedger(func(n uint64) string { return []string{"", "mul: one step", "end of call+if: pc"}[n%3] })
	reduced := func(_ context.Context, f campaign.Found) (campaign.Reduced, error) {
		return campaign.Reduced{Data: f.Data[:4], Text: "report on " + f.Key + "\n", End: reduce.Minimal}, nil
	}
	told := 0
	run(t, context.Background(), dir, l.target(reduced), campaign.Options{Workers: 1, Limit: 300, Found: func(*campaign.Bucket) { told++ }})
	for name, want := range map[string]string{
		"mul-one-step.found.bin": "case 1", "mul-one-step.bin": "case", "mul-one-step.txt": "mul: one step\nreport on mul: one step\n",
		"end-of-call-if-pc.found.bin": "case 2",
	} {
		if got := read(t, dir, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	s := stored(t, dir)
	if len(s.Buckets) != 2 || told != 2 || s.Buckets[0].Count+s.Buckets[1].Count != 213 {
		t.Errorf("%d buckets, %d told: %+v %+v; want 2, 2 and 213 findings", len(s.Buckets), told, s.Buckets[0], s.Buckets[1])
	}
}

// TestAnInterruptedReductionGoesOn: the next run reduces what an interrupted one
// could not.
func TestAnInterruptedReductionGoesOn(t *testing.T) {
	dir := t.TempDir()
	l := newLedger(func(n uint64) string { return []string{"", "key"}[min(n, 1)] })
	ends := []reduce.End{reduce.Interrupted, reduce.Minimal}
	for range 3 {
		reduced := func(_ context.Context, f campaign.Found) (campaign.Reduced, error) {
			end := ends[0] // a third reduction would panic
			ends = ends[1:]
			return campaign.Reduced{Data: append(f.Data, '.'), End: end}, nil
		}
		run(t, context.Background(), dir, l.target(reduced), campaign.Options{Workers: 1, Limit: 10})
	}
	if got := read(t, dir, "key.bin"); got != "case 1.." || len(ends) != 0 {
		t.Errorf("got %q and %d reductions left, want the first reduction reduced again", got, len(ends))
	}
}

// wrong is the VM with results of MUL that are off by one bit.
type wrong struct{ pica.Engine }

func (e wrong) Run(job *pica.Job, out *pica.Outcome) error {
	if err := e.Engine.Run(job, out); err != nil {
		return err
	}
	for _, w := range job.Code {
		if pica.OpcodeOf(w) == pica.MUL {
			out.Vertices[0].R[3][1] ^= 1
		}
	}
	return nil
}

// TestJobs: differences of a broken engine are found, and the coverpoints that
// were reached are so for a campaign that goes on.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	f24, err := profile.Parse("f24")
	if err != nil {
		t.Fatal(err)
	}
	points := func(limit uint64, engine func() pica.Engine) (points int) {
		run(t, context.Background(), dir, []campaign.Target{campaign.Jobs(gen.Mixed, f24, engine, nil)},
			campaign.Options{Limit: limit, Progress: func(s campaign.Status) { points = s.Points }})
		return points
	}
	before := points(2000, func() pica.Engine { return wrong{vm.New()} })
	if s := stored(t, dir); len(s.Buckets) == 0 || len(s.Corpus) == 0 || before < 500 {
		t.Errorf("%d buckets, %d in the corpus, %d points", len(s.Buckets), len(s.Corpus), before)
	}
	if after := points(64, vm.New); after < before {
		t.Errorf("%d points, %d in the run before", after, before)
	}
}

// TestABrokenParserIsFound: a checker that is silent about one rule, and a
// writer that panics.
func TestABrokenParserIsFound(t *testing.T) {
	from, _ := files.ByName("shbin")
	format, _ := registry.ByName("shbin")
	check := format.Check
	format.Check = func(b []byte, opts ...registry.Option) []diag.Finding {
		if len(b)%64 == 0 {
			panic("a multiple of 64")
		}
		return slices.DeleteFunc(check(b, opts...), func(f diag.Finding) bool { return f.Rule == "DVLB002" })
	}
	s := run(t, context.Background(), t.TempDir(), []campaign.Target{campaign.Files(format, from)}, campaign.Options{Limit: 2000})
	keys := map[string]reduce.End{}
	for _, b := range s.Buckets {
		keys[b.Key] = b.End
	}
	for _, key := range []string{"refused", "panic in campaign_test.TestABrokenParserIsFound.func1"} {
		if keys[key] != reduce.Minimal {
			t.Errorf("no reduced bucket %q: %v", key, keys)
		}
	}
}

// TestFilesOfEveryFormat: our own parsers pass a short campaign.
func TestFilesOfEveryFormat(t *testing.T) {
	var targets []campaign.Target
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		targets = append(targets, campaign.Files(format, from))
	}
	s := run(t, context.Background(), "", targets, campaign.Options{Limit: 1000})
	for _, b := range s.Buckets {
		text, _ := json.Marshal(b)
		t.Errorf("%s", text)
	}
}

// panics is an engine that breaks down on MUL.
type panics struct{ pica.Engine }

func (e panics) Run(job *pica.Job, out *pica.Outcome) error {
	for _, w := range job.Code {
		if pica.OpcodeOf(w) == pica.MUL {
			panic("no MUL")
		}
	}
	return e.Engine.Run(job, out)
}

// TestAPanicOfAnEngineIsAFinding: it is saved, and does not end the campaign.
func TestAPanicOfAnEngineIsAFinding(t *testing.T) {
	f24, err := profile.Parse("f24")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	target := campaign.Jobs(gen.Alu, f24, func() pica.Engine { return panics{vm.New()} }, func(context.Context, campaign.Found) (campaign.Reduced, error) {
		panic("the reducer runs the engine again")
	})
	s := run(t, context.Background(), dir, []campaign.Target{target}, campaign.Options{Limit: 500})
	if len(s.Buckets) != 1 || !strings.HasPrefix(s.Buckets[0].Key, "panic in ") || s.Buckets[0].Count < 2 {
		t.Errorf("buckets %+v, want one of a panic", s.Buckets)
	}
	read(t, dir, s.Buckets[0].File+".found.json")
}
