package adapter

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Start returns a core that runs as a command, in as many processes as the options say.
// A command of plain words is started directly, any other by the shell. An error means
// that it cannot be started at all; every later failure is the answer to a job.
func Start(command string, o Options) (Core, error) {
	o.Processes = cmp.Or(o.Processes, runtime.GOMAXPROCS(0))
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.Start = cmp.Or(o.Start, defaultStart)
	o.Lifetime = cmp.Or(o.Lifetime, defaultLifetime)
	c := &pool{command: command, options: o, launcher: newLauncher(), calls: make(chan *call),
		fresh: make(chan struct{}, freshFor*o.Processes), running: map[*process]bool{}}
	c.open, c.close = context.WithCancel(context.Background())
	c.closed = c.open.Done()
	c.batch.Store(maxBatch)
	first := &worker{pool: c}
	p, err := c.launch()
	if err != nil {
		c.launcher.close()
		return nil, err
	}
	first.process = p
	c.workers.Go(first.run)
	for range o.Processes - 1 {
		c.workers.Go((&worker{pool: c}).run)
	}
	return c, nil
}

// freshFor is the number of fresh processes for each worker. They live for one job, and
// a core that starts slowly spends most of that time waiting.
const freshFor = 4

// pool is a core in several processes: each worker owns one, and jobs that are asked
// alone start more.
type pool struct {
	command  string
	options  Options
	launcher *launcher
	calls    chan *call
	fresh    chan struct{} // has an element for each fresh process
	workers  sync.WaitGroup
	batch    atomic.Int64 // the longest batch
	closing  sync.Once
	closed   <-chan struct{}
	open     context.Context // ends with closed
	close    context.CancelFunc
	mu       sync.Mutex
	running  map[*process]bool

	requests, processes, repeated, late, disorderly, waiting atomic.Int64

	before   atomic.Pointer[Sequence] // sent before every job
	isolated atomic.Bool              // each request has a process
	hung     atomic.Int64             // requests without an answer in any attempt
	needed   atomic.Int64             // the most processor time that an answer took; 0 if it is not known
	spent    atomic.Int64             // the processor time of all answers
	answers  atomic.Int64
	info     atomic.Pointer[Reply] // the first answer to an info request
	silent   atomic.Bool           // the core does not survive an info request
	restart  atomic.Bool           // the core does not survive a trap or an unsupported job
}

// maxBatch is the largest number of requests sent at once.
const maxBatch = 64

// call is a request whose caller waits.
type call struct {
	*request
	ctx    context.Context
	answer chan Answer // has room for one
}

func (c *pool) Name() string { return c.command }

func (c *pool) Stats() Stats {
	return Stats{Requests: int(c.requests.Load()), Processes: int(c.processes.Load()),
		Repeated: int(c.repeated.Load()), Late: int(c.late.Load()), Disorderly: int(c.disorderly.Load())}
}

func (c *pool) Info(ctx context.Context) (Reply, error) {
	if r := c.info.Load(); r != nil {
		return *r, nil
	}
	t := alone(ctx, c, nil, func(w *worker) *trouble { return w.beginAmong() })
	if r := c.info.Load(); r != nil {
		return *r, nil
	}
	if t != nil {
		return Reply{}, t
	}
	return Reply{}, errNoInfo
}

// A job has two attempts. The first one, beside other programs, decides nothing, so that it may be short. The last one,
// alone, has at least the limit, whatever other jobs did: no hang depends on which job was asked first. A job that is
// asked briefly has one attempt, which is shorter where few answers took long.
type attempt uint8

const (
	firstTry attempt = iota
	onlyTry
	lastTry
)

// A core that hung knownHangs times has less time, one part in hangPart of the limit for a first attempt. So has one
// that answered everything in much less processor time: one part in firstPart for a first attempt, but several times
// what the dearest answer took so far, because a job may execute a thousand times as many steps as another one.
const (
	knownHangs, hangPart  = 2, 4
	firstPart, firstTimes = 64, 4
	onlyTimes             = 256 // what an answer took on average
	lastTimes             = 1024
)

// The last attempt of a job whose instructions are counted need not have the whole limit: it has one part in countedPart
// of it, and stepTime for each instruction, which is several times what slow interpreters take, or countedTimes what the
// dearest answer took. So a core that spins in many short jobs does not cost seconds for each. A job that is endless on
// a known core has one part in hangPart: few other cores end it, and no slow one after more instructions.
const (
	countedPart, countedTimes = 16, 4
	stepTime                  = 100 * time.Microsecond
)

// limit returns the time limit that a job is told in an attempt.
func (c *pool) limit(n attempt) time.Duration {
	hangs := c.hung.Load() >= knownHangs
	switch limit := c.options.Timeout; {
	case n == lastTry && !hangs:
		return limit * Longer
	case hangs && n != lastTry:
		return limit / hangPart
	default:
		return limit
	}
}

