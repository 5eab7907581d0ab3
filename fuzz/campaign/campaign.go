// Package campaign hunts for as long as it is let: it judges numbered cases of
// several targets on all processors, saves what it finds at once, sorts it into
// buckets by cause, reduces the first of each, and keeps its place, so that an
// interrupted campaign goes on where it stopped.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/reduce"
)

// Options of a campaign. The zero Options is ready to use.
type Options struct {
	Workers int           // 0 means one for each processor
	For     time.Duration // 0 means until the context ends
	Limit   uint64        // cases in this run, rounded up to batches; 0 means no limit
	// Progress is called now and then, and at the end, by one goroutine at a time. It may be nil.
	Progress func(Status)
	// Found is called for every new bucket, once it is reduced, likewise. It may be nil.
	Found func(b *Bucket)
}

// Status says how far a campaign is.
type Status struct {
	Elapsed   time.Duration // in this run
	Cases     uint64        // in all runs
	PerSecond float64       // cases, in this run
	Points    int           // coverpoints reached
	Buckets   int
	Corpus    int
}

// batch is how many cases a worker takes at a time. A batch that was begun is
// finished, so that no number is passed over.
const batch = 64

// run is a campaign at work.
type run struct {
	*State
	targets []Target
	opts    Options
	start   time.Time
	before  uint64 // cases of earlier runs

	mu      sync.Mutex
	turn    int
	taken   uint64 // cases begun in this run
	reached cover.Set
	matrix  cover.Matrix // the same, with the number of cases
	failed  error
}

// Run goes on with a campaign until its time is over, the context ends, or
// something fails that is no finding. The state is stored whenever a bucket is
// new, every few seconds, and at the end, when the corpus is minimised, too. Run
// returns how often coverpoints were reached, by this run and the corpus of
// earlier ones.
func Run(ctx context.Context, s *State, targets []Target, opts Options) (*cover.Matrix, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opts.For)
		defer cancel()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &run{State: s, targets: targets, opts: opts, start: time.Now(), before: s.cases()}
	if err := r.resume(); err != nil {
		return nil, err
	}
	var workers sync.WaitGroup
	for range opts.Workers {
		workers.Go(func() {
			if err := r.work(ctx); err != nil {
				r.mu.Lock()
				if r.failed == nil {
					r.failed = err
				}
				r.mu.Unlock()
				stop()
			}
		})
	}
	finished := make(chan struct{})
	go func() { workers.Wait(); close(finished) }()
	r.watch(finished)
	if r.failed == nil {
		r.failed = r.minimise()
	}
	if r.failed != nil {
		return nil, r.failed
	}
	return &r.matrix, s.store()
}

// resume reaches again what earlier runs reached.
func (r *run) resume() error {
	for _, t := range r.targets {
		r.target(t.Name)
	}
	return r.replay(func(_ int, _ []byte, reached *cover.Set) {
		r.reached.Union(reached)
		r.matrix.Add(reached)
	})
}

// replay runs the cases of the corpus that belong to the targets of this run.
func (r *run) replay(visit func(i int, data []byte, reached *cover.Set)) error {
	workers := map[string]Worker{}
	for _, t := range r.targets {
		w, err := t.New()
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		workers[t.Name] = w
	}
	for i, e := range r.Corpus {
		w := workers[e.Target]
		if w == nil {
			continue
		}
		var reached cover.Set
		if _, _, err := w.Case(r.Seed, e.Number, &reached); err != nil {
			return err
		}
		data, err := w.Data(r.Seed, e.Number)
		if err != nil {
			return err
		}
		visit(i, data, &reached)
	}
	return nil
}

// minimise drops cases from the corpus while the rest reaches the same points.
// Those of targets that this run does not have stay.
func (r *run) minimise() error {
	var (
		numbers []int
		failed  error
	)
	kept := map[int]bool{}
	for i := range r.Corpus {
		kept[i] = true
	}
	chosen := cover.Minimise(func(yield func(int, *cover.Set) bool) {
		failed = r.replay(func(i int, data []byte, reached *cover.Set) {
			numbers = append(numbers, i)
			kept[i] = false
			yield(len(data), reached)
		})
	})
	if failed != nil {
		return failed
	}
	for _, k := range chosen {
		kept[numbers[k]] = true
	}
	var corpus []Entry
	for i, e := range r.Corpus {
		if kept[i] {
			corpus = append(corpus, e)
		}
	}
	r.Corpus = corpus
	return nil
}

