package hunt

import (
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Pool runs workers in parallel, 0 meaning one for each processor. Each calls
// step with a value of its own until step reports that nothing is left. The
// first error ends the context that step is given, and is returned once all
// workers have come back. A worker's value that is an io.Closer is closed.
func Pool[W any](ctx context.Context, workers int, newWorker func() (W, error), step func(ctx context.Context, w W) (more bool, err error)) error {
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
			defer func() { err = errors.Join(err, closeIt(w)) }()
			for {
				if more, err := step(ctx, w); err != nil || !more {
					return err
				}
			}
		})
	}
	return group.Wait()
}

func closeIt(v any) error {
	if c, ok := v.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
