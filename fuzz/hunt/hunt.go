package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/pool"
)

// Options of a hunt. The zero Options is ready to use.
type Options struct {
	Workers int           // 0 means one for each processor
	For     time.Duration // 0 means until the context ends
	// Limit is the number of cases in this run, rounded up to batches; 0 means no limit. Of a shard it is the number
	// of cases of the whole campaign, in all runs and shards.
	Limit uint64
	// StoreEvery is the longest time between two stores of the state, which are more frequent at
	// first; 0 means 10 seconds.
	StoreEvery time.Duration
	// Progress is called now and then, and at the end, by one goroutine at a
	// time. It may be nil.
	Progress func(Status)
	// Found is called for every reduced bucket, by one goroutine at a time. It may be nil.
	Found func(b *Bucket)
}

// Status is the progress of a hunt.
type Status struct {
	Elapsed   time.Duration // in this run
	Cases     uint64        // in all runs
	PerSecond float64       // cases until the last of them was judged, in this run
	Points    int           // coverpoints reached
	Buckets   int
	Corpus    int
}

// batchSize is the number of cases that a worker takes at a time. A started batch is finished,
// unless the hunt fails or the worker is interrupted; then it is judged again in the next run.
const batchSize = 64

// run is a running hunt.
type run struct {
	*State
	targets []Target
	opts    Options
	ending  context.Context // after its end no batch begins, and reductions stop
	start   time.Time
	before  uint64 // cases of earlier runs

	mu       sync.Mutex
	turn     int               // number of the next target in turn
	taken    uint64            // cases begun in this run
	begun    uint64            // batches
	recorded uint64            // batches
	last     time.Time         // when the last batch was recorded
	finished map[uint64]*batch // batches that wait until all before them are recorded
	queue    []*Bucket         // buckets to be reduced
	reached  cover.Set
	matrix   cover.Matrix // reached points with the number of cases
}

// batch is a sequence of cases of a target with their results.
type batch struct {
	number     uint64 // among the batches of this run
	target     int
	first, end uint64 // numbers of the cases
	found      []finding
	outcomes   map[string]uint64
	messages   map[message]uint64
	reached    []reached
}

// message is a message with the outcome of a case that has it.
type message struct{ text, outcome string }

// maxMessages limits the number of messages of a target that are counted separately; others
// counts the rest.
const (
	maxMessages = 200
	others      = "other messages"
)

type finding struct {
	number    uint64
	key, text string
	data      []byte // nil if the batch or the state has a finding with this key
}

type reached struct {
	number uint64
	set    cover.Set
}

