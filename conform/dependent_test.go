package conform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
)

// TestDependents: results of an estimate are followed through registers, masks, selectors, flags
// and addresses, and from vertex to vertex if the job keeps state.
func TestDependents(t *testing.T) {
	for _, x := range []struct{ code, want string }{
		{"ex2 r0.x, v0\nadd o0.xy, v0, r0\nmov o1, v0", "r0.8 o0.8"},
		{"ex2 r0.x, v0\nmov o0, r0.yyxy", "r0.8 o0.2"},
		{"ex2 r0.y, v0\ndp3 o0.zw, v0, r0\ndp3 o1, v0, r0.xxxx", "r0.4 o0.3"},
		{"ex2 r0, v0\nmov r0.xy, v0\nmova a0.xy, r0.xz", "r0.3 a0.y"},
		{"ex2 r0, v0\ncmp v0, eq, eq, r0\ncmp v0, eq, eq, v0", "r0.15"},
		{"ex2 r0, v0\ncmp v0, eq, eq, r0.xy", "r0.15 cc.x cc.y"},
		{"rcp r0, v0\nmova a0.x, r0.x\nmov r0, v0\nmov o0.w, c0[a0.x]", "o0.1 a0.x"},
		{"ex2 r0, v0\ncmp v0, eq, eq, r0\nifc cmp.x\nmov o0, v0\n.end", "flow"},
		{"ex2 r0, v0\ncmp v0, eq, eq, v0\nifc cmp.x\nmov o0, v0\n.end", "r0.15"},
	} {
		if got := conform.Dependents(x.code); got != x.want {
			t.Errorf("%s: %s, want %s", strings.ReplaceAll(x.code, "\n", "; "), got, x.want)
		}
	}
	const second = "mov o0, r1\nex2 r1, v0"
	if got, want := fmt.Sprint(conform.DependentsOf(second, 2, false)), "[r1.15 r1.15]"; got != want {
		t.Errorf("two vertices: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(conform.DependentsOf(second, 2, true)), "[r1.15 r1.15 o0.15]"; got != want {
		t.Errorf("two vertices that keep their state: %s, want %s", got, want)
	}
}
