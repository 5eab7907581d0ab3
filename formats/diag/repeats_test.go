package diag_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
)

// TestRepeats compares few and many items, which take different paths, and stops early.
func TestRepeats(t *testing.T) {
	for _, n := range []int{0, 1, 5, 12, 13, 40} {
		keys := make([]int, n)
		var want []string
		for i := range keys {
			keys[i] = i % 5
			if i >= 5 {
				want = append(want, fmt.Sprint(i, i%5))
			}
		}
		var got []string
		for i, first := range diag.Repeats(n, func(i int) int { return keys[i] }) {
			got = append(got, fmt.Sprint(i, first))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d items: got %v, want %v", n, got, want)
		}
		for i := range diag.Repeats(n, func(i int) int { return keys[i] }) {
			if i != 5 {
				t.Errorf("%d items: got %d first, want 5", n, i)
			}
			break
		}
	}
}
