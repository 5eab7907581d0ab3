// Package pool serves this module: it is the worker pool of the harness.
package pool

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Run runs workers in parallel; 0 means one for each processor. Each calls step with a value of
// its own until step returns false. The first error ends the context of step, and is returned
// when all workers have finished. A worker's value that is an io.Closer is closed.
func Run[W any](ctx context.Context, workers int, newWorker func() (W, error),
	step func(ctx context.Context, w W) (more bool, err error)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() (err error) {
			w, err := newWorker()
			if err != nil {
				return err
			}
			if c, ok := any(w).(io.Closer); ok {
				defer func() { err = errors.Join(err, c.Close()) }()
			}
			for {
				if more, err := step(ctx, w); err != nil || !more {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// Within returns a context that ends with ctx or after limit; 0 means no limit.
func Within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// Each calls do for the numbers below n, in their order, in parallel as [Run] does. After the
// end of the context do is called for no further number; that is no error.
func Each(ctx context.Context, workers, n int, do func(ctx context.Context, k int) error) error {
	var next atomic.Int64
	return Run(ctx, min(workers, n), func() (struct{}, error) { return struct{}{}, nil },
		func(ctx context.Context, _ struct{}) (more bool, err error) {
			k := int(next.Add(1)) - 1
			if k >= n || ctx.Err() != nil {
				return false, nil
			}
			return true, do(ctx, k)
		})
}
