package adapter

import (
	"context"
	"testing"
	"time"
)

// TestAllowance: a process hangs that has used its processor time, or has slept ten times as long; meanwhile it is
// looked at every second.
func TestAllowance(t *testing.T) {
	const s = time.Second
	usual := allowance{2 * s, 20 * s}
	for _, c := range []struct {
		allowance
		used, slept, want time.Duration
	}{
		{usual, 0, 0, longestGap},
		{usual, 3 * s / 2, 0, s / 2},
		{usual, 2 * s, 0, 0},
		{usual, 4 * s, -2 * s, 0}, // of four processors
		{usual, 2*s - 1, 0, shortestGap},
		{usual, s / 2, 20*s - 1, 1},
		{usual, 0, 20 * s, 0},
		{exactly(3 * s), 0, 5 * s / 2, s / 2},
		{exactly(3 * s), 3 * s, 0, 0},
		{usual.plus(s), 5 * s / 2, 0, s / 2},
		{usual.plus(s), 0, 20 * s, longestGap},
		{usual.plus(s), 0, 21 * s, 0},
	} {
		if got := c.left(c.used, c.slept); got != c.want {
			t.Errorf("%+v, used %v, slept %v: %v are left, want %v", c.allowance, c.used, c.slept, got, c.want)
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
	err = Alone(t.Context(), func() { allow(Longer*2*time.Second, allowance{6 * time.Second, 6 * time.Second}) })
	if err != nil {
		t.Error(err)
	}
}

// TestLastAttempt: a job that may hang the core has the limit, however many others hung it, and however quick it was,
// unless its instructions are counted, or have no end on a known core.
func TestLastAttempt(t *testing.T) {
	c := &pool{options: Options{Timeout: time.Second}, launcher: newLauncher()}
	defer c.launcher.close()
	for _, hung := range []int64{0, 1, 2, 6, 1000} {
		for _, needed := range []time.Duration{0, time.Microsecond, time.Second} {
			c.hung.Store(hung)
			c.needed.Store(int64(needed))
			first, last, short := c.allow(firstTry, 0), c.allow(lastTry, 0), c.allow(lastTry, 100)
			if last.processor < c.options.Timeout || first.processor > last.processor {
				t.Errorf("%d hangs, answers in %v: got %v, then %v", hung, needed, first, last)
			}
			const counted = time.Second/16 + 10*time.Millisecond // 100 instructions
			if short.sleep != last.sleep || needed == 0 && short != last || needed == time.Second && short != last ||
				needed == time.Microsecond && short.processor != counted {
				t.Errorf("%d hangs, answers in %v, 100 instructions: got %v", hung, needed, short)
			}
			if e := c.allow(lastTry, endless); e.sleep != last.sleep || needed != time.Microsecond && e != last ||
				needed == time.Microsecond && e.processor != c.options.Timeout/4 {
				t.Errorf("%d hangs, answers in %v, no end: got %v", hung, needed, e)
			}
		}
	}
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
