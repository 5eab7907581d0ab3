package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/picaproof/picaproof/internal/pool"
)

// TestNumberOfWorkers: the requested number; 0 means one for each processor.
func TestNumberOfWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, c := range [][2]int{{0, 3}, {-1, 3}, {1, 1}, {2, 2}, {5, 5}} {
		var made atomic.Int64
		newWorker := func() (int64, error) { return made.Add(1), nil }
		ends := func(context.Context, int64) (bool, error) { return false, nil }
		if err := pool.Run(t.Context(), c[0], newWorker, ends); err != nil {
			t.Fatal(err)
		}
		if n := made.Load(); n != int64(c[1]) {
			t.Errorf("%d workers asked for: %d, want %d", c[0], n, c[1])
		}
	}
}

// TestEach: every number once; none after an error or the end of the context.
func TestEach(t *testing.T) {
	const n = 100
	for _, workers := range []int{0, 1, 3, 2 * n} {
		var times [n]atomic.Int32
		err := pool.Each(t.Context(), workers, n, func(_ context.Context, k int) error {
			times[k].Add(1)
			return nil
		})
		for k := range times {
			if got := times[k].Load(); got != 1 || err != nil {
				t.Errorf("%d workers: number %d came %d times, %v", workers, k, got, err)
			}
		}
	}
	if err := pool.Each(t.Context(), 2, 0, nil); err != nil {
		t.Errorf("no numbers: %v", err)
	}
	failed := errors.New("failed")
	last := -1
	err := pool.Each(t.Context(), 1, n, func(_ context.Context, k int) error {
		if last = k; k == 7 {
			return failed
		}
		return nil
	})
	if err != failed || last != 7 {
		t.Errorf("got %v after number %d, want %v after 7", err, last, failed)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = pool.Each(ctx, 1, n, func(_ context.Context, k int) error {
		if last = k; k == 9 {
			cancel()
		}
		return nil
	})
	if err != nil || last != 9 {
		t.Errorf("got %v and number %d last, want none after 9, where the context ends", err, last)
	}
}

// TestAnErrorEndsTheOthers: workers that wait for the context end, and the first error is
// returned.
func TestAnErrorEndsTheOthers(t *testing.T) {
	failed := errors.New("failed")
	err := pool.Each(t.Context(), 4, 4, func(ctx context.Context, k int) error {
		if k == 3 {
			return failed
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if err != failed {
		t.Errorf("got %v, want %v", err, failed)
	}
}

// door is a worker's value that cannot be closed without an error.
type door struct{ closed *atomic.Int64 }

func (d door) Close() error {
	d.closed.Add(1)
	return errors.New("stuck")
}

// TestErrorsOfAWorker: the error that makes no worker, and the errors of a step and of Close.
func TestErrorsOfAWorker(t *testing.T) {
	failed := errors.New("failed")
	var closed atomic.Int64
	for _, made := range []error{failed, nil} {
		want := "failed"
		if made == nil {
			want += "\nstuck"
		}
		err := pool.Run(t.Context(), 1, func() (door, error) { return door{&closed}, made },
			func(context.Context, door) (bool, error) { return false, failed })
		if !errors.Is(err, failed) || err.Error() != want {
			t.Errorf("a worker made with %v: got %v, want %s", made, err, want)
		}
	}
	if closed.Load() != 1 {
		t.Errorf("closed %d times, want once, by the worker that was made", closed.Load())
	}
}

// TestWithin: only a positive limit ends the context.
func TestWithin(t *testing.T) {
	for _, limit := range []time.Duration{-1, 0, 1, time.Hour} {
		ctx, cancel := pool.Within(t.Context(), limit)
		if _, limited := ctx.Deadline(); limited != (limit > 0) || limit <= 0 && ctx.Err() != nil {
			t.Errorf("limit %v: limited %v, %v", limit, limited, ctx.Err())
		}
		if cancel(); ctx.Err() == nil {
			t.Errorf("limit %v: not cancelled", limit)
		}
	}
}
