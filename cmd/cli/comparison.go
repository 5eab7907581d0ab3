package cli

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// comparison runs numbered jobs on the oracle and the VM and sorts what differs
// into buckets.
type comparison struct {
	jobs int
	// job makes job number n; it is called from several goroutines, each with
	// its own generator.
	job func(g *gen.Generator, n int) *pica.Job
	// tick is told how many more jobs are done.
	tick func(n int)
}

// comparisonReport is the JSON report of compare.
type comparisonReport struct {
	Jobs          int      `json:"jobs"`
	Undefined     int      `json:"undefined,omitempty"`
	Differences   int      `json:"differences"`
	JobsPerSecond float64  `json:"jobs_per_second"`
	Interrupted   bool     `json:"interrupted,omitempty"`
	Buckets       []bucket `json:"buckets"`
}

// bucket is a group of differences with one cause, shown by what the job with
// the lowest number is reduced to.
type bucket struct {
	Key    string `json:"key"`
	Count  int    `json:"count"`
	Number int    `json:"number"`
	reducedCase
	job *pica.Job
}

// batch is how many jobs a worker takes at a time.
const batch = 256

// run executes the comparison on all processors until it is done or ctx ends.
func (c *comparison) run(ctx context.Context) (comparisonReport, error) {
	var (
		next, done atomic.Int64
		mu         sync.Mutex
		undefined  int
		buckets    = map[string]*bucket{}
		failed     error
		workers    sync.WaitGroup
	)
	start := time.Now()
	working, stop := context.WithCancel(ctx)
	defer stop()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			var g gen.Generator
			judge := newJudge()
			for first := int(next.Add(batch)) - batch; first < c.jobs; first = int(next.Add(batch)) - batch {
				n := first
				for ; n < min(first+batch, c.jobs) && working.Err() == nil; n++ {
					job := c.job(&g, n)
					verdict, d, err := judge.Run(job)
					if err == nil && verdict == compare.Equal {
						continue
					}
					mu.Lock()
					switch {
					case err != nil:
					case verdict == compare.Undefined:
						undefined++
					case verdict == compare.Differ:
						err = addBucket(buckets, judge, job, d, n)
					}
					if err != nil {
						failed = cmp.Or(failed, err)
						stop()
					}
					mu.Unlock()
				}
				done.Add(int64(n - first))
				c.tick(n - first)
				if working.Err() != nil {
					return
				}
			}
		})
	}
	workers.Wait()
	r := comparisonReport{Jobs: int(done.Load()), Undefined: undefined, Buckets: []bucket{}, Interrupted: ctx.Err() != nil}
	r.JobsPerSecond = float64(r.Jobs) / max(time.Since(start).Seconds(), 1e-9)
	for _, b := range buckets {
		r.Differences += b.Count
		if failed == nil {
			b.reducedCase, failed = reduceBucket(ctx, b.job, 0)
		}
		r.Buckets = append(r.Buckets, *b)
	}
	slices.SortFunc(r.Buckets, func(a, b bucket) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key)) })
	return r, failed
}

// addBucket files a difference under the instruction after which it first
// shows.
func addBucket(buckets map[string]*bucket, judge *compare.Judge, job *pica.Job, d compare.Difference, n int) error {
	at, err := judge.Locate(job, d)
	if err != nil {
		return err
	}
	key := at.Key()
	b := buckets[key]
	if b == nil {
		b = &bucket{Key: key, Number: n + 1}
		buckets[key] = b
	}
	b.Count++
	if n < b.Number {
		b.Number, b.job = n, reduce.Clone(job)
	}
	return nil
}

// newJudge returns a judge of the VM by the oracle.
func newJudge() *compare.Judge { return &compare.Judge{Want: oracle.New(), Got: vm.New()} }
