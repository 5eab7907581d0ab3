package command

import (
	"slices"
	"testing"
	"time"
)

// TestPatience: a program that exceeds its limit is asked again, but not after it has once
// exceeded the longer limit, too.
func TestPatience(t *testing.T) {
	var p Patience
	var limits []time.Duration
	hangs := func(takes time.Duration) bool {
		hung, err := Ask(t.Context(), &p, 10, func(limit time.Duration) (hung, again bool, err error) {
			limits = append(limits, limit)
			return takes > limit, takes > limit, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return hung
	}
	got := []bool{hangs(5), hangs(25), hangs(25), hangs(50), hangs(25)}
	if want := []bool{false, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []time.Duration{10, 10, 30, 10, 30, 10, 30, 10}; !slices.Equal(limits, want) {
		t.Errorf("got limits %v, want %v", limits, want)
	}
}
