package adapter

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// places are taken by all who ask programs: one by each, all of them by one that must not be
// disturbed.
var places = semaphore.NewWeighted(allPlaces)

const allPlaces = 1 << 30

// undisturbed says that somebody has all places.
var undisturbed atomic.Bool

// Among calls do, which asks a program, perhaps beside other programs. An error means that the
// context ended before.
func Among(ctx context.Context, do func()) error {
	if err := places.Acquire(ctx, 1); err != nil {
		return err
	}
	defer places.Release(1)
	do()
	return nil
}

// Alone calls do, which asks a program again that has exceeded its limit, with a limit of Longer
// times as much. No other program of this process is asked meanwhile: none takes the processor
// from it. An error means that the context ended before.
func Alone(ctx context.Context, do func()) error {
	if err := places.Acquire(ctx, allPlaces); err != nil {
		return err
	}
	defer places.Release(allPlaces)
	undisturbed.Store(true)
	defer undisturbed.Store(false)
	do()
	return nil
}

// Longer is the limit of a second attempt, in limits of the first.
const Longer = 3
