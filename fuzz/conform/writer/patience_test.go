package writer

import (
	"slices"
	"testing"
	"time"
)

// TestPatience: a tool that passes its limit is asked again, and no longer once it has
// passed the longer limit, too.
func TestPatience(t *testing.T) {
	var p patience
	var limits []time.Duration
	takes := func(n time.Duration) Fate {
		a, err := p.ask(10, func(limit time.Duration) (Answer, error) {
			limits = append(limits, limit)
			if n > limit {
				return Answer{Fate: Hung}, nil
			}
			return Answer{Fate: Wrote}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return a.Fate
	}
	fates := []Fate{takes(5), takes(30), takes(30), takes(50), takes(30)}
	if want := []Fate{Wrote, Wrote, Wrote, Hung, Hung}; !slices.Equal(fates, want) {
		t.Errorf("got fates %v, want %v", fates, want)
	}
	if want := []time.Duration{10, 10, 40, 10, 40, 10, 40, 10}; !slices.Equal(limits, want) {
		t.Errorf("got limits %v, want %v", limits, want)
	}
}
