package reduce_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// failing returns a job that shows a mutant, and the judge of its reduction.
func failing(t testing.TB, name string) (*pica.Job, reduce.Jobs) {
	t.Helper()
	how := against(t, name)
	key := how.NewKey()
	at := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
	var g gen.Generator
	for n := range uint64(maxJobs) {
		if job := draw(&g, faults[at].mode, n); len(job.Code) > 30 && key(job) != "" {
			return reduce.Clone(job), how
		}
	}
	t.Fatalf("no job shows %s", name)
	return nil, how
}

func text(t *testing.T, job *pica.Job) string {
	t.Helper()
	b, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWithoutWitness: a command line that only says yes or no is enough.
func TestWithoutWitness(t *testing.T) {
	for _, fault := range faults {
		job, how := failing(t, fault.name)
		how.Witness = nil
		r, err := reduce.Job(t.Context(), job, how, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d words, %d tries%s", fault.name, len(r.Job.Code), r.Tries, assembly(r.Job))
		if r.End != reduce.Minimal || len(r.Job.Code) > max(fault.limit, 5) {
			t.Errorf("%s: %v at %d words, want %d at most", fault.name, r.End, len(r.Job.Code), max(fault.limit, 5))
		}
	}
}

// TestWorkersAgree: the result does not depend on the number of workers, and the given job
// does not change.
func TestWorkersAgree(t *testing.T) {
	for _, name := range []string{"add-keeps-nan-payloads", "jmpu-ignores-its-inversion", "if-stack-of-7"} {
		job, how := failing(t, name)
		before := text(t, job)
		var results []string
		for _, workers := range []int{1, 2, 7} {
			r, err := reduce.Job(t.Context(), job, how, reduce.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, text(t, r.Job))
		}
		if len(slices.Compact(results)) != 1 {
			t.Errorf("%s: %d results:\n%s", name, len(results), results)
		}
		if after := text(t, job); after != before {
			t.Errorf("%s: the job has changed:\n%s\n%s", name, before, after)
		}
	}
}

// counted counts the judgements of each job.
func counted(how reduce.Jobs) (reduce.Jobs, func() (jobs, most int)) {
	var mu sync.Mutex
	seen := map[string]int{}
	inner := how.NewKey
	how.NewKey = func() reduce.Key {
		key := inner()
		return func(job *pica.Job) string {
			b, _ := json.Marshal(job)
			mu.Lock()
			seen[string(b)]++
			mu.Unlock()
			return key(job)
		}
	}
	return how, func() (jobs, most int) {
		for _, n := range seen {
			most = max(most, n)
		}
		return len(seen), most
	}
}

// TestNothingIsTriedTwice in a reduction that is interrupted again and again and resumed with
// its memory; the result is the same as without interruption.
func TestNothingIsTriedTwice(t *testing.T) {
	job, how := failing(t, "if-stack-of-7")
	whole, err := reduce.Job(t.Context(), job, how, reduce.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	how, seen := counted(how)
	memory := new(reduce.Memory)
	rounds, tries := 0, 0
	for best, done := job, false; !done; rounds++ {
		r, err := reduce.Job(t.Context(), best, how, reduce.Options{Workers: 1, MaxTries: 20, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		tries += r.Tries
		if best, done = r.Job, r.End == reduce.Minimal; !done && r.End != reduce.BudgetExhausted {
			t.Fatalf("ended %v", r.End)
		}
		stored, err := memory.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		memory = new(reduce.Memory)
		if err := memory.UnmarshalText(stored); err != nil {
			t.Fatal(err)
		}
		if done && text(t, r.Job) != text(t, whole.Job) {
			t.Errorf("resumed: %s\nwhole: %s", text(t, r.Job), text(t, whole.Job))
		}
	}
	jobs, most := seen()
	t.Logf("%d rounds, %d tries, %d jobs judged, %d remembered", rounds, tries, jobs, memory.Len())
	// Each round begins by judging its start; nothing else repeats.
	if most > rounds+1 || tries != memory.Len() || jobs > tries+1 {
		t.Errorf("%d tries of %d jobs, one of them %d times, %d remembered", tries, jobs, most, memory.Len())
	}
}

// TestInterrupted: the best job so far is still in its bucket.
func TestInterrupted(t *testing.T) {
	job, how := failing(t, "one-pass-more")
	key := how.NewKey()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := reduce.Job(ctx, job, how, reduce.Options{Progress: func(r reduce.Report) {
		if r.Tries >= 10 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.End != reduce.Interrupted || key(r.Job) != r.Key || r.Key != key(job) {
		t.Errorf("ended %v in bucket %q, want interrupted in %q", r.End, key(r.Job), key(job))
	}
}

// TestWhatIsJudgedTooLateIsNotKept: a verdict may come from an interrupted judgement.
func TestWhatIsJudgedTooLateIsNotKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	keep := func([]byte) bool {
		if asked++; asked == 2 {
			cancel()
		}
		return true
	}
	r, err := reduce.File(ctx, []byte("some bytes"),
		func() reduce.Interesting { return keep }, reduce.Options{Workers: 1})
	if err != nil || r.End != reduce.Interrupted || string(r.Data) != "some bytes" || r.Tries != 1 || asked != 2 {
		t.Errorf("%q, %+v, %v after %d questions", r.Data, r.Report, err, asked)
	}
}

// TestNothingToKeep: a job on which the engines agree cannot be reduced.
func TestNothingToKeep(t *testing.T) {
	var g gen.Generator
	how := hunt.Engines{Want: impl.New, Got: impl.New}.Keys()
	if _, err := reduce.Job(t.Context(), draw(&g, gen.Mixed, 1), how,
		reduce.Options{}); !errors.Is(err, reduce.ErrNothing) {
		t.Errorf("got %v, want ErrNothing", err)
	}
}

// TestKindsAreCounted: the tries of all kinds add up.
func TestKindsAreCounted(t *testing.T) {
	job, how := failing(t, "condition-or-is-and")
	r, err := reduce.Job(t.Context(), job, how, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tries, kept := 0, 0
	for _, k := range r.Kinds {
		tries, kept = tries+k.Tries, kept+k.Kept
	}
	if tries != r.Tries || kept == 0 {
		t.Errorf("%d tries in kinds, %d in all, %d kept", tries, r.Tries, kept)
	}
}