// allow returns what a job gets in an attempt: somewhat more than its limit, because a core may watch its time itself.
// steps is the number of instructions of the job of a last attempt, 0 if it is not known.
func (c *pool) allow(n attempt, steps int) allowance {
	limit := c.limit(n)
	a := c.launcher.allow(limit + limit/4)
	needed := time.Duration(c.needed.Load())
	if needed == 0 {
		return a
	}
	var least time.Duration
	switch {
	case n == firstTry:
		least, needed = c.options.Timeout/firstPart, firstTimes*needed
	case n == onlyTry:
		mean := time.Duration(c.spent.Load() / c.answers.Load())
		least, needed = c.options.Timeout/firstPart, min(firstTimes*needed, onlyTimes*mean)
	case steps == endless:
		least, needed = c.options.Timeout/hangPart, countedTimes*needed
	case steps > 0:
		least, needed = c.options.Timeout/countedPart+time.Duration(steps)*stepTime, countedTimes*needed
	default:
		least, needed = c.options.Timeout, lastTimes*needed
	}
	a.processor = min(a.processor, max(least, needed))
	return a
}

// took notes the processor time of an answer, 0 if the system does not tell.
func (c *pool) took(d time.Duration) {
	c.answers.Add(1)
	c.spent.Add(int64(d))
	for {
		old := c.needed.Load()
		if int64(d) <= old || c.needed.CompareAndSwap(old, int64(d)) {
			return
		}
	}
}

func (c *pool) newRequest(job *pica.Job) (*request, error) {
	return newRequest(uint64(c.requests.Add(1)), job, !c.options.NoTemporaries, c.options.Timeout)
}

func (c *pool) Ask(ctx context.Context, job *pica.Job) Answer {
	q, err := c.newRequest(job)
	if err != nil {
		return refused(err)
	}
	if ctx.Err() != nil {
		return interrupted()
	}
	x := &call{q, ctx, make(chan Answer, 1)}
	c.waiting.Add(1)
	select {
	case c.calls <- x:
		c.waiting.Add(-1)
	case <-ctx.Done():
		c.waiting.Add(-1)
		return interrupted()
	case <-c.closed:
		c.waiting.Add(-1)
		return interrupted()
	}
	select {
	case a := <-x.answer:
		return a
	case <-ctx.Done():
		return interrupted()
	}
}

func (c *pool) AskFresh(ctx context.Context, job *pica.Job) Answer {
	q, err := c.newRequest(job)
	if err != nil {
		return refused(err)
	}
	n := firstTry
	if IsBrief(ctx) {
		n = onlyTry
	}
	return alone(ctx, c, interrupted(), func(w *worker) Answer { return w.alone(q, n) })
}

func (c *pool) AskAfter(ctx context.Context, jobs ...*pica.Job) (last Answer, answered int) {
	s, err := sequenceOf(c, jobs)
	if err != nil {
		return refused(err), 0
	}
	return askAfter(ctx, c, s)
}

func (c *pool) Precede(jobs ...*pica.Job) error {
	s, err := sequenceOf(c, jobs)
	if err == nil {
		c.before.Store(&s)
	}
	return err
}

func (c *pool) Isolate() {
	c.batch.Store(1)
	c.isolated.Store(true)
}

// lifetime is the number of requests after which a process is replaced.
func (c *pool) lifetime() int {
	if c.isolated.Load() {
		return 1
	}
	return c.options.Lifetime
}

func (c *pool) Replay(ctx context.Context, s Sequence) (last Answer, answered int) {
	type result struct {
		last     Answer
		answered int
	}
	r := alone(ctx, c, result{last: interrupted()}, func(w *worker) (r result) {
		r.last, r.answered = w.replay(ctx, s)
		return r
	})
	return r.last, r.answered
}

// alone calls do with a worker that nothing else uses, and returns its result, or
// interrupted if the context or the core ends first.
func alone[T any](ctx context.Context, c *pool, interrupted T, do func(w *worker) T) T {
	if ctx.Err() != nil {
		return interrupted
	}
	select {
	case c.fresh <- struct{}{}:
	case <-ctx.Done():
		return interrupted
	case <-c.closed:
		return interrupted
	}
	done := make(chan T, 1)
	c.workers.Go(func() {
		w := worker{pool: c}
		defer func() {
			w.end(0)
			<-c.fresh
		}()
		done <- do(&w)
	})
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
		return interrupted
	}
}

// Close ends all processes: busy ones at once, others when they see the end of their
// input.
func (c *pool) Close() error {
	c.closing.Do(func() {
		c.close()
		c.mu.Lock()
		for p := range c.running {
			if p.busy.Load() {
				p.kill()
			}
		}
		c.mu.Unlock()
		c.workers.Wait()
		c.launcher.close()
	})
	return nil
}

// launch starts a process.
func (c *pool) launch() (*process, error) {
	p, err := startProcess(c.launcher, c.command)
	if err == nil {
		p.grace = c.options.Timeout
		c.processes.Add(1)
		c.mu.Lock()
		c.running[p] = true
		c.mu.Unlock()
	}
	return p, err
}
