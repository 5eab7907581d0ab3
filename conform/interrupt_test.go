package conform_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// interrupting returns a core that ends a context at request number n, and the number of requests that it
// got.
func interrupting(n int64, cancel func()) (core adapter.Core, asked *atomic.Int64) {
	asked = new(atomic.Int64)
	p, _ := profile.ByName("panda-x64")
	return adapter.InProcess("interrupting", p, func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if asked.Add(1) == n {
				cancel()
			}
			return e.Run(job, out)
		}}
	}), asked
}

// TestInterruptedAgain: a run goes on from the state of a whole run, and is interrupted before the core set. Its report
// has the jobs that the state knows to fail, each once.
func TestInterruptedAgain(t *testing.T) {
	o := conform.Options{Suites: []string{"fields", "alu"}, Cases: conform.CoreSet + 8, Seed: 1, State: t.TempDir()}
	p, _ := profile.ByName("hw")
	core := adapter.InProcess("mad", p, func() pica.Engine { // a code generator that fails at MAD
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w).Base() == pica.MAD }) {
				panic("mad")
			}
			return e.Run(job, out)
		}}
	})
	crashes := func(ctx context.Context, want bool) (count int) {
		r, err := conform.Run(ctx, core, o)
		if err != nil || r.Interrupted != want {
			t.Fatalf("interrupted %v, %v", r != nil && r.Interrupted, err)
		}
		for _, d := range r.Deviations {
			if d.Verdict == report.Crash || d.Bucket == "not reduced: crash" {
				count += d.Count
			}
		}
		return count
	}
	all := crashes(t.Context(), false)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(text string) {
		if text == "asking for the core set" {
			cancel()
		}
	}
	if got := crashes(ctx, true); got == 0 || got > all {
		t.Errorf("%d crashes, the whole run has %d", got, all)
	}
}

// TestInterrupted: wherever a run is interrupted, the core gets hardly a further request, and the report
// has what is known: crashes among the first. It says what it lacks.
func TestInterrupted(t *testing.T) {
	const jobs = 4
	o := conform.Options{Suites: []string{"upload", "flow"}, Cases: 40, Seed: 1, Jobs: jobs}
	core, asked := interrupting(0, nil)
	whole, err := conform.Run(t.Context(), core, o)
	if err != nil || len(whole.Cut) > 0 || whole.Interrupted {
		t.Fatalf("%v: the whole report lacks %q", err, whole.Cut)
	}
	all := asked.Load()
	var numbers []int64
	const steps = 40
	for k := range int64(steps) {
		numbers = append(numbers, 1+k*all/steps)
	}
	for _, n := range long.Items(t, numbers, long.Few(6, 4)) {
		ctx, cancel := context.WithCancel(t.Context())
		core, asked := interrupting(n, cancel)
		r, err := conform.Run(ctx, core, o)
		cancel()
		if more := asked.Load() - n; more > 2*jobs {
			t.Errorf("interrupted at request %d of %d: %d more requests", n, all, more)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "interrupted before the core answered") || n > 1 {
				t.Errorf("interrupted at request %d: %v", n, err)
			}
			continue
		}
		if !r.Interrupted || len(r.Cut) == 0 {
			t.Errorf("interrupted at request %d of %d: interrupted %v, without %q", n, all, r.Interrupted, r.Cut)
		}
		if n := len(r.Coverpoints.Masked); r.Jobs() == 0 && n > 0 {
			t.Errorf("%d coverpoints were judged with a known fault, of no job", n)
		}
		if n > all/4 && !slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool {
			return d.Verdict == report.Crash && foreseen(&d) || d.Bucket == "not reduced: crash"
		}) {
			t.Errorf("interrupted at request %d of %d: no crash", n, all)
		}
		for _, d := range r.Deviations {
			if d.Verdict == report.Flaky || d.Verdict.Bad() && d.Verdict != report.Crash && d.Verdict != report.Hang &&
				!slices.ContainsFunc(whole.Deviations, func(w report.Deviation) bool { return w.Bucket == d.Bucket }) {
				t.Errorf("interrupted at request %d of %d: %s: %s, which the whole report lacks", n, all, d.Verdict, d.Bucket)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	}
}

// TestHalfModel: a run that ends while its model is sought claims none.
func TestHalfModel(t *testing.T) {
	p, err := profile.Parse("f32,dp=left,rcp0=positive,cmp=true,inneral=outer,op.dst=run,op.litp=run,op.dsti=run")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const copies = 2 * pica.NumTemporaries // of the last program that is asked before the search
	core := adapter.InProcess("ends", p, func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			n := 0
			for _, w := range job.Code {
				if pica.OpcodeOf(w) == pica.MOV {
					n++
				}
			}
			if n == copies {
				cancel()
			}
			return e.Run(job, out)
		}}
	})
	r, err := conform.Run(ctx, core, conform.Options{Suites: []string{"upload"}, Cases: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(r.Cut, "the core's model") || len(accusations(r)) > 0 {
		t.Errorf("got %q of the model %s, cut: %q", accusations(r), r.Profile.Model, r.Cut)
	}
}

// TestProvedBefore: the report of a run that ends before causes are proved again has those that were proved before.
func TestProvedBefore(t *testing.T) {
	if n := conform.FaultsOfEnded(make([]proof.Cause, 2)); n != 2 {
		t.Errorf("%d of 2 faults", n)
	}
}
