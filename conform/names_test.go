//go:build linux || darwin

package conform_test

import (
	"strings"
	"testing"
)

// TestNames: a fault has one cause, whose name has the faulty part and its extent: which
// register, which vertex, which number of instructions. A core without a fault has none.
func TestNames(t *testing.T) {
	healthy := healthyCore(t, fewCases)
	for _, x := range []struct{ fault, name string }{
		{"steps-300", "more than 300 steps"},
		{"words-512", "more than 512 words"},
		{"target-512", "target above word 511"},
		{"loop-count", "loop"}, // not a limit of steps
		{"desc-99", "descriptor above 99"},
		{"loop-i3", "loop on i3"},
		{"vertex-4", "vertex 3 of a request, the first being 0"},
		{"in-place", "mov, destination among the operands"},
		{"copy-stale", "mov, operand written later"},
		{"jmpc-back", "jmpc"},
		{"negate-al", "relative addressing, negation, index aL"},
		{"loop-255", "loop, count above 254"},
		{"state-a0y", "address registers pass to the next request"},
		{"lg2-fraction", "lg2"},
		{"reply-random", "dp4"},
	} {
		if testing.Short() && x.fault != "steps-300" {
			continue
		}
		extra, _ := judgeFaults(t, fewCases, healthy, x.fault)
		var names []string
		for _, d := range extra {
			names = append(names, d.Bucket)
			if d.Instructions > longest+temporariesOf(d) {
				t.Errorf("%s: %d instructions, want at most %d:\n%s", x.fault, d.Instructions, longest+temporariesOf(d),
					d.Assembly)
			}
			if d.Where == "" || d.Expected == d.Observed {
				t.Errorf("%s: expected %q, observed %q at %q", x.fault, d.Expected, d.Observed, d.Where)
			}
			if random := strings.HasPrefix(d.Note, "the program fails"); random != (x.fault == "reply-random") {
				t.Errorf("%s: note %q", x.fault, d.Note)
			}
		}
		if len(names) != 1 || names[0] != x.name {
			t.Errorf("%s: causes %q, want %q", x.fault, names, x.name)
		}
	}
}
