package adapter

import (
	"context"
	"testing"
	"time"
)

// TestAllowance: a process hangs that has used its processor time, or ten times as much wall time;
// meanwhile it is looked at now and then.
func TestAllowance(t *testing.T) {
	const s = time.Second
	usual := allowance{2 * s, 20 * s}
	for _, c := range []struct {
		allowance
		wall, processor, want time.Duration
	}{
		{usual, 0, 0, 2 * s},
		{usual, 1 * s, 1 * s, 1 * s},
		{usual, 1 * s, 4 * s, 1 * s}, // of four processors
		{usual, 2 * s, 2 * s, 0},
		{usual, 2 * s, 1 * s, 1 * s}, // the processor is busy
		{usual, 19 * s, s / 2, 1 * s},
		{usual, 19 * s, 2*s - 1, shortestGap},
		{usual, 20*s - 1, 0, 1},
		{usual, 20 * s, 0, 0}, // it sleeps
		{exactly(3 * s), 2 * s, 0, 1 * s},
		{exactly(3 * s), 3 * s, 0, 0},
		{usual.plus(s), 2 * s, 0, 1 * s},
		{usual.plus(s), 20 * s, 0, 1 * s},
		{usual.plus(s), 21 * s, 0, 0},
	} {
		if got := c.left(c.wall, c.processor); got != c.want {
			t.Errorf("%+v after %v, %v of the processor: %v are left, want %v", c.allowance, c.wall, c.processor, got, c.want)
		}
	}
}

// TestAllow: a program has less wall time when it was found asleep alone, and in a second attempt,
// whose limit is longer, no more than in the first.
func TestAllow(t *testing.T) {
	l := newLauncher()
	defer l.close()
	allow := func(limit time.Duration, want allowance) {
		t.Helper()
		if got := l.allow(limit); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	allow(2*time.Second, allowance{2 * time.Second, 20 * time.Second})
	err := Alone(t.Context(), func() { allow(Longer*2*time.Second, allowance{6 * time.Second, 20 * time.Second}) })
	if err != nil {
		t.Error(err)
	}
	l.sleeps.Store(true)
	allow(2*time.Second, allowance{2 * time.Second, 6 * time.Second})
}

// TestAlone: no program is asked beside one that is asked alone, and nobody waits for a place after
// the end of a context.
func TestAlone(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	err := Alone(t.Context(), func() {
		if Among(ended, func() { t.Error("beside it") }) == nil || Alone(ended, func() { t.Error("beside it") }) == nil {
			t.Error("no error after the end of the context")
		}
	})
	if err != nil {
		t.Error(err)
	}
	if err := Among(t.Context(), func() {
		if Alone(ended, func() { t.Error("not alone") }) == nil {
			t.Error("no error after the end of the context")
		}
		if err := Among(t.Context(), func() {}); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Error(err)
	}
}