// watch reports progress and stores the state until the workers are done.
func (r *run) watch(finished <-chan struct{}) {
	const (
		glance = 250 * time.Millisecond
		safety = 10 * time.Second
	)
	look, save := time.NewTicker(glance), time.NewTicker(safety)
	defer look.Stop()
	defer save.Stop()
	for {
		select {
		case <-finished:
			r.report()
			return
		case <-look.C:
			r.report()
		case <-save.C:
			r.mu.Lock()
			if err := r.store(); err != nil && r.failed == nil {
				r.failed = err
			}
			r.mu.Unlock()
		}
	}
}

func (r *run) report() {
	if r.opts.Progress == nil {
		return
	}
	r.mu.Lock()
	s := Status{Elapsed: time.Since(r.start), Cases: r.cases(), Points: r.reached.Len(), Buckets: len(r.Buckets), Corpus: len(r.Corpus)}
	r.mu.Unlock()
	s.PerSecond = float64(s.Cases-r.before) / max(s.Elapsed.Seconds(), 1e-9)
	r.opts.Progress(s)
}

// work judges batch after batch.
func (r *run) work(ctx context.Context) error {
	workers := make([]Worker, len(r.targets))
	for i, t := range r.targets {
		w, err := t.New()
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		workers[i] = w
	}
	if err := r.unfinished(ctx); err != nil {
		return err
	}
	for {
		i, first, ok := r.take(ctx)
		if !ok {
			return nil
		}
		for n := first; n < first+batch; n++ {
			var reached cover.Set
			key, text, err := workers[i].Case(r.Seed, n, &reached)
			if err != nil {
				return fmt.Errorf("%s, case %d of seed %d: %w", r.targets[i].Name, n, r.Seed, err)
			}
			if reached != (cover.Set{}) {
				r.reach(r.targets[i].Name, n, &reached)
			}
			if key == "" {
				continue
			}
			if err := r.find(ctx, &r.targets[i], workers[i], n, key, text); err != nil {
				return err
			}
		}
		r.mu.Lock()
		r.target(r.targets[i].Name).finish(first)
		r.mu.Unlock()
	}
}

// take hands out the next batch of the targets in turn.
func (r *run) take(ctx context.Context) (target int, first uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil || r.opts.Limit > 0 && r.taken >= r.opts.Limit {
		return 0, 0, false
	}
	target = r.turn % len(r.targets)
	r.turn++
	r.taken += batch
	t := r.target(r.targets[target].Name)
	return target, t.begin(), true
}

// reach counts what a case reaches, and puts it into the corpus if a point is
// new.
func (r *run) reach(target string, n uint64, reached *cover.Set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.matrix.Add(reached)
	if gain := r.reached.Union(reached); gain > 0 {
		r.Corpus = append(r.Corpus, Entry{target, n, gain})
	}
}

// find files a finding under its key; the first of a key is saved and reduced.
func (r *run) find(ctx context.Context, t *Target, w Worker, n uint64, key, text string) error {
	r.mu.Lock()
	b, first := r.bucket(t.Name, key)
	b.Count++
	if first {
		b.Number, b.Text = n, text
	}
	r.mu.Unlock()
	if !first {
		return nil
	}
	data, err := w.Data(r.Seed, n)
	if err != nil {
		return err
	}
	r.mu.Lock()
	err = errors.Join(r.save(b, t.Extension, Found{key, text, data}), r.store())
	r.mu.Unlock()
	if err != nil {
		return err
	}
	return r.reduce(ctx, t, b, Found{key, text, data})
}

// unfinished reduces the buckets that were interrupted.
func (r *run) unfinished(ctx context.Context) error {
	for i := range r.targets {
		t := &r.targets[i]
		for {
			b, data, err := r.claim(t)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			if err := r.reduce(ctx, t, b, Found{b.Key, b.Text, data}); err != nil {
				return err
			}
		}
	}
	return nil
}

// reduce makes a finding smaller and stores what it came to.
func (r *run) reduce(ctx context.Context, t *Target, b *Bucket, f Found) error {
	reduced := Reduced{Data: f.Data, Text: f.Text + "\n", End: reduce.Minimal}
	if t.Reduce != nil {
		var err error
		if reduced, err = t.Reduce(ctx, f); err != nil {
			return fmt.Errorf("reducing %q: %w", f.Key, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b.End, b.Report = reduced.End, reduced.Text
	if err := r.saveReduced(b, t.Extension, reduced); err != nil {
		return err
	}
	if r.opts.Found != nil {
		r.opts.Found(b)
	}
	return r.store()
}
