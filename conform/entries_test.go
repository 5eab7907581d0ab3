//go:build linux || darwin

package conform_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus"
)

// shownBy maps regressions that no single program shows to planted faults of the same kind,
// which [TestToy] finds.
var shownBy = map[string][]string{
	"R33": {"ex2-clobbers"},
	"R58": {"state-keep", "state-al", "state-loop", "state-cc"},
	"R59": {"emit-mask"}, // a vertex program's outputs are given register by register
	"R64": {"state-cache"},
	"R65": {"crash-many"},
}

// unseen lists regressions that the adapter protocol does not show.
var unseen = map[string]string{
	"R60": "what the rasterizer reads where nothing is written",
	"R61": "colours behind the shader unit",
	"R62": "uploads behind c95 by registers of the console",
	"R66": "registers of the host",
	"R67": "patches of single games",
	"R72": "which units an upload reaches",
	"R73": "the configuration of the geometry unit",
}

// TestEntries: a program of the suite regressions, or a named alternative, shows each entry of
// the list of regressions.
func TestEntries(t *testing.T) {
	programs, err := corpus.Programs()
	if err != nil {
		t.Fatal(err)
	}
	const entries = 73
	for n := 1; n <= entries; n++ {
		name := fmt.Sprintf("R%02d", n)
		shown := 0
		if slices.ContainsFunc(programs, func(p corpus.Program) bool { return slices.Contains(p.Entries, name) }) {
			shown++
		}
		if len(shownBy[name]) > 0 {
			shown++
		}
		if unseen[name] != "" {
			shown++
		}
		if shown != 1 {
			t.Errorf("%s: shown in %d ways, want 1", name, shown)
		}
		for _, fault := range shownBy[name] {
			if !slices.ContainsFunc(planted, func(p struct{ name, cause string }) bool { return p.name == fault }) {
				t.Errorf("%s: no fault is called %s", name, fault)
			}
		}
	}
}