// Run continues a hunt until its time is over, the context ends, all cases of all targets are
// judged, or an error occurs that is no finding. It stores the state for each new bucket, every
// few seconds, and at the end, after it has minimised the corpus. It returns the number of cases
// of this run and of the earlier corpus that reached each coverpoint.
func Run(ctx context.Context, s *State, targets []Target, opts Options) (*cover.Matrix, error) {
	if s.Merged > 0 {
		return nil, ErrMerged
	}
	start := time.Now()
	ctx, cancel := pool.Within(ctx, opts.For)
	defer cancel()
	// working ends after an error; ending then ends, too.
	group, working := errgroup.WithContext(context.WithoutCancel(ctx))
	ending, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(working, end)()

	r := &run{State: s, targets: targets, opts: opts, ending: ending, start: start, before: s.Cases(),
		finished: map[uint64]*batch{}}
	if err := r.resume(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	group.Go(func() error { return r.watch(working, done) })
	group.Go(func() error {
		defer close(done)
		return pool.Run(working, opts.Workers, func() (*crew, error) { return r.newCrew(), nil }, r.step)
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := r.minimise(); err != nil {
		return nil, err
	}
	return &r.matrix, s.store()
}

func (r *run) newCrew() *crew {
	return &crew{r.Seed, r.targets, make([]Worker, len(r.targets))}
}

// watch reports progress and stores the state until the workers are done.
func (r *run) watch(ctx context.Context, done <-chan struct{}) error {
	const glance = 250 * time.Millisecond
	storeEvery := r.opts.StoreEvery
	if storeEvery <= 0 {
		storeEvery = 10 * time.Second
	}
	// A run that is killed again and again must come on: the first stores come early.
	storeAfter := min(firstStore, storeEvery)
	look, store := time.NewTicker(glance), time.NewTimer(storeAfter)
	defer look.Stop()
	defer store.Stop()
	for {
		select {
		case <-done:
			r.report()
			return nil
		case <-ctx.Done():
			return nil
		case <-look.C:
			r.report()
		case <-store.C:
			r.mu.Lock()
			err := r.store()
			r.mu.Unlock()
			if err != nil {
				return err
			}
			storeAfter = min(2*storeAfter, storeEvery)
			store.Reset(storeAfter)
		}
	}
}

// firstStore is the time until the first store of the state; each further one takes twice as long.
const firstStore = 50 * time.Millisecond

func (r *run) report() {
	if r.opts.Progress == nil {
		return
	}
	r.mu.Lock()
	s := Status{Elapsed: time.Since(r.start), Cases: r.Cases(), Points: r.reached.Len(), Buckets: len(r.Buckets),
		Corpus: len(r.Corpus)}
	s.PerSecond = float64(s.Cases-r.before) / max(r.last.Sub(r.start).Seconds(), 1e-9)
	r.mu.Unlock()
	r.opts.Progress(s)
}

// step reduces a bucket or judges a batch; it returns false if there is neither.
func (r *run) step(ctx context.Context, c *crew) (more bool, err error) {
	r.mu.Lock()
	bucket, b := r.takeBucket(), (*batch)(nil)
	if bucket == nil {
		b = r.takeBatch()
	}
	r.mu.Unlock()
	switch {
	case bucket != nil:
		return true, r.reduce(bucket)
	case b != nil:
		return true, r.judge(ctx, c, b)
	}
	return false, nil
}

// takeBatch begins the next batch of the targets in turn.
func (r *run) takeBatch() *batch {
	if r.ending.Err() != nil || r.Shard.Of == 0 && r.opts.Limit > 0 && r.taken >= r.opts.Limit {
		return nil
	}
	for range r.targets {
		k := r.turn
		r.turn = (r.turn + 1) % len(r.targets)
		t, progress := &r.targets[k], r.Progress(r.targets[k].Name)
		first := progress.issued
		if r.Shard.Of > 0 {
			first = r.Shard.next(first / batchSize)
		}
		if t.Cases > 0 && first >= t.Cases || r.beyond(k, first) {
			continue
		}
		b := &batch{number: r.begun, target: k, first: first, end: first + batchSize,
			outcomes: map[string]uint64{}, messages: map[message]uint64{}}
		if t.Cases > 0 {
			b.end = min(b.end, t.Cases)
		}
		progress.issued = b.end
		r.begun++
		r.taken += b.end - b.first
		return b
	}
	return nil
}

// beyond reports whether a batch of a target is beyond the limit of the campaign that the shard is a part of: without
// shards, its targets take turns from the first to the last.
func (r *run) beyond(target int, first uint64) bool {
	turn := first/batchSize*uint64(len(r.targets)) + uint64(target)
	return r.Shard.Of > 0 && r.opts.Limit > 0 && turn*batchSize >= r.opts.Limit
}

// judge judges the cases of a batch.
func (r *run) judge(ctx context.Context, c *crew, b *batch) error {
	var result Result
	for n := b.first; n < b.end; n++ {
		if ctx.Err() != nil {
			return nil // another worker failed
		}
		if err := c.judge(b.target, n, &result); errors.Is(err, ErrInterrupted) {
			return nil
		} else if err != nil {
			return err
		}
		if result.Outcome != "" {
			b.outcomes[result.Outcome]++
		}
		for _, text := range result.Messages {
			b.messages[message{text, result.Outcome}]++
		}
		if result.Reached != (cover.Set{}) {
			b.reached = append(b.reached, reached{n, result.Reached})
		}
		if result.Key == "" {
			continue
		}
		f := finding{number: n, key: result.Key, text: result.Text}
		if r.unknown(b, f.key) {
			var err error
			if f.data, err = c.data(b.target, n); err != nil {
				return err
			}
		}
		b.found = append(b.found, f)
	}
	return r.finish(b)
}

// unknown reports whether neither the batch nor the state has a finding with a key.
func (r *run) unknown(b *batch, key string) bool {
	if slices.ContainsFunc(b.found, func(f finding) bool { return f.key == key }) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(r.targets[b.target].Name, key) == nil
}

// finish takes a batch back and records the batches that are next in order.
func (r *run) finish(b *batch) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished[b.number] = b
	r.last = time.Now()
	news := false
	for b := r.finished[r.recorded]; b != nil; b = r.finished[r.recorded] {
		delete(r.finished, r.recorded)
		r.recorded++
		found, err := r.record(b)
		if err != nil {
			return err
		}
		news = news || found
	}
	if !news {
		return nil
	}
	return r.store()
}

// record adds a batch to the state, and saves the first cases of new buckets.
func (r *run) record(b *batch) (news bool, err error) {
	t := &r.targets[b.target]
	progress := r.Progress(t.Name)
	progress.Next = b.end
	for outcome, n := range b.outcomes {
		if progress.Outcomes == nil {
			progress.Outcomes = map[string]uint64{}
		}
		progress.Outcomes[outcome] += n
	}
	progress.addMessages(b.messages)
	for _, x := range b.reached {
		r.matrix.Add(&x.set)
		if gain := r.reached.Union(&x.set); gain > 0 {
			r.Corpus = append(r.Corpus, Entry{t.Name, x.number, gain})
		}
	}
	for _, f := range b.found {
		bucket := r.find(t.Name, f.key)
		if bucket == nil {
			bucket = &Bucket{Target: t.Name, Key: f.key, Number: f.number, Text: f.text, found: f.data}
			r.add(bucket)
			r.queue = append(r.queue, bucket)
			news = true
			if err := r.saveFound(bucket, t.Extension); err != nil {
				return news, err
			}
		}
		bucket.Count++
	}
	return news, nil
}

// addMessages adds the message counts of a batch, in a fixed order.
func (p *Progress) addMessages(counts map[message]uint64) {
	order := slices.SortedFunc(maps.Keys(counts), func(a, b message) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.outcome, b.outcome))
	})
	for _, m := range order {
		if p.Messages == nil {
			p.Messages = map[string]map[string]uint64{}
		}
		text := m.text
		if p.Messages[text] == nil && len(p.Messages) >= maxMessages {
			text = others
		}
		if p.Messages[text] == nil {
			p.Messages[text] = map[string]uint64{}
		}
		p.Messages[text][m.outcome] += counts[m]
	}
}

// takeBucket returns a bucket that is to be reduced.
func (r *run) takeBucket() *Bucket {
	if len(r.queue) == 0 {
		return nil
	}
	b := r.queue[0]
	r.queue = r.queue[1:]
	return b
}

// reduce makes the first case of a bucket smaller and stores the result.
func (r *run) reduce(b *Bucket) error {
	t := &r.targets[slices.IndexFunc(r.targets, func(t Target) bool { return t.Name == b.Target })]
	f := Found{b.Key, b.Text, b.found}
	reduced := asFound(f)
	if t.Reduce != nil {
		var err error
		if key, why := guard(func() { reduced, err = t.Reduce(r.ending, f) }); key != "" {
			reduced.Text += fmt.Sprintf("it cannot be reduced: %s: %s\n", key, why)
		}
		if err != nil {
			return fmt.Errorf("reducing %q: %w", f.Key, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b.Reduced, b.End = reduced, reduced.Report.End
	if err := r.saveReduced(b, t.Extension); err != nil {
		return err
	}
	if r.opts.Found != nil {
		r.opts.Found(b)
	}
	return r.store()
}

// resume reaches the coverpoints of earlier runs again, and queues the buckets whose reduction
// was interrupted.
func (r *run) resume() error {
	for i := range r.targets {
		t := &r.targets[i]
		r.Progress(t.Name)
		for _, b := range r.Buckets {
			if b.Target != t.Name || b.End == reduce.Minimal || b.End == reduce.BudgetExhausted {
				continue
			}
			if err := r.loadFound(b, t.Extension); err != nil {
				return err
			}
			r.queue = append(r.queue, b)
		}
	}
	err := r.replay(func(_ int, _ []byte, reached *cover.Set) {
		r.reached.Union(reached)
		r.matrix.Add(reached)
	})
	if errors.Is(err, ErrInterrupted) {
		return nil
	}
	return err
}
